package riskcheck

import (
	"math/bits"

	"tollgate/order"
)

// ratioOne is the scale of order-to-trade ratios.
const ratioOne = 10_000

// checkOrderToTrade is control 21 (RTS 9): orders ÷ trades − 1, in number and in
// quantity, after a minimum number of orders. Without trades, where the rule is
// silent, one is assumed.
func (e *Engine) checkOrderToTrade(c *candidate, r *order.Request) bool {
	t := c.terms
	if t.stated[statedOTR] == 0 {
		return c.refuseAbsent(order.ReasonOrderToTrade, 0)
	}
	var w worst
	for at, set := 0, t.stated[statedOTR]; set != 0; {
		at, set = each(set)
		b := c.books[at]
		if e.belowMinimum(c, at) {
			if c.mode == modeTrace {
				c.note(e, order.ReasonOrderToTrade, LimitOrderToTrade, at, 0, e.profiles[b.profile].limit[LimitOrderToTrade],
					false)
			}
			continue
		}
		value := ratio(uint64(b.day.orders)+1, uint64(max(1, b.day.trades)))
		e.consider(c, &w, order.ReasonOrderToTrade, LimitOrderToTrade, at, value)
	}
	if !e.passed(c, &w) {
		return false
	}
	w = worst{}
	for at, set := 0, t.stated[statedOTRVolume]; set != 0; {
		at, set = each(set)
		if e.belowMinimum(c, at) {
			continue
		}
		b := c.books[at]
		value := ratio(uint64(b.day.orderedSum())+uint64(r.OrderQty), uint64(max(1, b.day.tradedSum())))
		e.consider(c, &w, order.ReasonOrderToTradeVolume, LimitOrderToTradeVolume, at, value)
	}
	return e.passed(c, &w)
}

// belowMinimum reports whether a holder has too few orders for its ratio to be
// judged.
func (e *Engine) belowMinimum(c *candidate, at int) bool {
	b := c.books[at]
	return int64(b.day.orders)+1 <= max(0, e.profiles[b.profile].limit[LimitOrderToTradeMinimum])
}

// ratio returns ⌈(orders − trades) × 10,000 ÷ trades⌉, at least 0 and at most one
// less than order.Unlimited. Comparing it with a limit is comparing the
// cross-multiplied exact values.
func ratio(orders, trades uint64) int64 {
	if orders <= trades {
		return 0
	}
	hi, lo := bits.Mul64(orders-trades, ratioOne)
	if hi >= trades {
		return order.Unlimited - 1
	}
	q, rest := bits.Div64(hi, lo, trades)
	if rest != 0 {
		q++
	}
	return int64(min(q, order.Unlimited-1))
}

// addSaturating adds two quantities. A sum that does not fit is the largest there
// is of its sign.
func addSaturating(a, b order.Qty) order.Qty {
	if s, ok := order.AddQty(a, b); ok {
		return s
	}
	if b < 0 {
		return -order.Unlimited
	}
	return order.Unlimited
}
