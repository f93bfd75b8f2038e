package simulated

import "tollgate/order"

// slot is an order's place in the slab.
type slot int32

// none is no slot.
const none slot = -1

// resting is one order the venue knows, live or finished.
type resting struct {
	id         order.OrderID
	clOrdID    order.ClOrdID
	price      order.Price
	orderQty   order.Qty
	cumQty     order.Qty
	expiry     int64 // ns since 1970 UTC; 0: none
	next       slot  // in its price level, or in the list it has finished in
	prev       slot
	expiryAt   int32 // place in the expiry heap; -1: not there
	book       int32
	group      order.GroupID
	session    order.SessionID
	account    order.AccountID
	trader     order.TraderID
	side       order.Side
	ordType    order.OrdType
	inForce    order.TimeInForce
	live       bool
	inBook     bool
	instrument order.InstrumentID
}

// open is what the order could still trade.
func (o *resting) open() order.Qty { return o.orderQty - o.cumQty }

// leaves is FIX's LeavesQty: zero once the order is finished.
func (o *resting) leaves() order.Qty {
	if !o.live {
		return 0
	}
	return o.open()
}

// orders is the slab of all orders. Slots are used one after the other until
// the slab is full, and again when finished orders are forgotten, oldest first.
type orders struct {
	slab        []resting
	index       index
	used        slot // slots below it were given out at least once
	free        slot // list of slots to be used again
	oldest      slot // list of finished orders, oldest first
	newest      slot
	live        int
	finished    int
	liveMax     int
	finishedMax int
}

func newOrders(liveMax, finishedMax int) orders {
	// One slot more: the order that finishes is remembered before the oldest is
	// forgotten.
	size := liveMax + finishedMax + 1
	return orders{
		slab:  make([]resting, size),
		index: newIndex(size),
		free:  none, oldest: none, newest: none,
		liveMax: liveMax, finishedMax: finishedMax,
	}
}

func (s *orders) full() bool { return s.live == s.liveMax }

// find returns the slot of the order named id, live or finished, or none.
func (s *orders) find(id order.OrderID) slot { return s.index.find(s.slab, id) }

// add takes a slot for a live order named id. The caller has asked full.
func (s *orders) add(id order.OrderID) slot {
	at := s.free
	if at != none {
		s.free = s.slab[at].next
	} else {
		at = s.used
		s.used++
	}
	s.live++
	s.index.add(id, at)
	s.slab[at] = resting{id: id, next: none, prev: none, expiryAt: -1, live: true}
	return at
}

// finish moves a live order to the finished ones and forgets the oldest of them
// if there are too many.
func (s *orders) finish(at slot) {
	o := &s.slab[at]
	o.live, o.next, o.prev = false, none, none
	if s.newest != none {
		s.slab[s.newest].next = at
	} else {
		s.oldest = at
	}
	s.newest = at
	s.live--
	s.finished++
	if s.finished > s.finishedMax {
		s.forgetOldest()
	}
}

func (s *orders) forgetOldest() {
	at := s.oldest
	o := &s.slab[at]
	s.oldest = o.next
	if s.oldest == none {
		s.newest = none
	}
	s.index.remove(s.slab, at)
	o.id, o.next = 0, s.free
	s.free = at
	s.finished--
}
