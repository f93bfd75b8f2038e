package riskcheck

import "tollgate/order"

// derive gives a route the terms that follow from the limits, kills and latches
// in force. books are those of its path.
func (e *Engine) derive(c *candidate, rt *route) {
	if e.termsVersion != e.routeVersion {
		e.forgetTerms()
	}
	t := emptyTerms()
	for at, b := range c.books {
		if b.book != nil && (b.profile != 0 || b.killed || b.latched != 0) {
			t.take(at, b.book, &e.profiles[b.profile])
		}
	}
	if t.duplicateWindow == 0 {
		t.duplicateWindow = duplicateWindowNs
	}
	t.unresolved = e.unknown(rt)
	t.permission[0] = e.permission(c, PermitBuy)
	t.permission[1] = e.permission(c, PermitSell)
	rt.terms = e.intern(&t)
	rt.version = e.routeVersion
}

func emptyTerms() terms {
	t := terms{killedAt: -1}
	for _, b := range t.bounds() {
		*b = noBound
	}
	return t
}

// bounds lists the bounds of terms.
func (t *terms) bounds() [17]*bound {
	return [...]*bound{
		&t.maxQty, &t.maxNotional, &t.maxNotionalAccount, &t.collarBps, &t.collarTicks, &t.collarAbs, &t.collarFar,
		&t.protectionBps, &t.protectionTicks, &t.participation, &t.duplicates, &t.executions, &t.credit, &t.short,
		&t.selfMatch, &t.basketOrders, &t.basketNotional,
	}
}

// take takes in what one holder states.
func (t *terms) take(at int, b *book, p *profile) {
	if b.killed && t.killedAt < 0 {
		t.killedAt = int32(at)
	}
	bit := uint32(1) << at
	if b.latched&(1<<LatchLateTruth|1<<LatchLimit|1<<LatchImplausiblePosition) != 0 {
		t.reduceOnly |= bit
	}
	if b.latched&(1<<LatchLoss|1<<LatchDrawdown) != 0 {
		t.lossLatched |= bit
	}
	if b.latchedFor(LatchConsecutiveRejects) {
		t.blocked |= bit
	}
	if b.latchedFor(LatchRepeatedExecution) {
		t.strategyLatched = true
	}
	if b.profile == 0 {
		return
	}
	l := &p.limit
	for i, k := range statedKind {
		if l[k] != unstated {
			t.stated[i] |= bit
		}
	}
	notional := &t.maxNotional
	if moneyOf(at) == accountMoney {
		notional = &t.maxNotionalAccount
	}
	notional.tighten(l[LimitMaxOrderNotional], at)
	t.maxQty.tighten(l[LimitMaxOrderQty], at)
	t.collarBps.tighten(l[LimitCollarBps], at)
	t.collarTicks.tighten(l[LimitCollarTicks], at)
	t.collarAbs.tighten(l[LimitCollarAbs], at)
	t.collarFar.tighten(l[LimitCollarFarBps], at)
	t.protectionBps.tighten(l[LimitMarketProtectionBps], at)
	t.protectionTicks.tighten(l[LimitMarketProtectionTicks], at)
	t.participation.tighten(l[LimitParticipationBps], at)
	t.duplicates.tighten(l[LimitDuplicateOrders], at)
	t.duplicateWindow = max(t.duplicateWindow, l[LimitDuplicateWindow])
	t.executions.tighten(l[LimitStrategyExecutions], at)
	t.credit.tighten(l[LimitCreditLine], at)
	t.short.tighten(l[LimitShortSelling], at)
	t.selfMatch.tighten(l[LimitSelfMatch], at)
	t.basketOrders.tighten(l[LimitBasketOrders], at)
	t.basketNotional.tighten(l[LimitBasketNotional], at)
}

// permission judges one side of a route: the widest level that forbids it
// decides; if no level says anything, nothing is permitted.
func (e *Engine) permission(c *candidate, side int64) refusal {
	stated := false
	for level := range levelsMax {
		at := level * holdersPerLevel
		if c.books[at].book == nil {
			continue
		}
		mode := e.profiles[c.books[at].profile].limit[LimitPermission]
		if mode == unstated {
			continue
		}
		stated = true
		listed := max(e.profiles[c.books[at+instrumentHolder].profile].limit[LimitPermitListed], 0)
		if b := c.books[at+classHolder]; b.book != nil {
			listed |= max(e.profiles[b.profile].limit[LimitPermitListed], 0)
		}
		if mode == PermitDeny {
			listed = ^listed & (PermitBuy | PermitSell)
		}
		if listed&side != 0 {
			continue
		}
		if listed == 0 {
			return refusal{order.ReasonInstrumentNotPermitted, int32(at + instrumentHolder)}
		}
		return refusal{order.ReasonSideNotPermitted, int32(at + instrumentHolder)}
	}
	if !stated {
		return refusal{order.ReasonInstrumentNotPermitted, -1}
	}
	return refusal{at: -1}
}

// intern returns the number of terms equal to t.
func (e *Engine) intern(t *terms) int32 {
	for h := t.hash(); ; h++ {
		i, ok := e.termsIndex.get(key{h, 0})
		if !ok {
			e.terms = append(e.terms, *t)
			e.termsIndex.put(key{h, 0}, uint64(len(e.terms)-1))
			return int32(len(e.terms) - 1)
		}
		if e.terms[i] == *t {
			return int32(i)
		}
	}
}

// forgetTerms forgets all terms, because something they follow from has changed.
// Where they are few, as is usual, they are taken out of the table one by one: to
// clear all of it takes longer than an order may wait.
func (e *Engine) forgetTerms() {
	if len(e.terms) > len(e.termsIndex.slots)/termsClearedFrom {
		e.termsIndex.clear()
	} else {
		for i := len(e.terms) - 1; i >= 0; i-- { // the newest first: see intern
			e.forgetTerm(uint64(i))
		}
	}
	e.terms = e.terms[:0]
	e.termsVersion = e.routeVersion
}

// forgetTerm takes the newest terms out of the table.
func (e *Engine) forgetTerm(i uint64) {
	for h := e.terms[i].hash(); ; h++ {
		at, ok := e.termsIndex.get(key{h, 0})
		if !ok {
			return
		}
		if at == i {
			e.termsIndex.remove(key{h, 0})
			return
		}
	}
}

// hash returns a hash of everything in the terms.
func (t *terms) hash() uint64 {
	h := uint64(0)
	word := func(v uint64) { h = mix(h^v, 0) }
	for _, b := range t.bounds() {
		word(uint64(b.value))
		word(uint64(b.at))
	}
	word(uint64(t.duplicateWindow))
	for i := range t.stated {
		word(uint64(t.stated[i]))
	}
	for _, p := range t.permission {
		word(uint64(p.reason)<<32 | uint64(uint32(p.at)))
	}
	word(uint64(t.reduceOnly)<<32 | uint64(t.lossLatched))
	word(uint64(t.blocked)<<32 | uint64(uint32(t.killedAt)))
	word(uint64(t.unresolved))
	if t.strategyLatched {
		word(1)
	}
	return h
}
