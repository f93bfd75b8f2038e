package simulated

import (
	"math/rand/v2"
	"slices"
	"testing"

	"tollgate/internal/testseed"
	"tollgate/order"
)

// TestIndexAgreesWithMap keeps a small index as full as it may be.
func TestIndexAgreesWithMap(t *testing.T) {
	random := rand.New(rand.NewPCG(testseed.New(t), 5))
	const size = 32
	slab := make([]resting, size)
	x := newIndex(size)
	slots := map[order.OrderID]slot{}
	for range 20_000 {
		at := slot(random.IntN(size))
		if id := slab[at].id; id != 0 {
			x.remove(slab, at)
			delete(slots, id)
			slab[at].id = 0
		} else if id := order.OrderID(random.Uint64() | 1); slots[id] == 0 {
			slab[at].id = id
			x.add(id, at)
			slots[id] = at
		}
		for id, want := range slots {
			if got := x.find(slab, id); got != want {
				t.Fatalf("order %d is in slot %d, the index says %d", id, want, got)
			}
		}
		if got := x.find(slab, order.OrderID(random.Uint64())&^1); got != none {
			t.Fatalf("an order that does not exist is in slot %d", got)
		}
	}
}

// TestExpiriesComeInOrder adds and removes at random and then takes out one
// after the other.
func TestExpiriesComeInOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(testseed.New(t), 6))
	for range 300 {
		slab := make([]resting, 64)
		var h expiries
		var want []int64
		for at := range slab {
			slab[at] = resting{id: order.OrderID(at + 1), expiry: random.Int64N(50), expiryAt: -1}
			h.add(slab, slot(at))
		}
		for at := range slab {
			if random.IntN(2) == 0 {
				h.remove(slab, slot(at))
				h.remove(slab, slot(at)) // a second time changes nothing
			} else {
				want = append(want, slab[at].expiry)
			}
		}
		slices.Sort(want)
		for _, expiry := range want {
			first := h.heap[0]
			if slab[first].expiry != expiry || slab[first].expiryAt != 0 {
				t.Fatalf("the first expiry is %d, want %d", slab[first].expiry, expiry)
			}
			h.remove(slab, first)
		}
		if len(h.heap) != 0 {
			t.Fatalf("%d expiries are left", len(h.heap))
		}
	}
}

// TestCheckFindsDamage breaks one thing after the other in a healthy venue.
func TestCheckFindsDamage(t *testing.T) {
	for name, damage := range map[string]func(*Venue){
		"crossed":            func(v *Venue) { v.books[0].sides[bids].levels[0].key = 1 << 40 },
		"unsorted":           func(v *Venue) { slices.Reverse(v.books[0].sides[offers].levels) },
		"wrong price":        func(v *Venue) { v.orders.slab[0].price++ },
		"broken link":        func(v *Venue) { v.orders.slab[5].prev = none },
		"wrong end":          func(v *Venue) { v.books[0].sides[bids].levels[0].tail = 5 },
		"empty level":        func(v *Venue) { v.books[0].sides[bids].levels[0].head = none },
		"wrong side":         func(v *Venue) { v.orders.slab[0].side = order.SideSell },
		"wrong count":        func(v *Venue) { v.orders.live++ },
		"finished count":     func(v *Venue) { v.orders.finished++ },
		"lost from index":    func(v *Venue) { v.orders.index.remove(v.orders.slab, 0) },
		"overfilled":         func(v *Venue) { v.orders.slab[0].cumQty = 1000 },
		"nothing left":       func(v *Venue) { v.orders.slab[0].cumQty = v.orders.slab[0].orderQty },
		"not in a book":      func(v *Venue) { v.orders.slab[0].inBook = false },
		"hidden":             func(v *Venue) { v.orders.slab[8].shown = 0 },
		"shows too much":     func(v *Venue) { v.orders.slab[8].shown = 20 },
		"reached stop":       func(v *Venue) { v.books[0].price.hasTraded, v.books[0].price.last = true, 90 },
		"waits in the book":  func(v *Venue) { v.orders.slab[0].waiting = true },
		"forgotten expiry":   func(v *Venue) { v.expiries.remove(v.orders.slab, v.expiries.heap[0]) },
		"expiries unordered": func(v *Venue) { v.orders.slab[v.expiries.heap[0]].expiry = 1 << 40 },
		"expiry misplaced":   func(v *Venue) { v.orders.slab[v.expiries.heap[0]].expiryAt = 1 },
	} {
		t.Run(name, func(t *testing.T) {
			venue := newVenue(t, nil)
			for i := range order.OrderID(2) {
				for _, d := range []order.Verdict{
					limitOrder(10*i+1, order.SideBuy, 50, 10), limitOrder(10*i+2, order.SideSell, 60, 10),
					limitOrder(10*i+3, order.SideSell, 70, 10), goodTill(10*i+4, 100),
				} {
					venue.Submit(0, &d)
				}
			}
			iceberg, stop := limitOrder(31, order.SideBuy, 50, 20), limitOrder(32, order.SideBuy, 95, 10)
			iceberg.DisplayQty, stop.OrdType, stop.StopPx = 10, order.OrdTypeStopLimit, 90
			venue.Submit(0, &iceberg)
			venue.Submit(0, &stop)
			if err := venue.Check(); err != nil {
				t.Fatalf("before: %v", err)
			}
			damage(venue)
			if venue.Check() == nil {
				t.Error("the damage was not found")
			}
		})
	}
}

func goodTill(id order.OrderID, expiry int64) order.Verdict {
	d := limitOrder(id, order.SideBuy, 40, 10)
	d.TimeInForce, d.ValidUntil = order.TimeInForceGTD, expiry
	return d
}
