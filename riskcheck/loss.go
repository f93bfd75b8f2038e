package riskcheck

import (
	"cmp"
	"slices"

	"tollgate/order"
)

// checkLoss is control 20 for a request: a scope whose loss has gone beyond its
// limit takes only what reduces a position, until it is released.
func (e *Engine) checkLoss(c *candidate, side order.Side) bool {
	t := c.terms
	if t.stated[statedLoss]|t.stated[statedDrawdown] == 0 {
		return c.refuseAbsent(order.ReasonDailyLoss, 0)
	}
	if c.mode == modeTrace {
		e.traceLoss(c)
	}
	var w worst
	for at, set := 0, t.lossLatched; set != 0; {
		at, set = each(set)
		if c.books[positionHolder(at)].reduces(side, max(0, c.addQty)) {
			continue
		}
		n := &e.nodes[c.nodes[at/holdersPerLevel]]
		loss, drawdown, _ := n.losses()
		l := &e.profiles[n.profile].limit
		if n.latchedFor(LatchLoss) {
			w.breach(order.ReasonDailyLoss, 0, at, int64(max(0, loss)), max(0, l[LimitDailyLoss]))
		}
		if n.latchedFor(LatchDrawdown) {
			w.breach(order.ReasonDailyLossFromPeak, 0, at, int64(max(0, drawdown)), max(0, l[LimitDailyLossFromPeak]))
		}
	}
	return e.passed(c, &w)
}

// traceLoss notes where the day's losses stand.
func (e *Engine) traceLoss(c *candidate) {
	for at, set := 0, c.terms.stated[statedLoss]|c.terms.stated[statedDrawdown]; set != 0; {
		at, set = each(set)
		n := &e.nodes[c.nodes[at/holdersPerLevel]]
		loss, drawdown, _ := n.losses()
		l := &e.profiles[n.profile].limit
		if l[LimitDailyLoss] != unstated {
			c.note(e, order.ReasonDailyLoss, LimitDailyLoss, at, int64(max(0, loss)), l[LimitDailyLoss], false)
		}
		if l[LimitDailyLossFromPeak] != unstated {
			c.note(e, order.ReasonDailyLossFromPeak, LimitDailyLossFromPeak, at, int64(drawdown),
				l[LimitDailyLossFromPeak], false)
		}
	}
}

// dayProfit returns the profit since the day roll, and whether everything has a
// value. A sum that does not fit saturates: it is beyond every limit.
func (n *node) dayProfit() (order.Money, bool) {
	sum := n.profit()
	sum.subtractWide(&n.dayBase)
	return sum.saturated(), n.unpriced == 0
}

// losses returns the day's loss and the loss from its peak; both saturate.
func (n *node) losses() (loss, drawdown order.Money, ok bool) {
	profit, ok := n.dayProfit()
	if !ok {
		return 0, 0, false
	}
	return -profit, addMoneySaturating(n.peak, -profit), true
}

// movesLoss takes the node's profit into its peak and reports whether there is
// something to say of its losses.
func (e *Engine) movesLoss(i int32) bool {
	n := &e.nodes[i]
	profit, ok := n.dayProfit()
	if !ok {
		return false
	}
	n.peak = max(n.peak, profit)
	if n.profile == 0 {
		return false
	}
	loss, drawdown, _ := n.losses()
	p := &e.profiles[n.profile]
	kill := p.limit[LimitDailyLossKill]
	return n.told != 0 || int64(loss) >= p.first[LimitDailyLoss] ||
		int64(drawdown) >= p.first[LimitDailyLossFromPeak] || kill != unstated && int64(loss) > kill
}

// judgeInOrder judges the losses of the nodes collected, from wide to narrow and
// by number.
func (e *Engine) judgeInOrder() {
	slices.SortFunc(e.judged, func(a, b int32) int {
		x, y := e.nodes[a].scope, e.nodes[b].scope
		return cmp.Or(cmp.Compare(x.Type, y.Type), cmp.Compare(x.ID, y.ID))
	})
	for _, n := range e.judged {
		e.judgeLoss(n)
	}
}

// judgeAll judges the losses of every node.
func (e *Engine) judgeAll() {
	e.judged = e.judged[:0]
	for i := range e.nodes {
		if e.movesLoss(int32(i)) {
			e.judged = append(e.judged, int32(i))
		}
	}
	e.judgeInOrder()
}

// judgeLoss takes the node's profit as it is now: the peak rises with it, and
// what is beyond a limit latches the scope, or kills it.
func (e *Engine) judgeLoss(i int32) {
	n := &e.nodes[i]
	profit, ok := n.dayProfit()
	if !ok {
		return
	}
	n.peak = max(n.peak, profit)
	if n.profile == 0 {
		return
	}
	loss, drawdown, _ := n.losses()
	p := &e.profiles[n.profile]
	e.judgeLossLimit(n, p, LimitDailyLoss, LatchLoss, loss)
	e.judgeLossLimit(n, p, LimitDailyLossFromPeak, LatchDrawdown, drawdown)
	if limit := p.limit[LimitDailyLossKill]; limit != unstated && int64(loss) > limit && !n.killed {
		e.killBy(n.scope, LimitDailyLossKill, int64(loss), limit)
	}
}

// judgeLossLimit judges one of the two limits that latch.
func (e *Engine) judgeLossLimit(n *node, p *profile, kind LimitKind, latch Latch, value order.Money) {
	limit := p.limit[kind]
	if int64(value) < p.first[kind] && n.told == 0 || limit == unstated {
		return
	}
	at := holderOf{&n.book, n.scope}
	if int64(value) <= limit {
		e.tell(at, kind, p.rung(kind, int64(value), limit), int64(value), limit)
		return
	}
	e.tell(at, kind, AlertAct, int64(value), limit)
	switch {
	case p.act[kind] != ActKill:
		e.latch(at, latch, kind, int64(value), limit)
	case !n.killed:
		e.killBy(n.scope, kind, int64(value), limit)
	}
}
