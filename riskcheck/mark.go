package riskcheck

import "tollgate/order"

// Price takes one step of an instrument's price. Positions are valued at the
// newest price of any source from here on. A Null price takes back what its
// source has said: collars go to the next rung, positions keep their value.
// Prices of unknown instruments and sources are ignored, and those of a sign that
// the instrument does not take: what is valued at nothing passes every limit.
func (e *Engine) Price(now int64, p *order.ReferencePrice) {
	e.begin(now)
	e.price(p)
	e.finish()
}

func (e *Engine) price(p *order.ReferencePrice) {
	row, ok := e.instruments.get(idKey(uint64(p.Instrument)))
	if !ok || p.Source < order.PriceSourceLast || p.Source > order.PriceSourceSettlement {
		return
	}
	in := &e.instrumentRows[row]
	if p.Price == order.Null {
		in.prices[p.Source-1] = pricePoint{}
		return
	}
	if !in.takes(p.Price) {
		return
	}
	seen := max(1, min(p.Time, e.now)) // a source whose clock is ahead gains nothing
	in.prices[p.Source-1] = pricePoint{p.Price, seen}
	in.given = pricePoint{p.Price, seen}
	if e.remark(in) {
		e.judgeCells(in)
	}
}

// remark values every position in an instrument anew if its mark has changed, and
// reports whether it has. The caller judges the losses that come of it, once all
// that the input moves is valued.
func (e *Engine) remark(in *instrumentRow) bool {
	mark, marked := in.bestMark()
	if mark == in.mark && marked == in.marked {
		return false
	}
	in.mark, in.marked = mark, marked
	e.revalueCells(in)
	return true
}

// judgeCells judges the losses of everybody with a position in an instrument.
func (e *Engine) judgeCells(in *instrumentRow) {
	e.judged = e.judged[:0]
	for i := in.firstCell; i != noIndex; i = e.details[i].next {
		if n := e.details[i].node; e.movesLoss(n) {
			e.judged = append(e.judged, n)
		}
	}
	e.judgeInOrder()
}

// revalueCells values every position in an instrument anew.
func (e *Engine) revalueCells(in *instrumentRow) {
	for i := in.firstCell; i != noIndex; i = e.details[i].next {
		e.value(i, in)
	}
}

// value recomputes the value of one position and what its node and class make of
// it.
func (e *Engine) value(i int32, in *instrumentRow) {
	c, d := &e.cells[i], &e.details[i]
	n := &e.nodes[d.node]
	value, ok := e.positionValue(c.position, in, e.currencyOf(n))
	if c.lost || !ok {
		value, ok = 0, false
	}
	n.revalue(c.value, value, !c.unvalued, ok)
	if d.class != noIndex {
		e.classCells[d.class].revalue(c.value, value, !c.unvalued, ok)
	}
	n.worth.subtract(c.worth())
	c.value, c.unvalued, c.below = value, !ok, in.mark < 0
	n.worth.add(c.worth())
	if ok && d.brought != 0 {
		e.bringIn(c, d, in)
	}
	if n.account != noIndex {
		e.rehold(&e.accountRows[n.account], c, in)
	}
}

// bringIn takes what was carried in from outside off the node's profit, at the
// first mark it is valued at.
func (e *Engine) bringIn(c *cell, d *cellDetail, in *instrumentRow) {
	n := &e.nodes[d.node]
	worth, ok := e.positionValue(d.brought, in, e.currencyOf(n))
	if !ok {
		return
	}
	if c.below {
		worth = -worth
	}
	n.cash.subtract(worth)
	d.brought = 0
}

// worth returns what the position would bring: its value with the sign of the
// mark as well, so that what is long at a negative price is a liability.
func (c *cell) worth() order.Money {
	if c.below {
		return -c.value
	}
	return c.value
}

// currencyOf returns the currency a node counts in, as a row of rates.
func (e *Engine) currencyOf(n *node) int32 {
	if n.account == noIndex {
		return 0
	}
	return e.accountRows[n.account].rate
}

// revalue takes the new value of one position into the sums.
func (a *aggregate) revalue(before, after order.Money, had, has bool) {
	if had && !has {
		a.unpriced++
	} else if !had && has {
		a.unpriced--
	}
	a.gross.add(abs(after) - abs(before))
	a.net.subtract(before)
	a.net.add(after)
}

// positionValue returns the value of a position at the size of the instrument's
// mark in a currency, rounded away from zero and signed like the position, and
// whether it has one that fits.
func (e *Engine) positionValue(position order.Qty, in *instrumentRow, to int32) (order.Money, bool) {
	if position == 0 {
		return 0, true
	}
	size := position
	if size < 0 {
		size = -size
	}
	v, ok := order.Notional(in.mark, size, in.Multiplier)
	rate, known := e.rateBetween(in.rate, to)
	if !ok || !in.marked || !known {
		return 0, false
	}
	v, ok = exchange(v, rate, true)
	if position < 0 {
		v = -v
	}
	return v, ok
}
