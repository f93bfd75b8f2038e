package riskcheck

import (
	"math"
	"unsafe"

	"tollgate/order"
)

// recentOrders are the newest accepted new orders, for DUPLICATE_ORDER: a ring in
// the order of acceptance, chained by the hash of what makes two orders the same.
// Orders go by numbers, from 1; the chain ends at a number the ring has left.
type recentOrders struct {
	ring      []recentOrder
	heads     []recentHead // by hash
	seed      uint64
	horizonNs int64 // the longest window in force
	shift     uint
	last      uint32 // number of the newest one
}

// recentHead is the newest order of a hash: its number, 0 for none, and the second
// it was accepted in, so that what is long ago needs no look at the ring.
type recentHead struct{ number, second uint32 }

// recentOrder is what makes two orders the same, and when one was accepted.
type recentOrder struct {
	price      order.Price
	stopPx     order.Price
	qty        order.Qty
	at         int64
	account    order.AccountID
	instrument order.InstrumentID
	before     uint32 // the next older one of the same hash
	side       order.Side
	ordType    order.OrdType
}

func newRecentOrders(ordersMax int, seed uint64) recentOrders {
	width := widthFor(ordersMax)
	return recentOrders{
		ring: make([]recentOrder, ordersMax), heads: make([]recentHead, 1<<width), seed: seed, shift: 64 - width,
		horizonNs: duplicateWindowNs,
	}
}

// place returns where the order with a number stands.
func (x *recentOrders) place(number uint32) *recentOrder { return &x.ring[number%uint32(len(x.ring))] }

// kept reports whether the order with a number still stands in the ring.
func (x *recentOrders) kept(number uint32) bool {
	return number != 0 && x.last-number < uint32(len(x.ring))
}

func recentOf(r *order.Request) recentOrder {
	return recentOrder{
		price: r.Price, stopPx: r.StopPx, qty: r.OrderQty, account: r.Account, instrument: r.Instrument,
		side: r.Side, ordType: r.OrdType,
	}
}

func (x *recentOrders) head(o *recentOrder) *recentHead {
	h := mix2(uint64(o.account)<<32|uint64(o.instrument), uint64(o.price), x.seed)
	h = mix2(h^uint64(o.qty), uint64(o.stopPx)^uint64(o.side)<<8^uint64(o.ordType), x.seed)
	return &x.heads[h>>x.shift]
}

// same reports whether two orders are the same, but for their time.
func (o *recentOrder) same(b *recentOrder) bool {
	return o.account == b.account && o.instrument == b.instrument && o.price == b.price && o.qty == b.qty &&
		o.stopPx == b.stopPx && o.side == b.side && o.ordType == b.ordType
}

// countSame returns how many orders like o were accepted within a window, at most
// limit.
func (x *recentOrders) countSame(o *recentOrder, now, windowNs, limit int64) int64 {
	n := int64(0)
	head := x.head(o)
	if int64(uint32(now/secondNs)-head.second) > windowNs/secondNs+1 {
		return 0
	}
	for i := head.number; x.kept(i) && n < limit; {
		other := x.place(i)
		if now-other.at >= windowNs {
			break
		}
		if other.same(o) {
			n++
		}
		i = other.before
	}
	return n
}

// room reports whether another order can be kept: the oldest one leaves if no
// window can ask for it any more.
func (x *recentOrders) room(now int64) bool {
	oldest := x.place(x.last%uint32(len(x.ring)) + 1) // last + 1 may not be a number any more
	return oldest.at == 0 || now-oldest.at >= x.horizonNs
}

// push keeps an order. The caller has seen room.
func (x *recentOrders) push(o recentOrder, now int64) {
	if x.last == math.MaxUint32 {
		x.renumber()
	}
	x.last++
	head := x.head(&o)
	o.at, o.before = now, head.number
	*x.place(x.last) = o
	*head = recentHead{x.last, uint32(now / secondNs)}
	prefetch(unsafe.Pointer(x.place(x.last + 2))) // the next to be looked at, see room
}

// renumber begins to count anew, once in four thousand million orders: the orders
// that are kept stay where they are.
func (x *recentOrders) renumber() {
	n := uint32(len(x.ring))
	to := x.last%n + n // the same place, and above every number kept
	shift := x.last - to
	move := func(number *uint32) {
		if x.kept(*number) {
			*number -= shift
		} else {
			*number = 0
		}
	}
	for i := range x.heads {
		move(&x.heads[i].number)
	}
	for i := range x.ring {
		move(&x.ring[i].before)
	}
	x.last = to
}

// pop takes the newest order back.
func (x *recentOrders) pop() {
	o := x.place(x.last)
	head := x.head(o)
	*head = recentHead{o.before, head.second}
	*o = recentOrder{}
	x.last--
}

// checkDuplicate is control 10.
func (e *Engine) checkDuplicate(c *candidate, r *order.Request) bool {
	b := c.terms.duplicates
	if b.value == unstated {
		return c.refuseAbsent(order.ReasonDuplicateOrder, 1)
	}
	if b.value == order.Unlimited {
		if c.mode == modeTrace {
			c.note(e, order.ReasonDuplicateOrder, LimitDuplicateOrders, int(b.at), 1, b.value, false)
		}
		return true
	}
	if !e.recent.room(e.now) {
		return c.refuse(order.ReasonCapacity)
	}
	like := recentOf(r)
	value := e.recent.countSame(&like, e.now, c.terms.duplicateWindow, b.value) + 1
	var w worst
	e.considerOf(c, &w, order.ReasonDuplicateOrder, LimitDuplicateOrders, int(b.at), value, b.value)
	return e.passed(c, &w)
}

// stampRecent keeps an accepted new order. Where no scope bounds duplicates it is
// kept too while there is room, so that a limit stated later knows of it.
func (e *Engine) stampRecent(r *order.Request) bool {
	if !e.recent.room(e.now) {
		return false
	}
	e.recent.push(recentOf(r), e.now)
	return true
}
