package exchange

import (
	"strings"
	"testing"

	"tollgate/exchange/simulated"
	"tollgate/order"
)

// TestTokenRefusals names every way a new order or a replace can be turned
// away. What is dropped leaves no report and its number unused; what is refused
// is reported and has used its number.
func TestTokenRefusals(t *testing.T) {
	for name, c := range map[string]struct {
		change  func(*order.Verdict) // after signing
		resign  bool                 // the engine has signed the change
		outcome Outcome
	}{
		"missing":          {func(v *order.Verdict) { v.Token = order.Token{} }, false, dropped(order.ReasonTokenMissing)},
		"price altered":    {func(v *order.Verdict) { v.Price++ }, false, dropped(order.ReasonTokenAltered)},
		"qty altered":      {func(v *order.Verdict) { v.OrderQty++ }, false, dropped(order.ReasonTokenAltered)},
		"strategy altered": {func(v *order.Verdict) { v.Strategy++ }, false, dropped(order.ReasonTokenAltered)},
		"side altered":     {func(v *order.Verdict) { v.Side = order.SideSell }, false, dropped(order.ReasonTokenAltered)},
		"session altered": {
			func(v *order.Verdict) { v.Session++ }, false, dropped(order.ReasonTokenAltered),
		},
		"seq altered":    {func(v *order.Verdict) { v.Token.Seq++ }, false, dropped(order.ReasonTokenAltered)},
		"epoch altered":  {func(v *order.Verdict) { v.Token.Epoch++ }, false, dropped(order.ReasonTokenAltered)},
		"expiry altered": {func(v *order.Verdict) { v.Token.Expiry++ }, false, dropped(order.ReasonTokenAltered)},
		"mac altered":    {func(v *order.Verdict) { v.Token.MAC ^= 1 }, false, dropped(order.ReasonTokenAltered)},
		"old epoch":      {func(v *order.Verdict) { v.Token.Epoch = 0 }, true, dropped(order.ReasonTokenEpoch)},
		"used":           {func(v *order.Verdict) { v.Token.Seq = 1 }, true, dropped(order.ReasonTokenUsed)},
		"number zero":    {func(v *order.Verdict) { v.Token.Seq = 0 }, true, dropped(order.ReasonTokenUsed)},
		"mass cancel": {
			func(v *order.Verdict) { v.MsgType = order.MsgMassCancel }, true, dropped(order.ReasonMalformed),
		},
		"expired":     {func(v *order.Verdict) { v.Token.Expiry = testNow - 1 }, true, refused(order.ReasonTokenExpired)},
		"expires now": {func(v *order.Verdict) { v.Token.Expiry = testNow }, true, Outcome{}},
		"too late":    {func(v *order.Verdict) { v.ValidUntil = testNow - 1 }, true, refused(order.ReasonValidUntil)},
		"last moment": {func(v *order.Verdict) { v.ValidUntil = testNow }, true, Outcome{}},
		"expired and too late": {func(v *order.Verdict) {
			v.Token.Expiry, v.ValidUntil = testNow-1, testNow-1
		}, true, refused(order.ReasonTokenExpired)},
	} {
		t.Run("new "+name, func(t *testing.T) {
			r := newRig(t, nil)
			r.live(1)
			v := newOrder(2)
			c.change(&v)
			if c.resign {
				testKey.Sign(&v)
			}
			checkRefusal(r, v, c.outcome, order.ReportRejected)
		})
		t.Run("replace "+name, func(t *testing.T) {
			r := newRig(t, nil)
			v := replaceOf(r.live(1), 2)
			kind := v.MsgType
			c.change(&v)
			if c.resign {
				testKey.Sign(&v)
			}
			if kind != v.MsgType && !c.resign {
				t.Fatal("the case has lost its message type")
			}
			checkRefusal(r, v, c.outcome, order.ReportReplaceReject)
		})
	}
}

func checkRefusal(r *rig, v order.Verdict, want Outcome, kind order.ReportKind) {
	r.t.Helper()
	next := r.NextReportSeq()
	r.give(v, want)
	if !want.Refused {
		if got := r.NextReportSeq(); got != next {
			r.t.Errorf("there are %d new reports: want none", got-next)
		}
		return
	}
	report := r.lastReport()
	wantReport := order.Report{
		ReportSeq: next, Seq: v.Token.Seq, OrderID: v.OrderID, ClOrdID: v.ClOrdID, TransactTime: testNow,
		Price: v.Price, OrderQty: v.OrderQty, Group: v.Group, Session: v.Session, Account: v.Account,
		Trader: v.Trader, Instrument: v.Instrument, Strategy: v.Strategy, Reason: want.Reason, Kind: kind,
		Side: v.Side,
	}
	if report != wantReport {
		r.t.Errorf("the report is\n%+v, want\n%+v", report, wantReport)
	}
	fresh := resigned(v, func(v *order.Verdict) { v.Token.Expiry, v.ValidUntil = testNow+1, 0 })
	r.give(fresh, dropped(order.ReasonTokenUsed))
}

// TestForgeryHasNoEffect gives the adapter an altered order and then the real
// one: the forgery must not have used up the number or moved the window.
func TestForgeryHasNoEffect(t *testing.T) {
	r := newRig(t, nil)
	forged := newOrder(1)
	forged.Token.Seq, forged.Token.Epoch = 1<<60, 1<<60
	r.give(forged, dropped(order.ReasonTokenAltered))
	r.live(1)
	if r.Epoch() != 1 {
		t.Errorf("a forged token has set the epoch to %d", r.Epoch())
	}
}

func TestNewEpochVoidsTheOld(t *testing.T) {
	r := newRig(t, nil)
	first := r.live(1)
	r.give(resigned(newOrder(3), func(v *order.Verdict) { v.Token.Epoch = 2 }), Outcome{})
	r.give(newOrder(2), dropped(order.ReasonTokenEpoch))
	// A request that is sent again under the new epoch still has one effect.
	r.give(resigned(first, func(v *order.Verdict) { v.Token.Epoch = 2 }), dropped(order.ReasonTokenUsed))
	r.give(resigned(newOrder(2), func(v *order.Verdict) { v.Token.Epoch = 2 }), Outcome{})
	r.give(resigned(cancelOf(first, 4), func(v *order.Verdict) { v.Token.Epoch = 3 }), Outcome{})
	if r.Epoch() != 3 {
		t.Errorf("the epoch is %d, want the cancel's, 3", r.Epoch())
	}
}

// TestTakeoverVoidsTheOldEngine: what an engine has accepted before another one
// took over is void from then on, not only from the first new order.
func TestTakeoverVoidsTheOldEngine(t *testing.T) {
	for name, takeOver := range map[string]func(*Adapter){
		"reports asked for": func(a *Adapter) { a.RaiseEpoch(2) },
		"fence set":         func(a *Adapter) { a.SetFence(2, Fence{order.Scope{Type: order.ScopeAccount, ID: 99}, 50}) },
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, nil)
			r.live(1)
			takeOver(r.Adapter)
			r.give(newOrder(2), dropped(order.ReasonTokenEpoch))
			r.RaiseEpoch(1)
			r.give(newOrder(2), dropped(order.ReasonTokenEpoch))
			r.give(resigned(newOrder(2), func(v *order.Verdict) { v.Token.Epoch = 2 }), Outcome{})
		})
	}
}

func TestNumbersMayComeOutOfOrder(t *testing.T) {
	r := newRig(t, nil)
	for _, seq := range []uint64{5, 3, 130, 4} {
		r.live(seq)
	}
	for _, seq := range []uint64{5, 3, 130, 4, 2} {
		r.give(newOrder(seq), dropped(order.ReasonTokenUsed)) // 2 is older than the window of 128
	}
}

func TestOrderIDIsUsedOnce(t *testing.T) {
	r := newRig(t, nil)
	r.live(1)
	r.give(resigned(newOrder(2), func(v *order.Verdict) { v.OrderID = 1 }), dropped(order.ReasonTokenUsed))
	if r.LiveOrders() != 1 {
		t.Errorf("%d orders live, want 1", r.LiveOrders())
	}
}

func TestCancelsAreNotBlocked(t *testing.T) {
	for name, change := range map[string]func(*order.Verdict){
		"expired token": func(v *order.Verdict) { v.Token.Expiry = 1; testKey.Sign(v) },
		"too late":      func(v *order.Verdict) { v.ValidUntil = 1; testKey.Sign(v) },
		"old epoch":     func(v *order.Verdict) { v.Token.Epoch = 0; testKey.Sign(v) },
		"fenced":        func(*order.Verdict) {},
		"no token":      func(v *order.Verdict) { v.Token = order.Token{} },
		"altered":       func(v *order.Verdict) { v.Price++ },
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, nil)
			v := r.live(1)
			r.SetFence(1, Fence{order.Scope{Type: order.ScopeFirm}, 100})
			c := cancelOf(v, 2)
			change(&c)
			r.give(c, Outcome{}, about(v, order.ReportCanceled, 2))
			if r.LiveOrders() != 0 {
				t.Error("the order is still known as live")
			}
		})
	}
}

func TestSignedCancelIsCarriedOutOnce(t *testing.T) {
	r := newRig(t, nil)
	v := r.live(1)
	r.give(cancelOf(v, 2), Outcome{})
	r.give(cancelOf(v, 2), dropped(order.ReasonTokenUsed))
	if c := r.Counters(); c.Cancels != 1 || c.TokenUsed != 1 {
		t.Errorf("counters %+v", c)
	}
}

// TestCancelOlderThanTheWindow: its number cannot be looked up any more, and a
// cancel is rather carried out twice than not at all.
func TestCancelOlderThanTheWindow(t *testing.T) {
	r := newRig(t, nil)
	v := r.live(1)
	r.live(500)
	r.give(cancelOf(v, 2), Outcome{}, about(v, order.ReportCanceled, 2))
}

func TestUnsignedCancelIsUnsolicited(t *testing.T) {
	r := newRig(t, nil)
	v := r.live(1)
	c := cancelOf(v, 2)
	c.Token = order.Token{}
	r.give(c, Outcome{})
	if got := r.venue.submitted[1]; got.Token.Seq != 0 || got.OrderID != v.OrderID || got.MsgType != order.MsgCancelOrder {
		t.Errorf("the venue was given %+v", got)
	}
	other := newOrder(9)
	other.MsgType, other.Token = order.MsgCancelOrder, order.Token{}
	r.give(other, dropped(order.ReasonVenueUnknown))
}

func TestCancelByName(t *testing.T) {
	r := newRig(t, nil)
	v := r.live(1)
	name := func(seq uint64) order.ClOrdID { return order.ClOrdID(100 + seq) }
	for seq := uint64(2); seq <= 6; seq++ {
		replaced := replaceOf(v, seq)
		answer := about(replaced, order.ReportReplaced, seq)
		if seq == 4 {
			answer = about(replaced, order.ReportReplaceReject, seq)
		}
		r.give(replaced, Outcome{}, answer)
	}
	// Of the names 101 to 106 the newest four that were not refused are known.
	for seq, known := range map[uint64]bool{1: false, 2: true, 3: true, 4: false, 5: true, 6: true} {
		want := Outcome{}
		if !known {
			want = dropped(order.ReasonVenueUnknown)
		}
		if got := r.Cancel(testNow, v.Session, 0, name(seq)); got != want {
			t.Errorf("cancel of %d: %+v, want %+v", name(seq), got, want)
		}
	}
	if got := r.Cancel(testNow, v.Session+1, 0, name(6)); got != dropped(order.ReasonVenueUnknown) {
		t.Errorf("cancel by another session: %+v", got)
	}
	if got := r.Cancel(testNow, v.Session+1, v.OrderID, 0); got != dropped(order.ReasonVenueUnknown) {
		t.Errorf("cancel of another session's order: %+v", got)
	}
	r.venue.answers = [][]order.Report{{about(v, order.ReportCanceled, 0)}}
	if got := r.Cancel(testNow, v.Session, v.OrderID, 0); got != (Outcome{}) {
		t.Errorf("cancel by OrderID: %+v", got)
	}
	if got := r.Cancel(testNow, v.Session, 0, name(6)); got != dropped(order.ReasonVenueUnknown) {
		t.Errorf("cancel of a canceled order: %+v", got)
	}
}

// TestEndedOrdersAreForgotten lists the reports after which an order does not
// live any more, and those after which it does.
func TestEndedOrdersAreForgotten(t *testing.T) {
	for name, c := range map[string]struct {
		kind   order.ReportKind
		leaves order.Qty
		ended  bool
	}{
		"rejected":         {order.ReportRejected, 0, true},
		"canceled":         {order.ReportCanceled, 0, true},
		"expired":          {order.ReportExpired, 0, true},
		"filled":           {order.ReportTrade, 0, true},
		"partly filled":    {order.ReportTrade, 1, false},
		"replaced":         {order.ReportReplaced, 1, false},
		"replaced to done": {order.ReportReplaced, 0, true},
		"replace reject":   {order.ReportReplaceReject, 0, false},
		"cancel reject":    {order.ReportCancelReject, 0, false},
		"trade canceled":   {order.ReportTradeCancel, 10, false},
		"trade corrected":  {order.ReportTradeCorrect, 3, false},
		"corrected to all": {order.ReportTradeCorrect, 0, true},
		"restated":         {order.ReportRestated, 3, false},
		"restated to done": {order.ReportRestated, 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, nil)
			v := r.live(1)
			report := about(v, c.kind, 0)
			report.LeavesQty = c.leaves
			if c.kind == order.ReportReplaceReject {
				report.ClOrdID++
			}
			r.venue.due = []order.Report{report}
			r.Advance(testNow)
			if ended := r.LiveOrders() == 0; ended != c.ended {
				t.Errorf("the order has ended is %t, want %t", ended, c.ended)
			}
			if known := r.Cancel(testNow, v.Session, 0, v.ClOrdID) == (Outcome{}); known == c.ended {
				t.Errorf("its name is known is %t", known)
			}
		})
	}
}

func TestFences(t *testing.T) {
	scope := func(kind order.ScopeType, id uint32) order.Scope { return order.Scope{Type: kind, ID: id} }
	ofClass := func(s order.Scope) order.Scope { s.Class = 8; return s }
	with := func(s order.Scope, i order.InstrumentID) order.Scope { s.Instrument = i; return s }
	for name, c := range map[string]struct {
		scope order.Scope
		voids bool
	}{
		"firm":                     {scope(order.ScopeFirm, 1), true},
		"group":                    {scope(order.ScopeGroup, 4), true},
		"other group":              {scope(order.ScopeGroup, 5), false},
		"account":                  {scope(order.ScopeAccount, 2), true},
		"other account":            {scope(order.ScopeAccount, 4), false},
		"trader":                   {scope(order.ScopeTrader, 3), true},
		"other trader":             {scope(order.ScopeTrader, 2), false},
		"session":                  {scope(order.ScopeSession, 5), true},
		"other session":            {scope(order.ScopeSession, 3), false},
		"strategy":                 {scope(order.ScopeStrategy, 6), true},
		"other strategy":           {scope(order.ScopeStrategy, 5), false},
		"class of the account":     {ofClass(scope(order.ScopeAccount, 2)), true},
		"class of another account": {ofClass(scope(order.ScopeAccount, 4)), false},
		"account on instrument":    {with(scope(order.ScopeAccount, 2), 1), true},
		"account on another":       {with(scope(order.ScopeAccount, 2), 9), false},
		"firm on instrument":       {with(scope(order.ScopeFirm, 1), 1), true},
		"firm on another":          {with(scope(order.ScopeFirm, 1), 9), false},
		"a level that is not":      {scope(17, 9), true},
		"no level":                 {scope(order.ScopeNone, 0), true},
		"no level, on another":     {with(scope(order.ScopeNone, 0), 9), false},
		"other account, on nobody": {with(scope(order.ScopeAccount, 4), 1), false},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, nil)
			live := r.live(1)
			r.SetFence(1, Fence{c.scope, 11})
			want := Outcome{}
			if c.voids {
				want = refused(order.ReasonKillFence)
			}
			r.give(newOrder(9), want)
			r.give(replaceOf(live, 10), want)
			r.give(newOrder(11), Outcome{})
		})
	}
}

func TestFenceOnlyRises(t *testing.T) {
	r := newRig(t, nil)
	firm := order.Scope{Type: order.ScopeFirm}
	r.SetFence(1, Fence{firm, 20})
	r.SetFence(1, Fence{firm, 10})
	r.give(newOrder(19), refused(order.ReasonKillFence))
	r.give(newOrder(20), Outcome{})
}

func TestEachScopeHasItsOwnFence(t *testing.T) {
	r := newRig(t, nil)
	r.SetFence(1, Fence{order.Scope{Type: order.ScopeAccount, ID: 99}, 50})
	r.SetFence(1, Fence{order.Scope{Type: order.ScopeAccount, ID: 2}, 20})
	r.give(newOrder(19), refused(order.ReasonKillFence))
	r.give(newOrder(20), Outcome{})
}

func TestFenceOfOldEpochIsIgnored(t *testing.T) {
	r := newRig(t, nil)
	r.give(resigned(newOrder(1), func(v *order.Verdict) { v.Token.Epoch = 2 }), Outcome{})
	r.SetFence(1, Fence{order.Scope{Type: order.ScopeFirm}, 100})
	r.give(resigned(newOrder(2), func(v *order.Verdict) { v.Token.Epoch = 2 }), Outcome{})
}

// TestTooManyFencesBecomeOne: with room for three, a fourth scope voids
// everything below the highest fence.
func TestTooManyFencesBecomeOne(t *testing.T) {
	r := newRig(t, nil)
	for id := uint32(101); id <= 103; id++ {
		r.SetFence(1, Fence{order.Scope{Type: order.ScopeAccount, ID: id}, 50})
	}
	r.give(newOrder(10), Outcome{})
	r.SetFence(1, Fence{order.Scope{Type: order.ScopeAccount, ID: 104}, 40})
	r.give(newOrder(49), refused(order.ReasonKillFence))
	r.give(newOrder(50), Outcome{})
}

// TestFencesOfUsedNumbersMakeRoom: a fence whose numbers are all older than the
// window cannot meet a token any more.
func TestFencesOfUsedNumbersMakeRoom(t *testing.T) {
	r := newRig(t, nil)
	for id := uint32(101); id <= 103; id++ {
		r.SetFence(1, Fence{order.Scope{Type: order.ScopeAccount, ID: id}, 50})
	}
	r.live(400)
	r.SetFence(1, Fence{order.Scope{Type: order.ScopeAccount, ID: 104}, 405})
	r.give(newOrder(401), Outcome{})
	r.SetFence(1, Fence{order.Scope{Type: order.ScopeFirm}, 60})
	if len(r.fences.list) != 1 {
		t.Errorf("fences in force: %+v, want one", r.fences.list)
	}
}

// TestBacklog fills the report log of 64: new orders are refused from 56 on,
// dropped at 64, and cancels of live orders work throughout.
func TestBacklog(t *testing.T) {
	r := newRig(t, nil)
	v := r.live(1)
	r.venue.due = make([]order.Report, 55)
	r.Advance(testNow)
	r.give(newOrder(2), refused(order.ReasonAdapterBacklog))
	r.give(newOrder(2), dropped(order.ReasonTokenUsed))
	r.give(replaceOf(v, 3), refused(order.ReasonAdapterBacklog))
	r.venue.due = make([]order.Report, 6)
	r.Advance(testNow)
	r.give(newOrder(4), dropped(order.ReasonAdapterBacklog))
	r.give(cancelOf(newOrder(77), 78), dropped(order.ReasonAdapterBacklog))
	r.give(cancelOf(v, 5), Outcome{}, about(v, order.ReportCanceled, 5))
	if got := r.lastReport(); got.ReportSeq != 65 || got.Kind != order.ReportCanceled {
		t.Errorf("the cancel is reported as %+v", got)
	}
	r.Acknowledge(40)
	r.live(4) // its number was not used
	if c := r.Counters(); c.BacklogRefused != 2 || c.BacklogDropped != 2 {
		t.Errorf("counters %+v", c)
	}
}

func TestFullOrderTableIsABacklog(t *testing.T) {
	r := newRig(t, func(c *AdapterConfig) { c.OrdersMax = 2 })
	first := r.live(1)
	r.live(2)
	r.give(newOrder(3), refused(order.ReasonAdapterBacklog))
	r.give(replaceOf(first, 4), Outcome{})
	r.give(cancelOf(first, 5), Outcome{}, about(first, order.ReportCanceled, 5))
	r.live(6)
}

func TestReportsCanBeReadAgain(t *testing.T) {
	r := newRig(t, func(c *AdapterConfig) { c.ReportsRetainedMax = 1 << 20 })
	const count = 3 * reportsReserved
	var want []order.Report
	for n := uint64(1); n <= count; n++ {
		report := order.Report{OrderID: order.OrderID(n), ExecID: order.ExecID(n), Kind: order.ReportTrade}
		r.venue.due = []order.Report{report}
		r.Advance(int64(n))
		report.ReportSeq = n
		want = append(want, report)
	}
	if r.OldestReportSeq() != 1 || r.NextReportSeq() != count+1 {
		t.Fatalf("reports %d to %d are kept", r.OldestReportSeq(), r.NextReportSeq()-1)
	}
	for _, upTo := range []uint64{0, 1, 100, 50, count / 2, 1 << 60} {
		r.Acknowledge(upTo)
		for n := r.OldestReportSeq(); n <= count; n++ {
			report, trace := r.Report(n)
			if *report != want[n-1] || *trace != (order.Trace{VenueIn: int64(n)}) {
				t.Fatalf("report %d is %+v with %+v", n, report, trace)
			}
		}
		if report, _ := r.Report(r.OldestReportSeq() - 1); report != nil {
			t.Errorf("after the acknowledgement of %d: an acknowledged report is kept", upTo)
		}
	}
	if r.OldestReportSeq() != count+1 || r.NextReportSeq() != count+1 {
		t.Errorf("after the last acknowledgement: %d to %d", r.OldestReportSeq(), r.NextReportSeq())
	}
}

// TestTraceGoesToTheOrderItIsAbout: the other side of a trade learns nothing of
// when its counterpart was on its way.
func TestTraceGoesToTheOrderItIsAbout(t *testing.T) {
	r := newRig(t, nil)
	resting := r.live(1)
	v := newOrder(2)
	r.give(v, Outcome{},
		about(v, order.ReportNew, 2), about(resting, order.ReportTrade, 0), about(v, order.ReportTrade, 0))
	own, other := order.Trace{GatewayIn: 5, VenueIn: testNow}, order.Trace{VenueIn: testNow}
	for n, want := range map[uint64]order.Trace{2: own, 3: other, 4: own} {
		if _, trace := r.Report(n); *trace != want {
			t.Errorf("report %d has the times %+v, want %+v", n, trace, want)
		}
	}
}

func TestPricesPassThrough(t *testing.T) {
	r := newRig(t, nil)
	r.venue.prices = []order.ReferencePrice{{Price: 7, Instrument: 1}}
	if got := r.Prices(0); len(got) != 1 || got[0].Price != 7 {
		t.Errorf("prices %v", got)
	}
	r.RepeatPrices()
	if r.venue.repeated != 1 {
		t.Error("the venue was not asked to repeat its prices")
	}
}

func TestAdapterConfigNamesEveryProblem(t *testing.T) {
	_, err := NewAdapter(AdapterConfig{SeqWindow: 3, OrdersMax: -1, FencesMax: -2, ReportsRetainedMax: 5}, &fakeVenue{})
	for _, want := range []string{
		"TokenKey is missing", "Instance is 0", "SeqWindow is 3: it must be a power", "SeqWindow is 3: it must be from",
		"OrdersMax is -1", "FencesMax is -2", "ReportsRetainedMax is 5",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error does not say %q: %v", want, err)
		}
	}
}

// TestAdapterAllocatesNothing runs orders through adapter and venue: an entry, a
// replace, a trade, a cancel, a refusal and a forgery.
func TestAdapterAllocatesNothing(t *testing.T) {
	for _, openQty := range []bool{false, true} {
		adapter, turn := busyAdapter(t, openQty)
		for range 2000 {
			turn()
		}
		if got := testing.AllocsPerRun(1000, turn); got != 0 {
			t.Errorf("replaces mean the open quantity is %t: %v allocations in a turn, want none", openQty, got)
		}
		c := adapter.Counters()
		if c.NewOrders == 0 || c.Replaces == 0 || c.Cancels == 0 || c.TokenAltered == 0 || c.TokenExpired == 0 {
			t.Errorf("the turn does not do what it should: %+v", c)
		}
	}
}

func busyAdapter(t testing.TB, openQty bool) (*Adapter, func()) {
	cfg := testAdapterConfig()
	cfg.OrdersMax, cfg.ReportsRetainedMax, cfg.SeqWindow = 1000, 1<<16, 1<<20
	venueConfig := simulated.DefaultConfig()
	venueConfig.Instruments = []simulated.Instrument{{ID: 1, Tick: 1, Lot: 1, ReplaceOpenQty: openQty}}
	venueConfig.OrdersMax, venueConfig.FinishedRetainedMax = 1000, 100
	venue, err := simulated.New(venueConfig)
	if err != nil {
		t.Fatal(err)
	}
	adapter, err := NewAdapter(cfg, venue)
	if err != nil {
		t.Fatal(err)
	}
	seq := uint64(0)
	trace := order.Trace{GatewayIn: 1}
	request := new(order.Verdict)
	give := func(v order.Verdict) {
		*request = v
		adapter.Verdict(testNow, request, &trace)
	}
	return adapter, func() {
		buy := newOrder(seq + 1)
		give(buy)
		give(replaceOf(buy, seq+2))
		sell := newOrder(seq + 3)
		sell.Side, sell.OrderQty = order.SideSell, 4
		testKey.Sign(&sell)
		give(sell)
		sell.Price++
		give(sell)
		late := newOrder(seq + 4)
		late.Token.Expiry = 1
		testKey.Sign(&late)
		give(late)
		give(cancelOf(buy, seq+5))
		seq += 5
		adapter.Prices(testNow)
		adapter.Acknowledge(adapter.NextReportSeq() - 1)
	}
}

func BenchmarkAdapter(b *testing.B) {
	_, turn := busyAdapter(b, false)
	b.ReportAllocs()
	for b.Loop() {
		turn()
	}
}
