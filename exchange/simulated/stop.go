package simulated

import "tollgate/order"

// start lets an order begin that is in no queue: a stop waits until its price is
// reached, every other trades at once.
func (v *Venue) start(at slot) {
	o := &v.orders.slab[at]
	if o.waiting && o.open() > 0 && !v.books[o.book].reached(o) {
		v.rest(at)
		return
	}
	v.work(at)
}

// work lets an order trade and decides what becomes of it.
func (v *Venue) work(at slot) {
	o := &v.orders.slab[at]
	o.waiting = false
	if o.inForce != order.TimeInForceFOK || v.fillable(at) {
		v.match(at)
	}
	v.settle(at)
}

// reached reports whether the last trade has reached a stop's price.
func (b *book) reached(o *resting) bool {
	switch {
	case !b.price.hasTraded:
		return false
	case o.side.IsBuy():
		return b.price.last >= o.stopPx
	}
	return b.price.last <= o.stopPx
}

// elect lets the stops begin whose price is reached, one after the other: each
// may trade, and so reach the price of others.
func (v *Venue) elect(i int32) {
	for at := v.elected(i); at != none; at = v.elected(i) {
		v.withdraw(at)
		v.work(at)
	}
}

// elected returns the next stop of a book whose price is reached, or none.
func (v *Venue) elected(i int32) slot {
	b := &v.books[i]
	for side := range b.stops {
		if b.stops[side].empty() {
			continue
		}
		if at := b.stops[side].best().head; b.reached(&v.orders.slab[at]) {
			return at
		}
	}
	return none
}
