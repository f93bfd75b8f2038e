package riskcheck

import "tollgate/order"

// worst finds the holder with the least headroom among those that are breached.
// Holders are considered from wide to narrow, so a tie goes to the wider one.
type worst struct {
	headroom int64
	value    int64
	limit    int64
	at       int32
	reason   order.Reason
	kind     LimitKind
}

// consider takes in one holder: what the measure would become there.
func (e *Engine) consider(c *candidate, w *worst, reason order.Reason, kind LimitKind, at int, value int64) {
	b := c.books[at]
	p := &e.profiles[b.profile]
	if c.mode != modeJudge {
		e.considerOf(c, w, reason, kind, at, value, p.limit[kind])
		return
	}
	if value < p.first[kind] && b.told == 0 {
		return
	}
	c.notable = true
	if limit := p.limit[kind]; value > limit && limit != unstated {
		w.breach(reason, kind, at, value, limit)
	}
}

// considerOf is consider with a limit that follows from what the holder states.
func (e *Engine) considerOf(c *candidate, w *worst, reason order.Reason, kind LimitKind, at int, value, limit int64) {
	p := &e.profiles[c.books[at].profile]
	switch c.mode {
	case modeRungs:
		e.tellRung(c, at, kind, p.rung(kind, value, limit), value, limit)
		return
	case modeTrace:
		c.note(e, reason, kind, at, value, limit, false)
	case modeJudge:
		if c.books[at].told != 0 || p.rung(kind, value, limit) != 0 {
			c.notable = true
		}
	}
	if value > limit && limit != unstated {
		w.breach(reason, kind, at, value, limit)
	}
}

// breach takes in a holder whose limit would be exceeded.
func (w *worst) breach(reason order.Reason, kind LimitKind, at int, value, limit int64) {
	if headroom := limit - value; w.reason == order.ReasonNone || headroom < w.headroom {
		*w = worst{headroom, value, limit, int32(at), reason, kind}
	}
}

// passed ends a control: it reports whether nothing was breached, and otherwise
// makes the finding the outcome.
func (e *Engine) passed(c *candidate, w *worst) bool {
	if w.reason == order.ReasonNone {
		return true
	}
	return e.refuseAt(c, w.reason, w.kind, w.at, w.value, w.limit)
}

// note adds a step to a trace.
func (c *candidate) note(e *Engine, reason order.Reason, kind LimitKind, at int, value, limit int64, exempt bool) {
	*c.checks = append(*c.checks, Check{
		Scope: e.scopeAt(&c.route.path, at), Value: value, Limit: limit, Reason: reason, Kind: kind,
		Passed: exempt || value <= limit, Exempt: exempt,
	})
}
