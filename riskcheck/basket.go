package riskcheck

import "tollgate/order"

// heldBasket is a list of orders whose last one has not come yet.
type heldBasket struct {
	id   order.BasketID
	size uint16
	legs []order.Request
}

func (b *heldBasket) held() bool { return len(b.legs) > 0 }

// continuedBy reports whether a request is the next order of the list.
func (b *heldBasket) continuedBy(r *order.Request) bool {
	return r.MsgType == order.MsgNewOrder && r.Basket == b.id && r.BasketLegs == b.size
}

// toldRung is what stood told of a limit before a list was judged.
type toldRung struct {
	book  *book
	key   key
	last  uint64
	known bool
}

// crossing is a resting order that a leg of the list has canceled.
type crossing struct{ leg, order int32 }

// basketLeg takes one order of a list. Orders are held until the list is
// complete; then the list is judged as a whole.
func (e *Engine) basketLeg(s *sessionRow, r *order.Request, broke bool) {
	b := &s.basket
	if r.BasketLegs == 0 || r.BasketLegs > basketLegsMax || broke && r.Basket == b.id {
		c := &e.scratch
		c.begin(nil)
		e.lookup(c, r)
		c.refuse(order.ReasonMalformed)
		e.rejectNew(s, r, &c.decision)
		e.refused(c, order.ReasonMalformed)
		e.countAttempt(s)
		return
	}
	b.id, b.size = r.Basket, r.BasketLegs
	b.legs = append(b.legs, *r)
	if len(b.legs) == int(b.size) {
		e.judgeBasket(s)
		b.legs = b.legs[:0]
	}
	e.countAttempt(s)
}

// breakBasket refuses the orders of a list that will not be completed.
func (e *Engine) breakBasket(s *sessionRow) {
	for i := range s.basket.legs {
		e.refuseLeg(s, &s.basket.legs[i], &order.Decision{Reason: order.ReasonBasketIncomplete}, 0, -1)
	}
	s.basket.legs = s.basket.legs[:0]
}

// refuseLeg answers one order of a list that was refused.
func (e *Engine) refuseLeg(s *sessionRow, r *order.Request, d *order.Decision, kind LimitKind, at int32) {
	c := &e.scratch
	c.begin(nil)
	e.lookup(c, r)
	c.decision, c.kind, c.at = *d, kind, at
	e.rejectNew(s, r, d)
	e.refused(c, d.Reason)
}

// judgeBasket is control 24: the list as a whole, then every order of it, all or
// nothing. While it is judged every order sees what those before it have
// reserved and counted; if one is refused all of that is taken back.
func (e *Engine) judgeBasket(s *sessionRow) {
	c := &e.scratch
	legs := s.basket.legs
	fault := e.judgeList(c, legs)
	if fault < 0 {
		fault = e.judgeLegs(s, c, legs)
	}
	if fault < 0 {
		e.releaseBasket()
		return
	}
	decision, kind, at := c.decision, c.kind, c.at
	for i := range legs {
		if i == fault {
			e.refuseLeg(s, &legs[i], &decision, kind, at)
		} else {
			e.refuseLeg(s, &legs[i], &order.Decision{Reason: order.ReasonBasketLeg}, 0, -1)
		}
	}
}

// judgeList judges the number and the value of a list at every order's scopes. It
// returns the order at fault, -1 if there is none; where the values do not add up in
// Money that is the order that makes the sum too large. Orders that cannot be valued
// count nothing here; their own controls refuse them.
func (e *Engine) judgeList(c *candidate, legs []order.Request) int {
	total := order.Money(0)
	for i := range legs {
		if !e.valueLeg(c, &legs[i]) {
			continue
		}
		var ok bool
		if total, ok = order.AddMoney(total, c.notional[firmMoney]); !ok {
			c.refuse(order.ReasonArithOverflow)
			return i
		}
	}
	for i := range legs {
		c.begin(nil)
		e.lookup(c, &legs[i])
		if c.route == nil || c.unresolved != order.ReasonNone {
			continue
		}
		if !e.checkBound(c, order.ReasonBasket, LimitBasketOrders, c.terms.basketOrders, int64(len(legs))) ||
			!e.checkBound(c, order.ReasonBasket, LimitBasketNotional, c.terms.basketNotional, int64(total)) {
			return i
		}
	}
	return -1
}

// valueLeg finds the value of one order, if it has one.
func (e *Engine) valueLeg(c *candidate, r *order.Request) bool {
	c.begin(nil)
	e.lookup(c, r)
	if c.route == nil || c.instrument == noIndex || r.OrderQty <= 0 ||
		r.Price == order.Null && r.OrdType != order.OrdTypeMarket && r.OrdType != order.OrdTypeStop {
		return false
	}
	in := &e.instrumentRows[c.instrument]
	var ok bool
	if c.rates, ok = e.ratesFor(in, &e.accountRows[c.route.accounts]); !ok {
		return false
	}
	c.reference, c.hasPrice = e.referencePrice(in)
	if r.OrdType == order.OrdTypeStop && r.StopPx == order.Null || !e.findPrice(c, r, in) {
		return false
	}
	c.notional, ok = notionals(c.worstPrice, r.OrderQty, in.Multiplier, &c.rates)
	return ok
}

// judgeLegs judges the orders of a list one after the other, and reserves each
// before the next. It returns the order at fault, after everything is as it was,
// or -1.
func (e *Engine) judgeLegs(s *sessionRow, c *candidate, legs []order.Request) int {
	seq, alerts := e.seq, len(e.alerts)
	e.judgingBasket = true
	e.basketRungs, e.basketCrossed = e.basketRungs[:0], e.basketCrossed[:0]
	e.basketOrders, e.basketRecent = e.basketOrders[:0], e.basketRecent[:0]
	fault := -1
	for i := range legs {
		r := &legs[i]
		e.seq++ // it goes by its place in the judgement, not by when it came
		c.begin(nil)
		e.lookup(c, r)
		if !e.judgeNew(c, r) {
			fault = i
			break
		}
		e.reach(c, r)
		e.holdLeg(s, c, r, int32(i))
	}
	e.judgingBasket = false
	if fault < 0 {
		return -1
	}
	decision, kind, at := c.decision, c.kind, c.at
	for i := fault - 1; i >= 0; i-- {
		e.dropLeg(s, c, &legs[i], e.basketOrders[i])
	}
	for i := len(e.basketCrossed) - 1; i >= 0; i-- {
		o := &e.orders.orders[e.basketCrossed[i].order]
		o.unaskedSeq, o.unaskedReason = 0, order.ReasonNone
	}
	for i := len(e.basketRungs) - 1; i >= 0; i-- {
		e.untell(&e.basketRungs[i])
	}
	e.seq, e.alerts = seq, e.alerts[:alerts]
	c.decision, c.kind, c.at = decision, kind, at
	return fault
}

// holdLeg reserves and counts an order of a list without sending anything. What
// it counts in sliding windows stands ahead of the stamps until the list is sent.
func (e *Engine) holdLeg(s *sessionRow, c *candidate, r *order.Request, number int32) {
	id := e.seq
	moved := false
	for _, i := range e.crossed {
		if o := &e.orders.orders[i]; o.unaskedSeq == 0 {
			e.seq++
			o.unaskedSeq, o.unaskedReason = e.seq, order.ReasonSelfMatch
			e.basketCrossed = append(e.basketCrossed, crossing{number, i})
			moved = true
		}
	}
	e.crossed = e.crossed[:0]
	if moved {
		e.seq++
		id = e.seq
	}
	o := e.acceptNew(s, c, r, id)
	e.basketOrders = append(e.basketOrders, o.place)
	e.countLeg(c, r, 1)
}

// countLeg counts an order of a list, or takes its count back.
func (e *Engine) countLeg(c *candidate, r *order.Request, sign int32) {
	for _, i := range c.nodes {
		if i != noIndex {
			e.nodes[i].ahead += sign
		}
	}
	e.count(c, r, sign)
	e.countExecution(c, int64(sign))
	if sign > 0 {
		e.basketRecent = append(e.basketRecent, e.stampRecent(r))
		return
	}
	last := len(e.basketRecent) - 1
	if e.basketRecent[last] {
		e.recent.pop()
	}
	e.basketRecent = e.basketRecent[:last]
}

// dropLeg takes back everything an order of a list has reserved and counted.
func (e *Engine) dropLeg(s *sessionRow, c *candidate, r *order.Request, i int32) {
	o := &e.orders.orders[i]
	e.use(c, o.route)
	c.add = o.reserved
	e.countLeg(c, r, -1)
	o.status = order.OrdStatusRejected
	e.unreserve(o)
	e.unlink(s, i)
	e.leaveSelf(i)
	e.orderAt.remove(e.hashOrderID(o.id), i)
	e.clOrdIDs.put(clOrdKey(s.ID, r.ClOrdID), clOrdNoOrder)
	e.orders.giveBack(i)
}

// untell takes back what a list has made known of a limit.
func (e *Engine) untell(t *toldRung) {
	_, known := e.rungs.get(t.key)
	switch {
	case t.known:
		if e.rungs.put(t.key, t.last) && !known {
			t.book.told++
		}
	case known:
		e.rungs.remove(t.key)
		t.book.told--
	}
}

// releaseBasket sends a list that has passed: the cancels of what an order would
// have met, then the order, one after the other.
func (e *Engine) releaseBasket() {
	crossed := e.basketCrossed
	for i, at := range e.basketOrders {
		for len(crossed) > 0 && int(crossed[0].leg) == i {
			e.sendUnasked(&e.orders.orders[crossed[0].order])
			crossed = crossed[1:]
		}
		o := &e.orders.orders[at]
		for _, n := range e.routes[o.route].nodes {
			if n == noIndex {
				continue
			}
			n := &e.nodes[n]
			n.stamp(&e.stamps, e.now)
			n.ahead--
		}
		e.sendNew(o)
	}
}
