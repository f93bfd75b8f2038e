package riskcheck

import (
	"math/bits"

	"tollgate/order"
)

// checkBuyingPower is control 17: what the account's orders and positions require
// must not exceed its equity and credit line. What does not raise the
// margin passes, whatever its fee: closing a position needs no cash.
func (e *Engine) checkBuyingPower(c *candidate, side order.Side) bool {
	b := c.terms.credit
	a := &e.accountRows[c.route.accounts]
	cl := &e.cells[c.route.cells[accountLevel]]
	in := &e.instrumentRows[c.instrument]
	after, margin, ok := holdOf(cl, in, side, c.add[accountMoney])
	if b.value == unstated {
		return c.refuseAbsent(order.ReasonBuyingPower, int64(e.requiredAfter(a, cl, after)))
	}
	if b.value == order.Unlimited && c.mode != modeTrace {
		return true
	}
	n := &e.nodes[a.node]
	equity, known := e.equity(a)
	if n.unpriced != 0 || a.holdLost != 0 || !ok || !known {
		return b.value == order.Unlimited || cl.reduces(side, c.addQty) || c.refuse(order.ReasonArithOverflow)
	}
	required := e.requiredAfter(a, cl, after)
	limit := int64(order.Unlimited)
	if b.value != order.Unlimited {
		limit = max(0, saturate(int64(equity), b.value))
	}
	if margin <= cl.margin {
		if c.mode == modeTrace {
			c.note(e, order.ReasonBuyingPower, LimitCreditLine, int(b.at), int64(required), limit, true)
		}
		return true
	}
	var w worst
	e.considerOf(c, &w, order.ReasonBuyingPower, LimitCreditLine, int(b.at), int64(required), limit)
	return e.passed(c, &w)
}

// saturate returns a + b for b ≥ 0, at most math.MaxInt64.
func saturate(a, b int64) int64 {
	if a > 0 && b > order.Unlimited-a {
		return order.Unlimited
	}
	return a + b
}

// requiredAfter returns what the account requires if a cell holds another amount;
// it saturates.
func (e *Engine) requiredAfter(a *accountRow, cl *cell, after order.Money) order.Money {
	sum := a.required
	sum.subtract(cl.hold)
	sum.add(after)
	if m, ok := sum.money(); ok {
		return m
	}
	return order.Unlimited
}

// equity returns the account's cash with everything its fills have brought since
// it was set, fees taken off, and whether it fits.
func (e *Engine) equity(a *accountRow) (order.Money, bool) {
	sum := e.nodes[a.node].profit()
	sum.subtractWide(&a.cashBase)
	sum.add(a.cash)
	sum.subtractWide(&a.fees)
	return sum.money()
}

// profit returns cash flow plus worth of positions since the engine began.
func (n *node) profit() wide {
	sum := n.cash
	sum.addWide(&n.worth)
	return sum
}

// rehold recomputes what BUYING_POWER holds for an account's share in an
// instrument.
func (e *Engine) rehold(a *accountRow, cl *cell, in *instrumentRow) {
	hold, margin, ok := holdOf(cl, in, order.SideBuy, 0)
	if !ok {
		hold, margin = 0, 0
	}
	if cl.holdLost && ok {
		a.holdLost--
	} else if !cl.holdLost && !ok {
		a.holdLost++
	}
	a.required.subtract(cl.hold)
	a.required.add(hold)
	cl.hold, cl.margin, cl.holdLost = hold, margin, !ok
}

// holdOf returns what an account must have for its orders and position in an
// instrument, with an addition to what is open on a side: the margin on the worse
// of everything bought and everything sold, and the fees.
func holdOf(cl *cell, in *instrumentRow, side order.Side, addition order.Money) (hold, margin order.Money, fits bool) {
	buy, sell := cl.openBuy, cl.openSell
	open := &buy
	if !side.IsBuy() {
		open = &sell
	}
	var ok bool
	*open, ok = order.AddMoney(*open, addition)
	long, okLong := order.AddMoney(cl.value, buy)
	short, okShort := order.AddMoney(sell, -cl.value)
	both, okBoth := order.AddMoney(buy, sell)
	margin, okMargin := share(max(0, long, short), in.MarginBps)
	fee, okFee := share(both, in.FeeBps)
	hold, okSum := order.AddMoney(margin, fee)
	return hold, margin, ok && okLong && okShort && okBoth && okMargin && okFee && okSum
}

// share returns ⌈amount × bps / 10,000⌉ of an amount that is not negative, and
// whether it fits.
func share(amount order.Money, bps int64) (order.Money, bool) {
	hi, lo := bits.Mul64(uint64(amount), uint64(bps))
	if hi >= 10_000 {
		return 0, false
	}
	q, r := bits.Div64(hi, lo, 10_000)
	if r != 0 {
		q++
	}
	return order.Money(q), q <= order.Unlimited
}
