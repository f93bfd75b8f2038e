package riskcheck

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"tollgate/order"
)

// TestTallyAgainstBigSums adds and takes back amounts of every size: what is read is
// the exact sum, or the largest amount of its sign.
func TestTallyAgainstBigSums(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 11))
		var low, otherLow order.Qty
		var high, otherHigh int8
		sum, other := new(big.Int), new(big.Int)
		add := func(amount int64) {
			if r.IntN(3) == 0 {
				tally(&otherLow, &otherHigh, order.Qty(amount))
				other.Add(other, big.NewInt(amount))
				return
			}
			tally(&low, &high, order.Qty(amount))
			sum.Add(sum, big.NewInt(amount))
		}
		var added []int64
		for range 100 {
			amount := r.Int64() >> r.IntN(63)
			if len(added) > 0 && r.IntN(2) == 0 {
				amount = -added[r.IntN(len(added))]
			}
			added = append(added, amount)
			add(amount)
			if got, want := tallied(low, high), clipped(sum); got != want {
				t.Fatalf("seed %d: the sum is %d, want %d of %s", seed, got, want, sum)
			}
		}
		tallyWide(&low, &high, otherLow, otherHigh)
		if got, want := tallied(low, high), clipped(sum.Add(sum, other)); got != want {
			t.Fatalf("seed %d: two sums make %d, want %d of %s", seed, got, want, sum)
		}
	}
}

// clipped returns a number, or the quantity of its sign that is largest.
func clipped(n *big.Int) order.Qty {
	switch {
	case n.IsInt64() && n.Int64() != math.MinInt64:
		return order.Qty(n.Int64())
	case n.Sign() < 0:
		return -order.Unlimited
	}
	return order.Unlimited
}
