package simulated

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tollgate/internal/testseed"
	"tollgate/order"
)

func testInstruments() []Instrument {
	return []Instrument{{ID: 1, Tick: 5, Lot: 10}, {ID: 4, Tick: 1, Lot: 1, ReplaceOpenQty: true}}
}

// generator makes requests that are mostly sensible and sometimes not.
type generator struct {
	random  *rand.Rand
	entered []order.Verdict
	now     int64
	seq     uint64
}

func (g *generator) chance(percent int) bool { return g.random.IntN(100) < percent }

func (g *generator) next() order.Verdict {
	g.seq++
	if g.chance(10) {
		g.now += g.random.Int64N(4)
	}
	kind := g.random.IntN(100)
	switch {
	case len(g.entered) == 0 || kind < 55:
		return g.newOrder()
	case kind < 80:
		return g.change(order.MsgReplaceOrder)
	case kind < 99:
		return g.change(order.MsgCancelOrder)
	}
	return order.Verdict{MsgType: order.MsgMassCancel}
}

func (g *generator) newOrder() order.Verdict {
	d := order.Verdict{
		Token: order.Token{Seq: g.seq}, OrderID: order.OrderID(g.seq), ClOrdID: order.ClOrdID(g.seq),
		Price: g.price(), StopPx: order.Null, OrderQty: g.quantity(),
		Session: 1, Account: 2, Trader: 3, Group: 4, Strategy: 5, Instrument: 1,
		MsgType: order.MsgNewOrder, Side: order.SideBuy, OrdType: order.OrdTypeLimit,
		TimeInForce: order.TimeInForceDay, ValidUntil: g.validUntil(),
	}
	if g.chance(50) {
		d.Side = []order.Side{order.SideSell, order.SideSellShort, order.SideSellShortExempt}[g.random.IntN(3)]
	}
	if g.chance(20) {
		d.Instrument = 4
	}
	if g.chance(30) {
		g.otherType(&d)
	}
	if g.chance(20) {
		d.DisplayQty = min(d.OrderQty, 10*order.Qty(1+g.random.Int64N(3)))
	}
	if g.chance(50) {
		d.TimeInForce = []order.TimeInForce{
			order.TimeInForceGTC, order.TimeInForceIOC, order.TimeInForceFOK, order.TimeInForceGTD,
		}[g.random.IntN(4)]
	}
	g.spoil(&d)
	g.entered = append(g.entered, d)
	return d
}

// otherType makes a market or stop order of a limit order.
func (g *generator) otherType(d *order.Verdict) {
	switch g.random.IntN(5) {
	case 0:
		d.OrdType, d.Price = order.OrdTypeMarket, order.Null
	case 1:
		d.OrdType = order.OrdTypeMarket
	case 2:
		d.OrdType, d.StopPx, d.Price = order.OrdTypeStop, g.price(), order.Null
	case 3:
		d.OrdType, d.StopPx = order.OrdTypeStop, g.price()
	case 4:
		d.OrdType, d.StopPx = order.OrdTypeStopLimit, g.price()
	}
}

// command makes a command about something that is likely to exist.
func (g *generator) command(newest order.ExecID) Command {
	c := Command{
		ExecID: newest - min(newest, order.ExecID(g.random.Int64N(40))), OrderID: order.OrderID(1 + g.random.Uint64N(g.seq+1)),
		Qty: g.quantity(), Price: g.price(), Kind: CommandBust + CommandKind(g.random.IntN(6)),
	}
	if g.chance(50) {
		c.OrderID = order.OrderID(g.seq - min(g.seq, g.random.Uint64N(20)))
	}
	switch {
	case g.chance(5):
		c.Kind = CommandEndDay
	case g.chance(5):
		c.Qty = order.Qty(g.random.Uint64())
	case g.chance(10):
		c.Price = order.Null
	}
	return c
}

// spoil makes one request in twenty a wrong one.
func (g *generator) spoil(d *order.Verdict) {
	if !g.chance(5) {
		return
	}
	switch g.random.IntN(9) {
	case 0:
		d.Instrument = order.InstrumentID(g.random.Uint32N(7))
	case 1:
		d.OrdType = order.OrdType(g.random.Uint32N(256))
	case 2:
		d.TimeInForce = order.TimeInForce(g.random.Uint32N(256))
	case 3:
		d.Side = order.Side(g.random.Uint32N(256))
	case 4:
		d.OrderQty = order.Qty(g.random.Uint64())
	case 5:
		d.Price = []order.Price{order.Null, math.MaxInt64, math.MinInt64 + 1, 0, 1}[g.random.IntN(5)]
	case 6:
		d.OrderID = order.OrderID(g.random.Uint64N(g.seq + 1))
	case 7:
		d.DisplayQty = []order.Qty{1, -10, 1000, order.Null}[g.random.IntN(4)]
	case 8:
		d.Account = 9
	}
}

func (g *generator) price() order.Price { return order.Price(g.random.Int64N(12)-3) * 5 }

func (g *generator) quantity() order.Qty { return order.Qty(1+g.random.Int64N(9)) * 10 }

func (g *generator) validUntil() int64 { return max(0, g.now+g.random.Int64N(30)-3) }

// change replaces or cancels an order, most often one of the newest.
func (g *generator) change(kind order.MsgType) order.Verdict {
	at := g.random.IntN(len(g.entered))
	if g.chance(80) {
		at = len(g.entered) - 1 - g.random.IntN(min(20, len(g.entered)))
	}
	d := g.entered[at]
	d.MsgType, d.Token.Seq = kind, g.seq
	if kind == order.MsgReplaceOrder {
		d.ClOrdID, d.OrderQty, d.ValidUntil = order.ClOrdID(g.seq), g.quantity(), g.validUntil()
		if g.chance(60) && d.Price != order.Null {
			d.Price = g.price()
		}
		if g.chance(40) && d.StopPx != order.Null {
			d.StopPx = g.price()
		}
		if g.chance(10) {
			d.DisplayQty = 10
		}
		if g.chance(10) && isStop(d.OrdType) {
			d.OrdType = order.OrdTypeStop + order.OrdTypeStopLimit - d.OrdType
		}
		g.spoil(&d)
	}
	return d
}

// TestVenueAgreesWithModel lets venue and model work on the same requests. All
// reports must be equal to the last field, and the venue's invariants hold.
func TestVenueAgreesWithModel(t *testing.T) {
	base := testseed.New(t)
	for run := range uint64(40) {
		compareWithModel(t, rand.New(rand.NewPCG(base, run)), 500)
		if t.Failed() {
			t.Fatalf("seed %d, run %d", base, run)
		}
	}
}

func compareWithModel(t *testing.T, random *rand.Rand, steps int) {
	cfg := DefaultConfig()
	cfg.Instruments = testInstruments()
	cfg.OrdersMax, cfg.FinishedRetainedMax, cfg.ExecutionsRetainedMax = 1+random.IntN(60), steps, 1<<14
	venue, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	m := &model{
		instruments: cfg.Instruments, ordersMax: cfg.OrdersMax, last: map[order.InstrumentID]order.Price{},
	}
	g := &generator{random: random}
	for step := range steps {
		d := g.next()
		venue.Submit(g.now, &d)
		if want := m.submit(g.now, d); !slices.Equal(venue.Reports(), want) {
			t.Errorf("step %d, %s %+v:\nvenue %+v\nmodel %+v", step, d.MsgType, d, venue.Reports(), want)
			return
		}
		if g.chance(10) {
			c := g.command(m.execID)
			err := venue.Do(g.now, &c)
			want, done := m.do(g.now, c)
			if !slices.Equal(venue.Reports(), want) || (err == nil) != done {
				t.Errorf("step %d, %+v: error %v, model does it %t\nvenue %+v\nmodel %+v",
					step, c, err, done, venue.Reports(), want)
				return
			}
		}
		if step%16 == 0 {
			venue.Advance(g.now)
			if want := m.advance(g.now); !slices.Equal(venue.Reports(), want) {
				t.Errorf("step %d, time %d:\nvenue %+v\nmodel %+v", step, g.now, venue.Reports(), want)
				return
			}
		}
		if err := venue.Check(); err != nil {
			t.Errorf("step %d, %s %+v: %v", step, d.MsgType, d, err)
			return
		}
	}
}

// TestOrderAccounting follows every order through its reports: acknowledgement
// first, CumQty the sum of its trades, LeavesQty what FIX says, nothing after
// the end, both sides of every trade alike, ExecIDs rising.
func TestOrderAccounting(t *testing.T) {
	cfg := DefaultConfig()
	cfg.Instruments, cfg.OrdersMax, cfg.FinishedRetainedMax = testInstruments(), 50, 10
	venue, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	s := testseed.New(t)
	g := &generator{random: rand.New(rand.NewPCG(s, 1))}
	books := accounting{orders: map[order.OrderID]*account{}}
	for range 20_000 {
		d := g.next()
		if d.OrderID != order.OrderID(g.seq) && d.MsgType == order.MsgNewOrder {
			continue // a name given twice would be a new order once the venue has forgotten the old one
		}
		venue.Submit(g.now, &d)
		for i := range venue.Reports() {
			books.take(t, &venue.Reports()[i])
		}
		if t.Failed() {
			t.Fatalf("seed %d, request %+v", s, d)
		}
	}
	if books.trades == 0 || books.trades%2 != 0 {
		t.Errorf("%d trade reports: want two for every match", books.trades)
	}
}

type account struct {
	cumQty order.Qty
	ended  bool
}

type accounting struct {
	orders map[order.OrderID]*account
	execID order.ExecID
	trades int
	maker  order.Report
}

func (b *accounting) take(t *testing.T, r *order.Report) {
	if r.ExecID <= b.execID {
		t.Errorf("ExecID %d after %d", r.ExecID, b.execID)
	}
	b.execID = r.ExecID
	switch r.Kind {
	case order.ReportRejected, order.ReportReplaceReject, order.ReportCancelReject:
		return
	case order.ReportNew:
		b.orders[r.OrderID] = &account{}
	}
	a := b.orders[r.OrderID]
	if a == nil || a.ended {
		t.Errorf("report for an order that is not live: %+v", r)
		return
	}
	if r.Kind == order.ReportTrade {
		b.trade(t, a, r)
	}
	ended := r.Kind == order.ReportCanceled || r.Kind == order.ReportExpired
	if want := r.OrderQty - a.cumQty; r.CumQty != a.cumQty || (!ended && r.LeavesQty != want) {
		t.Errorf("order %d has executed %v: %+v", r.OrderID, a.cumQty, r)
	}
	if ended && r.LeavesQty != 0 {
		t.Errorf("order %d has ended: %+v", r.OrderID, r)
	}
	a.ended = r.LeavesQty == 0
}

func (b *accounting) trade(t *testing.T, a *account, r *order.Report) {
	a.cumQty += r.LastQty
	b.trades++
	if b.trades%2 == 1 {
		b.maker = *r
		return
	}
	m := &b.maker
	if r.LastQty != m.LastQty || r.LastPx != m.LastPx || r.Instrument != m.Instrument ||
		r.Side.IsBuy() == m.Side.IsBuy() || r.LastPx != m.Price {
		t.Errorf("the two sides of a trade differ: %+v and %+v", m, r)
	}
}

// FuzzVenue lets the fuzzer choose requests byte by byte; the venue must keep
// its invariants and agree with the model.
func FuzzVenue(f *testing.F) {
	f.Add(uint64(1), uint16(100))
	f.Add(uint64(2), uint16(400))
	f.Fuzz(func(t *testing.T, a uint64, steps uint16) {
		compareWithModel(t, rand.New(rand.NewPCG(a, uint64(steps))), 1+int(steps%512))
	})
}

// FuzzRequests builds requests from raw bytes, sensible or not.
func FuzzRequests(f *testing.F) {
	f.Add([]byte("D1\x0a\x14D2\x0a\x14G1\x0b\x28F1\x00\x00"))
	f.Fuzz(func(t *testing.T, script []byte) {
		cfg := DefaultConfig()
		cfg.Instruments, cfg.OrdersMax, cfg.FinishedRetainedMax = testInstruments(), 16, 4
		venue, err := New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i+4 <= len(script); i += 4 {
			d := requestFrom(script[i:i+4], i)
			venue.Submit(int64(i), &d)
			if err := venue.Check(); err != nil {
				t.Fatalf("after %+v: %v", d, err)
			}
		}
	})
}

func requestFrom(b []byte, at int) order.Verdict {
	return order.Verdict{
		Token: order.Token{Seq: uint64(at) + 1}, OrderID: order.OrderID(b[3]%32 + 1), Price: order.Price(int8(b[2])),
		OrderQty: order.Qty(b[3]), Instrument: order.InstrumentID(1 + 3*(b[1]>>7)), MsgType: order.MsgType(b[0] & 127),
		Side: order.SideBuy + order.Side(b[0]>>7), OrdType: order.OrdTypeMarket + order.OrdType(b[1]>>4&3),
		TimeInForce: order.TimeInForce('0' + b[1]&7), ValidUntil: int64(at) + int64(b[2]>>3),
	}
}
