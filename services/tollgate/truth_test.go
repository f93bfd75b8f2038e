package main

import (
	"math/rand/v2"
	"testing"

	"tollgate/exchange"
	"tollgate/exchange/simulated"
	"tollgate/internal/testseed"
	"tollgate/order"
	"tollgate/riskcheck"
)

// loopback is an engine in front of an adapter and the simulated venue, without
// anything between them.
type loopback struct {
	t       *testing.T
	engine  *riskcheck.Engine
	adapter *exchange.Adapter
	venue   *simulated.Venue
	now     int64
	link    [3]order.ConnectionID // by session
	ref     [3]uint64
	clOrdID order.ClOrdID
	reports uint64 // given to the engine
	kinds   map[order.ReportKind]int
	ids     []order.OrderID // of all orders the engine has accepted
	sent    map[order.OrderID]order.Request
	stands  map[order.OrderID]order.Report // the newest report that says how the order stands
	execs   []order.ExecID                 // of all executions ever reported
	booked  map[order.ExecID]order.Report  // those in force
	seen    map[order.ExecID]bool
}

const loopInstruments = 2

func newLoopback(t *testing.T) *loopback {
	t.Helper()
	key := order.NewTokenKey([order.TokenKeySize]byte{1, 2, 3})
	config := riskcheck.DefaultConfig()
	config.Epoch, config.TokenKey = 1, key
	config.OrdersMax, config.ClOrdIDsMax, config.ExecutionsMax = 1<<12, 1<<14, 1<<14
	config.RoutesMax, config.CellsMax, config.StampsMax, config.RecentOrdersMax = 1<<8, 1<<10, 1<<14, 1<<12
	engine, err := riskcheck.New(config)
	if err != nil {
		t.Fatal(err)
	}
	l := &loopback{
		t: t, engine: engine, now: 1e18, kinds: map[order.ReportKind]int{}, sent: map[order.OrderID]order.Request{},
		stands: map[order.OrderID]order.Report{}, booked: map[order.ExecID]order.Report{}, seen: map[order.ExecID]bool{},
	}
	if err := engine.ApplyReference(l.now, loopReference()); err != nil {
		t.Fatal(err)
	}
	if err := engine.ApplyLimits(l.now, loopLimits()); err != nil {
		t.Fatal(err)
	}
	l.openVenue(key)
	for s := range 2 {
		r := engine.Login(l.now, riskcheck.Login{Session: order.SessionID(s + 1), Client: uint32(s + 1), WantOutSeq: 1})
		l.link[s+1] = r.Connection
	}
	return l
}

// openVenue connects the simulated venue; it replaces the open quantity of the
// second instrument, as the engine's reference data says.
func (l *loopback) openVenue(key order.TokenKey) {
	l.t.Helper()
	venue := simulated.DefaultConfig()
	for i := range loopInstruments {
		venue.Instruments = append(venue.Instruments, simulated.Instrument{
			ID: order.InstrumentID(i + 1), Tick: order.PriceOne, Lot: order.QtyOne, ReplaceOpenQty: i == 1,
		})
	}
	adapter := exchange.DefaultConfig().Adapter
	adapter.TokenKey, adapter.Instance = key, 7
	var err error
	if l.venue, err = simulated.New(venue); err != nil {
		l.t.Fatal(err)
	}
	if l.adapter, err = exchange.NewAdapter(adapter, l.venue); err != nil {
		l.t.Fatal(err)
	}
	l.engine.VenueUp(l.now, adapter.Instance, 1)
}

// loopReference lets two sessions send every kind of order.
func loopReference() *riskcheck.Reference {
	var usd riskcheck.Currency
	copy(usd[:], "USD")
	ref := &riskcheck.Reference{
		Firm:   riskcheck.Firm{ID: 1, Currency: usd, FxMaxAgeNs: order.Unlimited},
		Groups: []riskcheck.Group{{ID: 1}}, Strategies: []riskcheck.Strategy{{ID: 9}},
		Accounts: []riskcheck.Account{{ID: 1, Group: 1, Currency: usd}, {ID: 2, Group: 1, Currency: usd}},
		Traders:  []riskcheck.Trader{{ID: 1, Accounts: []order.AccountID{1, 2}}},
		Sessions: []riskcheck.Session{
			{ID: 1, Client: 1, Accounts: []order.AccountID{1}}, {ID: 2, Client: 2, Accounts: []order.AccountID{2}},
		},
	}
	for i := range loopInstruments {
		ref.Instruments = append(ref.Instruments, riskcheck.Instrument{
			ID: order.InstrumentID(i + 1), Currency: usd, Tick: order.PriceOne, Lot: order.QtyOne, MinQty: order.QtyOne,
			MaxQty: order.Unlimited, Multiplier: order.MultiplierOne, Settlement: 10 * order.PriceOne, LowLimit: order.Null,
			HighLimit: order.Null, ReferenceMaxAgeNs: order.Unlimited, MarginBps: 10_000,
			OrdTypes:     riskcheck.AllowMarket | riskcheck.AllowLimit | riskcheck.AllowStop | riskcheck.AllowStopLimit,
			TimesInForce: riskcheck.AllowDay | riskcheck.AllowGTC | riskcheck.AllowIOC | riskcheck.AllowFOK,
			Sides:        riskcheck.AllowBuy | riskcheck.AllowSell, Tradable: true, AllowDisplayQty: true, AllowZeroPrice: true,
			AllowNegativePrice: true, ReplaceOpenQty: i == 1, AverageDailyVolume: order.Unlimited,
		})
	}
	return ref
}

// loopLimits lets everything pass; market orders and stops are protected.
func loopLimits() *riskcheck.LimitSet {
	firm := order.Scope{ID: 1, Type: order.ScopeFirm}
	set := &riskcheck.LimitSet{}
	for _, k := range riskcheck.LimitKinds() {
		value := int64(order.Unlimited)
		switch k {
		case riskcheck.LimitPermission:
			value = riskcheck.PermitDeny
		case riskcheck.LimitPermitListed, riskcheck.LimitDuplicateWindow, riskcheck.LimitConsecutiveRejectsWindow,
			riskcheck.LimitMessagesCutPerSecond, riskcheck.LimitCancelsPerSecond, riskcheck.LimitCancelsCutPerSecond,
			riskcheck.LimitOrderToTradeVolume:
			continue
		case riskcheck.LimitMarketProtectionTicks:
			value = 3
		}
		set.Entries = append(set.Entries, riskcheck.LimitEntry{Scope: firm, Kind: k, Value: value})
	}
	return set
}

// request sends a request of a session and carries everything that follows.
func (l *loopback) request(session order.SessionID, r order.Request) {
	l.ref[session]++
	l.clOrdID++
	r.Ref, r.Session, r.Connection, r.ClOrdID = l.ref[session], session, l.link[session], l.clOrdID
	r.Account, r.Trader = order.AccountID(session), 1
	l.engine.Request(l.now, &r)
	l.carry(&r)
}

// do gives the venue a command. One that cannot be done changes nothing.
func (l *loopback) do(c simulated.Command) {
	l.venue.Do(l.now, &c) //nolint:errcheck // see above
	l.adapter.Collect(l.now)
	l.carry(nil)
}

// carry takes verdicts to the adapter and reports to the engine until nothing is
// left to say.
func (l *loopback) carry(r *order.Request) {
	for {
		for _, f := range l.engine.Effects() {
			if f.Kind != riskcheck.EffectVerdict {
				continue
			}
			v := f.Verdict
			if v.MsgType == order.MsgNewOrder {
				l.sent[v.OrderID] = *r
				l.ids = append(l.ids, v.OrderID)
			}
			if got := l.adapter.Verdict(l.now, &v, &order.Trace{}); got.Dropped() {
				l.t.Fatalf("the adapter dropped %+v: %v", v, got.Reason)
			}
		}
		if l.adapter.NextReportSeq() == l.reports+1 {
			return
		}
		l.reports++
		report, _ := l.adapter.Report(l.reports)
		l.account(*report)
		l.engine.Report(l.now, report)
	}
}

// account books a report by the plainest rules there are.
func (l *loopback) account(r order.Report) {
	l.kinds[r.Kind]++
	if r.Kind == order.ReportReplaceReject || r.Kind == order.ReportCancelReject || l.seen[r.ExecID] {
		return
	}
	l.seen[r.ExecID] = true
	l.stands[r.OrderID] = r
	switch r.Kind {
	case order.ReportTrade:
		l.booked[r.ExecID] = r
	case order.ReportTradeCancel:
		delete(l.booked, r.ExecRefID)
	case order.ReportTradeCorrect:
		delete(l.booked, r.ExecRefID)
		l.booked[r.ExecID] = r
	default:
		return
	}
	l.execs = append(l.execs, r.ExecID)
}

// check compares the engine with the reports.
func (l *loopback) check() {
	l.t.Helper()
	live := 0
	for _, id := range l.ids {
		r := l.stands[id]
		o, ok := l.engine.Order(id)
		if !ok {
			l.t.Fatalf("the engine does not know order %d", id)
		}
		if o.OrderQty != r.OrderQty || o.CumQty != r.CumQty || o.ReservedQty != r.LeavesQty ||
			o.Status.Terminal() != (r.LeavesQty == 0) {
			l.t.Fatalf("order %d: the venue says %+v\nthe engine %+v", id, r, o)
		}
		if r.LeavesQty > 0 {
			live++
		}
	}
	if live != l.venue.LiveOrders() || live != l.adapter.LiveOrders() {
		l.t.Fatalf("%d orders live by the reports, %d at the venue, %d at the adapter",
			live, l.venue.LiveOrders(), l.adapter.LiveOrders())
	}
	l.checkPositions()
}

func (l *loopback) checkPositions() {
	l.t.Helper()
	type holding struct {
		account    order.AccountID
		instrument order.InstrumentID
	}
	want := map[holding]order.Qty{}
	for _, r := range l.booked {
		signed := r.LastQty
		if !r.Side.IsBuy() {
			signed = -signed
		}
		want[holding{r.Account, r.Instrument}] += signed
	}
	for account := range order.AccountID(2) {
		for instrument := range order.InstrumentID(loopInstruments) {
			h := holding{account + 1, instrument + 1}
			u, _ := l.engine.Usage(order.Scope{ID: uint32(h.account), Type: order.ScopeAccount, Instrument: h.instrument})
			if u.Net() != want[h] {
				l.t.Fatalf("account %d holds %v of %d by the reports, %v by the engine", h.account, want[h], h.instrument, u.Net())
			}
		}
	}
}

// TestEngineAndVenueAgree lets clients trade and the venue do whatever a venue
// does, at random; engine, adapter and venue stay of one mind.
func TestEngineAndVenueAgree(t *testing.T) {
	seed := testseed.New(t)
	said := map[order.ReportKind]int{}
	for run := range uint64(30) {
		l := newLoopback(t)
		rng := rand.New(rand.NewPCG(seed, run))
		for range 300 {
			l.now += int64(rng.IntN(1000))
			if rng.IntN(5) == 0 {
				l.do(l.randomCommand(rng))
			} else {
				l.request(order.SessionID(1+rng.IntN(2)), l.randomRequest(rng))
			}
			l.check()
		}
		for kind, n := range l.kinds {
			said[kind] += n
		}
	}
	for _, kind := range []order.ReportKind{
		order.ReportNew, order.ReportReplaced, order.ReportCanceled, order.ReportExpired, order.ReportTrade,
		order.ReportTradeCancel, order.ReportTradeCorrect, order.ReportRestated,
	} {
		if said[kind] < 10 {
			t.Errorf("%d reports of kind %v: too few to show anything", said[kind], kind)
		}
	}
}

func randomPrice(rng *rand.Rand) order.Price { return order.Price(8+rng.IntN(5)) * order.PriceOne }

func randomQty(rng *rand.Rand) order.Qty { return order.Qty(1+rng.IntN(20)) * order.QtyOne }

// randomRequest returns a new order of any type, or a change of one there was.
func (l *loopback) randomRequest(rng *rand.Rand) order.Request {
	r := order.Request{
		MsgType: order.MsgNewOrder, Instrument: order.InstrumentID(1 + rng.IntN(loopInstruments)),
		Side: []order.Side{order.SideBuy, order.SideSell}[rng.IntN(2)], OrdType: order.OrdTypeMarket + order.OrdType(rng.IntN(4)),
		TimeInForce: []order.TimeInForce{
			order.TimeInForceDay, order.TimeInForceGTC, order.TimeInForceIOC, order.TimeInForceFOK,
		}[rng.IntN(4)],
		OrderQty: randomQty(rng), Strategy: order.StrategyID(9 * rng.IntN(2)),
	}
	if id := l.randomOrder(rng); id != 0 && rng.IntN(2) == 0 {
		state, _ := l.engine.Order(id)
		qty := r.OrderQty
		r = l.sent[id]
		r.OrigClOrdID, r.OrderQty, r.MsgType = state.ClOrdID, qty, order.MsgCancelOrder
		if rng.IntN(4) > 0 {
			r.MsgType = order.MsgReplaceOrder
		}
	}
	r.Price, r.StopPx, r.DisplayQty = order.Null, order.Null, 0
	if r.OrdType == order.OrdTypeStop || r.OrdType == order.OrdTypeStopLimit {
		r.StopPx = randomPrice(rng)
	}
	if r.OrdType == order.OrdTypeStopLimit {
		r.Price = r.StopPx
	}
	if r.OrdType == order.OrdTypeLimit {
		r.Price = randomPrice(rng)
	}
	if rng.IntN(4) == 0 {
		r.DisplayQty = min(r.OrderQty, 2*order.QtyOne)
	}
	return r
}

// randomOrder returns an order there was, most often a new one; 0 if there is
// none.
func (l *loopback) randomOrder(rng *rand.Rand) order.OrderID {
	if len(l.ids) == 0 {
		return 0
	}
	return l.ids[len(l.ids)-1-rng.IntN(min(len(l.ids), 1+rng.IntN(60)))]
}

func (l *loopback) randomCommand(rng *rand.Rand) simulated.Command {
	c := simulated.Command{
		OrderID: l.randomOrder(rng), Qty: randomQty(rng), Price: randomPrice(rng),
		Kind: simulated.CommandBust + simulated.CommandKind(rng.IntN(6)),
	}
	if len(l.execs) > 0 {
		c.ExecID = l.execs[len(l.execs)-1-rng.IntN(min(len(l.execs), 40))]
	}
	if rng.IntN(20) == 0 {
		c.Kind = simulated.CommandEndDay
	}
	return c
}
