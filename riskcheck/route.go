package riskcheck

import "tollgate/order"

// memberKey is the key under which membership is kept: which of two
// identifiers belong together.
func memberKey(kind uint32, a, b uint32) key { return key{uint64(kind), uint64(a)<<32 | uint64(b)} }

// Kinds of membership.
const (
	memberSessionAccount uint32 = 1
	memberTraderAccount  uint32 = 2
)

// lookup gives the candidate the path of the request, or says in c.unresolved
// why there is none. What can be resolved is put into c.nodes all the same: a
// kill holds for it.
func (e *Engine) lookup(c *candidate, r *order.Request) {
	if i := e.route(r); i != noIndex {
		e.use(c, i)
		if c.unresolved == order.ReasonNone && c.instrument != noIndex {
			return
		}
		// What reference data has taken away is not found through an old route.
	}
	c.route, c.terms = nil, nil
	c.unresolved = order.ReasonNone
	e.resolve(c, r)
}

// use gives the candidate a route, brought up to date if limits, kills, latches
// or reference data have changed since it was used last.
func (e *Engine) use(c *candidate, i int32) {
	rt := &e.routes[i]
	e.fetchUnexpected(i)
	e.bring(&c.books, &rt.path)
	if rt.version != e.routeVersion {
		e.derive(c, rt)
	}
	c.route, c.routeAt, c.instrument, c.nodes = rt, i, rt.instrument, rt.nodes
	c.terms = &e.terms[rt.terms]
	c.unresolved = c.terms.unresolved
	if !e.instrumentRows[rt.instrument].known {
		c.instrument = noIndex
	}
}

// bring collects the books of a path.
func (e *Engine) bring(h *holders, p *path) {
	for level := range p.nodes {
		at := level * holdersPerLevel
		h[at], h[at+classHolder], h[at+instrumentHolder] = holder{}, holder{}, holder{}
		if i := p.nodes[level]; i != noIndex {
			n := &e.nodes[i]
			h[at] = holder{&n.book, &n.dayCount}
		}
		if i := p.cells[level]; i != noIndex {
			c := &e.cells[i]
			h[at+instrumentHolder] = holder{&c.book, &c.dayCount}
		}
		if i := p.classes[level]; i != noIndex {
			c := &e.classCells[i]
			h[at+classHolder] = holder{&c.book, &c.dayCount}
		}
	}
}

// resolve looks at reference data for a path that has no route yet, and makes
// the route if everything on it is known and belongs together.
func (e *Engine) resolve(c *candidate, r *order.Request) {
	session, _ := e.sessions.get(idKey(uint64(r.Session)))
	c.nodes = [levelsMax]int32{0, noIndex, noIndex, noIndex, e.sessionRows[session].node, noIndex}
	c.instrument = noIndex
	if in, ok := e.instruments.get(idKey(uint64(r.Instrument))); ok && e.instrumentRows[in].known {
		c.instrument = int32(in)
	}
	account, knownAccount := e.accounts.get(idKey(uint64(r.Account)))
	if knownAccount = knownAccount && e.accountRows[account].known; knownAccount {
		c.nodes[groupLevel], c.nodes[accountLevel] = e.accountRows[account].group, e.accountRows[account].node
	}
	trader, knownTrader := e.traders.get(idKey(uint64(r.Trader)))
	if knownTrader = knownTrader && e.traderRows[trader].known; knownTrader {
		c.nodes[traderLevel] = e.traderRows[trader].node
	}
	strategy, knownStrategy := e.strategies.get(idKey(uint64(r.Strategy)))
	if knownStrategy = knownStrategy && e.strategyRows[strategy].known; knownStrategy {
		c.nodes[strategyLevel] = e.strategyRows[strategy].node
	}
	switch {
	case !knownAccount:
		c.unresolved = order.ReasonUnknownAccount
	case !e.member(memberSessionAccount, uint32(r.Session), uint32(r.Account)):
		c.unresolved = order.ReasonAccountNotInSession
	case !knownTrader:
		c.unresolved = order.ReasonUnknownTrader
	case !e.member(memberTraderAccount, uint32(r.Trader), uint32(r.Account)):
		c.unresolved = order.ReasonTraderNotInAccount
	case r.Strategy != 0 && !knownStrategy:
		c.unresolved = order.ReasonUnknownStrategy
	case c.instrument != noIndex:
		e.makeRoute(c, r, int32(session), int32(account))
	}
}

// unknown returns why the path of a route is not to be used (any more), given
// that it once was: reference data may have taken something away.
func (e *Engine) unknown(rt *route) order.Reason {
	trader, _ := e.traders.get(idKey(uint64(rt.trader)))
	strategy, _ := e.strategies.get(idKey(uint64(rt.strategy)))
	switch {
	case !e.accountRows[rt.accounts].known:
		return order.ReasonUnknownAccount
	case !e.member(memberSessionAccount, uint32(rt.sessionID), uint32(rt.account)):
		return order.ReasonAccountNotInSession
	case !e.traderRows[trader].known:
		return order.ReasonUnknownTrader
	case !e.member(memberTraderAccount, uint32(rt.trader), uint32(rt.account)):
		return order.ReasonTraderNotInAccount
	case rt.strategy != 0 && !e.strategyRows[strategy].known:
		return order.ReasonUnknownStrategy
	}
	return order.ReasonNone
}

// route returns the number of a request's route, noIndex if there is none yet.
func (e *Engine) route(r *order.Request) int32 {
	t := &e.routeIndex
	h := e.hashNames(r.Session, r.Account, r.Trader, r.Strategy, r.Instrument)
	for i := t.home(h); t.slots[i] != 0; i = t.next(i) {
		at, ok := t.at(i, h)
		if !ok {
			continue
		}
		rt := &e.routes[at]
		if rt.account == r.Account && rt.instrumentID == r.Instrument && rt.sessionID == r.Session &&
			rt.trader == r.Trader && rt.strategy == r.Strategy {
			return at
		}
	}
	return noIndex
}

// hashNames mixes the names of a route.
func (e *Engine) hashNames(s order.SessionID, a order.AccountID, t order.TraderID, p order.StrategyID,
	i order.InstrumentID,
) uint32 {
	seed := e.config.HashSeed
	h := mix(uint64(s)<<32|uint64(a), seed)
	h = mix(h^(uint64(t)<<32|uint64(i)), seed)
	if p != 0 {
		h = mix(h^uint64(p), seed)
	}
	return uint32(h >> 32)
}

func (e *Engine) member(kind, a, b uint32) bool {
	_, ok := e.membership.get(memberKey(kind, a, b))
	return ok
}

// makeRoute stores a new route; without room the request is refused for want of
// capacity.
func (e *Engine) makeRoute(c *candidate, r *order.Request, session, account int32) {
	if len(e.routes) == cap(e.routes) || len(e.cells)+levelsMax > cap(e.cells) || len(e.shorts) == cap(e.shorts) {
		c.unresolved = order.ReasonCapacity
		return
	}
	e.routes = append(e.routes, route{
		path: e.pathOf(c.nodes, c.instrument), session: session, sessionID: r.Session, account: r.Account,
		trader: r.Trader, strategy: r.Strategy, instrumentID: r.Instrument, accounts: account,
		selfBook: e.selfBook(account, c.instrument),
	})
	i := int32(len(e.routes) - 1)
	e.routeIndex.put(e.hashNames(r.Session, r.Account, r.Trader, r.Strategy, r.Instrument), i)
	e.use(c, i)
}

// pathOf returns the path of nodes in an instrument and makes the cells that are
// missing. The caller has checked that there is room.
func (e *Engine) pathOf(nodes [levelsMax]int32, instrument int32) path {
	p := path{nodes: nodes, instrument: instrument}
	for level, n := range nodes {
		p.cells[level], p.classes[level] = noIndex, noIndex
		if n == noIndex {
			continue
		}
		p.cells[level] = e.cell(n, instrument)
		p.classes[level] = e.details[p.cells[level]].class
	}
	return p
}

// cell returns the cell of a node and an instrument and makes it if needed. The
// caller has checked that there is room.
func (e *Engine) cell(n, instrument int32) int32 {
	k := key{uint64(n), uint64(instrument)}
	if i, ok := e.cellIndex.get(k); ok {
		return int32(i)
	}
	in := &e.instrumentRows[instrument]
	class := noIndex
	if in.class != noIndex {
		if i, ok := e.classIndex.get(key{uint64(n), uint64(in.class)}); ok {
			class = int32(i)
		}
	}
	e.cells = append(e.cells, cell{dayCount: dayCount{minute: noIndex}, short: noIndex})
	e.details = append(e.details, cellDetail{node: n, instrument: instrument, next: in.firstCell, class: class})
	i := int32(len(e.cells) - 1)
	in.firstCell = i
	e.cellIndex.put(k, uint64(i))
	return i
}

// withRoom returns the nodes whose cells in an instrument exist or can be made, the
// widest first.
func (e *Engine) withRoom(nodes [levelsMax]int32, instrument int32) [levelsMax]int32 {
	room := cap(e.cells) - len(e.cells)
	for level, n := range nodes {
		if n == noIndex {
			continue
		}
		if _, ok := e.cellIndex.get(key{uint64(n), uint64(instrument)}); ok {
			continue
		}
		if room == 0 {
			nodes[level] = noIndex
			continue
		}
		room--
	}
	return nodes
}

// scopeAt returns the scope of a holder of a path.
func (e *Engine) scopeAt(p *path, at int) order.Scope {
	s := e.nodes[p.nodes[at/holdersPerLevel]].scope
	switch at % holdersPerLevel {
	case classHolder:
		s.Class = e.classRows[e.instrumentRows[p.instrument].class].id
	case instrumentHolder:
		s.Instrument = e.instrumentRows[p.instrument].ID
	}
	return s
}
