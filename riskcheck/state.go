package riskcheck

import (
	"errors"
	"fmt"

	"tollgate/order"
)

// SetCash says what cash an account has, in its currency. What its fills bring
// counts from here on.
func (e *Engine) SetCash(now int64, account order.AccountID, cash order.Money) error {
	e.begin(now)
	i, ok := e.accounts.get(idKey(uint64(account)))
	if !ok || !e.accountRows[i].known {
		e.finish()
		return fmt.Errorf("riskcheck: there is no account %d", account)
	}
	a := &e.accountRows[i]
	a.cash, a.fees = cash, wide{}
	a.cashBase = e.nodes[a.node].profit()
	e.finish()
	return nil
}

// SetPosition says what an account holds of an instrument now, from outside. The
// difference goes to the account, its group and the firm; profit is not moved. A
// position above what exists of the instrument is refused, and the account may
// only reduce what it holds of it until it is released.
func (e *Engine) SetPosition(now int64, account order.AccountID, instrument order.InstrumentID, qty order.Qty) error {
	e.begin(now)
	err := e.setPosition(account, instrument, qty)
	e.finish()
	return err
}

func (e *Engine) setPosition(account order.AccountID, instrument order.InstrumentID, qty order.Qty) error {
	scope := order.Scope{Type: order.ScopeAccount, ID: uint32(account), Instrument: instrument}
	at, err := e.accountCell(scope)
	if err != nil {
		return err
	}
	a := &e.accountRows[e.nodes[at.node].account]
	in := &e.instrumentRows[at.instrument]
	nodes := [levelsMax]int32{0, a.group, a.node, noIndex, noIndex, noIndex}
	if e.withRoom(nodes, at.instrument) != nodes {
		return fmt.Errorf("riskcheck: no room for another scope with an instrument (bound %d)", cap(e.cells))
	}
	p := e.pathOf(nodes, at.instrument)
	own := &e.cells[p.cells[accountLevel]]
	if in.Outstanding != 0 && (qty > in.Outstanding || qty < -in.Outstanding) {
		e.alert(scope, Alert{Cause: AlertImplausiblePosition, Value: int64(qty), Limit: int64(in.Outstanding)})
		e.latch(holderOf{&own.book, scope}, LatchImplausiblePosition, 0, int64(qty), int64(in.Outstanding))
		return fmt.Errorf("riskcheck: position %s of account %d in instrument %d, want at most the %s there are",
			qty, account, instrument, in.Outstanding)
	}
	if own.lost {
		return fmt.Errorf("riskcheck: the position of account %d in instrument %d is not known any more", account, instrument)
	}
	delta, ok := order.AddQty(qty, -own.position)
	if !ok || qty == order.Null {
		return fmt.Errorf("riskcheck: position %s of account %d in instrument %d is too far from %s", qty, account,
			instrument, own.position)
	}
	if !e.fits(&p, delta) {
		return fmt.Errorf("riskcheck: position %s of account %d in instrument %d makes its group, its firm or a class hold "+
			"more than a quantity can be", qty, account, instrument)
	}
	e.carry(&p, delta)
	return nil
}

// fits reports whether every position of a path can be moved by a difference.
func (e *Engine) fits(p *path, delta order.Qty) bool {
	for level, i := range p.cells {
		if i == noIndex {
			continue
		}
		if !e.cells[i].holds(delta) {
			return false
		}
		if j := p.classes[level]; j != noIndex && !e.classCells[j].holds(delta) {
			return false
		}
	}
	return true
}

// holds reports whether the position can be moved by a difference. One that is
// lost cannot be made worse.
func (b *book) holds(delta order.Qty) bool {
	position, ok := order.AddQty(b.position, delta)
	return b.lost || ok && position != order.Null
}

// carry moves positions by a difference that no execution has made, and profit
// not at all.
func (e *Engine) carry(p *path, delta order.Qty) {
	in := &e.instrumentRows[p.instrument]
	for level, i := range p.cells {
		if i == noIndex {
			continue
		}
		c, d := &e.cells[i], &e.details[i]
		valued, before := !c.unvalued, c.worth()
		d.carried += delta
		c.move(order.SideBuy, delta)
		if j := p.classes[level]; j != noIndex {
			e.classCells[j].move(order.SideBuy, delta)
		}
		e.value(i, in)
		if n := &e.nodes[d.node]; valued && !c.unvalued {
			n.cash.add(before)
			n.cash.subtract(c.worth())
		} else {
			d.brought = addSaturating(d.brought, delta)
		}
	}
	e.judgePath(p)
}

// accountCell returns the place of an account's share in an instrument.
func (e *Engine) accountCell(scope order.Scope) (place, error) {
	at, err := e.find(scope)
	switch {
	case err != nil:
	case at.instrument == noIndex:
		err = errors.New("riskcheck: instrument is 0, want 1 or more")
	case !e.accountRows[e.nodes[at.node].account].known:
		err = fmt.Errorf("riskcheck: there is no account %d", scope.ID)
	case !e.instrumentRows[at.instrument].known:
		err = fmt.Errorf("riskcheck: there is no instrument %d", scope.Instrument)
	}
	return at, err
}

// SetLocate says how much an account may sell short of an instrument in a day.
func (e *Engine) SetLocate(now int64, account order.AccountID, instrument order.InstrumentID, qty order.Qty) error {
	e.begin(now)
	err := e.setLocate(account, instrument, qty)
	e.finish()
	return err
}

func (e *Engine) setLocate(account order.AccountID, instrument order.InstrumentID, qty order.Qty) error {
	at, err := e.accountCell(order.Scope{Type: order.ScopeAccount, ID: uint32(account), Instrument: instrument})
	switch {
	case err != nil:
		return err
	case qty < 0:
		return fmt.Errorf("riskcheck: locate %s of account %d in instrument %d, want 0 or more", qty, account, instrument)
	case e.missing(at) && len(e.cells) == cap(e.cells):
		return fmt.Errorf("riskcheck: no room for another scope with an instrument (bound %d)", cap(e.cells))
	}
	e.shortOf(&e.cells[e.cell(at.node, at.instrument)]).located = qty
	return nil
}

// SetFxRate gives a currency a rate: units of the firm's currency for one unit of
// it, seen at a time (ns since 1970 UTC). Positions are valued at it from here on;
// what live orders have reserved stays.
func (e *Engine) SetFxRate(now int64, currency Currency, rate order.FxRate, seen int64) error {
	e.begin(now)
	err := e.setFxRate(currency, rate, seen)
	e.finish()
	return err
}

func (e *Engine) setFxRate(currency Currency, rate order.FxRate, seen int64) error {
	switch {
	case rate <= 0:
		return fmt.Errorf("riskcheck: rate %s of %s, want above 0", rate, currency)
	case currency == e.firm.Currency:
		return fmt.Errorf("riskcheck: %s is the firm's currency, its rate is 1", currency)
	}
	for i := range e.rates {
		if e.rates[i].currency != currency {
			continue
		}
		e.rates[i].rate, e.rates[i].seen = rate, max(1, min(seen, e.now))
		for j := range e.instrumentRows {
			e.revalueCells(&e.instrumentRows[j])
		}
		e.judgeAll()
		return nil
	}
	return fmt.Errorf("riskcheck: no account or instrument is in %s", currency)
}

// SetMarketState says which state an instrument's market is in, and whether the
// short sale restriction (Reg SHO rule 201) is on.
func (e *Engine) SetMarketState(now int64, instrument order.InstrumentID, state order.MarketState, shortRestricted bool,
) error {
	e.begin(now)
	err := e.setMarketState(instrument, state, shortRestricted)
	e.finish()
	return err
}

func (e *Engine) setMarketState(instrument order.InstrumentID, state order.MarketState, shortRestricted bool) error {
	i, ok := e.instruments.get(idKey(uint64(instrument)))
	switch {
	case !ok:
		return fmt.Errorf("riskcheck: there is no instrument %d", instrument)
	case !state.Valid():
		return fmt.Errorf("riskcheck: market state %d of instrument %d, want 0 (open) to 4 (closed)", state, instrument)
	}
	e.instrumentRows[i].state, e.instrumentRows[i].shortRestricted = state, shortRestricted
	return nil
}

// Release ends a latch; a person has looked at it. What a latch counted begins
// anew.
func (e *Engine) Release(now int64, scope order.Scope, latch Latch) error {
	e.begin(now)
	err := e.release(scope, latch)
	e.finish()
	return err
}

func (e *Engine) release(scope order.Scope, latch Latch) error {
	at, err := e.find(scope)
	if err != nil {
		return err
	}
	b, _, _ := e.look(at)
	if latch == 0 || latch >= latches {
		return fmt.Errorf("riskcheck: latch %d, want 1 to %d", latch, latches-1)
	}
	if !b.latchedFor(latch) {
		return fmt.Errorf("riskcheck: %s is not latched by %s", scopeText(scope), latch)
	}
	b.latched &^= 1 << latch
	e.routeVersion++
	switch n := &e.nodes[at.node]; latch {
	case LatchRepeatedExecution:
		n.executions = 0
	case LatchConsecutiveRejects:
		n.rejects.clear()
	}
	return nil
}

// Day returns the firm's trading day, 0 before the first RollDay.
func (e *Engine) Day() uint32 { return e.day }

// RollDay begins a new trading day of the firm, a number that rises such as
// 20261201: counts of the day begin anew, and ClOrdIDs may be used again but for
// those of live orders. Positions, reservations, sliding windows, latches and
// kills stay; orders live until the venue says otherwise.
func (e *Engine) RollDay(now int64, day uint32) error {
	e.begin(now)
	err := e.rollDay(day)
	e.finish()
	return err
}

func (e *Engine) rollDay(day uint32) error {
	if day <= e.day {
		return fmt.Errorf("riskcheck: day %d does not follow day %d", day, e.day)
	}
	e.day = day
	for i := range e.nodes {
		n := &e.nodes[i]
		n.dayUsed, n.bothUsed = 0, 0
		n.dayBase, n.peak = n.profit(), 0
		n.newDay()
	}
	e.rollCells(0)
	e.forgetNames()
	e.judgeAll()
	return nil
}

// RollCalendar begins a new trading day of one calendar: the counts of its
// instruments begin anew.
func (e *Engine) RollCalendar(now int64, calendar order.CalendarID, day uint32) error {
	e.begin(now)
	err := e.rollCalendar(calendar, day)
	e.finish()
	return err
}

func (e *Engine) rollCalendar(calendar order.CalendarID, day uint32) error {
	if calendar == 0 {
		return fmt.Errorf("riskcheck: calendar is 0, want 1 or more; the firm's own day rolls with RollDay")
	}
	known := false
	for i := range e.instrumentRows {
		known = known || e.instrumentRows[i].Calendar == calendar
	}
	if !known {
		return fmt.Errorf("riskcheck: no instrument is of calendar %d", calendar)
	}
	at := 0
	for at < len(e.calendarDays) && e.calendarDays[at].calendar != calendar {
		at++
	}
	if at == len(e.calendarDays) {
		e.calendarDays = append(e.calendarDays, calendarDay{calendar: calendar})
	}
	if day <= e.calendarDays[at].day {
		return fmt.Errorf("riskcheck: day %d of calendar %d does not follow day %d", day, calendar, e.calendarDays[at].day)
	}
	e.calendarDays[at].day = day
	e.rollCells(calendar)
	return nil
}

// rollCells begins a new day for the instruments of a calendar.
func (e *Engine) rollCells(calendar order.CalendarID) {
	for i := range e.cells {
		c := &e.cells[i]
		if e.instrumentRows[e.details[i].instrument].Calendar != calendar {
			continue
		}
		c.newDay()
		if c.short != noIndex {
			e.shorts[c.short].executed, e.shorts[c.short].executedHigh = 0, 0
		}
	}
	for i := range e.classCells {
		e.addUp(&e.classCells[i])
	}
}

// newDay begins the counts of the day anew.
func (d *dayCount) newDay() { *d = dayCount{minute: d.minute} }

// forgetNames forgets every ClOrdID but those that name live orders.
func (e *Engine) forgetNames() {
	type naming struct {
		key   key
		index uint64
	}
	var kept []naming
	for i := range e.clOrdIDs.slots {
		s := &e.clOrdIDs.slots[i]
		if s.index == 0 || s.index-1 == clOrdNoOrder {
			continue
		}
		o := &e.orders.orders[uint32(s.index-1)]
		if uint64(o.generation) == (s.index-1)>>32 && !o.status.Terminal() {
			kept = append(kept, naming{s.key, s.index - 1})
		}
	}
	e.clOrdIDs.clear()
	for _, n := range kept { // in whatever order: a table is a set
		e.clOrdIDs.put(n.key, n.index)
	}
}
