package riskcheck_test

import (
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"strings"

	"tollgate/order"
	"tollgate/riskcheck"
)

// alertOrder says whether the order of an input's alerts is part of the rules.
type alertOrder bool

const (
	inOrder    alertOrder = true
	inAnyOrder alertOrder = false
)

// Comparing all that is used of limits costs more than everything else. A sparse
// run compares a share of it after each input, and some of it now and then.
const (
	sharesOfUse   = 8
	inputsToCheck = 16
)

// compare holds the effects of both against each other.
func (d *duel) compare(alerts alertOrder) {
	d.t.Helper()
	d.inputs++
	got, want := engineEvents(d.engine, testKey()), d.oracle.out
	d.remember(func() string { return "   -> " + strings.Join(d.texts(got), "\n       -> ") })
	if len(got) == 0 {
		d.script = d.script[:len(d.script)-1]
	}
	if !d.sameEvents(got, want, alerts) {
		d.fail("effects differ\nengine:\n  %s\noracle:\n  %s%s", strings.Join(d.texts(got), "\n  "),
			strings.Join(d.texts(want), "\n  "), unseen(got, want))
		return
	}
	for i := range got {
		d.observe(&got[i])
	}
	if got := d.engine.ConfigVersion(); got != d.oracle.version {
		d.fail("config version is %d, want %d", got, d.oracle.version)
	}
	d.compareTwin()
	d.compareUse()
}

// sameEvents compares what the loop around the engine is asked for, and apart
// from that whom is told what: that comes last.
func (d *duel) sameEvents(got, want []event, alerts alertOrder) bool {
	told := func(e event) bool { return e.kind == eventAlert }
	first := slices.IndexFunc(got, told)
	if first >= 0 && slices.ContainsFunc(got[first:], func(e event) bool {
		return e.kind == eventAnswer || e.kind == eventVerdict || e.kind == eventFence
	}) {
		return false
	}
	var parts [2][]event
	var texts, loose [2][]string // alerts in their order, and those that have none
	for k, events := range [2][]event{got, want} {
		for i := range events {
			switch e := &events[i]; {
			case !told(*e):
				parts[k] = append(parts[k], e.essence())
			case alerts == inAnyOrder || ofRevaluation(&e.alert):
				loose[k] = append(loose[k], d.roll.render(e))
			default:
				texts[k] = append(texts[k], d.roll.render(e))
			}
		}
		slices.Sort(loose[k])
	}
	return slices.Equal(parts[0], parts[1]) && slices.Equal(texts[0], texts[1]) && slices.Equal(loose[0], loose[1])
}

// ofRevaluation reports whether an alert comes from limits that ended or from what
// positions are worth: those have no order.
func ofRevaluation(a *riskcheck.Alert) bool {
	return a.Cause == riskcheck.AlertReverted || ofLoss(a)
}

// unseen prints the fields in which the first two events that differ do so.
func unseen(got, want []event) string {
	for i := range min(len(got), len(want)) {
		a, b := got[i].essence(), want[i].essence()
		for _, parts := range [][2]any{{a.verdict, b.verdict}, {a.answer, b.answer}} {
			if parts[0] != parts[1] {
				return differingFields(parts[0], parts[1])
			}
		}
		if a != b {
			return differingFields(a, b)
		}
	}
	return ""
}

func differingFields(got, want any) string {
	text := ""
	a, b := reflect.ValueOf(got), reflect.ValueOf(want)
	for i := range a.NumField() {
		if x, y := fmt.Sprintf("%+v", a.Field(i)), fmt.Sprintf("%+v", b.Field(i)); x != y {
			text += fmt.Sprintf("\n%s: engine %s, oracle %s", a.Type().Field(i).Name, x, y)
		}
	}
	return text
}

// texts renders events with the parts that scripts leave out.
func (d *duel) texts(events []event) []string {
	var out []string
	for i := range events {
		out = append(out, d.full(&events[i]))
	}
	return out
}

// full renders an event with the parts that scripts leave out.
func (d *duel) full(e *event) string {
	text := d.roll.render(e)
	switch e.kind {
	case eventVerdict:
		return fmt.Sprintf("%s expires %s group %d", text, clockText(e.verdict.Token.Expiry), e.verdict.Group)
	case eventAnswer:
		return fmt.Sprintf("%s config %d exec %d time %s", text, e.answer.ConfigVersion, e.answer.ExecID,
			clockText(e.answer.TransactTime))
	}
	return text
}

// observe is what venue and clients make of an effect.
func (d *duel) observe(e *event) {
	switch e.kind {
	case eventVerdict:
		if d.venue != nil {
			d.venue.take(e.verdict)
		}
	case eventAnswer:
		d.counts[e.answer.Decision.Reason]++
		l := d.ledger[e.session]
		if l == nil {
			return
		}
		if e.outSeq != l.outSeq+1 {
			d.fail("stream of %s has a gap: %d follows %d", d.roll.session(e.session), e.outSeq, l.outSeq)
		}
		l.outSeq = e.outSeq
		l.answers = append(l.answers, e.answer)
		if ref := e.answer.Ref; ref != 0 {
			if l.finals[ref] {
				d.fail("%s: ref %d was answered twice", d.roll.session(e.session), ref)
			}
			l.finals[ref] = true
		}
	}
}

// compareTwin demands that two engines that were given the same are equal, down
// to the bytes of the tokens.
func (d *duel) compareTwin() {
	if d.twin == nil {
		return
	}
	a, b := engineEvents(d.engine, testKey()), engineEvents(d.twin, testKey())
	if !slices.Equal(a, b) {
		d.fail("twins differ\none: %+v\nother: %+v", a, b)
	}
	if d.isTurn() && d.engine.StateHash() != d.twin.StateHash() {
		d.fail("the twins' states differ")
	}
}

func (d *duel) isTurn() bool { return !d.sparse || d.inputs%inputsToCheck == 0 }

// compareUse holds what is used of limits against a fresh sum of everything.
func (d *duel) compareUse() {
	live := d.oracle.reservations()
	holders := d.oracle.world.holders()
	for i, s := range holders {
		if d.failed || d.sparse && i%sharesOfUse != d.inputs%sharesOfUse {
			continue
		}
		d.compareUsage(s, d.oracle.measure(live, s))
		d.compareDay(s)
	}
	d.compareLatches()
	if !d.failed && d.isTurn() {
		d.compareAccounts(live)
		d.compareOrders(live)
		d.compareSessions()
		d.comparePrices()
	}
}

func (d *duel) compareUsage(s order.Scope, want *measured) {
	u, ok := d.engine.Usage(s)
	if !ok {
		d.fail("usage of %s: the engine does not know the scope", d.roll.scope(s))
		return
	}
	d.notNegative(s, &u)
	d.oracle.valuePositions(want, s)
	same := u.OpenOrders == want.orders && d.engine.OpenOrders(s) == want.orders &&
		equal(u.OpenBuyNotional, want.buyValue) && equal(u.OpenSellNotional, want.sellValue) &&
		u.Overflown == want.overflown()
	if !u.Overflown {
		same = same && equal(u.GrossValue, want.gross) && equal(u.NetValue, want.net)
	}
	if s.Instrument != 0 || s.Class != 0 {
		same = same && int64(u.OpenBuyQty) == saturated(want.buyQty) && int64(u.OpenSellQty) == saturated(want.sellQty) &&
			equal(u.Net(), want.position()) && equal(u.FilledBuyQty, want.boughtQty) &&
			equal(u.FilledSellQty, want.soldQty) && equal(u.CarriedQty, want.carried)
	}
	if !same {
		d.fail("usage of %s differs\nengine: %+v\noracle: %v", d.roll.scope(s), u, want)
	}
}

func equal[T ~int64](got T, want *big.Int) bool { return want.IsInt64() && want.Int64() == int64(got) }

// compareDay compares what counts since the day began.
func (d *duel) compareDay(s order.Scope) {
	got, ok := d.engine.DayUse(s)
	if !ok {
		d.fail("use of the day of %s: the engine does not know the scope", d.roll.scope(s))
		return
	}
	o, want := d.oracle, riskcheck.DayUse{}
	orders, ordered := o.ordersOfDay(s)
	trades, traded := o.tradesOfDay(s)
	want.Orders, want.Trades = orders, saturated(trades)
	want.Executed = order.Money(saturated(o.executed(s)))
	want.MinuteAdded = order.Money(saturated(o.minuteAdded(s)))
	if s.Instrument != 0 || s.Class != 0 {
		want.OrderedQty, want.ExecutedQty = order.Qty(saturated(ordered)), order.Qty(saturated(traded))
	} else {
		want.Messages, want.OrdersAndCancels = o.accepted(s, 0, 0, false), o.accepted(s, 0, 0, true)
		profit, ok := o.profit(s)
		if want.Valued = ok; ok {
			want.Profit, want.Peak = order.Money(saturated(profit)), order.Money(saturated(o.base(s).peak))
		} else {
			got.Profit, got.Peak = 0, 0 // not known
		}
	}
	if s.Type == order.ScopeStrategy && s.Instrument == 0 && s.Class == 0 {
		want.Executions = o.executions(s)
	}
	got.Rejects = 0
	if o.row(s, limitTurnoverMinute) == nil {
		got.MinuteAdded, want.MinuteAdded = 0, 0 // nobody asks
	}
	if got != want {
		d.fail("use of the day of %s differs\nengine: %+v\noracle: %+v", d.roll.scope(s), got, want)
	}
}

// compareLatches compares which scopes are stopped.
func (d *duel) compareLatches() {
	var got, want []string
	for _, l := range d.engine.Latched() {
		got = append(got, d.roll.scope(l.Scope)+" "+l.Latch.String())
	}
	for _, l := range d.oracle.latched {
		want = append(want, d.roll.scope(l.scope)+" "+l.latch.String())
	}
	for _, s := range d.engine.Killed() {
		got = append(got, d.roll.scope(s)+" killed")
	}
	for _, s := range d.oracle.killed {
		want = append(want, d.roll.scope(s)+" killed")
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		d.fail("stopped scopes differ\nengine: %s\noracle: %s", strings.Join(got, ", "), strings.Join(want, ", "))
	}
}

// compareAccounts compares cash, margin and located quantities.
func (d *duel) compareAccounts(live []reservation) {
	for i := range d.world.accounts {
		a := &d.world.accounts[i]
		got, ok := d.engine.AccountUse(a.id)
		cash, equity := d.oracle.equity(a.id)
		valued := d.oracle.allValued(accountScope(a.id))
		same := ok && got.Valued == valued && equal(got.Cash, cash)
		if valued {
			same = same && equal(got.Equity, equity) && equal(got.Required, d.oracle.required(live, a, nil))
		}
		if !same {
			d.fail("cash of account %s differs\nengine: %+v\noracle: cash %v equity %v required %v valued %v",
				d.roll.account(a.id), got, cash, equity, d.oracle.required(live, a, nil), valued)
			return
		}
		for k := range d.world.instruments {
			id := d.world.instruments[k].id
			located, shorted := d.engine.Locate(a.id, id)
			want := d.oracle.shorted(live, a.id, id)
			if located != d.oracle.located(a.id, id) || !equal(shorted, want) {
				d.fail("short sales of %s in %s differ: engine located %v shorted %v, oracle located %v shorted %v",
					d.roll.account(a.id), d.roll.instrument(id), located, shorted, d.oracle.located(a.id, id), want)
				return
			}
		}
	}
}

// compareOrders compares every live order and what it reserves.
func (d *duel) compareOrders(live []reservation) {
	got := map[order.OrderID]riskcheck.OrderState{}
	firm := order.Scope{Type: order.ScopeFirm, ID: d.world.firm}
	d.engine.LiveOrders(firm, func(s *riskcheck.OrderState) bool {
		got[s.ID] = *s
		return true
	})
	for _, r := range live {
		s, ok := got[r.id]
		want := riskcheck.OrderState{
			ID: r.id, ClOrdID: r.acked.clOrdID, Session: r.session, Account: r.account, Trader: r.trader,
			Strategy: r.strategy, Instrument: r.instrument, Side: r.side, OrdType: r.ordType, TimeInForce: r.tif,
			Status: r.status, OrderQty: r.acked.qty, CumQty: r.cum, Price: r.acked.price, StopPx: s.StopPx,
			ReservedQty: order.Qty(saturated(r.qty)), ReservedNotional: order.Money(saturated(r.value.firm)),
			ReservedNotionalAccount: order.Money(saturated(r.value.account)),
			PendingReplaces:         len(r.pending), PendingCancels: len(r.cancels), ConfigVersion: s.ConfigVersion,
		}
		if one, known := d.engine.Order(r.id); !known || one != s {
			d.fail("order %d is %+v alone and %+v among others", r.id, one, s)
		}
		if !ok || s != want {
			d.fail("live order %d differs\nengine: %+v\noracle: %+v", r.id, s, want)
			return
		}
		delete(got, r.id)
	}
	for id := range got {
		d.fail("the engine says order %d lives", id)
	}
}

// compareSessions compares what the sessions are told at a login.
func (d *duel) compareSessions() {
	for _, got := range d.engine.Sessions() {
		s := d.oracle.session(got.ID)
		live := d.oracle.liveOrders(func(ord *orderState) bool { return ord.session == got.ID })
		if s == nil || got.NextRef != s.nextRef || got.NextOutSeq != uint64(len(s.answers))+1 ||
			got.Connected != (s.connection != 0) || got.LiveOrders != len(live) {
			d.fail("session %s is %+v, want next ref %d, %d answers, connection %d and %d live orders",
				d.roll.session(got.ID), got, s.nextRef, len(s.answers), s.connection, len(live))
		}
	}
}

// comparePrices compares the reference prices in force.
func (d *duel) comparePrices() {
	for i := range d.world.instruments {
		row := &d.world.instruments[i]
		want, known := d.oracle.reference(row)
		got, ok := d.engine.ReferencePrice(row.id)
		if ok != known || ok && got != want {
			d.fail("reference price of %s: engine %v %v, oracle %v %v", d.roll.instrument(row.id), got, ok, want, known)
		}
	}
}
