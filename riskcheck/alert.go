package riskcheck

import "tollgate/order"

// holderOf is a holder together with its name.
type holderOf struct {
	*book
	scope order.Scope
}

// alert adds an alert to those that leave when the input is done.
func (e *Engine) alert(scope order.Scope, a Alert) {
	e.alerts = append(e.alerts, Effect{Kind: EffectAlert, Scope: scope, Alert: a})
}

// rungKey is the key under which the rung told last of a limit is kept.
func rungKey(scope order.Scope, kind LimitKind) key {
	subject := uint64(scope.Instrument)
	if scope.Class != 0 {
		subject = 1<<32 | uint64(scope.Class)
	}
	return key{uint64(scope.Type)<<32 | uint64(scope.ID), uint64(kind)<<40 | subject}
}

// tell tells people that use of a limit has reached a rung it had not reached
// when they were told last. Use below all rungs makes the limit silent again.
func (e *Engine) tell(h holderOf, kind LimitKind, rung AlertCause, value, limit int64) {
	if rung == 0 && h.told == 0 {
		return
	}
	k := rungKey(h.scope, kind)
	last, known := e.rungs.get(k)
	if e.judgingBasket {
		e.basketRungs = append(e.basketRungs, toldRung{h.book, k, last, known})
	}
	switch {
	case rung == 0:
		if known {
			e.rungs.remove(k)
			h.told--
		}
		return
	case known && uint64(rung) <= last:
		return
	}
	if e.rungs.put(k, uint64(rung)) && !known {
		h.told++
	}
	e.alert(h.scope, Alert{Cause: rung, Kind: kind, Value: value, Limit: limit})
}

// tellRung tells how far an accepted request has brought a limit.
func (e *Engine) tellRung(c *candidate, at int, kind LimitKind, rung AlertCause, value, limit int64) {
	if b := c.books[at]; (rung != 0 || b.told != 0) && kind.HasRungs() {
		e.tell(holderOf{b.book, e.scopeAt(&c.route.path, at)}, kind, rung, value, limit)
	}
}

// reach measures an accepted request against the rungs of every limit that
// counts use, before it is reserved. Requests that came near no limit have
// nothing to tell.
func (e *Engine) reach(c *candidate, r *order.Request) {
	if !c.notable {
		return
	}
	c.mode, c.measured = modeRungs, false
	isNew := c.replaced == nil
	rises := c.add[firmMoney] > 0
	e.checkOrderQty(c, r)
	e.checkMaxNotional(c)
	e.checkParticipation(c, r)
	e.checkRate(c)
	if isNew {
		e.checkExecutions(c)
		e.checkOpenOrders(c)
	}
	if isNew || rises {
		e.checkOpenNotional(c)
	}
	if isNew || c.addQty > 0 {
		e.checkPosition(c, r.Side)
	}
	if isNew || rises {
		e.checkExposure(c, r.Side)
		e.checkTurnover(c)
	}
	c.mode = modeJudge
}

// refused does what follows from a refusal beside the answer: it counts against
// the sender, and the limit that decided may have an act.
func (e *Engine) refused(c *candidate, reason order.Reason) {
	kind, at := c.kind, c.at
	if kind != 0 && at >= 0 {
		p := &e.profiles[c.books[at].profile]
		h := holderOf{c.books[at].book, c.decision.Scope}
		if kind.HasRungs() {
			e.tell(h, kind, AlertAct, c.decision.Value, c.decision.Limit)
		}
		if reason == order.ReasonRepeatedExecution {
			n := &e.nodes[c.nodes[strategyLevel]]
			e.latch(holderOf{&n.book, n.scope}, LatchRepeatedExecution, kind, c.decision.Value, c.decision.Limit)
		}
		switch p.act[kind] {
		case ActReduceOnly:
			e.latch(h, LatchLimit, kind, c.decision.Value, c.decision.Limit)
		case ActKill:
			if !h.killed {
				e.killBy(h.scope, kind, c.decision.Value, c.decision.Limit)
			}
		}
	}
	e.countReject(&c.nodes, reason)
}

// latch latches a scope until a person releases it.
func (e *Engine) latch(h holderOf, l Latch, kind LimitKind, value, limit int64) {
	if h.latchedFor(l) {
		return
	}
	h.latched |= 1 << l
	e.routeVersion++
	e.alert(h.scope, Alert{Cause: AlertLatched, Latch: l, Kind: kind, Value: value, Limit: limit})
}

// killBy kills a scope because a limit's act says so.
func (e *Engine) killBy(scope order.Scope, kind LimitKind, value, limit int64) {
	e.alert(scope, Alert{Cause: AlertKilled, Kind: kind, Value: value, Limit: limit})
	_, _ = e.kill(scope) // the scope is one that exists: it states the limit
}
