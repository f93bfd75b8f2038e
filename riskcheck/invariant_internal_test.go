package riskcheck

import (
	"testing"
	"unsafe"

	"tollgate/order"
)

// structure is where the tables of an engine stand. None of them may move or grow
// once the engine is made: pointers into them are held.
type structure struct {
	cells, details, classCells, routes, orders, requests unsafe.Pointer
}

func structureOf(e *Engine) structure {
	return structure{
		unsafe.Pointer(unsafe.SliceData(e.cells)), unsafe.Pointer(unsafe.SliceData(e.details)),
		unsafe.Pointer(unsafe.SliceData(e.classCells)), unsafe.Pointer(unsafe.SliceData(e.routes)),
		unsafe.Pointer(unsafe.SliceData(e.orders.orders)), unsafe.Pointer(unsafe.SliceData(e.orders.requests)),
	}
}

// checkEngine holds an engine to every invariant of its tables.
func checkEngine(t *testing.T, e *Engine, at structure) {
	t.Helper()
	if structureOf(e) != at {
		t.Error("a table has moved")
	}
	checkPlaces(t, e)
	checkRequests(t, e)
	checkSums(t, e)
	checkFunds(t, e)
	checkIndexes(t, e)
	checkRungs(t, e)
}

// checkPlaces checks that every place for an order is in exactly one list.
func checkPlaces(t *testing.T, e *Engine) {
	t.Helper()
	seen := make([]int, len(e.orders.orders))
	live := 0
	for s := range e.sessionRows {
		before := noIndex
		for i := e.sessionRows[s].live; i != noIndex; i = e.orders.orders[i].after {
			o := &e.orders.orders[i]
			seen[i]++
			live++
			if o.status.Terminal() || o.before != before || o.place != i || int(e.routes[o.route].session) != s {
				t.Errorf("order %d among the live ones of session %d: %v before %d", o.id, s, o.status, o.before)
			}
			if o.self.resting == (o.acked.stopPx != order.Null) {
				t.Errorf("order %d rests: %v, stop at %s", o.id, o.self.resting, o.acked.stopPx)
			}
			if o.self.resting && o.self.rank != e.rank(o) {
				t.Errorf("order %d has rank %d, its versions ask for %d", o.id, o.self.rank, e.rank(o))
			}
			before = i
		}
	}
	before := noIndex
	for i := e.orders.first; i != noIndex; i = e.orders.orders[i].after {
		o := &e.orders.orders[i]
		seen[i]++
		if !o.over() || !o.retired || o.before != before {
			t.Errorf("order %d among the retired: %v, before %d", o.id, o.status, o.before)
		}
		before = i
	}
	if e.orders.last != before {
		t.Errorf("the last of the retired is %d, want %d", e.orders.last, before)
	}
	for _, i := range e.orders.spare {
		seen[i]++
	}
	waiting := 0
	for i := range e.orders.orders {
		o := &e.orders.orders[i]
		switch {
		case i >= e.orders.used && seen[i] == 0:
		case seen[i] == 1 && i < e.orders.used:
		case seen[i] == 0 && o.status.Terminal() && !o.over() && !o.retired:
			waiting++
		default:
			t.Errorf("place %d of %d (%v) is in %d lists", i, e.orders.used, o.status, seen[i])
		}
	}
	if want := e.orders.used - len(e.orders.spare); e.orderAt.count != want {
		t.Errorf("%d orders are found by number, want %d", e.orderAt.count, want)
	}
	if int(e.nodes[0].openOrders) != live {
		t.Errorf("the firm has %d open orders, %d are live", e.nodes[0].openOrders, live)
	}
}

// checkRequests checks that every pending request belongs to one order or is free.
func checkRequests(t *testing.T, e *Engine) {
	t.Helper()
	seen := 0
	for i := e.orders.freeRequest; i != noIndex; i = e.orders.requests[i].next {
		seen++
	}
	for i := range e.orders.orders[:e.orders.used] {
		o := &e.orders.orders[i]
		replaces, cancels := 0, 0
		for at := o.requests; at != noIndex; at = e.orders.requests[at].next {
			if e.orders.requests[at].msgType == order.MsgReplaceOrder {
				replaces++
			} else {
				cancels++
			}
		}
		if replaces != int(o.replaces) || cancels != int(o.cancels) {
			t.Errorf("order %d: %d replaces and %d cancels, counted %d and %d", o.id, replaces, cancels, o.replaces, o.cancels)
		}
		seen += replaces + cancels
	}
	if seen != e.orders.requestsUsed {
		t.Errorf("%d requests are pending or free, %d were handed out", seen, e.orders.requestsUsed)
	}
}

// held is what orders hold at one holder.
type held struct {
	orders          int32
	buy, sell       order.Money
	buyQty, sellQty order.Qty
	short           order.Qty
	gross, net      wide
	unpriced        int
}

func (h *held) add(o *liveOrder, money int) {
	h.orders++
	if o.side.IsBuy() {
		h.buy += o.reserved[money]
		h.buyQty += o.reservedQty
	} else {
		h.sell += o.reserved[money]
		h.sellQty += o.reservedQty
	}
	if o.side.IsShort() {
		h.short += o.reservedQty
	}
}

// checkSums checks every holder against the live orders and cells it is made of.
func checkSums(t *testing.T, e *Engine) {
	t.Helper()
	nodes, cells, classes := make([]held, len(e.nodes)), make([]held, len(e.cells)), make([]held, len(e.classCells))
	for i := range e.orders.orders[:e.orders.used] {
		o := &e.orders.orders[i]
		if o.id == 0 || o.status.Terminal() {
			if o.reservedQty != 0 || o.reserved != (amounts{}) {
				t.Errorf("order %d has ended and reserves %s", o.id, o.reservedQty)
			}
			continue
		}
		p := &e.routes[o.route].path
		for level, n := range p.nodes {
			if n == noIndex {
				continue
			}
			money := moneyOf(level * holdersPerLevel)
			nodes[n].add(o, money)
			cells[p.cells[level]].add(o, money)
			if c := p.classes[level]; c != noIndex {
				classes[c].add(o, money)
			}
		}
	}
	for i := range e.cells {
		c, d := &e.cells[i], &e.details[i]
		of := []*held{&nodes[d.node]}
		if d.class != noIndex {
			of = append(of, &classes[d.class])
		}
		for _, h := range of {
			h.gross.add(abs(c.value))
			h.net.add(c.value)
			if c.unvalued {
				h.unpriced++
			}
		}
		checkBook(t, "cell", i, &c.book, &cells[i], true)
		if c.short != noIndex && e.shorts[c.short].open != cells[i].short || c.short == noIndex && cells[i].short != 0 &&
			e.nodes[d.node].account != noIndex {
			t.Errorf("cell %d: %s is open short", i, cells[i].short)
		}
	}
	for i := range e.nodes {
		n := &e.nodes[i]
		checkBook(t, "node", i, &n.book, &nodes[i], false)
		if n.gross != nodes[i].gross || n.net != nodes[i].net || n.unpriced != nodes[i].unpriced || n.ahead != 0 {
			t.Errorf("node %d: values %+v, want %+v; %d ahead", i, n.aggregate, nodes[i], n.ahead)
		}
	}
	for i := range e.classCells {
		c := &e.classCells[i]
		checkBook(t, "class cell", i, &c.book, &classes[i], true)
		if c.gross != classes[i].gross || c.net != classes[i].net || c.unpriced != classes[i].unpriced {
			t.Errorf("class cell %d: values %+v, want %+v", i, c.aggregate, classes[i])
		}
	}
}

func checkBook(t *testing.T, what string, i int, b *book, want *held, quantities bool) {
	t.Helper()
	if !quantities {
		want.buyQty, want.sellQty = 0, 0
	}
	if b.openOrders != want.orders || b.openBuy != want.buy || b.openSell != want.sell || b.openBuyQty != want.buyQty ||
		b.openSellQty != want.sellQty {
		t.Errorf("%s %d: %+v, its orders hold %+v", what, i, *b, *want)
	}
	if b.openBuy < 0 || b.openSell < 0 || !b.lost && (b.openBuyQty < 0 || b.openSellQty < 0) {
		t.Errorf("%s %d has less than nothing open: %+v", what, i, *b)
	}
}

// checkFunds checks what accounts require against their cells.
func checkFunds(t *testing.T, e *Engine) {
	t.Helper()
	required, lost := make([]wide, len(e.accountRows)), make([]int, len(e.accountRows))
	for i := range e.cells {
		if a := e.nodes[e.details[i].node].account; a != noIndex {
			required[a].add(e.cells[i].hold)
			if e.cells[i].holdLost {
				lost[a]++
			}
		}
	}
	for i := range e.accountRows {
		if a := &e.accountRows[i]; a.required != required[i] || a.holdLost != lost[i] {
			t.Errorf("account %d requires %+v with %d lost, its cells %+v with %d", a.ID, a.required, a.holdLost, required[i], lost[i])
		}
	}
}

// checkIndexes checks that what stands in a slab is found, and nothing else.
func checkIndexes(t *testing.T, e *Engine) {
	t.Helper()
	for i := range e.cells {
		d := &e.details[i]
		if at, ok := e.cellIndex.get(key{uint64(d.node), uint64(d.instrument)}); !ok || int(at) != i {
			t.Errorf("cell %d is found at %d (%v)", i, at, ok)
		}
		if class := e.instrumentRows[d.instrument].class; class != noIndex {
			at, ok := e.classIndex.get(key{uint64(d.node), uint64(class)})
			if ok != (d.class != noIndex) || ok && int32(at) != d.class {
				t.Errorf("cell %d is of class cell %d, want %d (%v)", i, d.class, at, ok)
			}
		}
	}
	listed := 0
	for i := range e.instrumentRows {
		for at := e.instrumentRows[i].firstCell; at != noIndex; at = e.details[at].next {
			listed++
		}
	}
	if listed != len(e.cells) || e.cellIndex.count != len(e.cells) || e.classIndex.count != len(e.classCells) ||
		e.selfIndex.count != len(e.selfBooks) || len(e.details) != len(e.cells) {
		t.Errorf("%d cells: %d listed, %d found, %d details; %d class cells: %d found; %d books: %d found", len(e.cells), listed,
			e.cellIndex.count, len(e.details), len(e.classCells), e.classIndex.count, len(e.selfBooks), e.selfIndex.count)
	}
	for i := range e.routes {
		rt := &e.routes[i]
		if at := e.route(&order.Request{
			Session: rt.sessionID, Account: rt.account, Trader: rt.trader, Strategy: rt.strategy, Instrument: rt.instrumentID,
		}); int(at) != i {
			t.Errorf("route %d is found at %d", i, at)
		}
		for level, n := range rt.nodes {
			if n != noIndex && e.details[rt.cells[level]].class != rt.classes[level] {
				t.Errorf("route %d level %d: class cell %d, its cell says %d", i, level, rt.classes[level],
					e.details[rt.cells[level]].class)
			}
		}
	}
}

// checkRungs checks that holders know how many of their limits were told.
func checkRungs(t *testing.T, e *Engine) {
	t.Helper()
	told := 0
	e.eachHolder(func(scope order.Scope, b *book) {
		own := 0
		for kind := LimitKind(1); kind < limitKinds; kind++ {
			if _, ok := e.rungs.get(rungKey(scope, kind)); ok {
				own++
			}
		}
		if own != int(b.told) {
			t.Errorf("%+v: %d limits were told, counted %d", scope, own, b.told)
		}
		told += own
	})
	if told != e.rungs.count {
		t.Errorf("%d rungs belong to somebody, %d are kept", told, e.rungs.count)
	}
}
