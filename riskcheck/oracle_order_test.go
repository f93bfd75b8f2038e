package riskcheck_test

import (
	"math/big"

	"tollgate/order"
)

// terms is one version of an order's quantity and price.
type terms struct {
	seq     uint64 // of the request that brought it
	ref     uint64
	clOrdID order.ClOrdID
	orig    order.ClOrdID
	qty     order.Qty
	price   order.Price // what the venue has; Null: a market or stop order
	worst   order.Price // what it is valued at
	mult    order.Multiplier
	rates   rates
	open    bool      // qty − from is what is to be open, whatever trades meanwhile
	from    order.Qty // what had been executed when it was accepted
	config  uint64    // limits it was judged under
	verdict order.Verdict
}

type cancelState struct {
	seq     uint64
	ref     uint64 // 0: nobody asked by ref
	clOrdID order.ClOrdID
	orig    order.ClOrdID
	config  uint64
	why     order.Reason // what the client is told of a cancel it did not ask for
	verdict order.Verdict
}

type orderState struct {
	identity
	id      order.OrderID
	side    order.Side
	ordType order.OrdType // as the client sent it
	tif     order.TimeInForce
	first   terms // as it was accepted
	isAcked bool  // the venue has answered the new order
	acked   terms // what the venue is known to work
	pending []terms
	cancels []cancelState
	names   []order.ClOrdID
	cum     order.Qty
	execs   []order.ExecID
	status  order.OrdStatus
	ended   int // as which of all orders it was over; 0: it is not
}

func (ord *orderState) live() bool { return !ord.status.Terminal() }

func (ord *orderState) isStop() bool {
	return ord.ordType == order.OrdTypeStop || ord.ordType == order.OrdTypeStopLimit
}

func (ord *orderState) isShort() bool { return isShort(ord.side) }

// isShort reports whether a sell is marked short.
func isShort(s order.Side) bool { return s == order.SideSellShort || s == order.SideSellShortExempt }

func (ord *orderState) versions() []terms {
	return append([]terms{ord.acked}, ord.pending...)
}

// leaves is what of a version is still to trade when cum has traded.
func (t *terms) leaves(cum order.Qty) *big.Int {
	if t.open {
		cum = t.from
	}
	return floorZero(minus(num(int64(t.qty)), num(int64(cum))))
}

// reservation is what one live order holds: the worst over the versions the
// venue may be working.
type reservation struct {
	*orderState
	qty   *big.Int
	value inBoth
}

func (ord *orderState) reserved() reservation {
	out := reservation{ord, new(big.Int), nothing()}
	if !ord.live() {
		return out
	}
	for _, v := range ord.versions() {
		leaves := v.leaves(ord.cum)
		value := v.rates.worth(v.worst, leaves, v.mult)
		out.qty = larger(out.qty, leaves)
		out.value.firm = larger(out.value.firm, value.firm)
		out.value.account = larger(out.value.account, value.account)
	}
	return out
}

// reservations lists what every live order holds.
func (o *oracle) reservations() []reservation {
	var out []reservation
	for _, ord := range o.orders {
		if ord.live() {
			out = append(out, ord.reserved())
		}
	}
	return out
}

func (o *oracle) order(id order.OrderID) *orderState {
	for _, ord := range o.orders {
		if ord.id == id {
			return ord
		}
	}
	return nil
}

// named finds the order of a session that a ClOrdID means. A name of an earlier
// day may have been given again.
func (o *oracle) named(s order.SessionID, name order.ClOrdID) *orderState {
	for i := len(o.orders) - 1; i >= 0; i-- {
		if ord := o.orders[i]; ord.session == s && in(name, ord.names) {
			return ord
		}
	}
	return nil
}

// noteEndings numbers the orders that ended and about which the venue owes no
// answer, in the order in which they came to that.
func (o *oracle) noteEndings() {
	for _, ord := range o.orders {
		switch {
		case ord.live() || len(ord.pending) > 0 || len(ord.cancels) > 0:
			ord.ended = 0
		case ord.ended == 0:
			o.endings++
			ord.ended = o.endings
		}
	}
}

// forgottenName is a ClOrdID of an order that made room for another.
type forgottenName struct {
	session order.SessionID
	name    order.ClOrdID
}

// unanswerable is a request that can have no final answer any more: its order
// ended before the venue said that it had it, and was forgotten.
type unanswerable struct {
	session order.SessionID
	ref     uint64
}

// spare finds the order that would be forgotten first to make room: the one that
// has been over for longest.
func (o *oracle) spare() int {
	best := -1
	for i, ord := range o.orders {
		if ord.ended != 0 && (best < 0 || ord.ended < o.orders[best].ended) {
			best = i
		}
	}
	return best
}

// makeRoom forgets an order that ended if the table is full.
func (o *oracle) makeRoom() {
	if len(o.orders) >= o.bounds.orders {
		i := o.spare()
		gone := o.orders[i]
		if !gone.isAcked {
			o.unanswerable = append(o.unanswerable, unanswerable{gone.session, gone.first.ref})
		}
		for _, name := range gone.names {
			o.forgotten = append(o.forgotten, forgottenName{gone.session, name})
		}
		for _, exec := range gone.execs {
			o.unknown = append(o.unknown, execution{gone.id, exec})
		}
		o.orders = append(append([]*orderState{}, o.orders[:i]...), o.orders[i+1:]...)
	}
}

// full reports whether a bound stands in the way of a new order or replace.
func (o *oracle) full(c *judged) bool {
	if o.clOrdIDs() >= o.bounds.clOrdIDs {
		return true
	}
	if c.order != nil {
		return false // a replace of an order that has its place
	}
	return len(o.orders) >= o.bounds.orders && o.spare() < 0 ||
		c.resolved() && !in(c.identity, o.routes) && len(o.routes) >= o.bounds.routes
}

// clOrdIDs counts the ClOrdIDs that are used.
func (o *oracle) clOrdIDs() int {
	n := 0
	for _, s := range o.sessions {
		n += len(s.used)
	}
	return n
}

// describe fills in the state of an order.
func (o *oracle) describe(a *order.Answer, ord *orderState) {
	a.OrderID, a.OrdStatus, a.CumQty = ord.id, ord.status, ord.cum
	a.Account, a.Trader, a.Instrument, a.Side = ord.account, ord.trader, ord.instrument, ord.side
	a.OrderQty, a.Price = ord.acked.qty, ord.acked.price
	if ord.live() {
		a.LeavesQty = max(0, ord.acked.qty-ord.cum)
	}
}

// cancelsAsked counts the cancels under way that a client asked for.
func (ord *orderState) cancelsAsked() int {
	n := len(ord.cancels)
	if ord.ownCancel() != nil {
		n--
	}
	return n
}

// ownCancel is a cancel under way that nobody asked for by ref. It will be
// answered, or sent again, so another would add nothing.
func (ord *orderState) ownCancel() *cancelState {
	for i := range ord.cancels {
		if ord.cancels[i].ref == 0 {
			return &ord.cancels[i]
		}
	}
	return nil
}

// takePending takes the replace that a report answers.
func (ord *orderState) takePending(seq uint64) (terms, bool) {
	for i, p := range ord.pending {
		if p.seq == seq {
			ord.pending = append(append([]terms{}, ord.pending[:i]...), ord.pending[i+1:]...)
			return p, true
		}
	}
	return terms{}, false
}

// takeCancel takes the cancel that a report answers.
func (ord *orderState) takeCancel(seq uint64) (cancelState, bool) {
	for i, c := range ord.cancels {
		if c.seq == seq {
			ord.cancels = append(append([]cancelState{}, ord.cancels[:i]...), ord.cancels[i+1:]...)
			return c, true
		}
	}
	return cancelState{}, false
}

// answerFirst returns the ref of the new order if the venue answers it now.
func (ord *orderState) answerFirst() uint64 {
	if ord.isAcked {
		return 0
	}
	ord.isAcked = true
	return ord.first.ref
}

// restate brings the status up to date after quantity, executions or what is
// pending changed. An order that is executed and may still grow by a pending
// replace is not filled yet.
func (ord *orderState) restate() {
	executed, grows := ord.cum >= ord.acked.qty, false
	for _, p := range ord.pending {
		grows = grows || p.leaves(ord.cum).Sign() > 0
	}
	switch {
	case ord.status == order.OrdStatusFilled && !executed && ord.cum > 0:
		ord.status = order.OrdStatusPartiallyFilled
	case ord.status == order.OrdStatusFilled && !executed:
		ord.status = order.OrdStatusNew
	case ord.live() && executed && grows:
		ord.status = order.OrdStatusPendingReplace
	case ord.live() && executed:
		ord.status = order.OrdStatusFilled
	case ord.live() && ord.cum > 0:
		ord.status = order.OrdStatusPartiallyFilled
	case ord.status == order.OrdStatusPendingReplace || ord.status == order.OrdStatusPartiallyFilled:
		ord.status = order.OrdStatusNew
	}
}
