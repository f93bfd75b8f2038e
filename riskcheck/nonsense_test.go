package riskcheck_test

import (
	"slices"
	"testing"

	"tollgate/order"
	"tollgate/riskcheck"
)

// TestVenueTalksNonsense has the venue say what no venue should: what may be risk
// is told, and what clients may do is not worn out by it.
func TestVenueTalksNonsense(t *testing.T) {
	t.Run("a cancel that is answered as a replace", func(t *testing.T) {
		e := newEdge(t, nil)
		r := e.order(order.SideBuy, 2, 1)
		id := e.accepted(r)
		for range 4 {
			e.clOrdID++
			cancel := &order.Request{MsgType: order.MsgCancelOrder, Session: 1, ClOrdID: e.clOrdID, OrigClOrdID: r.ClOrdID}
			seq := uint64(e.accepted(cancel))
			e.say(order.Report{Kind: order.ReportReplaced, OrderID: id, Seq: seq, Price: order.Null})
			e.say(order.Report{Kind: order.ReportCancelReject, OrderID: id, Seq: seq})
		}
		if state, _ := e.engine.Order(id); state.PendingCancels != 0 {
			t.Errorf("%d cancels are under way", state.PendingCancels)
		}
		e.clOrdID++
		e.accepted(&order.Request{MsgType: order.MsgCancelOrder, Session: 1, ClOrdID: e.clOrdID, OrigClOrdID: r.ClOrdID})
	})
	t.Run("an execution on no side", func(t *testing.T) {
		e := newEdge(t, nil)
		e.say(order.Report{Kind: order.ReportTrade, OrderID: 900, LastQty: 5, LastPx: 1})
		if causes := e.alerts(); !slices.Contains(causes, riskcheck.AlertUnknownTrade) {
			t.Errorf("told are %v", causes)
		}
		if u, _ := e.engine.Usage(order.Scope{Type: order.ScopeAccount, ID: 1, Instrument: 1}); u.Net() != 0 {
			t.Errorf("%s is booked on a side that nobody has named", u.Net())
		}
	})
	t.Run("a correction of itself", func(t *testing.T) {
		e := newEdge(t, nil)
		id := e.accepted(e.order(order.SideBuy, 2, 1))
		e.say(order.Report{Kind: order.ReportTradeCorrect, OrderID: id, ExecRefID: e.exec + 1, LastQty: 1, LastPx: 1})
		if causes := e.alerts(); !slices.Contains(causes, riskcheck.AlertTradeCorrect) {
			t.Errorf("told are %v", causes)
		}
		e.refused(e.order(order.SideBuy, 1, 1), order.ReasonReduceOnly)
	})
}
