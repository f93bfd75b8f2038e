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
	for at, set := 0, t.stated[statedTurnoverDay]; set != 0; {
		at, set = each(set)
		b := c.books[at]
		open, ok := b.openAfter(c.add[moneyOf(at)])
		value, okValue := order.AddMoney(max(0, b.day.executed), order.Money(open))
		if !ok || !okValue {
			return c.refuse(order.ReasonArithOverflow)
		}
		e.consider(c, &w, order.ReasonDailyTurnover, LimitTurnoverPerDay, at, int64(value))
	}
	if !e.passed(c, &w) {
		return false
	}
	w = worst{}
	for at, set := 0, t.stated[statedTurnoverMinute]; set != 0; {
		at, set = each(set)
		add := max(0, c.add[moneyOf(at)])
		sum := order.Money(0)
		if i := c.books[at].day.minute; i != noIndex {
			e.minutes[i].at(e.now / secondNs)
			sum = e.minutes[i].total
		}
		value, ok := order.AddMoney(sum, add)
		if !ok {
			return c.refuse(order.ReasonArithOverflow)
		}
		e.consider(c, &w, order.ReasonTurnoverWindow, LimitTurnoverPerMinute, at, int64(value))
	}
	return e.passed(c, &w)
}

// countTurnover counts what an accepted request has added or, with sign −1, takes the
// same away again, within the same second.
func (e *Engine) countTurnover(c *candidate, sign order.Money) {
	for at, b := range c.books {
		if b.book == nil || b.day.minute == noIndex {
			continue
		}
		if add := c.add[moneyOf(at)]; add > 0 {
			m := &e.minutes[b.day.minute]
			m.at(e.now / secondNs)
			m.add(sign * add)
		}
	}
}
