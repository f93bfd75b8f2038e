package riskcheck_test

import (
	"testing"

	"tollgate/order"
	"tollgate/riskcheck"
)

// TestLimitsFillTheCells states limits at as many scopes with an instrument as
// there is room for, and at one more: the first set is taken, the second refused.
func TestLimitsFillTheCells(t *testing.T) {
	const room = 8
	e := newEdge(t, func(c *riskcheck.Config) { c.CellsMax = room })
	entries := func(n int) []riskcheck.LimitEntry {
		var out []riskcheck.LimitEntry
		for level := order.ScopeFirm; level <= order.ScopeStrategy; level++ {
			for id := range order.InstrumentID(2) {
				if len(out) < n {
					out = append(out, riskcheck.LimitEntry{
						Scope: order.Scope{Type: level, ID: 1, Instrument: id + 1}, Kind: riskcheck.LimitMaxOrderQty, Value: 5,
					})
				}
			}
		}
		return out
	}
	e.limit(entries(room)...)
	if err := e.engine.ApplyLimits(e.now, unbound(entries(room+1)...)); err == nil {
		t.Error("one scope more than there is room for is taken")
	}
	if _, err := e.engine.Kill(e.now, order.Scope{Type: order.ScopeFirm, ID: 1, Instrument: 1}); err != nil {
		t.Errorf("kill of a scope that is there: %v", err)
	}
	e.limit(entries(room)...)
}

// TestStampsRunOut gives the windows less room than the messages need that they
// are to count: what cannot be counted is refused, it does not pass uncounted.
func TestStampsRunOut(t *testing.T) {
	rate := func(s order.Scope, value int64) riskcheck.LimitEntry {
		return riskcheck.LimitEntry{Scope: s, Kind: riskcheck.LimitMessagesPerSecond, Value: value}
	}
	t.Run("two windows want the same ring", func(t *testing.T) {
		e := newEdge(t, func(c *riskcheck.Config) { c.StampsMax = 8 }, rate(edgeFirm, 100), rate(edgeSession, 2))
		for range 3 {
			e.refused(e.order(order.SideBuy, order.QtyOne, order.PriceOne), order.ReasonCapacity)
		}
	})
	t.Run("two windows of one scope want the same ring", func(t *testing.T) {
		minute := riskcheck.LimitEntry{Scope: edgeFirm, Kind: riskcheck.LimitMessagesPerMinute, Value: 2}
		e := newEdge(t, func(c *riskcheck.Config) { c.StampsMax = 8 }, rate(edgeFirm, 100), minute)
		e.refused(e.order(order.SideBuy, order.QtyOne, order.PriceOne), order.ReasonCapacity)
	})
	t.Run("a list wants more than the next ring", func(t *testing.T) {
		e := newEdge(t, func(c *riskcheck.Config) { c.StampsMax = 16 }, rate(edgeFirm, 40))
		e.basket(20, order.ReasonCapacity)
	})
	t.Run("a list after a ring that counts no more", func(t *testing.T) {
		e := newEdge(t, func(c *riskcheck.Config) { c.StampsMax = 24 }, rate(edgeFirm, 40))
		for range 8 {
			e.accepted(e.order(order.SideBuy, order.QtyOne, order.PriceOne))
		}
		e.now += 2e9
		e.basket(20, order.ReasonCapacity)
	})
	t.Run("there is just enough", func(t *testing.T) {
		e := newEdge(t, func(c *riskcheck.Config) { c.StampsMax = 8 + 32 + 128 }, rate(edgeFirm, 40))
		e.basket(40, order.ReasonNone)
		e.refused(e.order(order.SideBuy, order.QtyOne, order.PriceOne), order.ReasonMessageRate)
	})
	t.Run("rejects have no room", func(t *testing.T) {
		rejects := riskcheck.LimitEntry{Scope: edgeSession, Kind: riskcheck.LimitConsecutiveRejects, Value: 2}
		e := newEdge(t, func(c *riskcheck.Config) { c.StampsMax = 1 }, rejects)
		e.refused(e.order(order.SideBuy, order.QtyOne, order.PriceOne), order.ReasonCapacity)
	})
}

// basket sends a list of orders; each is refused for the reason or because another
// one was, or the list passes.
func (e *edge) basket(legs int, want order.Reason) {
	e.t.Helper()
	found := false
	for range legs {
		r := e.order(order.SideBuy, order.QtyOne, order.PriceOne)
		r.Basket, r.BasketLegs = 1, uint16(legs)
		_, _ = e.send(r)
	}
	sent := 0
	for _, f := range e.engine.Effects() {
		switch f.Kind {
		case riskcheck.EffectVerdict:
			sent++
		case riskcheck.EffectAnswer:
			reason := e.engine.Answer(f.Session, f.OutSeq).Decision.Reason
			found = found || reason == want
			if reason != want && reason != order.ReasonBasketLeg {
				e.t.Errorf("a leg is refused: %v, want %v", reason, want)
			}
		}
	}
	switch {
	case want == order.ReasonNone && sent != legs:
		e.t.Errorf("%d of %d legs are sent", sent, legs)
	case want != order.ReasonNone && (sent != 0 || !found):
		e.t.Errorf("%d of %d legs are sent, want %v", sent, legs, want)
	}
}

// TestAnswersOfOneInputAreRetained breaks the largest list there can be under the
// smallest configuration: all of its answers can be delivered.
func TestAnswersOfOneInputAreRetained(t *testing.T) {
	config := smallConfig()
	for config.AnswersRetained = 1; config.Validate() != nil; config.AnswersRetained++ {
	}
	e := newEdge(t, func(c *riskcheck.Config) { c.AnswersRetained = config.AnswersRetained })
	const legs = 512
	for range legs - 1 {
		r := e.order(order.SideBuy, order.QtyOne, order.PriceOne)
		r.Basket, r.BasketLegs = 1, legs
		_, _ = e.send(r)
	}
	e.engine.Disconnected(e.now, 1, e.connection)
	answers := 0
	for _, f := range e.engine.Effects() {
		if e.engine.Answer(f.Session, f.OutSeq) == nil {
			t.Fatalf("answer %d of %d is gone before it was delivered", f.OutSeq, legs-1)
		}
		answers++
	}
	if answers != legs-1 {
		t.Errorf("%d answers, want %d", answers, legs-1)
	}
}

// TestOrdersThatWaitAreNotInTheWay ends orders while the venue owes an answer about
// each. They keep their places until it has come; then the one that has been free
// for longest is forgotten first.
func TestOrdersThatWaitAreNotInTheWay(t *testing.T) {
	const room = 4
	e := newEdge(t, func(c *riskcheck.Config) { c.OrdersMax = room })
	var ids [room]order.OrderID
	var cancels [room]uint64
	for i := range ids {
		r := e.order(order.SideBuy, 1, 1)
		ids[i] = e.accepted(r)
		e.clOrdID++
		cancel := &order.Request{
			MsgType: order.MsgCancelOrder, Session: 1, ClOrdID: e.clOrdID, OrigClOrdID: r.ClOrdID, Price: order.Null,
			StopPx: order.Null,
		}
		cancels[i] = uint64(e.accepted(cancel))
	}
	for _, id := range ids {
		e.say(order.Report{Kind: order.ReportTrade, OrderID: id, Side: order.SideBuy, LastQty: 1, LastPx: 1})
	}
	e.refused(e.order(order.SideBuy, 1, 1), order.ReasonCapacity)
	for _, i := range []int{2, 0} {
		e.say(order.Report{Kind: order.ReportCancelReject, OrderID: ids[i], Seq: cancels[i], Reason: order.ReasonTooLate})
	}
	for _, i := range []int{2, 0} {
		if _, known := e.engine.Order(ids[i]); !known {
			t.Errorf("order %d is forgotten too early", i)
		}
		e.accepted(e.order(order.SideBuy, 1, 1))
		if _, known := e.engine.Order(ids[i]); known {
			t.Errorf("order %d is not forgotten", i)
		}
	}
	e.refused(e.order(order.SideBuy, 1, 1), order.ReasonCapacity)
}

// TestVenueThatDoesNotAcknowledge has a venue execute, cancel or expire orders at
// once, without a word that it has them: they have ended, and take no place for good.
func TestVenueThatDoesNotAcknowledge(t *testing.T) {
	const room = 3
	e := newEdge(t, func(c *riskcheck.Config) { c.OrdersMax = room })
	for i := range 4 * room {
		id := e.accepted(e.order(order.SideBuy, 1, 1))
		kind := [...]order.ReportKind{order.ReportTrade, order.ReportCanceled, order.ReportExpired}[i%3]
		e.say(order.Report{Kind: kind, OrderID: id, Side: order.SideBuy, LastQty: 1, LastPx: 1})
	}
	if n := e.engine.OpenOrders(edgeFirm); n != 0 {
		t.Errorf("%d orders are open", n)
	}
}

// TestCommandsThatSayNothingTakeNoRoom releases and unkills scopes of which nothing
// is said, and asks about them, where there is room for one route.
func TestCommandsThatSayNothingTakeNoRoom(t *testing.T) {
	e := newEdge(t, func(c *riskcheck.Config) { c.CellsMax = 6 })
	for level := order.ScopeFirm; level <= order.ScopeStrategy; level++ {
		for _, s := range []order.Scope{{Instrument: 1}, {Instrument: 2}, {Class: 1}} {
			s.Type, s.ID = level, 1
			if err := e.engine.Unkill(e.now, s); err == nil {
				t.Errorf("%+v is unkilled", s)
			}
			if err := e.engine.Release(e.now, s, riskcheck.LatchLimit); err == nil {
				t.Errorf("%+v is released", s)
			}
			_, _ = e.engine.Usage(s)
			_, _ = e.engine.DayUse(s)
		}
	}
	r := e.order(order.SideBuy, 1, 1)
	r.Strategy = 1
	e.accepted(r)
}

// TestTruthTakesTheLastRoom has an execution of an unknown order come while there
// is room for three scopes more: it is booked at the widest three, and told.
func TestTruthTakesTheLastRoom(t *testing.T) {
	e := newEdge(t, func(c *riskcheck.Config) { c.CellsMax = 8 })
	e.accepted(e.order(order.SideBuy, 1, 1)) // five levels
	e.say(order.Report{Kind: order.ReportTrade, OrderID: 900, Instrument: 2, Side: order.SideBuy, LastQty: 5, LastPx: 1})
	for level, want := range map[order.ScopeType]order.Qty{
		order.ScopeFirm: 5, order.ScopeGroup: 5, order.ScopeAccount: 5, order.ScopeTrader: 0, order.ScopeSession: 0,
	} {
		if u, _ := e.engine.Usage(order.Scope{Type: level, ID: 1, Instrument: 2}); u.Net() != want {
			t.Errorf("%v holds %s, want %s", level, u.Net(), want)
		}
	}
	if causes := e.alerts(); len(causes) == 0 || causes[0] != riskcheck.AlertUnknownTrade {
		t.Errorf("told are %v", causes)
	}
	if err := e.engine.SetPosition(e.now, 1, 2, 7); err != nil {
		t.Errorf("a position where there is room: %v", err)
	}
	if err := e.engine.SetPosition(e.now, 2, 2, 7); err == nil {
		t.Error("a position where there is no room is taken")
	}
	if err := e.engine.SetLocate(e.now, 1, 2, 7); err != nil {
		t.Errorf("a locate where there is room: %v", err)
	}
	if err := e.engine.SetLocate(e.now, 2, 1, 7); err == nil {
		t.Error("a locate where there is no room is taken")
	}
}
