package riskcheck

import "tollgate/order"

// The parts of a snapshot about the firm and its holders of limits.

func (s *snapshot) clock() {
	e, t := s.engine, &s.transcript
	words(t, &e.now)
	words(t, &e.seq, &e.configVersion, &e.lastFence)
	halves(t, &e.lastConnection)
	halves(t, &e.day)
	t.venue(&e.venue)
	words(t, &e.recent.horizonNs)
	if e.now < 0 || e.recent.horizonNs < 0 || e.recent.horizonNs > duplicateWindowMaxNs {
		s.fail("now %d and the longest window %d ns, want 0 or more, and a window of at most %d", e.now,
			e.recent.horizonNs, int64(duplicateWindowMaxNs))
	}
}

func (s *snapshot) currencies() {
	e, t := s.engine, &s.transcript
	t.firm(&e.firm)
	rows(t, &e.rates, tableMax, "currencies", t.rate)
	rows(t, &e.calendarDays, tableMax, "calendars", t.calendarDay)
}

// currencyAt returns the row of a currency, which there must be.
func (s *snapshot) currencyAt(c Currency) int32 {
	for i := range s.engine.rates {
		if s.engine.rates[i].currency == c {
			return int32(i)
		}
	}
	s.fail("no rate of currency %q", c.String())
	return 0
}

// profiles carries what holders state. The first profile states nothing, always.
func (s *snapshot) profiles() {
	e := s.engine
	n := s.count(len(e.profiles)-1, tableMax, "profiles")
	for i := 1; i <= n && s.err == nil; i++ {
		if !s.reading() {
			s.profile(&e.profiles[i])
			continue
		}
		p := emptyProfile()
		s.profile(&p)
		if _, known := e.profileAt[p]; known {
			s.fail("profile %d is there twice", i)
		}
		e.internProfile(&p)
	}
}

// profile carries the limits that a profile states.
func (s *snapshot) profile(p *profile) {
	t := &s.transcript
	stated, last := p.stated(), LimitKind(0)
	rows(t, &stated, limitKinds, "limits", func(l *LimitEntry) {
		octets(t, &l.Kind)
		words(t, &l.Value)
		octets(t, &l.Watch, &l.Warn)
		octets(t, &l.Act)
		switch {
		case !s.reading() || s.err != nil:
		case l.Kind <= last || l.Kind >= limitKinds || l.Value < 0 || l.Watch > 100 || l.Warn > 100 || l.Act > ActKill:
			s.fail("limit %d of %d with watch %d, warn %d and act %d", l.Kind, l.Value, l.Watch, l.Warn, l.Act)
		default:
			last = l.Kind
			p.state(l, l.Value)
		}
	})
}

// stated returns the limits that a profile states, without the scope.
func (p *profile) stated() []LimitEntry {
	var out []LimitEntry
	for kind, v := range p.limit {
		if v != unstated {
			out = append(out, LimitEntry{
				Kind: LimitKind(kind), Value: v, Watch: p.watch[kind], Warn: p.warn[kind], Act: p.act[kind],
			})
		}
	}
	return out
}

// instruments carries classes and instruments; who is of a class follows.
func (s *snapshot) instruments() {
	e, t := s.engine, &s.transcript
	rows(t, &e.classRows, tableMax, "classes", func(row *classRow) {
		halves(t, &row.id)
		t.flags(&row.known)
	})
	rows(t, &e.instrumentRows, tableMax, "instruments", s.instrumentRow)
	if !s.reading() || s.err != nil {
		return
	}
	e.growTables(1, 1)
	for i := range e.classRows {
		s.enter(&e.classes, uint32(e.classRows[i].id), i, "class")
	}
	for i := range e.instrumentRows {
		s.linkInstrument(i)
	}
}

func (s *snapshot) instrumentRow(row *instrumentRow) {
	t := &s.transcript
	t.instrument(&row.Instrument)
	for i := range row.prices {
		t.pricePoint(&row.prices[i])
	}
	t.pricePoint(&row.given)
	t.pricePoint(&row.lastFill)
	words(t, &row.mark)
	t.flags(&row.marked, &row.known, &row.shortRestricted)
	octets(t, &row.state)
	if !row.state.Valid() {
		s.fail("market state %d of instrument %d", row.state, row.ID)
	}
}

func (s *snapshot) linkInstrument(i int) {
	e := s.engine
	row := &e.instrumentRows[i]
	s.enter(&e.instruments, uint32(row.ID), i, "instrument")
	row.firstCell, row.class, row.rate = noIndex, noIndex, s.currencyAt(row.Currency)
	if row.Class == 0 {
		return
	}
	class, ok := e.classes.get(idKey(uint64(row.Class)))
	if !ok {
		s.fail("instrument %d is of class %d, which is not there", row.ID, row.Class)
		return
	}
	row.class = int32(class)
	e.classRows[class].members = append(e.classRows[class].members, int32(i))
}

// enter makes a row found by its identifier.
func (s *snapshot) enter(t *table, id uint32, row int, what string) {
	if _, known := t.get(idKey(uint64(id))); known {
		s.fail("%s %d is there twice", what, id)
	}
	if s.err == nil {
		t.put(idKey(uint64(id)), uint64(row))
	}
}

// nodes carries the holders over all instruments. Accounts, traders, sessions and
// strategies are in the order of their nodes.
func (s *snapshot) nodes() {
	e, t := s.engine, &s.transcript
	rows(t, &e.nodes, tableMax, "nodes", s.node)
	if !s.reading() || s.err != nil {
		return
	}
	e.growTables(1, 1)
	for i := range e.nodes {
		s.linkNode(int32(i))
	}
	if len(e.nodes) > 0 && len(e.rates) == 0 {
		s.fail("no rate of the firm's currency")
	}
}

func (s *snapshot) node(n *node) {
	t := &s.transcript
	octets(t, &n.scope.Type)
	halves(t, &n.scope.ID)
	s.book(&n.book)
	t.aggregate(&n.aggregate)
	s.dayCount(&n.dayCount)
	words(t, &n.dayUsed, &n.bothUsed, &n.executions)
	words(t, &n.peak)
	t.wide(&n.cash)
	t.wide(&n.worth)
	t.wide(&n.dayBase)
	for _, w := range [...]*window{&n.second, &n.minuteRate, &n.both, &n.rejects} {
		s.window(w)
	}
}

// linkNode makes a node found by its scope, and the row that it has.
func (s *snapshot) linkNode(i int32) {
	e := s.engine
	n := &e.nodes[i]
	n.account = noIndex
	switch id := n.scope.ID; n.scope.Type {
	case order.ScopeFirm:
		if i != 0 || id != uint32(e.firm.ID) {
			s.fail("firm %d at node %d, want firm %d at node 0", id, i, e.firm.ID)
		}
	case order.ScopeGroup:
		s.enter(&e.groups, id, int(i), "group")
	case order.ScopeAccount:
		n.account = int32(len(e.accountRows))
		s.enter(&e.accounts, id, len(e.accountRows), "account")
		e.accountRows = append(e.accountRows, accountRow{Account: Account{ID: order.AccountID(id)}, node: i})
	case order.ScopeTrader:
		s.enter(&e.traders, id, len(e.traderRows), "trader")
		e.traderRows = append(e.traderRows, traderRow{id: order.TraderID(id), node: i})
	case order.ScopeSession:
		if id > sessionIDMax {
			s.fail("session %d, want at most %d", id, sessionIDMax)
		}
		s.enter(&e.sessions, id, len(e.sessionRows), "session")
		e.sessionRows = append(e.sessionRows, sessionRow{Session: Session{ID: order.SessionID(id)}, node: i, live: noIndex})
	case order.ScopeStrategy:
		s.enter(&e.strategies, id, len(e.strategyRows), "strategy")
		e.strategyRows = append(e.strategyRows, strategyRow{id: order.StrategyID(id), node: i})
	default:
		s.fail("node %d is of level %d", i, n.scope.Type)
	}
	if i == 0 && n.scope.Type != order.ScopeFirm {
		s.fail("the first node is of level %d, want the firm", n.scope.Type)
	}
}

// book carries what a holder uses and states.
func (s *snapshot) book(b *book) {
	t := &s.transcript
	words(t, &b.openBuy, &b.openSell)
	words(t, &b.openBuyQty, &b.openSellQty, &b.position)
	halves(t, &b.openOrders)
	t.index(&b.profile, len(s.engine.profiles), "profile")
	octets(t, &b.latched, &b.told)
	t.flags(&b.killed, &b.lost, &b.unvalued, &b.below)
}

// dayCount carries what a holder has used since the day roll, and within the minute
// where that is counted.
func (s *snapshot) dayCount(d *dayCount) {
	t := &s.transcript
	words(t, &d.executed)
	words(t, &d.ordered, &d.traded)
	octets(t, &d.executedHigh, &d.orderedHigh, &d.tradedHigh)
	halves(t, &d.orders, &d.trades)
	counted := d.minute != noIndex
	t.flags(&counted)
	if !counted {
		d.minute = noIndex
		return
	}
	e := s.engine
	if s.reading() {
		d.minute = int32(len(e.minutes))
		e.minutes = append(e.minutes, minuteSums{second: e.now / secondNs})
		s.minute(&e.minutes[d.minute])
		return
	}
	m := e.minutes[d.minute]
	m.at(e.now / secondNs) // whether or not anybody has looked since
	s.minute(&m)
}

// window carries a window with its stamps, oldest first.
func (s *snapshot) window(w *window) {
	t, p := &s.transcript, &s.engine.stamps
	halves(t, &w.limit, &w.most, &w.held)
	octets(t, &w.size)
	if s.reading() && !s.takeRing(w) {
		*w = noWindow
		return
	}
	for i := range w.held {
		words(t, &p.stamps[w.place(w.newest-w.held+1+i)])
	}
}

// takeRing gives a window that is read the ring it needs, and reports whether it can
// be so.
func (s *snapshot) takeRing(w *window) bool {
	known := int(w.size) < len(stampSizes)
	if !known || w.held < 0 || w.held > stampSizes[w.size] || w.most < 0 || w.most > rateStampsMax {
		s.fail("window of class %d with %d stamps and a largest limit of %d", w.size, w.held, w.most)
		return false
	}
	if w.size == 0 {
		return true
	}
	at, ok := s.engine.stamps.take(w.size)
	if !ok {
		s.fail("the windows need more than %d stamps", len(s.engine.stamps.stamps))
		return false
	}
	w.at, w.newest = at, (w.held-1)&(stampSizes[w.size]-1)
	return true
}

// rings carries how many rings of each size have been given back.
func (s *snapshot) rings() {
	p := &s.engine.stamps
	for size := 1; size < len(p.free); size++ {
		free := 0
		for at := p.free[size]; at != noIndex && !s.reading(); at = int32(p.stamps[at]) {
			free++
		}
		room := (s.least.StampsMax - int(p.used)) / int(stampSizes[size])
		if !s.reading() {
			room = free
		}
		for range s.count(free, room, "free rings of stamps") {
			if s.reading() {
				p.used += stampSizes[size]
				p.give(p.used-stampSizes[size], uint8(size))
			}
		}
	}
}

func (s *snapshot) accounts() {
	e, t := s.engine, &s.transcript
	for i := 0; i < len(e.accountRows) && s.err == nil; i++ {
		a := &e.accountRows[i]
		halves(t, &a.Group)
		t.currency(&a.Currency)
		halves(t, &a.SelfMatch)
		words(t, &a.cash)
		t.wide(&a.fees)
		t.wide(&a.cashBase)
		t.wide(&a.required)
		words(t, &a.holdLost)
		t.flags(&a.known)
		if !s.reading() {
			continue
		}
		group, ok := e.groups.get(idKey(uint64(a.Group)))
		if !ok {
			s.fail("account %d is of group %d, which is not there", a.ID, a.Group)
		}
		a.group, a.rate = int32(group), s.currencyAt(a.Currency)
	}
}

func (s *snapshot) participants() {
	e, t := s.engine, &s.transcript
	for i := range e.traderRows {
		t.flags(&e.traderRows[i].known)
	}
	for i := range e.strategyRows {
		t.flags(&e.strategyRows[i].known)
	}
	for i := 0; i < len(e.sessionRows) && s.err == nil; i++ {
		s.session(&e.sessionRows[i])
	}
}

// session carries a session but for its live orders.
func (s *snapshot) session(row *sessionRow) {
	t := &s.transcript
	halves(t, &row.Client)
	words(t, &row.nextRef)
	words(t, &row.windowNs, &row.cancelAt)
	halves(t, &row.connection)
	t.flags(&row.connected, &row.known)
	for _, w := range [...]*window{&row.attempts, &row.cancels, &row.cancelsCut} {
		s.window(w)
	}
	b := &row.basket
	words(t, &b.id)
	quarter(t, &b.size)
	rows(t, &b.legs, basketLegsMax, "orders of a list", t.request)
	if b.held() && (b.size > basketLegsMax || len(b.legs) >= int(b.size)) {
		s.fail("%d orders of a list of %d are held", len(b.legs), b.size)
	}
	s.stream(&row.stream)
}

// stream carries the answers that are kept of a session. For a hash the last is enough:
// each was the last one once.
func (s *snapshot) stream(st *stream) {
	t := &s.transcript
	oldest, next := st.oldest, st.next
	words(t, &oldest, &next, &st.acked)
	if s.hashing {
		if a := st.at(next - 1); a != nil {
			t.answer(a)
		}
		return
	}
	if !s.reading() {
		for i := oldest; i != next; i++ {
			t.answer(st.at(i))
		}
		return
	}
	acked := st.acked
	*st = newStream(s.engine.config.AnswersRetained)
	kept := uint64(st.chunksMax+1) * answersPerChunk
	if oldest == 0 || oldest%answersPerChunk != 1 || next < oldest || next-oldest > kept {
		s.fail("answers %d to %d, want at most %d from the beginning of a chunk of %d", oldest, next, kept, answersPerChunk)
		return
	}
	st.oldest, st.next, st.acked = oldest, oldest, acked
	for st.next != next && s.err == nil {
		t.answer(st.append(&s.engine.pool))
	}
}

// answersMin returns the least Config.AnswersRetained with which the stream would be
// what it is.
func (s *stream) answersMin() int { return max(0, len(s.chunks)-1) * answersPerChunk }

// classCells carries the holders of classes. What is counted in them is the sum of
// cells, but a sum that has not fit in between says otherwise.
func (s *snapshot) classCells() {
	e, t := s.engine, &s.transcript
	n := t.count(len(e.classCells), cap(e.classCells), "class cells")
	for i := 0; i < n && s.err == nil; i++ {
		if s.reading() {
			e.classCells = append(e.classCells, classCell{})
		}
		c := &e.classCells[i]
		t.index(&c.node, len(e.nodes), "node")
		t.index(&c.class, len(e.classRows), "class")
		s.book(&c.book)
		t.aggregate(&c.aggregate)
		s.dayCount(&c.dayCount)
		if s.reading() && s.err == nil {
			s.place(&e.classIndex, key{uint64(c.node), uint64(c.class)}, i, "class cell")
		}
	}
}

// place makes a cell found by its node and class or instrument.
func (s *snapshot) place(t *table, k key, i int, what string) {
	if _, known := t.get(k); known {
		s.fail("the %s of node %d and number %d is there twice", what, k.a, k.b)
		return
	}
	t.put(k, uint64(i))
}

func (s *snapshot) cells() {
	e := s.engine
	n := s.count(len(e.cells), s.least.CellsMax, "cells")
	for i := 0; i < n && s.err == nil; i++ {
		if s.reading() {
			e.cells, e.details = append(e.cells, cell{}), append(e.details, cellDetail{})
		}
		c, d := &e.cells[i], &e.details[i]
		s.cell(c, d)
		if s.reading() && s.err == nil {
			s.linkCell(d, i)
		}
	}
}

func (s *snapshot) cell(c *cell, d *cellDetail) {
	t := &s.transcript
	t.index(&d.node, len(s.engine.nodes), "node")
	t.index(&d.instrument, len(s.engine.instrumentRows), "instrument")
	s.book(&c.book)
	s.dayCount(&c.dayCount)
	words(t, &c.value, &c.hold, &c.margin)
	t.flags(&c.holdLost)
	words(t, &d.filledBuy, &d.filledSell, &d.carried, &d.brought)
	shorted := c.short != noIndex
	t.flags(&shorted)
	switch {
	case !shorted:
		c.short = noIndex
	case s.reading():
		c.short = noIndex
		t.short(s.engine.shortOf(c))
	default:
		t.short(&s.engine.shorts[c.short])
	}
}

// linkCell puts a cell where it is found: by its node and instrument, and among those
// of the instrument, of which the newest is the first.
func (s *snapshot) linkCell(d *cellDetail, i int) {
	e := s.engine
	s.place(&e.cellIndex, key{uint64(d.node), uint64(d.instrument)}, i, "cell")
	in := &e.instrumentRows[d.instrument]
	d.next, d.class = in.firstCell, noIndex
	in.firstCell = int32(i)
	if in.class == noIndex {
		return
	}
	if class, ok := e.classIndex.get(key{uint64(d.node), uint64(in.class)}); ok {
		d.class = int32(class)
	}
}
