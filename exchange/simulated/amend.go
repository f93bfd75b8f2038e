package simulated

import "tollgate/order"

// replace works on a request to change a live order.
func (v *Venue) replace(d *order.Verdict) {
	at := v.orders.find(d.OrderID)
	if refusal := v.judgeReplace(at, d); refusal != RefusalNone {
		v.refuseAmend(at, d, order.ReportReplaceReject, refusal)
		return
	}
	if v.keepsPlace(at, d) {
		v.amend(at, d)
		v.report(at, order.ReportReplaced, d.Token.Seq)
		return
	}
	v.withdraw(at)
	v.amend(at, d)
	v.replaced(at, d.Token.Seq)
}

// replaced confirms a replace of an order that was taken out of its book, and
// lets the order begin anew.
func (v *Venue) replaced(at slot, seq uint64) {
	v.report(at, order.ReportReplaced, seq)
	v.match(at)
	v.settle(at)
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
	if d.OrderQty < o.cumQty {
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
		d.Instrument == o.instrument && d.Side == o.side && d.OrdType == o.ordType && d.TimeInForce == o.inForce
}

// keepsPlace reports whether the order stays where it is in its queue.
func (v *Venue) keepsPlace(at slot, d *order.Verdict) bool {
	o := &v.orders.slab[at]
	return d.Price == o.price && d.OrderQty <= o.orderQty && d.OrderQty > o.cumQty
}

// amend writes a judged replace into the order.
func (v *Venue) amend(at slot, d *order.Verdict) {
	o := &v.orders.slab[at]
	o.clOrdID, o.price, o.orderQty = d.ClOrdID, d.Price, d.OrderQty
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
