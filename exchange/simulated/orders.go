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
	price      order.Price // order.Null: any
	stopPx     order.Price // of a stop
	orderQty   order.Qty
	cumQty     order.Qty
	displayQty order.Qty // 0: the order shows all of it
	shown      order.Qty // of an order in the book with a displayQty
	expiry     int64     // ns since 1970 UTC; 0: none
	next       slot      // in its queue, or in the list it has finished in
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
	inBook     bool // in a queue of its book, of limit orders or of stops
	waiting    bool // a stop that no price has elected
	canceled   bool // it has ended so, or has expired
	instrument order.InstrumentID
	strategy   order.StrategyID
}

// open is what the order could still trade.
func (o *resting) open() order.Qty { return o.orderQty - o.cumQty }

// leaves is FIX's LeavesQty: zero once the order is finished or has more
// executed than ordered.
func (o *resting) leaves() order.Qty {
	if !o.live {
		return 0
	}
	return max(0, o.open())
}

// visible is what an order in the book offers to the next one that comes.
func (o *resting) visible() order.Qty {
	if o.displayQty == 0 {
		return o.open()
	}
	return o.shown
}

// show takes from what is open as much as the order may show.
func (o *resting) show() { o.shown = min(o.displayQty, o.open()) }

// rank is the price by which the order's queue is found.
func (o *resting) rank() order.Price {
	if o.waiting {
		return o.stopPx
	}
	return o.price
}

// isStop reports whether an order of this type waits for a price.
func isStop(t order.OrdType) bool { return t == order.OrdTypeStop || t == order.OrdTypeStopLimit }

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

// revive makes a finished order a live one again. The caller has asked full.
func (s *orders) revive(at slot) {
	before := none
	for i := s.oldest; i != at; i = s.slab[i].next {
		before = i
	}
	if before == none {
		s.oldest = s.slab[at].next
	} else {
		s.slab[before].next = s.slab[at].next
	}
	if s.newest == at {
		s.newest = before
	}
	s.slab[at].live, s.slab[at].next = true, none
	s.live++
	s.finished--
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
