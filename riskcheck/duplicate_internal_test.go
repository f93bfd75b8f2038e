package riskcheck

import (
	"math"
	"math/rand/v2"
	"testing"

	"tollgate/order"
)

// TestRecentOrdersAgainstList keeps orders, takes the newest back, lets time pass
// and lets the numbers run out, and holds what is counted against a plain list.
func TestRecentOrdersAgainstList(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 10))
		x := newRecentOrders(1+r.IntN(40), seed)
		x.horizonNs = int64(1+r.IntN(4)) * secondNs
		x.last = math.MaxUint32 - uint32(r.IntN(300))
		var list []recentOrder
		now := int64(1+r.IntN(5)) * secondNs
		for step := range 900 {
			now += int64(r.IntN(4)) * int64(r.IntN(secondNs))
			o := recentOrder{price: order.Price(r.IntN(3)), qty: order.Qty(r.IntN(2)), account: order.AccountID(r.IntN(2))}
			counted, kept := int64(0), 0
			for i := range list {
				if now-list[i].at < x.horizonNs {
					kept++
					if list[i].same(&o) {
						counted++
					}
				}
			}
			if got := x.countSame(&o, now, x.horizonNs, 64); got != min(counted, 64) {
				t.Fatalf("seed %d step %d: %d are the same, want %d", seed, step, got, counted)
			}
			if room := x.room(now); room != (kept < len(x.ring)) {
				t.Fatalf("seed %d step %d: room %v with %d of %d kept", seed, step, room, kept, len(x.ring))
			}
			list = pushAndPop(r, &x, list, o, now)
		}
	}
}

// pushAndPop keeps a few orders while there is room, and takes some of them back.
func pushAndPop(r *rand.Rand, x *recentOrders, list []recentOrder, o recentOrder, now int64) []recentOrder {
	pushed := 0
	for range 1 + r.IntN(3) {
		if x.room(now) {
			x.push(o, now)
			o.at = now
			list = append(list, o)
			pushed++
		}
	}
	if r.IntN(3) == 0 {
		for range r.IntN(pushed + 1) {
			x.pop()
			list = list[:len(list)-1]
		}
	}
	return list
}

// TestTableAgainstMap puts and removes keys that crowd a small table.
func TestTableAgainstMap(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 6))
		table, want := newTable(1+r.IntN(60), seed), map[key]uint64{}
		for step := range 2000 {
			k := key{uint64(r.IntN(3)), uint64(r.IntN(64))}
			if r.IntN(2) == 0 {
				_, known := want[k]
				if ok := table.put(k, uint64(step)); ok != (known || len(want) < table.max) {
					t.Fatalf("seed %d step %d: put says %v with %d of %d", seed, step, ok, len(want), table.max)
				} else if ok {
					want[k] = uint64(step)
				}
			} else {
				table.remove(k)
				delete(want, k)
			}
			for a := range uint64(3) {
				for b := range uint64(64) {
					v, ok := want[key{a, b}]
					if got, found := table.get(key{a, b}); found != ok || got != v {
						t.Fatalf("seed %d step %d: %d %d is %d (%v), want %d (%v)", seed, step, a, b, got, found, v, ok)
					}
				}
			}
			if table.count != len(want) {
				t.Fatalf("seed %d step %d: %d entries, want %d", seed, step, table.count, len(want))
			}
		}
	}
}
