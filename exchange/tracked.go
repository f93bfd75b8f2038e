package exchange

import "tollgate/order"

// trackedOrders knows the orders that live at the venue, by OrderID and by the
// ClOrdIDs their session has given them.
type trackedOrders struct {
	orders []trackedOrder
	byID   table // item: place in orders
	byName table // item: place in orders × namesPerOrder + one of its names
	free   int32 // list of places to be used again; -1: none
	used   int32 // places below it were given out at least once
	live   int
}

type trackedOrder struct {
	id       order.OrderID
	execID   order.ExecID // newest report about it
	cumQty   order.Qty    // by that report
	session  order.SessionID
	nextFree int32
	named    uint32                // how many names it was ever given
	ages     [namesPerOrder]uint32 // of its names: the value of named then
}

func newTrackedOrders(limit int) trackedOrders {
	return trackedOrders{
		orders: make([]trackedOrder, limit),
		byID:   newTable(limit),
		byName: newTable(limit * namesPerOrder),
		free:   -1,
	}
}

func (t *trackedOrders) full() bool { return t.live == len(t.orders) }

// find returns the place of an order, or -1.
func (t *trackedOrders) find(id order.OrderID) int32 { return t.byID.find(key{id: uint64(id)}) }

// findNamed returns the place of the order that a session calls so, or -1.
func (t *trackedOrders) findNamed(session order.SessionID, name order.ClOrdID) int32 {
	item := t.byName.find(nameKey(session, name))
	if item < 0 {
		return -1
	}
	return item / namesPerOrder
}

func nameKey(session order.SessionID, name order.ClOrdID) key {
	return key{id: uint64(name), space: uint32(session)}
}

// add tracks an order; the caller has asked full. One that is tracked already is
// left as it is.
func (t *trackedOrders) add(id order.OrderID, session order.SessionID, name order.ClOrdID) {
	if id == 0 || t.find(id) >= 0 {
		return
	}
	at := t.free
	if at >= 0 {
		t.free = t.orders[at].nextFree
	} else {
		at = t.used
		t.used++
	}
	t.live++
	t.orders[at] = trackedOrder{id: id, session: session}
	t.byID.add(at, key{id: uint64(id)})
	t.addName(at, name)
}

// note takes what a report says is executed of an order, and reports false if the
// report is one that was said before a newer one. A refusal need not know the
// order, and its numbers are not looked at.
func (t *trackedOrders) note(at int32, r *order.Report) bool {
	switch r.Kind {
	case order.ReportRejected, order.ReportReplaceReject, order.ReportCancelReject:
		return true
	}
	o := &t.orders[at]
	if r.ExecID < o.execID {
		return false
	}
	o.execID, o.cumQty = r.ExecID, r.CumQty
	return true
}

// executed returns what is known to be executed of an order, 0 if the order is
// not tracked.
func (t *trackedOrders) executed(id order.OrderID) order.Qty {
	at := t.find(id)
	if at < 0 {
		return 0
	}
	return t.orders[at].cumQty
}

// addName makes the order known by one more ClOrdID. The oldest gives way if
// there are too many; a name that another live order has already stays that
// order's.
func (t *trackedOrders) addName(at int32, name order.ClOrdID) {
	o := &t.orders[at]
	k := nameKey(o.session, name)
	if name == 0 || t.byName.find(k) >= 0 {
		return
	}
	n := t.nameRoom(at)
	o.named++
	o.ages[n] = o.named
	t.byName.remove(at*namesPerOrder + n)
	t.byName.add(at*namesPerOrder+n, k)
}

// nameRoom returns which of the order's names the next one takes the place of:
// one that is free or else the oldest.
func (t *trackedOrders) nameRoom(at int32) int32 {
	oldest := int32(0)
	for n := range int32(namesPerOrder) {
		if t.byName.isFree(at*namesPerOrder + n) {
			return n
		}
		if t.orders[at].ages[n] < t.orders[at].ages[oldest] {
			oldest = n
		}
	}
	return oldest
}

// removeName forgets one name of the order.
func (t *trackedOrders) removeName(at int32, name order.ClOrdID) {
	item := t.byName.find(nameKey(t.orders[at].session, name))
	if item >= 0 && item/namesPerOrder == at {
		t.byName.remove(item)
	}
}

// remove forgets an order and its names.
func (t *trackedOrders) remove(at int32) {
	for n := range int32(namesPerOrder) {
		t.byName.remove(at*namesPerOrder + n)
	}
	t.byID.remove(at)
	t.orders[at] = trackedOrder{nextFree: t.free}
	t.free = at
	t.live--
}
