package riskcheck_test

import (
	"math/big"

	"tollgate/order"
	"tollgate/riskcheck"
)

// judged is one new order or replace and what it resolves to.
type judged struct {
	identity
	seq        uint64
	request    *order.Request
	session    *sessionState
	account    *accountRow
	trader     *traderRow
	instrument *instrumentRow
	order      *orderState // the order a replace means, or the one that was made
	replace    bool
	strategyOK bool // none is named, or a known one
	buy        bool
	venueType  order.OrdType // what the venue gets
	price      order.Price   // what the venue gets
	worst      order.Price   // the price the order is valued at
	rates      rates
	value      inBoth   // of the whole quantity
	qtyRise    *big.Int // what the reservation would gain
	rise       inBoth   // of value
	live       []reservation
	sums       map[order.Scope]*measured
	used       []use // limits it passed, for the rungs
}

// use is a limit and what an accepted request makes of it.
type use struct {
	limitRow
	limit int64 // what the value was held against
	now   *big.Int
}

// refusal is why a request does not pass; kind is the limit that it is over, if
// it is a stated one.
type refusal struct {
	order.Decision
	kind limitName
}

func because(reason order.Reason) *refusal {
	return &refusal{Decision: order.Decision{Reason: reason}}
}

// withNumbers is a refusal that no limit stands behind, with numbers.
func withNumbers(reason order.Reason, s order.Scope, value, limit int64) *refusal {
	return &refusal{Decision: order.Decision{Reason: reason, Scope: s, Value: value, Limit: limit}}
}

// unstatedWith says that no scope states what must be stated.
func unstatedWith(reason order.Reason, value *big.Int) *refusal {
	return withNumbers(reason, order.Scope{}, saturated(value), 0)
}

// over is a refusal by a stated limit.
func over(reason order.Reason, row limitRow, value, limit int64) *refusal {
	no := withNumbers(reason, row.scope, value, limit)
	no.kind = row.kind
	return no
}

// caseOf resolves a request.
func (o *oracle) caseOf(s *sessionState, r *order.Request, seq uint64) *judged {
	c := &judged{
		seq: seq, request: r, session: s, buy: r.Side.IsBuy(), replace: r.MsgType == order.MsgReplaceOrder,
		venueType: r.OrdType, price: r.Price, worst: r.Price, sums: map[order.Scope]*measured{},
		strategyOK: r.Strategy == 0 || in(r.Strategy, o.world.strategies),
	}
	c.identity = identity{
		account: r.Account, trader: r.Trader, session: s.id, strategy: r.Strategy, instrument: r.Instrument,
		class: o.world.classOf(r.Instrument),
	}
	c.account, c.trader = o.world.account(r.Account), o.world.trader(r.Trader)
	c.instrument = o.world.instrument(r.Instrument)
	if c.account != nil {
		c.group = c.account.group
	}
	if c.replace {
		c.order = o.named(s.id, r.OrigClOrdID)
	}
	c.live = o.reservations()
	return c
}

// resolved reports whether everybody the request names is known.
func (c *judged) resolved() bool {
	return c.account != nil && c.trader != nil && c.instrument != nil && c.strategyOK
}

// permitted reports whether they may act for each other too.
func (c *judged) permitted(w *world) bool {
	return c.resolved() && in(c.request.Account, w.session(c.session.id).accounts) && in(c.request.Account, c.trader.accounts)
}

// knownLevels is who a request concerns as far as it is known: the order's path
// for a replace of one.
func (c *judged) knownLevels(o *oracle) identity {
	if c.replace && c.order != nil {
		return c.order.identity
	}
	id := c.identity
	if c.account == nil {
		id.account = 0
	}
	if c.trader == nil {
		id.trader = 0
	}
	if !c.strategyOK {
		id.strategy = 0
	}
	return id
}

// controls are what a request must pass, in order. The first breach decides.
func (o *oracle) controls() []func(*judged) *refusal {
	return []func(*judged) *refusal{
		o.killSwitch, o.reduceOnly, o.sessionRules, o.referenceData, o.permission, o.maxOrderQty, o.maxOrderNotional,
		o.priceCollar, o.marketProtection, o.participation, o.duplicateOrder, o.messageRate, o.repeatedExecution,
		o.openOrders, o.openNotional, o.position, o.grossExposure, o.netExposure, o.buyingPower, o.shortSale,
		o.turnoverOfDay, o.turnoverOfMinute, o.dailyLoss, o.orderToTrade, o.orderToTradeVolume, o.selfMatch,
		o.consecutiveRejects,
	}
}

// judge asks control after control.
func (o *oracle) judge(c *judged) *refusal {
	for _, control := range o.controls() {
		if no := control(c); no != nil {
			return no
		}
	}
	return nil
}

// candidate is one limit that applies, with what the measure would become.
type candidate struct {
	limitRow
	now   *big.Int
	limit int64
}

// candidate holds a value against a stated limit, and remembers that for the
// rungs.
func (c *judged) candidate(row limitRow, value *big.Int) candidate {
	c.used = append(c.used, use{row, row.value, value})
	return candidate{row, value, row.value}
}

// row is a stated limit; nil if it is not.
func (o *oracle) row(s order.Scope, kind limitName) *limitRow { return o.stated[limitKey{s, kind}] }

// limit looks a stated limit up.
func (o *oracle) limit(s order.Scope, kind limitName) (int64, bool) {
	if row := o.row(s, kind); row != nil {
		return row.value, true
	}
	return 0, false
}

// bound is the smallest of what is stated of a kind, and the widest of equals.
func (o *oracle) bound(c *judged, kind limitName) *limitRow {
	var least *limitRow
	for _, s := range c.scopes(o.world.firm) {
		if row := o.row(s, kind); row != nil && (least == nil || row.value < least.value) {
			least = row
		}
	}
	return least
}

// tightest returns the breach with the least headroom, or nil if all pass. The
// first of equals wins: candidates come widest scope first.
func tightest(reason order.Reason, candidates []candidate) *refusal {
	var worst *candidate
	var least *big.Int
	for i := range candidates {
		headroom := minus(num(candidates[i].limit), candidates[i].now)
		if worst == nil || headroom.Cmp(least) < 0 {
			worst, least = &candidates[i], headroom
		}
	}
	if worst == nil || least.Sign() >= 0 {
		return nil
	}
	if !worst.now.IsInt64() {
		return because(order.ReasonArithOverflow)
	}
	return over(reason, worst.limitRow, worst.now.Int64(), worst.limit)
}

// decide is the common end of a control: nothing stated blocks, then the
// tightest scope speaks.
func decide(reason order.Reason, stated int, candidates []candidate) *refusal {
	if stated == 0 {
		return because(reason)
	}
	return tightest(reason, candidates)
}

// killSwitch is the first half of control 1. A replace is judged in the scopes of
// the order it means, whatever it says about them itself.
func (o *oracle) killSwitch(c *judged) *refusal {
	id := c.identity
	if c.replace {
		if !o.increases(c) {
			return nil
		}
		id = c.order.identity
	}
	for _, s := range id.scopes(o.world.firm) {
		if (c.replace || o.world.knows(s)) && in(s, o.killed) {
			return withNumbers(order.ReasonKillSwitch, s, 0, 0)
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
	if price == order.Null { // a market or stop order, or one that control 3 will refuse
		price = ord.acked.worst
	}
	leaves := floorZero(minus(num(int64(r.OrderQty)), num(int64(ord.cum))))
	value := ord.acked.rates.worth(price, leaves, ord.acked.mult)
	return value.firm.Cmp(ord.reserved().value.firm) > 0
}

// reduceOnly is the second half of control 1: a latched scope takes only what
// reduces its position.
func (o *oracle) reduceOnly(c *judged) *refusal {
	id, rise := c.identity, num(int64(c.request.OrderQty))
	if c.replace {
		if c.order == nil || !c.order.live() {
			return nil
		}
		id, rise = c.order.identity, o.qtyRiseOf(c)
		if rise.Sign() <= 0 {
			return nil
		}
	} else if !c.permitted(&o.world) {
		return nil
	}
	for _, s := range id.scopes(o.world.firm) {
		latched := o.isLatched(s, riskcheck.LatchLateTruth) || o.isLatched(s, riskcheck.LatchLimit) ||
			o.isLatched(s, riskcheck.LatchImplausiblePosition)
		if latched && !o.wouldReduce(c, id, s, rise) {
			return withNumbers(order.ReasonReduceOnly, s, 0, 0)
		}
	}
	return nil
}

// qtyRiseOf is what a replace would add to the reserved quantity of its order.
func (o *oracle) qtyRiseOf(c *judged) *big.Int {
	leaves := floorZero(minus(num(int64(c.request.OrderQty)), num(int64(c.order.cum))))
	return floorZero(minus(leaves, c.order.reserved().qty))
}

// wouldReduce reports whether adding rise on the request's side can only bring
// the position of a scope closer to zero, whatever else on that side trades
// first. A scope for all instruments is judged by the order's instrument.
func (o *oracle) wouldReduce(c *judged, id identity, s order.Scope, rise *big.Int) bool {
	if rise.Sign() <= 0 && !c.replace {
		return false // nothing, or less, is no reduction
	}
	if s.Class == 0 {
		s.Instrument = id.instrument
	}
	m := o.sum(c, s)
	own, open := m.position(), m.buyQty
	if c.buy {
		own = negated(own)
	} else {
		open = m.sellQty
	}
	return own.Sign() > 0 && plus(open, rise).Cmp(own) <= 0
}

// sessionRules is control 2.
func (o *oracle) sessionRules(c *judged) *refusal {
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
	if c.resolved() && !in(c.identity, o.routes) {
		o.routes = append(o.routes, c.identity)
	}
	if c.replace {
		return o.replaceRules(c)
	}
	return nil
}

func (o *oracle) replaceRules(c *judged) *refusal {
	ord, r := c.order, c.request
	switch {
	case ord == nil:
		return because(o.unknownName(r))
	case !ord.live():
		return because(order.ReasonTooLate)
	case len(ord.pending) >= pendingMax:
		return because(order.ReasonPendingRequests)
	case ord.account != r.Account || ord.trader != r.Trader || ord.instrument != r.Instrument,
		ord.strategy != r.Strategy,
		ord.side != r.Side || ord.ordType != r.OrdType || ord.tif != r.TimeInForce:
		return because(order.ReasonReplaceMismatch)
	case r.OrderQty <= ord.cum:
		return because(order.ReasonReplaceBelowCumQty)
	}
	return nil
}

// referenceData is control 3.
func (o *oracle) referenceData(c *judged) *refusal {
	r, i := c.request, c.instrument
	if i == nil {
		return because(order.ReasonUnknownInstrument)
	}
	priced := r.OrdType == order.OrdTypeLimit || r.OrdType == order.OrdTypeStopLimit
	stop := r.OrdType == order.OrdTypeStop || r.OrdType == order.OrdTypeStopLimit
	switch {
	case !i.tradable || !o.market(i.id).state.TakesOrders():
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
	case i.outstanding != 0 && r.OrderQty > i.outstanding:
		return withNumbers(order.ReasonQtyOutstanding, order.Scope{}, int64(r.OrderQty), int64(i.outstanding))
	case priced != (r.Price != order.Null):
		return because(order.ReasonPriceMissing)
	case stop != (r.StopPx != order.Null):
		return because(order.ReasonStopPx)
	}
	for _, p := range []order.Price{r.Price, r.StopPx} {
		if no := priceData(p, i); no != nil {
			return no
		}
	}
	if r.OrdType == order.OrdTypeStopLimit && (c.buy && r.Price < r.StopPx || !c.buy && r.Price > r.StopPx) {
		return withNumbers(order.ReasonStopPx, order.Scope{}, int64(r.Price), int64(r.StopPx))
	}
	if r.DisplayQty != 0 && (!i.display || r.DisplayQty < 0 || r.DisplayQty > r.OrderQty || r.DisplayQty%i.lot != 0) {
		return because(order.ReasonDisplayQty)
	}
	return nil
}

func priceData(p order.Price, i *instrumentRow) *refusal {
	switch {
	case p == order.Null:
		return nil
	case !i.takes(num(int64(p))):
		return because(order.ReasonPriceSign)
	case p%i.tick != 0:
		return because(order.ReasonPriceTick)
	case i.low != order.Null && p < i.low, i.high != order.Null && p > i.high:
		return because(order.ReasonPriceLimits)
	}
	return nil
}

// permission is control 4.
func (o *oracle) permission(c *judged) *refusal {
	switch {
	case c.account == nil:
		return because(order.ReasonUnknownAccount)
	case !in(c.request.Account, o.world.session(c.session.id).accounts):
		return because(order.ReasonAccountNotInSession)
	case c.trader == nil:
		return because(order.ReasonUnknownTrader)
	case !in(c.request.Account, c.trader.accounts):
		return because(order.ReasonTraderNotInAccount)
	case !c.strategyOK:
		return because(order.ReasonUnknownStrategy)
	}
	return o.lists(c)
}

// lists asks every scope that states how its list is meant, widest first. What is
// listed for the class of an instrument is listed for the instrument.
func (o *oracle) lists(c *judged) *refusal {
	stated := false
	for _, s := range c.levels(o.world.firm) {
		mode, ok := o.limit(s, limitPermission)
		if !ok {
			continue
		}
		stated = true
		ofInstrument, ofClass := s, s
		ofInstrument.Instrument, ofClass.Class = c.instrument.id, c.class
		listed, _ := o.limit(ofInstrument, limitListed)
		if c.class != 0 {
			more, _ := o.limit(ofClass, limitListed)
			listed |= more
		}
		if reason := refusedBy(mode, listed, c.buy); reason != order.ReasonNone {
			return withNumbers(reason, ofInstrument, 0, 0)
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

// maxOrderQty is control 5.
func (o *oracle) maxOrderQty(c *judged) *refusal {
	row := o.bound(c, limitMaxOrderQty)
	if row == nil {
		return because(order.ReasonMaxOrderQty)
	}
	return tightest(order.ReasonMaxOrderQty, []candidate{c.candidate(*row, num(int64(c.request.OrderQty)))})
}

// participation is control 9.
func (o *oracle) participation(c *judged) *refusal {
	row, qty := o.bound(c, limitParticipation), int64(c.request.OrderQty)
	if row == nil {
		return unstatedWith(order.ReasonMaxParticipation, num(qty))
	}
	if row.value == order.Unlimited {
		return nil
	}
	if c.instrument.adv == 0 {
		return withNumbers(order.ReasonADVMissing, row.scope, 0, 0)
	}
	part := times(num(row.value), num(int64(c.instrument.adv)))
	limit := saturated(down(part, basisUnit))
	if times(num(qty), basisUnit).Cmp(part) > 0 {
		return over(order.ReasonMaxParticipation, *row, qty, limit)
	}
	c.used = append(c.used, use{*row, limit, num(qty)})
	return nil
}

// duplicateOrder is control 10.
func (o *oracle) duplicateOrder(c *judged) *refusal {
	if c.replace {
		return nil
	}
	row := o.bound(c, limitDuplicates)
	if row == nil {
		return unstatedWith(order.ReasonDuplicateOrder, one)
	}
	window := int64(-1)
	for _, s := range c.scopes(o.world.firm) {
		if ns, ok := o.limit(s, limitDuplicateWindow); ok {
			window = max(window, ns)
		}
	}
	if window < 0 {
		window = 1e9
	}
	var same int64
	for i := range o.stamps {
		st := &o.stamps[i]
		if st.request.MsgType == order.MsgNewOrder && o.now-st.at < window && sameOrder(&st.request, c.request) {
			same++
		}
	}
	if row.value == order.Unlimited || same+1 <= row.value {
		return nil
	}
	return over(order.ReasonDuplicateOrder, *row, row.value+1, row.value)
}

// sameOrder reports whether two new orders ask for the same.
func sameOrder(a, b *order.Request) bool {
	return a.Account == b.Account && a.Instrument == b.Instrument && a.Side == b.Side && a.OrdType == b.OrdType &&
		a.Price == b.Price && a.StopPx == b.StopPx && a.OrderQty == b.OrderQty
}

// repeatedExecution is control 12. A replace is refused by the latch only, and
// only if it increases.
func (o *oracle) repeatedExecution(c *judged) *refusal {
	if c.strategy == 0 {
		return nil
	}
	s := order.Scope{Type: order.ScopeStrategy, ID: uint32(c.strategy)}
	next := o.executions(s) + 1
	latched, row := o.isLatched(s, riskcheck.LatchRepeatedExecution), o.bound(c, limitExecutions)
	if c.replace {
		if !latched || !o.increases(c) {
			return nil
		}
		limit := int64(0)
		if row != nil {
			limit = row.value
		}
		return withNumbers(order.ReasonRepeatedExecution, s, next, limit)
	}
	if row == nil {
		return unstatedWith(order.ReasonRepeatedExecution, num(next))
	}
	if latched {
		return withNumbers(order.ReasonRepeatedExecution, s, next, row.value)
	}
	return tightest(order.ReasonRepeatedExecution, []candidate{c.candidate(*row, num(next))})
}

// executions counts the accepted new orders of a strategy since its last release.
func (o *oracle) executions(s order.Scope) int64 {
	var n int64
	since := o.releasedAt(s, riskcheck.LatchRepeatedExecution)
	for i := range o.stamps {
		st := &o.stamps[i]
		if st.request.MsgType == order.MsgNewOrder && st.moment > since && st.within(s) {
			n++
		}
	}
	return n
}
