package riskcheck

import "tollgate/order"

// digest folds numbers into a hash, in the order in which they are given.
type digest uint64

func (d *digest) word(v uint64) { *d = digest(mix(uint64(*d)^v, 0x7018)) }

func (d *digest) int(v int64) { d.word(uint64(v)) }

func (d *digest) bool(v bool) {
	if v {
		d.word(1)
	} else {
		d.word(0)
	}
}

func (d *digest) wide(w *wide) {
	d.int(w.high)
	d.word(w.low)
}

func (d *digest) scope(s order.Scope) {
	d.word(uint64(s.Type)<<32 | uint64(s.ID))
	d.word(uint64(s.Class)<<32 | uint64(s.Instrument))
}

// StateHash returns a hash of everything that decides, in an order that only the
// inputs decide: two engines given the same inputs have the same hash on every
// machine, whatever their hash seeds. It walks everything, and is no input.
func (e *Engine) StateHash() uint64 {
	var d digest
	d.int(e.now)
	d.word(e.seq)
	d.word(uint64(e.day))
	d.word(e.configVersion)
	d.word(e.lastFence)
	d.word(uint64(e.lastConnection))
	d.word(e.venue.instance)
	d.word(e.venue.nextReport)
	d.bool(e.venue.up)
	for i := range e.rates {
		d.int(int64(e.rates[i].rate))
		d.int(e.rates[i].seen)
	}
	for _, c := range e.calendarDays {
		d.word(uint64(c.calendar)<<32 | uint64(c.day))
	}
	for i := range e.nodes {
		e.hashNode(&d, &e.nodes[i])
	}
	for i := range e.classCells {
		c := &e.classCells[i]
		d.word(uint64(c.node)<<32 | uint64(c.class))
		e.hashBook(&d, &c.book)
		e.hashDay(&d, &c.dayCount)
		d.aggregate(&c.aggregate)
	}
	for i := range e.cells {
		e.hashCell(&d, &e.cells[i], &e.details[i])
	}
	for i := range e.accountRows {
		a := &e.accountRows[i]
		d.int(int64(a.cash))
		d.wide(&a.cashBase)
		d.wide(&a.fees)
		d.wide(&a.required)
		d.bool(a.known)
	}
	for i := range e.instrumentRows {
		d.instrument(&e.instrumentRows[i])
	}
	for i := range e.sessionRows {
		e.hashSession(&d, &e.sessionRows[i])
	}
	for i := range e.orders.orders[:e.orders.used] {
		e.hashOrder(&d, &e.orders.orders[i])
	}
	for i := range e.executed.ring {
		d.execution(&e.executed.ring[i])
	}
	for i := range e.reverts {
		r := &e.reverts[i]
		d.int(r.until)
		d.scope(r.entry.Scope)
		d.word(uint64(r.entry.Kind))
		d.int(r.entry.Then)
	}
	e.hashRecent(&d)
	for _, t := range [...]*table{&e.clOrdIDs, &e.rungs, &e.membership} {
		d.table(t)
	}
	return uint64(d)
}

// table takes in a table as the set it is: the order of its slots says nothing.
func (d *digest) table(t *table) {
	sum := uint64(0)
	for i := range t.slots {
		if s := &t.slots[i]; s.index != 0 {
			sum += mix(mix(s.key.a, s.key.b), s.index)
		}
	}
	d.word(sum)
}

// hashRecent takes in the new orders that still count for DUPLICATE_ORDER, the
// newest first.
func (e *Engine) hashRecent(d *digest) {
	for n := e.recent.last; e.recent.kept(n); n-- {
		o := e.recent.place(n)
		if e.now-o.at >= e.recent.horizonNs {
			return
		}
		for _, v := range [...]int64{int64(o.price), int64(o.stopPx), int64(o.qty), o.at} {
			d.int(v)
		}
		d.word(uint64(o.account)<<32 | uint64(o.instrument))
		d.word(uint64(o.side)<<8 | uint64(o.ordType))
	}
}

func (d *digest) aggregate(a *aggregate) {
	d.wide(&a.gross)
	d.wide(&a.net)
	d.int(int64(a.unpriced))
}

func (e *Engine) hashBook(d *digest, b *book) {
	for _, v := range [...]int64{
		int64(b.openBuy), int64(b.openSell), int64(b.openBuyQty), int64(b.openSellQty), int64(b.position),
		int64(b.openOrders), int64(b.latched), int64(b.told),
	} {
		d.int(v)
	}
	d.bool(b.killed)
	d.bool(b.lost)
	d.bool(b.unvalued)
	d.bool(b.below)
	p := &e.profiles[b.profile]
	for kind, v := range p.limit {
		d.int(v)
		d.word(uint64(p.watch[kind])<<16 | uint64(p.warn[kind])<<8 | uint64(p.act[kind]))
	}
}

func (e *Engine) hashDay(d *digest, c *dayCount) {
	for _, v := range [...]int64{
		int64(c.executed), int64(c.ordered), int64(c.traded), int64(c.orders), int64(c.trades),
		int64(c.executedHigh), int64(c.orderedHigh), int64(c.tradedHigh),
	} {
		d.int(v)
	}
	if c.minute != noIndex {
		m := e.minutes[c.minute]
		m.at(e.now / secondNs) // whether or not anybody has looked since
		d.int(m.second)
		d.int(int64(m.total))
	}
}

func (e *Engine) hashNode(d *digest, n *node) {
	d.scope(n.scope)
	e.hashBook(d, &n.book)
	e.hashDay(d, &n.dayCount)
	d.aggregate(&n.aggregate)
	d.int(n.dayUsed)
	d.int(n.bothUsed)
	d.int(n.executions)
	d.wide(&n.cash)
	d.wide(&n.worth)
	d.wide(&n.dayBase)
	d.int(int64(n.peak))
	for _, w := range [...]*window{&n.second, &n.minuteRate, &n.both, &n.rejects} {
		e.hashWindow(d, w)
	}
}

// hashWindow takes in the stamps a window holds, newest first.
func (e *Engine) hashWindow(d *digest, w *window) {
	d.int(int64(w.held))
	for i := range w.held {
		d.int(e.stamps.stamps[w.place(w.newest-i)])
	}
}

func (e *Engine) hashCell(d *digest, c *cell, more *cellDetail) {
	d.word(uint64(more.node)<<32 | uint64(more.instrument))
	e.hashBook(d, &c.book)
	e.hashDay(d, &c.dayCount)
	for _, v := range [...]int64{
		int64(c.value), int64(c.hold), int64(more.filledBuy), int64(more.filledSell), int64(more.carried),
		int64(more.brought),
	} {
		d.int(v)
	}
	if c.short != noIndex {
		s := &e.shorts[c.short]
		d.int(int64(s.located))
		d.int(int64(s.open))
		d.int(int64(s.executed))
		d.int(int64(s.executedHigh))
	}
}

func (d *digest) instrument(in *instrumentRow) {
	for i := range in.prices {
		d.int(int64(in.prices[i].price))
		d.int(in.prices[i].time)
	}
	for _, p := range [...]pricePoint{in.given, in.lastFill} {
		d.int(int64(p.price))
		d.int(p.time)
	}
	d.int(int64(in.mark))
	d.bool(in.marked)
	d.bool(in.known)
	d.bool(in.shortRestricted)
	d.word(uint64(in.state))
}

func (e *Engine) hashSession(d *digest, s *sessionRow) {
	d.word(uint64(s.ID))
	d.word(s.nextRef)
	d.word(uint64(s.connection))
	d.bool(s.connected)
	d.int(s.cancelAt)
	d.int(s.windowNs)
	for i := range s.basket.legs {
		leg := &s.basket.legs[i]
		d.word(uint64(leg.ClOrdID))
		d.int(int64(leg.OrderQty))
		d.int(int64(leg.Price))
	}
	d.word(s.stream.next)
	if a := s.stream.at(s.stream.next - 1); a != nil {
		d.word(a.Ref)
		d.word(uint64(a.OrderID))
		d.word(uint64(a.Decision.Reason))
	}
	for _, w := range [...]*window{&s.attempts, &s.cancels, &s.cancelsCut} {
		e.hashWindow(d, w)
	}
}

func (e *Engine) hashOrder(d *digest, o *liveOrder) {
	d.word(uint64(o.id))
	d.version(&o.acked)
	d.int(int64(o.cumQty))
	d.int(int64(o.reservedQty))
	for _, m := range o.reserved {
		d.int(int64(m))
	}
	d.word(uint64(o.status)<<24 | uint64(o.side)<<16 | uint64(o.ordType)<<8 | uint64(o.timeInForce))
	d.word(o.unaskedSeq)
	if o.id == 0 {
		return
	}
	d.word(o.newRef)
	d.int(int64(o.newQty))
	d.int(int64(o.newPrice))
	d.bool(o.newAnswered)
	d.bool(o.retired)
	d.word(uint64(o.unaskedReason))
	d.word(uint64(o.route))
	for i := o.requests; i != noIndex; i = e.orders.requests[i].next {
		p := &e.orders.requests[i]
		d.version(&p.version)
		d.word(p.seq)
		d.word(p.ref)
		d.int(int64(p.cumAt))
		d.bool(p.openQty)
		d.word(uint64(p.msgType))
	}
}

func (d *digest) version(v *version) {
	for _, n := range [...]int64{
		int64(v.clOrdID), int64(v.qty), int64(v.price), int64(v.worstPrice), int64(v.stopPx), int64(v.displayQty),
		v.validUntil, int64(v.rates[firmMoney]), int64(v.rates[accountMoney]),
	} {
		d.int(n)
	}
}

func (d *digest) execution(x *execution) {
	d.word(x.a)
	d.word(x.b)
	d.int(int64(x.qty))
	for i := range x.cash {
		d.int(int64(x.cash[i]))
		d.int(int64(x.executed[i]))
	}
	d.int(int64(x.fee))
}
