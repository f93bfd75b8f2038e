package riskcheck_test

import (
	"math/big"
	"slices"

	"tollgate/order"
	"tollgate/riskcheck"
)

// profitBase is where a scope's day of profit and loss began, and the largest it
// has been since.
// seen is what it was when it was judged last; nil: it had no value then.
type profitBase struct{ base, peak, seen *big.Int }

// profitEver is what a scope has gained since ever: the cash its executions
// brought and what its positions are worth. It tells whether they all have a
// value; those without count as nothing.
func (o *oracle) profitEver(s order.Scope) (*big.Int, bool) {
	m := o.measure(nil, s)
	o.valuePositions(m, s)
	total := new(big.Int).Set(m.worth)
	for i := range o.fills {
		if f := &o.fills[i]; !f.undone && f.within(s) {
			total.Add(total, f.flow.at(s))
		}
	}
	for i := range o.moved {
		if flow := o.moved[i].flow[s]; flow != nil {
			total.Add(total, flow)
		}
	}
	return total, !m.unfit
}

// profit is that of the day.
func (o *oracle) profit(s order.Scope) (*big.Int, bool) {
	total, ok := o.profitEver(s)
	return minus(total, o.base(s).base), ok
}

func (o *oracle) base(s order.Scope) *profitBase {
	if o.bases[s] == nil {
		o.bases[s] = &profitBase{new(big.Int), new(big.Int), new(big.Int)}
	}
	return o.bases[s]
}

// judgeLosses follows control 20 for every scope whose profit was moved, or for
// all. One whose profit is what it was may be judged, and need not.
func (o *oracle) judgeLosses(all bool) {
	o.settleMoved()
	for _, s := range o.nodesToJudge() {
		pnl, ok := o.profit(s)
		b := o.base(s)
		if !ok {
			b.seen = nil
			continue
		}
		if still := b.seen != nil && b.seen.Cmp(pnl) == 0; still && !all && !o.engineSays(s, ofLoss) {
			continue
		}
		b.seen = pnl
		b.peak = larger(b.peak, pnl)
		o.judgeLoss(s, limitLoss, riskcheck.LatchLoss, negated(pnl))
		o.judgeLoss(s, limitDrawdown, riskcheck.LatchDrawdown, minus(b.peak, pnl))
		row := o.row(s, limitLossKill)
		if row != nil && row.value != order.Unlimited && negated(pnl).Cmp(num(row.value)) > 0 {
			o.killFor(s, limitLossKill, saturated(negated(pnl)), row.value)
		}
	}
}

// settleMoved takes what was brought in from outside, while it had no value, off
// the cash as soon as it has one.
func (o *oracle) settleMoved() {
	for i := range o.moved {
		for s, flow := range o.moved[i].flow {
			if flow == nil {
				o.settleBrought(s, o.moved[i].instrument)
			}
		}
	}
}

// settleBrought does that for all that was brought into one scope.
func (o *oracle) settleBrought(s order.Scope, id order.InstrumentID) {
	sum, flows := new(big.Int), []map[order.Scope]*big.Int{}
	for i := range o.moved {
		a := &o.moved[i]
		if flow, goes := a.flow[s]; goes && flow == nil && a.instrument == id {
			sum.Add(sum, a.qty)
			flows = append(flows, a.flow)
		}
	}
	worth, ok := o.worthOf(sum, o.world.instrument(id), s)
	if !ok || len(flows) == 0 {
		return
	}
	for _, f := range flows {
		f[s] = new(big.Int)
	}
	flows[0][s] = negated(worth)
}

// nodesToJudge lists every node there ever was. Of several that are killed at once
// the rules do not say which goes first, so the engine's order is taken over.
func (o *oracle) nodesToJudge() []order.Scope {
	var out []order.Scope
	for _, s := range append(append([]order.Scope{}, o.engineFences...), o.everybody...) {
		if in(s, o.everybody) && !in(s, out) {
			out = append(out, s)
		}
	}
	return out
}

// judgeLoss tells of one of the two losses of a scope, and latches it.
func (o *oracle) judgeLoss(s order.Scope, kind limitName, latch riskcheck.Latch, loss *big.Int) {
	row := o.row(s, kind)
	if row == nil {
		return
	}
	if row.value == order.Unlimited || loss.Cmp(num(row.value)) <= 0 {
		o.tellRung(use{*row, row.value, loss})
		return
	}
	o.tellAct(*row, saturated(loss), row.value)
	if row.act == riskcheck.ActKill {
		o.killFor(s, kind, saturated(loss), row.value)
		return
	}
	o.latch(s, latch)
}

// dailyLoss is control 20: while a scope is latched it takes only orders that
// reduce its position.
func (o *oracle) dailyLoss(c *judged) *refusal {
	if c.replace && c.qtyRise.Sign() <= 0 && c.rise.firm.Sign() <= 0 {
		return nil
	}
	if o.bound(c, limitLoss) == nil && o.bound(c, limitDrawdown) == nil {
		return because(order.ReasonDailyLoss)
	}
	var worst *refusal
	least := new(big.Int)
	for _, s := range c.levels(o.world.firm) {
		if o.reduces(c, s) {
			continue
		}
		for _, no := range o.lossesOf(s) {
			headroom := minus(num(no.Limit), num(no.Value))
			if worst == nil || headroom.Cmp(least) < 0 {
				worst, least = no, headroom
			}
		}
	}
	return worst
}

// lossesOf lists for which losses a scope is latched, with what they are now.
func (o *oracle) lossesOf(s order.Scope) []*refusal {
	var out []*refusal
	pnl, ok := o.profit(s)
	for _, l := range []struct {
		latch  riskcheck.Latch
		kind   limitName
		reason order.Reason
		from   *big.Int
	}{
		{riskcheck.LatchLoss, limitLoss, order.ReasonDailyLoss, new(big.Int)},
		{riskcheck.LatchDrawdown, limitDrawdown, order.ReasonDailyLossFromPeak, o.base(s).peak},
	} {
		if !o.isLatched(s, l.latch) {
			continue
		}
		value := new(big.Int)
		if ok {
			value = floorZero(minus(l.from, pnl))
		}
		limit, _ := o.limit(s, l.kind)
		out = append(out, withNumbers(l.reason, s, saturated(value), limit))
	}
	return out
}

// latchedScope is one latch that is in force.
type latchedScope struct {
	scope order.Scope
	latch riskcheck.Latch
}

// releasedScope is one latch that was, and when it ended.
type releasedScope struct {
	latchedScope
	moment int
}

func (o *oracle) isLatched(s order.Scope, l riskcheck.Latch) bool {
	return in(latchedScope{s, l}, o.latched)
}

// releasedAt is when a latch of a scope last ended; 0: never.
func (o *oracle) releasedAt(s order.Scope, l riskcheck.Latch) int {
	at := 0
	for _, r := range o.released {
		if r.scope == s && r.latch == l {
			at = r.moment
		}
	}
	return at
}

// latch puts a scope under a latch, and tells it if it is news.
func (o *oracle) latch(s order.Scope, l riskcheck.Latch) {
	if o.isLatched(s, l) {
		return
	}
	o.latched = append(o.latched, latchedScope{s, l})
	o.alert(s, riskcheck.Alert{Cause: riskcheck.AlertLatched, Latch: l})
}

// release ends a latch.
func (o *oracle) release(now int64, s order.Scope, l riskcheck.Latch) bool {
	defer o.begin(now)()
	if !o.isLatched(s, l) {
		return false
	}
	o.latched = slices.DeleteFunc(o.latched, func(x latchedScope) bool { return x == latchedScope{s, l} })
	o.released = append(o.released, releasedScope{latchedScope{s, l}, o.next()})
	return true
}
