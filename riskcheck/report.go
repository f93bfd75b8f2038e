package riskcheck

import "tollgate/order"

// execution answers with an execution report on an order.
func (e *Engine) execution(s *sessionRow, o *liveOrder, r *order.Report, execType order.ExecType) *order.Answer {
	a := e.answer(s, order.AnswerExecution)
	e.describe(a, o)
	a.ExecType, a.ExecID = execType, r.ExecID
	return a
}

// onNew: the venue has the order. A fill that overtook the acknowledgement
// keeps its status (C23).
func (e *Engine) onNew(s *sessionRow, o *liveOrder, r *order.Report) {
	if o.status == order.OrdStatusPendingNew {
		o.status = order.OrdStatusNew
	}
	e.answerNew(o, e.execution(s, o, r, order.ExecTypeNew))
}

// answerNew makes an answer the final one to the new order, unless that was
// answered before. It then carries the version of the limits that accepted it.
func (e *Engine) answerNew(o *liveOrder, a *order.Answer) {
	if !o.newAnswered {
		o.newAnswered = true
		a.Ref, a.ConfigVersion = o.newRef, o.newVersion
	}
}

// answerPending makes an answer the final one to a replace or cancel.
func answerPending(p *pending, a *order.Answer) { a.Ref, a.ConfigVersion = p.ref, p.limits }

// onRejected: the order never lived.
func (e *Engine) onRejected(s *sessionRow, o *liveOrder, r *order.Report) {
	e.end(s, o, order.OrdStatusRejected)
	a := e.execution(s, o, r, order.ExecTypeRejected)
	a.Decision.Reason, a.MsgType = r.Reason, order.MsgNewOrder
	e.answerNew(o, a)
}

// onReplaced: a pending version is in force. The venue's values are the truth:
// they hold even if the version is not known (restatement).
func (e *Engine) onReplaced(s *sessionRow, o *liveOrder, r *order.Report) {
	orig := o.acked.clOrdID
	p, ok := e.orders.unpend(o, r.Seq)
	if ok && p.msgType == order.MsgReplaceOrder {
		o.replaces--
		o.acked = p.version
	}
	if r.OrderQty > 0 { // anything else says nothing: the version's own stands
		o.acked.qty = r.OrderQty
	}
	if r.Price != order.Null && r.Price != o.acked.price {
		o.acked.price, o.acked.worstPrice = r.Price, r.Price
	}
	e.judgeLeaves(s, o)
	a := e.execution(s, o, r, order.ExecTypeReplaced)
	a.OrigClOrdID = orig
	if ok {
		answerPending(&p, a)
	}
}

// judgeLeaves ends an order that has nothing left, brings one back that the
// venue has enlarged after it was filled, and settles the reservation. While a
// replace asks for more than has been executed the order is not over: whether
// the venue took the replace before the last execution is not known, and what is
// unknown stays reserved.
func (e *Engine) judgeLeaves(s *sessionRow, o *liveOrder) {
	executed := o.cumQty >= o.acked.qty
	waits := executed && e.asksForMore(o)
	switch {
	case executed && !waits && !o.status.Terminal():
		e.end(s, o, order.OrdStatusFilled)
		return
	case !executed && o.status == order.OrdStatusFilled:
		e.revive(s, o)
	}
	if !o.status.Terminal() {
		o.status = workingStatus(o, waits)
	}
	e.settle(o)
}

// workingStatus returns the status of an order that is not over.
func workingStatus(o *liveOrder, waits bool) order.OrdStatus {
	switch {
	case waits:
		return order.OrdStatusPendingReplace
	case o.cumQty > 0:
		return order.OrdStatusPartiallyFilled
	case o.status == order.OrdStatusPendingReplace:
		return order.OrdStatusNew
	}
	return o.status
}

// asksForMore reports whether a pending replace would leave something open.
func (e *Engine) asksForMore(o *liveOrder) bool {
	for i := o.requests; i != noIndex; i = e.orders.requests[i].next {
		if p := &e.orders.requests[i]; p.msgType == order.MsgReplaceOrder && p.qty > o.cumQty {
			return true
		}
	}
	return false
}

// onChangeReject: a replace or cancel was refused; the order is as it was.
func (e *Engine) onChangeReject(s *sessionRow, o *liveOrder, r *order.Report) {
	if r.Seq != 0 && r.Seq == o.unaskedSeq {
		o.unaskedSeq, o.unaskedReason = 0, order.ReasonNone
		return
	}
	p, ok := e.orders.unpend(o, r.Seq)
	if !ok {
		return
	}
	e.forgetPending(o, &p)
	if !o.status.Terminal() {
		e.judgeLeaves(s, o)
	}
	a := e.refuseChange(s, p.ref, p.msgType, o, &order.Decision{Reason: r.Reason})
	answerPending(&p, a)
	a.ClOrdID, a.OrigClOrdID = p.clOrdID, p.origClOrdID
}

// forgetPending takes an answered request out of the order's counts.
func (e *Engine) forgetPending(o *liveOrder, p *pending) {
	if p.msgType == order.MsgReplaceOrder {
		o.replaces--
	} else {
		o.cancels--
	}
}

// onCanceled: the order is gone, asked for or not.
func (e *Engine) onCanceled(s *sessionRow, o *liveOrder, r *order.Report) {
	execType, status := order.ExecTypeCanceled, order.OrdStatusCanceled
	if r.Kind == order.ReportExpired {
		execType, status = order.ExecTypeExpired, order.OrdStatusExpired
	}
	reason := r.Reason
	if r.Seq != 0 && r.Seq == o.unaskedSeq {
		reason = o.unaskedReason
		o.unaskedSeq, o.unaskedReason = 0, order.ReasonNone
	}
	p, ok := e.orders.unpend(o, r.Seq)
	if ok {
		e.forgetPending(o, &p)
	}
	e.end(s, o, status)
	a := e.execution(s, o, r, execType)
	a.Decision.Reason = reason
	if ok {
		answerPending(&p, a)
		a.ClOrdID, a.OrigClOrdID = p.clOrdID, p.origClOrdID
	}
}

// onTrade: a fill is applied always and once, whatever state the order is in
// (C08, C12, C13). A report of nothing, or less, is told and not booked.
func (e *Engine) onTrade(s *sessionRow, o *liveOrder, r *order.Report) {
	if !e.executed.first(o.id, r.ExecID) {
		return
	}
	if r.LastQty > 0 {
		rt := &e.routes[o.route]
		e.book(rt.cells, rt.instrument, o.side, r)
		if sum, ok := order.AddQty(o.cumQty, r.LastQty); ok {
			o.cumQty = sum
		} else {
			o.cumQty = order.Unlimited
		}
		if !o.status.Terminal() {
			e.judgeLeaves(s, o)
		}
	}
	a := e.execution(s, o, r, order.ExecTypeTrade)
	a.LastQty, a.LastPx = r.LastQty, r.LastPx
}

// book moves a fill into the positions of every scope.
func (e *Engine) book(cells [order.ScopeLevels]int32, instrument int32, side order.Side, r *order.Report) {
	in := &e.instrumentRows[instrument]
	for _, i := range cells {
		if i == noIndex {
			continue
		}
		cl := &e.cells[i]
		filled := &cl.filledBuy
		if !side.IsBuy() {
			filled = &cl.filledSell
		}
		var ok bool
		if *filled, ok = order.AddQty(*filled, r.LastQty); !ok {
			cl.lost = true
		}
	}
	in.lastFill = pricePoint{r.LastPx, 1}
	e.remark(in)
	for _, i := range cells {
		if i != noIndex {
			e.value(&e.cells[i], in)
		}
	}
}

// end makes an order terminal: nothing of it stays reserved. Its place is kept
// for late reports until it is needed.
func (e *Engine) end(s *sessionRow, o *liveOrder, status order.OrdStatus) {
	if o.status.Terminal() {
		return
	}
	o.status = status
	e.settle(o)
	e.countOpen(&e.routes[o.route], -1)
	at, _ := e.orderAt.get(key{uint64(o.id), 0})
	e.unlink(s, int32(at))
	e.orders.retire(int32(at))
}

// revive makes a filled order live again.
func (e *Engine) revive(s *sessionRow, o *liveOrder) {
	at, _ := e.orderAt.get(key{uint64(o.id), 0})
	e.orders.unlinkTerminal(int32(at))
	o.status = order.OrdStatusPartiallyFilled
	e.link(s, int32(at))
	e.countOpen(&e.routes[o.route], 1)
}

// reportUnknown takes a report on an order the engine does not know (any more).
// A trade is booked by the identity in the report, and told: late truth wins.
// Anything else is about a state nobody has, and changes nothing.
func (e *Engine) reportUnknown(r *order.Report) {
	if r.Kind != order.ReportTrade || !e.bookUnknown(r) {
		return
	}
	s := e.session(r.Session)
	if s == nil {
		return
	}
	a := e.answer(s, order.AnswerExecution)
	a.OrderID, a.ClOrdID, a.ExecID = r.OrderID, r.ClOrdID, r.ExecID
	a.Account, a.Trader, a.Instrument, a.Side = r.Account, r.Trader, r.Instrument, r.Side
	a.Price, a.OrderQty, a.CumQty, a.LeavesQty = r.Price, r.OrderQty, r.CumQty, r.LeavesQty
	a.LastQty, a.LastPx = r.LastQty, r.LastPx
	a.ExecType, a.OrdStatus = order.ExecTypeTrade, order.OrdStatusPartiallyFilled
	if r.LeavesQty == 0 {
		a.OrdStatus = order.OrdStatusFilled
	}
}

// bookUnknown books a trade by identity and reports whether it was new.
func (e *Engine) bookUnknown(r *order.Report) bool {
	if !e.executed.first(r.OrderID, r.ExecID) {
		return false
	}
	in, ok := e.instruments.get(key{uint64(r.Instrument), 0})
	if !ok || len(e.nodes) == 0 || r.LastQty <= 0 {
		return true
	}
	cells := [order.ScopeLevels]int32{}
	for level, scope := range [...]order.Scope{
		{Type: order.ScopeFirm, ID: uint32(e.firm.ID)},
		{Type: order.ScopeGroup, ID: uint32(r.Group)},
		{Type: order.ScopeAccount, ID: uint32(r.Account)},
		{Type: order.ScopeTrader, ID: uint32(r.Trader)},
		{Type: order.ScopeSession, ID: uint32(r.Session)},
	} {
		n, _, err := e.find(scope)
		if err != nil || !e.hasRoomFor(n, int32(in)) {
			cells[level] = noIndex
			continue
		}
		cells[level] = e.cell(n, int32(in))
	}
	e.book(cells, int32(in), r.Side, r)
	return true
}
