package riskcheck

import (
	"cmp"
	"math"
	"slices"

	"tollgate/order"
)

// The parts of a snapshot about orders and what is remembered of requests.

// routes carries the names of routes; where they lead follows.
func (s *snapshot) routes() {
	e := s.engine
	n := s.count(len(e.routes), s.least.RoutesMax, "routes")
	for i := 0; i < n && s.err == nil; i++ {
		if s.reading() {
			e.routes = append(e.routes, route{})
		}
		rt := &e.routes[i]
		s.names(rt)
		if s.reading() && s.err == nil {
			s.linkRoute(rt, int32(i))
		}
	}
}

func (t *transcript) names(rt *route) {
	halves(t, &rt.sessionID)
	halves(t, &rt.account)
	halves(t, &rt.trader)
	halves(t, &rt.strategy)
	halves(t, &rt.instrumentID)
}

// linkRoute resolves a route again. Everything on it is still there: rows and cells
// are never taken away.
func (s *snapshot) linkRoute(rt *route, i int32) {
	e := s.engine
	session, okSession := e.sessions.get(idKey(uint64(rt.sessionID)))
	account, okAccount := e.accounts.get(idKey(uint64(rt.account)))
	trader, okTrader := e.traders.get(idKey(uint64(rt.trader)))
	strategy, okStrategy := e.strategies.get(idKey(uint64(rt.strategy)))
	instrument, okInstrument := e.instruments.get(idKey(uint64(rt.instrumentID)))
	if !okSession || !okAccount || !okTrader || !okInstrument || !okStrategy && rt.strategy != 0 {
		s.fail("route %d names session %d, account %d, trader %d, strategy %d and instrument %d, not all of which are there",
			i, rt.sessionID, rt.account, rt.trader, rt.strategy, rt.instrumentID)
		return
	}
	a := &e.accountRows[account]
	nodes := [levelsMax]int32{
		0, a.group, a.node, e.traderRows[trader].node, e.sessionRows[session].node, noIndex,
	}
	if rt.strategy != 0 {
		nodes[strategyLevel] = e.strategyRows[strategy].node
	}
	for _, n := range nodes {
		if n != noIndex && e.missing(place{node: n, class: noIndex, instrument: int32(instrument)}) {
			s.fail("route %d has no cell at node %d in instrument %d", i, n, rt.instrumentID)
			return
		}
	}
	if at := e.route(&order.Request{
		Session: rt.sessionID, Account: rt.account, Trader: rt.trader, Strategy: rt.strategy, Instrument: rt.instrumentID,
	}); at != noIndex {
		s.fail("route %d is there twice", i)
		return
	}
	rt.path = e.pathOf(nodes, int32(instrument))
	rt.session, rt.accounts, rt.selfBook = int32(session), int32(account), e.selfBook(int32(account), int32(instrument))
	e.routeIndex.put(e.hashNames(rt.sessionID, rt.account, rt.trader, rt.strategy, rt.instrumentID), i)
}

// orders carries the orders by their places, and the lists they are in.
func (s *snapshot) orders() {
	store := &s.engine.orders
	if s.reading() {
		store.used = s.least.OrdersMax
		s.listed = make([]bool, store.used)
	}
	for i := 0; i < store.used && s.err == nil; i++ {
		s.order(int32(i))
	}
	for i := range s.engine.sessionRows {
		s.liveOrders(i)
	}
	s.retiredOrders()
	store.spare = s.places(store.spare, func(o *liveOrder) bool { return o.id == 0 })
	if s.reading() && s.err == nil {
		s.linkOrders()
	}
}

// order carries one order with what is pending of it. Of a place that was given back
// there is its generation.
func (s *snapshot) order(i int32) {
	e, t := s.engine, &s.transcript
	o := &e.orders.orders[i]
	words(t, &o.id)
	halves(t, &o.generation)
	if s.reading() {
		o.requests = noIndex
	}
	if o.id == 0 {
		return
	}
	t.version(&o.acked)
	words(t, &o.newRef, &o.newVersion, &o.unaskedSeq)
	words(t, &o.newQty, &o.cumQty, &o.reservedQty)
	words(t, &o.newPrice)
	t.amounts(&o.reserved)
	t.index(&o.route, len(e.routes), "route")
	octets(t, &o.status)
	octets(t, &o.side)
	octets(t, &o.ordType)
	octets(t, &o.timeInForce)
	t.flags(&o.newAnswered)
	quarter(t, &o.unaskedReason)
	if !o.side.Valid() || !o.ordType.Valid() || !o.timeInForce.Valid() {
		s.fail("order %d of side %d, type %d and time in force %d", o.id, o.side, o.ordType, o.timeInForce)
	}
	if s.reading() {
		o.place = i
	}
	s.requests(o)
}

// requests carries the pending requests of an order, oldest first.
func (s *snapshot) requests(o *liveOrder) {
	t, store := &s.transcript, &s.engine.orders
	n := o.replaces + o.cancels
	octets(t, &n)
	if !s.reading() {
		for at := o.requests; at != noIndex; at = store.requests[at].next {
			t.pending(&store.requests[at])
		}
		return
	}
	for ; n > 0 && s.err == nil; n-- {
		var p pending
		t.pending(&p)
		switch {
		case p.msgType == order.MsgReplaceOrder && o.replaces < pendingReplacesMax:
			o.replaces++
		case p.msgType == order.MsgCancelOrder && o.cancels < pendingCancelsMax:
			o.cancels++
		default:
			s.fail("pending request of type %d of order %d, want at most %d replaces and %d cancels", p.msgType, o.id,
				pendingReplacesMax, pendingCancelsMax)
			return
		}
		p.next = noIndex
		*store.pend(o) = p
	}
}

// following returns the places in a list of orders.
func (s *orderStore) following(first int32) []int32 {
	var out []int32
	for i := first; i != noIndex; i = s.orders[i].after {
		out = append(out, i)
	}
	return out
}

// places carries a list of places. Those that are read are of orders that belong to
// the list, and no place is in two lists.
func (s *snapshot) places(list []int32, belongs func(*liveOrder) bool) []int32 {
	store := &s.engine.orders
	n := s.count(len(list), store.used, "places")
	if s.reading() {
		list = list[:0]
	}
	for i := 0; i < n && s.err == nil; i++ {
		if !s.reading() {
			halves(&s.transcript, &list[i])
			continue
		}
		at := int32(0)
		s.index(&at, store.used, "place")
		if s.err == nil && (s.listed[at] || !belongs(&store.orders[at])) {
			s.fail("place %d, of order %d, is in two lists or in one that is not its own", at, store.orders[at].id)
		}
		if s.err == nil {
			s.listed[at] = true
			list = append(list, at)
		}
	}
	return list
}

// liveOrders carries the live orders of a session in their order.
func (s *snapshot) liveOrders(session int) {
	e := s.engine
	row := &e.sessionRows[session]
	list := s.places(e.orders.following(row.live), func(o *liveOrder) bool {
		return o.id != 0 && !o.status.Terminal() && int(e.routes[o.route].session) == session
	})
	for i := len(list) - 1; s.reading() && i >= 0; i-- {
		e.link(row, list[i])
	}
}

// retiredOrders carries the orders that may be forgotten, the first to go first.
func (s *snapshot) retiredOrders() {
	store := &s.engine.orders
	list := s.places(store.following(store.first), func(o *liveOrder) bool { return o.id != 0 && o.over() })
	for i := 0; s.reading() && i < len(list); i++ {
		store.retire(list[i])
	}
}

// linkOrders makes orders found by number, and live ones by what they would meet.
// Orders of one rank are met in the order of their numbers, wherever they stand in a
// heap.
func (s *snapshot) linkOrders() {
	e := s.engine
	for i := range e.orders.orders[:e.orders.used] {
		o := &e.orders.orders[i]
		if !s.listed[i] && (o.id == 0 || !o.status.Terminal()) {
			s.fail("order %d, at place %d, is in no list", o.id, i)
			return
		}
		if o.id == 0 {
			continue
		}
		e.orderAt.put(e.hashOrderID(o.id), int32(i))
		if !o.status.Terminal() {
			e.enterSelf(int32(i))
		}
	}
}

// entries carries the entries of a table in the order of their keys.
func (s *snapshot) entries(t *table, most int, what string) []slot {
	var list []slot
	switch {
	case s.hashing:
		hash := t.hash()
		words(&s.transcript, &hash)
		return nil
	case !s.reading():
		list = t.sorted()
	}
	last := key{}
	rows(&s.transcript, &list, most, what, func(e *slot) {
		words(&s.transcript, &e.key.a, &e.key.b, &e.index)
		if s.reading() && (e.index == 0 || last != key{} && compareKeys(last, e.key) >= 0) {
			s.fail("entry %d %d is not in its place", e.key.a, e.key.b)
		}
		last = e.key
	})
	return list
}

func compareKeys(a, b key) int { return cmp.Or(cmp.Compare(a.a, b.a), cmp.Compare(a.b, b.b)) }

// sorted returns what the table holds in the order of its keys.
func (t *table) sorted() []slot {
	out := make([]slot, 0, t.count)
	for _, s := range t.slots {
		if s.index != 0 {
			out = append(out, s)
		}
	}
	slices.SortFunc(out, func(a, b slot) int { return compareKeys(a.key, b.key) })
	return out
}

// take stores entries that were read.
func (t *table) take(entries []slot) {
	for _, e := range entries {
		t.put(e.key, e.index-1)
	}
}

// membership carries who belongs to whom.
func (s *snapshot) membership() {
	e := s.engine
	list := s.entries(&e.membership, tableMax, "members")
	if s.reading() {
		e.membership = newTable(max(len(list), 1), e.config.HashSeed)
		e.membership.take(list)
	}
}

func (s *snapshot) clOrdIDs() {
	e := s.engine
	list := s.entries(&e.clOrdIDs, s.least.ClOrdIDsMax, "ClOrdIDs")
	if !s.reading() {
		return
	}
	for _, l := range list {
		if at := l.index - 1; at != clOrdNoOrder && int64(uint32(at)) >= int64(e.orders.used) {
			s.fail("ClOrdID %d of session %d names the order at place %d of %d", l.key.b, l.key.a, uint32(at), e.orders.used)
			return
		}
	}
	e.clOrdIDs.take(list)
}

func (s *snapshot) rungs() {
	t := &s.engine.rungs
	list := s.entries(t, t.max, "rungs")
	if s.reading() {
		t.take(list)
	}
}

// executions carries the executions that are remembered, oldest first.
func (s *snapshot) executions() {
	x := &s.engine.executed
	n := s.count(x.index.count, s.least.ExecutionsMax, "executions")
	oldest := (x.next - n + len(x.ring)) % len(x.ring)
	if s.reading() {
		oldest = 0
	}
	for i := 0; i < n && s.err == nil; i++ {
		number := (oldest + i) % len(x.ring)
		at := &x.ring[number]
		s.execution(at)
		if s.reading() {
			x.index.put(hashID(at.b, x.seed), int32(number))
			x.next = (number + 1) % len(x.ring)
		}
	}
}

// recentInUse returns how many recent orders a window of a length can reach. Stored
// are those that the longest can reach, which may be stated later.
func (e *Engine) recentInUse(windowNs int64) int {
	x := &e.recent
	n := uint32(0)
	for x.kept(x.last - n) {
		o := x.place(x.last - n)
		if o.qty == 0 || e.now-o.at >= windowNs { // taken back, or too old
			break
		}
		n++
	}
	return int(n)
}

// recent carries the recent orders that may yet count, oldest first.
func (s *snapshot) recent() {
	x := &s.engine.recent
	n := s.count(s.least.RecentOrdersMax, s.least.RecentOrdersMax, "recent orders")
	for i := n; i > 0 && s.err == nil; i-- {
		if !s.reading() {
			s.recentOrder(x.place(x.last - uint32(i-1)))
			continue
		}
		var o recentOrder
		s.recentOrder(&o)
		x.push(o, o.at)
	}
}

// reverts carries the temporary limits, the next to end first.
func (s *snapshot) reverts() {
	e := s.engine
	until := int64(math.MinInt64)
	rows(&s.transcript, &e.reverts, tableMax, "temporary limits", func(r *revert) {
		s.limit(r)
		if !s.reading() || s.err != nil {
			return
		}
		at, err := e.find(r.entry.Scope)
		switch {
		case err != nil:
			s.fail("temporary limit: %w", err)
		case e.missing(at):
			s.fail("temporary limit of a scope that states nothing")
		case r.until < until:
			s.fail("temporary limits end at %d and then at %d", until, r.until)
		case r.entry.problem() != "" || r.entry.valueProblem(r.entry.Then) != "" || r.entry.Then < 0:
			s.fail("temporary limit %d: %s", r.entry.Kind, r.entry.problem())
		}
		until = r.until
	})
}
