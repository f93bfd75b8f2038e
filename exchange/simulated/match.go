package simulated

import "tollgate/order"

// match trades the order in slot at, which is in no book, against the other
// side as far as it goes.
func (v *Venue) match(at slot) {
	o := &v.orders.slab[at]
	against := v.against(o)
	for o.open() > 0 && !against.empty() {
		price := against.bestPrice()
		if !accepts(o, price) {
			return
		}
		v.trade(against.best().head, at, price)
	}
}

// against returns the side of the book the order would trade with.
func (v *Venue) against(o *resting) *ladder {
	return &v.books[o.book].sides[offers-sideIndex(o.side)]
}

// accepts reports whether the order may trade at price.
func accepts(o *resting, price order.Price) bool {
	switch {
	case o.price == order.Null:
		return true
	case o.side.IsBuy():
		return price <= o.price
	}
	return price >= o.price
}

// fillable reports whether the whole order would trade at once.
func (v *Venue) fillable(at slot) bool {
	o := &v.orders.slab[at]
	return v.against(o).holds(v.orders.slab, o.open(), o.price, o.price == order.Null)
}

// trade lets two orders trade as much as the maker shows and the taker wants, at
// the maker's price.
func (v *Venue) trade(maker, taker slot, price order.Price) {
	m, t := &v.orders.slab[maker], &v.orders.slab[taker]
	quantity := min(m.visible(), t.open())
	m.cumQty += quantity
	t.cumQty += quantity
	v.reportTrade(maker, price, quantity, v.execID+2)
	v.reportTrade(taker, price, quantity, v.execID)
	v.prices.traded(v.books, t.book, price, v.now)
	switch {
	case m.open() == 0:
		v.withdraw(maker)
		v.finish(maker)
	case m.displayQty != 0:
		v.showMore(maker, quantity)
	}
}

// showMore goes on with an order that has traded some of what it shows. When
// that was all, it shows more, behind the others of its price.
func (v *Venue) showMore(at slot, traded order.Qty) {
	o := &v.orders.slab[at]
	o.shown -= traded
	if o.shown > 0 {
		return
	}
	v.withdraw(at)
	v.rest(at)
}

// rest puts an order into the queue it belongs in, behind all others of its
// price.
func (v *Venue) rest(at slot) {
	o := &v.orders.slab[at]
	o.show()
	v.books[o.book].queue(o).push(v.orders.slab, at)
}

// reportTrade reports one side of a trade; other is the ExecID of the other
// side's report.
func (v *Venue) reportTrade(at slot, price order.Price, quantity order.Qty, other order.ExecID) {
	r := v.report(at, order.ReportTrade, 0)
	r.LastPx, r.LastQty = price, quantity
	v.executions.add(r, other)
}

// settle decides what becomes of an order after it was matched: filled, resting
// or, if it may not rest, canceled.
func (v *Venue) settle(at slot) {
	o := &v.orders.slab[at]
	switch {
	case o.open() == 0:
		v.finish(at)
	case rests(o):
		v.rest(at)
	default:
		v.end(at, order.ReportCanceled, 0)
	}
}

// rests reports whether the order may wait in the book.
func rests(o *resting) bool {
	if o.ordType == order.OrdTypeMarket || o.ordType == order.OrdTypeStop {
		return false
	}
	return o.inForce != order.TimeInForceIOC && o.inForce != order.TimeInForceFOK
}
