package riskcheck_test

import (
	"math/big"

	"tollgate/order"
)

// rateWindows are the windows of control 11.
var rateWindows = []struct {
	kind limitName
	ns   int64 // 0: the whole day
}{{limitPerSecond, 1e9}, {limitPerMinute, 60e9}, {limitPerDay, 0}}

// rateKey is one rate limit at one scope.
type rateKey struct {
	scope order.Scope
	kind  limitName
}

// rate is one rate limit that applies, with the fewest and the most messages
// its window may count.
type rate struct {
	scope       order.Scope
	limit       int64
	least, most int64
}

// messageRate is control 11. A limit counts exactly once its window has gone by
// since it was stated; until then an engine need not know what was accepted
// before, but it may, so any count between the two is right. A full window says
// that it is full, not how much more would have been in it.
func (o *oracle) messageRate(c *judged) *order.Decision {
	rates := o.rates(c)
	found := make([]candidate, 0, len(rates))
	exact := true
	for _, r := range rates {
		found = append(found, candidate{r.scope, num(r.least + 1), r.limit})
		exact = exact && r.least == r.most
	}
	if d := o.engineSaid; !exact && d != nil && d.Reason == order.ReasonMessageRate && d.Value > d.Limit {
		for _, r := range rates {
			if r.scope == d.Scope && r.limit == d.Limit && d.Value > r.least && d.Value <= r.most+1 {
				return d
			}
		}
	}
	return decide(order.ReasonMessageRate, len(found), found)
}

// rates lists the rate limits that apply, widest scope first.
func (o *oracle) rates(c *judged) []rate {
	var out []rate
	for _, s := range c.scopes(o.world.firm) {
		for _, w := range rateWindows {
			limit, ok := o.limit(s, w.kind)
			if !ok {
				continue
			}
			r := rate{s, limit, o.accepted(s, w.ns, o.statedAt[rateKey{s, w.kind}].since), o.accepted(s, w.ns, 0)}
			if w.ns != 0 {
				r.least, r.most = min(r.least, limit), min(r.most, limit)
			}
			out = append(out, r)
		}
	}
	return out
}

// accepted counts the accepted new and replace requests of a scope in a window,
// from the given stamp on.
func (o *oracle) accepted(s order.Scope, windowNs int64, since int) int64 {
	var n int64
	for _, st := range o.stamps[since:] {
		if st.within(s) && (windowNs == 0 || st.at > o.now-windowNs) {
			n++
		}
	}
	return n
}

// restateRates remembers for every rate limit in force how many stamps there
// were when it was stated or changed. The messages of the day count always.
func (o *oracle) restateRates() {
	before := o.statedAt
	o.statedAt = map[rateKey]stated{}
	for _, row := range o.limits {
		if row.value != order.Unlimited && row.kind != limitPerDay {
			key := rateKey{row.scope, row.kind}
			o.statedAt[key] = before[key].orSince(stated{row.value, len(o.stamps)})
		}
	}
}

// openOrders is control 13.
func (o *oracle) openOrders(c *judged) *order.Decision {
	if c.request.MsgType == order.MsgReplaceOrder {
		return nil
	}
	var found []candidate
	for _, s := range c.scopes(o.world.firm) {
		if limit, ok := o.limit(s, limitOpenOrders); ok {
			found = append(found, candidate{s, num(o.measure(s).orders + 1), limit})
		}
	}
	return decide(order.ReasonOpenOrders, len(found), found)
}

// rises works out what the reservation would gain. All later controls judge
// the gain only.
func (o *oracle) rises(c *judged) {
	qty := num(int64(c.request.OrderQty))
	value := notionalOf(c.worst, qty, c.instrument.multiplier)
	if c.order != nil {
		next := *c.order
		next.pending = append(append([]terms{}, c.order.pending...), o.termsOf(c))
		qty = minus(next.reservedQty(), c.order.reservedQty())
		value = minus(next.reservedNotional(), c.order.reservedNotional())
	}
	c.qtyRise, c.valueRise = qty, value
}

// openNotional is control 14.
func (o *oracle) openNotional(c *judged) *order.Decision {
	o.rises(c)
	if c.order != nil && c.valueRise.Sign() == 0 {
		return nil
	}
	var found []candidate
	for _, s := range c.scopes(o.world.firm) {
		m := o.measure(s)
		value := plus(m.buyValue, m.sellValue, c.valueRise)
		if !value.IsInt64() {
			return because(order.ReasonArithOverflow)
		}
		if limit, ok := o.limit(s, limitOpenNotional); ok {
			found = append(found, candidate{s, value, limit})
		}
	}
	return decide(order.ReasonOpenNotional, len(found), found)
}

// position is control 15.
func (o *oracle) position(c *judged) *order.Decision {
	if c.order != nil && c.qtyRise.Sign() == 0 {
		return nil
	}
	kind, reason := limitPositionShort, order.ReasonPositionShort
	if c.buy {
		kind, reason = limitPositionLong, order.ReasonPositionLong
	}
	var found []candidate
	stated := 0
	for _, s := range c.scopes(o.world.firm) {
		value := o.worstPosition(c, s)
		if !value.IsInt64() {
			return because(order.ReasonArithOverflow)
		}
		limit, ok := o.limit(s, kind)
		if !ok {
			continue
		}
		stated++
		if !o.reduces(c, s) {
			found = append(found, candidate{s, value, limit})
		}
	}
	return decide(reason, stated, found)
}

// ofInstrument narrows a scope to the request's instrument: positions are
// always judged one instrument at a time.
func (c *judged) ofInstrument(s order.Scope) order.Scope {
	s.Instrument = c.instrument.id
	return s
}

// worstPosition is the position on the order's side if everything open on that
// side trades and nothing on the other.
func (o *oracle) worstPosition(c *judged, s order.Scope) *big.Int {
	m := o.measure(c.ofInstrument(s))
	net := minus(m.boughtQty, m.soldQty)
	if c.buy {
		return plus(floorZero(net), m.buyQty, c.qtyRise)
	}
	return plus(floorZero(negated(net)), m.sellQty, c.qtyRise)
}

// reduces reports whether the order can only bring the scope's position in the
// instrument closer to zero, whatever else on its side trades first.
func (o *oracle) reduces(c *judged, s order.Scope) bool {
	m := o.measure(c.ofInstrument(s))
	net := minus(m.boughtQty, m.soldQty)
	if c.buy {
		return net.Sign() < 0 && plus(m.buyQty, c.qtyRise).Cmp(negated(net)) <= 0
	}
	return net.Sign() > 0 && plus(m.sellQty, c.qtyRise).Cmp(net) <= 0
}

// grossExposure is the first half of control 16.
func (o *oracle) grossExposure(c *judged) *order.Decision {
	if c.order != nil && c.valueRise.Sign() == 0 {
		return nil
	}
	var found []candidate
	stated := 0
	for _, s := range c.scopes(o.world.firm) {
		limit, ok := o.limit(s, limitGross)
		if !ok {
			continue
		}
		stated++
		m := o.measure(s)
		value := plus(m.gross, m.buyValue, m.sellValue, c.valueRise)
		if o.reduces(c, s) {
			continue
		}
		if !value.IsInt64() || m.overflown() {
			return because(order.ReasonArithOverflow)
		}
		found = append(found, candidate{s, value, limit})
	}
	return decide(order.ReasonGrossExposure, stated, found)
}

// netExposure is the second half of control 16.
func (o *oracle) netExposure(c *judged) *order.Decision {
	if c.order != nil && c.valueRise.Sign() == 0 {
		return nil
	}
	var found []candidate
	stated := 0
	for _, s := range c.scopes(o.world.firm) {
		limit, ok := o.limit(s, limitNet)
		if !ok {
			continue
		}
		stated++
		m := o.measure(s)
		if m.overflown() {
			if o.reduces(c, s) {
				continue
			}
			return because(order.ReasonArithOverflow)
		}
		own, open := m.net, plus(m.buyValue, c.valueRise)
		if !c.buy {
			own, open = negated(m.net), plus(m.sellValue, c.valueRise)
		}
		if own.Sign() < 0 && open.Cmp(negated(own)) <= 0 {
			continue
		}
		value := plus(floorZero(own), open)
		if !value.IsInt64() {
			return because(order.ReasonArithOverflow)
		}
		found = append(found, candidate{s, value, limit})
	}
	return decide(order.ReasonNetExposure, stated, found)
}

// measured is everything that is summed at one scope.
type measured struct {
	orders              int64
	buyQty, sellQty     *big.Int // reserved by live orders
	buyValue, sellValue *big.Int
	boughtQty, soldQty  *big.Int // by fills
	gross, net          *big.Int // value of positions
	positions           []big.Int
	unfit               bool // one position has no value that fits
}

// overflown reports whether a position has no value that fits.
func (m *measured) overflown() bool { return m.unfit || !m.gross.IsInt64() || !m.net.IsInt64() }

// measure sums a scope from the list of orders and the list of fills.
// Quantities mean something only for a scope with an instrument.
func (o *oracle) measure(s order.Scope) *measured {
	m := o.nothing()
	for _, ord := range o.orders {
		if ord.live() && ord.within(s) {
			m.orders++
			m.reserve(ord.side.IsBuy(), ord.reservedQty(), ord.reservedNotional())
		}
	}
	for i := range o.fills {
		if f := &o.fills[i]; f.within(s) {
			m.addFill(f, &o.world)
		}
	}
	o.valuePositions(m)
	return m
}

func (o *oracle) nothing() *measured {
	m := &measured{positions: make([]big.Int, len(o.world.instruments))}
	for _, sum := range []**big.Int{
		&m.buyQty, &m.sellQty, &m.buyValue, &m.sellValue, &m.boughtQty, &m.soldQty, &m.gross, &m.net,
	} {
		*sum = new(big.Int)
	}
	return m
}

func (m *measured) reserve(buy bool, qty, value *big.Int) {
	if buy {
		m.buyQty.Add(m.buyQty, qty)
		m.buyValue.Add(m.buyValue, value)
		return
	}
	m.sellQty.Add(m.sellQty, qty)
	m.sellValue.Add(m.sellValue, value)
}

// valuePositions values the position in every instrument by itself.
func (o *oracle) valuePositions(m *measured) {
	for i := range m.positions {
		value := o.positionValue(&m.positions[i], &o.world.instruments[i])
		m.net.Add(m.net, value)
		m.gross.Add(m.gross, magnitude(value))
		m.unfit = m.unfit || !value.IsInt64()
	}
}

func (m *measured) addFill(f *fill, w *world) {
	qty := num(int64(f.qty))
	if f.buy {
		m.boughtQty.Add(m.boughtQty, qty)
	} else {
		m.soldQty.Add(m.soldQty, qty)
		qty = negated(qty)
	}
	for i := range w.instruments {
		if w.instruments[i].id == f.instrument {
			m.positions[i].Add(&m.positions[i], qty)
		}
	}
}

// positionValue is the signed value of a position in one instrument.
func (o *oracle) positionValue(net *big.Int, i *instrumentRow) *big.Int {
	if net.Sign() == 0 {
		return net
	}
	value := notionalOf(o.mark(i), magnitude(net), i.multiplier)
	if net.Sign() < 0 {
		value = negated(value)
	}
	return value
}

// mark is the price positions are valued at.
func (o *oracle) mark(i *instrumentRow) order.Price {
	for k := len(o.prices) - 1; k >= 0; k-- {
		if o.prices[k].Instrument == i.id && o.prices[k].Price != order.Null {
			return o.prices[k].Price
		}
	}
	if i.settlement != order.Null {
		return i.settlement
	}
	return o.lastTrade[i.id]
}

// usage is what every scope of the reference data uses of its limits, summed
// anew from the lists in one sweep.
func (o *oracle) usage() map[order.Scope]*measured {
	all := map[order.Scope]*measured{}
	for _, node := range o.world.nodes() {
		all[node] = o.nothing()
		for i := range o.world.instruments {
			node.Instrument = o.world.instruments[i].id
			all[node] = o.nothing()
		}
	}
	for _, ord := range o.orders {
		if ord.live() {
			qty, value := ord.reservedQty(), ord.reservedNotional()
			for _, s := range ord.scopes(o.world.firm) {
				if m := all[s]; m != nil { // the scope may be gone
					m.orders++
					m.reserve(ord.side.IsBuy(), qty, value)
				}
			}
		}
	}
	for i := range o.fills {
		for _, s := range o.fills[i].scopes(o.world.firm) {
			if m := all[s]; m != nil { // the venue may name what the firm does not know
				m.addFill(&o.fills[i], &o.world)
			}
		}
	}
	for _, m := range all {
		o.valuePositions(m)
	}
	return all
}
