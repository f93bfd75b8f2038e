package riskcheck

import "tollgate/order"

// Request takes one request of a client. The session layer comes first: what
// is not the next request of the session's newest connection changes nothing.
func (e *Engine) Request(now int64, r *order.Request) {
	e.begin(now)
	s := e.session(r.Session)
	if s == nil || !s.connected || s.connection != r.Connection {
		f := e.emit(EffectStale)
		f.Session, f.Connection, f.Ref = r.Session, r.Connection, r.Ref
		return
	}
	if r.Ref != s.nextRef {
		e.outOfOrder(s, r)
		return
	}
	s.nextRef++
	e.seq++
	switch r.MsgType {
	case order.MsgNewOrder:
		e.newOrder(s, r)
	case order.MsgReplaceOrder:
		e.replaceOrder(s, r)
	case order.MsgCancelOrder:
		e.cancelOrder(s, r)
	case order.MsgMassCancel:
		e.massCancel(s, r)
	default:
		e.rejectNew(s, r, &order.Decision{Reason: order.ReasonMalformed})
	}
}

// outOfOrder answers a request whose ref is not the expected one with a hint.
func (e *Engine) outOfOrder(s *sessionRow, r *order.Request) {
	kind, ref, outSeq := EffectGap, s.nextRef, uint64(0)
	if r.Ref < s.nextRef {
		kind, ref, outSeq = EffectDuplicate, r.Ref, s.stream.answerTo(r.Ref)
	}
	f := e.emit(kind)
	f.Session, f.Connection, f.Ref, f.OutSeq = s.ID, s.connection, ref, outSeq
}

// newOrder judges a new order and reserves or rejects it.
func (e *Engine) newOrder(s *sessionRow, r *order.Request) {
	c := &e.scratch
	c.replaced = nil
	e.lookup(c, r)
	if e.judgeNew(c, r) {
		e.acceptNew(s, c, r)
	} else {
		e.rejectNew(s, r, &c.decision)
	}
	e.countAttempt(s)
}

// judgeNew evaluates the controls in order.
func (e *Engine) judgeNew(c *candidate, r *order.Request) bool {
	return e.checkKill(c) &&
		e.checkSession(c, r) &&
		e.checkReference(c, r) &&
		e.checkPermission(c, r) &&
		checkOrderQty(c, r) &&
		e.checkNotional(c, r) &&
		e.checkCollar(c, r) &&
		e.checkRate(c) &&
		e.checkNewExposure(c, r)
}

// checkNewExposure is controls 13 to 16 for a new order, which adds all it asks
// for.
func (e *Engine) checkNewExposure(c *candidate, r *order.Request) bool {
	c.addQty, c.addNotional = r.OrderQty, c.notional
	return e.checkOpenOrders(c) &&
		e.checkOpenNotional(c) &&
		e.checkPosition(c, r.Side) &&
		e.checkExposure(c, r.Side)
}

// checkSession is control 2 for new orders and replaces, but for what concerns
// the order a replace is for.
func (e *Engine) checkSession(c *candidate, r *order.Request) bool {
	switch {
	case !e.venue.up:
		return c.refuse(order.ReasonVenueUnavailable)
	case c.unresolved == order.ReasonCapacity || e.clOrdIDs.full() || c.replaced == nil && !e.orders.available():
		return c.refuse(order.ReasonCapacity)
	case !r.Side.Valid() || !r.OrdType.Valid() || !r.TimeInForce.Valid() || r.ClOrdID == 0:
		return c.refuse(order.ReasonMalformed)
	case r.ValidUntil != 0 && r.ValidUntil < e.now:
		return c.refuseAt(order.ReasonExpired, order.Scope{}, e.now, r.ValidUntil)
	}
	if _, used := e.clOrdIDs.get(clOrdKey(r.Session, r.ClOrdID)); used {
		return c.refuse(order.ReasonDuplicateClOrdID)
	}
	e.clOrdIDs.put(clOrdKey(r.Session, r.ClOrdID), clOrdNoOrder)
	return true
}

// acceptNew reserves a new order and sends it towards the venue.
func (e *Engine) acceptNew(s *sessionRow, c *candidate, r *order.Request) {
	i, forgotten := e.orders.take()
	if forgotten != 0 {
		e.orderAt.remove(key{uint64(forgotten), 0})
	}
	o := &e.orders.orders[i]
	*o = liveOrder{
		acked: version{
			clOrdID: r.ClOrdID, qty: r.OrderQty, price: r.Price, worstPrice: c.worstPrice,
			displayQty: r.DisplayQty, validUntil: r.ValidUntil,
		},
		id: order.OrderID(e.seq), newRef: r.Ref, newVersion: e.configVersion, route: c.routeAt, requests: noIndex,
		generation: o.generation, status: order.OrdStatusPendingNew,
		side: r.Side, ordType: r.OrdType, timeInForce: r.TimeInForce,
	}
	e.orderAt.put(key{uint64(o.id), 0}, uint64(i))
	e.nameOrder(s.ID, r.ClOrdID, i)
	e.link(s, i)
	e.countOpen(c.route, 1)
	e.reserve(o, c.addQty, c.addNotional)
	e.stampRate(c)
	e.sendNew(o)
}

// replaceOrder judges a replace and reserves the worst of old and new, or
// rejects it.
func (e *Engine) replaceOrder(s *sessionRow, r *order.Request) {
	c := &e.scratch
	o, found := e.named(r.Session, r.OrigClOrdID)
	c.replaced = o
	if o != nil {
		e.use(c, o.route)
	} else {
		e.lookup(c, r)
	}
	if e.judgeReplace(c, r, o, found) {
		e.acceptReplace(c, r, o)
	} else {
		e.rejectReplace(s, r, o, &c.decision)
	}
	e.countAttempt(s)
}

// judgeReplace evaluates the controls in order on the new values.
func (e *Engine) judgeReplace(c *candidate, r *order.Request, o *liveOrder, found bool) bool {
	return e.checkKillReplace(c, r, o) &&
		e.checkSession(c, r) &&
		e.checkReplaced(c, r, o, found) &&
		e.checkReference(c, r) &&
		e.checkPermission(c, r) &&
		checkOrderQty(c, r) &&
		e.checkNotional(c, r) &&
		e.checkCollar(c, r) &&
		e.checkRate(c) &&
		e.checkReplaceExposure(c, r, o)
}

// checkReplaced is the part of control 2 about the order a replace is for.
func (e *Engine) checkReplaced(c *candidate, r *order.Request, o *liveOrder, found bool) bool {
	switch {
	case !found:
		return c.refuse(order.ReasonUnknownOrder)
	case o == nil || o.status.Terminal():
		return c.refuse(order.ReasonTooLate)
	case o.replaces == pendingReplacesMax:
		return c.refuseAt(order.ReasonPendingRequests, order.Scope{}, int64(o.replaces)+1, pendingReplacesMax)
	}
	rt := &e.routes[o.route]
	switch {
	case r.Account != rt.account, r.Trader != rt.trader, r.Instrument != e.instrumentRows[rt.instrument].ID,
		r.Side != o.side, r.OrdType != o.ordType, r.TimeInForce != o.timeInForce:
		return c.refuse(order.ReasonReplaceMismatch)
	case r.OrderQty <= o.cumQty:
		return c.refuseAt(order.ReasonReplaceBelowCumQty, order.Scope{}, int64(r.OrderQty), int64(o.cumQty))
	}
	return true
}

// checkReplaceExposure is controls 14 to 16 for a replace: only what the
// reservation would rise by is judged, and what does not rise passes.
func (e *Engine) checkReplaceExposure(c *candidate, r *order.Request, o *liveOrder) bool {
	v := newVersion(c, r)
	qty, notional, ok := e.worstCase(o, &v)
	if !ok {
		return c.refuse(order.ReasonArithOverflow)
	}
	c.addQty, c.addNotional = qty-o.reservedQty, notional-o.reservedNotional
	return (c.addNotional <= 0 || e.checkOpenNotional(c)) &&
		(c.addQty <= 0 || e.checkPosition(c, r.Side)) &&
		(c.addNotional <= 0 || e.checkExposure(c, r.Side))
}

// newVersion returns the values a replace asks for.
func newVersion(c *candidate, r *order.Request) version {
	return version{
		clOrdID: r.ClOrdID, qty: r.OrderQty, price: r.Price, worstPrice: c.worstPrice,
		displayQty: r.DisplayQty, validUntil: r.ValidUntil,
	}
}

// acceptReplace adds a pending version to the order and sends it towards the
// venue.
func (e *Engine) acceptReplace(c *candidate, r *order.Request, o *liveOrder) {
	p := e.orders.pend(o)
	p.version, p.origClOrdID = newVersion(c, r), r.OrigClOrdID
	p.seq, p.ref, p.limits, p.msgType = e.seq, r.Ref, e.configVersion, order.MsgReplaceOrder
	o.replaces++
	at, _ := e.orderAt.get(key{uint64(o.id), 0})
	e.nameOrder(r.Session, r.ClOrdID, int32(at))
	e.reserve(o, c.addQty, c.addNotional)
	e.stampRate(c)
	e.sendPending(o, p)
}

// cancelOrder sends a cancel towards the venue. No limit, throttle or kill is
// asked: only an order that cannot be canceled makes it a reject.
func (e *Engine) cancelOrder(s *sessionRow, r *order.Request) {
	c := &e.scratch
	o, found := e.named(r.Session, r.OrigClOrdID)
	if e.checkCanceled(c, r, o, found) {
		p := e.orders.pend(o)
		p.clOrdID, p.origClOrdID, p.validUntil = r.ClOrdID, r.OrigClOrdID, r.ValidUntil
		p.seq, p.ref, p.limits, p.msgType = e.seq, r.Ref, e.configVersion, order.MsgCancelOrder
		o.cancels++
		e.sendPending(o, p)
	} else {
		e.rejectCancel(s, r, o, &c.decision)
	}
	e.countCancel(s)
}

// checkCanceled says why a cancel is pointless, if it is.
func (e *Engine) checkCanceled(c *candidate, r *order.Request, o *liveOrder, found bool) bool {
	switch {
	case r.ValidUntil != 0 && r.ValidUntil < e.now:
		return c.refuseAt(order.ReasonExpired, order.Scope{}, e.now, r.ValidUntil)
	case !found:
		return c.refuse(order.ReasonUnknownOrder)
	case o == nil || o.status.Terminal():
		return c.refuse(order.ReasonTooLate)
	case o.cancels == pendingCancelsMax:
		return c.refuseAt(order.ReasonPendingRequests, order.Scope{}, int64(o.cancels)+1, pendingCancelsMax)
	}
	return true
}

// massCancel cancels the session's live orders that match; zero matches all.
func (e *Engine) massCancel(s *sessionRow, r *order.Request) {
	a := e.answer(s, order.AnswerMassCancel)
	a.Ref, a.ClOrdID, a.MsgType = r.Ref, r.ClOrdID, order.MsgMassCancel
	a.Account, a.Instrument, a.Side = r.Account, r.Instrument, r.Side
	affected := uint32(0)
	for i := s.live; i != noIndex; {
		o := &e.orders.orders[i]
		i = o.after
		if e.matches(o, r) {
			e.cancelUnasked(o, order.ReasonNone)
			affected++
		}
	}
	a.Affected = affected
	e.countCancel(s)
}

func (e *Engine) matches(o *liveOrder, r *order.Request) bool {
	rt := &e.routes[o.route]
	return (r.Account == 0 || r.Account == rt.account) &&
		(r.Instrument == 0 || r.Instrument == e.instrumentRows[rt.instrument].ID) &&
		(r.Side == 0 || r.Side == o.side)
}

// cancelUnasked sends a cancel that no request of its own asks for: by mass
// cancel, kill or cancel-on-disconnect. One at a time is enough for an order.
func (e *Engine) cancelUnasked(o *liveOrder, reason order.Reason) {
	if reason != order.ReasonNone {
		o.unaskedReason = reason
	}
	if o.unaskedSeq != 0 {
		return
	}
	e.seq++
	o.unaskedSeq = e.seq
	e.sendUnasked(o)
}

// countAttempt applies the second, cutting rate limit of a session, which
// counts rejected messages too.
func (e *Engine) countAttempt(s *sessionRow) {
	if s.attempts.exceeded(e.now) {
		e.disconnect(s)
	}
}

// countCancel warns, then cuts, a session that cancels too fast. Its cancels
// have been passed on.
func (e *Engine) countCancel(s *sessionRow) {
	if s.cancels.exceeded(e.now) {
		f := e.emit(EffectWarn)
		f.Session, f.Connection, f.Reason = s.ID, s.connection, order.ReasonMessageRate
	}
	if s.cancelsCut.exceeded(e.now) {
		e.disconnect(s)
	}
}

func (e *Engine) disconnect(s *sessionRow) {
	f := e.emit(EffectDisconnect)
	f.Session, f.Connection, f.Reason = s.ID, s.connection, order.ReasonMessageRate
}
