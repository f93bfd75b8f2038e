package riskcheck

import (
	"unsafe"

	"tollgate/order"
)

// What a request needs was as a rule used last long ago: with many accounts it has
// left the processor's caches, and a check spends most of its time waiting for one
// line of memory after the other. The functions here ask for the lines in advance,
// all at once. They change nothing and decide nothing.

// lineSize is the size of a line of memory, on the processors Tollgate runs on.
const lineSize = 64

// fetch asks for the n bytes at p, at least one line.
func fetch(p unsafe.Pointer, n uintptr) {
	for ; n > 2*lineSize; n -= 2 * lineSize {
		prefetch2(p)
		p = unsafe.Add(p, 2*lineSize)
	}
	if n > lineSize {
		prefetch2(p)
		return
	}
	prefetch(p)
}

// expectation is what is known of a request that will come soon. One line leads to
// the next, so they are asked for in steps, while other inputs are worked on.
type expectation struct {
	session order.SessionID
	clOrdID order.ClOrdID
	hash    uint32 // of the names of its route
	route   int32
	step    uint8 // what is asked for next
}

// The steps, in their order. From fetchesCounts on the route's books are there.
const (
	fetchesNothing = iota
	fetchesRoute
	fetchesPath
	fetchesCounts
	fetched
)

// is reports whether a request is the expected one.
func (x *expectation) is(r *order.Request) bool {
	return x.session == r.Session && x.clOrdID == r.ClOrdID
}

// Expect tells of a request that will come soon, after the next input or a few more. It
// changes nothing; what the request needs is asked for from memory meanwhile. Whoever
// has several requests before them tells of each before they give the one before it.
func (e *Engine) Expect(r *order.Request) {
	h := e.fetchNames(r)
	e.expected[0] = e.expected[1]
	e.expected[1] = expectation{r.Session, r.ClOrdID, h, noIndex, fetchesRoute}
}

// meet returns what was expected of a request, nil if it comes unexpected; what its
// names lead to is then asked for now.
func (e *Engine) meet(r *order.Request) *expectation {
	for i := range e.expected {
		if x := &e.expected[i]; x.is(r) {
			return x
		}
	}
	e.fetchNames(r)
	return nil
}

// fetchExpected asks for the next lines that an expected request needs, the one that
// comes first before the other.
func (e *Engine) fetchExpected() {
	x := &e.expected[0]
	if x.step == fetchesNothing || x.step == fetched {
		x = &e.expected[1]
	}
	switch x.step {
	case fetchesRoute:
		x.step = fetchesNothing
		t := &e.routeIndex
		for i := t.home(x.hash); t.slots[i] != 0; i = t.next(i) {
			if at, ok := t.at(i, x.hash); ok {
				x.route, x.step = at, fetchesPath
				prefetch2(unsafe.Pointer(&e.routes[at]))
				return
			}
		}
	case fetchesPath:
		x.step = fetchesCounts
		e.fetchPath(&e.routes[x.route])
	case fetchesCounts:
		x.step = fetched
		e.fetchCounts(&e.routes[x.route])
	}
}

// fetchUnexpected asks for the books of a route unless that was done in advance.
func (e *Engine) fetchUnexpected(i int32) {
	for n := range e.expected {
		if x := &e.expected[n]; x.route == i && x.step >= fetchesCounts {
			return
		}
	}
	e.fetchPath(&e.routes[i])
}

// fetchNames asks for what a request's names lead to, and returns the hash of those of
// its route.
func (e *Engine) fetchNames(r *order.Request) uint32 {
	t := &e.routeIndex
	h := e.hashNames(r.Session, r.Account, r.Trader, r.Strategy, r.Instrument)
	prefetch(unsafe.Pointer(&t.slots[t.home(h)]))
	prefetch(unsafe.Pointer(&e.clOrdIDs.slots[e.clOrdIDs.home(clOrdKey(r.Session, r.ClOrdID))]))
	if r.MsgType == order.MsgNewOrder {
		like := recentOf(r)
		prefetch(unsafe.Pointer(e.recent.head(&like)))
	} else {
		prefetch(unsafe.Pointer(&e.clOrdIDs.slots[e.clOrdIDs.home(clOrdKey(r.Session, r.OrigClOrdID))]))
	}
	return h
}

// fetchPath asks for the books of a path.
func (e *Engine) fetchPath(rt *route) {
	for level, i := range rt.nodes {
		if i == noIndex {
			continue
		}
		prefetch2(unsafe.Pointer(&e.cells[rt.cells[level]]))
		if level == accountLevel || level == traderLevel {
			fetch(unsafe.Pointer(&e.nodes[i]), unsafe.Sizeof(node{}))
		}
	}
	prefetch2(unsafe.Pointer(&e.accountRows[rt.accounts]))
	prefetch(unsafe.Pointer(&e.selfBooks[rt.selfBook]))
}

// fetchCounts asks for the stamps and sums of an account, which its node leads to.
func (e *Engine) fetchCounts(rt *route) {
	n := &e.nodes[rt.nodes[accountLevel]]
	for _, w := range [...]*window{&n.second, &n.both, &n.rejects} {
		if w.held > 0 {
			prefetch(unsafe.Pointer(&e.stamps.stamps[w.place(w.newest+1)]))
		}
	}
	if n.minute != noIndex {
		m := &e.minutes[n.minute]
		prefetch(unsafe.Pointer(m))
		prefetch(unsafe.Pointer(&m.sums[e.now/secondNs%int64(len(m.sums))]))
	}
}
