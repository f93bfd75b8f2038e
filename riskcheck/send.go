package riskcheck

import "tollgate/order"

// sendNew emits the verdict of a new order.
func (e *Engine) sendNew(o *liveOrder) {
	v := e.verdict(o, uint64(o.id), order.MsgNewOrder)
	v.ClOrdID = o.acked.clOrdID
	asked := o.acked
	asked.qty, asked.price = o.newQty, o.newPrice
	v.setValues(&asked)
	e.config.TokenKey.Sign(v.Verdict)
}

// sendPending emits the verdict of a replace or cancel.
func (e *Engine) sendPending(o *liveOrder, p *pending) {
	v := e.verdict(o, p.seq, p.msgType)
	v.ClOrdID, v.OrigClOrdID = p.clOrdID, p.origClOrdID
	if p.msgType == order.MsgReplaceOrder {
		v.setValues(&p.version)
	} else {
		v.Price, v.ValidUntil = order.Null, p.validUntil
	}
	e.config.TokenKey.Sign(v.Verdict)
}

// outbound is a Verdict under construction.
type outbound struct{ *order.Verdict }

// sendUnasked emits the verdict of a cancel that no request asks for.
func (e *Engine) sendUnasked(o *liveOrder) {
	v := e.verdict(o, o.unaskedSeq, order.MsgCancelOrder)
	v.OrigClOrdID, v.Price = o.acked.clOrdID, order.Null
	e.config.TokenKey.Sign(v.Verdict)
}

// verdict emits a verdict effect with everything but the order's values.
func (e *Engine) verdict(o *liveOrder, seq uint64, msgType order.MsgType) outbound {
	rt := &e.routes[o.route]
	s := &e.sessionRows[rt.session]
	e.fetchExpected()
	f := e.emit(EffectVerdict)
	f.Session, f.Connection = s.ID, s.connection
	v := &f.Verdict
	v.Token.Epoch, v.Token.Seq, v.Token.Expiry = e.config.Epoch, seq, e.now+e.config.TokenLifetimeNs
	v.OrderID, v.StopPx = o.id, order.Null
	v.Strategy = rt.strategy
	v.Group = order.GroupID(e.nodes[rt.nodes[groupLevel]].scope.ID)
	v.Session, v.Account, v.Trader = s.ID, rt.account, rt.trader
	v.Instrument = rt.instrumentID
	v.MsgType, v.Side, v.OrdType, v.TimeInForce = msgType, o.side, o.ordType, o.timeInForce
	return outbound{v}
}

// setValues gives a verdict the values of a version. An order that has got its
// price by protection is a limit order for the venue.
func (v outbound) setValues(from *version) {
	v.Price, v.StopPx, v.OrderQty, v.DisplayQty = from.price, from.stopPx, from.qty, from.displayQty
	v.ValidUntil = from.validUntil
	if v.Price != order.Null {
		switch v.OrdType {
		case order.OrdTypeMarket:
			v.OrdType = order.OrdTypeLimit
		case order.OrdTypeStop:
			v.OrdType = order.OrdTypeStopLimit
		}
	}
}

// rejectNew answers a new order that was refused.
func (e *Engine) rejectNew(s *sessionRow, r *order.Request, d *order.Decision) {
	a := e.answer(s, order.AnswerExecution)
	a.Ref, a.ClOrdID, a.Decision = r.Ref, r.ClOrdID, *d
	a.ExecType, a.OrdStatus, a.MsgType = order.ExecTypeRejected, order.OrdStatusRejected, r.MsgType
	a.Price, a.OrderQty, a.LastPx = r.Price, r.OrderQty, order.Null
	a.Account, a.Trader, a.Instrument, a.Side = r.Account, r.Trader, r.Instrument, r.Side
}

// rejectReplace answers a replace that was refused; the order, if there is one,
// is as it was.
func (e *Engine) rejectReplace(s *sessionRow, r *order.Request, o *liveOrder, d *order.Decision) {
	a := e.refuseChange(s, r.Ref, order.MsgReplaceOrder, o, d)
	a.ClOrdID, a.OrigClOrdID = r.ClOrdID, r.OrigClOrdID
	a.Account, a.Trader, a.Instrument, a.Side = r.Account, r.Trader, r.Instrument, r.Side
}

// rejectCancel answers a cancel that was refused.
func (e *Engine) rejectCancel(s *sessionRow, r *order.Request, o *liveOrder, d *order.Decision) {
	a := e.refuseChange(s, r.Ref, order.MsgCancelOrder, o, d)
	a.ClOrdID, a.OrigClOrdID = r.ClOrdID, r.OrigClOrdID
	a.Account, a.Trader, a.Instrument, a.Side = r.Account, r.Trader, r.Instrument, r.Side
}

// refuseChange answers a replace or cancel that will not happen (FIX
// OrderCancelReject). Without an order OrdStatus is Rejected, as FIX asks for.
func (e *Engine) refuseChange(s *sessionRow, ref uint64, msgType order.MsgType, o *liveOrder, d *order.Decision,
) *order.Answer {
	a := e.answer(s, order.AnswerCancelReject)
	a.Ref, a.MsgType, a.Decision = ref, msgType, *d
	a.Price, a.LastPx, a.OrdStatus = order.Null, order.Null, order.OrdStatusRejected
	if o != nil {
		e.describe(a, o)
		a.Price, a.OrderQty = order.Null, 0
	}
	return a
}

// describe fills an answer with the present state of an order.
func (e *Engine) describe(a *order.Answer, o *liveOrder) {
	rt := &e.routes[o.route]
	a.OrderID, a.ClOrdID = o.id, o.acked.clOrdID
	a.Price, a.OrderQty, a.LastPx = o.acked.price, o.acked.qty, order.Null
	a.CumQty, a.OrdStatus, a.Side = o.cumQty, o.status, o.side
	if !o.status.Terminal() {
		a.LeavesQty = o.leaves(&o.acked)
	}
	a.Account, a.Trader, a.Instrument = rt.account, rt.trader, rt.instrumentID
}
