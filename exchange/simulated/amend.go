package simulated

import "tollgate/order"

// replace works on a request to change a live order.
func (v *Venue) replace(d *order.Verdict) {
	at := v.orders.find(d.OrderID)
	if refusal := v.judgeReplace(at, d); refusal != RefusalNone {
		v.refuseAmend(at, d, order.ReportReplaceReject, refusal)
		return
	}
	total, _ := v.total(at, d)
	if v.keepsPlace(at, d, total) {
		v.amend(at, d, total)
		v.report(at, order.ReportReplaced, d.Token.Seq)
		return
	}
	v.withdraw(at)
	v.amend(at, d, total)
	v.anew(at, order.ReportReplaced, d.Token.Seq)
}

// anew reports the change of an order that was taken out of its queue, and lets
// the order begin anew.
func (v *Venue) anew(at slot, kind order.ReportKind, seq uint64) {
	book := v.orders.slab[at].book
	v.report(at, kind, seq)
	v.start(at)
	v.elect(book)
}

// total returns the whole quantity of an order after a replace, what has been
// executed included, and whether it fits.
func (v *Venue) total(at slot, d *order.Verdict) (order.Qty, bool) {
	o := &v.orders.slab[at]
	if !v.books[o.book].ReplaceOpenQty {
		return d.OrderQty, true
	}
	return order.AddQty(o.cumQty, d.OrderQty)
}

func (v *Venue) judgeReplace(at slot, d *order.Verdict) Refusal {
	if refusal := v.judgeLive(at); refusal != RefusalNone {
		return refusal
	}
	o := &v.orders.slab[at]
	if !sameOrder(o, d) {
		return RefusalMismatch
	}
	if refusal := v.judgeTerms(&v.books[o.book], d); refusal != RefusalNone {
		return refusal
	}
	total, fits := v.total(at, d)
	switch {
	case !fits:
		return RefusalQty
	case total < o.cumQty:
		return RefusalQtyBelowCumQty
	}
	return RefusalNone
}

// judgeLive judges whether the order in slot at can still be changed.
func (v *Venue) judgeLive(at slot) Refusal {
	switch {
	case at == none:
		return RefusalUnknownOrder
	case !v.orders.slab[at].live:
		return RefusalTooLate
	}
	return RefusalNone
}

// sameOrder reports whether d leaves alone what cannot be replaced.
func sameOrder(o *resting, d *order.Verdict) bool {
	return d.Session == o.session && d.Account == o.account && d.Trader == o.trader &&
		d.Instrument == o.instrument && d.Side == o.side && d.TimeInForce == o.inForce &&
		(d.OrdType == o.ordType || o.waiting && isStop(d.OrdType))
}

// keepsPlace reports whether the order stays where it is in its queue.
func (v *Venue) keepsPlace(at slot, d *order.Verdict, total order.Qty) bool {
	o := &v.orders.slab[at]
	if total > o.orderQty || total <= o.cumQty || displayQty(d) != o.displayQty {
		return false
	}
	if o.waiting {
		return d.StopPx == o.stopPx
	}
	return d.Price == o.price
}

// amend writes a judged replace into the order. A stop that was elected stays so,
// whatever StopPx says.
func (v *Venue) amend(at slot, d *order.Verdict, total order.Qty) {
	o := &v.orders.slab[at]
	o.clOrdID, o.price, o.orderQty, o.displayQty, o.ordType = d.ClOrdID, d.Price, total, displayQty(d), d.OrdType
	if o.waiting {
		o.stopPx = d.StopPx
	}
	o.shown = min(o.shown, o.open())
	v.setExpiry(at, d)
}

// cancel works on a request to cancel a live order.
func (v *Venue) cancel(d *order.Verdict) {
	at := v.orders.find(d.OrderID)
	if refusal := v.judgeLive(at); refusal != RefusalNone {
		v.refuseAmend(at, d, order.ReportCancelReject, refusal)
		return
	}
	v.withdraw(at)
	v.end(at, order.ReportCanceled, d.Token.Seq)
}

// refuseAmend refuses a request about an order and says how the order stands if
// the venue knows it.
func (v *Venue) refuseAmend(at slot, d *order.Verdict, kind order.ReportKind, refusal Refusal) {
	v.refuse(d, kind, refusal)
	if at == none {
		return
	}
	o, r := &v.orders.slab[at], &v.reports[len(v.reports)-1]
	r.Price, r.OrderQty, r.CumQty, r.LeavesQty = o.price, o.orderQty, o.cumQty, o.leaves()
}
