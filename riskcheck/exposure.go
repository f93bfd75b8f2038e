package riskcheck

import (
	"math/bits"

	"tollgate/order"
)

// each returns the holders in a set, from wide to narrow: the next one, and what
// is left of the set.
func each(set uint32) (at int, rest uint32) { return bits.TrailingZeros32(set), set & (set - 1) }

// checkOpenOrders is control 13.
func (e *Engine) checkOpenOrders(c *candidate) bool {
	if c.terms.stated[statedOpenOrders] == 0 {
		return c.refuseAbsent(order.ReasonOpenOrders, 1)
	}
	var w worst
	for at, set := 0, c.near(statedOpenOrders); set != 0; {
		at, set = each(set)
		e.consider(c, &w, order.ReasonOpenOrders, LimitOpenOrders, at, int64(c.books[at].openOrders)+1)
	}
	return e.passed(c, &w)
}

// checkOpenNotional is control 14. No order passes it for reducing a position:
// what it bounds falls only when orders end.
func (e *Engine) checkOpenNotional(c *candidate) bool {
	if c.terms.stated[statedOpenNotional] == 0 {
		return c.refuseAbsent(order.ReasonOpenNotional, int64(c.add[firmMoney]))
	}
	if !c.measured && !e.openFits(c) {
		return c.refuse(order.ReasonArithOverflow)
	}
	var w worst
	for at, set := 0, c.near(statedOpenNotional); set != 0; {
		at, set = each(set)
		value, _ := c.books[at].openAfter(c.add[moneyOf(at)])
		e.consider(c, &w, order.ReasonOpenNotional, LimitOpenNotional, at, value)
	}
	return e.passed(c, &w)
}

// openFits reports whether open notional fits at every level with the addition;
// what fits over all instruments fits for each.
func (e *Engine) openFits(c *candidate) bool {
	for at := 0; at < holdersMax; at += holdersPerLevel {
		if b := c.books[at]; b.book != nil {
			if _, ok := b.openAfter(c.add[moneyOf(at)]); !ok {
				return false
			}
		}
	}
	return true
}

// openAfter returns open notional, buys and sells, with an addition.
func (b *book) openAfter(addition order.Money) (int64, bool) {
	open, ok := order.AddMoney(b.openBuy, b.openSell)
	after, okAfter := order.AddMoney(open, addition)
	return int64(after), ok && okAfter
}

// checkPosition is control 15: the worst case of the order's own side. A limit
// stated over all instruments holds for each by itself, one stated for a class
// for the sum over the class.
func (e *Engine) checkPosition(c *candidate, side order.Side) bool {
	kind, reason, stated := LimitPositionLong, order.ReasonPositionLong, statedLong
	if !side.IsBuy() {
		kind, reason, stated = LimitPositionShort, order.ReasonPositionShort, statedShort
	}
	if c.terms.stated[stated] == 0 {
		return c.refuseAbsent(reason, int64(c.addQty))
	}
	if !c.measured && !e.positionsFit(c, side) {
		return c.refuse(order.ReasonArithOverflow)
	}
	var w worst
	for at, set := 0, c.near(stated); set != 0; {
		at, set = each(set)
		b := c.books[positionHolder(at)]
		value, ok := b.positionAfter(side, c.addQty)
		switch reduces := b.reduces(side, c.addQty); {
		case reduces && c.mode == modeTrace:
			c.note(e, reason, kind, at, int64(value), e.profiles[c.books[at].profile].limit[kind], true)
		case reduces:
		case !ok:
			return c.refuse(order.ReasonArithOverflow)
		default:
			e.consider(c, &w, reason, kind, at, int64(value))
		}
	}
	return e.passed(c, &w)
}

// positionHolder returns the holder whose position a holder's rules are about:
// the class itself for a class, the instrument for all others.
func positionHolder(at int) int {
	if at%holdersPerLevel == classHolder {
		return at
	}
	return at - at%holdersPerLevel + instrumentHolder
}

// positionsFit reports whether the worst case of the instrument, and of its class
// where that is kept, fits at every level.
func (e *Engine) positionsFit(c *candidate, side order.Side) bool {
	for at := wholeHolder; at < holdersMax; at += holdersPerLevel {
		for _, part := range [...]int{at + classHolder, at + instrumentHolder} {
			if b := c.books[part]; b.book != nil {
				if _, ok := b.positionAfter(side, c.addQty); !ok {
					return false
				}
			}
		}
	}
	return true
}

// sided returns position and open quantity seen from a side: what the side
// makes grow counts as positive.
func (b *book) sided(side order.Side) (position, open order.Qty) {
	if side.IsBuy() {
		return b.position, b.openBuyQty
	}
	return -b.position, b.openSellQty
}

// positionAfter returns the worst case of one side with an addition, and whether
// it is known and fits.
func (b *book) positionAfter(side order.Side, addition order.Qty) (order.Qty, bool) {
	position, open := b.sided(side)
	held, ok := order.AddQty(max(0, position), open)
	after, okAfter := order.AddQty(held, addition)
	return after, ok && okAfter && !b.lost
}

// reduces reports whether an addition on one side only takes down a position
// the other way, after everything already open on that side has done its part.
// Nothing reduces a position that is not known.
func (b *book) reduces(side order.Side, addition order.Qty) bool {
	position, open := b.sided(side)
	after, ok := order.AddQty(open, addition)
	return ok && !b.lost && position < 0 && after <= -position
}

// checkExposure is control 16: gross, then net.
func (e *Engine) checkExposure(c *candidate, side order.Side) bool {
	return e.checkGross(c, side) && e.checkNet(c, side)
}

// checkGross bounds the value of everything held and open. What only reduces a
// position passes, also where something has no value.
func (e *Engine) checkGross(c *candidate, side order.Side) bool {
	if c.terms.stated[statedGross] == 0 {
		return c.refuseAbsent(order.ReasonGrossExposure, int64(c.add[firmMoney]))
	}
	var w worst
	for at, set := 0, c.near(statedGross); set != 0; {
		at, set = each(set)
		reduces := c.books[positionHolder(at)].reduces(side, c.addQty)
		v := e.valuationAt(&c.route.path, at)
		open, ok := c.books[at].openAfter(c.add[moneyOf(at)])
		total, okTotal := order.AddMoney(v.gross, order.Money(open))
		switch valued := okTotal && v.ok; {
		case !ok, !valued && !reduces:
			return c.refuse(order.ReasonArithOverflow)
		case reduces && valued && c.mode == modeTrace:
			c.note(e, order.ReasonGrossExposure, LimitGrossExposure, at, int64(total),
				e.profiles[c.books[at].profile].limit[LimitGrossExposure], true)
		case !reduces:
			e.consider(c, &w, order.ReasonGrossExposure, LimitGrossExposure, at, int64(total))
		}
	}
	return e.passed(c, &w)
}

// checkNet bounds the worst case of the order's own side.
func (e *Engine) checkNet(c *candidate, side order.Side) bool {
	if c.terms.stated[statedNet] == 0 {
		return c.refuseAbsent(order.ReasonNetExposure, int64(c.add[firmMoney]))
	}
	var w worst
	for at, set := 0, c.near(statedNet); set != 0; {
		at, set = each(set)
		value, exempt, ok := e.netAfter(c, at, side)
		switch {
		case !ok:
			return c.refuse(order.ReasonArithOverflow)
		case exempt && c.mode == modeTrace:
			c.note(e, order.ReasonNetExposure, LimitNetExposure, at, value,
				e.profiles[c.books[at].profile].limit[LimitNetExposure], true)
		case !exempt:
			e.consider(c, &w, order.ReasonNetExposure, LimitNetExposure, at, value)
		}
	}
	return e.passed(c, &w)
}

// netAfter returns the worst net value of a side at a holder with the request,
// whether the request is exempt there because it only reduces, and whether that is
// known.
func (e *Engine) netAfter(c *candidate, at int, side order.Side) (value int64, exempt, ok bool) {
	b := c.books[at]
	v := e.valuationAt(&c.route.path, at)
	if _, fits := b.openAfter(c.add[moneyOf(at)]); !fits {
		return 0, false, false
	}
	if !v.ok {
		reduces := c.books[positionHolder(at)].reduces(side, c.addQty)
		return 0, true, reduces
	}
	net, sameSide := v.net, b.openBuy
	if !side.IsBuy() {
		net, sameSide = -v.net, b.openSell
	}
	after := sameSide + c.add[moneyOf(at)] // a part of what is open, which fits
	worstCase, fits := order.AddMoney(max(0, net), after)
	exempt = net < 0 && after <= -net
	return int64(worstCase), exempt, fits || exempt
}

// valuation is what the positions of a scope are worth.
type valuation struct {
	gross, net order.Money
	ok         bool // everything has a value, and the sums fit
}

func (a *aggregate) valuation() valuation {
	gross, okGross := a.gross.money()
	net, okNet := a.net.money()
	return valuation{gross, net, okGross && okNet && a.unpriced == 0}
}

func (c *cell) valuation() valuation { return valuation{abs(c.value), c.value, !c.unvalued} }

// valuationAt returns what the positions of a holder of the route are worth.
func (e *Engine) valuationAt(p *path, at int) valuation {
	level := at / holdersPerLevel
	switch at % holdersPerLevel {
	case wholeHolder:
		return e.nodes[p.nodes[level]].valuation()
	case classHolder:
		return e.classCells[p.classes[level]].valuation()
	}
	return e.cells[p.cells[level]].valuation()
}

// reserve changes what an order has reserved, and by how much it counts as a live
// order, at every holder of its route. All amounts may be negative.
func (e *Engine) reserve(o *liveOrder, orders int32, qty order.Qty, notional amounts) {
	o.reservedQty += qty
	for i := range notional {
		o.reserved[i] += notional[i]
	}
	rt := &e.routes[o.route]
	p := &rt.path
	for level, n := range p.nodes {
		if n == noIndex {
			continue
		}
		m := notional[moneyOf(level*holdersPerLevel)]
		e.nodes[n].book.reserve(o.side, orders, 0, m)
		e.cells[p.cells[level]].book.reserve(o.side, orders, qty, m)
		if i := p.classes[level]; i != noIndex {
			e.classCells[i].book.reserve(o.side, orders, qty, m)
		}
	}
	cl := &e.cells[p.cells[accountLevel]]
	if o.side.IsShort() {
		e.shortOf(cl).open += qty
	}
	e.rehold(&e.accountRows[rt.accounts], cl, &e.instrumentRows[p.instrument])
}

func (b *book) reserve(side order.Side, orders int32, qty order.Qty, notional order.Money) {
	b.openOrders += orders
	if side.IsBuy() {
		b.openBuy += notional
		b.openBuyQty += qty
	} else {
		b.openSell += notional
		b.openSellQty += qty
	}
}

// unreserve takes everything away that an order has reserved, and the order itself.
func (e *Engine) unreserve(o *liveOrder) {
	e.reserve(o, -1, -o.reservedQty, amounts{-o.reserved[firmMoney], -o.reserved[accountMoney]})
}

// worstCase returns the reservation an order needs: the largest leaves and the
// largest notionals over what is acknowledged and everything that is pending,
// with one more version if extra is not nil.
func (e *Engine) worstCase(o *liveOrder, extra *pending) (order.Qty, amounts, bool) {
	mult := e.instrumentRows[e.routes[o.route].instrument].Multiplier
	w := reservation{ok: true}
	w.widen(&o.acked, o.leaves(&o.acked), mult)
	for i := o.requests; i != noIndex; i = e.orders.requests[i].next {
		if p := &e.orders.requests[i]; p.msgType == order.MsgReplaceOrder {
			w.widen(&p.version, p.leaves(o), mult)
		}
	}
	if extra != nil {
		w.widen(&extra.version, extra.leaves(o), mult)
	}
	return w.qty, w.notional, w.ok
}

// reservation is a worst case over versions.
type reservation struct {
	qty      order.Qty
	notional amounts
	ok       bool
}

// widen takes one version into the worst case.
func (w *reservation) widen(v *version, leaves order.Qty, mult order.Multiplier) {
	n, ok := notionals(v.worstPrice, leaves, mult, &v.rates)
	w.qty, w.ok = max(w.qty, leaves), w.ok && ok
	for i := range n {
		w.notional[i] = max(w.notional[i], n[i])
	}
}

// settle brings the reservation of a live order to what it needs now: the worst case
// of its versions. It reports whether that fits. What does not keeps what is reserved,
// and what is open is not known.
func (e *Engine) settle(o *liveOrder) bool {
	qty, notional, ok := e.worstCase(o, nil)
	if !ok {
		return false
	}
	qty -= o.reservedQty
	for i := range notional {
		notional[i] -= o.reserved[i]
	}
	rises := qty > 0 || notional[firmMoney] > 0 || notional[accountMoney] > 0
	if rises && !e.canReserve(o, qty, notional) {
		return false
	}
	e.reserve(o, 0, qty, notional)
	return true
}

// canReserve reports whether what is open at every holder of an order still fits
// with more of it reserved.
func (e *Engine) canReserve(o *liveOrder, qty order.Qty, notional amounts) bool {
	var h holders
	e.bring(&h, &e.routes[o.route].path)
	for at := range h {
		b := h[at].book
		if b == nil {
			continue
		}
		open := b.openSellQty
		if o.side.IsBuy() {
			open = b.openBuyQty
		}
		_, ok := order.AddQty(open, qty)
		_, okMoney := b.openAfter(notional[moneyOf(at)])
		if !okMoney || !ok && at%holdersPerLevel != wholeHolder {
			return false
		}
	}
	return true
}
