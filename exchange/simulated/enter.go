package simulated

import "tollgate/order"

// enter works on a new order. Stops are elected when it is done with.
func (v *Venue) enter(d *order.Verdict) {
	if refusal := v.judgeNew(d); refusal != RefusalNone {
		v.refuse(d, order.ReportRejected, refusal)
		return
	}
	at := v.add(d)
	v.report(at, order.ReportNew, d.Token.Seq)
	book := v.orders.slab[at].book
	v.start(at)
	v.elect(book)
}

func (v *Venue) judgeNew(d *order.Verdict) Refusal {
	book := v.bookIndex(d.Instrument)
	switch {
	case book < 0:
		return RefusalInstrument
	case d.OrderID == 0 || v.orders.find(d.OrderID) != none:
		return RefusalOrderID
	case v.orders.full():
		return RefusalCapacity
	case !d.Side.Valid():
		return RefusalSide
	case !d.OrdType.Valid():
		return RefusalOrdType
	case !d.TimeInForce.Valid():
		return RefusalTimeInForce
	}
	return v.judgeTerms(&v.books[book], d)
}

// judgeTerms judges what a new order and a replace have in common.
func (v *Venue) judgeTerms(b *book, d *order.Verdict) Refusal {
	switch {
	case d.OrderQty <= 0:
		return RefusalQty
	case d.OrderQty%b.Lot != 0:
		return RefusalLot
	case displayQty(d) < 0 || displayQty(d) > d.OrderQty || displayQty(d)%b.Lot != 0:
		return RefusalDisplayQty
	case d.TimeInForce == order.TimeInForceGTD:
		if d.ValidUntil == 0 {
			return RefusalTimeInForce
		}
		if d.ValidUntil < v.now {
			return RefusalExpired
		}
	}
	return judgePrice(b, d)
}

func judgePrice(b *book, d *order.Verdict) Refusal {
	switch {
	case isStop(d.OrdType) && d.StopPx == order.Null:
		return RefusalStopPx
	case isStop(d.OrdType) && d.StopPx%b.Tick != 0:
		return RefusalTick
	case d.Price == order.Null:
		if d.OrdType == order.OrdTypeLimit || d.OrdType == order.OrdTypeStopLimit {
			return RefusalPrice
		}
	case d.Price%b.Tick != 0:
		return RefusalTick
	}
	return RefusalNone
}

// displayQty returns what a request wants to be shown, 0 for all.
func displayQty(d *order.Verdict) order.Qty {
	if d.DisplayQty == order.Null {
		return 0
	}
	return d.DisplayQty
}

// bookIndex returns the place of an instrument's book, or -1.
func (v *Venue) bookIndex(id order.InstrumentID) int32 {
	if uint64(id) >= uint64(len(v.bookOf)) {
		return -1
	}
	return v.bookOf[id]
}

// add takes a judged new order into the slab, not yet into its book.
func (v *Venue) add(d *order.Verdict) slot {
	at := v.orders.add(d.OrderID)
	o := &v.orders.slab[at]
	o.clOrdID, o.price, o.stopPx = d.ClOrdID, d.Price, d.StopPx
	o.orderQty, o.displayQty = d.OrderQty, displayQty(d)
	o.group, o.session, o.account, o.trader, o.strategy = d.Group, d.Session, d.Account, d.Trader, d.Strategy
	o.side, o.ordType, o.inForce, o.waiting = d.Side, d.OrdType, d.TimeInForce, isStop(d.OrdType)
	o.instrument, o.book = d.Instrument, v.bookIndex(d.Instrument)
	v.setExpiry(at, d)
	return at
}

// setExpiry makes a GTD order expire when the request says.
func (v *Venue) setExpiry(at slot, d *order.Verdict) {
	if d.TimeInForce != order.TimeInForceGTD {
		return
	}
	v.expiries.remove(v.orders.slab, at)
	v.orders.slab[at].expiry = d.ValidUntil
	v.expiries.add(v.orders.slab, at)
}
