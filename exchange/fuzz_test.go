package exchange

import (
	"testing"

	"tollgate/exchange/simulated"
	"tollgate/order"
)

// FuzzAlteredVerdict changes a signed verdict in one place. Nothing but the
// verdict itself may reach the venue as a new order or a replace, or use up its
// number.
func FuzzAlteredVerdict(f *testing.F) {
	for place := range uint8(21) {
		f.Add(place, uint64(1), false)
		f.Add(place, uint64(1)<<40, true)
	}
	f.Fuzz(func(t *testing.T, place uint8, change uint64, replace bool) {
		adapter, venue := fuzzAdapter(t)
		original := newOrder(1)
		if replace {
			original = replaceOf(newOrder(2), 1)
		}
		altered := original
		alter(&altered, place, change)
		outcome := adapter.Verdict(testNow, &altered, &order.Trace{})
		unchanged := altered == original
		if given := len(venue.submitted) > 0; given != unchanged && altered.MsgType != order.MsgCancelOrder {
			t.Fatalf("%+v has reached the venue is %t", altered, given)
		}
		if !unchanged && (adapter.NextReportSeq() != 1 || !outcome.Dropped()) {
			t.Fatalf("%+v has had an effect: %+v", altered, outcome)
		}
		if again := adapter.Verdict(testNow, &original, &order.Trace{}); (again == Outcome{}) == unchanged {
			t.Fatalf("after %+v the original gives %+v", altered, again)
		}
	})
}

func fuzzAdapter(t *testing.T) (*Adapter, *fakeVenue) {
	venue := &fakeVenue{}
	adapter, err := NewAdapter(testAdapterConfig(), venue)
	if err != nil {
		t.Fatal(err)
	}
	return adapter, venue
}

func alter(v *order.Verdict, place uint8, change uint64) {
	switch place % 21 {
	case 0:
		v.Token.Epoch ^= change
	case 1:
		v.Token.Seq ^= change
	case 2:
		v.Token.OrderHash ^= change
	case 3:
		v.Token.Expiry ^= int64(change)
	case 4:
		v.Token.MAC ^= change
	case 5:
		v.OrderID ^= order.OrderID(change)
	case 6:
		v.ClOrdID ^= order.ClOrdID(change)
	case 7:
		v.OrigClOrdID ^= order.ClOrdID(change)
	case 8:
		v.ValidUntil ^= int64(change)
	case 9:
		v.Price ^= order.Price(change)
	case 10:
		v.StopPx ^= order.Price(change)
	case 11:
		v.OrderQty ^= order.Qty(change)
	case 12:
		v.DisplayQty ^= order.Qty(change)
	case 13:
		v.Group ^= order.GroupID(change)
	case 14:
		v.Session ^= order.SessionID(change)
	case 15:
		v.Account ^= order.AccountID(change)
	case 16:
		v.Trader ^= order.TraderID(change)
	case 17:
		v.Instrument ^= order.InstrumentID(change)
	case 18:
		v.MsgType ^= order.MsgType(change)
	case 19:
		v.Side ^= order.Side(change)
		v.OrdType ^= order.OrdType(change >> 8)
		v.TimeInForce ^= order.TimeInForce(change >> 16)
	case 20:
		v.Strategy ^= order.StrategyID(change)
	}
}

// FuzzAdapterOperations runs arbitrary operations against adapter and simulated
// venue. Reports stay contiguous, the two agree about what lives, each number is
// used once.
func FuzzAdapterOperations(f *testing.F) {
	f.Add([]byte("n\x01n\x02x\x18x\x13x\x0ax\x0cx\x22x\x06n\x03x\x05"))
	f.Add([]byte("n\x01n\x02r\x01c\x02n\x03a\x02t\x08v\x03f\x09n\x08n\x0a"))
	f.Fuzz(func(t *testing.T, script []byte) {
		o := newOperations(t)
		for i := 0; i+2 <= len(script); i += 2 {
			o.do(script[i], uint64(script[i+1]))
			o.check()
		}
	})
}

type operations struct {
	t        *testing.T
	adapter  *Adapter
	venue    *simulated.Venue
	now      int64
	used     map[uint64]bool
	expected uint64 // next report
}

func newOperations(t *testing.T) *operations {
	venueConfig := simulated.DefaultConfig()
	venueConfig.Instruments = []simulated.Instrument{{ID: 1, Tick: 1, Lot: 1, ReplaceOpenQty: true}}
	venueConfig.OrdersMax, venueConfig.FinishedRetainedMax = 12, 4
	venue, err := simulated.New(venueConfig)
	if err != nil {
		t.Fatal(err)
	}
	adapter, err := NewAdapter(testAdapterConfig(), venue)
	if err != nil {
		t.Fatal(err)
	}
	return &operations{t: t, adapter: adapter, venue: venue, now: testNow, used: map[uint64]bool{}, expected: 1}
}

func (o *operations) do(operation byte, n uint64) {
	v := resigned(newOrder(n), func(v *order.Verdict) {
		v.Token.Expiry, v.Price, v.OrderQty = o.now+50, order.Price(n%5+1), order.Qty(n%7+1)
		if n%2 == 0 {
			v.Side = order.SideSell
		}
	})
	switch operation {
	case 'n':
		o.verdict(v)
	case 'r':
		o.verdict(replaceOf(v, n+1))
	case 'c':
		o.verdict(cancelOf(v, n+1))
	case 'v':
		o.adapter.Cancel(o.now, v.Session, 0, v.ClOrdID)
	case 'f':
		o.adapter.SetFence(1, Fence{order.Scope{Type: order.ScopeFirm}, n})
	case 't':
		o.now += int64(n)
		o.adapter.Advance(o.now)
	case 'a':
		o.adapter.Acknowledge(n)
	case 'x':
		o.command(n)
	case 'e':
		o.verdict(resigned(v, func(v *order.Verdict) { v.Token.Expiry = o.now - 1 }))
	}
}

// command lets the venue do something of its own accord, if it can.
func (o *operations) command(n uint64) {
	c := simulated.Command{
		ExecID: order.ExecID(n / 8), OrderID: order.OrderID(n / 8), Qty: order.Qty(n%5 + 1), Price: order.Price(n%3 + 1),
		Kind: simulated.CommandBust + simulated.CommandKind(n%7),
	}
	_ = o.venue.Do(o.now, &c) // one that cannot be done changes nothing, which check sees
	o.adapter.Collect(o.now)
}

func (o *operations) verdict(v order.Verdict) {
	outcome := o.adapter.Verdict(o.now, &v, &order.Trace{})
	if outcome.Dropped() {
		return
	}
	if seq := v.Token.Seq; o.used[seq] && v.MsgType != order.MsgCancelOrder {
		o.t.Fatalf("number %d was used twice", seq)
	}
	o.used[v.Token.Seq] = true
}

func (o *operations) check() {
	if err := o.venue.Check(); err != nil {
		o.t.Fatal(err)
	}
	if o.adapter.LiveOrders() != o.venue.LiveOrders() {
		o.t.Fatalf("the adapter knows %d live orders, the venue %d", o.adapter.LiveOrders(), o.venue.LiveOrders())
	}
	for ; o.expected < o.adapter.NextReportSeq(); o.expected++ {
		if r, _ := o.adapter.Report(o.expected); r == nil || r.ReportSeq != o.expected {
			o.t.Fatalf("report %d is %+v", o.expected, r)
		}
	}
}
