package riskcheck_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// mutant is one planted bug: a change of the text of one file. TestMutants, which
// `make test-mutation` runs, proves that the scripts and the property test catch it.
type mutant struct {
	name string
	what string // what goes wrong
	file string // from this folder
	old  string // stands in the file exactly once
	new  string
}

// plant returns the text of the mutant's file with the bug in it.
func (m *mutant) plant() (string, error) {
	text, err := os.ReadFile(m.file)
	if err != nil {
		return "", err
	}
	if n := strings.Count(string(text), m.old); n != 1 {
		return "", fmt.Errorf("%s has the text %d times that the mutant %q changes, want it once:\n%s", m.file, n,
			m.name, m.old)
	}
	return strings.Replace(string(text), m.old, m.new, 1), nil
}

// TestMutantsAreCurrent holds the planted bugs to the code as it is: each of them
// still finds its place.
func TestMutantsAreCurrent(t *testing.T) {
	seen := map[string]bool{}
	for i := range mutants {
		m := &mutants[i]
		if _, err := m.plant(); err != nil {
			t.Error(err)
		}
		if seen[m.name] || m.name == "" || m.what == "" || m.old == m.new {
			t.Errorf("the mutant %q is there twice, is not described, or changes nothing", m.name)
		}
		seen[m.name] = true
	}
}

// mutants are the bugs a risk engine is feared for. Some are those of incidents,
// most are one comparison or one line of the rules turned around.
var mutants = []mutant{
	{
		name: "double release", what: "what an order has reserved is released twice when it ends",
		file: "exposure.go",
		old:  `	e.reserve(o, -1, -o.reservedQty, amounts{-o.reserved[firmMoney], -o.reserved[accountMoney]})`,
		new: `	qty, notional := -o.reservedQty, amounts{-o.reserved[firmMoney], -o.reserved[accountMoney]}
	e.reserve(o, -1, qty, notional)
	e.reserve(o, 0, qty, notional)`,
	},
	{
		name: "ends twice", what: "an order that has ended ends again with the next report of its end",
		file: "report.go",
		old: `	if o.status.Terminal() {
		return
	}
	o.status = status`,
		new: `	o.status = status`,
	},
	{
		name: "rate window", what: "a message leaves its window one nanosecond late",
		file: "window.go",
		old:  `return now-p.stamps[w.place(w.newest-n+1)] < periodNs`,
		new:  `return now-p.stamps[w.place(w.newest-n+1)] <= periodNs`,
	},
	{
		name: "measured late", what: "the request that takes the number of open orders over its limit passes unseen",
		file: "measure.go",
		old:  `	if int64(b.openOrders)+1 >= first[LimitOpenOrders] {`,
		new:  `	if int64(b.openOrders)+1 > first[LimitOpenOrders] {`,
	},
	{
		name: "no room seen", what: "positions that do not fit count as measured",
		file: "measure.go",
		old:  `		fits = fits && ok && e.measureHolder(c, at, `,
		new:  `		fits = fits && (ok || !ok) && e.measureHolder(c, at, `,
	},
	{
		name: "netted", what: "open sells are netted against open buys in the worst case of a position",
		file: "exposure.go",
		old:  `return b.position, b.openBuyQty`,
		new:  `return b.position, max(0, b.openBuyQty-b.openSellQty)`,
	},
	{
		name: "wrapped product", what: "a value that does not fit is cut to its low bits and taken",
		file: "../order/units.go",
		old: `	if over != 0 || carry != 0 || hi >= notionalScale {
		return 0, false, false
	}
	q, r := bits.Div64(hi, lo, notionalScale)
	return Money(q), r != 0, q <= math.MaxInt64`,
		new: `	_, _ = over, carry
	q, r := bits.Div64(hi%notionalScale, lo, notionalScale)
	return Money(q & math.MaxInt64), r != 0, true`,
	},
	{
		name: "cut product", what: "price × quantity × multiplier is cut to 128 bits",
		file: "../order/units.go",
		old:  `over != 0 || carry != 0 || hi >=`,
		new:  `over+carry < 0 || hi >=`,
	},
	{
		name: "stale reference", what: "a reference price is good whatever its age",
		file: "evaluate.go",
		old:  ` && in.ReferenceMaxAgeNs > 0 && e.now-p.time <= in.ReferenceMaxAgeNs {`,
		new:  ` {`,
	},
	{
		name: "replace credited early", what: "a reservation falls when a replace is sent, not when it is acknowledged",
		file: "exposure.go",
		old:  `	w.widen(&o.acked, o.leaves(&o.acked), mult)`,
		new: `	if extra == nil && o.replaces == 0 {
		w.widen(&o.acked, o.leaves(&o.acked), mult)
	}`,
	},
	{
		name: "latch lost by the day", what: "a day roll releases what is latched",
		file: "state.go",
		old:  `		n.dayBase, n.peak = n.profit(), 0`,
		new: `		n.dayBase, n.peak = n.profit(), 0
		n.latched = 0`,
	},
	{
		name: "latch lost by the venue", what: "a venue that comes back releases what is latched",
		file: "venue.go",
		old:  `	e.redriveAll()`,
		new: `	e.eachHolder(func(_ order.Scope, b *book) { b.latched = 0 })
	e.routeVersion++
	e.redriveAll()`,
	},
	{
		name: "latch lost by reference data", what: "new reference data release what is latched",
		file: "apply.go",
		old:  `	e.forgetKnown()`,
		new: `	e.forgetKnown()
	e.eachHolder(func(_ order.Scope, b *book) { b.latched = 0 })`,
	},
	{
		name: "kill misses pending orders", what: "a kill leaves orders alone that the venue has not acknowledged",
		file: "kill.go",
		old:  `if e.within(o, scope) {`,
		new:  `if o.status != order.OrdStatusPendingNew && e.within(o, scope) {`,
	},
	{
		name: "exchanged for the client", what: "amounts in another currency are rounded down",
		file: "fx.go",
		old:  `	if up && r != 0 {`,
		new:  `	if !up && r > q {`,
	},
	{
		name: "executed twice", what: "an ExecID that is known is booked again",
		file: "execution.go",
		old: `	if x.find(id, exec) != nil {
		return nil, false
	}`,
		new: ``,
	},
	{
		name: "late fill dropped", what: "an execution after the order's end is told and not booked",
		file: "report.go",
		old: `	if r.LastQty > 0 {
		x.booked = e.valueFill(`,
		new: `	if r.LastQty > 0 && !ended {
		x.booked = e.valueFill(`,
	},
	{
		name: "request repeated", what: "a request that comes again under its number is taken again",
		file: "request.go",
		old:  `	if r.Ref != s.nextRef {`,
		new:  `	if r.Ref > s.nextRef {`,
	},
	{
		name: "heap loses orders", what: "of the orders below the most aggressive one, one stays when that one leaves",
		file: "selfmatch.go",
		old:  `		*root = e.pairUp(o.self.child)`,
		new: `		*root = o.self.child
		if *root != 0 {
			e.orders.orders[*root-1].self.next = 0
		}`,
	},
	{
		name: "list stays counted", what: "a list that is refused leaves its orders counted for the day",
		file: "request.go",
		old:  `		n.dayUsed += int64(sign)`,
		new:  `		n.dayUsed += int64(max(0, sign))`,
	},
	{
		name: "bust twice", what: "the same execution can be taken back again and again",
		file: "report.go",
		old: `		b := x.booked
		x.booked = booked{}
		return b, b.qty > 0`,
		new: `		return x.booked, x.qty > 0`,
	},
	{
		name: "peak of yesterday", what: "the drawdown is counted from the peak of an earlier day",
		file: "state.go",
		old:  `		n.dayBase, n.peak = n.profit(), 0`,
		new:  `		n.dayBase = n.profit()`,
	},
	{
		name: "duplicates by session", what: "the same order of an account through two sessions is no duplicate",
		file: "duplicate.go",
		old:  `account: r.Account, instrument`,
		new:  `account: order.AccountID(r.Session), instrument`,
	},
	{
		name: "locate kept", what: "what a canceled short sale had located is not given back",
		file: "exposure.go",
		old:  `	if o.side.IsShort() {`,
		new:  `	if o.side.IsShort() && o.status != order.OrdStatusCanceled {`,
	},
	{
		name: "minute of 59 seconds", what: "the oldest second of a minute's turnover is forgotten early",
		file: "window.go",
		old:  `		sum := &m.sums[m.second%int64(len(m.sums))]`,
		new:  `		sum := &m.sums[(m.second+1)%int64(len(m.sums))]`,
	},
	{
		name: "minute not counted", what: "a minute's turnover that is bounded by the end of a temporary limit is not counted",
		file: "applylimits.go",
		old:  `		e.setProfile(h, &p)`,
		new:  `		h.profile = e.internProfile(&p)`,
	},
	{
		name: "another's position", what: "under a latch an order is judged by the position of the firm",
		file: "kill.go",
		old:  `!c.books[positionHolder(at)].reduces(side, add)`,
		new:  `!c.books[instrumentHolder].reduces(side, add)`,
	},
	{
		name: "temporary for ever", what: "a temporary limit stays when its time is over",
		file: "applylimits.go",
		old:  `		p.state(&l, l.Then)`,
		new:  `		p.state(&l, l.Value)`,
	},
	{
		name: "class counts twice", what: "an execution counts twice in the position of its class",
		file: "fill.go",
		old:  `e.classCells[i].move(side, sign*b.qty)`,
		new:  `e.classCells[i].move(side, 2*sign*b.qty)`,
	},
	{
		name: "class begins at nothing", what: "a limit stated for a class does not see what is held of it already",
		file: "classes.go",
		old:  `	e.addUp(&c)`,
		new:  ``,
	},
	{
		name: "bought at a negative price", what: "who buys at a negative price is taken to have paid",
		file: "fill.go",
		old:  `	pays := side.IsBuy() == (px >= 0)`,
		new:  `	pays := side.IsBuy()`,
	},
	{
		name: "collar turned", what: "a sell is held to the band above the reference price",
		file: "evaluate.go",
		old:  `	if r.Side.IsBuy() != above {`,
		new:  `	if !above {`,
	},
	{
		name: "restored without generations", what: "after a restart a ClOrdID names no order, or another one",
		file: "snapshotorders.go",
		old:  `	halves(t, &o.generation)` + "\n",
		new:  ``,
	},
	{
		name: "restored with a short memory", what: "a snapshot leaves out recent orders that a longer window would count",
		file: "snapshot.go",
		old:  `e.recentInUse(duplicateWindowMaxNs)`,
		new:  `e.recentInUse(e.recent.horizonNs)`,
	},
	{
		name: "restored without locates", what: "a snapshot leaves out what an account may sell short",
		file: "snapshotrecords.go",
		old:  `words(t, &s.located, &s.open, &s.executed)`,
		new:  `words(t, &s.open, &s.executed)`,
	},
	{
		name: "restored without days", what: "after a restart a busted execution takes nothing from the counts of its day",
		file: "snapshotrecords.go",
		old:  `	halves(t, &x.day, &x.calendar)` + "\n",
		new:  ``,
	},
	{
		name: "restored with small windows", what: "after a restart a window forgets stamps that still count",
		file: "snapshotholders.go",
		old:  `halves(t, &w.limit, &w.most, &w.held)`,
		new:  `halves(t, &w.limit, &w.held)`,
	},
	{
		name: "restored from the start of a replace", what: "after a restart it is not known what was executed before a replace",
		file: "snapshotrecords.go",
		old:  `	words(t, &p.cumAt)` + "\n",
		new:  ``,
	},
	{
		name: "restored without heaps", what: "after a restart orders of the same owner meet",
		file: "snapshotorders.go",
		old:  `			e.enterSelf(int32(i))`,
		new:  ``,
	},
}
