package riskcheck_test

import (
	"fmt"

	"tollgate/order"
)

// requestText writes a request as people read it.
func (n *roll) requestText(r *order.Request) string {
	head := fmt.Sprintf("%s ref %d connection %d: %v clordid %d", n.session(r.Session), r.Ref, r.Connection, r.MsgType,
		r.ClOrdID)
	until := ""
	if r.ValidUntil != 0 {
		until = " until " + clockText(r.ValidUntil)
	}
	switch r.MsgType {
	case order.MsgCancelOrder:
		return fmt.Sprintf("%s orig %d%s", head, r.OrigClOrdID, until)
	case order.MsgMassCancel:
		return fmt.Sprintf("%s account %s instrument %s side %d", head, n.account(r.Account), n.instrument(r.Instrument),
			r.Side)
	}
	more := ""
	if r.Strategy != 0 {
		more += " by " + nameIn(n.strategies, uint32(r.Strategy))
	}
	if r.Basket != 0 {
		more += fmt.Sprintf(" in list %d of %d", r.Basket, r.BasketLegs)
	}
	return fmt.Sprintf("%s orig %d %v(%d) %v %s %v(%d) %s stop %v %v(%d) display %v %s/%s%s%s", head, r.OrigClOrdID, r.Side,
		r.Side, r.OrderQty, n.instrument(r.Instrument), r.OrdType, r.OrdType, at(r.Price), r.StopPx, r.TimeInForce,
		r.TimeInForce, r.DisplayQty, n.account(r.Account), n.trader(r.Trader), more, until)
}

// reportText writes a venue report as people read it.
func (n *roll) reportText(r *order.Report) string {
	text := fmt.Sprintf("venue report %d: %v order %d seq %d exec %d", r.ReportSeq, r.Kind, r.OrderID, r.Seq, r.ExecID)
	switch r.Kind {
	case order.ReportTrade, order.ReportTradeCancel, order.ReportTradeCorrect:
		text += fmt.Sprintf(" %v %v @ %v of %d for %s/%s/%s/%s", r.Side, r.LastQty, r.LastPx, r.ExecRefID,
			n.session(r.Session), n.account(r.Account), n.trader(r.Trader), n.instrument(r.Instrument))
	case order.ReportReplaced, order.ReportRestated:
		text += fmt.Sprintf(" %v %s", r.OrderQty, at(r.Price))
	}
	return text
}

// worldText writes the reference data that runs change.
func (n *roll) worldText(w *world) string {
	text := ""
	for i := range w.instruments {
		r := &w.instruments[i]
		text += fmt.Sprintf("%s{settlement %v low %v high %v qty %v-%v age %d tradable %v sides %v types %v times %v} ",
			n.instrument(r.id), r.settlement, r.low, r.high, r.minQty, r.maxQty, r.maxAgeNs, r.tradable, r.sides, r.ordTypes,
			r.timesInForce)
	}
	return fmt.Sprintf("%s sessions %v traders %v", text, w.sessions, w.traders)
}

// limitsText writes a set of limits.
func (n *roll) limitsText(rows []limitRow) string {
	text := "limits"
	for _, r := range rows {
		text += fmt.Sprintf("\n     limit %s %s %d", n.scope(r.scope), r.kind, r.value)
		if r.until != 0 {
			text += fmt.Sprintf(" until %s then %d", clockText(r.until), r.then)
		}
		if r.watch != 0 || r.warn != 0 || r.act != 0 {
			text += fmt.Sprintf(" watch %d warn %d act %v", r.watch, r.warn, r.act)
		}
	}
	return text
}
