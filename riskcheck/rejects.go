package riskcheck

import "tollgate/order"

// checkRejects is control 23 for a new order: nothing new in a scope that was
// stopped after too many rejects in a row.
func (e *Engine) checkRejects(c *candidate) bool {
	if c.terms.stated[statedRejects] == 0 {
		return c.refuseAbsent(order.ReasonConsecutiveRejects, 0)
	}
	if c.mode == modeTrace {
		for at, set := 0, c.terms.stated[statedRejects]; set != 0; {
			at, set = each(set)
			n := &e.nodes[c.nodes[at/holdersPerLevel]]
			c.note(e, order.ReasonConsecutiveRejects, LimitConsecutiveRejects, at, int64(n.rejects.held),
				e.profiles[n.profile].limit[LimitConsecutiveRejects], false)
		}
	}
	if c.terms.blocked == 0 {
		return true
	}
	at, _ := each(c.terms.blocked)
	n := max(0, e.profiles[c.books[at].profile].limit[LimitConsecutiveRejects])
	return e.refuseAt(c, order.ReasonConsecutiveRejects, 0, int32(at), n, n)
}

// checkRejectsReplace is control 23 for a replace: one that does not increase the
// order passes a stopped scope.
func (e *Engine) checkRejectsReplace(c *candidate, r *order.Request, o *liveOrder) bool {
	if c.terms.stated[statedRejects] != 0 && c.terms.blocked != 0 && !e.increases(o, r) {
		return true
	}
	return e.checkRejects(c)
}

// countsAsReject reports whether a reject for a reason is held against the
// sender: not what a latch or kill refuses, and not what is the fault of nobody
// who sends orders.
func countsAsReject(reason order.Reason) bool {
	switch reason {
	case order.ReasonVenueUnavailable, order.ReasonCapacity:
		return false
	}
	if reason >= order.ReasonTokenMissing && reason <= order.ReasonAdapterBacklog {
		return false
	}
	switch reason.Control() {
	case order.ControlKillSwitch, order.ControlRepeatedExecution, order.ControlConsecutiveRejects:
		return false
	}
	return true
}

// countReject counts a reject at every level of a request that is known.
func (e *Engine) countReject(nodes *[levelsMax]int32, reason order.Reason) {
	if !countsAsReject(reason) {
		return
	}
	for _, i := range nodes {
		if i == noIndex {
			continue
		}
		n := &e.nodes[i]
		if !n.rejects.finite() {
			continue
		}
		window := e.rejectsWindow(n)
		if n.rejects.makeRoom(&e.stamps, e.now, window, 0) {
			n.rejects.add(&e.stamps, e.now)
		}
		if n.rejects.binds(&e.stamps, e.now, window, 0) && !n.latchedFor(LatchConsecutiveRejects) {
			limit := e.profiles[n.profile].limit[LimitConsecutiveRejects]
			e.latch(holderOf{&n.book, n.scope}, LatchConsecutiveRejects, LimitConsecutiveRejects, limit, limit)
		}
	}
}

// rejectsWindow returns the time within which rejects of a node add up.
func (e *Engine) rejectsWindow(n *node) int64 {
	if window := e.profiles[n.profile].limit[LimitConsecutiveRejectsWindow]; window != unstated {
		return window
	}
	return rejectsWindowNs
}

// endRejects forgets rejects: the venue has taken something.
func (e *Engine) endRejects(nodes *[levelsMax]int32) {
	for _, i := range nodes {
		if i != noIndex {
			e.nodes[i].rejects.clear()
		}
	}
}
