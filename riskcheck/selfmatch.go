package riskcheck

import (
	"math"
	"slices"

	"tollgate/order"
)

// selfBook is the resting orders of one self-match group in one instrument: a
// heap for each side (a pairing heap over the orders themselves), the most
// aggressive order first.
type selfBook struct{ roots [2]int32 } // buys, sells; orders plus one, so that zero is empty

// selfLinks are an order's place in its heap. Orders are named by their place
// plus one; zero is none.
type selfLinks struct {
	rank    int64 // how aggressive: higher meets the other side sooner
	child   int32
	next    int32 // next sibling
	before  int32 // previous sibling, or the parent of a first child
	resting bool
}

// selfBook returns the number of the book of an account's self-match group in an
// instrument and makes it if needed.
func (e *Engine) selfBook(account, instrument int32) int32 {
	k := e.selfKey(account, instrument)
	if i, ok := e.selfIndex.get(k); ok {
		return int32(i)
	}
	e.selfBooks = append(e.selfBooks, selfBook{})
	i := int32(len(e.selfBooks) - 1)
	e.selfIndex.put(k, uint64(i))
	return i
}

// selfKey is the key of an account's book in an instrument.
func (e *Engine) selfKey(account, instrument int32) key {
	a := &e.accountRows[account]
	if a.SelfMatch != 0 {
		return key{1<<32 | uint64(a.SelfMatch), uint64(instrument)}
	}
	return key{uint64(a.ID), uint64(instrument)}
}

// rankOf returns how aggressive a price is for a side: an order without a price
// is the most aggressive.
func rankOf(side order.Side, price order.Price) int64 {
	switch {
	case price == order.Null:
		return math.MaxInt64
	case side.IsBuy():
		return int64(price)
	}
	return -int64(price)
}

// rank returns how aggressive an order is in the worst case of its versions.
func (e *Engine) rank(o *liveOrder) int64 {
	rank := rankOf(o.side, o.acked.price)
	for i := o.requests; i != noIndex; i = e.orders.requests[i].next {
		if p := &e.orders.requests[i]; p.msgType == order.MsgReplaceOrder {
			rank = max(rank, rankOf(o.side, p.price))
		}
	}
	return rank
}

// enterSelf puts a live order into the heap of its side. Stop orders rest nowhere
// until they are elected.
func (e *Engine) enterSelf(i int32) {
	o := &e.orders.orders[i]
	if o.acked.stopPx != order.Null {
		return
	}
	o.self = selfLinks{rank: e.rank(o), resting: true}
	root := &e.selfBooks[e.routes[o.route].selfBook].roots[sideIndex(o.side)]
	*root = e.meld(*root, i+1)
}

// leaveSelf takes an order out of its heap.
func (e *Engine) leaveSelf(i int32) {
	o := &e.orders.orders[i]
	if !o.self.resting {
		return
	}
	root := &e.selfBooks[e.routes[o.route].selfBook].roots[sideIndex(o.side)]
	if *root == i+1 {
		*root = e.pairUp(o.self.child)
	} else {
		before := &e.orders.orders[o.self.before-1]
		if before.self.child == i+1 {
			before.self.child = o.self.next
		} else {
			before.self.next = o.self.next
		}
		if o.self.next != 0 {
			e.orders.orders[o.self.next-1].self.before = o.self.before
		}
		*root = e.meld(*root, e.pairUp(o.self.child))
	}
	o.self = selfLinks{}
	if *root != 0 {
		e.orders.orders[*root-1].self.before = 0
	}
}

// reenterSelf gives an order the place its versions ask for now.
func (e *Engine) reenterSelf(i int32) {
	if o := &e.orders.orders[i]; o.self.resting && e.rank(o) != o.self.rank {
		e.leaveSelf(i)
		e.enterSelf(i)
	}
}

// meld joins two heaps.
func (e *Engine) meld(a, b int32) int32 {
	if a == 0 {
		return b
	}
	if b == 0 {
		return a
	}
	x, y := &e.orders.orders[a-1].self, &e.orders.orders[b-1].self
	if y.rank > x.rank {
		a, b = b, a
		x, y = y, x
	}
	y.before, y.next = a, x.child
	if x.child != 0 {
		e.orders.orders[x.child-1].self.before = b
	}
	x.child, x.next, x.before = b, 0, 0
	return a
}

// pairUp joins a list of siblings into one heap: in pairs from the left, then all
// of them from the right.
func (e *Engine) pairUp(first int32) int32 {
	paired := int32(0) // heaps so far, the newest first, linked by next
	for first != 0 {
		a := first
		b := e.orders.orders[a-1].self.next
		first = 0
		e.orders.orders[a-1].self.next = 0
		if b != 0 {
			first = e.orders.orders[b-1].self.next
			e.orders.orders[b-1].self.next = 0
		}
		m := e.meld(a, b)
		e.orders.orders[m-1].self.next = paired
		paired = m
	}
	root := int32(0)
	for paired != 0 {
		next := e.orders.orders[paired-1].self.next
		e.orders.orders[paired-1].self.next = 0
		root = e.meld(root, paired)
		paired = next
	}
	return root
}

// checkSelfMatch is control 22.
func (e *Engine) checkSelfMatch(c *candidate, r *order.Request) bool {
	e.crossed = e.crossed[:0]
	b := c.terms.selfMatch
	if b.value == unstated {
		return c.refuseAbsent(order.ReasonSelfMatch, 0)
	}
	own := rankOf(r.Side, c.price)
	root := e.selfBooks[c.route.selfBook].roots[1-sideIndex(r.Side)]
	if b.value == order.Unlimited || r.StopPx != order.Null || root == 0 || !e.meets(root, own) {
		e.noteSelfMatch(c, b, 0, order.Unlimited, true)
		return true
	}
	if b.value == SelfMatchReject {
		value, limit := priceOrZero(c.price), priceOrZero(e.orders.orders[root-1].aggressive())
		e.noteSelfMatch(c, b, value, limit, false)
		return e.refuseAt(c, order.ReasonSelfMatch, LimitSelfMatch, b.at, value, limit)
	}
	e.collectCrossed(root, own)
	slices.SortFunc(e.crossed, e.moreAggressive)
	e.noteSelfMatch(c, b, 0, order.Unlimited, true)
	return true
}

// noteSelfMatch adds what the control says to a trace: no bound where nothing
// is refused, and the two prices that meet where something is.
func (e *Engine) noteSelfMatch(c *candidate, b bound, value, limit int64, passed bool) {
	if c.mode == modeTrace {
		*c.checks = append(*c.checks, Check{
			Scope: e.scopeAt(&c.route.path, int(b.at)), Value: value, Limit: limit, Reason: order.ReasonSelfMatch,
			Kind: LimitSelfMatch, Passed: passed,
		})
	}
}

func priceOrZero(p order.Price) int64 {
	if p == order.Null {
		return 0
	}
	return int64(p)
}

// aggressive returns the price an order in a heap stands at.
func (o *liveOrder) aggressive() order.Price {
	switch {
	case o.self.rank == math.MaxInt64:
		return order.Null
	case o.side.IsBuy():
		return order.Price(o.self.rank)
	}
	return order.Price(-o.self.rank)
}

// meets reports whether an order of a heap meets a rank of the other side: a buy at
// b meets a sell at s if b ≥ s, that is if their ranks add up to 0 or more.
func (e *Engine) meets(at int32, own int64) bool {
	rank := e.orders.orders[at-1].self.rank
	return own == math.MaxInt64 || rank == math.MaxInt64 || rank >= -own
}

// collectCrossed collects the orders of a heap that meet a rank of the other side,
// of which the root is one. What lies below an order that does not meet it does not
// either.
func (e *Engine) collectCrossed(root int32, own int64) {
	e.crossed = append(e.crossed[:0], root-1)
	for n := 0; n < len(e.crossed); n++ {
		for at := e.orders.orders[e.crossed[n]].self.child; at != 0; at = e.orders.orders[at-1].self.next {
			if e.meets(at, own) {
				e.crossed = append(e.crossed, at-1)
			}
		}
	}
}

// moreAggressive orders resting orders: the most aggressive first, then the
// oldest.
func (e *Engine) moreAggressive(a, b int32) int {
	x, y := &e.orders.orders[a], &e.orders.orders[b]
	switch {
	case x.self.rank != y.self.rank:
		if x.self.rank > y.self.rank {
			return -1
		}
		return 1
	case x.id < y.id:
		return -1
	case x.id > y.id:
		return 1
	}
	return 0
}

// cancelCrossed cancels the resting orders that an accepted request would meet,
// and returns the sequence number the request then goes by: the venue is to see
// the cancels first.
func (e *Engine) cancelCrossed() uint64 {
	first := len(e.crossed)
	for n, i := range e.crossed {
		if o := &e.orders.orders[i]; o.unaskedSeq == 0 {
			first = min(first, n)
			e.cancelUnasked(o, order.ReasonSelfMatch)
		}
	}
	if first < len(e.crossed) {
		e.seq++
	}
	e.crossed = e.crossed[:0]
	return e.seq
}
