package riskcheck_test

import (
	"math/big"
	"slices"

	"tollgate/order"
)

// fxStep is one rate a currency was given, in the firm's currency.
type fxStep struct {
	currency string
	rate     order.FxRate
	seen     int64
}

// marketStep is one state an instrument's market was said to be in.
type marketStep struct {
	instrument order.InstrumentID
	state      order.MarketState
	restricted bool
}

// market is the state an instrument's market is in.
func (o *oracle) market(i order.InstrumentID) marketStep {
	for k := len(o.markets) - 1; k >= 0; k-- {
		if o.markets[k].instrument == i {
			return o.markets[k]
		}
	}
	return marketStep{instrument: i, state: order.MarketOpen}
}

// lastRate is the newest rate of a currency; the firm's own has one always.
func (o *oracle) lastRate(currency string) (fxStep, bool) {
	if currency == o.world.currency {
		return fxStep{currency, order.FxRateOne, o.now}, true
	}
	for i := len(o.fx) - 1; i >= 0; i-- {
		if o.fx[i].currency == currency {
			return o.fx[i], true
		}
	}
	return fxStep{}, false
}

// rateNow is what a unit of one currency is worth in another, rounded up. With
// fresh, a rate that is too old counts as unknown.
func (o *oracle) rateNow(from, to string, fresh bool) (*big.Int, bool) {
	if from == to {
		return rateUnit, true
	}
	out := rateUnit
	for _, currency := range []string{from, to} {
		step, known := o.lastRate(currency)
		if !known || fresh && currency != o.world.currency && !o.young(step.seen, o.world.fxMaxAgeNs) {
			return nil, false
		}
		if currency == from {
			out = num(int64(step.rate))
			continue
		}
		out = up(times(out, rateUnit), num(int64(step.rate)))
	}
	return out, true
}

// young reports whether something seen then is not older than allowed.
func (o *oracle) young(seen, maxAgeNs int64) bool {
	return maxAgeNs == order.Unlimited || maxAgeNs > 0 && o.now-seen <= maxAgeNs
}

// ratesNow are the rates from an instrument's currency to the firm's and to an
// account's.
func (o *oracle) ratesNow(currency, account string, fresh bool) (rates, bool) {
	firm, ok := o.rateNow(currency, o.world.currency, fresh)
	own, also := o.rateNow(currency, account, fresh)
	return rates{firm, own}, ok && also
}

// maxOrderNotional is control 6. A market or stop order is valued here at the
// worst price it could pay, so a market order needs a reference here already.
func (o *oracle) maxOrderNotional(c *judged) *refusal {
	var ok bool
	if c.rates, ok = o.ratesNow(c.instrument.currency, c.account.currency, true); !ok {
		return because(order.ReasonFxRateMissing)
	}
	if no := o.priceOf(c); no != nil {
		return no
	}
	qty := num(int64(c.request.OrderQty))
	own := notionalOf(c.worst, qty, c.instrument.multiplier)
	c.value = c.rates.worth(c.worst, qty, c.instrument.multiplier)
	if !c.rates.firm.IsInt64() || !c.rates.account.IsInt64() || !own.IsInt64() || !c.value.fit() {
		return because(order.ReasonArithOverflow)
	}
	return o.notionalBounds(c)
}

// notionalBounds holds the value against the smallest limit of the account's
// scopes, in its currency, and against that of the others, in the firm's.
func (o *oracle) notionalBounds(c *judged) *refusal {
	least := map[bool]*limitRow{} // of the account's scopes, and of the others
	for _, s := range c.scopes(o.world.firm) {
		row, own := o.row(s, limitMaxOrderNotional), s.Type == order.ScopeAccount
		if row != nil && (least[own] == nil || row.value < least[own].value) {
			least[own] = row
		}
	}
	var found []candidate
	for _, s := range c.scopes(o.world.firm) {
		for _, row := range least {
			if row.scope == s {
				found = append(found, c.candidate(*row, c.value.at(s)))
			}
		}
	}
	return decide(order.ReasonMaxOrderNotional, len(found), found)
}

// place is where a scope stands among those that apply.
func (o *oracle) place(c *judged, s order.Scope) int {
	return slices.Index(c.scopes(o.world.firm), s)
}

// priceOf works out what the venue gets and what price the order is valued at.
func (o *oracle) priceOf(c *judged) *refusal {
	anchor := c.request.StopPx
	switch c.request.OrdType {
	case order.OrdTypeMarket:
		reference, known := o.reference(c.instrument)
		if !known {
			return because(order.ReasonNoReferencePrice)
		}
		anchor = reference
	case order.OrdTypeStop:
	default:
		return nil // a price of its own
	}
	worst := o.edge(c, anchor)
	if width := o.protection(c, anchor); width != nil {
		p := protectedPrice(c, anchor, width)
		if !p.IsInt64() {
			return because(order.ReasonArithOverflow)
		}
		c.price = order.Price(p.Int64())
		c.venueType = map[order.OrdType]order.OrdType{
			order.OrdTypeMarket: order.OrdTypeLimit, order.OrdTypeStop: order.OrdTypeStopLimit,
		}[c.request.OrdType]
		worst = magnitude(p)
		if !c.buy {
			worst = larger(worst, magnitude(num(int64(anchor))))
		}
	}
	if !worst.IsInt64() {
		return because(order.ReasonArithOverflow)
	}
	c.worst = order.Price(worst.Int64())
	return nil
}

// protection is the narrowest stated width around a price; nil if none is stated
// or none has a bound.
func (o *oracle) protection(c *judged, anchor order.Price) *big.Int {
	var width *big.Int
	narrow := func(w *big.Int) {
		if width == nil || w.Cmp(width) < 0 {
			width = w
		}
	}
	if row := o.bound(c, limitProtectionBps); row != nil && row.value != order.Unlimited {
		narrow(down(times(magnitude(num(int64(anchor))), num(row.value)), basisUnit))
	}
	if row := o.bound(c, limitProtectionTicks); row != nil && row.value != order.Unlimited {
		narrow(times(num(row.value), num(int64(c.instrument.tick))))
	}
	return width
}

// protectedPrice is the limit price a market or stop order gets: so far beyond
// the anchor, on the grid, within the limits of the day, and of an allowed sign.
func protectedPrice(c *judged, anchor order.Price, width *big.Int) *big.Int {
	i, tick := c.instrument, num(int64(c.instrument.tick))
	var p *big.Int
	if c.buy {
		p = times(down(plus(num(int64(anchor)), width), tick), tick)
	} else {
		p = times(up(minus(num(int64(anchor)), width), tick), tick)
	}
	if !p.IsInt64() {
		return p // it is refused, wherever it would be moved
	}
	if i.high != order.Null && p.Cmp(num(int64(i.high))) > 0 {
		p = num(int64(i.high))
	}
	if i.low != order.Null && p.Cmp(num(int64(i.low))) < 0 {
		p = num(int64(i.low))
	}
	if !i.takes(p) {
		p = tick
	}
	return p
}

// takes reports whether an instrument can have a price of this sign.
func (i *instrumentRow) takes(p *big.Int) bool {
	return p.Sign() > 0 || p.Sign() == 0 && i.zeroPrice || p.Sign() < 0 && i.negPrice
}

// edge is the edge of the collar with the largest magnitude.
func (o *oracle) edge(c *judged, anchor order.Price) *big.Int {
	var width *big.Int
	for _, b := range o.bands(c, anchor) {
		if b.value != order.Unlimited && (width == nil || b.width.Cmp(width) < 0) {
			width = b.width
		}
	}
	edge := magnitude(num(int64(anchor)))
	if width != nil {
		edge = plus(edge, width)
	}
	return edge
}

// ladder lists the rungs of the reference price that count in a market state.
func ladder(s order.MarketState) []order.PriceSource {
	switch s {
	case order.MarketPreOpen:
		return []order.PriceSource{order.PriceSourceIndicative, order.PriceSourceSettlement}
	case order.MarketAuction:
		return []order.PriceSource{order.PriceSourceIndicative, order.PriceSourceLast, order.PriceSourceSettlement}
	}
	return []order.PriceSource{
		order.PriceSourceLast, order.PriceSourceMid, order.PriceSourceIndicative, order.PriceSourceSettlement,
	}
}

// reference walks down the ladder of reference prices.
func (o *oracle) reference(i *instrumentRow) (order.Price, bool) {
	for _, rung := range ladder(o.market(i.id).state) {
		var newest *order.ReferencePrice
		for k := range o.prices {
			if p := &o.prices[k]; p.Instrument == i.id && p.Source == rung {
				newest = p
			}
		}
		if newest == nil || newest.Price == order.Null {
			continue
		}
		// A settlement has no age.
		if o.young(newest.Time, i.maxAgeNs) || rung == order.PriceSourceSettlement {
			return newest.Price, true
		}
	}
	return i.settlement, i.settlement != order.Null
}

// band is one stated collar and its width around a reference.
type band struct {
	limitRow
	place int // of the scope among those that apply
	width *big.Int
}

// bands lists the near-side collars in force: of those stated in one unit the
// tightest, and of equal ones that of the widest scope.
func (o *oracle) bands(c *judged, reference order.Price) []band {
	var tightest []band
	for _, kind := range []limitName{limitCollarBps, limitCollarTicks, limitCollarAbs} {
		if b, ok := o.tightestBand(c, kind, reference); ok {
			tightest = append(tightest, b)
		}
	}
	slices.SortStableFunc(tightest, func(a, b band) int { return a.place - b.place })
	return tightest
}

func (o *oracle) tightestBand(c *judged, kind limitName, reference order.Price) (band, bool) {
	row := o.bound(c, kind)
	if row == nil {
		return band{}, false
	}
	return band{*row, o.place(c, row.scope), o.width(c, kind, row.value, reference)}, true
}

// width turns a stated collar into price units, rounded down: the tighter.
func (o *oracle) width(c *judged, kind limitName, limit int64, reference order.Price) *big.Int {
	switch {
	case limit == order.Unlimited || kind == limitCollarAbs:
		return num(limit)
	case kind == limitCollarTicks:
		return times(num(limit), num(int64(c.instrument.tick)))
	}
	return down(times(num(limit), magnitude(num(int64(reference)))), basisUnit)
}

// priceCollar is control 7. A stop-limit order is judged by its distance from
// its stop; a stop and a market order have no price to judge.
func (o *oracle) priceCollar(c *judged) *refusal {
	reference, known := o.reference(c.instrument)
	if c.request.OrdType == order.OrdTypeStopLimit || c.request.OrdType == order.OrdTypeStop {
		reference, known = c.request.StopPx, true
	}
	near := o.bands(c, reference)
	var far []band
	if b, ok := o.tightestBand(c, limitCollarFarBps, reference); ok {
		far = append(far, b)
	}
	if len(near) == 0 {
		return because(order.ReasonPriceCollar)
	}
	needed := false
	for _, b := range append(append([]band{}, near...), far...) {
		needed = needed || b.value != order.Unlimited
	}
	if needed && !known {
		return because(order.ReasonNoReferencePrice)
	}
	hasPrice := c.request.OrdType == order.OrdTypeLimit || c.request.OrdType == order.OrdTypeStopLimit
	if !hasPrice || !needed {
		return nil
	}
	beyond := minus(num(int64(c.request.Price)), num(int64(reference)))
	if !c.buy {
		beyond = negated(beyond)
	}
	if no := outside(near, beyond); no != nil {
		return no
	}
	return outside(far, negated(beyond))
}

// outside asks the bands about a price that lies so far beyond the reference.
func outside(bands []band, beyond *big.Int) *refusal {
	var found []candidate
	for _, b := range bands {
		if b.value != order.Unlimited && b.width.IsInt64() {
			found = append(found, candidate{b.limitRow, beyond, b.width.Int64()})
		}
	}
	return tightest(order.ReasonPriceCollar, found)
}

// marketProtection is control 8: somebody must say how an order that takes any
// price is protected, if only that it is not.
func (o *oracle) marketProtection(c *judged) *refusal {
	takesAny := c.request.OrdType == order.OrdTypeMarket || c.request.OrdType == order.OrdTypeStop
	if takesAny && o.bound(c, limitProtectionBps) == nil && o.bound(c, limitProtectionTicks) == nil {
		return because(order.ReasonMarketOrderProtection)
	}
	return nil
}
