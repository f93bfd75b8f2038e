package exchange

import (
	"slices"
	"testing"

	"tollgate/exchange/simulated"
	"tollgate/order"
)

// executed returns a report of a trade after which so much is executed.
func executed(v order.Verdict, execID order.ExecID, cum order.Qty) order.Report {
	r := about(v, order.ReportTrade, 0)
	r.ExecID, r.CumQty, r.LeavesQty = execID, cum, v.OrderQty-cum
	return r
}

// TestReplaceInTheVenuesTerms: a venue that replaces the total is given the bytes
// the engine signed; one that replaces the open quantity is asked for what is
// left of the total.
func TestReplaceInTheVenuesTerms(t *testing.T) {
	for name, c := range map[string]struct {
		reports []order.Report // after the order of 10 is live
		total   order.Qty
		open    order.Qty // what the venue is asked for; 0: nothing
	}{
		"nothing executed": {nil, 12, 12},
		"part executed":    {[]order.Report{executed(newOrder(1), 5, 4)}, 12, 8},
		"all but one":      {[]order.Report{executed(newOrder(1), 5, 4)}, 5, 1},
		"all asked for":    {[]order.Report{executed(newOrder(1), 5, 4)}, 4, 0},
		"less than that":   {[]order.Report{executed(newOrder(1), 5, 4)}, 3, 0},
		"said again": {
			[]order.Report{executed(newOrder(1), 5, 4), executed(newOrder(1), 6, 7), executed(newOrder(1), 5, 4)}, 12, 5,
		},
		"undone": {[]order.Report{executed(newOrder(1), 5, 4), undone(newOrder(1), 6, 1)}, 12, 11},
		"a refusal tells nothing": {
			[]order.Report{executed(newOrder(1), 5, 4), {OrderID: 1, ExecID: 9, Kind: order.ReportCancelReject}}, 12, 8,
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, openQty := range []bool{false, true} {
				r := newRig(t, nil)
				r.venue.openQty = openQty
				v := r.live(1)
				r.venue.due = slices.Clone(c.reports)
				r.Advance(testNow)
				replace := resigned(replaceOf(v, 2), func(v *order.Verdict) { v.OrderQty = c.total })
				want := replace
				if openQty && c.open == 0 {
					checkRefusal(r, replace, refused(order.ReasonVenueReject), order.ReportReplaceReject)
					continue
				}
				r.give(replace, Outcome{})
				if openQty {
					want.OrderQty = c.open
				}
				if got := r.venue.submitted[1]; got != want {
					t.Errorf("open quantity is %t: the venue was given\n%+v, want\n%+v", openQty, got, want)
				}
			}
		})
	}
}

// undone returns a report of a trade cancel after which so much is executed.
func undone(v order.Verdict, execID order.ExecID, cum order.Qty) order.Report {
	r := executed(v, execID, cum)
	r.Kind, r.ExecRefID = order.ReportTradeCancel, execID-1
	return r
}

// TestReplaceOfAnOrderNobodyKnows goes to the venue as it is, which says so.
func TestReplaceOfAnOrderNobodyKnows(t *testing.T) {
	r := newRig(t, nil)
	r.venue.openQty = true
	replace := replaceOf(newOrder(1), 2)
	r.give(replace, Outcome{})
	if got := r.venue.submitted[0]; got != replace {
		t.Errorf("the venue was given %+v", got)
	}
}

// bothVenues returns adapters in front of simulated venues that differ in what
// replaces mean.
func bothVenues(t *testing.T) (adapters [2]*Adapter, venues [2]*simulated.Venue) {
	t.Helper()
	for i := range adapters {
		cfg := simulated.DefaultConfig()
		cfg.Instruments = []simulated.Instrument{{ID: 1, Tick: 1, Lot: 1, ReplaceOpenQty: i == 1}}
		venue, err := simulated.New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		adapter, err := NewAdapter(testAdapterConfig(), venue)
		if err != nil {
			t.Fatal(err)
		}
		adapters[i], venues[i] = adapter, venue
	}
	return adapters, venues
}

// TestReportsSayTheTotal: whatever a venue's replaces mean, the same requests
// give the same reports.
func TestReportsSayTheTotal(t *testing.T) {
	adapters, _ := bothVenues(t)
	sell := resigned(newOrder(2), func(v *order.Verdict) { v.Side, v.OrderQty = order.SideSell, 4 })
	requests := []order.Verdict{
		newOrder(1), sell,
		resigned(replaceOf(newOrder(1), 3), func(v *order.Verdict) { v.OrderQty = 7 }),
		resigned(replaceOf(newOrder(1), 4), func(v *order.Verdict) { v.OrderQty = 20 }),
		resigned(sell, func(v *order.Verdict) { v.OrderID, v.Token.Seq, v.OrderQty = 5, 5, 6 }),
		cancelOf(newOrder(1), 6),
	}
	for _, v := range requests {
		for _, a := range adapters {
			if got := a.Verdict(testNow, &v, &order.Trace{}); got != (Outcome{}) {
				t.Fatalf("%+v: %+v", v, got)
			}
		}
	}
	totals := []order.Qty{10, 4, 10, 4, 7, 20, 6, 20, 6, 20}
	for seq := uint64(1); seq <= uint64(len(totals)); seq++ {
		a, _ := adapters[0].Report(seq)
		b, _ := adapters[1].Report(seq)
		if a == nil || b == nil || *a != *b || a.OrderQty != totals[seq-1] {
			t.Errorf("report %d: %+v\nwhere the open quantity is replaced: %+v\nwant the total %v", seq, a, b, totals[seq-1])
		}
	}
	if next := adapters[0].NextReportSeq(); next != uint64(len(totals))+1 || next != adapters[1].NextReportSeq() {
		t.Errorf("%d and %d reports, want %d", next-1, adapters[1].NextReportSeq()-1, len(totals))
	}
}

// TestFillsOnTheWayComeOnTop: what is executed after the adapter has asked for an
// open quantity makes the order larger than the engine asked for. The report says
// by how much.
func TestFillsOnTheWayComeOnTop(t *testing.T) {
	adapters, venues := bothVenues(t)
	for i, want := range []order.Report{
		{OrderQty: 12, CumQty: 4, LeavesQty: 8},
		{OrderQty: 16, CumQty: 4, LeavesQty: 12},
	} {
		v := newOrder(1)
		adapters[i].Verdict(testNow, &v, &order.Trace{})
		fill := simulated.Command{Kind: simulated.CommandFill, OrderID: 1, Qty: 4, Price: 50}
		if err := venues[i].Do(testNow, &fill); err != nil { // the report is not collected
			t.Fatal(err)
		}
		replace := resigned(replaceOf(v, 2), func(v *order.Verdict) { v.OrderQty = 12 })
		adapters[i].Verdict(testNow, &replace, &order.Trace{})
		got, _ := adapters[i].Report(2)
		if got.Kind != order.ReportReplaced || got.OrderQty != want.OrderQty || got.CumQty != want.CumQty ||
			got.LeavesQty != want.LeavesQty {
			t.Errorf("open quantity is %t: %+v, want %v in total, %v executed, %v open",
				i == 1, got, want.OrderQty, want.CumQty, want.LeavesQty)
		}
	}
}

// TestRestatedOrderIsKnownAgain: an order that the venue lets live again can be
// canceled by name, as long as there is room to know it.
func TestRestatedOrderIsKnownAgain(t *testing.T) {
	for _, room := range []bool{true, false} {
		r := newRig(t, func(c *AdapterConfig) { c.OrdersMax = 1 })
		v := r.live(1)
		filled := executed(v, 5, v.OrderQty)
		r.venue.due = []order.Report{filled}
		r.Advance(testNow)
		if !room {
			r.live(2)
		}
		restated := filled
		restated.Kind, restated.ExecID, restated.OrderQty, restated.LeavesQty = order.ReportRestated, 6, 20, 10
		r.venue.due = []order.Report{restated}
		r.Advance(testNow)
		want := Outcome{}
		if !room {
			want = dropped(order.ReasonVenueUnknown)
		}
		if got := r.Cancel(testNow, v.Session, 0, v.ClOrdID); got != want || r.LiveOrders() != 1 {
			t.Errorf("room is %t: cancel %+v, want %+v; %d orders live", room, got, want, r.LiveOrders())
		}
		if got := r.tracked.executed(v.OrderID); room && got != filled.CumQty {
			t.Errorf("%v are known to be executed, want %v", got, filled.CumQty)
		}
	}
}
