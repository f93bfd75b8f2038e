package riskcheck

import "tollgate/order"

// routeTable finds the route of a (session, account, trader, strategy,
// instrument). It keeps numbers of routes only: the names stand in the routes,
// which a check reads anyway.
//
// Invariant: as in table; a stored number of zero means empty.
type routeTable struct {
	slots []uint64 // high half: part of the hash; low half: route plus one
	seed  uint64
	shift uint
}

func newRouteTable(entriesMax int, seed uint64) routeTable {
	t := newTable(1, seed)
	width := widthFor(entriesMax)
	return routeTable{slots: make([]uint64, 1<<width), seed: t.seed, shift: 64 - width}
}

// hash mixes the names of a route.
func (t *routeTable) hash(r *order.Request) uint64 {
	h := mix(uint64(r.Session)<<32|uint64(r.Account), t.seed)
	h = mix(h^(uint64(r.Trader)<<32|uint64(r.Instrument)), t.seed)
	if r.Strategy != 0 {
		h = mix(h^uint64(r.Strategy), t.seed)
	}
	return h
}

// route returns the number of a request's route, noIndex if there is none yet.
func (e *Engine) route(r *order.Request) int32 {
	t := &e.routeIndex
	h := t.hash(r)
	mask := uint64(len(t.slots) - 1)
	for i := h >> t.shift; t.slots[i] != 0; i = (i + 1) & mask {
		if t.slots[i]>>32 != h&(1<<32-1) {
			continue
		}
		at := int32(uint32(t.slots[i])) - 1
		rt := &e.routes[at]
		if rt.account == r.Account && rt.instrumentID == r.Instrument && rt.sessionID == r.Session &&
			rt.trader == r.Trader && rt.strategy == r.Strategy {
			return at
		}
	}
	return noIndex
}

// put stores the number of a new route.
func (t *routeTable) put(r *order.Request, at int32) {
	h := t.hash(r)
	mask := uint64(len(t.slots) - 1)
	i := h >> t.shift
	for t.slots[i] != 0 {
		i = (i + 1) & mask
	}
	t.slots[i] = h<<32 | uint64(at+1)
}

// remove takes out the number of a route, which stands last in its run of slots
// if it is the newest.
func (t *routeTable) remove(at int32, h uint64) {
	mask := uint64(len(t.slots) - 1)
	for i := h >> t.shift; t.slots[i] != 0; i = (i + 1) & mask {
		if int32(uint32(t.slots[i]))-1 == at {
			t.slots[i] = 0
			return
		}
	}
}
