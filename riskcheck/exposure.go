package riskcheck

import "tollgate/order"

// worst finds the scope with the least headroom among those that are breached.
// Scopes are considered from wide to narrow, so a tie goes to the wider one.
type worst struct {
	decision order.Decision
	headroom int64
}

// consider takes in one scope. limit may be unstated. Values and limits are
// never negative here, so the difference fits.
func (w *worst) consider(reason order.Reason, scope order.Scope, value, limit int64) {
	if limit == unstated || value <= limit {
		return
	}
	if headroom := limit - value; w.decision.Reason == order.ReasonNone || headroom < w.headroom {
		w.headroom = headroom
		w.decision = order.Decision{Reason: reason, Scope: scope, Value: value, Limit: limit}
	}
}

// passed ends a control: it reports whether nothing was breached, and otherwise
// makes the finding the outcome.
func (w *worst) passed(c *candidate) bool {
	if w.decision.Reason == order.ReasonNone {
		return true
	}
	c.decision = w.decision
	return false
}

// checkRate is control 11. Only messages that pass every control are stamped,
// in stampRate.
func (e *Engine) checkRate(c *candidate) bool {
	if c.route.absent&absentRate != 0 {
		return c.refuseAbsent(order.ReasonMessageRate, 1)
	}
	var w worst
	for _, i := range c.route.nodes {
		n := &e.nodes[i]
		if n.second.binds(e.now) {
			w.consider(order.ReasonMessageRate, n.scope, n.second.limit+1, n.second.limit)
		}
		if n.minute.binds(e.now) {
			w.consider(order.ReasonMessageRate, n.scope, n.minute.limit+1, n.minute.limit)
		}
		w.consider(order.ReasonMessageRate, n.scope, n.dayUsed+1, n.limits[LimitMessagesPerDay])
	}
	return w.passed(c)
}

// stampRate counts an accepted new or replace request at every scope.
func (e *Engine) stampRate(c *candidate) {
	for _, i := range c.route.nodes {
		n := &e.nodes[i]
		n.second.add(e.now)
		n.minute.add(e.now)
		n.dayUsed++
	}
}

// checkOpenOrders is control 13.
func (e *Engine) checkOpenOrders(c *candidate) bool {
	if c.route.absent&absentOpenOrders != 0 {
		return c.refuseAbsent(order.ReasonOpenOrders, 1)
	}
	var w worst
	for level, i := range c.route.nodes {
		n, cl := &e.nodes[i], &e.cells[c.route.cells[level]]
		w.consider(order.ReasonOpenOrders, n.scope, n.openOrders+1, n.limits[LimitOpenOrders])
		if limit := cl.limits[LimitOpenOrders]; limit != unstated {
			w.consider(order.ReasonOpenOrders, e.scopeOf(cl), cl.openOrders+1, limit)
		}
	}
	return w.passed(c)
}

// checkOpenNotional is control 14. No order passes it for reducing a position:
// what it bounds falls only when orders end.
func (e *Engine) checkOpenNotional(c *candidate) bool {
	if c.route.absent&absentOpenNotional != 0 {
		return c.refuseAbsent(order.ReasonOpenNotional, int64(c.addNotional))
	}
	var w worst
	for level, i := range c.route.nodes {
		n, cl := &e.nodes[i], &e.cells[c.route.cells[level]]
		value, ok := n.openAfter(c.addNotional)
		if !ok {
			return c.refuse(order.ReasonArithOverflow)
		}
		w.consider(order.ReasonOpenNotional, n.scope, value, n.limits[LimitOpenNotional])
		if limit := cl.limits[LimitOpenNotional]; limit != unstated {
			value, _ = cl.openAfter(c.addNotional) // a part of what has just been seen to fit
			w.consider(order.ReasonOpenNotional, e.scopeOf(cl), value, limit)
		}
	}
	return w.passed(c)
}

// openAfter returns open notional, buys and sells, with an addition.
func (b *book) openAfter(addition order.Money) (int64, bool) {
	open, ok := order.AddMoney(b.openBuy, b.openSell)
	after, okAfter := order.AddMoney(open, addition)
	return int64(after), ok && okAfter
}

// checkPosition is control 15: the worst case of the order's own side, at each
// scope for this one instrument.
func (e *Engine) checkPosition(c *candidate, side order.Side) bool {
	kind, reason, flag := LimitPositionLong, order.ReasonPositionLong, absentLong
	if !side.IsBuy() {
		kind, reason, flag = LimitPositionShort, order.ReasonPositionShort, absentShort
	}
	if c.route.absent&flag != 0 {
		return c.refuseAbsent(reason, int64(c.addQty))
	}
	var w worst
	for level, i := range c.route.nodes {
		n, cl := &e.nodes[i], &e.cells[c.route.cells[level]]
		value, ok := cl.positionAfter(side, c.addQty)
		if !ok {
			return c.refuse(order.ReasonArithOverflow)
		}
		if cl.reduces(side, c.addQty) {
			continue
		}
		w.consider(reason, n.scope, int64(value), n.limits[kind])
		if limit := cl.limits[kind]; limit != unstated {
			w.consider(reason, e.scopeOf(cl), int64(value), limit)
		}
	}
	return w.passed(c)
}

// sided returns position and open quantity seen from a side: what the side
// makes grow counts as positive.
func (c *cell) sided(side order.Side) (position, open order.Qty) {
	if side.IsBuy() {
		return c.position(), c.openBuyQty
	}
	return -c.position(), c.openSellQty
}

// positionAfter returns the worst case of one side with an addition.
func (c *cell) positionAfter(side order.Side, addition order.Qty) (order.Qty, bool) {
	position, open := c.sided(side)
	held, ok := order.AddQty(max(0, position), open)
	after, okAfter := order.AddQty(held, addition)
	return after, ok && okAfter
}

// reduces reports whether an addition on one side only takes down a position
// the other way, after everything already open on that side has done its part.
func (c *cell) reduces(side order.Side, addition order.Qty) bool {
	position, open := c.sided(side)
	after, ok := order.AddQty(open, addition)
	return ok && position < 0 && after <= -position
}

// checkExposure is control 16: gross, then net.
func (e *Engine) checkExposure(c *candidate, side order.Side) bool {
	if c.route.absent&absentGross != 0 {
		return c.refuseAbsent(order.ReasonGrossExposure, int64(c.addNotional))
	}
	var gross, net worst
	for level, i := range c.route.nodes {
		n, cl := &e.nodes[i], &e.cells[c.route.cells[level]]
		reduces := cl.reduces(side, c.addQty)
		if !n.exposure(n.valuation(), c, side, reduces, &n.limits, n.scope, &gross, &net) {
			return c.refuse(order.ReasonArithOverflow)
		}
		if cl.limits[LimitGrossExposure] == unstated && cl.limits[LimitNetExposure] == unstated {
			continue
		}
		if !cl.exposure(cl.valuation(), c, side, reduces, &cl.limits, e.scopeOf(cl), &gross, &net) {
			return c.refuse(order.ReasonArithOverflow)
		}
	}
	if !gross.passed(c) {
		return false
	}
	if c.route.absent&absentNet != 0 {
		return c.refuseAbsent(order.ReasonNetExposure, int64(c.addNotional))
	}
	return net.passed(c)
}

// valuation is what the positions of a scope are worth.
type valuation struct {
	gross, net order.Money
	ok         bool // everything has a value, and the sums fit
}

func (n *node) valuation() valuation {
	gross, okGross := n.gross.money()
	net, okNet := n.net.money()
	return valuation{gross, net, okGross && okNet && n.unvalued == 0}
}

func (c *cell) valuation() valuation { return valuation{abs(c.value), c.value, !c.unvalued} }

// exposure takes one scope into the judgement of control 16. It reports whether
// every sum fits; what only reduces a position passes where one does not.
func (b *book) exposure(v valuation, c *candidate, side order.Side, reduces bool, l *statements, at order.Scope,
	gross, net *worst,
) bool {
	open, ok := b.openAfter(c.addNotional)
	total, okTotal := order.AddMoney(v.gross, order.Money(open))
	if !ok || !okTotal || !v.ok {
		return ok && reduces
	}
	if !reduces {
		gross.consider(order.ReasonGrossExposure, at, int64(total), l[LimitGrossExposure])
	}
	value, sameSide := v.net, b.openBuy
	if !side.IsBuy() {
		value, sameSide = -v.net, b.openSell
	}
	after := sameSide + c.addNotional // a part of open, which fits
	if value < 0 && after <= -value {
		return true
	}
	worstCase, okWorst := order.AddMoney(max(0, value), after)
	net.consider(order.ReasonNetExposure, at, int64(worstCase), l[LimitNetExposure])
	return okWorst
}

// reserve changes what an order has reserved, at every scope of its route. Both
// amounts may be negative.
func (e *Engine) reserve(o *liveOrder, qty order.Qty, notional order.Money) {
	o.reservedQty += qty
	o.reservedNotional += notional
	rt := &e.routes[o.route]
	for level, i := range rt.nodes {
		cl := &e.cells[rt.cells[level]]
		if o.side.IsBuy() {
			e.nodes[i].openBuy += notional
			cl.openBuy += notional
			cl.openBuyQty += qty
		} else {
			e.nodes[i].openSell += notional
			cl.openSell += notional
			cl.openSellQty += qty
		}
	}
}

// countOpen changes the number of live orders at every scope of a route.
func (e *Engine) countOpen(rt *route, by int64) {
	for level, i := range rt.nodes {
		e.nodes[i].openOrders += by
		e.cells[rt.cells[level]].openOrders += by
	}
}

// worstCase returns the reservation an order needs: the largest leaves and the
// largest notional over what is acknowledged and everything that is pending,
// with one more version if extra is not nil.
func (e *Engine) worstCase(o *liveOrder, extra *version) (order.Qty, order.Money, bool) {
	mult := e.instrumentRows[e.routes[o.route].instrument].Multiplier
	qty, notional, ok := widen(o, &o.acked, mult, 0, 0)
	for i := o.requests; i != noIndex && ok; i = e.orders.requests[i].next {
		if p := &e.orders.requests[i]; p.msgType == order.MsgReplaceOrder {
			qty, notional, ok = widen(o, &p.version, mult, qty, notional)
		}
	}
	if extra != nil && ok {
		qty, notional, ok = widen(o, extra, mult, qty, notional)
	}
	return qty, notional, ok
}

// widen takes one version into a worst case.
func widen(o *liveOrder, v *version, mult order.Multiplier, qty order.Qty, notional order.Money,
) (order.Qty, order.Money, bool) {
	leaves := o.leaves(v)
	n, ok := order.Notional(v.worstPrice, leaves, mult)
	return max(qty, leaves), max(notional, n), ok
}

// settle brings an order's reservation to what it needs now: nothing when it
// is terminal, else the worst case of its versions. A worst case that does not
// fit keeps what is reserved: never less than is known to be needed.
func (e *Engine) settle(o *liveOrder) {
	if o.status.Terminal() {
		e.reserve(o, -o.reservedQty, -o.reservedNotional)
		return
	}
	if qty, notional, ok := e.worstCase(o, nil); ok {
		e.reserve(o, qty-o.reservedQty, notional-o.reservedNotional)
	}
}
