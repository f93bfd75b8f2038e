package client

import (
	"context"
	"errors"
	"strings"
	"testing"

	"tollgate/order"
)

// listOf returns legs with rising ClOrdIDs.
func listOf(n int) []order.Request {
	legs := make([]order.Request, n)
	for i := range legs {
		legs[i] = *newOrder(order.ClOrdID(i + 1))
	}
	return legs
}

// TestAListIsSentWhole: the legs follow each other, name the list and its
// length, and are answered one by one.
func TestAListIsSentWhole(t *testing.T) {
	s := newServer(t)
	c := dialTest(t, s.config())
	if _, err := c.NewOrder(newOrder(100)); err != nil {
		t.Fatal(err)
	}
	legs := listOf(3)
	legs[1].Strategy, legs[1].DisplayQty = 9, order.QtyOne
	legs[2].OrdType, legs[2].StopPx = order.OrdTypeStopLimit, 9*order.PriceOne
	answers, err := c.DoList(testContext(t), 77, legs)
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range answers {
		if want := uint64(i + 2); a.Ref != want || a.ClOrdID != legs[i].ClOrdID {
			t.Errorf("answer %d is for request %d, ClOrdID %d: want request %d", i, a.Ref, a.ClOrdID, want)
		}
	}
	s.change(func() {
		if len(s.model.applied) != 4 {
			t.Fatalf("%d requests were applied, want 4", len(s.model.applied))
		}
		for i, got := range s.model.applied[1:] {
			want := legs[i]
			want.MsgType, want.Ref, want.Basket, want.BasketLegs = order.MsgNewOrder, uint64(i+2), 77, 3
			if got != want {
				t.Errorf("leg %d arrived as %+v, want %+v", i, got, want)
			}
		}
		if first := s.model.applied[0]; first.Basket != 0 || first.BasketLegs != 0 {
			t.Errorf("the order before the list names list %d of %d", first.Basket, first.BasketLegs)
		}
	})
}

func TestAListThatCannotBeTakenSendsNothing(t *testing.T) {
	s := newServer(t)
	cfg := s.config()
	cfg.UnansweredMax = 4
	c := dialTest(t, cfg)
	s.change(func() { s.model.silent = true })
	if _, err := c.NewOrder(newOrder(100)); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		basket order.BasketID
		legs   int
		want   string
	}{
		{0, 2, "basket is 0"},
		{7, 0, "list 7 has 0 legs, want 1 to 512"},
		{7, ListLegsMax + 1, "list 7 has 513 legs"},
		{7, 4, ErrTooManyUnanswered.Error()},
	} {
		_, err := c.NewOrderList(row.basket, listOf(row.legs))
		if err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("list %d of %d legs: error is %v, want %q", row.basket, row.legs, err, row.want)
		}
	}
	if got := c.Unanswered(); got != 1 {
		t.Errorf("%d requests are unanswered, want the one before the lists", got)
	}
	if _, err := c.NewOrderList(7, listOf(3)); err != nil || c.Unanswered() != 4 {
		t.Errorf("a list that fits: %v, %d unanswered", err, c.Unanswered())
	}
	c.Close()
	if _, err := c.NewOrderList(7, listOf(1)); !errors.Is(err, ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
}

func TestDoListEndsWithItsContext(t *testing.T) {
	s := newServer(t)
	c := dialTest(t, s.config())
	s.change(func() { s.model.silent = true })
	ctx, cancel := context.WithCancel(testContext(t))
	cancel()
	if answers, err := c.DoList(ctx, 7, listOf(2)); !errors.Is(err, context.Canceled) || answers != nil {
		t.Errorf("answers %v, error %v", answers, err)
	}
}

// TestALongListAllocatesNothing: the legs go where single orders go.
func TestALongListAllocatesNothing(t *testing.T) {
	cfg := testConfig()
	cfg.UnansweredMax = 1 << 16
	c := newClient(cfg.withDefaults())
	legs := listOf(ListLegsMax)
	if n := testing.AllocsPerRun(20, func() {
		if _, err := c.NewOrderList(1, legs); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("a list allocates %v times, want 0", n)
	}
}

// TestWhatTheVenueTakesBackIsDelivered: trade cancels, corrections and
// restatements are answers like any other, with the execution they mean.
func TestWhatTheVenueTakesBackIsDelivered(t *testing.T) {
	w := newWired(t, testConfig())
	w.logIn()
	for _, kind := range []order.ExecType{
		order.ExecTypeTrade, order.ExecTypeTradeCancel, order.ExecTypeTradeCorrect, order.ExecTypeRestated,
	} {
		a := order.Answer{
			OrderID: 5, ExecID: 31, ExecRefID: 29, Price: order.PriceOne, LastPx: 2 * order.PriceOne,
			OrderQty: 9 * order.QtyOne, LastQty: order.QtyOne, CumQty: 3 * order.QtyOne, LeavesQty: 6 * order.QtyOne,
			Session: testSession, Kind: order.AnswerExecution, ExecType: kind, OrdStatus: order.OrdStatusPartiallyFilled,
			Side: order.SideBuy,
		}
		w.give(w.server.say(a))
		a.OutSeq = uint64(len(w.seen.answers))
		if got := w.seen.answers[len(w.seen.answers)-1]; got != a {
			t.Errorf("%v: delivered %+v\n want %+v", kind, got, a)
		}
	}
	if len(w.seen.answers) != 4 {
		t.Errorf("%d answers, want 4", len(w.seen.answers))
	}
}
