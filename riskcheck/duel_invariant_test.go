package riskcheck_test

import (
	"tollgate/order"
	"tollgate/riskcheck"
)

// What must hold of the engine's own numbers, whatever the oracle says.

// acceptedAlone returns the one new order that the last input brought to the venue;
// nil if it brought none, or several at once.
func (d *duel) acceptedAlone() *order.Verdict {
	var out *order.Verdict
	effects := d.engine.Effects()
	for i := range effects {
		if f := &effects[i]; f.Kind == riskcheck.EffectVerdict && f.Verdict.MsgType == order.MsgNewOrder {
			if out != nil {
				return nil
			}
			out = &f.Verdict
		}
	}
	return out
}

// withinLimits holds an accepted new order against the limits in force, from the
// engine's own usage.
func (d *duel) withinLimits(v *order.Verdict) {
	id := d.world.identityOf(v)
	for _, s := range id.scopes(d.world.firm) {
		narrow := s
		if s.Class == 0 {
			narrow.Instrument = id.instrument
		}
		u, _ := d.engine.Usage(s)
		p, _ := d.engine.Usage(narrow)
		day, _ := d.engine.DayUse(s)
		reduces := reducesNow(&p, v.Side.IsBuy())
		open := int64(u.OpenBuyNotional + u.OpenSellNotional)
		for kind, value := range map[limitName]int64{
			limitOpenOrders:   u.OpenOrders,
			limitOpenNotional: open,
			limitMaxOrderQty:  int64(v.OrderQty),
			limitPerDay:       day.Messages,
			limitTurnoverDay:  max(0, int64(day.Executed)) + open,
		} {
			d.notAbove(v, s, kind, value)
		}
		if !reduces && v.Side.IsBuy() {
			d.notAbove(v, s, limitPositionLong, max(0, int64(p.Net()))+int64(p.OpenBuyQty))
		}
		if !reduces && !v.Side.IsBuy() {
			d.notAbove(v, s, limitPositionShort, max(0, -int64(p.Net()))+int64(p.OpenSellQty))
		}
		if !reduces && !u.Overflown {
			d.notAbove(v, s, limitGross, int64(u.GrossValue)+open)
		}
	}
}

// reducesNow reports whether everything open on a side only takes back what is
// held on the other.
func reducesNow(u *riskcheck.Usage, buys bool) bool {
	if buys {
		return u.Net() < 0 && u.OpenBuyQty <= -u.Net()
	}
	return u.Net() > 0 && u.OpenSellQty <= u.Net()
}

func (d *duel) notAbove(v *order.Verdict, s order.Scope, kind limitName, value int64) {
	if limit, ok := d.oracle.limit(s, kind); ok && value > limit {
		d.fail("accepted order %d breaks %s at %s: %d, limit %d", v.OrderID, kind, d.roll.scope(s), value, limit)
	}
}

// notNegative holds that nothing that is reserved is below zero.
func (d *duel) notNegative(s order.Scope, u *riskcheck.Usage) {
	if u.OpenOrders < 0 || u.OpenBuyNotional < 0 || u.OpenSellNotional < 0 || u.OpenBuyQty < 0 || u.OpenSellQty < 0 ||
		u.GrossValue < 0 {
		d.fail("usage of %s is below zero: %+v", d.roll.scope(s), *u)
	}
}

// nothingReserved holds that no scope has anything reserved.
func (d *duel) nothingReserved() {
	for _, s := range d.world.holders() {
		u, _ := d.engine.Usage(s)
		if u.OpenOrders != 0 || u.OpenBuyNotional != 0 || u.OpenSellNotional != 0 || u.OpenBuyQty != 0 || u.OpenSellQty != 0 {
			d.fail("nothing is live, but %s has %+v", d.roll.scope(s), u)
		}
	}
}
