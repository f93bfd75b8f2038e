package riskcheck_test

import (
	"slices"

	"tollgate/order"
)

// The oracle is a second, deliberately dumb answer to the question the engine
// answers. It keeps lists of everything that ever happened and sums them again
// at every question, in big integers, without remembering results. It was
// written from the published rules of the controls.

// pendingMax is how many replaces, and how many cancels that a client asked
// for, may await the venue for one order.
const pendingMax = 4

// oracle is the whole naive model.
type oracle struct {
	now          int64
	moment       int // numbers what is put on the lists
	seq          uint64
	epoch        uint64
	key          order.TokenKey
	lifetime     int64
	bounds       bounds
	world        world
	everybody    []order.Scope              // every node there ever was
	currencies   map[order.AccountID]string // of every account there ever was
	used         []string                   // every currency there ever was
	limits       []limitRow
	stated       map[limitKey]*limitRow // the rows of limits
	version      uint64                 // of the limits
	venueUp      bool
	instance     uint64
	nextSeen     uint64 // next report number
	lastConn     order.ConnectionID
	fenceID      uint64
	sessions     []*sessionState
	orders       []*orderState
	fills        []fill
	turns        []turn
	unknown      []execution  // seen without an order
	moved        []adjustment // positions said from outside
	prices       []order.ReferencePrice
	lastTrade    map[order.InstrumentID]order.Price
	fx           []fxStep
	markets      []marketStep
	cash         []cashStep
	locates      []locateStep
	killed       []order.Scope
	latched      []latchedScope
	released     []releasedScope
	told         map[limitKey]rung
	stamps       []stamp
	rejects      []rejected
	taken        []taken
	statedAt     map[limitKey]stated
	minuteFrom   map[order.Scope]int    // moment from which turnover-per-minute counts
	rejectsFrom  map[order.Scope]stated // moment from which consecutive-rejects counts
	rejectsEver  map[order.Scope]int    // and the earliest there ever was
	days         map[order.CalendarID]day
	bases        map[order.Scope]*profitBase
	routes       []identity
	endings      int // orders that ended so far
	forgotten    []forgottenName
	unanswerable []unanswerable
	out          []event
	alerts       []event

	// engineOrder is the order in which the engine canceled several orders.
	engineOrder []order.OrderID
	// engineOldest is the oldest answer the engine says a session can have again.
	engineOldest uint64
	// engineFences is the order in which the engine killed several scopes.
	engineFences []order.Scope
	// engineTold is what the engine had to tell.
	engineTold []event
	// engineSaid is how the engine refused requests.
	engineSaid []order.Answer
	// enginePace is how the engine answered to the session's pace.
	enginePace []eventKind
}

// limitKey is one kind of limit at one scope.
type limitKey struct {
	scope order.Scope
	kind  limitName
}

// bounds are the sizes of the engine's tables.
type bounds struct{ clOrdIDs, orders, routes int }

// wide is room enough for any test.
var wide = bounds{clOrdIDs: 1 << 12, orders: 1 << 12, routes: 1 << 10}

// execution names one execution of one order.
type execution struct {
	order order.OrderID
	exec  order.ExecID
}

// stamp is one accepted new or replace request, or one cancel passed on.
type stamp struct {
	identity
	at      int64
	moment  int
	cancel  bool
	request order.Request
	added   inBoth // to the reserved value
}

type sessionState struct {
	id         order.SessionID
	connection order.ConnectionID
	nextRef    uint64
	held       []heldLeg // of a list whose last order has not come yet
	answers    []order.Answer
	acked      uint64            // all answers before this one have been seen
	oldest     uint64            // answer that can be had again
	finals     map[uint64]uint64 // ref → OutSeq of its final answer
	used       map[order.ClOrdID]bool
	attempts   []int64 // new and replace requests
	cancels    []int64
	statedAt   map[limitName]stated
	windowNs   int64
	deadline   int64 // 0: no cancel on disconnect is running
}

func newOracle(epoch uint64, key order.TokenKey, lifetimeNs int64, b bounds) *oracle {
	return &oracle{
		epoch: epoch, key: key, lifetime: lifetimeNs, bounds: b, nextSeen: 1,
		lastTrade: map[order.InstrumentID]order.Price{}, currencies: map[order.AccountID]string{},
		stated: map[limitKey]*limitRow{}, told: map[limitKey]rung{}, minuteFrom: map[order.Scope]int{},
		rejectsEver: map[order.Scope]int{},
		days:        map[order.CalendarID]day{}, bases: map[order.Scope]*profitBase{},
	}
}

// begin starts an input: nothing was asked for yet, time never runs back, and
// limits whose time has come end before anything else. What it returns ends the
// input: people are told last.
func (o *oracle) begin(now int64) (end func()) {
	o.out, o.alerts = nil, nil
	o.now = max(o.now, now)
	o.revert()
	return func() { o.out = append(o.out, o.alerts...) }
}

// next numbers something that is put on a list.
func (o *oracle) next() int {
	o.moment++
	return o.moment
}

func (o *oracle) emit(e event) { o.out = append(o.out, e) }

func (o *oracle) session(id order.SessionID) *sessionState {
	if o.world.session(id) == nil {
		return nil
	}
	for _, s := range o.sessions {
		if s.id == id {
			return s
		}
	}
	s := &sessionState{
		id: id, nextRef: 1, oldest: 1, finals: map[uint64]uint64{}, used: map[order.ClOrdID]bool{},
		statedAt: map[limitName]stated{},
	}
	o.sessions = append(o.sessions, s)
	return s
}

// answer puts an answer into a session's stream.
func (o *oracle) answer(s *sessionState, a order.Answer) {
	if s == nil {
		return
	}
	a.OutSeq = uint64(len(s.answers)) + 1
	a.Session = s.id
	if a.Ref == 0 || a.ConfigVersion == 0 {
		a.ConfigVersion = o.version
	}
	a.TransactTime = o.now
	s.answers = append(s.answers, a)
	if a.Ref != 0 {
		s.finals[a.Ref] = a.OutSeq
	}
	o.emit(event{kind: eventAnswer, session: s.id, outSeq: a.OutSeq, answer: a})
}

// request is the session layer: who speaks, and which of his requests is it.
func (o *oracle) request(now int64, r *order.Request) {
	defer o.begin(now)()
	s := o.session(r.Session)
	if s == nil || s.connection == 0 || s.connection != r.Connection {
		o.emit(event{kind: eventStale, session: r.Session, connection: r.Connection, ref: r.Ref})
		return
	}
	if r.Ref < s.nextRef {
		answer := s.finals[r.Ref]
		if answer < s.oldest {
			answer = 0
		}
		o.emit(event{kind: eventDuplicate, session: s.id, connection: s.connection, ref: r.Ref, outSeq: answer})
		return
	}
	if r.Ref > s.nextRef {
		o.emit(event{kind: eventGap, session: s.id, connection: s.connection, ref: s.nextRef})
		return
	}
	s.nextRef++
	o.seq++
	o.dispatch(s, r)
	o.paceOf(s, r.MsgType)
}

func (o *oracle) dispatch(s *sessionState, r *order.Request) {
	if r.MsgType == order.MsgNewOrder && r.Basket != 0 {
		o.basketLeg(s, r)
		return
	}
	o.breakBasket(s)
	switch r.MsgType {
	case order.MsgNewOrder, order.MsgReplaceOrder:
		o.single(s, r)
	case order.MsgCancelOrder:
		o.cancelOrder(s, r)
	case order.MsgMassCancel:
		o.massCancel(s, r)
	default:
		o.answerRefusal(s, nil, r, order.Decision{Reason: order.ReasonMalformed})
	}
}

// single is a new order or a replace that stands for itself.
func (o *oracle) single(s *sessionState, r *order.Request) {
	c := o.caseOf(s, r, o.seq)
	if no := o.judge(c); no != nil {
		o.refuse(c, no)
		return
	}
	o.accept(c)
	o.tellUse(c)
}

// accept makes an order, or a version of one, of a request that passed.
func (o *oracle) accept(c *judged) {
	o.cancelCrossed(c)
	r := c.request
	added := inBoth{floorZero(c.rise.firm), floorZero(c.rise.account)}
	if c.order == nil {
		o.makeRoom()
		c.order = &orderState{
			identity: c.identity, id: order.OrderID(c.seq), side: r.Side, ordType: r.OrdType, tif: r.TimeInForce,
			status: order.OrdStatusPendingNew,
		}
		c.order.acked = o.termsOf(c)
		c.order.acked.open = false
		c.order.acked.verdict = o.verdict(c, 0)
		c.order.first = c.order.acked
		o.orders = append(o.orders, c.order)
		o.send(c.order.acked.verdict)
	} else {
		t := o.termsOf(c)
		t.verdict = o.verdict(c, r.OrigClOrdID)
		c.order.pending = append(c.order.pending, t)
		o.send(t.verdict)
	}
	c.order.names = append(c.order.names, r.ClOrdID)
	o.stamps = append(o.stamps, stamp{
		identity: c.order.identity, at: o.now, moment: o.next(), request: *r, added: added,
	})
}

// refuse answers a request that did not pass, and does what a limit that stood
// in its way is to do beside that.
func (o *oracle) refuse(c *judged, no *refusal) {
	o.answerRefusal(c.session, c.order, c.request, no.Decision)
	o.breached(c, no)
	o.countReject(c.knownLevels(o), no.Reason)
}

// answerRefusal refuses a request.
func (o *oracle) answerRefusal(s *sessionState, ord *orderState, r *order.Request, d order.Decision) {
	switch r.MsgType {
	case order.MsgReplaceOrder, order.MsgCancelOrder:
		a := order.Answer{
			Kind: order.AnswerCancelReject, MsgType: r.MsgType, Ref: r.Ref, ClOrdID: r.ClOrdID,
			OrigClOrdID: r.OrigClOrdID, Decision: d,
		}
		if ord != nil {
			o.describe(&a, ord)
		}
		o.answer(s, a)
	default:
		o.answer(s, order.Answer{
			Kind: order.AnswerExecution, ExecType: order.ExecTypeRejected, OrdStatus: order.OrdStatusRejected,
			Ref: r.Ref, ClOrdID: r.ClOrdID, OrderQty: r.OrderQty, Price: r.Price, Account: r.Account, Trader: r.Trader,
			Instrument: r.Instrument, Side: r.Side, Decision: d,
		})
	}
}

func (o *oracle) termsOf(c *judged) terms {
	r := c.request
	t := terms{
		seq: c.seq, ref: r.Ref, clOrdID: r.ClOrdID, orig: r.OrigClOrdID, qty: r.OrderQty, price: c.price,
		worst: c.worst, mult: c.instrument.multiplier, rates: c.rates, open: c.instrument.replaceOpen, config: o.version,
	}
	if c.order != nil {
		t.from = c.order.cum
	}
	return t
}

func (o *oracle) cancelOrder(s *sessionState, r *order.Request) {
	ord := o.named(s.id, r.OrigClOrdID)
	if reason := o.cancelRefused(ord, r); reason != order.ReasonNone {
		o.answerRefusal(s, ord, r, order.Decision{Reason: reason})
		return
	}
	o.sendCancel(ord, r.Ref, r.ClOrdID, r.OrigClOrdID, r.ValidUntil)
	o.stamps = append(o.stamps, stamp{identity: ord.identity, at: o.now, moment: o.next(), cancel: true, added: nothing()})
}

func (o *oracle) cancelRefused(ord *orderState, r *order.Request) order.Reason {
	switch {
	case r.ValidUntil != 0 && r.ValidUntil < o.now:
		return order.ReasonExpired
	case ord == nil:
		return o.unknownName(r)
	case !ord.live():
		return order.ReasonTooLate
	case ord.cancelsAsked() >= pendingMax:
		return order.ReasonPendingRequests
	}
	return order.ReasonNone
}

// unknownName says what is wrong with a ClOrdID that names no order: none ever
// had it, or the one that had it ended long ago.
func (o *oracle) unknownName(r *order.Request) order.Reason {
	if in(forgottenName{r.Session, r.OrigClOrdID}, o.forgotten) {
		return order.ReasonTooLate
	}
	return order.ReasonUnknownOrder
}

// sendCancel asks the venue to cancel an order that stays reserved until the
// venue says that it is canceled.
func (o *oracle) sendCancel(ord *orderState, ref uint64, name, orig order.ClOrdID, until int64) {
	v := order.Verdict{
		MsgType: order.MsgCancelOrder, OrderID: ord.id, ClOrdID: name, OrigClOrdID: orig, ValidUntil: until,
		Group: ord.group, Session: ord.session, Account: ord.account, Trader: ord.trader, Strategy: ord.strategy,
		Instrument: ord.instrument, Side: ord.side, OrdType: ord.ordType, TimeInForce: ord.tif,
		Price: order.Null, StopPx: order.Null,
	}
	v = o.sign(v, o.seq)
	ord.cancels = append(ord.cancels, cancelState{
		seq: o.seq, ref: ref, clOrdID: name, orig: orig, config: o.version, verdict: v,
	})
	o.send(v)
}

func (o *oracle) massCancel(s *sessionState, r *order.Request) {
	matches := func(ord *orderState) bool {
		return ord.session == s.id && (r.Account == 0 || ord.account == r.Account) &&
			(r.Instrument == 0 || ord.instrument == r.Instrument) && (r.Side == 0 || ord.side == r.Side)
	}
	hit := o.liveOrders(matches)
	o.answer(s, order.Answer{
		Kind: order.AnswerMassCancel, Ref: r.Ref, ClOrdID: r.ClOrdID, Affected: uint32(len(hit)), MsgType: r.MsgType,
		Account: r.Account, Instrument: r.Instrument, Side: r.Side,
	})
	o.cancelAll(hit, order.ReasonNone)
}

func (o *oracle) liveOrders(matches func(*orderState) bool) []*orderState {
	var out []*orderState
	for _, ord := range o.orders {
		if ord.live() && matches(ord) {
			out = append(out, ord)
		}
	}
	return out
}

// cancelAll cancels orders nobody asked for by ref. The rules do not say which
// of them goes first, so the engine's order is taken over.
func (o *oracle) cancelAll(hit []*orderState, why order.Reason) {
	place := func(ord *orderState) int {
		if i := slices.Index(o.engineOrder, ord.id); i >= 0 {
			return i
		}
		return len(o.engineOrder)
	}
	slices.SortStableFunc(hit, func(a, b *orderState) int { return place(a) - place(b) })
	for _, ord := range hit {
		o.cancelUnasked(ord, why)
	}
}

// cancelUnasked cancels an order nobody asked for by ref, unless that is under
// way. It reports whether it did. A kill becomes the reason of a cancel under way.
func (o *oracle) cancelUnasked(ord *orderState, why order.Reason) bool {
	if c := ord.ownCancel(); c != nil {
		if why == order.ReasonKillSwitch {
			c.why = why
		}
		return false
	}
	o.seq++
	o.sendCancel(ord, 0, 0, ord.acked.clOrdID, 0)
	ord.ownCancel().why = why
	return true
}

// verdict is an accepted request as the venue may see it: with the price and the
// type that protection gave it.
func (o *oracle) verdict(c *judged, orig order.ClOrdID) order.Verdict {
	r, ord := c.request, c.order
	return o.sign(order.Verdict{
		MsgType: r.MsgType, OrderID: ord.id, ClOrdID: r.ClOrdID, OrigClOrdID: orig, ValidUntil: r.ValidUntil,
		Price: c.price, StopPx: r.StopPx, OrderQty: r.OrderQty, DisplayQty: r.DisplayQty,
		Group: ord.group, Session: ord.session, Account: ord.account, Trader: ord.trader, Strategy: ord.strategy,
		Instrument: ord.instrument, Side: ord.side, OrdType: c.venueType, TimeInForce: ord.tif,
	}, c.seq)
}

func (o *oracle) sign(v order.Verdict, seq uint64) order.Verdict {
	v.Token = order.Token{Epoch: o.epoch, Seq: seq, Expiry: o.now + o.lifetime}
	o.key.Sign(&v)
	return v
}

func (o *oracle) send(v order.Verdict) {
	o.emit(event{kind: eventVerdict, session: v.Session, verdict: v})
}

// unanswered lists the verdicts the venue has not answered, oldest first.
func (o *oracle) unanswered() []order.Verdict {
	var out []order.Verdict
	for _, ord := range o.orders {
		if !ord.isAcked {
			out = append(out, ord.first.verdict)
		}
		for _, p := range ord.pending {
			out = append(out, p.verdict)
		}
		for _, c := range ord.cancels {
			if c.ref == 0 {
				c.verdict.OrigClOrdID = ord.acked.clOrdID // as the venue knows it by now
			}
			out = append(out, c.verdict)
		}
	}
	slices.SortFunc(out, func(a, b order.Verdict) int { return int(a.Token.Seq) - int(b.Token.Seq) })
	return out
}
