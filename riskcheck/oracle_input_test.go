package riskcheck_test

import (
	"tollgate/order"
)

// report is what the venue says. Reports count once and in their order.
func (o *oracle) report(now int64, r *order.Report) {
	o.begin(now)
	if r.ReportSeq < o.nextSeen {
		return
	}
	if r.ReportSeq > o.nextSeen {
		o.emit(event{kind: eventReportsFrom, ref: o.nextSeen})
		return
	}
	o.nextSeen++
	defer o.noteEndings()
	ord := o.order(r.OrderID)
	if ord == nil {
		o.unknownOrder(r)
		return
	}
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
	if r.Kind == order.ReportTrade {
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
}

// answerFirst returns the ref of the new order if the venue answers it now.
func (ord *orderState) answerFirst() uint64 {
	if ord.isAcked {
		return 0
	}
	ord.isAcked = true
	return ord.first.ref
}

func (o *oracle) venueRejected(ord *orderState, r *order.Report) {
	ref := ord.answerFirst()
	if ord.live() {
		ord.status = order.OrdStatusRejected
	}
	o.execution(ord, r, order.ExecTypeRejected, ref, ord.first.config)
}

func (ord *orderState) takePending(seq uint64) (terms, bool) {
	for i, p := range ord.pending {
		if p.seq == seq {
			ord.pending = append(append([]terms{}, ord.pending[:i]...), ord.pending[i+1:]...)
			return p, true
		}
	}
	return terms{}, false
}

func (ord *orderState) takeCancel(seq uint64) (cancelState, bool) {
	for i, c := range ord.cancels {
		if c.seq == seq {
			ord.cancels = append(append([]cancelState{}, ord.cancels[:i]...), ord.cancels[i+1:]...)
			return c, true
		}
	}
	return cancelState{}, false
}

func (o *oracle) venueReplaced(ord *orderState, r *order.Report) {
	t, ok := ord.takePending(r.Seq)
	if ok {
		t.orig = ord.acked.clOrdID
		ord.acked = t
	}
	// Whoever asked for what: as the venue says it is, so it is.
	if r.OrderQty > 0 {
		ord.acked.qty = r.OrderQty
	}
	if r.Price != order.Null && ord.ordType == order.OrdTypeLimit {
		ord.acked.price, ord.acked.worst = r.Price, r.Price
	}
	ord.restate()
	o.execution(ord, r, order.ExecTypeReplaced, t.ref, t.config)
}

// restate brings the status up to date after quantity, executions or what is
// pending changed. An order that is executed and may still grow by a pending
// replace is not filled yet.
func (ord *orderState) restate() {
	executed, grows := ord.cum >= ord.acked.qty, false
	for _, p := range ord.pending {
		grows = grows || p.qty > ord.cum
	}
	switch {
	case ord.status == order.OrdStatusFilled && !executed:
		ord.status = order.OrdStatusPartiallyFilled
	case ord.live() && executed && grows:
		ord.status = order.OrdStatusPendingReplace
	case ord.live() && executed:
		ord.status = order.OrdStatusFilled
	case ord.live() && ord.cum > 0:
		ord.status = order.OrdStatusPartiallyFilled
	case ord.status == order.OrdStatusPendingReplace:
		ord.status = order.OrdStatusNew
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

// venueTrade books an execution once. A client that already has it is not told
// again: it could not tell a repetition from a second execution.
func (o *oracle) venueTrade(ord *orderState, r *order.Report) {
	if in(r.ExecID, ord.execs) {
		return
	}
	ord.execs = append(ord.execs, r.ExecID)
	if r.LastQty > 0 { // nothing, or less, is no execution
		ord.cum += r.LastQty
		o.fills = append(o.fills, fill{ord.identity, ord.side.IsBuy(), r.LastQty})
		o.lastTrade[ord.instrument] = r.LastPx
		ord.restate()
	}
	o.execution(ord, r, order.ExecTypeTrade, 0, 0)
}

// unknownOrder books a trade by the identity in the report, once.
func (o *oracle) unknownOrder(r *order.Report) {
	if r.Kind == order.ReportTrade {
		once := execution{r.OrderID, r.ExecID}
		if in(once, o.unknown) {
			return
		}
		o.unknown = append(o.unknown, once)
		if r.LastQty > 0 {
			id := identity{r.Group, r.Account, r.Trader, r.Session, r.Instrument}
			o.fills = append(o.fills, fill{id, r.Side.IsBuy(), r.LastQty})
			o.lastTrade[r.Instrument] = r.LastPx
		}
	}
	s := o.session(r.Session)
	if s == nil || r.Kind != order.ReportTrade {
		return
	}
	status := order.OrdStatusPartiallyFilled
	if r.LeavesQty == 0 {
		status = order.OrdStatusFilled
	}
	o.answer(s, order.Answer{
		Kind: order.AnswerExecution, ExecType: order.ExecTypeTrade, OrdStatus: status, ClOrdID: r.ClOrdID, OrderID: r.OrderID,
		ExecID: r.ExecID, Account: r.Account, Trader: r.Trader, Instrument: r.Instrument, Side: r.Side,
		OrderQty: r.OrderQty, Price: r.Price, LastPx: r.LastPx, LastQty: r.LastQty, CumQty: r.CumQty, LeavesQty: r.LeavesQty,
	})
}

// price takes a step of an instrument's price. A step without a price takes the
// rung's price back; one from the future was seen now.
func (o *oracle) price(now int64, p *order.ReferencePrice) {
	o.begin(now)
	rung := p.Source >= order.PriceSourceLast && p.Source <= order.PriceSourceSettlement
	if rung && o.world.instrument(p.Instrument) != nil {
		step := *p
		step.Time = min(step.Time, o.now)
		o.prices = append(o.prices, step)
	}
}

func (o *oracle) tick(now int64) {
	o.begin(now)
	for _, row := range o.world.sessions {
		s := o.session(row.id)
		if s.deadline == 0 || o.now < s.deadline {
			continue
		}
		s.deadline = 0
		hit := o.liveOrders(func(ord *orderState) bool {
			return ord.session == s.id && ord.tif != order.TimeInForceGTC && ord.tif != order.TimeInForceGTD
		})
		o.answer(s, order.Answer{Kind: order.AnswerCanceledOnEnd, Affected: uint32(len(hit))})
		o.cancelAll(hit, order.ReasonNone)
	}
}

// welcome is the oracle's view of a login.
type welcome struct {
	ok                                bool
	nextRef, nextOutSeq, oldestOutSeq uint64
	connection                        order.ConnectionID
}

func (o *oracle) login(now int64, id order.SessionID, client uint32, wantOutSeq uint64, windowNs int64) welcome {
	o.begin(now)
	s := o.session(id)
	if s == nil || o.world.session(id).client != client {
		return welcome{}
	}
	next := uint64(len(s.answers)) + 1
	if wantOutSeq < 1 || wantOutSeq > next {
		return welcome{}
	}
	o.lastConn++
	s.connection, s.windowNs, s.deadline = o.lastConn, windowNs, 0
	return welcome{true, s.nextRef, next, 1, s.connection}
}

func (o *oracle) disconnected(now int64, id order.SessionID, c order.ConnectionID) {
	o.begin(now)
	s := o.session(id)
	if s == nil || c == 0 || s.connection != c {
		return
	}
	s.connection = 0
	if s.windowNs > 0 {
		s.deadline = o.now + s.windowNs
	}
}

// reachVenue tells that the venue can be reached; everything it has not
// answered is sent again under its old number.
func (o *oracle) reachVenue(now int64, instance, nextReport uint64) bool {
	o.begin(now)
	if o.instance != 0 && instance != o.instance || nextReport < o.nextSeen {
		o.venueUp = false
		return false
	}
	o.instance, o.venueUp = instance, true
	for _, v := range o.unanswered() {
		v.Token.Expiry = o.now + o.lifetime
		o.key.Sign(&v)
		o.send(v)
	}
	return true
}

func (o *oracle) loseVenue(now int64) {
	o.begin(now)
	o.venueUp = false
}

func (o *oracle) applyReference(now int64, w world) {
	o.begin(now)
	o.world = w
}

func (o *oracle) applyLimits(now int64, rows []limitRow) {
	o.begin(now)
	o.limits = append([]limitRow{}, rows...)
	o.version++
	o.restateRates()
	for _, s := range o.sessions {
		o.restatePace(s)
	}
}

// kill stops a scope: what is on its way is void, what rests is canceled.
func (o *oracle) kill(now int64, s order.Scope) bool {
	o.begin(now)
	if !o.world.knows(s) {
		return false
	}
	if !in(s, o.killed) {
		o.killed = append(o.killed, s)
	}
	o.fenceID++
	o.seq++ // a kill has a place in the sequence, and that place is its fence
	o.emit(event{kind: eventFence, scope: s, fence: o.fenceID, belowSeq: o.seq})
	o.cancelAll(o.liveOrders(func(ord *orderState) bool { return ord.within(s) }), order.ReasonKillSwitch)
	return true
}

func (o *oracle) unkill(now int64, s order.Scope) bool {
	o.begin(now)
	var kept []order.Scope
	for _, k := range o.killed {
		if k != s {
			kept = append(kept, k)
		}
	}
	found := len(kept) != len(o.killed)
	o.killed = kept
	return found
}
