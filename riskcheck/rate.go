package riskcheck

import "tollgate/order"

// checkRate is control 11. Only messages that pass every control are stamped,
// in stampRate.
func (e *Engine) checkRate(c *candidate) bool {
	t := c.terms
	if t.stated[statedSecond]|t.stated[statedMinute]|t.stated[statedDay] == 0 {
		return c.refuseAbsent(order.ReasonMessageRate, 1)
	}
	if !e.roomForStamps(c) {
		return c.refuse(order.ReasonCapacity)
	}
	if c.mode == modeJudge {
		e.measureRates(c)
	}
	second, minute, day := c.near(statedSecond), c.near(statedMinute), c.near(statedDay)
	bothSecond, bothDay := c.near(statedBothSecond), c.near(statedBothDay)
	var w worst
	for at, set := 0, second|minute|day|bothSecond|bothDay; set != 0; {
		at, set = each(set)
		if at%holdersPerLevel != wholeHolder {
			continue
		}
		n := &e.nodes[c.nodes[at/holdersPerLevel]]
		bit := uint32(1) << at
		if second&bit != 0 {
			e.considerWindow(c, &w, &n.second, secondNs, LimitMessagesPerSecond, at, n.ahead)
		}
		if minute&bit != 0 {
			e.considerWindow(c, &w, &n.minuteRate, minuteNs, LimitMessagesPerMinute, at, n.ahead)
		}
		if day&bit != 0 {
			e.consider(c, &w, order.ReasonMessageRate, LimitMessagesPerDay, at, n.dayUsed+1)
		}
		if bothSecond&bit != 0 {
			e.considerWindow(c, &w, &n.both, secondNs, LimitOrdersAndCancelsPerSecond, at, n.ahead)
		}
		if bothDay&bit != 0 {
			e.consider(c, &w, order.ReasonMessageRate, LimitOrdersAndCancelsPerDay, at, n.bothUsed+1)
		}
	}
	return e.passed(c, &w)
}

// considerWindow is consider for a sliding window. A refusal names the limit plus
// one: how many there are beyond it is not counted.
func (e *Engine) considerWindow(
	c *candidate, w *worst, win *window, periodNs int64, kind LimitKind, at int, ahead int32,
) {
	p := &e.profiles[c.books[at].profile]
	limit := p.limit[kind]
	switch c.mode {
	case modeJudge:
		reached := win.finite() && win.reaches(&e.stamps, e.now, periodNs, int32(p.first[kind]-1), ahead)
		if reached || c.books[at].told != 0 {
			c.notable = true
		}
		if reached && win.binds(&e.stamps, e.now, periodNs, ahead) {
			w.breach(order.ReasonMessageRate, kind, at, limit+1, limit)
		}
	case modeRungs, modeTrace:
		value := int64(1)
		if win.finite() {
			value += win.count(&e.stamps, e.now, periodNs) + int64(ahead)
		}
		e.considerOf(c, w, order.ReasonMessageRate, kind, at, value, limit)
	}
}

// roomForStamps reports whether the stamps of the request will find their places,
// and has them ready. A reject must be able to be counted too.
func (e *Engine) roomForStamps(c *candidate) bool {
	if c.mode == modeTrace {
		return e.hasStamps(c)
	}
	p := &e.stamps
	for _, i := range c.nodes {
		if i == noIndex {
			continue
		}
		n := &e.nodes[i]
		if n.second.tight(n.ahead) && !n.second.makeRoom(p, e.now, secondNs, n.ahead) ||
			n.minuteRate.tight(n.ahead) && !n.minuteRate.makeRoom(p, e.now, minuteNs, n.ahead) ||
			n.both.tight(n.ahead) && !n.both.makeRoom(p, e.now, secondNs, n.ahead) ||
			n.rejects.tight(0) && !n.rejects.makeRoom(p, e.now, e.rejectsWindow(n), 0) {
			return false
		}
	}
	return true
}

// hasStamps is roomForStamps for a trace: it takes nothing, and looks at each
// window by itself.
func (e *Engine) hasStamps(c *candidate) bool {
	p := &e.stamps
	for _, i := range c.nodes {
		if i == noIndex {
			continue
		}
		n := &e.nodes[i]
		if !n.second.room(p, e.now, secondNs) || !n.minuteRate.room(p, e.now, minuteNs) ||
			!n.both.room(p, e.now, secondNs) || !n.rejects.room(p, e.now, e.rejectsWindow(n)) {
			return false
		}
	}
	return true
}

// stampRate counts an accepted new or replace request in the sliding windows of every
// level.
func (e *Engine) stampRate(c *candidate) {
	for _, i := range c.nodes {
		if i != noIndex {
			e.nodes[i].stamp(&e.stamps, e.now)
		}
	}
}

// stamp counts an accepted new or replace request in the sliding windows of one
// level.
func (n *node) stamp(p *stampPool, now int64) {
	n.second.add(p, now)
	n.minuteRate.add(p, now)
	n.both.add(p, now)
}

// stampCancel counts a cancel that was passed on. Cancels are never refused for
// it, so a stamp that finds no place is left out.
func (e *Engine) stampCancel(p *path) {
	for _, i := range p.nodes {
		if i == noIndex {
			continue
		}
		n := &e.nodes[i]
		n.bothUsed++
		if n.both.makeRoom(&e.stamps, e.now, secondNs, 0) {
			n.both.add(&e.stamps, e.now)
		}
	}
}
