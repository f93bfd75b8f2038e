package riskcheck

import (
	"fmt"

	"tollgate/order"
)

// checkKill is control 1 for a new order: nothing new while any scope of the
// order is killed.
func (e *Engine) checkKill(c *candidate) bool {
	if at := e.killedScope(c); at.Type != order.ScopeNone {
		return c.refuseAt(order.ReasonKillSwitch, at, 0, 0)
	}
	return true
}

// checkKillReplace is control 1 for a replace: one that does not increase the
// order passes.
func (e *Engine) checkKillReplace(c *candidate, r *order.Request, o *liveOrder) bool {
	if o == nil || o.status.Terminal() {
		return true
	}
	at := e.killedScope(c)
	if at.Type == order.ScopeNone || !e.increases(o, r) {
		return true
	}
	return c.refuseAt(order.ReasonKillSwitch, at, 0, 0)
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
	notional, ok := order.Notional(price, leaves, mult)
	return r.OrderQty > o.acked.qty || !ok || notional > o.reservedNotional
}

// killedScope returns the widest killed scope of a request.
func (e *Engine) killedScope(c *candidate) order.Scope {
	if c.route != nil {
		return c.route.killedAt
	}
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
		if i, ok := e.cellIndex.get(key{uint64(n), uint64(c.instrument)}); ok && e.cells[i].killed {
			return e.scopeOf(&e.cells[i])
		}
	}
	return order.Scope{}
}

// Kill stops a scope: no new orders and no increasing replaces from here on,
// every live order is canceled, and a fence voids verdicts that are already on
// their way. It lasts until Unkill. Killing a killed scope cancels again.
func (e *Engine) Kill(now int64, scope order.Scope) (KillResult, error) {
	e.begin(now)
	if err := e.setKilled(scope, true); err != nil {
		return KillResult{}, err
	}
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
	return e.setKilled(scope, false)
}

// setKilled changes the kill state of a scope that must exist; lifting a kill
// needs one to be in force.
func (e *Engine) setKilled(scope order.Scope, killed bool) error {
	n, instrument, err := e.find(scope)
	if err != nil {
		return err
	}
	state := &e.nodes[n].killed
	if instrument != noIndex {
		if !e.hasRoomFor(n, instrument) {
			return fmt.Errorf("riskcheck: no room for another scope with an instrument (bound %d)", cap(e.cells))
		}
		state = &e.cells[e.cell(n, instrument)].killed
	}
	if !killed && !*state {
		return fmt.Errorf("riskcheck: %s %d is not killed", scope.Type, scope.ID)
	}
	*state = killed
	e.routeVersion++
	return nil
}

// hasRoomFor reports whether the cell of a node and an instrument exists or can
// be made.
func (e *Engine) hasRoomFor(n, instrument int32) bool {
	if len(e.cells) < cap(e.cells) {
		return true
	}
	_, ok := e.cellIndex.get(key{uint64(n), uint64(instrument)})
	return ok
}

// Killed returns the killed scopes, the firm's first.
func (e *Engine) Killed() []order.Scope {
	var out []order.Scope
	for i := range e.nodes {
		if e.nodes[i].killed {
			out = append(out, e.nodes[i].scope)
		}
	}
	for i := range e.cells {
		if e.cells[i].killed {
			out = append(out, e.scopeOf(&e.cells[i]))
		}
	}
	return out
}

// find returns the node of a scope, and its instrument if it names one.
func (e *Engine) find(scope order.Scope) (n, instrument int32, err error) {
	n, instrument = noIndex, noIndex
	id := key{uint64(scope.ID), 0}
	switch scope.Type {
	case order.ScopeFirm:
		if len(e.nodes) > 0 && scope.ID == uint32(e.firm.ID) {
			n = 0
		}
	case order.ScopeGroup:
		if i, ok := e.groups.get(id); ok {
			n = int32(i)
		}
	case order.ScopeAccount:
		if i, ok := e.accounts.get(id); ok {
			n = e.accountRows[i].node
		}
	case order.ScopeTrader:
		if i, ok := e.traders.get(id); ok {
			n = e.traderRows[i].node
		}
	case order.ScopeSession:
		if i, ok := e.sessions.get(id); ok {
			n = e.sessionRows[i].node
		}
	}
	if n == noIndex {
		return n, instrument, fmt.Errorf("riskcheck: there is no %s %d", scope.Type, scope.ID)
	}
	if scope.Instrument != 0 {
		i, ok := e.instruments.get(key{uint64(scope.Instrument), 0})
		if !ok {
			return n, instrument, fmt.Errorf("riskcheck: there is no instrument %d", scope.Instrument)
		}
		instrument = int32(i)
	}
	return n, instrument, nil
}

// within reports whether an order belongs to a scope.
func (e *Engine) within(o *liveOrder, scope order.Scope) bool {
	rt := &e.routes[o.route]
	if scope.Instrument != 0 && scope.Instrument != e.instrumentRows[rt.instrument].ID {
		return false
	}
	level := int(scope.Type - order.ScopeFirm)
	return e.nodes[rt.nodes[level]].scope.ID == scope.ID
}
