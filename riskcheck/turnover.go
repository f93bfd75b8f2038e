package riskcheck

import "tollgate/order"

// checkTurnover is control 19: value executed and open in a day, and value
// ordered within a minute, gross.
func (e *Engine) checkTurnover(c *candidate) bool {
	t := c.terms
	if t.stated[statedTurnoverDay]|t.stated[statedTurnoverMinute] == 0 {
		return c.refuseAbsent(order.ReasonDailyTurnover, int64(c.add[firmMoney]))
	}
	var w worst
	for at, set := 0, c.near(statedTurnoverDay); set != 0; {
		at, set = each(set)
		b := c.books[at]
		open, ok := b.openAfter(c.add[moneyOf(at)])
		value, okValue := order.AddMoney(b.day.executedSum(), order.Money(open))
		if !ok || !okValue {
			return c.refuse(order.ReasonArithOverflow)
		}
		e.consider(c, &w, order.ReasonDailyTurnover, LimitTurnoverPerDay, at, int64(value))
	}
	if !e.passed(c, &w) {
		return false
	}
	w = worst{}
	for at, set := 0, c.near(statedTurnoverMinute); set != 0; {
		at, set = each(set)
		add := max(0, c.add[moneyOf(at)])
		value, ok := order.AddMoney(e.minuteTotal(c.books[at].day), add)
		if !ok {
			return c.refuse(order.ReasonArithOverflow)
		}
		e.consider(c, &w, order.ReasonTurnoverWindow, LimitTurnoverPerMinute, at, int64(value))
	}
	return e.passed(c, &w)
}

// minuteTotal returns what was ordered within the last minute at a holder that bounds
// it, zero at others.
func (e *Engine) minuteTotal(day *dayCount) order.Money {
	if day.minute == noIndex {
		return 0
	}
	m := &e.minutes[day.minute]
	m.at(e.now / secondNs)
	return m.total
}
