package riskcheck

import "tollgate/order"

// execution answers with an execution report on an order.
func (e *Engine) execution(s *sessionRow, o *liveOrder, r *order.Report, execType order.ExecType) *order.Answer {
	a := e.answer(s, order.AnswerExecution)
	e.describe(a, o)
	a.ExecType, a.ExecID, a.ExecRefID = execType, r.ExecID, r.ExecRefID
	return a
}

// onNew: the venue has the order. A fill that overtook the acknowledgement
// keeps its status (C23).
func (e *Engine) onNew(s *sessionRow, o *liveOrder, r *order.Report) {
	if o.status == order.OrdStatusPendingNew {
		o.status = order.OrdStatusNew
	}
	if !o.newAnswered {
		e.endRejects(&e.routes[o.route].nodes)
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
	if !o.newAnswered {
		e.countReject(&e.routes[o.route].nodes, r.Reason)
	}
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
		o.acked = p.version
		e.endRejects(&e.routes[o.route].nodes)
	}
	fits := e.takeTruth(s, o, r)
	a := e.execution(s, o, r, order.ExecTypeReplaced)
	a.OrigClOrdID = orig
	if ok {
		answerPending(&p, a)
	}
	if !fits {
		e.lateTruth(&e.routes[o.route].path, AlertRestated, o.id, int64(r.OrderQty), false)
	}
}

// onRestated: the venue has changed the order by itself. Its values are the truth
// even above a limit.
func (e *Engine) onRestated(s *sessionRow, o *liveOrder, r *order.Report) {
	before := o.reserved
	qty := o.reservedQty
	fits := e.takeTruth(s, o, r)
	a := e.execution(s, o, r, order.ExecTypeRestated)
	a.Decision.Reason = r.Reason
	if !fits || o.reservedQty > qty || o.reserved[firmMoney] > before[firmMoney] {
		e.lateTruth(&e.routes[o.route].path, AlertRestated, o.id, int64(max(o.reservedQty, o.leaves(&o.acked))), fits)
	}
}

// takeTruth takes the venue's quantity and price of an order, and reports whether
// what it has to reserve then fits.
func (e *Engine) takeTruth(s *sessionRow, o *liveOrder, r *order.Report) bool {
	if r.OrderQty > 0 { // anything else says nothing: the version's own stands
		o.acked.qty = r.OrderQty
	}
	if r.Price != order.Null && o.acked.price != order.Null && r.Price != o.acked.price {
		o.acked.price, o.acked.worstPrice = r.Price, r.Price
	}
	fits := e.judgeLeaves(s, o)
	e.rerank(o)
	return fits
}

// rerank gives a live order the place among the group's orders that its versions
// ask for.
func (e *Engine) rerank(o *liveOrder) {
	if o.self.resting {
		e.reenterSelf(o.place)
	}
}

// lateTruth tells of what the venue said after the fact, and latches what it has
// brought above a limit. If what is open does not fit any more it is above all
// limits, and the account is latched in the instrument whatever is stated.
func (e *Engine) lateTruth(p *path, cause AlertCause, id order.OrderID, value int64, fits bool) {
	scope := order.Scope{}
	if p.cells[accountLevel] != noIndex {
		scope = e.scopeAt(p, accountLevel*holdersPerLevel+instrumentHolder)
	}
	e.alert(scope, Alert{Cause: cause, OrderID: id, Value: value})
	e.latchExceeded(p, fits)
	if !fits && p.cells[accountLevel] != noIndex {
		e.latch(holderOf{&e.cells[p.cells[accountLevel]].book, scope}, LatchLateTruth, 0, 0, 0)
	}
}

// judgeLeaves ends an order that has nothing left, brings one back that the
// venue has enlarged after it was filled, and settles the reservation. While a
// replace asks for more than has been executed the order is not over: whether
// the venue took the replace before the last execution is not known, and what is
// unknown stays reserved. It reports whether the reservation fits.
func (e *Engine) judgeLeaves(s *sessionRow, o *liveOrder) bool {
	executed := o.cumQty >= o.acked.qty
	waits := executed && e.asksForMore(o)
	switch {
	case executed && !waits && !o.status.Terminal():
		e.end(s, o, order.OrdStatusFilled)
		return true
	case !executed && o.status == order.OrdStatusFilled:
		e.revive(s, o)
	}
	if o.status.Terminal() {
		return true
	}
	o.status = workingStatus(o, waits)
	return e.settle(o)
}

// workingStatus returns the status of an order that is not over.
func workingStatus(o *liveOrder, waits bool) order.OrdStatus {
	switch {
	case waits:
		return order.OrdStatusPendingReplace
	case o.cumQty > 0:
		return order.OrdStatusPartiallyFilled
	case o.status == order.OrdStatusPendingReplace, o.status == order.OrdStatusPartiallyFilled:
		return order.OrdStatusNew
	}
	return o.status
}

// asksForMore reports whether a pending replace would leave something open.
func (e *Engine) asksForMore(o *liveOrder) bool {
	for i := o.requests; i != noIndex; i = e.orders.requests[i].next {
		if p := &e.orders.requests[i]; p.msgType == order.MsgReplaceOrder && p.leaves(o) > 0 {
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
	if p.msgType == order.MsgReplaceOrder {
		e.countReject(&e.routes[o.route].nodes, r.Reason)
	}
	if !o.status.Terminal() {
		e.judgeLeaves(s, o)
		e.rerank(o)
	}
	a := e.refuseChange(s, p.ref, p.msgType, o, &order.Decision{Reason: r.Reason})
	answerPending(&p, a)
	a.ClOrdID, a.OrigClOrdID = p.clOrdID, p.origClOrdID
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
	x, first := e.executed.first(o.id, r.ExecID)
	if !first {
		return
	}
	rt := &e.routes[o.route]
	over := order.Qty(0)
	ended := o.status.Terminal()
	others := false
	if r.LastQty > 0 {
		x.booked = e.valueFill(&e.instrumentRows[rt.instrument], rt.accounts, o.side, r.LastQty, r.LastPx, &o.acked.rates)
		e.bookFill(&rt.path, rt.accounts, o.side, &x.booked, 1, 1)
		o.cumQty = addSaturating(o.cumQty, r.LastQty)
		over = o.cumQty - o.acked.qty
		if e.asksForMore(o) {
			over = 0
		}
		e.endRejects(&rt.nodes)
		if !ended {
			e.judgeLeaves(s, o)
		}
		others = e.markFill(&rt.path, r.LastPx)
	}
	a := e.execution(s, o, r, order.ExecTypeTrade)
	a.LastQty, a.LastPx = r.LastQty, r.LastPx
	switch {
	case r.LastQty <= 0:
		return
	case over > 0:
		e.lateTruth(&rt.path, AlertOverfill, o.id, int64(over), true)
	case ended:
		e.lateTruth(&rt.path, AlertLateFill, o.id, int64(r.LastQty), true)
	}
	e.judgeFill(&rt.path, others)
}

// onTradeCancel: the venue undoes an execution.
func (e *Engine) onTradeCancel(s *sessionRow, o *liveOrder, r *order.Report) {
	if _, first := e.executed.first(o.id, r.ExecID); !first {
		return
	}
	rt := &e.routes[o.route]
	b, ok := e.takenBack(&rt.path, rt.accounts, o.side, r, &o.acked.rates)
	fits := true
	if ok {
		e.bookFill(&rt.path, rt.accounts, o.side, &b, -1, -1)
		fits = e.executedLess(s, o, b.qty, 0)
		e.revaluePath(&rt.path)
	}
	a := e.execution(s, o, r, order.ExecTypeTradeCancel)
	a.LastQty, a.LastPx = r.LastQty, r.LastPx
	if ok {
		e.lateTruth(&rt.path, AlertTradeCancel, o.id, int64(b.qty), fits)
		e.judgePath(&rt.path)
	}
}

// meant returns the execution that a trade cancel or correction is about, nil if it
// is not remembered. Nothing is about itself.
func (e *Engine) meant(r *order.Report) *execution {
	if r.ExecRefID == r.ExecID {
		return nil
	}
	return e.executed.find(r.OrderID, r.ExecRefID)
}

// takenBack returns what a trade cancel takes back: the execution it names, once,
// or, if that is not remembered, what the report says it was.
func (e *Engine) takenBack(p *path, account int32, side order.Side, r *order.Report, rates *[currencies]order.FxRate,
) (booked, bool) {
	if x := e.meant(r); x != nil {
		b := x.booked
		x.booked = booked{}
		return b, b.qty > 0
	}
	if r.LastQty <= 0 {
		return booked{}, false
	}
	return e.valueFill(&e.instrumentRows[p.instrument], account, side, r.LastQty, r.LastPx, rates), true
}

// executedLess takes back executed quantity, with something else in its place. What
// a live order has open changes with it; an order that has ended stays as it is. It
// reports whether the reservation fits.
func (e *Engine) executedLess(s *sessionRow, o *liveOrder, less, instead order.Qty) bool {
	o.cumQty = addSaturating(max(0, o.cumQty-less), instead)
	return o.status.Terminal() || e.judgeLeaves(s, o)
}

// onTradeCorrect: the venue gives an execution another quantity and price.
func (e *Engine) onTradeCorrect(s *sessionRow, o *liveOrder, r *order.Report) {
	x, first := e.executed.first(o.id, r.ExecID)
	if !first {
		return
	}
	rt := &e.routes[o.route]
	others, fits := false, true
	old, ok := e.correct(&rt.path, rt.accounts, o.side, r, x, &o.acked.rates)
	if ok {
		fits = e.executedLess(s, o, old.qty, x.qty)
		others = e.markFill(&rt.path, r.LastPx)
	}
	a := e.execution(s, o, r, order.ExecTypeTradeCorrect)
	a.LastQty, a.LastPx = r.LastQty, r.LastPx
	e.tellCorrect(&rt.path, r, ok, fits)
	if ok {
		e.judgeFill(&rt.path, others)
	}
}

// correct takes an execution back and books it as the report says. It returns
// what was taken back; an execution that is not remembered, or was taken back
// before, cannot be corrected.
func (e *Engine) correct(p *path, account int32, side order.Side, r *order.Report, x *execution,
	rates *[currencies]order.FxRate,
) (booked, bool) {
	old := e.meant(r)
	if old == nil || old.qty == 0 || r.LastQty <= 0 {
		return booked{}, false
	}
	b := old.booked
	old.booked = booked{}
	x.booked = e.valueFill(&e.instrumentRows[p.instrument], account, side, r.LastQty, r.LastPx, rates)
	x.day, x.calendar = b.day, b.calendar // it stands in the place of what it corrects
	e.bookFill(p, account, side, &b, -1, 0)
	e.bookFill(p, account, side, &x.booked, 1, 0)
	return b, true
}

// tellCorrect tells of a correction. One that could not be booked leaves the
// position in doubt.
func (e *Engine) tellCorrect(p *path, r *order.Report, ok, fits bool) {
	if ok {
		e.lateTruth(p, AlertTradeCorrect, r.OrderID, int64(r.LastQty), fits)
		return
	}
	if e.meant(r) != nil || p.cells[accountLevel] == noIndex {
		return
	}
	scope := e.scopeAt(p, accountLevel*holdersPerLevel+instrumentHolder)
	e.alert(scope, Alert{Cause: AlertTradeCorrect, OrderID: r.OrderID, Value: int64(r.LastQty)})
	e.latch(holderOf{&e.cells[p.cells[accountLevel]].book, scope}, LatchLateTruth, 0, 0, 0)
}

// end makes an order terminal: nothing of it stays reserved.
func (e *Engine) end(s *sessionRow, o *liveOrder, status order.OrdStatus) {
	if o.status.Terminal() {
		return
	}
	o.status = status
	e.unreserve(o)
	e.unlink(s, o.place)
	e.leaveSelf(o.place)
}

// revive makes a filled order live again.
func (e *Engine) revive(s *sessionRow, o *liveOrder) {
	e.orders.unretire(o.place)
	o.status = order.OrdStatusPartiallyFilled
	e.link(s, o.place)
	e.reserve(o, 1, 0, amounts{})
	e.enterSelf(o.place)
}

// reportUnknown takes a report on an order the engine does not know (any more).
// An execution, or the end or change of one, is booked by the identity in the
// report, and told: late truth wins. Anything else is about a state nobody has,
// and changes nothing.
func (e *Engine) reportUnknown(r *order.Report) {
	execType := order.ExecTypeTrade
	switch r.Kind {
	case order.ReportTrade:
	case order.ReportTradeCancel:
		execType = order.ExecTypeTradeCancel
	case order.ReportTradeCorrect:
		execType = order.ExecTypeTradeCorrect
	default:
		return
	}
	x, first := e.executed.first(r.OrderID, r.ExecID)
	if !first {
		return
	}
	if s := e.session(r.Session); s != nil {
		e.answerUnknown(s, r, execType)
	}
	p, account, ok := e.pathOfReport(r)
	switch {
	case ok:
		e.bookUnknown(&p, account, r, x)
	case r.LastQty > 0: // nothing can be booked in an instrument nobody knows, or on no side
		e.alert(order.Scope{}, Alert{Cause: causeOf(r.Kind), OrderID: r.OrderID, Value: int64(r.LastQty)})
	}
}

// causeOf returns the cause of the alert about an execution nobody can book.
func causeOf(k order.ReportKind) AlertCause {
	switch k {
	case order.ReportTradeCancel:
		return AlertTradeCancel
	case order.ReportTradeCorrect:
		return AlertTradeCorrect
	}
	return AlertUnknownTrade
}

// answerUnknown tells the session of an execution of an order nobody knows.
func (e *Engine) answerUnknown(s *sessionRow, r *order.Report, execType order.ExecType) {
	a := e.answer(s, order.AnswerExecution)
	a.OrderID, a.ClOrdID, a.ExecID, a.ExecRefID = r.OrderID, r.ClOrdID, r.ExecID, r.ExecRefID
	a.Account, a.Trader, a.Instrument, a.Side = r.Account, r.Trader, r.Instrument, r.Side
	a.Price, a.OrderQty, a.CumQty, a.LeavesQty = r.Price, r.OrderQty, r.CumQty, r.LeavesQty
	a.LastQty, a.LastPx = r.LastQty, r.LastPx
	a.ExecType, a.OrdStatus = execType, order.OrdStatusPartiallyFilled
	if r.LeavesQty == 0 {
		a.OrdStatus = order.OrdStatusFilled
	}
}

// bookUnknown books an execution of an order nobody knows.
func (e *Engine) bookUnknown(p *path, account int32, r *order.Report, x *execution) {
	rates := [currencies]order.FxRate{order.FxRateOne, order.FxRateOne}
	in := &e.instrumentRows[p.instrument]
	switch r.Kind {
	case order.ReportTrade:
		if r.LastQty <= 0 {
			return
		}
		x.booked = e.valueFill(in, account, r.Side, r.LastQty, r.LastPx, &rates)
		e.bookFill(p, account, r.Side, &x.booked, 1, 1)
		others := e.markFill(p, r.LastPx)
		e.lateTruth(p, AlertUnknownTrade, r.OrderID, int64(r.LastQty), true)
		e.judgeFill(p, others)
	case order.ReportTradeCancel:
		if b, ok := e.takenBack(p, account, r.Side, r, &rates); ok {
			e.bookFill(p, account, r.Side, &b, -1, -1)
			e.revaluePath(p)
			e.lateTruth(p, AlertTradeCancel, r.OrderID, int64(b.qty), true)
			e.judgePath(p)
		}
	case order.ReportTradeCorrect:
		_, ok := e.correct(p, account, r.Side, r, x, &rates)
		others := ok && e.markFill(p, r.LastPx)
		e.tellCorrect(p, r, ok, true)
		if ok {
			e.judgeFill(p, others)
		}
	}
}

// pathOfReport resolves the identity in a report, as far as it is known and there is
// room for it, and reports whether anything can be booked by it.
func (e *Engine) pathOfReport(r *order.Report) (path, int32, bool) {
	in, ok := e.instruments.get(idKey(uint64(r.Instrument)))
	if !ok || len(e.nodes) == 0 || !r.Side.Valid() {
		return path{}, noIndex, false
	}
	account := noIndex
	nodes := [levelsMax]int32{}
	for level, scope := range [...]order.Scope{
		{Type: order.ScopeFirm, ID: uint32(e.firm.ID)},
		{Type: order.ScopeGroup, ID: uint32(r.Group)},
		{Type: order.ScopeAccount, ID: uint32(r.Account)},
		{Type: order.ScopeTrader, ID: uint32(r.Trader)},
		{Type: order.ScopeSession, ID: uint32(r.Session)},
		{Type: order.ScopeStrategy, ID: uint32(r.Strategy)},
	} {
		nodes[level] = e.nodeOf(scope)
	}
	nodes = e.withRoom(nodes, int32(in))
	if n := nodes[accountLevel]; n != noIndex {
		account = e.nodes[n].account
	}
	return e.pathOf(nodes, int32(in)), account, true
}
