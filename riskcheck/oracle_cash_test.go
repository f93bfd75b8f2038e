package riskcheck_test

import (
	"math/big"

	"tollgate/order"
)

// cashStep is what cash an account was said to have, and what its profit and
// fees came to before.
type cashStep struct {
	account order.AccountID
	cash    *big.Int
	before  *big.Int
}

// locateStep is how much an account may sell short of an instrument.
type locateStep struct {
	account    order.AccountID
	instrument order.InstrumentID
	qty        order.Qty
}

// day is when the day of a calendar began; calendar 0 is the firm's.
type day struct {
	number uint32
	began  int // moment
}

func accountScope(a order.AccountID) order.Scope {
	return order.Scope{Type: order.ScopeAccount, ID: uint32(a)}
}

// dayOf is the moment since which something in an instrument counts in a scope's
// day: the firm's day over all instruments, else that of the instrument. A class
// is the sum of its instruments.
func (o *oracle) dayOf(s order.Scope, of order.InstrumentID) int {
	if i := o.world.instrument(of); i != nil && (s.Instrument != 0 || s.Class != 0) {
		return o.days[i.calendar].began
	}
	return o.days[0].began
}

// hold is what one instrument takes of an account's cash, with a rise of what is
// open on one side of it: margin, and the fees of what is open.
func (o *oracle) hold(live []reservation, a *accountRow, i *instrumentRow, buy bool, rise *big.Int) (margin, fee *big.Int) {
	s := accountScope(a.id)
	s.Instrument = i.id
	m := o.measure(live, s)
	if buy {
		m.buyValue.Add(m.buyValue, rise)
	} else {
		m.sellValue.Add(m.sellValue, rise)
	}
	o.valuePositions(m, s)
	long, short := plus(m.net, m.buyValue), minus(m.sellValue, m.net)
	margin = up(times(num(i.marginBps), floorZero(larger(long, short))), basisUnit)
	fee = up(times(num(i.feeBps), plus(m.buyValue, m.sellValue)), basisUnit)
	return margin, fee
}

// required is what an account's positions and live orders take of its cash. The
// instrument of a request counts with what the request adds.
func (o *oracle) required(live []reservation, a *accountRow, c *judged) *big.Int {
	sum := new(big.Int)
	for k := range o.world.instruments {
		i := &o.world.instruments[k]
		rise, buy := new(big.Int), true
		if c != nil && c.request.Instrument == i.id {
			rise, buy = c.rise.account, c.buy
		}
		margin, fee := o.hold(live, a, i, buy, rise)
		sum = plus(sum, margin, fee)
	}
	return sum
}

// gains is the account's profit and loss since ever, without the fees.
func (o *oracle) gains(a order.AccountID) *big.Int {
	s, total := accountScope(a), new(big.Int)
	for i := range o.fills {
		if f := &o.fills[i]; !f.undone && f.within(s) {
			total.Sub(total, f.fee)
		}
	}
	profit, _ := o.profitEver(s)
	return total.Add(total, profit)
}

// equity is the cash an account was last said to have, and what it has gained
// since.
func (o *oracle) equity(a order.AccountID) (cash, equity *big.Int) {
	cash, before := new(big.Int), new(big.Int)
	for _, step := range o.cash {
		if step.account == a {
			cash, before = step.cash, step.before
		}
	}
	return cash, plus(cash, minus(o.gains(a), before))
}

// allValued reports whether every position of a scope has a value.
func (o *oracle) allValued(s order.Scope) bool {
	m := o.measure(nil, s)
	o.valuePositions(m, s)
	return !m.unfit
}

// buyingPower is control 17.
func (o *oracle) buyingPower(c *judged) *refusal {
	if !c.valueRises() {
		return nil
	}
	row := o.bound(c, limitCredit)
	if row != nil && row.value == order.Unlimited {
		return nil
	}
	required := o.required(c.live, c.account, c)
	if row == nil {
		return unstatedWith(order.ReasonBuyingPower, required)
	}
	own := accountScope(c.account.id)
	if !o.allValued(own) {
		if o.reduces(c, c.ofInstrument(own)) {
			return nil
		}
		return because(order.ReasonArithOverflow)
	}
	before, _ := o.hold(c.live, c.account, c.instrument, c.buy, new(big.Int))
	after, _ := o.hold(c.live, c.account, c.instrument, c.buy, c.rise.account)
	if after.Cmp(before) <= 0 {
		return nil // closing needs no cash
	}
	_, equity := o.equity(c.account.id)
	limit := plus(equity, num(row.value))
	if required.Cmp(limit) <= 0 {
		return nil
	}
	if !required.IsInt64() {
		return because(order.ReasonArithOverflow)
	}
	return over(order.ReasonBuyingPower, *row, saturated(required), saturated(floorZero(limit)))
}

// located is how much an account may sell short of an instrument.
func (o *oracle) located(a order.AccountID, i order.InstrumentID) order.Qty {
	var qty order.Qty
	for _, step := range o.locates {
		if step.account == a && step.instrument == i {
			qty = step.qty
		}
	}
	return qty
}

// shorted is how much of it the account has sold short today, and may still by
// live orders.
func (o *oracle) shorted(live []reservation, a order.AccountID, i order.InstrumentID) *big.Int {
	s, open := accountScope(a), new(big.Int)
	s.Instrument = i
	sold := o.sumOfDay(s, func(t *turn) *big.Int {
		if isShort(t.side) {
			return t.qty
		}
		return new(big.Int)
	})
	for _, r := range live {
		if r.within(s) && r.isShort() {
			open.Add(open, r.qty)
		}
	}
	return plus(sold, open)
}

// shortSale is control 18.
func (o *oracle) shortSale(c *judged) *refusal {
	if c.buy {
		return nil
	}
	if !c.qtyRises() {
		return o.shortSalePrice(c)
	}
	s := c.ofInstrument(accountScope(c.account.id))
	m := o.sum(c, s)
	asked := plus(m.sellQty, c.qtyRise)
	row := o.bound(c, limitShort)
	if row == nil {
		return unstatedWith(order.ReasonShortSale, asked)
	}
	held := floorZero(m.position())
	if c.request.Side == order.SideSell {
		if asked.Cmp(held) <= 0 || row.value == order.Unlimited {
			return nil
		}
		return over(order.ReasonShortSale, *row, saturated(asked), saturated(held))
	}
	if row.value == shortForbidden {
		return over(order.ReasonShortSelling, *row, c.qtyRise.Int64(), 0)
	}
	if row.value == shortLocate {
		shorted := plus(o.shorted(c.live, c.account.id, c.instrument.id), c.qtyRise)
		located := int64(o.located(c.account.id, c.instrument.id))
		if shorted.Cmp(num(located)) > 0 {
			return withNumbers(order.ReasonLocate, s, saturated(shorted), located)
		}
	}
	return o.shortSalePrice(c)
}

// shortSalePrice holds a short sale to the price test while it is on.
func (o *oracle) shortSalePrice(c *judged) *refusal {
	if c.request.Side != order.SideSellShort || !o.market(c.instrument.id).restricted {
		return nil
	}
	reference, known := o.reference(c.instrument)
	if !known {
		return because(order.ReasonNoReferencePrice)
	}
	price := c.request.Price
	if c.request.OrdType != order.OrdTypeLimit && c.request.OrdType != order.OrdTypeStopLimit {
		price = reference
	}
	if price > reference {
		return nil
	}
	return withNumbers(order.ReasonShortSalePrice, order.Scope{}, int64(price), int64(reference))
}

// executed is what was executed in a scope's day, in the scope's money.
func (o *oracle) executed(s order.Scope) *big.Int {
	return o.sumOfDay(s, func(t *turn) *big.Int { return t.value.at(s) })
}

// turnoverStated reports whether any scope states one of control 19's limits.
func (o *oracle) turnoverStated(c *judged) bool {
	return o.bound(c, limitTurnoverDay) != nil || o.bound(c, limitTurnoverMinute) != nil
}

// turnoverOfDay is the first half of control 19.
func (o *oracle) turnoverOfDay(c *judged) *refusal {
	if !c.valueRises() {
		return nil
	}
	if !o.turnoverStated(c) {
		return unstatedWith(order.ReasonDailyTurnover, c.rise.firm)
	}
	var found []candidate
	for _, s := range c.scopes(o.world.firm) {
		if row := o.row(s, limitTurnoverDay); row != nil {
			m := o.sum(c, s)
			value := plus(o.executed(s), m.buyValue, m.sellValue, c.rise.at(s))
			found = append(found, c.candidate(*row, value))
		}
	}
	return tightest(order.ReasonDailyTurnover, found)
}

// turnoverOfMinute is the second half of control 19.
func (o *oracle) turnoverOfMinute(c *judged) *refusal {
	if !c.valueRises() {
		return nil
	}
	var found []candidate
	for _, s := range c.scopes(o.world.firm) {
		if row := o.row(s, limitTurnoverMinute); row != nil {
			found = append(found, c.candidate(*row, plus(o.minuteAdded(s), c.rise.at(s))))
		}
	}
	return tightest(order.ReasonTurnoverWindow, found)
}

// minuteAdded is what accepted requests added to the reserved value of a scope in
// this second and the 59 before it, since the scope first stated a limit for it.
func (o *oracle) minuteAdded(s order.Scope) *big.Int {
	sum := new(big.Int)
	from, counts := o.minuteFrom[s]
	if !counts {
		return sum
	}
	for i := range o.stamps {
		st := &o.stamps[i]
		if st.moment > from && o.now/1e9-st.at/1e9 < 60 && st.within(s) {
			sum.Add(sum, st.added.at(s))
		}
	}
	return sum
}
