package riskcheck

import (
	"math/bits"

	"tollgate/order"
)

// wide is a sum of Money that cannot overflow: 128 bits, two's complement. Sums
// over positions are kept in it, because a price or a fill that makes one too
// large for Money must be taken all the same, and must be forgotten without a
// trace when it is over.
type wide struct {
	high int64
	low  uint64
}

// add adds an amount.
func (w *wide) add(m order.Money) {
	low, carry := bits.Add64(w.low, uint64(m), 0)
	w.low = low
	w.high += int64(m)>>63 + int64(carry)
}

// subtract takes an amount away.
func (w *wide) subtract(m order.Money) {
	low, borrow := bits.Sub64(w.low, uint64(m), 0)
	w.low = low
	w.high -= int64(m)>>63 + int64(borrow)
}

// addWide adds a sum.
func (w *wide) addWide(v *wide) {
	low, carry := bits.Add64(w.low, v.low, 0)
	w.low = low
	w.high += v.high + int64(carry)
}

// subtractWide takes a sum away.
func (w *wide) subtractWide(v *wide) {
	low, borrow := bits.Sub64(w.low, v.low, 0)
	w.low = low
	w.high -= v.high + int64(borrow)
}

// money returns the sum, and whether it fits. The least Money counts as not
// fitting, so that every result can be negated.
func (w *wide) money() (order.Money, bool) {
	m := order.Money(w.low)
	return m, w.high == int64(m)>>63 && m != order.Null
}

// saturated returns the sum, or the amount of its sign that is largest.
func (w *wide) saturated() order.Money {
	if m, ok := w.money(); ok {
		return m
	}
	if w.high < 0 {
		return -order.Unlimited
	}
	return order.Unlimited
}
