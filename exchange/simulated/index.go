package simulated

import (
	"math/bits"

	"tollgate/order"
)

// index finds an order's slot by its OrderID: open addressing with linear
// probing over a power-of-two table that is never more than half full. It is
// built for the largest number of orders and never grows. The names themselves
// are in the slab, so that the table stays small enough for the caches.
type index struct {
	places []slot // slot+1; 0: free
	shift  uint
}

func newIndex(ordersMax int) index {
	width := uint(bits.Len(uint(2*ordersMax - 1)))
	return index{places: make([]slot, 1<<width), shift: 64 - width}
}

// home is Fibonacci hashing: dense identifiers spread evenly.
func (x *index) home(id order.OrderID) int {
	return int(uint64(id) * 0x9e3779b97f4a7c15 >> x.shift)
}

// find returns the slot of id, or none.
func (x *index) find(slab []resting, id order.OrderID) slot {
	mask := len(x.places) - 1
	for i := x.home(id); x.places[i] != 0; i = (i + 1) & mask {
		if at := x.places[i] - 1; slab[at].id == id {
			return at
		}
	}
	return none
}

// add enters the order in slot at, whose id must not be in the index.
func (x *index) add(id order.OrderID, at slot) {
	mask := len(x.places) - 1
	i := x.home(id)
	for x.places[i] != 0 {
		i = (i + 1) & mask
	}
	x.places[i] = at + 1
}

// remove takes the order in slot at out and moves later entries of the same run
// forward, so that no marks of removed entries pile up.
func (x *index) remove(slab []resting, at slot) {
	mask := len(x.places) - 1
	hole := x.home(slab[at].id)
	for x.places[hole] != at+1 {
		hole = (hole + 1) & mask
	}
	for i := (hole + 1) & mask; x.places[i] != 0; i = (i + 1) & mask {
		if home := x.home(slab[x.places[i]-1].id); (i-home)&mask >= (i-hole)&mask {
			x.places[hole] = x.places[i]
			hole = i
		}
	}
	x.places[hole] = 0
}
