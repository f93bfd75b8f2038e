package simulated

import (
	"strings"
	"testing"

	"tollgate/order"
)

func TestCommandsAreRead(t *testing.T) {
	for text, want := range map[string]Command{
		"bust 7":              {Kind: CommandBust, ExecID: 7, Price: order.Null},
		"correct 7 2.5 -1":    {Kind: CommandCorrect, ExecID: 7, Qty: 2.5e8, Price: -1e8},
		"repeat 7":            {Kind: CommandRepeat, ExecID: 7, Price: order.Null},
		"fill 9 1 3":          {Kind: CommandFill, OrderID: 9, Qty: 1e8, Price: 3e8},
		"restate 9 1":         {Kind: CommandRestate, OrderID: 9, Qty: 1e8, Price: order.Null},
		"  restate  9 1 0.5 ": {Kind: CommandRestate, OrderID: 9, Qty: 1e8, Price: 5e7},
		"cancel 9":            {Kind: CommandCancel, OrderID: 9, Price: order.Null},
		"end-day":             {Kind: CommandEndDay, Price: order.Null},
	} {
		if got, err := ParseCommand(text); err != nil || got != want {
			t.Errorf("%q is read as %+v, %v: want %+v", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"":          "the command is empty: want one of bust, correct,",
		"sell 7":    `command "sell 7" is unknown`,
		"end-day 7": `"7" is too much; want end-day`,
		"fill 9":    "QTY is missing; want fill ORDERID QTY PRICE",
		"fill x":    "ORDERID: strconv.ParseUint",
		"bust -1":   "EXECID: strconv.ParseUint",
	} {
		if _, err := ParseCommand(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: the error is %v, want %q", text, err, want)
		}
	}
}

func TestUnknownCommandIsAnError(t *testing.T) {
	venue := newVenue(t, nil)
	for _, kind := range []CommandKind{0, CommandEndDay + 1} {
		if err := venue.Do(0, &Command{Kind: kind}); err == nil || !strings.Contains(err.Error(), "command kind is") {
			t.Errorf("kind %d: %v", kind, err)
		}
	}
}

// TestVenueWithoutMemoryUndoesNothing: no executions are kept, and nothing else
// changes.
func TestVenueWithoutMemoryUndoesNothing(t *testing.T) {
	venue := newVenue(t, func(c *Config) { c.ExecutionsRetainedMax = 0 })
	for id, side := range []order.Side{order.SideSell, order.SideBuy} {
		d := limitOrder(order.OrderID(id+1), side, 50, 10)
		venue.Submit(0, &d)
	}
	if n := len(venue.Reports()); n != 3 {
		t.Fatalf("%d reports of a trade, want 3", n)
	}
	for _, kind := range []CommandKind{CommandBust, CommandRepeat, CommandCorrect} {
		c := Command{Kind: kind, ExecID: 3, Qty: 1, Price: 1}
		if err := venue.Do(0, &c); err == nil || !strings.Contains(err.Error(), "the last 0 that are remembered") {
			t.Errorf("%d: %v", kind, err)
		}
	}
}

// TestARevivedOrderLeavesTheFinishedOnes: from the front, the middle and the end
// of their list, and a GTD order expires again.
func TestARevivedOrderLeavesTheFinishedOnes(t *testing.T) {
	for _, id := range []order.OrderID{1, 2, 3} {
		venue := newVenue(t, func(c *Config) { c.OrdersMax, c.FinishedRetainedMax = 3, 3 })
		for n := range order.OrderID(3) {
			d := goodTill(n+1, 100)
			venue.Submit(0, &d)
		}
		for n := range order.OrderID(3) {
			if err := venue.Do(0, &Command{Kind: CommandFill, OrderID: n + 1, Qty: 10, Price: 40}); err != nil {
				t.Fatal(err)
			}
		}
		if err := venue.Do(0, &Command{Kind: CommandRestate, OrderID: id, Qty: 30, Price: order.Null}); err != nil {
			t.Fatal(err)
		}
		if err := venue.Check(); err != nil || venue.LiveOrders() != 1 {
			t.Errorf("order %d lives again: %v, %d live orders", id, err, venue.LiveOrders())
		}
		venue.Advance(101)
		if r := venue.Reports(); len(r) != 1 || r[0].Kind != order.ReportExpired || r[0].OrderID != id {
			t.Errorf("order %d does not expire again: %+v", id, r)
		}
	}
}

func TestAFullVenueRevivesNothing(t *testing.T) {
	venue := newVenue(t, func(c *Config) { c.OrdersMax = 1 })
	first, second := limitOrder(1, order.SideBuy, 50, 10), limitOrder(2, order.SideBuy, 50, 10)
	venue.Submit(0, &first)
	if err := venue.Do(0, &Command{Kind: CommandFill, OrderID: 1, Qty: 10, Price: 50}); err != nil {
		t.Fatal(err)
	}
	venue.Submit(0, &second)
	err := venue.Do(0, &Command{Kind: CommandRestate, OrderID: 1, Qty: 20, Price: order.Null})
	if err == nil || !strings.Contains(err.Error(), "there are 1 live orders, the most there may be") {
		t.Errorf("the error is %v", err)
	}
}

func TestReplacesOpenQtyIsTheInstruments(t *testing.T) {
	venue := newVenue(t, nil)
	for id, want := range map[order.InstrumentID]bool{1: false, 4: true, 3: false, 99: false} {
		if got := venue.ReplacesOpenQty(id); got != want {
			t.Errorf("instrument %d: %t, want %t", id, got, want)
		}
	}
}
