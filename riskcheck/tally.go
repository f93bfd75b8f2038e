package riskcheck

import (
	"math"
	"math/bits"

	"tollgate/order"
)

// A tally is a sum of 72 bits: the low word stands where it is counted, the high byte
// beside it. It saturates when it is read and not when something is added, so that
// what is taken away again leaves no trace.

// tally adds an amount to a sum.
func tally[T ~int64](low *T, high *int8, amount T) {
	tallyWide(low, high, amount, int8(int64(amount)>>63))
}

// tallyWide adds a sum to a sum.
func tallyWide[T ~int64](low *T, high *int8, otherLow T, otherHigh int8) {
	sum, carry := bits.Add64(uint64(*low), uint64(otherLow), 0)
	*low = T(sum)
	*high = int8(max(math.MinInt8, min(math.MaxInt8, int64(*high)+int64(otherHigh)+int64(carry))))
}

// tallied returns a sum, or the amount of its sign that is largest.
func tallied[T ~int64](low T, high int8) T {
	switch {
	case int64(high) == int64(low)>>63 && low != T(order.Null):
		return low
	case high < 0:
		return -order.Unlimited
	}
	return order.Unlimited
}

// count takes an execution into the counts of the day, or out of them again.
func (d *dayCount) count(qty order.Qty, executed order.Money, sign order.Qty, trades int32) {
	tally(&d.executed, &d.executedHigh, order.Money(sign)*executed)
	tally(&d.traded, &d.tradedHigh, sign*qty)
	d.trades += trades
}

// executedSum returns the value executed, and not less than nothing: what was taken
// back may be of another day.
func (d *dayCount) executedSum() order.Money { return max(0, tallied(d.executed, d.executedHigh)) }

// orderedSum returns the quantity of accepted requests.
func (d *dayCount) orderedSum() order.Qty { return tallied(d.ordered, d.orderedHigh) }

// tradedSum returns the quantity executed, like executedSum.
func (d *dayCount) tradedSum() order.Qty { return max(0, tallied(d.traded, d.tradedHigh)) }
