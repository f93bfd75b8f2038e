package riskcheck

import "tollgate/order"

// findPrice finds the price a request's order is sent with and the worst price it
// may trade at, which is what control 6 values it at. A market order, and a stop
// order, becomes a limit order at its protection price (control 8, CME market
// order with protection) wherever a finite protection is stated.
func (e *Engine) findPrice(c *candidate, r *order.Request, in *instrumentRow) bool {
	c.price, c.worstPrice = r.Price, r.Price
	from := c.reference
	switch r.OrdType {
	case order.OrdTypeMarket:
		if !c.hasPrice {
			return c.refuse(order.ReasonNoReferencePrice)
		}
	case order.OrdTypeStop:
		from = r.StopPx
	default:
		return true
	}
	width := c.terms.protection(from, in.Tick)
	if width == unstated || width == order.Unlimited {
		return c.priceFar(from, in)
	}
	price, ok := protectedPrice(from, order.Price(width), r.Side.IsBuy(), &in.Instrument)
	if !ok {
		return c.refuse(order.ReasonArithOverflow)
	}
	worst := sizeOf(price)
	if !r.Side.IsBuy() {
		worst = max(worst, sizeOf(from))
	}
	if worst > order.Unlimited {
		return c.refuse(order.ReasonArithOverflow)
	}
	c.price, c.worstPrice = price, order.Price(worst)
	return true
}

// protection returns the narrowest stated protection around a price: unstated if
// there is none, order.Unlimited if every stated one is.
func (t *terms) protection(from, tick order.Price) int64 {
	b := noBound
	if w := t.protectionBps; w.value != unstated {
		b.tighten(bpsWidth(from, w.value), int(w.at))
	}
	if w := t.protectionTicks; w.value != unstated {
		b.tighten(ticksWidth(tick, w.value), int(w.at))
	}
	return b.value
}

// priceFar values an order without a price at the far edge of its collar.
func (c *candidate) priceFar(from order.Price, in *instrumentRow) bool {
	width := uint64(0)
	if b, _ := c.terms.collar(from, in.Tick); b.value != order.Unlimited && b.value != unstated {
		width = uint64(b.value)
	}
	worst := sizeOf(from) + width
	if worst > order.Unlimited {
		return c.refuse(order.ReasonArithOverflow)
	}
	c.worstPrice = order.Price(worst)
	return true
}

// protectedPrice returns the limit price at a distance from a price, on the grid,
// within the static limits, and of a sign the instrument allows.
func protectedPrice(from, width order.Price, buy bool, in *Instrument) (order.Price, bool) {
	price := from + width
	if !buy {
		price = from - width
	}
	if buy != (price >= from) && width != 0 {
		return 0, false
	}
	if rest := floorMod(price, in.Tick); rest != 0 {
		price -= rest
		if !buy {
			price += in.Tick
		}
	}
	if in.LowLimit != order.Null {
		price = max(price, in.LowLimit)
	}
	if in.HighLimit != order.Null {
		price = min(price, in.HighLimit)
	}
	if !in.takes(price) {
		price = in.Tick
	}
	return price, price != order.Null
}

// floorMod returns the remainder of the division that rounds down.
func floorMod(price, tick order.Price) order.Price {
	rest := price % tick
	if rest < 0 {
		rest += tick
	}
	return rest
}

// checkProtection is control 8: what a market or stop order may trade at must be
// stated, be it as unlimited. The price itself was found with control 6.
func (e *Engine) checkProtection(c *candidate, r *order.Request) bool {
	if r.OrdType != order.OrdTypeMarket && r.OrdType != order.OrdTypeStop {
		return true
	}
	if c.terms.protectionBps.value == unstated && c.terms.protectionTicks.value == unstated {
		return c.refuseAbsent(order.ReasonMarketOrderProtection, 0)
	}
	if c.mode == modeTrace {
		for _, b := range [...]struct {
			bound
			kind LimitKind
		}{
			{c.terms.protectionBps, LimitMarketProtectionBps}, {c.terms.protectionTicks, LimitMarketProtectionTicks},
		} {
			if b.value != unstated {
				c.note(e, order.ReasonMarketOrderProtection, b.kind, int(b.at), 0, b.value, false)
			}
		}
	}
	return true
}
