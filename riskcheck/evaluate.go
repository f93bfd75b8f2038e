package riskcheck

import (
	"math/bits"

	"tollgate/order"
)

// candidate is the request under judgement: what it would add, and the outcome.
type candidate struct {
	route       *route     // nil if the path could not be resolved
	replaced    *liveOrder // the order a replace is for; nil for a new order
	decision    order.Decision
	notional    order.Money // of the whole new quantity at the worst price
	addNotional order.Money // by how much the reserved notional would rise
	addQty      order.Qty   // by how much the reserved quantity would rise
	worstPrice  order.Price // the price the notional is reserved at
	reference   order.Price
	nodes       [order.ScopeLevels]int32 // of an unresolved path, as far as known
	routeAt     int32
	instrument  int32        // noIndex: unknown
	unresolved  order.Reason // why there is no usable path
	hasPrice    bool         // reference is known and young enough
}

// refuse ends the judgement with a reason that has no numbers behind it.
func (c *candidate) refuse(reason order.Reason) bool {
	c.decision = order.Decision{Reason: reason}
	return false
}

// refuseAt ends the judgement with the numbers behind it.
func (c *candidate) refuseAt(reason order.Reason, scope order.Scope, value, limit int64) bool {
	c.decision = order.Decision{Reason: reason, Scope: scope, Value: value, Limit: limit}
	return false
}

// refuseAbsent ends the judgement because no scope states a limit at all.
func (c *candidate) refuseAbsent(reason order.Reason, value int64) bool {
	return c.refuseAt(reason, order.Scope{}, value, 0)
}

// checkReference is control 3 on the values of a new order or a replace.
func (e *Engine) checkReference(c *candidate, r *order.Request) bool {
	if c.instrument == noIndex {
		return c.refuse(order.ReasonUnknownInstrument)
	}
	in := &e.instrumentRows[c.instrument].Instrument
	switch {
	case !in.Tradable:
		return c.refuse(order.ReasonNotTradable)
	case !in.Sides.has(r.Side):
		return c.refuse(order.ReasonSide)
	case !in.OrdTypes.has(r.OrdType):
		return c.refuse(order.ReasonOrdType)
	case !in.TimesInForce.has(r.TimeInForce):
		return c.refuse(order.ReasonTimeInForce)
	case r.OrderQty <= 0:
		return c.refuse(order.ReasonQtyNotPositive)
	case r.OrderQty%in.Lot != 0:
		return c.refuseAt(order.ReasonQtyLot, order.Scope{}, int64(r.OrderQty), int64(in.Lot))
	case r.OrderQty < in.MinQty:
		return c.refuseAt(order.ReasonQtyMin, order.Scope{}, int64(r.OrderQty), int64(in.MinQty))
	case r.OrderQty > in.MaxQty:
		return c.refuseAt(order.ReasonQtyMax, order.Scope{}, int64(r.OrderQty), int64(in.MaxQty))
	}
	return checkPrice(c, r, in)
}

// checkPrice is the part of control 3 that is about prices.
func checkPrice(c *candidate, r *order.Request, in *Instrument) bool {
	hasPrice := r.Price != order.Null
	switch {
	case hasPrice != (r.OrdType == order.OrdTypeLimit):
		return c.refuse(order.ReasonPriceMissing)
	case hasPrice && (r.Price < 0 && !in.AllowNegativePrice || r.Price == 0 && !in.AllowZeroPrice):
		return c.refuseAt(order.ReasonPriceSign, order.Scope{}, int64(r.Price), 0)
	case hasPrice && r.Price%in.Tick != 0:
		return c.refuseAt(order.ReasonPriceTick, order.Scope{}, int64(r.Price), int64(in.Tick))
	case hasPrice && in.LowLimit != order.Null && r.Price < in.LowLimit:
		return c.refuseAt(order.ReasonPriceLimits, order.Scope{}, int64(r.Price), int64(in.LowLimit))
	case hasPrice && in.HighLimit != order.Null && r.Price > in.HighLimit:
		return c.refuseAt(order.ReasonPriceLimits, order.Scope{}, int64(r.Price), int64(in.HighLimit))
	case r.DisplayQty != 0:
		return c.refuse(order.ReasonDisplayQty)
	}
	return true
}

// checkPermission is control 4.
func (e *Engine) checkPermission(c *candidate, r *order.Request) bool {
	if c.unresolved != order.ReasonNone {
		return c.refuse(c.unresolved)
	}
	if d := &c.route.permission[sideIndex(r.Side)]; d.Reason != order.ReasonNone {
		c.decision = *d
		return false
	}
	return true
}

// checkOrderQty is control 5: OrderQty is judged in full, also of a replace.
func checkOrderQty(c *candidate, r *order.Request) bool {
	b := &c.route.maxQty
	if b.value == unstated {
		return c.refuseAbsent(order.ReasonMaxOrderQty, int64(r.OrderQty))
	}
	if int64(r.OrderQty) > b.value {
		return c.refuseAt(order.ReasonMaxOrderQty, b.scope, int64(r.OrderQty), b.value)
	}
	return true
}

// checkNotional is control 6. It also finds the price at which the order's
// value is reserved.
func (e *Engine) checkNotional(c *candidate, r *order.Request) bool {
	in := &e.instrumentRows[c.instrument]
	if !c.route.currencyOK {
		return c.refuse(order.ReasonFxRateMissing)
	}
	c.reference, c.hasPrice = e.referencePrice(in)
	c.worstPrice = r.Price
	if r.OrdType == order.OrdTypeMarket && !e.priceMarket(c, in) {
		return false
	}
	var ok bool
	if c.notional, ok = order.Notional(c.worstPrice, r.OrderQty, in.Multiplier); !ok {
		return c.refuse(order.ReasonArithOverflow)
	}
	b := &c.route.maxNotional
	if b.value == unstated {
		return c.refuseAbsent(order.ReasonMaxOrderNotional, int64(c.notional))
	}
	if int64(c.notional) > b.value {
		return c.refuseAt(order.ReasonMaxOrderNotional, b.scope, int64(c.notional), b.value)
	}
	return true
}

// priceMarket values a market order at the far edge of its collar.
func (e *Engine) priceMarket(c *candidate, in *instrumentRow) bool {
	if !c.hasPrice {
		return c.refuse(order.ReasonNoReferencePrice)
	}
	width := order.Price(0)
	if b := c.route.collar(c.reference, in.Tick); b.value != order.Unlimited && b.value != unstated {
		width = order.Price(b.value)
	}
	size := c.reference
	if size < 0 {
		size = -size
	}
	c.worstPrice = size + width
	if c.worstPrice < size {
		return c.refuse(order.ReasonArithOverflow)
	}
	return true
}

// referencePrice returns the best rung of the ladder that is young enough: last,
// mid, indicative, then settlement, which has no age.
func (e *Engine) referencePrice(in *instrumentRow) (order.Price, bool) {
	for i := range in.prices[:order.PriceSourceSettlement-1] {
		p := &in.prices[i]
		if p.time != 0 && in.ReferenceMaxAgeNs > 0 && e.now-p.time <= in.ReferenceMaxAgeNs {
			return p.price, true
		}
	}
	if p := &in.prices[order.PriceSourceSettlement-1]; p.time != 0 {
		return p.price, true
	}
	return in.Settlement, in.Settlement != order.Null
}

// collar returns the narrowest stated band around a reference price, in units
// of price, and its scope: unstated if there is none, order.Unlimited if every
// stated one is.
func (rt *route) collar(reference, tick order.Price) bound {
	b := bound{value: unstated}
	if w := rt.collarBps; w.value != unstated {
		b.tighten(bpsWidth(reference, w.value), w.scope)
	}
	if w := rt.collarTicks; w.value != unstated {
		b.tighten(ticksWidth(tick, w.value), w.scope)
	}
	b.tighten(rt.collarAbs.value, rt.collarAbs.scope)
	return b
}

// bpsWidth returns ⌊|reference| × bps / 10,000⌋. Distances are whole units of
// price, so comparing with the floor is comparing the cross-multiplied exact
// values (distance × 10,000 against bps × |reference|).
func bpsWidth(reference order.Price, bps int64) int64 {
	if bps == order.Unlimited {
		return order.Unlimited
	}
	size := uint64(reference)
	if reference < 0 {
		size = -size
	}
	hi, lo := bits.Mul64(size, uint64(bps))
	if hi >= 10_000 {
		return order.Unlimited - 1
	}
	q, _ := bits.Div64(hi, lo, 10_000)
	return int64(min(q, order.Unlimited-1))
}

// ticksWidth returns ticks × tick.
func ticksWidth(tick order.Price, ticks int64) int64 {
	if ticks == order.Unlimited {
		return order.Unlimited
	}
	hi, lo := bits.Mul64(uint64(tick), uint64(ticks))
	if hi != 0 || lo > order.Unlimited-1 {
		return order.Unlimited - 1
	}
	return int64(lo)
}

// checkCollar is control 7: bids only too high, offers only too low, and the
// optional far side.
func (e *Engine) checkCollar(c *candidate, r *order.Request) bool {
	rt := c.route
	if rt.absent&absentCollar != 0 {
		return c.refuseAbsent(order.ReasonPriceCollar, 0)
	}
	in := &e.instrumentRows[c.instrument]
	b := rt.collar(c.reference, in.Tick)
	far := bound{value: unstated}
	if rt.collarFar.value != unstated {
		far.tighten(bpsWidth(c.reference, rt.collarFar.value), rt.collarFar.scope)
	}
	needed := b.value != order.Unlimited || far.value != unstated && far.value != order.Unlimited
	switch {
	case !needed:
		return true
	case !c.hasPrice:
		return c.refuse(order.ReasonNoReferencePrice)
	case r.OrdType == order.OrdTypeMarket:
		return true
	}
	beyond, distance := distance(r.Price, c.reference)
	if r.Side.IsBuy() == beyond {
		far = b
	}
	if far.value != unstated && far.value != order.Unlimited && distance > uint64(far.value) {
		return c.refuseAt(order.ReasonPriceCollar, far.scope, int64(min(distance, order.Unlimited)), far.value)
	}
	return true
}

// distance returns whether price lies above reference, and how far apart they
// are.
func distance(price, reference order.Price) (above bool, by uint64) {
	if price > reference {
		return true, uint64(price) - uint64(reference)
	}
	return false, uint64(reference) - uint64(price)
}
