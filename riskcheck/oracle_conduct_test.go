package riskcheck_test

import (
	"math/big"
	"slices"

	"tollgate/order"
	"tollgate/riskcheck"
)

// ordersOfDay counts the accepted new orders and replaces of a scope's day, and
// sums their quantities.
func (o *oracle) ordersOfDay(s order.Scope) (count int64, qty *big.Int) {
	qty = new(big.Int)
	for i := range o.stamps {
		if st := &o.stamps[i]; !st.cancel && st.within(s) && st.moment > o.dayOf(s, st.instrument) {
			count++
			qty.Add(qty, num(int64(st.request.OrderQty)))
		}
	}
	return count, qty
}

// tradesOfDay counts the executions of a scope's day, and sums their quantities.
func (o *oracle) tradesOfDay(s order.Scope) (count, qty *big.Int) {
	return o.sumOfDay(s, func(t *turn) *big.Int { return t.trades }), o.sumOfDay(s, func(t *turn) *big.Int { return t.qty })
}

// ratio is ⌈(orders − trades) × 10,000 / trades⌉.
func ratio(orders, trades *big.Int) *big.Int {
	trades = larger(trades, one)
	return num(saturated(up(times(minus(orders, trades), basisUnit), trades)))
}

// orderToTrade is control 21, in number.
func (o *oracle) orderToTrade(c *judged) *refusal {
	return o.ordersPerTrade(c, limitOTR, order.ReasonOrderToTrade)
}

// orderToTradeVolume is control 21, in quantity. It need not be stated.
func (o *oracle) orderToTradeVolume(c *judged) *refusal {
	return o.ordersPerTrade(c, limitOTRVolume, order.ReasonOrderToTradeVolume)
}

func (o *oracle) ordersPerTrade(c *judged, kind limitName, reason order.Reason) *refusal {
	var found []candidate
	stated := kind == limitOTRVolume
	for _, s := range c.scopes(o.world.firm) {
		row := o.row(s, kind)
		if row == nil {
			continue
		}
		stated = true
		orders, ordered := o.ordersOfDay(s)
		trades, traded := o.tradesOfDay(s)
		if least, _ := o.limit(s, limitOTRMinimum); orders+1 <= least {
			continue
		}
		value := ratio(num(orders+1), trades)
		if kind == limitOTRVolume {
			value = ratio(plus(ordered, num(int64(c.request.OrderQty))), traded)
		}
		found = append(found, c.candidate(*row, value))
	}
	if !stated {
		return because(reason)
	}
	return tightest(reason, found)
}

// resting is a live order that a request could trade with.
type resting struct {
	*orderState
	market bool // it takes any price
	price  order.Price
}

// crossed lists the live orders of the same owner that a request would trade
// with, the most aggressive first.
func (o *oracle) crossed(c *judged) []resting {
	if c.request.OrdType == order.OrdTypeStop || c.request.OrdType == order.OrdTypeStopLimit {
		return nil
	}
	var out []resting
	for _, ord := range o.orders {
		if !ord.live() || ord == c.order || ord.isStop() || ord.side.IsBuy() == c.buy ||
			ord.instrument != c.request.Instrument || !o.sameOwner(ord.account, c.account) {
			continue
		}
		r := ord.mostAggressive()
		crosses := r.market || c.price == order.Null || c.buy && c.price >= r.price || !c.buy && c.price <= r.price
		if crosses {
			out = append(out, r)
		}
	}
	slices.SortStableFunc(out, func(a, b resting) int {
		switch {
		case a.market != b.market:
			if a.market {
				return -1
			}
			return 1
		case !a.market && a.price != b.price:
			if (a.price < b.price) == c.buy { // cheap sells, dear buys
				return -1
			}
			return 1
		}
		return int(a.id) - int(b.id)
	})
	return out
}

// sameOwner reports whether orders of two accounts must not meet.
func (o *oracle) sameOwner(id order.AccountID, a *accountRow) bool {
	if id == a.id {
		return true
	}
	other := o.world.account(id)
	return other != nil && a.selfMatch != 0 && other.selfMatch == a.selfMatch
}

// mostAggressive is an order at the version that trades the easiest.
func (ord *orderState) mostAggressive() resting {
	out := resting{ord, false, ord.acked.price}
	for _, v := range ord.versions() {
		switch {
		case v.price == order.Null:
			out.market = true
		case ord.side.IsBuy():
			out.price = max(out.price, v.price)
		case out.price != order.Null:
			out.price = min(out.price, v.price)
		}
	}
	return out
}

// selfMatch is control 22.
func (o *oracle) selfMatch(c *judged) *refusal {
	row := o.bound(c, limitSelfMatch)
	if row == nil {
		return because(order.ReasonSelfMatch)
	}
	hit := o.crossed(c)
	if row.value != selfMatchReject || len(hit) == 0 {
		return nil
	}
	price, against := int64(0), int64(0)
	if c.price != order.Null {
		price = int64(c.price)
	}
	if !hit[0].market {
		against = int64(hit[0].price)
	}
	return over(order.ReasonSelfMatch, *row, price, against)
}

// cancelCrossed cancels what an accepted request would trade with, if that is the
// policy. Their cancels go before it, so it takes the next number after them.
func (o *oracle) cancelCrossed(c *judged) {
	row := o.bound(c, limitSelfMatch)
	if row.value != selfMatchCancel {
		return
	}
	canceled := false
	for _, r := range o.crossed(c) {
		canceled = o.cancelUnasked(r.orderState, order.ReasonSelfMatch) || canceled
	}
	if canceled {
		o.seq++
		c.seq = o.seq
	}
}

// rejected is one refusal that counts towards control 23.
type rejected struct {
	identity
	at     int64
	moment int
}

// taken is something the venue took from a scope's orders.
type taken struct {
	identity
	moment int
}

// take notes that the venue took something: an order, a replace or a trade.
func (o *oracle) take(id identity) { o.taken = append(o.taken, taken{id, o.next()}) }

// countsAsReject reports whether a reason counts towards control 23.
func countsAsReject(r order.Reason) bool {
	switch r.Control() {
	case order.ControlKillSwitch, order.ControlRepeatedExecution, order.ControlConsecutiveRejects:
		return false
	}
	return r != order.ReasonVenueUnavailable && r != order.ReasonCapacity &&
		(r < order.ReasonTokenMissing || r > order.ReasonAdapterBacklog)
}

// countReject counts a refusal at every level there is, and latches those that
// have had enough.
func (o *oracle) countReject(id identity, reason order.Reason) {
	if !countsAsReject(reason) {
		return
	}
	o.rejects = append(o.rejects, rejected{id, o.now, o.next()})
	for _, s := range id.levels(o.world.firm) {
		limit, ok := o.limit(s, limitRejects)
		if !ok || limit == order.Unlimited {
			continue
		}
		window, ok := o.limit(s, limitRejectsWindow)
		if !ok {
			window = 1e9
		}
		least := o.rejectsInARow(s, window, o.rejectsFrom[s].since)
		most := o.rejectsInARow(s, window, o.rejectsEver[s])
		if least >= limit || most >= limit && o.engineSaysNext(s, func(a *riskcheck.Alert) bool {
			return a.Latch == riskcheck.LatchConsecutiveRejects
		}) {
			o.latch(s, riskcheck.LatchConsecutiveRejects)
		}
	}
}

// rejectsInARow counts the refusals of a scope within a window since the venue
// last took something from it, it was released, or a limit was stated. What was
// refused while another limit was stated may count, and need not.
func (o *oracle) rejectsInARow(s order.Scope, windowNs int64, stated int) int64 {
	since := max(o.releasedAt(s, riskcheck.LatchConsecutiveRejects), stated)
	for i := range o.taken {
		if t := &o.taken[i]; t.within(s) {
			since = max(since, t.moment)
		}
	}
	var n int64
	for i := range o.rejects {
		if r := &o.rejects[i]; r.moment > since && o.now-r.at < windowNs && r.within(s) {
			n++
		}
	}
	return n
}

// consecutiveRejects is control 23.
func (o *oracle) consecutiveRejects(c *judged) *refusal {
	if o.bound(c, limitRejects) == nil {
		return because(order.ReasonConsecutiveRejects)
	}
	if c.replace && !o.increases(c) {
		return nil
	}
	for _, s := range c.levels(o.world.firm) {
		if o.isLatched(s, riskcheck.LatchConsecutiveRejects) {
			limit, _ := o.limit(s, limitRejects)
			return withNumbers(order.ReasonConsecutiveRejects, s, limit, limit)
		}
	}
	return nil
}

// the values of policies.
const (
	shortForbidden  = 0
	shortLocate     = 1
	selfMatchReject = 1
	selfMatchCancel = 2
)
