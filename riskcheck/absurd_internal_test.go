package riskcheck

import (
	"math"
	"math/rand/v2"
	"testing"

	"tollgate/order"
)

// absurdRestoresEvery is after how many steps, on average, an absurd life goes on from
// a snapshot.
const absurdRestoresEvery = 300

// TestAbsurdLives gives small engines inputs at random whose numbers are of every
// size there is and whose codes mean nothing half of the time: whatever clients,
// venues and officers say, the engine's tables stay whole.
func TestAbsurdLives(t *testing.T) {
	seeds := uint64(60)
	if testing.Short() {
		seeds = 8
	}
	sent := 0
	for seed := range seeds {
		a := newAbsurd(t, seed)
		for step := range 1500 {
			a.step()
			if a.r.IntN(absurdRestoresEvery) == 0 {
				a.engine = restored(t, a.engine, a.r.Uint64())
				a.at = structureOf(a.engine)
			}
			if step%16 == 0 {
				checkEngine(t, a.engine, a.at)
			}
			if t.Failed() {
				t.Fatalf("seed %d step %d", seed, step)
			}
		}
		sent += len(a.orders)
	}
	if want := int(seeds) * 200; sent < want {
		t.Errorf("%d verdicts in %d lives, want %d: too little has happened", sent, seeds, want)
	}
}

// absurd is an engine and what is said to it.
type absurd struct {
	engine     *Engine
	at         structure
	r          *rand.Rand
	now        int64
	refs       [3]uint64
	links      [3]order.ConnectionID
	clOrdID    order.ClOrdID
	day        uint32
	sequences  []uint64 // of verdicts
	orders     []order.OrderID
	executions order.ExecID
}

func newAbsurd(t *testing.T, seed uint64) *absurd {
	t.Helper()
	a := &absurd{r: rand.New(rand.NewPCG(seed, 77)), now: 1e18}
	few := func(most int) int { // seldom as few as can be
		if a.r.IntN(5) == 0 {
			return 1 + a.r.IntN(most/10)
		}
		return most
	}
	engine, err := New(Config{
		Epoch: 1, TokenKey: order.NewTokenKey([order.TokenKeySize]byte{1}), TokenLifetimeNs: 1e9, HashSeed: seed,
		OrdersMax: few(80), ClOrdIDsMax: few(4000), ExecutionsMax: few(40), RoutesMax: few(400), CellsMax: few(200),
		StampsMax: few(9000), RecentOrdersMax: few(100), AnswersRetained: answersRetainedMin,
	})
	if err != nil {
		t.Fatal(err)
	}
	a.engine, a.at = engine, structureOf(engine)
	if err := engine.ApplyReference(a.now, a.reference()); err != nil {
		t.Fatal(err)
	}
	a.limits(true)
	engine.VenueUp(a.now, 1, 1)
	for _, currency := range []string{"EUR", "JPY"} {
		_ = engine.SetFxRate(a.now, CurrencyOf(currency), order.FxRateOne/3, a.now)
	}
	for i := range a.links {
		a.login(order.SessionID(i + 1))
	}
	return a
}

// number draws a number: near zero, near a bound, or of any size.
func (a *absurd) number() int64 {
	near := int64(a.r.IntN(5) - 2)
	switch a.r.IntN(9) {
	case 0:
		return math.MaxInt64 - int64(a.r.IntN(2))
	case 1:
		return math.MinInt64 + int64(a.r.IntN(2))
	case 2:
		return int64(a.r.Uint64())
	case 3:
		return near
	case 4:
		return math.MaxInt64/2 + near
	}
	return (1 + int64(a.r.IntN(40))) * int64(math.Pow10(a.r.IntN(10)))
}

// amount is a small number above zero most of the time.
func (a *absurd) amount() int64 {
	if a.r.IntN(15) == 0 {
		return a.number()
	}
	return 1 + int64(a.r.IntN(100))
}

func (a *absurd) id(most int) uint32 { return uint32(1 + a.r.IntN(most) + a.r.IntN(40)/39) }

func (a *absurd) reference() *Reference {
	ref := &Reference{Firm: Firm{ID: 1, Currency: CurrencyOf("USD"), FxMaxAgeNs: order.Unlimited}}
	ref.Groups = []Group{{ID: 1}, {ID: 2}}
	var accounts []order.AccountID
	for i := range 4 {
		row := Account{ID: order.AccountID(i + 1), Group: order.GroupID(1 + i%2), Currency: CurrencyOf("USD")}
		if i == 1 {
			row.Currency = CurrencyOf("EUR")
		}
		if i > 1 {
			row.SelfMatch = 1
		}
		if i == 0 || a.r.IntN(20) != 0 {
			ref.Accounts = append(ref.Accounts, row)
			accounts = append(accounts, row.ID)
		}
	}
	for i := range 2 {
		ref.Traders = append(ref.Traders, Trader{ID: order.TraderID(i + 1), Accounts: accounts[:len(accounts)-i*a.r.IntN(2)]})
		ref.Strategies = append(ref.Strategies, Strategy{ID: order.StrategyID(i + 1)})
		ref.Classes = append(ref.Classes, Class{ID: order.ClassID(i + 1)})
	}
	for i := range 3 {
		if i == 0 || a.r.IntN(20) != 0 {
			ref.Sessions = append(ref.Sessions, Session{ID: order.SessionID(i + 1), Client: 1, Accounts: accounts})
		}
	}
	for i := range 5 {
		if i == 0 || a.r.IntN(20) != 0 {
			ref.Instruments = append(ref.Instruments, a.instrument(i))
		}
	}
	return ref
}

func (a *absurd) instrument(i int) Instrument {
	row := Instrument{
		ID: order.InstrumentID(i + 1), Currency: CurrencyOf([]string{"USD", "EUR", "JPY"}[i%3]), Tick: 1, Lot: 1, MaxQty: order.Unlimited,
		Multiplier: order.Multiplier(1 + i*5000), Class: order.ClassID(i % 3), Calendar: order.CalendarID(i % 2),
		Settlement: order.Price(a.amount()), LowLimit: order.Null, HighLimit: order.Null, ReferenceMaxAgeNs: order.Unlimited,
		AverageDailyVolume: order.Qty(max(0, a.number())), MarginBps: max(1, a.amount()), FeeBps: max(0, a.amount()),
		OrdTypes: allOrdTypes, TimesInForce: allTimesInForce, Sides: allSides, Tradable: true,
		AllowZeroPrice: a.r.IntN(2) == 0, AllowNegativePrice: a.r.IntN(2) == 0, AllowDisplayQty: true, ReplaceOpenQty: i == 3,
	}
	if a.r.IntN(9) == 0 {
		row.Outstanding = order.Qty(max(0, a.number()))
	}
	return row
}

// limits states every kind at the firm, unlimited for the most part, and a few
// anywhere.
func (a *absurd) limits(loose bool) {
	set := &LimitSet{}
	for _, kind := range LimitKinds() {
		if l := (LimitEntry{Scope: order.Scope{Type: order.ScopeFirm, ID: 1}, Kind: kind, Value: order.Unlimited}); kind == LimitPermission {
			l.Value = PermitDeny
			set.Entries = append(set.Entries, l)
		} else if kind != LimitPermitListed && kind != LimitDuplicateWindow && l.problem() == "" {
			set.Entries = append(set.Entries, l)
		}
	}
	for range a.r.IntN(12) {
		l := LimitEntry{
			Scope: a.scope(), Kind: LimitKind(a.r.IntN(limitKinds + 1)), Value: a.amount() * 10, Watch: uint8(a.r.IntN(101)),
			Act: LimitAct(a.r.IntN(3)),
		}
		if loose || a.r.IntN(2) == 0 {
			l.Act, l.Value = 0, max(l.Value, int64(a.r.IntN(20)))
		}
		if a.r.IntN(3) == 0 {
			l.Until, l.Then = a.now+int64(a.r.IntN(10)), a.number()
		}
		if l.problem() == "" && l.temporaryProblem(a.now) == "" || a.r.IntN(20) == 0 {
			set.Entries = append(set.Entries, l)
		}
	}
	_ = a.engine.ApplyLimits(a.now, set)
}

func (a *absurd) scope() order.Scope {
	s := order.Scope{Type: order.ScopeType(a.r.IntN(8)), ID: a.id(3)}
	switch a.r.IntN(4) {
	case 0:
		s.Instrument = order.InstrumentID(a.id(5))
	case 1:
		s.Class = order.ClassID(a.id(2))
	}
	return s
}

func (a *absurd) step() {
	a.now += int64(a.r.IntN(3)) * int64(a.r.IntN(2e9))
	e := a.engine
	switch a.r.IntN(40) {
	case 0:
		_ = e.ApplyReference(a.now, a.reference())
	case 1:
		a.limits(a.r.IntN(2) == 0)
	case 2:
		_, _ = e.Kill(a.now, a.scope())
	case 3, 4, 5:
		for _, scope := range e.Killed() {
			_ = e.Unkill(a.now, scope)
		}
		for _, l := range e.Latched() {
			_ = e.Release(a.now, l.Scope, l.Latch)
		}
	case 6:
		_ = e.SetCash(a.now, order.AccountID(a.id(4)), order.Money(a.number()))
		_ = e.SetLocate(a.now, order.AccountID(a.id(4)), order.InstrumentID(a.id(5)), order.Qty(a.number()))
	case 7:
		_ = e.SetPosition(a.now, order.AccountID(a.id(4)), order.InstrumentID(a.id(5)), order.Qty(a.amount()))
	case 8:
		currency := CurrencyOf([]string{"EUR", "JPY", "USD", ""}[a.r.IntN(4)])
		_ = e.SetFxRate(a.now, currency, order.FxRate(a.amount())*1e6, a.now)
	case 9, 10:
		e.Price(a.now, &order.ReferencePrice{
			Time: a.number(), Price: order.Price(a.amount()), Instrument: order.InstrumentID(a.id(5)),
			Source: order.PriceSource(a.r.IntN(7)),
		})
	case 11:
		_ = e.SetMarketState(a.now, order.InstrumentID(a.id(5)), order.MarketState(a.r.IntN(3)), a.r.IntN(2) == 0)
	case 12:
		a.day += uint32(a.r.IntN(2))
		_ = e.RollDay(a.now, a.day)
		_ = e.RollCalendar(a.now, order.CalendarID(a.r.IntN(3)), a.day)
	case 13:
		e.VenueUp(a.now, 1, e.NextReport())
	case 14:
		e.Simulate(a.request())
	case 15, 16, 17:
		a.login(order.SessionID(1 + a.r.IntN(3)))
	case 18:
		if s := a.r.IntN(3); a.r.IntN(3) == 0 {
			e.Disconnected(a.now, order.SessionID(s+1), a.links[s])
		}
		e.Tick(a.now)
	case 19, 20, 21, 22, 23, 24, 25, 26:
		a.report()
	case 27:
		a.list()
	default:
		a.send(a.request())
	}
	a.note()
}

func (a *absurd) login(s order.SessionID) {
	at, ok := a.engine.sessions.get(idKey(uint64(s)))
	if !ok {
		return
	}
	l := a.engine.Login(a.now, Login{
		Session: s, Client: 1, WantOutSeq: a.engine.sessionRows[at].stream.next, CancelOnDisconnectNs: int64(a.r.IntN(3)),
	})
	if l.OK {
		a.links[s-1], a.refs[s-1] = l.Connection, l.NextRef
	}
}

func (a *absurd) send(r *order.Request) {
	r.Connection, r.Ref = a.links[r.Session-1], a.refs[r.Session-1]
	a.refs[r.Session-1]++
	a.engine.Request(a.now, r)
}

// list sends a list of orders, whole for the most part.
func (a *absurd) list() {
	size, session := 1+a.r.IntN(12), order.SessionID(1+a.r.IntN(3))
	for range size - a.r.IntN(8)/7 {
		r := a.request()
		r.MsgType, r.Session, r.Basket, r.BasketLegs = order.MsgNewOrder, session, order.BasketID(size), uint16(size)
		a.send(r)
		a.note()
	}
}

// note remembers what the venue was sent.
func (a *absurd) note() {
	for i := range a.engine.effects {
		if f := &a.engine.effects[i]; f.Kind == EffectVerdict {
			a.sequences = append(a.sequences, f.Verdict.Token.Seq)
			a.orders = append(a.orders, f.Verdict.OrderID)
		}
	}
}

func (a *absurd) request() *order.Request {
	a.clOrdID++
	r := &order.Request{
		MsgType: order.MsgNewOrder, Session: order.SessionID(1 + a.r.IntN(3)), ClOrdID: a.clOrdID,
		OrigClOrdID: a.clOrdID - order.ClOrdID(a.r.IntN(30)), Price: order.Price(a.amount()), StopPx: order.Null,
		OrderQty: order.Qty(a.amount()), Account: order.AccountID(a.id(4)), Trader: order.TraderID(a.id(2)),
		Instrument: order.InstrumentID(a.id(5)), Strategy: order.StrategyID(a.r.IntN(3)),
		Side:    []order.Side{order.SideBuy, order.SideSell, order.SideSellShort, order.SideSellShortExempt}[a.r.IntN(4)],
		OrdType: order.OrdTypeLimit, TimeInForce: order.TimeInForceDay,
	}
	switch a.r.IntN(8) {
	case 0:
		r.OrdType, r.Price = order.OrdTypeMarket, order.Null
	case 1:
		r.OrdType, r.Price, r.StopPx = order.OrdTypeStop, order.Null, order.Price(a.amount())
	case 2:
		r.OrdType, r.StopPx = order.OrdTypeStopLimit, r.Price
	case 3:
		if a.r.IntN(4) != 0 {
			break
		}
		r.Price, r.StopPx, r.DisplayQty = order.Price(a.number()), order.Price(a.number()), order.Qty(a.number())
		r.OrderQty, r.ValidUntil = order.Qty(a.number()), a.number()
		r.Side, r.OrdType, r.TimeInForce = order.Side(a.r.IntN(256)), order.OrdType(a.r.IntN(256)), order.TimeInForce(a.r.IntN(256))
	}
	switch a.r.IntN(8) {
	case 0:
		r.MsgType = order.MsgCancelOrder
		a.likeOrder(r)
	case 1, 2:
		r.MsgType = order.MsgReplaceOrder
		a.likeOrder(r)
	case 3:
		r.MsgType = []order.MsgType{order.MsgMassCancel, 0, 255}[a.r.IntN(3)]
	case 4:
		if a.r.IntN(10) == 0 {
			r.Basket, r.BasketLegs = order.BasketID(1+a.r.IntN(2)), uint16(a.r.IntN(4))
		}
	}
	return r
}

// likeOrder makes a request one about a live order of its session, with what must
// not change.
func (a *absurd) likeOrder(r *order.Request) {
	at, ok := a.engine.sessions.get(idKey(uint64(r.Session)))
	if !ok || a.r.IntN(8) == 0 {
		return
	}
	i := a.engine.sessionRows[at].live
	for range a.r.IntN(6) {
		if i != noIndex && a.engine.orders.orders[i].after != noIndex {
			i = a.engine.orders.orders[i].after
		}
	}
	if i == noIndex {
		return
	}
	o := &a.engine.orders.orders[i]
	rt := &a.engine.routes[o.route]
	r.Account, r.Trader, r.Strategy, r.Instrument = rt.account, rt.trader, rt.strategy, rt.instrumentID
	r.Side, r.OrdType, r.TimeInForce, r.OrigClOrdID = o.side, o.ordType, o.timeInForce, o.acked.clOrdID
	if o.acked.stopPx == order.Null {
		r.StopPx = order.Null
	}
}

func (a *absurd) report() {
	a.executions++
	r := &order.Report{
		ReportSeq: a.engine.NextReport() + uint64(a.r.IntN(30)/29), Kind: order.ReportKind(a.r.IntN(13)),
		ExecID: a.executions - order.ExecID(a.r.IntN(10)/9), ExecRefID: a.executions - order.ExecID(a.r.IntN(20)),
		Price: order.Price(a.amount()), OrderQty: order.Qty(a.amount()), LastQty: order.Qty(a.amount()),
		LastPx: order.Price(a.amount()), Group: order.GroupID(a.id(2)), Session: order.SessionID(a.id(3)),
		Account: order.AccountID(a.id(4)), Trader: order.TraderID(a.id(2)), Instrument: order.InstrumentID(a.id(5)),
		Strategy: order.StrategyID(a.r.IntN(3)), Side: []order.Side{order.SideBuy, order.SideSell, 0}[a.r.IntN(3)],
		OrderID: order.OrderID(a.r.IntN(2000)), Seq: a.r.Uint64(),
	}
	if n := len(a.orders); n > 0 && a.r.IntN(8) != 0 {
		i := max(0, n-1-a.r.IntN(40))
		r.OrderID, r.Seq = a.orders[i], a.sequences[i]
		if o := a.engine.order(r.OrderID); o != nil && a.r.IntN(2) == 0 {
			r.LastQty = min(r.LastQty, o.acked.qty)
		}
	}
	if a.r.IntN(2) == 0 {
		r.Price, r.OrderQty = order.Null, 0
	}
	a.engine.Report(a.now, r)
}
