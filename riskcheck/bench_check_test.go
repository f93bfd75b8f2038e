package riskcheck_test

import (
	"fmt"
	"os"
	"testing"

	"tollgate/order"
	"tollgate/riskcheck"
)

// The flow of BenchmarkCheckAllControls.
const (
	flowPlaces  = 4    // instruments an account trades
	flowOpen    = 512  // orders between an order and what becomes of it
	flowBatch   = 4096 // orders ended at once
	flowLag     = 8    // orders between an order and its acknowledgement
	flowMillion = 1_000_000
)

// flow sends a new-heavy mix through a desk: every order is new, none is replaced;
// the venue acknowledges it a little later, and of ten orders seven are filled and
// three canceled at the client's wish. Accounts and instruments are drawn at
// random, so that what an input needs was last used long ago.
type flow struct {
	*desk
	random uint64
	open   [flowOpen]flowOrder
	next   order.Request // the new order the engine has been told of
	at     int           // the order whose turn it is
	part   int           // which of its inputs comes next
}

// flowOrder is an open order and the request that made it.
type flowOrder struct {
	id      order.OrderID
	request order.Request
}

// newFlow returns a flow through an engine in which every account has traded all
// its instruments.
func newFlow(tb testing.TB, accounts int) *flow {
	tb.Helper()
	config := riskcheck.DefaultConfig()
	config.Epoch, config.TokenKey, config.TokenLifetimeNs = 1, testKey(), tokenLifetimeNs
	config.ClOrdIDsMax, config.Pretouch, config.Advise = benchClOrdIDs, true, largePages
	config.AnswersRetained, config.OrdersMax, config.ExecutionsMax = 1<<10, 1<<14, 1<<14
	config.RecentOrdersMax = 1 << 17
	config.RoutesMax = accounts*flowPlaces + 1
	config.CellsMax = accounts*flowPlaces + (benchTraders+benchGroups+benchSessions+2)*benchInstruments +
		accounts*flowPlaces/2
	config.StampsMax = 32*accounts + 1<<22
	f := &flow{desk: newDeskOf(tb, config, accounts, benchInstruments), random: 7018}
	for account := range uint32(accounts) {
		for n := range uint32(flowPlaces) {
			f.now += 1e6
			f.newOrder(account, f.placeOf(account, n))
			f.enterNow(tb)
			f.expire(f.order())
		}
	}
	for f.at = range f.open {
		f.expect()
		f.take()
		f.enter(tb)
		f.acknowledge(f.at)
	}
	f.at = 0
	return f
}

// placeOf returns one of the instruments an account trades.
func (f *flow) placeOf(account, n uint32) order.InstrumentID {
	return order.InstrumentID((account*2654435761>>7+n*257)%benchInstruments + 1)
}

func (f *flow) draw(below uint32) uint32 {
	f.random ^= f.random << 13
	f.random ^= f.random >> 7
	f.random ^= f.random << 17
	return uint32(f.random>>32) % below
}

// enterNow sends d.request; before the ClOrdIDs of the day are used up it begins
// a new one.
func (f *flow) enterNow(tb testing.TB) {
	if f.named > benchClOrdIDs/2 {
		f.named = 0
		if b, ok := tb.(*testing.B); ok {
			b.StopTimer()
			defer b.StartTimer()
		}
		if err := f.engine.RollDay(f.now, f.engine.Day()+1); err != nil {
			tb.Fatal(err)
		}
	}
	f.engine.Request(f.now, &f.request)
}

// enter sends the order that was taken, which must be accepted.
func (f *flow) enter(tb testing.TB) {
	f.enterNow(tb)
	f.open[f.at] = flowOrder{f.order(), f.request}
	if f.open[f.at].id == 0 {
		tb.Fatalf("an order was refused: %+v", f.engine.Answer(f.request.Session, f.engine.Effects()[0].OutSeq).Decision)
	}
}

// expect draws the next new order, and tells the engine of it as a loop does that has
// read one message more than it has given to the engine.
func (f *flow) expect() {
	account := f.draw(f.accounts)
	session := account % benchSessions
	f.next = order.Request{
		MsgType: order.MsgNewOrder, Session: order.SessionID(session + 1), ClOrdID: f.clOrdIDs[session] + 1,
		Account: order.AccountID(account + 1), Trader: order.TraderID(account%benchTraders + 1),
		Instrument: f.placeOf(account, f.draw(flowPlaces)), Side: order.SideBuy, OrdType: order.OrdTypeLimit,
		OrderQty: order.Qty(10+f.draw(64)) * order.QtyOne, Price: 100 * order.PriceOne, StopPx: order.Null,
	}
	f.engine.Expect(&f.next)
}

// take writes the order that was expected into d.request.
func (f *flow) take() {
	f.now += max(int64(1e9)/int64(f.accounts), 20_000)
	f.newOrder(uint32(f.next.Account)-1, f.next.Instrument)
	f.request.OrderQty = f.next.OrderQty
}

// expire has the venue take an order and end it.
func (f *flow) expire(id order.OrderID) {
	f.say(order.ReportNew, id, uint64(id), 0)
	f.say(order.ReportExpired, id, 0, 0)
}

// acknowledge has the venue take an order.
func (f *flow) acknowledge(at int) {
	o := &f.open[at]
	f.request = o.request
	f.say(order.ReportNew, o.id, uint64(o.id), 0)
}

// step is one input: in turn what becomes of the oldest order, a new order in its
// place, and the acknowledgement of a recent one.
func (f *flow) step(tb testing.TB) {
	o := &f.open[f.at]
	switch f.part {
	case 0:
		f.expect()
		f.end(o)
	case 1:
		f.part = 2
		f.request = o.request
		f.say(order.ReportCanceled, o.id, f.engine.Seq(), 0)
	case 2:
		f.part = 3
		f.take()
		f.enter(tb)
	case 3:
		f.part = 0
		f.acknowledge((f.at + flowOpen - flowLag) % flowOpen)
		f.at = (f.at + 1) % flowOpen
	}
}

// end is the input that ends an order, or asks for its end.
func (f *flow) end(o *flowOrder) {
	f.request, f.part = o.request, 2
	if f.draw(10) < 7 {
		f.say(order.ReportTrade, o.id, 0, o.request.OrderQty)
		return
	}
	f.name = o.request.ClOrdID
	f.follow(order.MsgCancelOrder)
	f.engine.Request(f.now, &f.request)
	f.part = 1
}

// BenchmarkCheckAllControls is one input of a new-heavy mix with fills and
// cancels, every control armed at five levels, 1,000 instruments.
func BenchmarkCheckAllControls(b *testing.B) {
	for _, accounts := range [...]int{benchAccounts, flowMillion} {
		b.Run(fmt.Sprintf("accounts=%d", accounts), func(b *testing.B) {
			f := benchFlow(b, accounts)
			b.ReportAllocs()
			start := cpuTime()
			for b.Loop() {
				f.step(b)
			}
			cpu(b, start)
			f.report(b)
		})
	}
}

// BenchmarkAcceptAllControls is a new order that passes every control. Orders are
// ended outside the measurement.
func BenchmarkAcceptAllControls(b *testing.B) {
	f := benchFlow(b, benchAccounts)
	ids := make([]order.OrderID, 0, flowBatch)
	b.ReportAllocs()
	f.expect()
	for b.Loop() {
		if len(ids) == flowBatch {
			b.StopTimer()
			for _, id := range ids {
				f.expire(id)
			}
			ids = ids[:0]
			b.StartTimer()
		}
		f.take()
		f.expect()
		f.enter(b)
		ids = append(ids, f.order())
	}
	if in(0, ids) {
		b.Fatal("an order was refused")
	}
}

// BenchmarkRejectAllControls is a new order that one of the last controls
// refuses: a sale of what is not held.
func BenchmarkRejectAllControls(b *testing.B) {
	f := benchFlow(b, benchAccounts)
	b.ReportAllocs()
	f.expect()
	for b.Loop() {
		f.take()
		f.expect()
		f.request.Side, f.request.OrderQty = order.SideSell, 1e6*order.QtyOne
		f.enterNow(b)
	}
	if f.order() != 0 {
		b.Fatal("the order was accepted")
	}
}

// BenchmarkRejectByCollar is a new order that an early control refuses.
func BenchmarkRejectByCollar(b *testing.B) {
	f := benchFlow(b, benchAccounts)
	b.ReportAllocs()
	f.expect()
	for b.Loop() {
		f.take()
		f.expect()
		f.request.Price = 400 * order.PriceOne
		f.enterNow(b)
	}
	if f.order() != 0 {
		b.Fatal("the order was accepted")
	}
}

// benchFlows are the flows made so far: a million accounts are made once.
var benchFlows = map[int]*flow{}

func benchFlow(b *testing.B, accounts int) *flow {
	b.Helper()
	if accounts > benchAccounts && os.Getenv("TOLLGATE_MILLION") == "" {
		b.Skipf("%d accounts take 12 GB and a minute or two to set up: run with TOLLGATE_MILLION=1", accounts)
	}
	f := benchFlows[accounts]
	if f == nil {
		f = newFlow(b, accounts)
		benchFlows[accounts] = f
	}
	return f
}

// report prints what the engine keeps.
func (f *flow) report(b *testing.B) {
	m := f.engine.Footprint()
	b.ReportMetric(float64(m.Account), "B/account")
	b.ReportMetric(float64(m.AccountInstrument), "B/account×instrument")
	b.ReportMetric(float64(m.Order), "B/order")
}
