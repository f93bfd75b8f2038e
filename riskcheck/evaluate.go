package riskcheck

import (
	"math/bits"

	"tollgate/order"
)

// judgeMode says what a walk over the controls is for.
type judgeMode uint8

const (
	modeJudge judgeMode = iota // may the request pass?
	modeRungs                  // it may: which rungs does use reach?
	modeTrace                  // what would every control say?
)

// candidate is the request under judgement: what it would add, and the outcome.
type candidate struct {
	route    *route     // nil if the path could not be resolved
	terms    *terms     // of the route
	replaced *liveOrder // the order a replace is for; nil for a new order
	name     *slot      // of its ClOrdID
	books    holders
	decision order.Decision
	kind     LimitKind // which limit decided; 0: none
	at       int32     // which holder states it; -1: none

	rates      [currencies]order.FxRate
	notional   amounts     // of the whole new quantity at the worst price
	add        amounts     // by how much the reserved notional would rise
	addQty     order.Qty   // by how much the reserved quantity would rise
	price      order.Price // what the venue is sent; Null: a market order
	worstPrice order.Price // the price the notional is reserved at
	reference  order.Price
	hasPrice   bool // reference is known and young enough

	nodes      [levelsMax]int32 // also of an unresolved path, as far as known
	routeAt    int32
	instrument int32               // noIndex: unknown
	told       uint32              // holders of which a rung has been told, as measured
	reached    [statedKinds]uint32 // holders with something to say of a kind of limit, as measured
	unresolved order.Reason        // why there is no usable path
	mode       judgeMode
	measured   bool // see near
	notable    bool // a limit's first value was reached, or a rung stands told
	checks     *[]Check
}

// refuse ends the judgement with a reason that has no numbers behind it.
func (c *candidate) refuse(reason order.Reason) bool {
	return c.refuseWith(order.Decision{Reason: reason})
}

// refuseWith ends the judgement with an outcome no limit is behind.
func (c *candidate) refuseWith(d order.Decision) bool {
	c.decide(d, 0, -1)
	return c.traced(d)
}

// decide makes an outcome the one that counts. A trace goes on after a refusal,
// and there the first one counts.
func (c *candidate) decide(d order.Decision, kind LimitKind, at int32) {
	if c.mode == modeTrace && c.decision.Reason != order.ReasonNone {
		return
	}
	c.decision, c.kind, c.at = d, kind, at
}

// refuseRule ends the judgement with the numbers of a rule that no scope states.
func (c *candidate) refuseRule(reason order.Reason, value, limit int64) bool {
	return c.refuseWith(order.Decision{Reason: reason, Value: value, Limit: limit})
}

// refuseAbsent ends the judgement because no scope states a limit at all.
func (c *candidate) refuseAbsent(reason order.Reason, value int64) bool {
	return c.refuseRule(reason, value, 0)
}

// refuseAt ends the judgement with the numbers behind it: the limit of a holder.
func (e *Engine) refuseAt(c *candidate, reason order.Reason, kind LimitKind, at int32, value, limit int64) bool {
	d := order.Decision{Reason: reason, Value: value, Limit: limit, Scope: e.scopeAt(&c.route.path, int(at))}
	c.decide(d, kind, at)
	if c.mode == modeTrace && kind == 0 {
		return c.traced(d)
	}
	return c.mode == modeTrace
}

// traced notes a refusal that no limit is behind, and lets a trace go on.
func (c *candidate) traced(d order.Decision) bool {
	if c.mode != modeTrace {
		return false
	}
	*c.checks = append(*c.checks, Check{Scope: d.Scope, Value: d.Value, Limit: d.Limit, Reason: d.Reason})
	return true
}

// checkReference is control 3 on the values of a new order or a replace.
func (e *Engine) checkReference(c *candidate, r *order.Request) bool {
	if c.instrument == noIndex {
		return c.refuse(order.ReasonUnknownInstrument)
	}
	row := &e.instrumentRows[c.instrument]
	in := &row.Instrument
	switch {
	case !in.Tradable || !row.state.TakesOrders():
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
		return c.refuseRule(order.ReasonQtyLot, int64(r.OrderQty), int64(in.Lot))
	case r.OrderQty < in.MinQty:
		return c.refuseRule(order.ReasonQtyMin, int64(r.OrderQty), int64(in.MinQty))
	case r.OrderQty > in.MaxQty:
		return c.refuseRule(order.ReasonQtyMax, int64(r.OrderQty), int64(in.MaxQty))
	case in.Outstanding != 0 && r.OrderQty > in.Outstanding:
		return c.refuseRule(order.ReasonQtyOutstanding, int64(r.OrderQty), int64(in.Outstanding))
	}
	return checkPrices(c, r, in)
}

// checkPrices is the part of control 3 that is about prices and what is shown.
func checkPrices(c *candidate, r *order.Request, in *Instrument) bool {
	wantsPrice := r.OrdType == order.OrdTypeLimit || r.OrdType == order.OrdTypeStopLimit
	wantsStop := r.OrdType == order.OrdTypeStop || r.OrdType == order.OrdTypeStopLimit
	switch {
	case (r.Price != order.Null) != wantsPrice:
		return c.refuse(order.ReasonPriceMissing)
	case (r.StopPx != order.Null) != wantsStop:
		return c.refuse(order.ReasonStopPx)
	case wantsPrice && !checkPrice(c, r.Price, in), wantsStop && !checkPrice(c, r.StopPx, in):
		return false
	case wantsPrice && wantsStop && (r.Side.IsBuy() && r.Price < r.StopPx || !r.Side.IsBuy() && r.Price > r.StopPx):
		return c.refuseRule(order.ReasonStopPx, int64(r.Price), int64(r.StopPx))
	case r.DisplayQty != 0 && (!in.AllowDisplayQty || r.DisplayQty < 0 || r.DisplayQty > r.OrderQty ||
		r.DisplayQty%in.Lot != 0):
		return c.refuse(order.ReasonDisplayQty)
	}
	return true
}

// checkPrice judges one price against the instrument's rules.
func checkPrice(c *candidate, price order.Price, in *Instrument) bool {
	switch {
	case !in.takes(price):
		return c.refuseRule(order.ReasonPriceSign, int64(price), 0)
	case price%in.Tick != 0:
		return c.refuseRule(order.ReasonPriceTick, int64(price), int64(in.Tick))
	case in.LowLimit != order.Null && price < in.LowLimit:
		return c.refuseRule(order.ReasonPriceLimits, int64(price), int64(in.LowLimit))
	case in.HighLimit != order.Null && price > in.HighLimit:
		return c.refuseRule(order.ReasonPriceLimits, int64(price), int64(in.HighLimit))
	}
	return true
}

// checkPermission is control 4.
func (e *Engine) checkPermission(c *candidate, r *order.Request) bool {
	if c.unresolved != order.ReasonNone {
		return c.refuse(c.unresolved)
	}
	if c.route == nil {
		return true // a trace goes on here without an instrument
	}
	if p := c.terms.permission[sideIndex(r.Side)]; p.reason != order.ReasonNone {
		d := order.Decision{Reason: p.reason}
		if p.at >= 0 {
			d.Scope = e.scopeAt(&c.route.path, int(p.at))
		}
		return c.refuseWith(d)
	}
	return true
}

// checkBound judges a value against the tightest statement of a kind.
func (e *Engine) checkBound(c *candidate, reason order.Reason, kind LimitKind, b bound, value int64) bool {
	if b.value == unstated {
		return c.refuseAbsent(reason, value)
	}
	p := &e.profiles[c.books[b.at].profile]
	if value < p.first[kind] && c.books[b.at].told == 0 && c.mode == modeJudge {
		return true
	}
	var w worst
	e.consider(c, &w, reason, kind, int(b.at), value)
	return e.passed(c, &w)
}

// checkOrderQty is control 5: OrderQty is judged in full, also of a replace and
// of an order that shows only a part.
func (e *Engine) checkOrderQty(c *candidate, r *order.Request) bool {
	return e.checkBound(c, order.ReasonMaxOrderQty, LimitMaxOrderQty, c.terms.maxQty, int64(r.OrderQty))
}

// checkNotional is control 6. It also finds the price the venue is sent and the
// price at which the order's value is reserved.
func (e *Engine) checkNotional(c *candidate, r *order.Request) bool {
	in := &e.instrumentRows[c.instrument]
	var fresh bool
	if c.rates, fresh = e.ratesFor(in, &e.accountRows[c.route.accounts]); !fresh {
		return c.refuse(order.ReasonFxRateMissing)
	}
	c.reference, c.hasPrice = e.referencePrice(in)
	if !e.findPrice(c, r, in) {
		return false
	}
	var ok bool
	if c.notional, ok = notionals(c.worstPrice, r.OrderQty, in.Multiplier, &c.rates); !ok {
		return c.refuse(order.ReasonArithOverflow)
	}
	return e.checkMaxNotional(c)
}

// checkMaxNotional judges the order's value in both currencies.
func (e *Engine) checkMaxNotional(c *candidate) bool {
	firm, account := c.terms.maxNotional, c.terms.maxNotionalAccount
	if firm.value == unstated && account.value == unstated {
		return c.refuseAbsent(order.ReasonMaxOrderNotional, int64(c.notional[firmMoney]))
	}
	var w worst
	if firm.value != unstated && (account.value == unstated || firm.at < account.at) {
		e.consider(c, &w, order.ReasonMaxOrderNotional, LimitMaxOrderNotional, int(firm.at), int64(c.notional[firmMoney]))
	}
	if account.value != unstated {
		e.consider(c, &w, order.ReasonMaxOrderNotional, LimitMaxOrderNotional, int(account.at),
			int64(c.notional[accountMoney]))
	}
	if firm.value != unstated && account.value != unstated && firm.at > account.at {
		e.consider(c, &w, order.ReasonMaxOrderNotional, LimitMaxOrderNotional, int(firm.at), int64(c.notional[firmMoney]))
	}
	return e.passed(c, &w)
}

// referencePrice returns the best rung of the ladder that is young enough. In
// continuous trading that is last, mid, indicative, then settlement; before the
// opening only the indicative price and the settlement count; in an auction the
// indicative price comes before the last one. Settlement has no age.
func (e *Engine) referencePrice(in *instrumentRow) (order.Price, bool) {
	ladder := [...]order.PriceSource{order.PriceSourceLast, order.PriceSourceMid, order.PriceSourceIndicative}
	rungs := ladder[:]
	switch in.state {
	case order.MarketPreOpen:
		rungs = ladder[2:]
	case order.MarketAuction:
		ladder[0], ladder[1] = order.PriceSourceIndicative, order.PriceSourceLast
		rungs = ladder[:2]
	}
	for _, source := range rungs {
		p := &in.prices[source-1]
		if p.time != 0 && in.ReferenceMaxAgeNs > 0 && e.now-p.time <= in.ReferenceMaxAgeNs {
			return p.price, true
		}
	}
	if p := &in.prices[order.PriceSourceSettlement-1]; p.time != 0 {
		return p.price, true
	}
	return in.Settlement, in.Settlement != order.Null
}

// collar returns the narrowest stated band around a price, in units of price,
// and who states it: unstated if there is none, order.Unlimited if every stated
// one is. Of equal bands the widest holder's counts.
func (t *terms) collar(reference, tick order.Price) (bound, LimitKind) {
	narrowest, kind := noBound, LimitCollarBps
	consider := func(width int64, at int32, k LimitKind) {
		if narrowest.value == unstated || width < narrowest.value || width == narrowest.value && at < narrowest.at {
			narrowest, kind = bound{width, at}, k
		}
	}
	if w := t.collarBps; w.value != unstated {
		consider(bpsWidth(reference, w.value), w.at, LimitCollarBps)
	}
	if w := t.collarTicks; w.value != unstated {
		consider(ticksWidth(tick, w.value), w.at, LimitCollarTicks)
	}
	if w := t.collarAbs; w.value != unstated {
		consider(w.value, w.at, LimitCollarAbs)
	}
	return narrowest, kind
}

// bpsWidth returns ⌊|reference| × bps / 10,000⌋. Distances are whole units of
// price, so comparing with the floor is comparing the cross-multiplied exact
// values (distance × 10,000 against bps × |reference|).
func bpsWidth(reference order.Price, bps int64) int64 {
	if bps == order.Unlimited {
		return order.Unlimited
	}
	return partOf(sizeOf(reference), bps)
}

// partOf returns ⌊size × bps / 10,000⌋, at most one less than order.Unlimited.
func partOf(size uint64, bps int64) int64 {
	hi, lo := bits.Mul64(size, uint64(bps))
	if hi >= 10_000 {
		return order.Unlimited - 1
	}
	q, _ := bits.Div64(hi, lo, 10_000)
	return int64(min(q, order.Unlimited-1))
}

// sizeOf returns |price|.
func sizeOf(price order.Price) uint64 {
	if price < 0 {
		return -uint64(price)
	}
	return uint64(price)
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
// optional far side. A stop-limit order is judged by its distance from its own
// trigger; a stop order has no price to judge.
func (e *Engine) checkCollar(c *candidate, r *order.Request) bool {
	t := c.terms
	in := &e.instrumentRows[c.instrument]
	reference, hasPrice := c.reference, c.hasPrice
	stop := r.StopPx != order.Null
	if stop {
		reference, hasPrice = r.StopPx, true
	}
	near, kind := t.collar(reference, in.Tick)
	if near.value == unstated {
		return c.refuseAbsent(order.ReasonPriceCollar, 0)
	}
	far := noBound
	if t.collarFar.value != unstated {
		far = bound{bpsWidth(reference, t.collarFar.value), t.collarFar.at}
	}
	needed := near.value != order.Unlimited || far.value != unstated && far.value != order.Unlimited
	switch {
	case !needed && c.mode == modeTrace:
		c.note(e, order.ReasonPriceCollar, kind, int(near.at), 0, near.value, false)
		return true
	case !needed, stop && r.Price == order.Null:
		return true
	case !hasPrice:
		return c.refuse(order.ReasonNoReferencePrice)
	case r.OrdType == order.OrdTypeMarket:
		return true
	}
	above, by := distance(r.Price, reference)
	b := near
	if r.Side.IsBuy() != above {
		b, kind = far, LimitCollarFarBps
	}
	if b.value == unstated {
		return true
	}
	if c.mode == modeTrace {
		c.note(e, order.ReasonPriceCollar, kind, int(b.at), int64(min(by, order.Unlimited)), b.value, false)
	}
	if b.value != order.Unlimited && by > uint64(b.value) {
		return e.refuseAt(c, order.ReasonPriceCollar, kind, b.at, int64(min(by, order.Unlimited)), b.value)
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

// checkParticipation is control 9.
func (e *Engine) checkParticipation(c *candidate, r *order.Request) bool {
	b := c.terms.participation
	volume := e.instrumentRows[c.instrument].AverageDailyVolume
	switch {
	case b.value == unstated:
		return c.refuseAbsent(order.ReasonMaxParticipation, int64(r.OrderQty))
	case b.value == order.Unlimited && c.mode == modeTrace:
		c.note(e, order.ReasonMaxParticipation, LimitParticipationBps, int(b.at), int64(r.OrderQty), b.value, false)
		return true
	case b.value == order.Unlimited:
		return true
	case volume == 0:
		return e.refuseAt(c, order.ReasonADVMissing, 0, b.at, 0, 0)
	}
	limit := partOf(uint64(volume), b.value)
	var w worst
	e.considerOf(c, &w, order.ReasonMaxParticipation, LimitParticipationBps, int(b.at), int64(r.OrderQty), limit)
	return e.passed(c, &w)
}
