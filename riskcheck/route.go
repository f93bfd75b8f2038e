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

func routeKey(session order.SessionID, account order.AccountID, trader order.TraderID, in order.InstrumentID) key {
	return key{uint64(session)<<32 | uint64(account), uint64(trader)<<32 | uint64(in)}
}

// lookup gives the candidate the path of the request, or says in c.unresolved
// why there is none. What can be resolved is put into c.nodes all the same: a
// kill holds for it.
func (e *Engine) lookup(c *candidate, r *order.Request) {
	if i, ok := e.routeIndex.get(routeKey(r.Session, r.Account, r.Trader, r.Instrument)); ok {
		e.use(c, int32(i))
		return
	}
	c.route = nil
	c.unresolved = order.ReasonNone
	e.resolve(c, r)
}

// use gives the candidate a route, brought up to date if limits, kills or
// reference data have changed since it was used last.
func (e *Engine) use(c *candidate, i int32) {
	rt := &e.routes[i]
	if rt.version != e.routeVersion {
		e.derive(rt)
	}
	c.route, c.routeAt, c.unresolved, c.instrument = rt, i, rt.unresolved, rt.instrument
	if !e.instrumentRows[rt.instrument].known {
		c.instrument = noIndex
	}
}

// resolve looks at reference data for a path that has no route yet, and makes
// the route if everything on it is known and belongs together.
func (e *Engine) resolve(c *candidate, r *order.Request) {
	session, _ := e.sessions.get(key{uint64(r.Session), 0})
	c.nodes = [order.ScopeLevels]int32{0, noIndex, noIndex, noIndex, e.sessionRows[session].node}
	c.instrument = noIndex
	if in, ok := e.instruments.get(key{uint64(r.Instrument), 0}); ok && e.instrumentRows[in].known {
		c.instrument = int32(in)
	}
	account, knownAccount := e.accounts.get(key{uint64(r.Account), 0})
	if knownAccount = knownAccount && e.accountRows[account].known; knownAccount {
		c.nodes[1], c.nodes[2] = e.accountRows[account].group, e.accountRows[account].node
	}
	trader, knownTrader := e.traders.get(key{uint64(r.Trader), 0})
	if knownTrader = knownTrader && e.traderRows[trader].known; knownTrader {
		c.nodes[3] = e.traderRows[trader].node
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
	case c.instrument != noIndex:
		e.makeRoute(c, r, int32(session))
	}
}

// unknown returns why the path of a route is not to be used (any more), given
// that it once was: reference data may have taken something away.
func (e *Engine) unknown(rt *route) order.Reason {
	account, _ := e.accounts.get(key{uint64(rt.account), 0})
	trader, _ := e.traders.get(key{uint64(rt.trader), 0})
	switch {
	case !e.accountRows[account].known:
		return order.ReasonUnknownAccount
	case !e.member(memberSessionAccount, uint32(e.sessionRows[rt.session].ID), uint32(rt.account)):
		return order.ReasonAccountNotInSession
	case !e.traderRows[trader].known:
		return order.ReasonUnknownTrader
	case !e.member(memberTraderAccount, uint32(rt.trader), uint32(rt.account)):
		return order.ReasonTraderNotInAccount
	}
	return order.ReasonNone
}

func (e *Engine) member(kind, a, b uint32) bool {
	_, ok := e.membership.get(memberKey(kind, a, b))
	return ok
}

// makeRoute stores a new route; without room the request is refused for want of
// capacity.
func (e *Engine) makeRoute(c *candidate, r *order.Request, session int32) {
	if len(e.routes) == cap(e.routes) || len(e.cells)+order.ScopeLevels > cap(e.cells) {
		c.unresolved = order.ReasonCapacity
		return
	}
	e.routes = append(e.routes, route{
		nodes: c.nodes, instrument: c.instrument, session: session, account: r.Account, trader: r.Trader,
	})
	i := len(e.routes) - 1
	rt := &e.routes[i]
	for level, n := range rt.nodes {
		rt.cells[level] = e.cell(n, rt.instrument)
	}
	e.routeIndex.put(routeKey(r.Session, r.Account, r.Trader, r.Instrument), uint64(i))
	e.use(c, int32(i))
}

// cell returns the cell of a node and an instrument and makes it if needed. The
// caller has checked that there is room.
func (e *Engine) cell(n, instrument int32) int32 {
	k := key{uint64(n), uint64(instrument)}
	if i, ok := e.cellIndex.get(k); ok {
		return int32(i)
	}
	in := &e.instrumentRows[instrument]
	e.cells = append(e.cells, cell{node: n, instrument: instrument, next: in.firstCell})
	i := int32(len(e.cells) - 1)
	e.cells[i].limits.clear()
	in.firstCell = i
	e.cellIndex.put(k, uint64(i))
	return i
}

// scopeOf returns the scope of a cell.
func (e *Engine) scopeOf(c *cell) order.Scope {
	s := e.nodes[c.node].scope
	s.Instrument = e.instrumentRows[c.instrument].ID
	return s
}

// derive computes the derived part of a route from the limits, permissions and
// kills in force.
func (e *Engine) derive(rt *route) {
	rt.version = e.routeVersion
	rt.maxQty, rt.maxNotional = bound{value: unstated}, bound{value: unstated}
	rt.collarBps, rt.collarTicks = bound{value: unstated}, bound{value: unstated}
	rt.collarAbs, rt.collarFar = bound{value: unstated}, bound{value: unstated}
	rt.killedAt = order.Scope{}
	rt.absent = absentCollar | absentRate | absentOpenOrders | absentOpenNotional | absentLong | absentShort |
		absentGross | absentNet
	for level, n := range rt.nodes {
		nd, cl := &e.nodes[n], &e.cells[rt.cells[level]]
		rt.deriveScope(&nd.limits, nd.scope, nd.killed)
		rt.deriveScope(&cl.limits, e.scopeOf(cl), cl.killed)
	}
	in := &e.instrumentRows[rt.instrument]
	account, _ := e.accounts.get(key{uint64(rt.account), 0})
	rt.currencyOK = in.Currency == e.accountRows[account].Currency
	rt.unresolved = e.unknown(rt)
	rt.permission[0] = e.permission(rt, PermitBuy)
	rt.permission[1] = e.permission(rt, PermitSell)
}

// deriveScope takes in what one scope states.
func (rt *route) deriveScope(l *statements, scope order.Scope, killed bool) {
	if killed && rt.killedAt.Type == order.ScopeNone {
		rt.killedAt = scope
	}
	rt.maxQty.tighten(l[LimitMaxOrderQty], scope)
	rt.maxNotional.tighten(l[LimitMaxOrderNotional], scope)
	rt.collarBps.tighten(l[LimitCollarBps], scope)
	rt.collarTicks.tighten(l[LimitCollarTicks], scope)
	rt.collarAbs.tighten(l[LimitCollarAbs], scope)
	rt.collarFar.tighten(l[LimitCollarFarBps], scope)
	for _, p := range [...]struct {
		kind LimitKind
		flag absence
	}{
		{LimitCollarBps, absentCollar},
		{LimitCollarTicks, absentCollar},
		{LimitCollarAbs, absentCollar},
		{LimitMessagesPerSecond, absentRate},
		{LimitMessagesPerMinute, absentRate},
		{LimitMessagesPerDay, absentRate},
		{LimitOpenOrders, absentOpenOrders},
		{LimitOpenNotional, absentOpenNotional},
		{LimitPositionLong, absentLong},
		{LimitPositionShort, absentShort},
		{LimitGrossExposure, absentGross},
		{LimitNetExposure, absentNet},
	} {
		if l.stated(p.kind) {
			rt.absent &^= p.flag
		}
	}
}

// permission judges one side of a route: the widest scope that forbids it
// decides; if no scope says anything, nothing is permitted.
func (e *Engine) permission(rt *route, side int64) order.Decision {
	stated := false
	for level, n := range rt.nodes {
		nd, cl := &e.nodes[n], &e.cells[rt.cells[level]]
		mode := nd.limits[LimitPermission]
		if mode == unstated {
			continue
		}
		stated = true
		listed := max(cl.limits[LimitPermitListed], 0)
		if mode == PermitDeny {
			listed = ^listed & (PermitBuy | PermitSell)
		}
		if listed&side == 0 {
			d := order.Decision{Reason: order.ReasonSideNotPermitted, Scope: e.scopeOf(cl)}
			if listed == 0 {
				d.Reason = order.ReasonInstrumentNotPermitted
			}
			return d
		}
	}
	if !stated {
		return order.Decision{Reason: order.ReasonInstrumentNotPermitted}
	}
	return order.Decision{}
}
