package riskcheck

import (
	"fmt"

	"tollgate/order"
)

// checkKill is control 1 for a new order: nothing new while any scope of the
// order is killed, and only what reduces while one is latched to that.
func (e *Engine) checkKill(c *candidate, r *order.Request) bool {
	if c.route == nil {
		if at := e.killedScope(c); at.Type != order.ScopeNone {
			return c.refuseWith(order.Decision{Reason: order.ReasonKillSwitch, Scope: at})
		}
		return true
	}
	t := c.terms
	if t.killedAt >= 0 && !e.refuseAt(c, order.ReasonKillSwitch, 0, t.killedAt, 0, 0) {
		return false
	}
	return t.reduceOnly == 0 || c.unresolved != order.ReasonNone || e.checkReduceOnly(c, r.Side, r.OrderQty)
}

// checkReduceOnly refuses what is no reduction where a holder is latched.
func (e *Engine) checkReduceOnly(c *candidate, side order.Side, add order.Qty) bool {
	for at, set := 0, c.terms.reduceOnly; set != 0; {
		at, set = each(set)
		if add <= 0 || !c.books[positionHolder(at)].reduces(side, add) {
			return e.refuseAt(c, order.ReasonReduceOnly, 0, int32(at), 0, 0)
		}
	}
	return true
}

// checkKillReplace is control 1 for a replace: one that does not increase the
// order passes, and under a latch one that only reduces.
func (e *Engine) checkKillReplace(c *candidate, r *order.Request, o *liveOrder) bool {
	if o == nil || o.status.Terminal() {
		return true
	}
	t := c.terms
	if t.killedAt >= 0 && e.increases(o, r) && !e.refuseAt(c, order.ReasonKillSwitch, 0, t.killedAt, 0, 0) {
		return false
	}
	if t.reduceOnly == 0 {
		return true
	}
	leaves := max(0, r.OrderQty-o.cumQty)
	return leaves <= o.reservedQty || e.checkReduceOnly(c, r.Side, leaves-o.reservedQty)
}

// increases reports whether a replace asks for more than the order has: a
// larger quantity, or a higher value than is reserved.
func (e *Engine) increases(o *liveOrder, r *order.Request) bool {
	price := r.Price
	if price == order.Null {
		price = o.acked.worstPrice
	}
	mult := e.instrumentRows[e.routes[o.route].instrument].Multiplier
	leaves := max(0, r.OrderQty-o.cumQty)
	n, ok := notionals(price, leaves, mult, &o.acked.rates)
	return r.OrderQty > o.acked.qty || !ok || n[firmMoney] > o.reserved[firmMoney]
}

// killedScope returns the widest killed scope of a request whose path is not
// resolved, as far as its levels are known.
func (e *Engine) killedScope(c *candidate) order.Scope {
	for _, n := range c.nodes {
		if n == noIndex {
			continue
		}
		if e.nodes[n].killed {
			return e.nodes[n].scope
		}
		if c.instrument == noIndex {
			continue
		}
		scope := e.nodes[n].scope
		if class := e.instrumentRows[c.instrument].class; class != noIndex {
			if i, ok := e.classIndex.get(key{uint64(n), uint64(class)}); ok && e.classCells[i].killed {
				scope.Class = e.classRows[class].id
				return scope
			}
		}
		if i, ok := e.cellIndex.get(key{uint64(n), uint64(c.instrument)}); ok && e.cells[i].killed {
			scope.Instrument = e.instrumentRows[c.instrument].ID
			return scope
		}
	}
	return order.Scope{}
}

// Kill stops a scope: no new orders and no increasing replaces from here on,
// every live order is canceled, and a fence voids verdicts that are already on
// their way. It lasts until Unkill. Killing a killed scope cancels again.
func (e *Engine) Kill(now int64, scope order.Scope) (KillResult, error) {
	e.begin(now)
	result, err := e.kill(scope)
	e.finish()
	return result, err
}

func (e *Engine) kill(scope order.Scope) (KillResult, error) {
	b, err := e.holder(scope)
	if err != nil {
		return KillResult{}, err
	}
	b.killed = true
	e.routeVersion++
	e.lastFence++
	e.seq++ // verdicts before the kill have lower numbers than the fence
	f := e.emit(EffectFence)
	f.FenceID, f.Scope, f.BelowSeq = e.lastFence, scope, e.seq
	result := KillResult{FenceID: e.lastFence}
	for i := range e.sessionRows {
		for at := e.sessionRows[i].live; at != noIndex; {
			o := &e.orders.orders[at]
			at = o.after
			if e.within(o, scope) {
				e.cancelUnasked(o, order.ReasonKillSwitch)
				result.Canceling++
			}
		}
	}
	return result, nil
}

// Unkill lets a scope trade again. What was canceled stays canceled.
func (e *Engine) Unkill(now int64, scope order.Scope) error {
	e.begin(now)
	err := e.unkill(scope)
	e.finish()
	return err
}

func (e *Engine) unkill(scope order.Scope) error {
	at, err := e.find(scope)
	if err != nil {
		return err
	}
	b, _, _ := e.look(at)
	if !b.killed {
		return fmt.Errorf("riskcheck: %s is not killed", scopeText(scope))
	}
	b.killed = false
	e.routeVersion++
	return nil
}

// holder returns the holder a scope names and makes it if needed.
func (e *Engine) holder(scope order.Scope) (holder, error) {
	at, err := e.find(scope)
	if err != nil {
		return holder{}, err
	}
	switch {
	case at.instrument != noIndex:
		if e.missing(at) && len(e.cells) == cap(e.cells) {
			return holder{}, fmt.Errorf("riskcheck: no room for another scope with an instrument (bound %d)", cap(e.cells))
		}
		c := &e.cells[e.cell(at.node, at.instrument)]
		return holder{&c.book, &c.dayCount}, nil
	case at.class != noIndex:
		if e.missing(at) && len(e.classCells) == cap(e.classCells) {
			return holder{}, fmt.Errorf("riskcheck: no room for another scope with a class (bound %d)", cap(e.classCells))
		}
		c := &e.classCells[e.classCell(at.node, at.class)]
		return holder{&c.book, &c.dayCount}, nil
	}
	n := &e.nodes[at.node]
	return holder{&n.book, &n.dayCount}, nil
}

// eachHolder calls yield with every holder there is: first those over all
// instruments, then those of classes, then those of instruments.
func (e *Engine) eachHolder(yield func(order.Scope, *book)) {
	for i := range e.nodes {
		yield(e.nodes[i].scope, &e.nodes[i].book)
	}
	for i := range e.classCells {
		c := &e.classCells[i]
		scope := e.nodes[c.node].scope
		scope.Class = e.classRows[c.class].id
		yield(scope, &c.book)
	}
	for i := range e.cells {
		d := &e.details[i]
		scope := e.nodes[d.node].scope
		scope.Instrument = e.instrumentRows[d.instrument].ID
		yield(scope, &e.cells[i].book)
	}
}

// Killed returns the killed scopes, the firm's first.
func (e *Engine) Killed() []order.Scope {
	var out []order.Scope
	e.eachHolder(func(scope order.Scope, b *book) {
		if b.killed {
			out = append(out, scope)
		}
	})
	return out
}

// place is where a scope stands: its node, and its class or instrument if it
// names one.
type place struct{ node, class, instrument int32 }

// find returns the place of a scope.
func (e *Engine) find(scope order.Scope) (place, error) {
	p := place{e.nodeOf(scope), noIndex, noIndex}
	if p.node == noIndex {
		return p, fmt.Errorf("riskcheck: there is no %s %d", scope.Type, scope.ID)
	}
	if scope.Instrument != 0 && scope.Class != 0 {
		return p, fmt.Errorf("riskcheck: %s %d names instrument %d and class %d, want one of them", scope.Type,
			scope.ID, scope.Instrument, scope.Class)
	}
	if scope.Instrument != 0 {
		i, ok := e.instruments.get(idKey(uint64(scope.Instrument)))
		if !ok {
			return p, fmt.Errorf("riskcheck: there is no instrument %d", scope.Instrument)
		}
		p.instrument = int32(i)
	}
	if scope.Class != 0 {
		i, ok := e.classes.get(idKey(uint64(scope.Class)))
		if !ok {
			return p, fmt.Errorf("riskcheck: there is no class %d", scope.Class)
		}
		p.class = int32(i)
	}
	return p, nil
}

// nodeOf returns the node of a scope's level, noIndex if there is none.
func (e *Engine) nodeOf(scope order.Scope) int32 {
	id := idKey(uint64(scope.ID))
	switch scope.Type {
	case order.ScopeFirm:
		if len(e.nodes) > 0 && scope.ID == uint32(e.firm.ID) {
			return 0
		}
	case order.ScopeGroup:
		if i, ok := e.groups.get(id); ok {
			return int32(i)
		}
	case order.ScopeAccount:
		if i, ok := e.accounts.get(id); ok {
			return e.accountRows[i].node
		}
	case order.ScopeTrader:
		if i, ok := e.traders.get(id); ok {
			return e.traderRows[i].node
		}
	case order.ScopeSession:
		if i, ok := e.sessions.get(id); ok {
			return e.sessionRows[i].node
		}
	case order.ScopeStrategy:
		if i, ok := e.strategies.get(id); ok {
			return e.strategyRows[i].node
		}
	}
	return noIndex
}

// within reports whether an order belongs to a scope.
func (e *Engine) within(o *liveOrder, scope order.Scope) bool {
	rt := &e.routes[o.route]
	in := &e.instrumentRows[rt.instrument]
	if scope.Instrument != 0 && scope.Instrument != in.ID || scope.Class != 0 && scope.Class != in.Class {
		return false
	}
	n := rt.nodes[scope.Type-order.ScopeFirm]
	return n != noIndex && e.nodes[n].scope.ID == scope.ID
}
