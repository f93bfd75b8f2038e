package riskcheck

import "tollgate/order"

// Most requests come near no limit. What a request would bring use to is therefore
// measured first, at one holder after the other, and compared with the value from
// which that holder has something to say; the controls then look only at holders
// where it has. What is measured decides nothing by itself, and where something does
// not fit or is not known the controls look at all holders.

// near returns the holders that state a kind of limit and may have something to say
// of the request: all of them, unless they were measured.
func (c *candidate) near(kind int) uint32 {
	set := c.terms.stated[kind]
	if c.measured {
		set &= c.reached[kind] | c.told
	}
	return set
}

// measureRates finds the holders whose message rates a request comes near.
func (e *Engine) measureRates(c *candidate) {
	c.reached, c.told, c.measured = [statedKinds]uint32{}, 0, true
	for level, i := range c.nodes {
		if i == noIndex {
			continue
		}
		n := &e.nodes[i]
		bit := uint32(1) << (level * holdersPerLevel)
		if n.told != 0 {
			c.told |= bit
		}
		first := &e.profiles[n.profile].first
		if n.second.finite() &&
			n.second.reaches(&e.stamps, e.now, secondNs, int32(first[LimitMessagesPerSecond]-1), n.ahead) {
			c.reached[statedSecond] |= bit
		}
		if n.minuteRate.finite() &&
			n.minuteRate.reaches(&e.stamps, e.now, minuteNs, int32(first[LimitMessagesPerMinute]-1), n.ahead) {
			c.reached[statedMinute] |= bit
		}
		if n.both.finite() &&
			n.both.reaches(&e.stamps, e.now, secondNs, int32(first[LimitOrdersAndCancelsPerSecond]-1), n.ahead) {
			c.reached[statedBothSecond] |= bit
		}
		if n.dayUsed+1 >= first[LimitMessagesPerDay] {
			c.reached[statedDay] |= bit
		}
		if n.bothUsed+1 >= first[LimitOrdersAndCancelsPerDay] {
			c.reached[statedBothDay] |= bit
		}
	}
}

// measureUse finds the holders whose bounds on orders, value, positions and turnover
// a request comes near with what it would add.
func (e *Engine) measureUse(c *candidate, side order.Side) {
	if c.mode != modeJudge {
		return
	}
	fits := true
	for level, i := range c.route.nodes {
		if i == noIndex {
			continue
		}
		n, cl := &e.nodes[i], &e.cells[c.route.cells[level]]
		at := level * holdersPerLevel
		pos, ok := cl.positionAfter(side, c.addQty)
		m := measure{int64(pos), side}
		fits = fits && ok && e.measureHolder(c, at, &n.book, &n.dayCount, &m, n.valuation())
		if cl.profile != 0 {
			fits = fits && e.measureHolder(c, at+instrumentHolder, &cl.book, &cl.dayCount, &m, cl.valuation())
		}
		if i := c.route.classes[level]; i != noIndex {
			k := &e.classCells[i]
			pos, ok := k.positionAfter(side, c.addQty)
			m.position = int64(pos)
			fits = fits && ok && e.measureHolder(c, at+classHolder, &k.book, &k.dayCount, &m, k.valuation())
		}
	}
	c.measured = c.measured && fits
}

// measure is what a request makes of the position a holder's rules are about.
type measure struct {
	position int64 // the worst case of its side
	side     order.Side
}

// measureHolder is measureUse for one holder. It reports whether everything there
// fits and is known.
func (e *Engine) measureHolder(c *candidate, at int, b *book, day *dayCount, m *measure, v valuation) bool {
	add := c.add[moneyOf(at)]
	open, ok := b.openAfter(add)
	if b.profile == 0 || !ok {
		return ok
	}
	bit := uint32(1) << at
	if b.told != 0 {
		c.told |= bit
	}
	first := &e.profiles[b.profile].first
	if int64(b.openOrders)+1 >= first[LimitOpenOrders] {
		c.reached[statedOpenOrders] |= bit
	}
	if open >= first[LimitOpenNotional] {
		c.reached[statedOpenNotional] |= bit
	}
	long, net, sameSide := true, v.net, b.openBuy
	if !m.side.IsBuy() {
		long, net, sameSide = false, -v.net, b.openSell
	}
	if long && m.position >= first[LimitPositionLong] {
		c.reached[statedLong] |= bit
	}
	if !long && m.position >= first[LimitPositionShort] {
		c.reached[statedShort] |= bit
	}
	gross, okGross := order.AddMoney(v.gross, order.Money(open))
	if int64(gross) >= first[LimitGrossExposure] {
		c.reached[statedGross] |= bit
	}
	after, okNet := order.AddMoney(max(0, net), sameSide+add)
	if int64(after) >= first[LimitNetExposure] {
		c.reached[statedNet] |= bit
	}
	turnover, okTurnover := order.AddMoney(day.executedSum(), order.Money(open))
	if int64(turnover) >= first[LimitTurnoverPerDay] {
		c.reached[statedTurnoverDay] |= bit
	}
	minute, okMinute := order.AddMoney(e.minuteTotal(day), max(0, add))
	if int64(minute) >= first[LimitTurnoverPerMinute] {
		c.reached[statedTurnoverMinute] |= bit
	}
	return v.ok && okGross && okNet && okTurnover && okMinute
}
