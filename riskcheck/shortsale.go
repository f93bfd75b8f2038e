package riskcheck

import "tollgate/order"

// shortOf returns what is known of an account's short sales in an instrument and
// makes room for it if there is nothing yet. There is one for each cell at most.
func (e *Engine) shortOf(cl *cell) *short {
	if cl.short == noIndex {
		e.shorts = append(e.shorts, short{})
		cl.short = int32(len(e.shorts) - 1)
	}
	return &e.shorts[cl.short]
}

// executedSum returns what was sold short, and not less than nothing.
func (s *short) executedSum() order.Qty { return max(0, tallied(s.executed, s.executedHigh)) }

// checkShortSale is control 18 (Reg SHO rules 200(g), 201 and 203(b)): what is
// sold beyond what is held and not yet for sale is marked short, and located.
func (e *Engine) checkShortSale(c *candidate, r *order.Request) bool {
	if r.Side.IsBuy() {
		return true
	}
	cl := &e.cells[c.route.cells[accountLevel]]
	b := c.terms.short
	offered, ok := order.AddQty(cl.openSellQty, c.addQty)
	switch {
	case b.value == unstated:
		return c.refuseAbsent(order.ReasonShortSale, int64(offered))
	case !ok || cl.lost:
		return c.refuse(order.ReasonArithOverflow)
	}
	held := max(0, cl.position)
	if r.Side == order.SideSell {
		if c.mode == modeTrace {
			limit := int64(held)
			if b.value == order.Unlimited {
				limit = b.value
			}
			c.note(e, order.ReasonShortSale, LimitShortSelling, int(b.at), int64(offered), limit, false)
		}
		if offered > held && b.value != order.Unlimited {
			return e.refuseAt(c, order.ReasonShortSale, LimitShortSelling, b.at, int64(offered), int64(held))
		}
		return true
	}
	return e.checkMarkedShort(c, r, cl, b)
}

// checkMarkedShort judges an order that is marked short.
func (e *Engine) checkMarkedShort(c *candidate, r *order.Request, cl *cell, b bound) bool {
	switch b.value {
	case ShortForbidden:
		if !e.refuseAt(c, order.ReasonShortSelling, LimitShortSelling, b.at, int64(c.addQty), 0) {
			return false
		}
	case ShortLocate:
		s := short{}
		if cl.short != noIndex {
			s = e.shorts[cl.short]
		}
		sold, ok := order.AddQty(s.open, s.executedSum())
		after, okAfter := order.AddQty(sold, c.addQty)
		if !ok || !okAfter {
			return c.refuse(order.ReasonArithOverflow)
		}
		at := int32(accountLevel*holdersPerLevel + instrumentHolder)
		if c.mode == modeTrace {
			c.note(e, order.ReasonLocate, LimitShortSelling, int(at), int64(after), int64(s.located), false)
		}
		if after > s.located && !e.refuseAt(c, order.ReasonLocate, 0, at, int64(after), int64(s.located)) {
			return false
		}
	}
	return e.checkShortPrice(c, r)
}

// checkShortPrice is the price test of the short sale restriction. Orders marked
// exempt skip it, and nothing else.
func (e *Engine) checkShortPrice(c *candidate, r *order.Request) bool {
	if !e.instrumentRows[c.instrument].shortRestricted || r.Side != order.SideSellShort {
		return true
	}
	if !c.hasPrice {
		return c.refuse(order.ReasonNoReferencePrice)
	}
	price := r.Price
	if price == order.Null {
		price = c.reference
	}
	if price <= c.reference {
		return c.refuseRule(order.ReasonShortSalePrice, int64(price), int64(c.reference))
	}
	return true
}
