package riskcheck_test

import (
	"math/big"

	"tollgate/order"
)

// openOrders is control 13.
func (o *oracle) openOrders(c *judged) *refusal {
	if c.replace {
		return nil
	}
	var found []candidate
	for _, s := range c.scopes(o.world.firm) {
		if row := o.row(s, limitOpenOrders); row != nil {
			found = append(found, c.candidate(*row, num(o.sum(c, s).orders+1)))
		}
	}
	return decide(order.ReasonOpenOrders, len(found), found)
}

// rises works out what the reservation would gain. All later controls judge
// the gain only.
func (o *oracle) rises(c *judged) {
	c.qtyRise, c.rise = num(int64(c.request.OrderQty)), c.value
	if c.replace {
		next := *c.order
		next.pending = append(append([]terms{}, c.order.pending...), o.termsOf(c))
		before, after := c.order.reserved(), next.reserved()
		c.qtyRise, c.rise = minus(after.qty, before.qty), after.value.minus(before.value)
	}
}

// valueRises and qtyRises report whether a request asks for more than is
// reserved already, in value and in quantity.
func (c *judged) valueRises() bool { return !c.replace || c.rise.firm.Sign() > 0 }

func (c *judged) qtyRises() bool { return !c.replace || c.qtyRise.Sign() > 0 }

// openNotional is control 14.
func (o *oracle) openNotional(c *judged) *refusal {
	o.rises(c)
	if !c.valueRises() {
		return nil
	}
	if o.bound(c, limitOpenNotional) == nil {
		return because(order.ReasonOpenNotional)
	}
	var found []candidate
	for _, s := range c.scopes(o.world.firm) {
		m := o.sum(c, s)
		value := plus(m.buyValue, m.sellValue, c.rise.at(s))
		if !value.IsInt64() {
			return because(order.ReasonArithOverflow)
		}
		if row := o.row(s, limitOpenNotional); row != nil {
			found = append(found, c.candidate(*row, value))
		}
	}
	return decide(order.ReasonOpenNotional, len(found), found)
}

// position is control 15. What does not fit is refused wherever it is; a class of
// which nothing is said need not be summed.
func (o *oracle) position(c *judged) *refusal {
	if !c.qtyRises() {
		return nil
	}
	kind, reason := limitPositionShort, order.ReasonPositionShort
	if c.buy {
		kind, reason = limitPositionLong, order.ReasonPositionLong
	}
	if o.bound(c, kind) == nil {
		return because(reason)
	}
	var found []candidate
	for _, s := range c.scopes(o.world.firm) {
		row := o.row(s, kind)
		value := o.worstPosition(c, s)
		if !value.IsInt64() && (s.Class == 0 || row != nil || o.engineRefuses(c, order.ReasonArithOverflow) != nil) {
			return because(order.ReasonArithOverflow)
		}
		if row != nil && !o.reduces(c, s) {
			found = append(found, c.candidate(*row, value))
		}
	}
	return tightest(reason, found)
}

// ofInstrument narrows a scope for all instruments to the request's: its
// positions are judged one instrument at a time.
func (c *judged) ofInstrument(s order.Scope) order.Scope {
	if s.Class == 0 {
		s.Instrument = c.request.Instrument
	}
	return s
}

// worstPosition is the position on the order's side if everything open on that
// side trades and nothing on the other.
func (o *oracle) worstPosition(c *judged, s order.Scope) *big.Int {
	m := o.sum(c, c.ofInstrument(s))
	if c.buy {
		return plus(floorZero(m.position()), m.buyQty, c.qtyRise)
	}
	return plus(floorZero(negated(m.position())), m.sellQty, c.qtyRise)
}

// reduces reports whether the order can only bring the scope's position in the
// instrument, or in the class, closer to zero, whatever else on its side trades
// first.
func (o *oracle) reduces(c *judged, s order.Scope) bool {
	return o.wouldReduce(c, c.identity, s, c.qtyRise)
}

// grossExposure is the first half of control 16.
func (o *oracle) grossExposure(c *judged) *refusal {
	if !c.valueRises() {
		return nil
	}
	var found []candidate
	stated := 0
	for _, s := range c.scopes(o.world.firm) {
		row := o.row(s, limitGross)
		if row == nil {
			continue
		}
		stated++
		if o.reduces(c, s) {
			continue
		}
		m := o.valuedSum(c, s)
		value := plus(m.gross, m.buyValue, m.sellValue, c.rise.at(s))
		if !value.IsInt64() || m.overflown() {
			return because(order.ReasonArithOverflow)
		}
		found = append(found, c.candidate(*row, value))
	}
	return decide(order.ReasonGrossExposure, stated, found)
}

// netExposure is the second half of control 16.
func (o *oracle) netExposure(c *judged) *refusal {
	if !c.valueRises() {
		return nil
	}
	var found []candidate
	stated := 0
	for _, s := range c.scopes(o.world.firm) {
		row := o.row(s, limitNet)
		if row == nil {
			continue
		}
		stated++
		m := o.valuedSum(c, s)
		if m.overflown() {
			if o.reduces(c, s) {
				continue
			}
			return because(order.ReasonArithOverflow)
		}
		own, open := m.net, plus(m.buyValue, c.rise.at(s))
		if !c.buy {
			own, open = negated(m.net), plus(m.sellValue, c.rise.at(s))
		}
		if own.Sign() < 0 && open.Cmp(negated(own)) <= 0 {
			continue
		}
		value := plus(floorZero(own), open)
		if !value.IsInt64() {
			return because(order.ReasonArithOverflow)
		}
		found = append(found, c.candidate(*row, value))
	}
	return decide(order.ReasonNetExposure, stated, found)
}
