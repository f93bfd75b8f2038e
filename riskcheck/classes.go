package riskcheck

import "tollgate/order"

// classCell returns the class cell of a node and makes it if needed, with what
// the node's cells in instruments of the class add up to. It is for the control
// plane: every route has to learn of a new one. The caller has checked that there
// is room.
func (e *Engine) classCell(n, class int32) int32 {
	k := key{uint64(n), uint64(class)}
	if i, ok := e.classIndex.get(k); ok {
		return int32(i)
	}
	c := classCell{node: n, class: class, dayCount: dayCount{minute: noIndex}}
	e.addUp(&c)
	e.classCells = append(e.classCells, c)
	i := int32(len(e.classCells) - 1)
	e.classIndex.put(k, uint64(i))
	for at := range e.details {
		d := &e.details[at]
		if d.node == n && e.instrumentRows[d.instrument].class == class {
			d.class = i
		}
	}
	for at := range e.routes {
		rt := &e.routes[at]
		if e.instrumentRows[rt.instrument].class != class {
			continue
		}
		for level, node := range rt.nodes {
			if node == n {
				rt.classes[level] = i
			}
		}
	}
	e.routeVersion++
	return i
}

// addUp gives a class cell what the node's cells in instruments of the class add
// up to. What is said about the class stays.
func (e *Engine) addUp(c *classCell) {
	said := c.book
	minute := c.minute
	c.book, c.aggregate, c.dayCount = book{}, aggregate{}, dayCount{minute: minute}
	c.profile, c.latched, c.told, c.killed = said.profile, said.latched, said.told, said.killed
	for _, i := range e.classRows[c.class].members {
		at, ok := e.cellIndex.get(key{uint64(c.node), uint64(i)})
		if !ok {
			continue
		}
		cl := &e.cells[at]
		c.book.addBook(&cl.book)
		c.dayCount.addDay(&cl.dayCount)
		c.gross.add(abs(cl.value))
		c.net.add(cl.value)
		if cl.unvalued {
			c.unpriced++
		}
	}
}

// addBook adds another holder's use. What does not fit is not known: the class is
// lost until it is added up again.
func (b *book) addBook(o *book) {
	b.openBuy += o.openBuy // a part of the node's, which fits
	b.openSell += o.openSell
	b.openOrders += o.openOrders
	var okBuy, okSell, ok bool
	b.openBuyQty, okBuy = order.AddQty(b.openBuyQty, o.openBuyQty)
	b.openSellQty, okSell = order.AddQty(b.openSellQty, o.openSellQty)
	b.position, ok = order.AddQty(b.position, o.position)
	b.lost = b.lost || o.lost || !okBuy || !okSell || !ok || b.position == order.Null
}

// addDay adds another holder's counts of the day.
func (d *dayCount) addDay(o *dayCount) {
	tallyWide(&d.executed, &d.executedHigh, o.executed, o.executedHigh)
	tallyWide(&d.ordered, &d.orderedHigh, o.ordered, o.orderedHigh)
	tallyWide(&d.traded, &d.tradedHigh, o.traded, o.tradedHigh)
	d.orders += o.orders
	d.trades += o.trades
}
