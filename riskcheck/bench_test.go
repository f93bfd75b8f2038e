package riskcheck_test

import (
	"testing"

	"tollgate/order"
	"tollgate/riskcheck"
)

// The size of the firm the benchmarks run in.
const (
	benchAccounts    = 10_000
	benchInstruments = 1_000
	benchGroups      = 100
	benchTraders     = 1_000
	benchSessions    = 100
	benchClasses     = 20

	benchRoutes   = 4096    // routes in use
	benchClOrdIDs = 1 << 21 // ClOrdIDs of one day
	answersAcked  = 32      // answers a client holds before it says so
)

// desk is an engine of full size with every control armed at all five levels,
// and a client that knows how to use it without allocating.
type desk struct {
	engine   *riskcheck.Engine
	now      int64
	links    [benchSessions]order.ConnectionID
	refs     [benchSessions]uint64
	clOrdID  order.ClOrdID                // the newest
	clOrdIDs [benchSessions]order.ClOrdID // every client counts its own
	named    int                          // ClOrdIDs used
	name     order.ClOrdID                // the newest that names the order d.request is about
	report   uint64
	exec     order.ExecID
	request  order.Request
	said     order.Report
	accounts uint32
}

func newDesk(tb testing.TB, accounts, instruments int) *desk {
	tb.Helper()
	config := riskcheck.DefaultConfig()
	config.Epoch, config.TokenKey, config.TokenLifetimeNs = 1, testKey(), tokenLifetimeNs
	config.ClOrdIDsMax = benchClOrdIDs
	return newDeskOf(tb, config, accounts, instruments)
}

func newDeskOf(tb testing.TB, config riskcheck.Config, accounts, instruments int) *desk {
	tb.Helper()
	engine, err := riskcheck.New(config)
	if err != nil {
		tb.Fatal(err)
	}
	d := &desk{engine: engine, now: dayStart, report: 1, accounts: uint32(accounts)}
	w := bigWorld(accounts, instruments)
	if err := engine.ApplyReference(d.now, w.reference()); err != nil {
		tb.Fatal(err)
	}
	if err := engine.ApplyLimits(d.now, &riskcheck.LimitSet{Entries: bigLimits(w)}); err != nil {
		tb.Fatal(err)
	}
	engine.VenueUp(d.now, 1, 1)
	for i := range d.links {
		d.links[i] = engine.Login(d.now, riskcheck.Login{
			Session: order.SessionID(i + 1), Client: uint32(i + 1), WantOutSeq: 1,
		}).Connection
		d.refs[i] = 1
	}
	return d
}

// bigWorld spreads accounts evenly over groups, traders and sessions.
func bigWorld(accounts, instruments int) *world {
	w := &world{firm: 1, currency: "USD", fxMaxAgeNs: order.Unlimited}
	for g := range benchGroups {
		w.groups = append(w.groups, order.GroupID(g+1))
	}
	w.traders = make([]traderRow, benchTraders)
	w.sessions = make([]sessionRow, benchSessions)
	for i := range benchClasses {
		w.classes = append(w.classes, order.ClassID(i+1))
	}
	for i := range w.traders {
		w.traders[i].id = order.TraderID(i + 1)
	}
	for i := range w.sessions {
		w.sessions[i].id, w.sessions[i].client = order.SessionID(i+1), uint32(i+1)
	}
	for a := range accounts {
		id := order.AccountID(a + 1)
		w.accounts = append(w.accounts, accountRow{id: id, group: order.GroupID(a%benchGroups + 1), currency: "USD"})
		trader, session := &w.traders[a%benchTraders], &w.sessions[a%benchSessions]
		trader.accounts = append(trader.accounts, id)
		session.accounts = append(session.accounts, id)
	}
	for i := range instruments {
		row := share(order.InstrumentID(i + 1))
		row.maxAgeNs, row.class, row.adv = order.Unlimited, order.ClassID(i%benchClasses+1), 1e6*order.QtyOne
		w.instruments = append(w.instruments, row)
	}
	return w
}

// bigLimits states every limit that can stand there at every node, finite and out
// of reach, with rungs.
func bigLimits(w *world) []riskcheck.LimitEntry {
	var rows []riskcheck.LimitEntry
	for _, node := range w.nodes() {
		for _, kind := range riskcheck.LimitKinds() {
			if value, ok := outOfReach(node, kind); ok {
				l := riskcheck.LimitEntry{Scope: node, Kind: kind, Value: value}
				if kind.HasRungs() {
					l.Watch, l.Warn = 75, 90
				}
				rows = append(rows, l)
			}
		}
	}
	return rows
}

// outOfReach returns a finite value that no benchmark comes near, and whether the
// kind is stated at all.
func outOfReach(node order.Scope, kind riskcheck.LimitKind) (int64, bool) {
	switch kind {
	case riskcheck.LimitPermission:
		return riskcheck.PermitDeny, true
	case riskcheck.LimitPermitListed, riskcheck.LimitOrderToTradeVolume, riskcheck.LimitMessagesCutPerSecond,
		riskcheck.LimitCancelsPerSecond, riskcheck.LimitCancelsCutPerSecond, riskcheck.LimitMessagesPerMinute:
		return 0, false // one instrument's, a session's, or a second ring of stamps at a million accounts
	case riskcheck.LimitMessagesPerSecond, riskcheck.LimitOrdersAndCancelsPerSecond:
		if node.Type == order.ScopeAccount {
			return 64, true
		}
		return 1 << 17, true
	case riskcheck.LimitCollarBps, riskcheck.LimitCollarFarBps, riskcheck.LimitCollarTicks,
		riskcheck.LimitMarketProtectionBps, riskcheck.LimitMarketProtectionTicks, riskcheck.LimitParticipationBps:
		return 5000, true
	case riskcheck.LimitCollarAbs:
		return int64(50 * order.PriceOne), true
	case riskcheck.LimitDuplicateOrders:
		return 8, true
	case riskcheck.LimitDuplicateWindow, riskcheck.LimitConsecutiveRejectsWindow:
		return 1e9, true
	case riskcheck.LimitShortSelling:
		return riskcheck.ShortForbidden, true
	case riskcheck.LimitSelfMatch:
		return riskcheck.SelfMatchReject, true
	case riskcheck.LimitConsecutiveRejects:
		return 1000, true
	}
	return 1e18, true
}

// newOrder writes the next new order of an account into d.request.
func (d *desk) newOrder(account uint32, instrument order.InstrumentID) {
	s := account % benchSessions
	d.name = d.nextClOrdID(s)
	d.request = order.Request{
		MsgType: order.MsgNewOrder, Session: order.SessionID(s + 1), Connection: d.links[s], Ref: d.refs[s],
		ClOrdID: d.clOrdID, Account: order.AccountID(account + 1), Trader: order.TraderID(account%benchTraders + 1),
		Instrument: instrument, Side: order.SideBuy, OrdType: order.OrdTypeLimit, TimeInForce: order.TimeInForceDay,
		OrderQty: 10 * order.QtyOne, Price: 100 * order.PriceOne, StopPx: order.Null,
	}
	d.refs[s]++
}

// nextClOrdID gives a session its next ClOrdID.
func (d *desk) nextClOrdID(session uint32) order.ClOrdID {
	d.clOrdIDs[session]++
	d.named++
	d.clOrdID = d.clOrdIDs[session]
	return d.clOrdID
}

// send passes time, so that no rate is ever reached, and sends d.request.
func (d *desk) send() {
	d.now += 1e9
	d.engine.Request(d.now, &d.request)
}

// order returns the order the last request became; zero if it was refused.
func (d *desk) order() order.OrderID {
	for i := range d.engine.Effects() {
		if e := &d.engine.Effects()[i]; e.Kind == riskcheck.EffectVerdict {
			return e.Verdict.OrderID
		}
	}
	return 0
}

// say reports about an order. Now and then the client acknowledges its answers.
func (d *desk) say(kind order.ReportKind, id order.OrderID, seq uint64, qty order.Qty) {
	r := &d.request
	d.exec++
	d.said = order.Report{
		ReportSeq: d.report, Kind: kind, OrderID: id, Seq: seq, ExecID: d.exec, LastQty: qty, LastPx: r.Price,
		Session: r.Session, Account: r.Account, Trader: r.Trader, Instrument: r.Instrument, Side: r.Side,
	}
	d.report++
	d.engine.Report(d.now, &d.said)
	for i := range d.engine.Effects() {
		if e := &d.engine.Effects()[i]; e.Kind == riskcheck.EffectAnswer && e.OutSeq%answersAcked == 0 {
			d.engine.AckAnswers(e.Session, e.OutSeq-1)
		}
	}
}

// enter sends a new order that must be accepted and lets the venue take it.
func (d *desk) enter(tb testing.TB, i int) order.OrderID {
	d.newOrder(d.place(i))
	d.send()
	id := d.order()
	if id == 0 {
		tb.Fatalf("order %d was refused", i)
	}
	d.say(order.ReportNew, id, uint64(id), 0)
	return id
}

// follow turns d.request into a replace or cancel of the order it made.
func (d *desk) follow(m order.MsgType) {
	s := uint32(d.request.Session) - 1
	d.request.OrigClOrdID = d.name
	d.nextClOrdID(s)
	if m == order.MsgReplaceOrder {
		d.name = d.clOrdID
	}
	d.request.MsgType, d.request.ClOrdID, d.request.Ref = m, d.clOrdID, d.refs[s]
	d.refs[s]++
}

// place spreads orders over accounts and instruments.
func (d *desk) place(i int) (uint32, order.InstrumentID) {
	return uint32(i*7919) % d.accounts, order.InstrumentID(i*31%64 + 1)
}

// trip is one whole life of an order on a warm route: enter, replace, fill and
// cancel.
func (d *desk) trip(tb testing.TB, i int) {
	id := d.enter(tb, i)
	d.follow(order.MsgReplaceOrder)
	d.request.OrderQty = 12 * order.QtyOne
	d.send()
	d.say(order.ReportReplaced, id, d.engine.Seq(), 0)
	d.say(order.ReportTrade, id, 0, 2*order.QtyOne)
	d.follow(order.MsgCancelOrder)
	d.send()
	d.say(order.ReportCanceled, id, d.engine.Seq(), 0)
}

// reject sends an order that is refused by the last control it reaches.
func (d *desk) reject(i int) {
	d.newOrder(d.place(i))
	d.request.Price = 200 * order.PriceOne
	d.send()
}

// TestHotPathAllocatesNothing holds every input a client or the venue can cause
// to zero allocations once the routes are known.
func TestHotPathAllocatesNothing(t *testing.T) {
	d := newDesk(t, 1000, 100)
	for i := range 128 {
		d.trip(t, i%16)
		d.reject(i % 16)
	}
	d.pin(t, "accept", func() { d.enter(t, 3) })
	d.pin(t, "reject", func() { d.reject(5) })
	id := d.enter(t, 4)
	d.pin(t, "replace", func() {
		d.follow(order.MsgReplaceOrder)
		d.request.OrderQty += order.QtyOne
		d.send()
		d.say(order.ReportReplaced, id, d.engine.Seq(), 0)
	})
	d.pin(t, "fill", func() { d.say(order.ReportTrade, id, 0, order.QtyOne/100) })
	d.pin(t, "cancel", func() {
		d.follow(order.MsgCancelOrder)
		d.send()
		d.say(order.ReportCancelReject, id, d.engine.Seq(), 0)
	})
	d.pin(t, "whole life", func() { d.trip(t, 7) })
	price := order.ReferencePrice{Time: d.now, Price: 100 * order.PriceOne, Instrument: 3, Source: order.PriceSourceLast}
	d.pin(t, "price", func() { d.engine.Price(d.now, &price) })
	d.pin(t, "tick", func() { d.engine.Tick(d.now) })
}

func (d *desk) pin(t *testing.T, what string, f func()) {
	t.Helper()
	if n := testing.AllocsPerRun(100, f); n != 0 {
		t.Errorf("%s: %v allocations a run, want none", what, n)
	}
}

// BenchmarkFill is one execution out of many of a large order.
func BenchmarkFill(b *testing.B) {
	d := warmDesk(b)
	type position struct {
		id      order.OrderID
		request order.Request
	}
	var open []position
	for i := range benchRoutes {
		id := d.enter(b, i)
		open = append(open, position{id, d.request})
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		p := &open[i%len(open)]
		d.request = p.request
		d.say(order.ReportTrade, p.id, 0, 1)
	}
}

// BenchmarkCancel is a cancel request and the venue's refusal of it, which
// leaves the order as it was.
func BenchmarkCancel(b *testing.B) {
	d := warmDesk(b)
	id := d.enter(b, 1)
	b.ReportAllocs()
	for b.Loop() {
		d.follow(order.MsgCancelOrder)
		d.send()
		d.say(order.ReportCancelReject, id, d.engine.Seq(), 0)
	}
	if d.engine.OpenOrders(order.Scope{Type: order.ScopeFirm, ID: 1}) != 1 {
		b.Fatal("the order is gone")
	}
}

// warmDesk is a desk of full size whose routes are known.
func warmDesk(tb testing.TB) *desk {
	tb.Helper()
	d := newDesk(tb, benchAccounts, benchInstruments)
	for i := range benchRoutes {
		d.trip(tb, i)
	}
	return d
}
