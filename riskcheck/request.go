package riskcheck

import "tollgate/order"

// Request takes one request of a client. The session layer comes first: what
// is not the next request of the session's newest connection changes nothing.
func (e *Engine) Request(now int64, r *order.Request) {
	met := e.meet(r)
	e.begin(now)
	e.fetchExpected()
	e.request(r)
	e.finish()
	if met != nil {
		*met = expectation{}
	}
}

func (e *Engine) request(r *order.Request) {
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
	e.inSequence(s, r)
}

// inSequence takes the next request of a session. A list of orders that has begun
// ends with anything but its next order.
func (e *Engine) inSequence(s *sessionRow, r *order.Request) {
	broke := s.basket.held() && !s.basket.continuedBy(r)
	if broke {
		e.breakBasket(s)
	}
	switch r.MsgType {
	case order.MsgNewOrder:
		if r.Basket != 0 {
			e.basketLeg(s, r, broke)
			return
		}
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
	c.begin(nil)
	e.lookup(c, r)
	if e.judgeNew(c, r) {
		e.fetchExpected()
		e.reach(c, r)
		seq := e.cancelCrossed()
		o := e.acceptNew(s, c, r, seq)
		e.stamp(c, r)
		e.sendNew(o)
	} else {
		e.rejectNew(s, r, &c.decision)
		e.refused(c, c.decision.Reason)
	}
	e.countAttempt(s)
}

// begin prepares the candidate for a request.
func (c *candidate) begin(replaced *liveOrder) {
	c.replaced, c.notable, c.measured, c.kind, c.at = replaced, false, false, 0, -1
}

// judgeNew evaluates the controls in order.
func (e *Engine) judgeNew(c *candidate, r *order.Request) bool {
	return e.checkKill(c, r) &&
		e.checkSession(c, r) &&
		e.checkReference(c, r) &&
		e.checkPermission(c, r) &&
		e.checkOrderQty(c, r) &&
		e.checkNotional(c, r) &&
		e.checkCollar(c, r) &&
		e.checkProtection(c, r) &&
		e.checkParticipation(c, r) &&
		e.checkDuplicate(c, r) &&
		e.checkRate(c) &&
		e.checkExecutions(c) &&
		e.checkNewExposure(c, r) &&
		e.checkShortSale(c, r) &&
		e.checkTurnover(c) &&
		e.checkLoss(c, r.Side) &&
		e.checkOrderToTrade(c, r) &&
		e.checkSelfMatch(c, r) &&
		e.checkRejects(c)
}

// checkNewExposure is controls 13 to 17 for a new order, which adds all it asks
// for.
func (e *Engine) checkNewExposure(c *candidate, r *order.Request) bool {
	c.addQty, c.add = r.OrderQty, c.notional
	e.measureUse(c, r.Side)
	return e.checkOpenOrders(c) &&
		e.checkOpenNotional(c) &&
		e.checkPosition(c, r.Side) &&
		e.checkExposure(c, r.Side) &&
		e.checkBuyingPower(c, r.Side)
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
		return c.refuseRule(order.ReasonExpired, e.now, r.ValidUntil)
	}
	return e.useName(c, r)
}

// acceptNew reserves a new order. What it counts for is stamped by itself.
func (e *Engine) acceptNew(s *sessionRow, c *candidate, r *order.Request, seq uint64) *liveOrder {
	i, forgotten := e.orders.take()
	if forgotten != 0 {
		e.orderAt.remove(e.hashOrderID(forgotten), i)
	}
	o := &e.orders.orders[i]
	*o = liveOrder{
		acked: newVersion(c, r), id: order.OrderID(seq), newRef: r.Ref, newVersion: e.configVersion, newQty: r.OrderQty,
		newPrice: c.price,
		place:    i, route: c.routeAt, requests: noIndex, generation: o.generation, status: order.OrdStatusPendingNew,
		side: r.Side, ordType: r.OrdType, timeInForce: r.TimeInForce,
	}
	e.orderAt.put(e.hashOrderID(o.id), i)
	e.nameOrder(c, i)
	e.link(s, i)
	e.reserve(o, 1, c.addQty, c.add)
	e.enterSelf(i)
	return o
}

// hashOrderID is the hash an order stands under.
func (e *Engine) hashOrderID(id order.OrderID) uint32 { return hashID(uint64(id), e.config.HashSeed) }

// order returns an order that is live or remembered, nil if there is none.
func (e *Engine) order(id order.OrderID) *liveOrder {
	t, h := &e.orderAt, e.hashOrderID(id)
	for i := t.home(h); t.slots[i] != 0; i = t.next(i) {
		if at, ok := t.at(i, h); ok && e.orders.orders[at].id == id {
			return &e.orders.orders[at]
		}
	}
	return nil
}

// replaceOrder judges a replace and reserves the worst of old and new, or
// rejects it.
func (e *Engine) replaceOrder(s *sessionRow, r *order.Request) {
	c := &e.scratch
	o, found := e.named(r.Session, r.OrigClOrdID)
	c.begin(o)
	if o != nil {
		e.use(c, o.route)
	} else {
		e.lookup(c, r)
	}
	if e.judgeReplace(c, r, o, found) {
		e.reach(c, r)
		e.cancelCrossed()
		p := e.acceptReplace(c, r, o)
		e.stamp(c, r)
		e.sendPending(o, p)
	} else {
		e.rejectReplace(s, r, o, &c.decision)
		e.refused(c, c.decision.Reason)
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
		e.checkOrderQty(c, r) &&
		e.checkNotional(c, r) &&
		e.checkCollar(c, r) &&
		e.checkProtection(c, r) &&
		e.checkParticipation(c, r) &&
		e.checkRate(c) &&
		e.checkStrategyLatch(c, r, o) &&
		e.checkReplaceExposure(c, r, o) &&
		e.checkOrderToTrade(c, r) &&
		e.checkSelfMatch(c, r) &&
		e.checkRejectsReplace(c, r, o)
}

// checkReplaced is the part of control 2 about the order a replace is for.
func (e *Engine) checkReplaced(c *candidate, r *order.Request, o *liveOrder, found bool) bool {
	switch {
	case !found:
		return c.refuse(order.ReasonUnknownOrder)
	case o == nil || o.status.Terminal():
		return c.refuse(order.ReasonTooLate)
	case o.replaces == pendingReplacesMax:
		return c.refuseRule(order.ReasonPendingRequests, int64(o.replaces)+1, pendingReplacesMax)
	}
	rt := &e.routes[o.route]
	switch {
	case r.Account != rt.account, r.Trader != rt.trader, r.Strategy != rt.strategy,
		r.Instrument != rt.instrumentID,
		r.Side != o.side, r.OrdType != o.ordType, r.TimeInForce != o.timeInForce:
		return c.refuse(order.ReasonReplaceMismatch)
	case r.OrderQty <= o.cumQty:
		return c.refuseRule(order.ReasonReplaceBelowCumQty, int64(r.OrderQty), int64(o.cumQty))
	}
	return true
}

// checkReplaceExposure is controls 14 to 20 for a replace: only what the
// reservation would rise by is judged, and what does not rise passes.
func (e *Engine) checkReplaceExposure(c *candidate, r *order.Request, o *liveOrder) bool {
	p := e.newPending(c, r, o)
	qty, notional, ok := e.worstCase(o, &p)
	if !ok {
		return c.refuse(order.ReasonArithOverflow)
	}
	c.addQty = qty - o.reservedQty
	for i := range notional {
		c.add[i] = notional[i] - o.reserved[i]
	}
	e.measureUse(c, r.Side)
	rises := c.add[firmMoney] > 0
	if !rises && c.add[accountMoney] > 0 && !e.openFits(c) {
		return c.refuse(order.ReasonArithOverflow)
	}
	return (!rises || e.checkOpenNotional(c)) &&
		(c.addQty <= 0 || e.checkPosition(c, r.Side)) &&
		(!rises || e.checkExposure(c, r.Side)) &&
		(!rises || e.checkBuyingPower(c, r.Side)) &&
		(c.addQty <= 0 && e.checkShortPrice(c, r) || c.addQty > 0 && e.checkShortSale(c, r)) &&
		(!rises || e.checkTurnover(c)) &&
		(!rises && c.addQty <= 0 || e.checkLoss(c, r.Side))
}

// newVersion returns the values a request asks for.
func newVersion(c *candidate, r *order.Request) version {
	return version{
		clOrdID: r.ClOrdID, qty: r.OrderQty, price: c.price, worstPrice: c.worstPrice, stopPx: r.StopPx,
		displayQty: r.DisplayQty, validUntil: r.ValidUntil, rates: c.rates,
	}
}

// newPending returns what a replace would have pending.
func (e *Engine) newPending(c *candidate, r *order.Request, o *liveOrder) pending {
	return pending{
		version: newVersion(c, r), origClOrdID: r.OrigClOrdID, seq: e.seq, ref: r.Ref, limits: e.configVersion,
		cumAt: o.cumQty, next: noIndex, msgType: order.MsgReplaceOrder,
		openQty: e.instrumentRows[c.route.instrument].ReplaceOpenQty,
	}
}

// acceptReplace adds a pending version to the order.
func (e *Engine) acceptReplace(c *candidate, r *order.Request, o *liveOrder) *pending {
	p := e.orders.pend(o)
	*p = e.newPending(c, r, o)
	o.replaces++
	e.nameOrder(c, o.place)
	e.reserve(o, 0, c.addQty, c.add)
	e.reenterSelf(o.place)
	return p
}

// stamp counts an accepted new or replace request wherever accepted requests
// count.
func (e *Engine) stamp(c *candidate, r *order.Request) {
	e.stampRate(c)
	e.count(c, r, 1)
	if r.MsgType == order.MsgNewOrder {
		e.countExecution(c, 1)
		e.stampRecent(r)
	}
}

// count counts an accepted request for the day, and what it adds for the minute, at
// every holder of its path, or takes it back with sign −1 within the same second.
func (e *Engine) count(c *candidate, r *order.Request, sign int32) {
	p := &c.route.path
	for level, i := range p.nodes {
		if i == noIndex {
			continue
		}
		add := c.add[moneyOf(level*holdersPerLevel)]
		n := &e.nodes[i]
		n.dayUsed += int64(sign)
		n.bothUsed += int64(sign)
		e.countAt(&n.dayCount, sign, 0, add)
		e.countAt(&e.cells[p.cells[level]].dayCount, sign, r.OrderQty, add)
		if i := p.classes[level]; i != noIndex {
			e.countAt(&e.classCells[i].dayCount, sign, r.OrderQty, add)
		}
	}
}

// countAt is count at one holder.
func (e *Engine) countAt(d *dayCount, sign int32, qty order.Qty, add order.Money) {
	d.orders += sign
	tally(&d.ordered, &d.orderedHigh, order.Qty(sign)*qty)
	if d.minute != noIndex && add > 0 {
		m := &e.minutes[d.minute]
		m.at(e.now / secondNs)
		m.add(order.Money(sign) * add)
	}
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
		e.stampCancel(&e.routes[o.route].path)
	} else {
		e.rejectCancel(s, r, o, &c.decision)
	}
	e.countCancel(s)
}

// checkCanceled says why a cancel is pointless, if it is.
func (e *Engine) checkCanceled(c *candidate, r *order.Request, o *liveOrder, found bool) bool {
	switch {
	case r.ValidUntil != 0 && r.ValidUntil < e.now:
		return c.refuseRule(order.ReasonExpired, e.now, r.ValidUntil)
	case !found:
		return c.refuse(order.ReasonUnknownOrder)
	case o == nil || o.status.Terminal():
		return c.refuse(order.ReasonTooLate)
	case o.cancels == pendingCancelsMax:
		return c.refuseRule(order.ReasonPendingRequests, int64(o.cancels)+1, pendingCancelsMax)
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
		(r.Instrument == 0 || r.Instrument == rt.instrumentID) &&
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
	if s.attempts.exceeded(&e.stamps, e.now, secondNs) {
		e.disconnect(s)
	}
}

// countCancel warns, then cuts, a session that cancels too fast. Its cancels
// have been passed on.
func (e *Engine) countCancel(s *sessionRow) {
	if s.cancels.exceeded(&e.stamps, e.now, secondNs) {
		f := e.emit(EffectWarn)
		f.Session, f.Connection, f.Reason = s.ID, s.connection, order.ReasonMessageRate
	}
	if s.cancelsCut.exceeded(&e.stamps, e.now, secondNs) {
		e.disconnect(s)
	}
}

func (e *Engine) disconnect(s *sessionRow) {
	f := e.emit(EffectDisconnect)
	f.Session, f.Connection, f.Reason = s.ID, s.connection, order.ReasonMessageRate
}
