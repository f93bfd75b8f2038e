package simulated

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tollgate/internal/testseed"
	"tollgate/order"
)

func newVenue(t testing.TB, change func(*Config)) *Venue {
	t.Helper()
	cfg := DefaultConfig()
	cfg.Instruments = testInstruments()
	if change != nil {
		change(&cfg)
	}
	venue, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return venue
}

func TestConfigNamesEveryProblem(t *testing.T) {
	cfg := Config{
		OrdersMax: -1, FinishedRetainedMax: -2, ExecutionsRetainedMax: -4, RecordsRetainedMax: RecordsRetainedMax + 1, PriceIntervalNs: -3,
		Instruments: []Instrument{{ID: 0, Tick: 1, Lot: 1}, {ID: 7, Tick: 0, Lot: 1}, {ID: 7, Tick: 1, Lot: -1}},
	}
	_, err := New(cfg)
	if err == nil {
		t.Fatal("a configuration full of problems was taken")
	}
	for _, want := range []string{
		"OrdersMax is -1", "FinishedRetainedMax is -2", "ExecutionsRetainedMax is -4", "RecordsRetainedMax is", "PriceIntervalNs is -3",
		"FirstExecID is 0", "instrument 0: ID", "instrument 7: Tick", "instrument 7: Lot", "instrument 7 is listed twice",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error does not say %q:\n%v", want, err)
		}
	}
	if err := new(Config).Validate(); err == nil || !strings.Contains(err.Error(), "no instruments are given") {
		t.Errorf("no instruments: %v", err)
	}
}

func TestEveryRefusalHasAName(t *testing.T) {
	seen := map[string]bool{}
	for r := RefusalNone; r <= RefusalQtyBelowCumQty; r++ {
		if r.String() == "" || seen[r.String()] {
			t.Errorf("refusal %d is called %q", r, r)
		}
		seen[r.String()] = true
		if r != RefusalNone && r.Reason() < order.ReasonVenueReject {
			t.Errorf("refusal %v has reason %v, which is not the venue's", r, r.Reason())
		}
	}
	if got := (RefusalQtyBelowCumQty + 1).String(); got != "unknown" {
		t.Errorf("a refusal that does not exist is called %q", got)
	}
}

func TestFirstExecIDIsKept(t *testing.T) {
	venue := newVenue(t, func(c *Config) { c.FirstExecID = 500 })
	venue.Submit(0, &order.Verdict{MsgType: order.MsgCancelOrder, OrderID: 1})
	if got := venue.Reports()[0].ExecID; got != 500 {
		t.Errorf("the first ExecID is %d: want 500", got)
	}
}

func TestRepeatPricesGivesEachLastTradeOnce(t *testing.T) {
	venue := newVenue(t, func(c *Config) { c.PriceIntervalNs = 10 })
	venue.RepeatPrices()
	if got := venue.Prices(0); len(got) != 0 {
		t.Fatalf("prices before any trade: %v", got)
	}
	for id, side := range []order.Side{order.SideSell, order.SideBuy} {
		d := limitOrder(order.OrderID(id+1), side, 50, 10)
		venue.Submit(3, &d)
	}
	want := order.ReferencePrice{Time: 3, Price: 50, Instrument: 1, Source: order.PriceSourceLast}
	for _, now := range []int64{3, 13} {
		if got := venue.Prices(now); len(got) != 1 || got[0] != want {
			t.Errorf("at %d: prices %v, want %v", now, got, want)
		}
		venue.RepeatPrices()
		venue.RepeatPrices()
		if got := venue.Prices(now + 9); len(got) != 0 {
			t.Errorf("at %d: a second price within the interval: %v", now+9, got)
		}
	}
}

// TestPricesSurviveAClockThatIsSetBack: nobody waits an hour for a price.
func TestPricesSurviveAClockThatIsSetBack(t *testing.T) {
	venue := newVenue(t, func(c *Config) { c.PriceIntervalNs = 10 })
	const hour = 3_600_000_000_000
	for id, now := range []int64{hour, hour, 5, 5} {
		d := limitOrder(order.OrderID(id+1), []order.Side{order.SideSell, order.SideBuy}[id%2], 50, 10)
		venue.Submit(now, &d)
		if got := len(venue.Prices(now)); got != id%2 {
			t.Errorf("after order %d: %d prices, want %d", id+1, got, id%2)
		}
	}
}

// TestEachInstrumentHasItsOwnInterval trades two instruments by turns.
func TestEachInstrumentHasItsOwnInterval(t *testing.T) {
	venue := newVenue(t, func(c *Config) { c.PriceIntervalNs = 10 })
	id := order.OrderID(0)
	for _, step := range []struct {
		now    int64
		traded order.InstrumentID
		want   []order.InstrumentID
	}{
		{0, 1, []order.InstrumentID{1}},
		{5, 4, []order.InstrumentID{4}},
		{6, 1, nil},
		{7, 4, nil},
		{10, 1, []order.InstrumentID{1}},
		{14, 1, nil},
		{15, 1, []order.InstrumentID{4}},
		{20, 4, []order.InstrumentID{1}},
		{25, 1, []order.InstrumentID{4}},
	} {
		for _, side := range []order.Side{order.SideSell, order.SideBuy} {
			id++
			d := limitOrder(id, side, 50, 10)
			d.Instrument = step.traded
			venue.Submit(step.now, &d)
		}
		var got []order.InstrumentID
		for _, p := range venue.Prices(step.now) {
			got = append(got, p.Instrument)
		}
		if !slices.Equal(got, step.want) {
			t.Errorf("at %d: prices of %v, want %v", step.now, got, step.want)
		}
	}
}

func limitOrder(id order.OrderID, side order.Side, price order.Price, quantity order.Qty) order.Verdict {
	return order.Verdict{
		Token: order.Token{Seq: uint64(id)}, OrderID: id, ClOrdID: order.ClOrdID(id), Price: price, OrderQty: quantity,
		Session: 1, Account: 1, Trader: 1, Instrument: 1, MsgType: order.MsgNewOrder, Side: side,
		OrdType: order.OrdTypeLimit, TimeInForce: order.TimeInForceDay,
	}
}

func TestLogHoldsEverythingInOrder(t *testing.T) {
	venue := newVenue(t, nil)
	g := &generator{random: rand.New(rand.NewPCG(testseed.New(t), 2))}
	var want []Record
	for range 300 {
		d := g.next()
		venue.Submit(g.now, &d)
		want = append(want, Record{Kind: RecordReceived, Verdict: d})
		for _, r := range venue.Reports() {
			want = append(want, Record{Kind: RecordReported, Report: r})
		}
	}
	if got := venue.Recorded(); got != uint64(len(want)) {
		t.Fatalf("%d records, want %d", got, len(want))
	}
	var file bytes.Buffer
	writer := NewLogWriter(&file)
	for i := range want {
		r := venue.Record(uint64(i + 1))
		if r.Kind != want[i].Kind || r.Kind == RecordReceived && r.Verdict != want[i].Verdict ||
			r.Kind == RecordReported && r.Report != want[i].Report {
			t.Fatalf("record %d is %+v, want %+v", i+1, r, want[i])
		}
		if err := writer.Write(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := writer.Flush(); err != nil {
		t.Fatal(err)
	}
	readBack(t, &file, venue)
}

func readBack(t *testing.T, file io.Reader, venue *Venue) {
	t.Helper()
	reader := NewLogReader(file)
	var got Record
	for n := uint64(1); n <= venue.Recorded(); n++ {
		if err := reader.Read(&got); err != nil {
			t.Fatal(err)
		}
		want := *venue.Record(n)
		if want.Kind == RecordReceived {
			want.Report, want.Refusal = order.Report{}, RefusalNone
		} else {
			want.Verdict = order.Verdict{}
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("record %d comes back as %+v, want %+v", n, got, want)
		}
	}
	if err := reader.Read(&got); !errors.Is(err, io.EOF) {
		t.Errorf("after the last record: %v, want EOF", err)
	}
}

func TestLogForgetsTheOldest(t *testing.T) {
	venue := newVenue(t, func(c *Config) { c.RecordsRetainedMax = 3 })
	for id := range order.OrderID(3) {
		d := limitOrder(id+1, order.SideBuy, 50, 10)
		venue.Submit(0, &d)
	}
	for n, retained := range map[uint64]bool{0: false, 3: false, 4: true, 6: true, 7: false} {
		if got := venue.Record(n) != nil; got != retained {
			t.Errorf("record %d: retained is %t, want %t", n, got, retained)
		}
	}
	silent := newVenue(t, func(c *Config) { c.RecordsRetainedMax = 0 })
	silent.Submit(0, &order.Verdict{MsgType: order.MsgCancelOrder})
	if silent.Recorded() != 0 || silent.Record(1) != nil {
		t.Error("a venue without a log has records")
	}
}

func TestLogReaderFindsDamage(t *testing.T) {
	for name, c := range map[string]struct{ file, want string }{
		"gap":           {`{"number":1,"received":{}}` + "\n" + `{"number":3,"received":{}}`, "record 3 after record 1"},
		"neither":       {`{"number":1}`, "either received or reported"},
		"unknown field": {`{"number":1,"receive":{}}`, "receive"},
		"torn":          {`{"number":1,"received":{"Or`, "after record 0"},
		"refusal":       {`{"number":1,"reported":{},"refusal":"whim"}`, `"whim"`},
	} {
		t.Run(name, func(t *testing.T) {
			reader := NewLogReader(strings.NewReader(c.file))
			var record Record
			err := reader.Read(&record)
			if err == nil {
				err = reader.Read(&record)
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("the error is %v: want one that says %q", err, c.want)
			}
		})
	}
	if err := NewLogWriter(io.Discard).Write(&Record{}); err == nil {
		t.Error("a record of no kind was written")
	}
}

// deepVenue has orders at every one of the given number of prices on each side.
func deepVenue(t testing.TB, levels int) *Venue {
	venue := newVenue(t, func(c *Config) { c.RecordsRetainedMax = 64 })
	id := order.OrderID(1)
	for i := range levels {
		bid := limitOrder(id, order.SideBuy, -5*order.Price(i+1), 100)
		offer := limitOrder(id+1, order.SideSell, 5*order.Price(i+1), 100)
		venue.Submit(0, &bid)
		venue.Submit(0, &offer)
		id += 2
	}
	return venue
}

// turn enters an order, replaces it, trades with it and cancels it.
func turn(venue *Venue, id *order.OrderID) {
	a := limitOrder(*id, order.SideBuy, 0, 100)
	venue.Submit(1, &a)
	a.MsgType, a.OrderQty = order.MsgReplaceOrder, 90
	venue.Submit(1, &a)
	a.Price = -10
	venue.Submit(1, &a)
	a.Price = 0
	venue.Submit(1, &a)
	b := limitOrder(*id+1, order.SideSell, 0, 50)
	venue.Submit(1, &b)
	a.MsgType = order.MsgCancelOrder
	venue.Submit(1, &a)
	c := limitOrder(*id+2, order.SideSell, -5, 10)
	c.TimeInForce = order.TimeInForceFOK
	venue.Submit(1, &c)
	d := limitOrder(*id+3, order.SideBuy, -5, 10)
	venue.Submit(1, &d)
	hideAndStop(venue, *id+4)
	venue.Prices(1)
	*id += 8
}

// hideAndStop lets a stop be elected by a trade with an iceberg, and trade with
// it as well.
func hideAndStop(venue *Venue, id order.OrderID) {
	iceberg := limitOrder(id, order.SideSell, 0, 40)
	iceberg.DisplayQty = 10
	venue.Submit(1, &iceberg)
	waiting := limitOrder(id+1, order.SideSell, 0, 10)
	waiting.OrdType, waiting.StopPx = order.OrdTypeStopLimit, -500
	venue.Submit(1, &waiting)
	stop := limitOrder(id+2, order.SideBuy, order.Null, 20)
	stop.OrdType, stop.StopPx = order.OrdTypeStop, 0
	venue.Submit(1, &stop)
	taker := limitOrder(id+3, order.SideBuy, 0, 20)
	venue.Submit(1, &taker)
	waiting.MsgType = order.MsgCancelOrder
	venue.Submit(1, &waiting)
}

func TestSteadyStateAllocatesNothing(t *testing.T) {
	venue := deepVenue(t, 100)
	id := order.OrderID(1000)
	turn(venue, &id)
	if got := testing.AllocsPerRun(1000, func() { turn(venue, &id) }); got != 0 {
		t.Errorf("%v allocations in a turn, want none", got)
	}
	if err := venue.Check(); err != nil {
		t.Error(err)
	}
}

func BenchmarkEnterAndCancel(b *testing.B) {
	for name, levels := range map[string]int{"levels=100": 100, "levels=10000": 10_000} {
		b.Run(name, func(b *testing.B) {
			venue := deepVenue(b, levels)
			random := rand.New(rand.NewPCG(1, 2))
			id := order.OrderID(1 << 20)
			b.ReportAllocs()
			for b.Loop() {
				id++
				near := order.Price(random.ExpFloat64() * float64(levels) / 20)
				d := limitOrder(id, order.SideBuy, -5*near-5, 10)
				venue.Submit(1, &d)
				d.MsgType = order.MsgCancelOrder
				venue.Submit(1, &d)
			}
		})
	}
}

func BenchmarkTrade(b *testing.B) {
	venue := deepVenue(b, 1000)
	id := order.OrderID(1 << 20)
	b.ReportAllocs()
	for b.Loop() {
		maker := limitOrder(id, order.SideBuy, 0, 10)
		taker := limitOrder(id+1, order.SideSell, 0, 10)
		venue.Submit(1, &maker)
		venue.Submit(1, &taker)
		id += 2
	}
}
