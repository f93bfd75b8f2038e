package riskcheck

import "tollgate/order"

// Check is one step of a Simulation: one limit at one scope, or one rule that no
// scope states.
type Check struct {
	Scope  order.Scope  // of the limit; ScopeNone for rules of the order itself
	Value  int64        // what the measure would become; unit by Kind
	Limit  int64        // order.Unlimited: stated as unlimited
	Reason order.Reason // the reason a breach has
	Kind   LimitKind    // 0: a rule without a limit
	Passed bool
	Exempt bool // passed because the order only reduces
}

// Simulation is what would become of a request.
type Simulation struct {
	Decision        order.Decision // zero: it would be accepted
	Checks          []Check        // in the order of evaluation, also those after the one that decides
	Price           order.Price    // what the venue would be sent; Null: a market order
	Reference       order.Price    // Null: none
	Notional        order.Money    // of the whole order, in the firm's currency
	NotionalAccount order.Money    // in the account's
	ConfigVersion   uint64
}

// Simulate judges a new order as if it came now, or a replace if OrigClOrdID is
// given, and changes nothing. Ref and Connection do not count, nor whether the
// ClOrdID was used before if it is zero. It allocates: it is for the control
// plane.
func (e *Engine) Simulate(r *order.Request) Simulation {
	out := Simulation{ConfigVersion: e.configVersion, Price: order.Null, Reference: order.Null}
	s := e.session(r.Session)
	if s == nil {
		out.Decision.Reason = order.ReasonAccountNotInSession
		return out
	}
	request := *r
	if request.ClOrdID == 0 {
		request.ClOrdID = e.unusedName(r.Session)
	}
	before := e.extent()
	c := &candidate{mode: modeTrace, checks: &out.Checks, at: -1}
	e.trace(c, &request, &out)
	e.crossed = e.crossed[:0]
	e.shrink(before)
	return out
}

// unusedName returns a ClOrdID the session has not used.
func (e *Engine) unusedName(session order.SessionID) order.ClOrdID {
	for name := order.ClOrdID(1<<64 - 1); ; name-- {
		if _, used := e.clOrdIDs.get(clOrdKey(session, name)); !used {
			return name
		}
	}
}

// trace walks through all controls as far as the request can be valued. The first
// breach decides; the walk goes on all the same.
func (e *Engine) trace(c *candidate, r *order.Request, out *Simulation) {
	decide := func() {
		if out.Decision.Reason == order.ReasonNone {
			out.Decision = c.decision
		}
		c.decision = order.Decision{}
	}
	var o *liveOrder
	found := false
	if r.MsgType == order.MsgReplaceOrder {
		o, found = e.named(r.Session, r.OrigClOrdID)
	}
	if o != nil {
		c.replaced = o
		e.use(c, o.route)
	} else {
		e.lookup(c, r)
	}
	steps := []func(){func() { e.traceKill(c, r, o) }, func() { e.checkSession(c, r) }}
	if r.MsgType == order.MsgReplaceOrder {
		steps = append(steps, func() { e.checkReplaced(c, r, o, found) })
	}
	steps = append(steps, func() { e.checkReference(c, r) }, func() { e.checkPermission(c, r) })
	for _, step := range steps {
		step()
		decide()
	}
	if out.Decision.Reason != order.ReasonNone && !e.traceable(c, r) {
		return
	}
	e.traceLimits(c, r, o, out, decide)
}

// traceable reports whether a request that the rules of orders refuse can be held
// against the limits all the same.
func (e *Engine) traceable(c *candidate, r *order.Request) bool {
	switch r.OrdType {
	case order.OrdTypeLimit, order.OrdTypeStopLimit:
		if r.Price == order.Null {
			return false
		}
	}
	stop := r.OrdType == order.OrdTypeStop || r.OrdType == order.OrdTypeStopLimit
	return c.route != nil && c.instrument != noIndex && r.OrderQty > 0 && r.Side.Valid() && r.OrdType.Valid() &&
		stop == (r.StopPx != order.Null) && (r.MsgType != order.MsgReplaceOrder || c.replaced != nil)
}

func (e *Engine) traceKill(c *candidate, r *order.Request, o *liveOrder) {
	if r.MsgType == order.MsgReplaceOrder {
		e.checkKillReplace(c, r, o)
		return
	}
	e.checkKill(c, r)
}

// traceLimits walks through the controls that have limits.
func (e *Engine) traceLimits(c *candidate, r *order.Request, o *liveOrder, out *Simulation, decide func()) {
	e.checkOrderQty(c, r)
	decide()
	e.checkNotional(c, r)
	failed := c.decision.Reason
	decide()
	switch failed {
	case order.ReasonFxRateMissing, order.ReasonNoReferencePrice, order.ReasonArithOverflow:
		return // what has no value cannot be held against the limits
	}
	out.Price, out.Notional, out.NotionalAccount = c.price, c.notional[firmMoney], c.notional[accountMoney]
	if c.hasPrice {
		out.Reference = c.reference
	}
	steps := []func(){
		func() { e.checkCollar(c, r) }, func() { e.checkProtection(c, r) }, func() { e.checkParticipation(c, r) },
	}
	if o == nil {
		steps = append(steps, func() { e.checkDuplicate(c, r) })
	}
	steps = append(steps, func() { e.checkRate(c) })
	if o == nil {
		c.addQty, c.add = r.OrderQty, c.notional
		steps = append(steps,
			func() { e.checkExecutions(c) }, func() { e.checkOpenOrders(c) }, func() { e.checkOpenNotional(c) },
			func() { e.checkPosition(c, r.Side) }, func() { e.checkExposure(c, r.Side) },
			func() { e.checkBuyingPower(c, r.Side) }, func() { e.checkShortSale(c, r) }, func() { e.checkTurnover(c) },
			func() { e.checkLoss(c, r.Side) })
	} else {
		steps = append(steps, func() { e.checkStrategyLatch(c, r, o) }, func() { e.checkReplaceExposure(c, r, o) })
	}
	steps = append(steps, func() { e.checkOrderToTrade(c, r) }, func() { e.checkSelfMatch(c, r) })
	if o == nil {
		steps = append(steps, func() { e.checkRejects(c) })
	} else {
		steps = append(steps, func() { e.checkRejectsReplace(c, r, o) })
	}
	for _, step := range steps {
		step()
		decide()
	}
}

// extent is how much of the tables is in use, so that what a simulation has made
// can be taken away.
type extent struct{ routes, cells, shorts, selfBooks int }

func (e *Engine) extent() extent {
	return extent{len(e.routes), len(e.cells), len(e.shorts), len(e.selfBooks)}
}

// shrink takes away routes, cells and books that were made since. They hold
// nothing and stand last, so that nothing else moves.
func (e *Engine) shrink(to extent) {
	for i := len(e.routes) - 1; i >= to.routes; i-- {
		rt := &e.routes[i]
		e.routeIndex.remove(e.hashNames(rt.sessionID, rt.account, rt.trader, rt.strategy, rt.instrumentID), int32(i))
	}
	for i := len(e.cells) - 1; i >= to.cells; i-- {
		d := &e.details[i]
		e.instrumentRows[d.instrument].firstCell = d.next
		e.cellIndex.remove(key{uint64(d.node), uint64(d.instrument)})
	}
	if len(e.selfBooks) > to.selfBooks {
		last := &e.routes[len(e.routes)-1]
		e.selfIndex.remove(e.selfKey(last.accounts, last.instrument))
	}
	e.routes, e.cells, e.details = e.routes[:to.routes], e.cells[:to.cells], e.details[:to.cells]
	e.shorts, e.selfBooks = e.shorts[:to.shorts], e.selfBooks[:to.selfBooks]
}
