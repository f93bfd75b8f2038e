package riskcheck

import "tollgate/order"

// version is one set of values an order has, or has asked for.
type version struct {
	clOrdID    order.ClOrdID
	qty        order.Qty   // total quantity
	price      order.Price // as on the wire; Null for a market order
	worstPrice order.Price // the price the notional is reserved at
	displayQty order.Qty
	validUntil int64
}

// liveOrder is one order the engine knows, live or recently terminal.
//
// Invariant: reservedQty and reservedNotional are zero exactly when the order
// is terminal, and are contained in the books of its ten nodes and cells.
type liveOrder struct {
	acked            version // before the acknowledgement: what was asked for
	id               order.OrderID
	newRef           uint64 // the request that asked for the order
	newVersion       uint64 // the limits under which it was accepted
	unaskedSeq       uint64 // pending cancel that no request asked for; 0: none
	cumQty           order.Qty
	reservedQty      order.Qty
	reservedNotional order.Money
	route            int32
	requests         int32 // head of the pending requests, oldest first
	before, after    int32 // neighbours in the session's list of live orders
	generation       uint32
	replaces         uint8 // pending replaces
	cancels          uint8 // pending cancels asked for by the client
	status           order.OrdStatus
	side             order.Side
	ordType          order.OrdType
	timeInForce      order.TimeInForce
	newAnswered      bool         // the venue has answered the new order
	unaskedReason    order.Reason // why the engine itself cancels
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
	limits      uint64 // version of the limits under which it was accepted
	next        int32
	msgType     order.MsgType
}

// waits reports whether the venue still owes an answer about the order.
func (o *liveOrder) waits() bool { return !o.newAnswered || o.requests != noIndex || o.unaskedSeq != 0 }

// orderStore keeps orders in a slab. Terminal orders stay until their place is
// needed, so that late reports find them; the one that ended first goes first,
// but none that waits for the venue.
//
// Invariant: forgettable counts the terminal orders that wait for nothing.
type orderStore struct {
	orders      []liveOrder
	used        int   // orders[:used] have been handed out at least once
	first       int32 // terminal orders, in the order they ended
	last        int32
	forgettable int

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
	}
}

// available reports whether take will succeed.
func (s *orderStore) available() bool { return s.used < len(s.orders) || s.forgettable > 0 }

// take returns a place for a new order, and the order that is forgotten for it,
// if any (its id is zero otherwise). The caller has seen available.
func (s *orderStore) take() (int32, order.OrderID) {
	if s.used < len(s.orders) {
		s.used++
		return int32(s.used - 1), 0
	}
	i := s.first
	for s.orders[i].waits() {
		i = s.orders[i].after
	}
	o := &s.orders[i]
	s.unlinkTerminal(i)
	s.forgettable--
	forgotten, generation := o.id, o.generation+1
	*o = liveOrder{generation: generation}
	return i, forgotten
}

// retire appends an order to the terminal ones.
func (s *orderStore) retire(i int32) {
	o := &s.orders[i]
	o.before, o.after = s.last, noIndex
	if s.last == noIndex {
		s.first = i
	} else {
		s.orders[s.last].after = i
	}
	s.last = i
}

// unlinkTerminal takes an order out of the terminal ones.
func (s *orderStore) unlinkTerminal(i int32) {
	o := &s.orders[i]
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

// unpend takes the pending request with seq out of an order and returns it.
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
		return p, true
	}
	return pending{}, false
}
