package exchange

import (
	"testing"

	"tollgate/exchange/simulated"
	"tollgate/order"
)

// fakeVenue is a venue that says what the test has written down for it, and
// remembers what it was given.
type fakeVenue struct {
	submitted []order.Verdict
	answers   [][]order.Report // of the next calls of Submit
	due       []order.Report   // of the next Advance
	reports   []order.Report
	prices    []order.ReferencePrice
	repeated  int
	openQty   bool // replaces mean the open quantity
}

func (f *fakeVenue) Submit(_ int64, v *order.Verdict) {
	f.submitted = append(f.submitted, *v)
	f.reports = nil
	if len(f.answers) > 0 {
		f.reports, f.answers = f.answers[0], f.answers[1:]
	}
}

func (f *fakeVenue) ReplacesOpenQty(order.InstrumentID) bool { return f.openQty }

func (f *fakeVenue) Advance(int64) { f.reports, f.due = f.due, nil }

func (f *fakeVenue) Reports() []order.Report { return f.reports }

func (f *fakeVenue) Prices(int64) []order.ReferencePrice { return f.prices }

func (f *fakeVenue) RepeatPrices() { f.repeated++ }

var (
	_ Venue = (*fakeVenue)(nil)
	_ Venue = (*simulated.Venue)(nil)
)

var testKey = order.NewTokenKey([order.TokenKeySize]byte{1, 2, 3, 4, 5, 6, 7, 8, 9})

const (
	testNow      = int64(1_000_000)
	testInstance = 77
)

func testAdapterConfig() AdapterConfig {
	cfg := DefaultConfig().Adapter
	cfg.TokenKey, cfg.Instance = testKey, testInstance
	cfg.SeqWindow, cfg.FencesMax, cfg.OrdersMax, cfg.ReportsRetainedMax = 128, 3, 16, 64
	return cfg
}

// rig is an adapter in front of a venue.
type rig struct {
	*Adapter
	t     *testing.T
	venue *fakeVenue
}

func newRig(t *testing.T, change func(*AdapterConfig)) *rig {
	t.Helper()
	cfg := testAdapterConfig()
	if change != nil {
		change(&cfg)
	}
	venue := &fakeVenue{}
	adapter, err := NewAdapter(cfg, venue)
	if err != nil {
		t.Fatal(err)
	}
	return &rig{Adapter: adapter, t: t, venue: venue}
}

// newOrder returns an order that epoch 1 has accepted as number seq.
func newOrder(seq uint64) order.Verdict {
	v := order.Verdict{
		Token:   order.Token{Epoch: 1, Seq: seq, Expiry: testNow + 1000},
		OrderID: order.OrderID(seq), ClOrdID: order.ClOrdID(100 + seq), Price: 50, StopPx: order.Null, OrderQty: 10,
		Group: 4, Session: 5, Account: 2, Trader: 3, Instrument: 1, Strategy: 6,
		MsgType: order.MsgNewOrder, Side: order.SideBuy, OrdType: order.OrdTypeLimit, TimeInForce: order.TimeInForceDay,
	}
	testKey.Sign(&v)
	return v
}

// replaceOf returns a replace of an order, cancelOf a cancel, both accepted as
// number seq.
func replaceOf(v order.Verdict, seq uint64) order.Verdict {
	v.MsgType, v.Token.Seq, v.OrigClOrdID, v.ClOrdID = order.MsgReplaceOrder, seq, v.ClOrdID, order.ClOrdID(100+seq)
	testKey.Sign(&v)
	return v
}

func cancelOf(v order.Verdict, seq uint64) order.Verdict {
	v.MsgType, v.Token.Seq, v.OrigClOrdID, v.ClOrdID = order.MsgCancelOrder, seq, v.ClOrdID, order.ClOrdID(100+seq)
	testKey.Sign(&v)
	return v
}

// resigned returns v after a change that the engine has signed for.
func resigned(v order.Verdict, change func(*order.Verdict)) order.Verdict {
	change(&v)
	testKey.Sign(&v)
	return v
}

// about returns a report of the given kind about an order.
func about(v order.Verdict, kind order.ReportKind, seq uint64) order.Report {
	r := order.Report{
		Seq: seq, OrderID: v.OrderID, ClOrdID: v.ClOrdID, ExecID: 1, Price: v.Price, OrderQty: v.OrderQty,
		Session: v.Session, Account: v.Account, Kind: kind, Side: v.Side,
	}
	if kind == order.ReportNew || kind == order.ReportReplaced {
		r.LeavesQty = v.OrderQty
	}
	return r
}

// give passes a request to the adapter and checks the outcome; the venue
// answers with the reports.
func (r *rig) give(v order.Verdict, want Outcome, answer ...order.Report) {
	r.t.Helper()
	before := len(r.venue.submitted)
	r.venue.answers = [][]order.Report{answer}
	if got := r.Verdict(testNow, &v, &order.Trace{GatewayIn: 5}); got != want {
		r.t.Errorf("%s %d: outcome %+v, want %+v", v.MsgType, v.Token.Seq, got, want)
	}
	if reached := len(r.venue.submitted) > before; reached != (want.Reason == order.ReasonNone) {
		r.t.Errorf("%s %d: it reached the venue is %t", v.MsgType, v.Token.Seq, reached)
	}
}

// live gives a new order that the venue acknowledges.
func (r *rig) live(seq uint64) order.Verdict {
	r.t.Helper()
	v := newOrder(seq)
	r.give(v, Outcome{}, about(v, order.ReportNew, seq))
	return v
}

func dropped(reason order.Reason) Outcome { return Outcome{Reason: reason} }

func refused(reason order.Reason) Outcome { return Outcome{Reason: reason, Refused: true} }

// lastReport returns the newest numbered report.
func (r *rig) lastReport() order.Report {
	r.t.Helper()
	report, _ := r.Report(r.NextReportSeq() - 1)
	if report == nil {
		r.t.Fatal("there is no report")
	}
	return *report
}
