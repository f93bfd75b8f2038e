package riskcheck

import "tollgate/order"

// booked is what one execution has moved. It is kept, so that the venue can take
// it back exactly.
type booked struct {
	qty      order.Qty
	cash     amounts // signed: what was paid is negative
	executed amounts
	fee      order.Money // in the account's currency
	day      uint32      // the firm's day it counts for
	calendar uint32      // the day of the instrument's calendar
}

// valueFill finds what an execution moves: at the newest exchange rates, or at
// those the order was reserved at where none is known any more. Rounding is
// against the client. What does not fit is the largest amount there is.
func (e *Engine) valueFill(in *instrumentRow, account int32, side order.Side, qty order.Qty, px order.Price,
	stored *[currencies]order.FxRate,
) booked {
	up, okUp := order.Notional(px, qty, in.Multiplier)
	down, okDown := order.NotionalDown(px, qty, in.Multiplier)
	if !okUp || !okDown {
		up, down = order.Unlimited, order.Unlimited
	}
	b := booked{qty: qty, day: e.day, calendar: e.dayOf(in)}
	to := [currencies]int32{}
	if account != noIndex {
		to[accountMoney] = e.accountRows[account].rate
	}
	pays := side.IsBuy() == (px >= 0)
	for i := range b.cash {
		rate, known := e.rateBetween(in.rate, to[i])
		if !known {
			rate = stored[i]
		}
		b.executed[i] = exchangeSaturating(up, rate, true)
		if pays {
			b.cash[i] = -b.executed[i]
		} else {
			b.cash[i] = exchangeSaturating(down, rate, false)
		}
	}
	fee, ok := share(b.executed[accountMoney], in.FeeBps)
	if !ok {
		fee = order.Unlimited
	}
	b.fee = fee
	return b
}

func exchangeSaturating(m order.Money, rate order.FxRate, up bool) order.Money {
	if out, ok := exchange(m, rate, up); ok {
		return out
	}
	return order.Unlimited
}

// bookFill moves an execution into the positions of every holder of a path, or
// takes it back with sign −1; trades is by how much the number of trades changes.
// What was executed on an earlier day takes nothing from the counts of this one.
func (e *Engine) bookFill(p *path, account int32, side order.Side, b *booked, sign order.Qty, trades int32) {
	today := b.day == e.day
	calendarToday := b.calendar == e.dayOf(&e.instrumentRows[p.instrument])
	for level, n := range p.nodes {
		if n == noIndex {
			continue
		}
		money := moneyOf(level * holdersPerLevel)
		nd := &e.nodes[n]
		nd.cash.add(order.Money(sign) * b.cash[money])
		if today {
			nd.count(0, b.executed[money], sign, trades)
		}
		if i := p.cells[level]; i != noIndex {
			e.fill(i, side, sign*b.qty)
			if calendarToday {
				e.cells[i].count(b.qty, b.executed[money], sign, trades)
			}
		}
		if i := p.classes[level]; i != noIndex {
			e.classCells[i].move(side, sign*b.qty)
			if calendarToday {
				e.classCells[i].count(b.qty, b.executed[money], sign, trades)
			}
		}
	}
	if account == noIndex {
		return
	}
	a := &e.accountRows[account]
	a.fees.add(order.Money(sign) * b.fee)
	if i := p.cells[accountLevel]; i != noIndex && side.IsShort() && calendarToday {
		s := e.shortOf(&e.cells[i])
		tally(&s.executed, &s.executedHigh, sign*b.qty)
	}
}

// dayOf returns the day of an instrument's calendar.
func (e *Engine) dayOf(in *instrumentRow) uint32 {
	if in.Calendar == 0 {
		return e.day
	}
	for i := range e.calendarDays {
		if e.calendarDays[i].calendar == in.Calendar {
			return e.calendarDays[i].day
		}
	}
	return 0
}

// fill moves the position of a cell. What it has bought and sold in its life may
// wrap around; the difference is right all the same.
func (e *Engine) fill(i int32, side order.Side, qty order.Qty) {
	b, d := &e.cells[i].book, &e.details[i]
	filled := &d.filledBuy
	if !side.IsBuy() {
		filled = &d.filledSell
	}
	*filled += qty
	b.move(side, qty)
}

// move moves a net position. A sum that does not fit, or cannot be negated, leaves
// the position unknown.
func (b *book) move(side order.Side, qty order.Qty) {
	if !side.IsBuy() {
		qty = -qty
	}
	position, ok := order.AddQty(b.position, qty)
	b.position, b.lost = position, b.lost || !ok || position == order.Null
}

// addMoneySaturating is addSaturating for money.
func addMoneySaturating(a, b order.Money) order.Money {
	return order.Money(addSaturating(order.Qty(a), order.Qty(b)))
}

// markFill takes the price of a fill as a mark and values the positions of a path
// anew. It reports whether positions of others have moved with it.
func (e *Engine) markFill(p *path, px order.Price) bool {
	in := &e.instrumentRows[p.instrument]
	in.lastFill = pricePoint{px, 1}
	if e.remark(in) {
		return true
	}
	e.revaluePath(p)
	return false
}

// judgeFill judges the losses an execution has brought: those of its path, or of
// everybody if the mark has moved.
func (e *Engine) judgeFill(p *path, others bool) {
	if others {
		e.judgeCells(&e.instrumentRows[p.instrument])
		return
	}
	e.judgePath(p)
}

// revaluePath values the positions of a path anew.
func (e *Engine) revaluePath(p *path) {
	in := &e.instrumentRows[p.instrument]
	for _, i := range p.cells {
		if i != noIndex {
			e.value(i, in)
		}
	}
}

// judgePath judges the losses of every level of a path.
func (e *Engine) judgePath(p *path) {
	for _, n := range p.nodes {
		if n != noIndex {
			e.judgeLoss(n)
		}
	}
}

// latchExceeded latches every holder of a path that now exceeds one of its limits
// to reducing orders: the venue's truth is taken whatever the limits say, and
// nothing more is let in on top of it. What is open and does not fit is above every
// limit.
func (e *Engine) latchExceeded(p *path, fits bool) {
	var books holders
	e.bring(&books, p)
	for at, b := range books {
		if b.book == nil || b.profile == 0 {
			continue
		}
		if kind, value, limit := e.exceeded(p, &books, at, fits); kind != 0 {
			e.latch(holderOf{b.book, e.scopeAt(p, at)}, LatchLateTruth, kind, value, limit)
		}
	}
}

// exceeded returns the first of a holder's limits that its use exceeds.
func (e *Engine) exceeded(p *path, books *holders, at int, fits bool) (kind LimitKind, value, limit int64) {
	b := books[at].book
	l := &e.profiles[b.profile].limit
	over := func(k LimitKind, v int64, ok bool) bool {
		if l[k] == unstated || l[k] == order.Unlimited || ok && v <= l[k] {
			return false
		}
		kind, value, limit = k, v, l[k]
		return true
	}
	open, okOpen := b.openAfter(0)
	pos := books[positionHolder(at)]
	long, okLong := pos.positionAfter(order.SideBuy, 0)
	short, okShort := pos.positionAfter(order.SideSell, 0)
	_ = over(LimitOpenOrders, int64(b.openOrders), true) || over(LimitOpenNotional, open, okOpen && fits) ||
		!pos.reduces(order.SideBuy, 0) && over(LimitPositionLong, int64(long), okLong && fits) ||
		!pos.reduces(order.SideSell, 0) && over(LimitPositionShort, int64(short), okShort && fits) ||
		e.exceedsValue(p, at, b, open, over, fits)
	return kind, value, limit
}

// exceedsValue is the part of exceeded that is about what positions are worth.
// What has no value counts as too much.
func (e *Engine) exceedsValue(p *path, at int, b *book, open int64, over func(LimitKind, int64, bool) bool, fits bool,
) bool {
	v := e.valuationAt(p, at)
	v.ok = v.ok && fits
	gross, okGross := order.AddMoney(v.gross, order.Money(open))
	if over(LimitGrossExposure, int64(gross), okGross && v.ok) {
		return true
	}
	for _, side := range [...]struct{ net, open order.Money }{{v.net, b.openBuy}, {-v.net, b.openSell}} {
		if v.ok && side.net < 0 && side.open <= -side.net {
			continue
		}
		worst, ok := order.AddMoney(max(0, side.net), side.open)
		if over(LimitNetExposure, int64(worst), ok && v.ok) {
			return true
		}
	}
	return false
}
