package main

import (
	"context"
	"strings"
	"testing"
	"time"

	"tollgate/gateway/client"
	"tollgate/order"
)

// side is a client of the chain that sends one order at a time.
type side struct {
	t       *testing.T
	client  *client.Client
	account order.AccountID
	next    order.ClOrdID
}

func newSide(r *rig, number int) *side {
	return &side{t: r.t, client: r.dial(number), account: order.AccountID(number)}
}

// limit returns a limit order at 100.
func (s *side) limit(side order.Side, qty int64) order.Request {
	s.next++
	return order.Request{
		MsgType: order.MsgNewOrder, ClOrdID: s.next, Account: s.account, Trader: 1, Instrument: 1, Side: side,
		OrdType: order.OrdTypeLimit, TimeInForce: order.TimeInForceDay, Price: 100 * order.PriceOne,
		StopPx: order.Null, OrderQty: order.Qty(qty) * order.QtyOne,
	}
}

// cancel cancels an order.
func (s *side) cancel(a order.Answer) {
	s.t.Helper()
	s.next++
	s.do(order.Request{
		MsgType: order.MsgCancelOrder, ClOrdID: s.next, OrigClOrdID: a.ClOrdID, Account: s.account,
		Instrument: a.Instrument, Side: a.Side,
	}, order.OrdStatusCanceled)
}

// do sends a request and returns its final answer, which must have the status.
func (s *side) do(r order.Request, want order.OrdStatus) order.Answer {
	s.t.Helper()
	a, err := s.client.Do(s.context(), &r)
	if err != nil {
		s.t.Fatal(err)
	}
	if a.OrdStatus != want {
		s.t.Fatalf("%v of account %d: %v for %v, want %v", r.MsgType, s.account, a.OrdStatus, a.Decision.Reason, want)
	}
	return *a
}

// recv returns the next answer, which must say that this has happened.
func (s *side) recv(want order.ExecType) order.Answer {
	s.t.Helper()
	a, err := s.client.Recv(s.context())
	if err != nil {
		s.t.Fatalf("account %d waits for %v: %v", s.account, want, err)
	}
	if a.ExecType != want {
		s.t.Fatalf("account %d: %v came, want %v: %+v", s.account, a.ExecType, want, a)
	}
	return *a
}

func (s *side) context() context.Context {
	ctx, cancel := context.WithTimeout(s.t.Context(), 20*time.Second)
	s.t.Cleanup(cancel)
	return ctx
}

// position returns what the engine says an account holds of instrument 1.
func position(r *rig, account string) string {
	r.t.Helper()
	for _, in := range r.exposure(account).GetInstruments() {
		if in.GetInstrument() == "XYZ" {
			return in.GetNetPosition()
		}
	}
	return "0" // what an account does not have is left out
}

// TestTheVenueActsByItself lets the venue execute an order after its end and say
// an execution twice: the client is told of the first, nobody of the second, and
// the engine's position is what was executed.
func TestTheVenueActsByItself(t *testing.T) {
	r := startChain(t, "unix", testLimits("unlimited"))
	a, b := newSide(r, 1), newSide(r, 2)
	sell := a.do(a.limit(order.SideSell, 100), order.OrdStatusNew)
	b.do(b.limit(order.SideBuy, 40), order.OrdStatusNew)
	trade := a.recv(order.ExecTypeTrade)
	b.recv(order.ExecTypeTrade)
	a.cancel(sell)

	if err := r.operate("fill %d 10 99.5", sell.OrderID); err != nil {
		t.Fatal(err)
	}
	late := a.recv(order.ExecTypeTrade)
	if late.LastQty != 10*order.QtyOne || late.LastPx != 995*order.PriceOne/10 || late.CumQty != 50*order.QtyOne ||
		late.LeavesQty != 0 || late.OrdStatus != order.OrdStatusCanceled {
		t.Errorf("the late fill is told as %+v", late)
	}
	for _, execID := range []order.ExecID{trade.ExecID, late.ExecID} {
		if err := r.operate("repeat %d", execID); err != nil {
			t.Fatal(err)
		}
	}
	b.do(b.limit(order.SideBuy, 1), order.OrdStatusNew) // reports come in order: what was said twice has arrived
	if got := position(r, "A"); got != "-50" {
		t.Errorf("the position of A is %s, want -50", got)
	}
	for command, want := range map[string]string{
		"fill 1": "QTY is missing", "bust 1": "execution 1 is not one of", "dance": "is unknown: want one of bust,",
		strings.Repeat("x", 2000): "the command is too long",
	} {
		if err := r.operate("%s", command); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: the error is %v, want %q", command, err, want)
		}
	}
}

// TestTheVenuesDayEnds: day orders expire, those that outlive the day stay.
func TestTheVenuesDayEnds(t *testing.T) {
	r := startChain(t, "unix", testLimits("unlimited"))
	a := newSide(r, 1)
	day := a.do(a.limit(order.SideBuy, 10), order.OrdStatusNew)
	stays := a.limit(order.SideBuy, 20)
	stays.TimeInForce = order.TimeInForceGTC
	gtc := a.do(stays, order.OrdStatusNew)
	if err := r.operate("end-day"); err != nil {
		t.Fatal(err)
	}
	if expired := a.recv(order.ExecTypeExpired); expired.OrderID != day.OrderID {
		t.Errorf("order %d expired, want %d", expired.OrderID, day.OrderID)
	}
	if got := r.exposure("A").GetOpenOrders(); got != 1 {
		t.Errorf("%d orders are open, want 1", got)
	}
	a.cancel(gtc)
}

// TestTheVenueTakesATradeBack: a trade is corrected, then canceled, on both sides;
// the clients are told which execution is meant, and the positions follow.
func TestTheVenueTakesATradeBack(t *testing.T) {
	r := startChain(t, "unix", testLimits("unlimited"))
	a, b := newSide(r, 1), newSide(r, 2)
	sell := a.limit(order.SideSell, 100)
	sell.Strategy, sell.DisplayQty = 1, 10*order.QtyOne
	a.do(sell, order.OrdStatusNew)
	b.do(b.limit(order.SideBuy, 10), order.OrdStatusNew)
	sold, bought := a.recv(order.ExecTypeTrade), b.recv(order.ExecTypeTrade)

	if err := r.operate("correct %d 8 99", sold.ExecID); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		side   *side
		traded order.Answer
		leaves order.Qty
		status order.OrdStatus
	}{
		{a, sold, 92 * order.QtyOne, order.OrdStatusPartiallyFilled}, {b, bought, 0, order.OrdStatusFilled},
	} {
		got := c.side.recv(order.ExecTypeTradeCorrect)
		if got.ExecRefID != c.traded.ExecID || got.LastQty != 8*order.QtyOne || got.LastPx != 99*order.PriceOne ||
			got.CumQty != 8*order.QtyOne || got.LeavesQty != c.leaves || got.OrdStatus != c.status {
			t.Errorf("account %d: the correction is told as %+v", c.side.account, got)
		}
	}
	if p, q := position(r, "A"), position(r, "B"); p != "-8" || q != "8" {
		t.Errorf("after the correction the positions are %s and %s, want -8 and 8", p, q)
	}

	corrected := sold.ExecID + 2 // the venue's next report of the seller's
	if err := r.operate("bust %d", corrected); err != nil {
		t.Fatal(err)
	}
	gone := a.recv(order.ExecTypeTradeCancel)
	if gone.ExecRefID != corrected || gone.CumQty != 0 || gone.LeavesQty != 100*order.QtyOne ||
		gone.OrdStatus != order.OrdStatusNew {
		t.Errorf("the trade cancel is told as %+v", gone)
	}
	if ended := b.recv(order.ExecTypeTradeCancel); ended.CumQty != 0 || ended.LeavesQty != 0 {
		t.Errorf("the trade cancel of an order that has ended is told as %+v", ended)
	}
	if p, q := position(r, "A"), position(r, "B"); p != "0" || q != "0" {
		t.Errorf("after the trade cancel the positions are %s and %s, want 0 and 0", p, q)
	}
	if err := r.operate("restate %d 60 100.5", gone.OrderID); err != nil {
		t.Fatal(err)
	}
	restated := a.recv(order.ExecTypeRestated)
	if restated.OrderQty != 60*order.QtyOne || restated.Price != 1005*order.PriceOne/10 ||
		restated.LeavesQty != 60*order.QtyOne {
		t.Errorf("the restatement is told as %+v", restated)
	}
}

// TestStopsThroughTheChain: a stop waits at the venue until a trade elects it.
func TestStopsThroughTheChain(t *testing.T) {
	r := startChain(t, "unix", testLimits("unlimited"))
	a, b := newSide(r, 1), newSide(r, 2)
	stop := a.limit(order.SideBuy, 5)
	stop.OrdType, stop.StopPx, stop.Price = order.OrdTypeStop, 100*order.PriceOne, order.Null
	waits := a.do(stop, order.OrdStatusNew)
	b.do(b.limit(order.SideSell, 30), order.OrdStatusNew)
	a.do(a.limit(order.SideBuy, 1), order.OrdStatusNew)
	if first := a.recv(order.ExecTypeTrade); first.OrderID == waits.OrderID {
		t.Errorf("the stop traded first: %+v", first)
	}
	if elected := a.recv(order.ExecTypeTrade); elected.OrderID != waits.OrderID || elected.CumQty != 5*order.QtyOne {
		t.Errorf("the stop was to trade: %+v", elected)
	}
}

// TestReplaceOfTheOpenQuantity: at an instrument whose venue replaces the open
// quantity, a client's total stays the total.
func TestReplaceOfTheOpenQuantity(t *testing.T) {
	r := startChain(t, "unix", testLimits("unlimited"))
	a, b := newSide(r, 1), newSide(r, 2)
	sell, buy := a.limit(order.SideSell, 100), b.limit(order.SideBuy, 40)
	sell.Instrument, buy.Instrument = 2, 2
	rests := a.do(sell, order.OrdStatusNew)
	b.do(buy, order.OrdStatusNew)
	a.recv(order.ExecTypeTrade)
	replace := sell
	a.next++
	replace.MsgType, replace.OrigClOrdID, replace.ClOrdID = order.MsgReplaceOrder, rests.ClOrdID, a.next
	replace.OrderQty = 70 * order.QtyOne
	got := a.do(replace, order.OrdStatusPartiallyFilled)
	if got.ExecType != order.ExecTypeReplaced || got.OrderQty != 70*order.QtyOne || got.LeavesQty != 30*order.QtyOne {
		t.Errorf("the replace is answered with %+v", got)
	}
}

// TestListsThroughTheChain: a list passes as a whole, or not at all.
func TestListsThroughTheChain(t *testing.T) {
	r := startChain(t, "unix", testLimits("50"))
	a := newSide(r, 1)
	list := func(quantities ...int64) []order.Request {
		var legs []order.Request
		for _, q := range quantities {
			legs = append(legs, a.limit(order.SideBuy, q))
		}
		return legs
	}
	for name, c := range map[string]struct {
		legs []order.Request
		want []order.Reason
	}{
		"good":          {list(10, 20, 30), []order.Reason{order.ReasonNone, order.ReasonNone, order.ReasonNone}},
		"one too large": {list(10, 51), []order.Reason{order.ReasonBasketLeg, order.ReasonMaxOrderQty}},
	} {
		answers, err := a.client.DoList(a.context(), order.BasketID(len(c.legs)), c.legs)
		if err != nil {
			t.Fatal(err)
		}
		for i := range answers {
			if got := answers[i].Decision.Reason; got != c.want[i] || answers[i].ClOrdID != c.legs[i].ClOrdID {
				t.Errorf("%s: leg %d, ClOrdID %d: %v, want %v", name, i, answers[i].ClOrdID, got, c.want[i])
			}
		}
	}
	if got := r.exposure("A").GetOpenOrders(); got != 3 {
		t.Errorf("%d orders are open, want those of the good list, 3", got)
	}
}
