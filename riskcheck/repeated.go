package riskcheck

import "tollgate/order"

// checkExecutions is control 12 (RTS 6 article 15(3)): a strategy that has been
// executed as often as it may stops until a person releases it.
func (e *Engine) checkExecutions(c *candidate) bool {
	if c.route.strategy == 0 {
		return true
	}
	b := c.terms.executions
	next := e.nodes[c.nodes[strategyLevel]].executions + 1
	switch {
	case b.value == unstated:
		return c.refuseAbsent(order.ReasonRepeatedExecution, next)
	case c.terms.strategyLatched:
		return e.refuseAt(c, order.ReasonRepeatedExecution, 0, strategyLevel*holdersPerLevel, next, b.value)
	}
	return e.checkBound(c, order.ReasonRepeatedExecution, LimitStrategyExecutions, b, next)
}

// checkStrategyLatch is control 12 for a replace: a latched strategy may not
// increase an order.
func (e *Engine) checkStrategyLatch(c *candidate, r *order.Request, o *liveOrder) bool {
	if !c.terms.strategyLatched || !e.increases(o, r) {
		return true
	}
	count := e.nodes[c.nodes[strategyLevel]].executions
	return e.refuseAt(c, order.ReasonRepeatedExecution, 0, strategyLevel*holdersPerLevel, count+1,
		max(c.terms.executions.value, 0))
}

// countExecution counts an accepted new order of a strategy, or takes it back with
// sign −1.
func (e *Engine) countExecution(c *candidate, sign int64) {
	if n := c.nodes[strategyLevel]; n != noIndex && c.route.strategy != 0 {
		e.nodes[n].executions += sign
	}
}
