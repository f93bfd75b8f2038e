package riskcheck_test

import (
	"math/big"
	"slices"

	"tollgate/order"
)

// judged is one new order or replace and what it resolves to.
type judged struct {
	identity
	request    *order.Request
	session    *sessionState
	account    *accountRow
	trader     *traderRow
	instrument *instrumentRow
	order      *orderState // the order a replace means
	worst      order.Price // the price the order is valued at
	buy        bool
	qtyRise    *big.Int // what the reservation would gain
	valueRise  *big.Int
}

// candidate is one limit that applies, with what the measure would become.
type candidate struct {
	scope order.Scope
	value *big.Int
	limit int64
}

// caseOf resolves a request.
func (o *oracle) caseOf(s *sessionState, r *order.Request) *judged {
	c := &judged{request: r, session: s, worst: r.Price, buy: r.Side.IsBuy()}
	c.identity = identity{account: r.Account, trader: r.Trader, session: s.id, instrument: r.Instrument}
	c.account, c.trader = o.world.account(r.Account), o.world.trader(r.Trader)
	c.instrument = o.world.instrument(r.Instrument)
	if c.account != nil {
		c.group = c.account.group
	}
	if r.MsgType == order.MsgReplaceOrder {
		c.order = o.named(s.id, r.OrigClOrdID)
	}
	return c
}

// judge asks control after control; the first breach decides.
func (o *oracle) judge(c *judged) *order.Decision {
	for _, control := range []func(*judged) *order.Decision{
		o.killSwitch, o.sessionRules, o.referenceData, o.permission, o.maxOrderQty, o.maxOrderNotional, o.priceCollar,
		o.messageRate, o.openOrders, o.openNotional, o.position, o.grossExposure, o.netExposure,
	} {
		if d := control(c); d != nil {
			return d
		}
	}
	return nil
}

func because(reason order.Reason) *order.Decision { return &order.Decision{Reason: reason} }

// limit looks a stated limit up.
func (o *oracle) limit(s order.Scope, kind limitName) (int64, bool) {
	for _, row := range o.limits {
		if row.scope == s && row.kind == kind {
			return row.value, true
		}
	}
	return 0, false
}

// tightest returns the breach with the least headroom, or nil if all pass. The
// first of equals wins: candidates come widest scope first.
func tightest(reason order.Reason, candidates []candidate) *order.Decision {
	var worst *candidate
	var least *big.Int
	for i := range candidates {
		headroom := minus(num(candidates[i].limit), candidates[i].value)
		if worst == nil || headroom.Cmp(least) < 0 {
			worst, least = &candidates[i], headroom
		}
	}
	if worst == nil || least.Sign() >= 0 {
		return nil
	}
	if !worst.value.IsInt64() {
		return because(order.ReasonArithOverflow)
	}
	return &order.Decision{Reason: reason, Scope: worst.scope, Value: worst.value.Int64(), Limit: worst.limit}
}

// killSwitch is control 1. A replace is judged in the scopes of the order it
// means, whatever it says about them itself.
func (o *oracle) killSwitch(c *judged) *order.Decision {
	id := c.identity
	if c.request.MsgType == order.MsgReplaceOrder {
		if !o.increases(c) {
			return nil
		}
		id = c.order.identity
	}
	for _, s := range id.scopes(o.world.firm) {
		if o.world.knows(s) && in(s, o.killed) {
			return &order.Decision{Reason: order.ReasonKillSwitch, Scope: s}
		}
	}
	return nil
}

// increases reports whether a replace asks for more than is acknowledged.
func (o *oracle) increases(c *judged) bool {
	ord, r := c.order, c.request
	if ord == nil || !ord.live() {
		return false
	}
	if r.OrderQty > ord.acked.qty {
		return true
	}
	price := r.Price
	if price == order.Null { // a market order, or one that control 3 will refuse
		price = ord.acked.worst
	}
	leaves := floorZero(minus(num(int64(r.OrderQty)), num(int64(ord.cum))))
	return notionalOf(price, leaves, ord.acked.mult).Cmp(ord.reservedNotional()) > 0
}

// sessionRules is control 2.
func (o *oracle) sessionRules(c *judged) *order.Decision {
	r := c.request
	switch {
	case !o.venueUp:
		return because(order.ReasonVenueUnavailable)
	case o.full(c):
		return because(order.ReasonCapacity)
	case !r.Side.Valid() || !r.OrdType.Valid() || !r.TimeInForce.Valid() || r.ClOrdID == 0:
		return because(order.ReasonMalformed)
	case r.ValidUntil != 0 && r.ValidUntil < o.now:
		return because(order.ReasonExpired)
	case c.session.used[r.ClOrdID]:
		return because(order.ReasonDuplicateClOrdID)
	}
	c.session.used[r.ClOrdID] = true
	o.clOrdIDs++
	if c.account != nil && c.trader != nil && c.instrument != nil && !in(c.identity, o.routes) {
		o.routes = append(o.routes, c.identity)
	}
	if r.MsgType == order.MsgReplaceOrder {
		return o.replaceRules(c)
	}
	return nil
}

func (o *oracle) replaceRules(c *judged) *order.Decision {
	ord, r := c.order, c.request
	switch {
	case ord == nil:
		return because(o.unknownName(r))
	case !ord.live():
		return because(order.ReasonTooLate)
	case len(ord.pending) >= pendingMax:
		return because(order.ReasonPendingRequests)
	case ord.account != r.Account || ord.trader != r.Trader || ord.instrument != r.Instrument,
		ord.side != r.Side || ord.ordType != r.OrdType || ord.tif != r.TimeInForce:
		return because(order.ReasonReplaceMismatch)
	case r.OrderQty <= ord.cum:
		return because(order.ReasonReplaceBelowCumQty)
	}
	return nil
}

// referenceData is control 3.
func (o *oracle) referenceData(c *judged) *order.Decision {
	r, i := c.request, c.instrument
	if i == nil {
		return because(order.ReasonUnknownInstrument)
	}
	market := r.OrdType == order.OrdTypeMarket
	switch {
	case !i.tradable:
		return because(order.ReasonNotTradable)
	case !in(r.Side, i.sides):
		return because(order.ReasonSide)
	case !in(r.OrdType, i.ordTypes):
		return because(order.ReasonOrdType)
	case !in(r.TimeInForce, i.timesInForce):
		return because(order.ReasonTimeInForce)
	case r.OrderQty <= 0:
		return because(order.ReasonQtyNotPositive)
	case r.OrderQty%i.lot != 0:
		return because(order.ReasonQtyLot)
	case r.OrderQty < i.minQty:
		return because(order.ReasonQtyMin)
	case r.OrderQty > i.maxQty:
		return because(order.ReasonQtyMax)
	case market != (r.Price == order.Null):
		return because(order.ReasonPriceMissing)
	}
	if !market {
		if d := priceData(r.Price, i); d != nil {
			return d
		}
	}
	if r.DisplayQty != 0 {
		return because(order.ReasonDisplayQty)
	}
	return nil
}

func priceData(p order.Price, i *instrumentRow) *order.Decision {
	switch {
	case p < 0 && !i.negPrice, p == 0 && !i.zeroPrice:
		return because(order.ReasonPriceSign)
	case p%i.tick != 0:
		return because(order.ReasonPriceTick)
	case i.low != order.Null && p < i.low, i.high != order.Null && p > i.high:
		return because(order.ReasonPriceLimits)
	}
	return nil
}

// permission is control 4.
func (o *oracle) permission(c *judged) *order.Decision {
	switch {
	case c.account == nil:
		return because(order.ReasonUnknownAccount)
	case !in(c.request.Account, o.world.session(c.session.id).accounts):
		return because(order.ReasonAccountNotInSession)
	case c.trader == nil:
		return because(order.ReasonUnknownTrader)
	case !in(c.request.Account, c.trader.accounts):
		return because(order.ReasonTraderNotInAccount)
	}
	return o.lists(c)
}

// lists asks every scope that states how its list is meant, widest first.
func (o *oracle) lists(c *judged) *order.Decision {
	stated := false
	for _, s := range c.scopes(o.world.firm) {
		mode, ok := o.limit(s, limitPermission)
		if !ok {
			continue
		}
		stated = true
		s.Instrument = c.instrument.id
		listed, _ := o.limit(s, limitListed)
		if reason := refusedBy(mode, listed, c.buy); reason != order.ReasonNone {
			return &order.Decision{Reason: reason, Scope: s}
		}
	}
	if !stated {
		return because(order.ReasonInstrumentNotPermitted)
	}
	return nil
}

// refusedBy says what one scope's list says to an instrument and side.
func refusedBy(mode, listed int64, buy bool) order.Reason {
	side := int64(listedSell)
	if buy {
		side = listedBuy
	}
	if mode == permitDeny {
		listed = (listedBuy | listedSell) &^ listed
	}
	switch {
	case listed == 0:
		return order.ReasonInstrumentNotPermitted
	case listed&side == 0:
		return order.ReasonSideNotPermitted
	}
	return order.ReasonNone
}

// everywhere collects the candidates of one kind, all with the same value.
func (o *oracle) everywhere(c *judged, kind limitName, value *big.Int) []candidate {
	var out []candidate
	for _, s := range c.scopes(o.world.firm) {
		if limit, ok := o.limit(s, kind); ok {
			out = append(out, candidate{s, value, limit})
		}
	}
	return out
}

// decide is the common end of a control: nothing stated blocks, then the
// tightest scope speaks.
func decide(reason order.Reason, stated int, candidates []candidate) *order.Decision {
	if stated == 0 {
		return because(reason)
	}
	return tightest(reason, candidates)
}

// maxOrderQty is control 5.
func (o *oracle) maxOrderQty(c *judged) *order.Decision {
	found := o.everywhere(c, limitMaxOrderQty, num(int64(c.request.OrderQty)))
	return decide(order.ReasonMaxOrderQty, len(found), found)
}

// maxOrderNotional is control 6. A market order is valued here at the worst
// price it could pay, so it needs a reference here already.
func (o *oracle) maxOrderNotional(c *judged) *order.Decision {
	if c.account.currency != c.instrument.currency {
		return because(order.ReasonFxRateMissing)
	}
	if c.request.OrdType == order.OrdTypeMarket {
		worst, ok := o.worstPrice(c)
		if !ok {
			return because(order.ReasonNoReferencePrice)
		}
		if !worst.IsInt64() {
			return because(order.ReasonArithOverflow)
		}
		c.worst = order.Price(worst.Int64())
	}
	value := notionalOf(c.worst, num(int64(c.request.OrderQty)), c.instrument.multiplier)
	if !value.IsInt64() {
		return because(order.ReasonArithOverflow)
	}
	found := o.everywhere(c, limitMaxOrderNotional, value)
	return decide(order.ReasonMaxOrderNotional, len(found), found)
}

// worstPrice is the edge of the collar with the largest magnitude.
func (o *oracle) worstPrice(c *judged) (*big.Int, bool) {
	reference, ok := o.reference(c.instrument)
	if !ok {
		return nil, false
	}
	var width *big.Int
	for _, b := range o.bands(c, reference) {
		if b.limit != order.Unlimited && (width == nil || b.width.Cmp(width) < 0) {
			width = b.width
		}
	}
	edge := magnitude(num(int64(reference)))
	if width != nil {
		edge = plus(edge, width)
	}
	return edge, true
}

// reference walks down the ladder of reference prices.
func (o *oracle) reference(i *instrumentRow) (order.Price, bool) {
	for _, rung := range []order.PriceSource{
		order.PriceSourceLast, order.PriceSourceMid, order.PriceSourceIndicative, order.PriceSourceSettlement,
	} {
		var newest *order.ReferencePrice
		for k := range o.prices {
			if p := &o.prices[k]; p.Instrument == i.id && p.Source == rung {
				newest = p
			}
		}
		if newest == nil || newest.Price == order.Null {
			continue
		}
		young := i.maxAgeNs == order.Unlimited || i.maxAgeNs > 0 && o.now-newest.Time <= i.maxAgeNs
		if young || rung == order.PriceSourceSettlement { // a settlement has no age
			return newest.Price, true
		}
	}
	return i.settlement, i.settlement != order.Null
}

// band is one stated collar and its width around a reference.
type band struct {
	scope order.Scope
	place int // of the scope among those that apply
	limit int64
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
	var out band
	found := false
	for place, s := range c.scopes(o.world.firm) {
		limit, ok := o.limit(s, kind)
		if ok && (!found || limit < out.limit) {
			out, found = band{s, place, limit, o.width(c, kind, limit, reference)}, true
		}
	}
	return out, found
}

// width turns a stated collar into price units, rounded down: the tighter.
func (o *oracle) width(c *judged, kind limitName, limit int64, reference order.Price) *big.Int {
	switch {
	case limit == order.Unlimited || kind == limitCollarAbs:
		return num(limit)
	case kind == limitCollarTicks:
		return times(num(limit), num(int64(c.instrument.tick)))
	}
	return new(big.Int).Quo(times(num(limit), magnitude(num(int64(reference)))), num(10_000))
}

// priceCollar is control 7.
func (o *oracle) priceCollar(c *judged) *order.Decision {
	reference, known := o.reference(c.instrument)
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
		needed = needed || b.limit != order.Unlimited
	}
	if needed && !known {
		return because(order.ReasonNoReferencePrice)
	}
	if c.request.OrdType == order.OrdTypeMarket || !needed {
		return nil
	}
	beyond := minus(num(int64(c.request.Price)), num(int64(reference)))
	if !c.buy {
		beyond = negated(beyond)
	}
	if d := outside(near, beyond); d != nil {
		return d
	}
	return outside(far, negated(beyond))
}

// outside asks the bands about a price that lies so far beyond the reference.
func outside(bands []band, beyond *big.Int) *order.Decision {
	var found []candidate
	for _, b := range bands {
		if b.limit != order.Unlimited && b.width.IsInt64() {
			found = append(found, candidate{b.scope, beyond, b.width.Int64()})
		}
	}
	return tightest(order.ReasonPriceCollar, found)
}
