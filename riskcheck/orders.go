package riskcheck

import (
	"unsafe"

	"tollgate/order"
)

// version is one set of values an order has, or has asked for.
type version struct {
	clOrdID    order.ClOrdID
	qty        order.Qty   // total quantity
	price      order.Price // as the venue has it; Null for a market order
	worstPrice order.Price // the price the notional is reserved at
	stopPx     order.Price // Null unless a stop
	displayQty order.Qty
	validUntil int64
	rates      [currencies]order.FxRate // at which the notional is reserved
}

// liveOrder is one order the engine knows, live or recently terminal.
//
// Invariant: reservedQty and reserved are zero exactly when the order is
// terminal, and are contained in the books of all holders of its route.
type liveOrder struct {
	acked         version // before the acknowledgement: what was asked for
	id            order.OrderID
	newRef        uint64      // the request that asked for the order
	newQty        order.Qty   // what it asked for, whatever the venue has made of it since
	newPrice      order.Price // what the venue was sent
	newVersion    uint64      // the limits under which it was accepted
	unaskedSeq    uint64      // pending cancel that no request asked for; 0: none
	cumQty        order.Qty
	reservedQty   order.Qty
	reserved      amounts
	self          selfLinks
	place         int32 // where it stands in the store
	route         int32
	requests      int32 // head of the pending requests, oldest first
	before, after int32 // neighbours among the session's live orders, or the retired ones
	generation    uint32
	replaces      uint8 // pending replaces
	cancels       uint8 // pending cancels asked for by the client
	status        order.OrdStatus
	side          order.Side
	ordType       order.OrdType
	timeInForce   order.TimeInForce
	newAnswered   bool         // the venue has answered the new order
	retired       bool         // the order may be forgotten, see orderStore
	unaskedReason order.Reason // why the engine itself cancels
}

// leaves returns what a version would leave open.
func (o *liveOrder) leaves(v *version) order.Qty {
	if v.qty <= o.cumQty {
		return 0
	}
	return v.qty - o.cumQty
}

// pending is a replace or cancel that awaits the venue.
type pending struct {
	version
	origClOrdID order.ClOrdID
	seq         uint64
	ref         uint64
	limits      uint64    // version of the limits under which it was accepted
	cumAt       order.Qty // what had been executed when the request was accepted
	next        int32
	msgType     order.MsgType
	openQty     bool // the venue takes the quantity as what is to be open from then on
}

// leaves returns what a pending replace of an order would leave open. A venue that
// takes open quantities adds what is executed on the way to it.
func (p *pending) leaves(o *liveOrder) order.Qty {
	if p.openQty {
		return max(0, p.qty-p.cumAt)
	}
	return o.leaves(&p.version)
}

// over reports whether the order has ended and the venue owes no answer about it.
func (o *liveOrder) over() bool {
	return o.status.Terminal() && o.requests == noIndex && o.unaskedSeq == 0
}

// orderStore keeps orders in a slab. Orders that are over stay until their place is
// needed, so that late reports find them; the one that has been over for longest
// goes first.
//
// Invariant: the list from first to last is the retired orders, all of them over.
type orderStore struct {
	orders []liveOrder
	used   int // orders[:used] have been handed out at least once
	first  int32
	last   int32
	spare  []int32 // places given back without having been used

	requests     []pending
	requestsUsed int   // requests[:requestsUsed] have been handed out at least once
	freeRequest  int32 // free ones among them
}

// newOrderStore makes room for ordersMax orders, each with as many pending
// requests as it may have, so that a cancel always finds its place.
func newOrderStore(ordersMax int) orderStore {
	return orderStore{
		orders: make([]liveOrder, ordersMax), first: noIndex, last: noIndex, freeRequest: noIndex,
		requests: make([]pending, ordersMax*(pendingReplacesMax+pendingCancelsMax)),
		spare:    make([]int32, 0, basketLegsMax),
	}
}

// available reports whether take will succeed.
func (s *orderStore) available() bool {
	return s.used < len(s.orders) || len(s.spare) > 0 || s.first != noIndex
}

// take returns a place for a new order, and the order that is forgotten for it,
// if any (its id is zero otherwise). The caller has seen available.
func (s *orderStore) take() (int32, order.OrderID) {
	if n := len(s.spare); n > 0 {
		i := s.spare[n-1]
		s.spare = s.spare[:n-1]
		return i, 0
	}
	if s.used < len(s.orders) {
		s.used++
		return int32(s.used - 1), 0
	}
	i := s.first
	o := &s.orders[i]
	s.unretire(i)
	forgotten, generation := o.id, o.generation+1
	*o = liveOrder{generation: generation}
	if s.first != noIndex { // the next to go
		fetch(unsafe.Pointer(&s.orders[s.first]), unsafe.Sizeof(liveOrder{}))
	}
	return i, forgotten
}

// giveBack takes back the place of an order that never was.
func (s *orderStore) giveBack(i int32) {
	s.orders[i] = liveOrder{generation: s.orders[i].generation + 1, requests: noIndex}
	s.spare = append(s.spare, i)
}

// retire makes an order that is over one that may be forgotten.
func (s *orderStore) retire(i int32) {
	o := &s.orders[i]
	o.before, o.after, o.retired = s.last, noIndex, true
	if s.last == noIndex {
		s.first = i
	} else {
		s.orders[s.last].after = i
	}
	s.last = i
}

// unretire takes an order out of those that may be forgotten, if it is one.
func (s *orderStore) unretire(i int32) {
	o := &s.orders[i]
	if !o.retired {
		return
	}
	o.retired = false
	if o.before == noIndex {
		s.first = o.after
	} else {
		s.orders[o.before].after = o.after
	}
	if o.after == noIndex {
		s.last = o.before
	} else {
		s.orders[o.after].before = o.before
	}
}

// pend appends a pending request to an order, which has fewer than it may have.
func (s *orderStore) pend(o *liveOrder) *pending {
	i := s.freeRequest
	if i == noIndex {
		i = int32(s.requestsUsed)
		s.requestsUsed++
	} else {
		s.freeRequest = s.requests[i].next
	}
	p := &s.requests[i]
	*p = pending{next: noIndex}
	link := &o.requests
	for *link != noIndex {
		link = &s.requests[*link].next
	}
	*link = i
	return p
}

// unpend takes the pending request with seq out of an order, and out of its counts,
// and returns it.
func (s *orderStore) unpend(o *liveOrder, seq uint64) (pending, bool) {
	for link := &o.requests; *link != noIndex; link = &s.requests[*link].next {
		i := *link
		if s.requests[i].seq != seq {
			continue
		}
		p := s.requests[i]
		*link = p.next
		s.requests[i].next = s.freeRequest
		s.freeRequest = i
		if p.msgType == order.MsgReplaceOrder {
			o.replaces--
		} else {
			o.cancels--
		}
		return p, true
	}
	return pending{}, false
}
