package riskcheck_test

import (
	"math/big"

	"tollgate/order"
	"tollgate/riskcheck"
)

// report is what the venue says. Reports count once and in their order.
func (o *oracle) report(now int64, r *order.Report) {
	defer o.begin(now)()
	if r.ReportSeq < o.nextSeen {
		return
	}
	if r.ReportSeq > o.nextSeen {
		o.emit(event{kind: eventReportsFrom, ref: o.nextSeen})
		return
	}
	o.nextSeen++
	defer o.noteEndings()
	if ord := o.order(r.OrderID); ord != nil {
		o.aboutOrder(ord, r)
	} else {
		o.unknownOrder(r)
	}
	o.judgeLosses(false)
}

func (o *oracle) aboutOrder(ord *orderState, r *order.Report) {
	switch r.Kind {
	case order.ReportNew:
		o.venueNew(ord, r)
	case order.ReportRejected:
		o.venueRejected(ord, r)
	case order.ReportReplaced:
		o.venueReplaced(ord, r)
	case order.ReportReplaceReject:
		o.venueReplaceReject(ord, r)
	case order.ReportCanceled:
		o.venueEnded(ord, r, order.ExecTypeCanceled, order.OrdStatusCanceled)
	case order.ReportExpired:
		o.venueEnded(ord, r, order.ExecTypeExpired, order.OrdStatusExpired)
	case order.ReportCancelReject:
		o.venueCancelReject(ord, r)
	case order.ReportTrade:
		o.venueTrade(ord, r)
	case order.ReportTradeCancel, order.ReportTradeCorrect:
		o.venueChangesTrade(ord, r)
	case order.ReportRestated:
		o.venueRestated(ord, r)
	}
}

// execution answers with the state an order has after an event.
func (o *oracle) execution(ord *orderState, r *order.Report, t order.ExecType, ref, config uint64) {
	a := order.Answer{
		Kind: order.AnswerExecution, ExecType: t, Ref: ref, ConfigVersion: config,
		ClOrdID: ord.acked.clOrdID, OrigClOrdID: ord.acked.orig,
		ExecID: r.ExecID, Decision: order.Decision{Reason: r.Reason},
	}
	o.describe(&a, ord)
	switch r.Kind {
	case order.ReportTradeCancel, order.ReportTradeCorrect:
		a.ExecRefID = r.ExecRefID
		fallthrough
	case order.ReportTrade:
		a.LastQty, a.LastPx = r.LastQty, r.LastPx
	}
	o.answer(o.session(ord.session), a)
}

func (o *oracle) venueNew(ord *orderState, r *order.Report) {
	ref := ord.answerFirst()
	if ord.status == order.OrdStatusPendingNew {
		ord.status = order.OrdStatusNew
	}
	o.execution(ord, r, order.ExecTypeNew, ref, ord.first.config)
	if ref != 0 {
		o.take(ord.identity)
	}
}

func (o *oracle) venueRejected(ord *orderState, r *order.Report) {
	ref := ord.answerFirst()
	if ord.live() {
		ord.status = order.OrdStatusRejected
	}
	o.execution(ord, r, order.ExecTypeRejected, ref, ord.first.config)
	if ref != 0 {
		o.countReject(ord.identity, r.Reason)
	}
}

func (o *oracle) venueReplaced(ord *orderState, r *order.Report) {
	t, ok := ord.takePending(r.Seq)
	if ok {
		t.orig, t.open = ord.acked.clOrdID, false
		ord.acked = t
	}
	ord.become(r)
	o.execution(ord, r, order.ExecTypeReplaced, t.ref, t.config)
	if ok {
		o.take(ord.identity)
	}
}

// become takes over what the venue makes of an order. Whoever asked for what: as
// the venue says it is, so it is.
func (ord *orderState) become(r *order.Report) {
	if r.OrderQty > 0 {
		ord.acked.qty = r.OrderQty
	}
	if r.Price != order.Null && ord.acked.price != order.Null && r.Price != ord.acked.price {
		ord.acked.price, ord.acked.worst = r.Price, r.Price
	}
	ord.restate()
}

// venueRestated is the venue's own change of an order.
func (o *oracle) venueRestated(ord *orderState, r *order.Report) {
	before := ord.reserved()
	ord.become(r)
	after := ord.reserved()
	o.execution(ord, r, order.ExecTypeRestated, 0, 0)
	if after.qty.Cmp(before.qty) > 0 || after.value.firm.Cmp(before.value.firm) > 0 {
		o.lateTruth(ord.identity, ord.id, riskcheck.AlertRestated)
	}
}

func (o *oracle) venueReplaceReject(ord *orderState, r *order.Report) {
	t, ok := ord.takePending(r.Seq)
	if !ok {
		return
	}
	if ord.live() {
		ord.restate()
	}
	a := order.Answer{
		Kind: order.AnswerCancelReject, MsgType: order.MsgReplaceOrder, Ref: t.ref, ClOrdID: t.clOrdID,
		OrigClOrdID: t.orig, ConfigVersion: t.config, Decision: order.Decision{Reason: r.Reason},
	}
	o.describe(&a, ord)
	o.answer(o.session(ord.session), a)
	o.countReject(ord.identity, r.Reason)
}

func (o *oracle) venueEnded(ord *orderState, r *order.Report, t order.ExecType, status order.OrdStatus) {
	c, _ := ord.takeCancel(r.Seq)
	if ord.live() {
		ord.status = status
	}
	told := *r
	if told.Reason == order.ReasonNone {
		told.Reason = c.why
	}
	o.execution(ord, &told, t, c.ref, c.config)
	if c.ref != 0 {
		last := &o.session(ord.session).answers[len(o.session(ord.session).answers)-1]
		last.ClOrdID, last.OrigClOrdID = c.clOrdID, c.orig
		o.out[len(o.out)-1].answer = *last
	}
}

func (o *oracle) venueCancelReject(ord *orderState, r *order.Report) {
	c, ok := ord.takeCancel(r.Seq)
	if !ok || c.ref == 0 {
		return
	}
	a := order.Answer{
		Kind: order.AnswerCancelReject, MsgType: order.MsgCancelOrder, Ref: c.ref, ClOrdID: c.clOrdID,
		OrigClOrdID: c.orig, ConfigVersion: c.config, Decision: order.Decision{Reason: r.Reason},
	}
	o.describe(&a, ord)
	o.answer(o.session(ord.session), a)
}

// once reports whether an order sees an ExecID for the first time. A client that
// already has an execution is not told again: it could not tell a repetition from
// a second one.
func (ord *orderState) once(exec order.ExecID) bool {
	if in(exec, ord.execs) {
		return false
	}
	ord.execs = append(ord.execs, exec)
	return true
}

// venueTrade books an execution once.
func (o *oracle) venueTrade(ord *orderState, r *order.Report) {
	if !ord.once(r.ExecID) {
		return
	}
	if r.LastQty <= 0 { // nothing, or less, is no execution
		o.execution(ord, r, order.ExecTypeTrade, 0, 0)
		return
	}
	late := !ord.live()
	ord.cum += r.LastQty
	overfilled := ord.cum > ord.acked.qty
	for _, p := range ord.pending {
		overfilled = overfilled && p.leaves(ord.cum).Sign() == 0
	}
	o.turn(o.book(ord.identity, ord.side, ord.acked.rates, r), 1, false)
	if !late {
		ord.restate()
	}
	o.execution(ord, r, order.ExecTypeTrade, 0, 0)
	o.take(ord.identity)
	switch {
	case overfilled:
		o.lateTruth(ord.identity, ord.id, riskcheck.AlertOverfill)
	case late:
		o.lateTruth(ord.identity, ord.id, riskcheck.AlertLateFill)
	}
}

// book puts an execution on the list.
func (o *oracle) book(id identity, side order.Side, otherwise rates, r *order.Report) *fill {
	f := fill{
		identity: id, order: r.OrderID, exec: r.ExecID, side: side, qty: num(int64(r.LastQty)), px: r.LastPx,
		moment: o.next(), value: nothing(), flow: nothing(), fee: new(big.Int),
	}
	o.lastTrade[id.instrument] = r.LastPx
	o.settle(&f, otherwise)
	o.fills = append(o.fills, f)
	return &o.fills[len(o.fills)-1]
}

// turn adds an execution to the figures of its day, or takes it back; trades is
// what that is in the number of trades.
func (o *oracle) turn(f *fill, trades int64, back bool) {
	t := turn{
		identity: f.identity, moment: o.next(), of: f.moment, side: f.side, trades: num(trades), qty: f.qty, value: f.value,
	}
	if back {
		t.qty, t.value = negated(f.qty), nothing().minus(f.value)
	}
	o.turns = append(o.turns, t)
}

// settle works out what an execution moves in money, at the rates of now if there
// are any, or at those its order was accepted with. Whatever is rounded is rounded
// against the client.
func (o *oracle) settle(f *fill, otherwise rates) {
	i := o.world.instrument(f.instrument)
	if i == nil {
		return
	}
	now := otherwise
	if rate, known := o.rateNow(i.currency, o.world.currency, false); known {
		now.firm = rate
	}
	if rate, known := o.rateNow(i.currency, o.currencies[f.account], false); known {
		now.account = rate
	}
	qty := magnitude(f.qty)
	f.value = now.worth(f.px, qty, i.multiplier)
	amount := times(num(int64(f.px)), qty, num(int64(i.multiplier)))
	own := down(amount, moneyUnit)
	if f.side.IsBuy() {
		own = negated(up(amount, moneyUnit))
	}
	f.flow = inBoth{down(times(own, now.firm), rateUnit), down(times(own, now.account), rateUnit)}
	f.fee = up(times(num(i.feeBps), f.value.account), basisUnit)
	if f.qty.Sign() < 0 { // it undoes what nobody remembers
		f.value, f.flow, f.fee = nothing().minus(f.value), nothing().minus(f.flow), negated(f.fee)
	}
}

// remembered finds an execution of an order that still stands. It tells whether
// the venue ever used its name.
func (o *oracle) remembered(id order.OrderID, exec order.ExecID) (f *fill, ever bool) {
	ever = in(execution{id, exec}, o.unknown)
	if ord := o.order(id); ord != nil {
		ever = ever || in(exec, ord.execs)
	}
	for i := range o.fills {
		if o.fills[i].order == id && o.fills[i].exec == exec {
			ever = true
			if !o.fills[i].undone {
				f = &o.fills[i]
			}
		}
	}
	return f, ever
}

// changed is what a cancel or a correction of a trade came to.
type changed struct {
	less, more order.Qty // what the order has executed less, and more
	told       bool      // it changed something, or it may have
	unsure     bool      // what to take back is not known
}

// undo takes an execution back. One that nobody remembers is what the report says
// it was.
func (o *oracle) undo(id identity, side order.Side, otherwise rates, r *order.Report) changed {
	f, ever := o.remembered(r.OrderID, r.ExecRefID)
	switch {
	case f != nil:
		f.undone = true
		o.turn(f, -1, true)
		return changed{less: order.Qty(f.qty.Int64()), told: true}
	case ever || r.LastQty <= 0:
		return changed{}
	}
	back := *r
	back.LastQty, back.ExecID = -r.LastQty, 0
	mark, traded := o.lastTrade[id.instrument]
	o.turn(o.book(id, side, otherwise, &back), -1, false)
	o.lastTrade[id.instrument] = mark
	if !traded {
		delete(o.lastTrade, id.instrument)
	}
	return changed{less: r.LastQty, told: true}
}

// correct puts another execution in the place of one, and in its day.
func (o *oracle) correct(id identity, side order.Side, otherwise rates, r *order.Report) changed {
	f, ever := o.remembered(r.OrderID, r.ExecRefID)
	switch {
	case f == nil && !ever:
		return changed{told: true, unsure: true}
	case f == nil || r.LastQty <= 0:
		return changed{}
	}
	f.undone = true
	o.turn(f, 0, true)
	was := *f
	is := o.book(id, side, otherwise, r)
	is.moment = was.moment
	o.turn(is, 0, false)
	return changed{less: order.Qty(was.qty.Int64()), more: r.LastQty, told: true}
}

// venueChangesTrade is a cancel or a correction of a trade.
func (o *oracle) venueChangesTrade(ord *orderState, r *order.Report) {
	if !ord.once(r.ExecID) {
		return
	}
	change, t, cause := o.undo, order.ExecTypeTradeCancel, riskcheck.AlertTradeCancel
	if r.Kind == order.ReportTradeCorrect {
		change, t, cause = o.correct, order.ExecTypeTradeCorrect, riskcheck.AlertTradeCorrect
	}
	c := change(ord.identity, ord.side, ord.acked.rates, r)
	ord.cum = max(0, ord.cum-c.less) + c.more
	if ord.live() {
		ord.restate()
	}
	o.execution(ord, r, t, 0, 0)
	o.tellChange(ord.identity, ord.id, cause, c)
}

// tellChange tells of a cancel or a correction of a trade that changed something.
// One that nobody could follow stops the account in the instrument.
func (o *oracle) tellChange(id identity, ord order.OrderID, cause riskcheck.AlertCause, c changed) {
	if !c.told {
		return
	}
	if c.unsure {
		o.tellTruth(id, ord, cause)
		s := accountScope(id.account)
		s.Instrument = id.instrument
		o.latch(s, riskcheck.LatchLateTruth)
		return
	}
	o.lateTruth(id, ord, cause)
}

// unknownOrder books a trade by the identity in the report, once.
func (o *oracle) unknownOrder(r *order.Report) {
	once := execution{r.OrderID, r.ExecID}
	id := identity{
		group: r.Group, account: r.Account, trader: r.Trader, session: r.Session, strategy: r.Strategy,
		instrument: r.Instrument, class: o.world.classOf(r.Instrument),
	}
	switch r.Kind {
	case order.ReportTrade, order.ReportTradeCancel, order.ReportTradeCorrect:
	default:
		return
	}
	if in(once, o.unknown) {
		return
	}
	o.unknown = append(o.unknown, once)
	switch r.Kind {
	case order.ReportTrade:
		if r.LastQty > 0 && o.world.instrument(r.Instrument) != nil {
			o.turn(o.book(id, r.Side, par(), r), 1, false)
		}
		o.answerUnknown(r, order.ExecTypeTrade)
		o.tellChange(id, r.OrderID, riskcheck.AlertUnknownTrade, changed{told: r.LastQty > 0})
	case order.ReportTradeCancel:
		c := o.undo(id, r.Side, par(), r)
		o.answerUnknown(r, order.ExecTypeTradeCancel)
		o.tellChange(id, r.OrderID, riskcheck.AlertTradeCancel, c)
	case order.ReportTradeCorrect:
		c := o.correct(id, r.Side, par(), r)
		o.answerUnknown(r, order.ExecTypeTradeCorrect)
		o.tellChange(id, r.OrderID, riskcheck.AlertTradeCorrect, c)
	}
}

// answerUnknown tells a session of an execution of an order that nobody knows.
func (o *oracle) answerUnknown(r *order.Report, t order.ExecType) {
	s := o.session(r.Session)
	if s == nil {
		return
	}
	status := order.OrdStatusPartiallyFilled
	if r.LeavesQty == 0 {
		status = order.OrdStatusFilled
	}
	a := order.Answer{
		Kind: order.AnswerExecution, ExecType: t, OrdStatus: status, ClOrdID: r.ClOrdID, OrderID: r.OrderID,
		ExecID: r.ExecID, Account: r.Account, Trader: r.Trader, Instrument: r.Instrument, Side: r.Side,
		OrderQty: r.OrderQty, Price: r.Price, LastPx: r.LastPx, LastQty: r.LastQty, CumQty: r.CumQty, LeavesQty: r.LeavesQty,
	}
	if t != order.ExecTypeTrade {
		a.ExecRefID = r.ExecRefID
	}
	o.answer(s, a)
}
