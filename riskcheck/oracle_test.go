package riskcheck_test

import (
	"math/big"
	"slices"

	"tollgate/order"
)

// pendingMax is how many replaces, and how many cancels that a client asked
// for, may await the venue for one order.
const pendingMax = 4

// oracle is the whole naive model.
type oracle struct {
	now       int64
	seq       uint64
	epoch     uint64
	key       order.TokenKey
	lifetime  int64
	bounds    bounds
	world     world
	limits    []limitRow
	version   uint64
	venueUp   bool
	instance  uint64
	nextSeen  uint64 // next report number
	lastConn  order.ConnectionID
	fenceID   uint64
	sessions  []*sessionState
	orders    []*orderState
	fills     []fill
	unknown   []execution // booked without an order
	prices    []order.ReferencePrice
	killed    []order.Scope
	stamps    []stamp
	statedAt  map[rateKey]stated
	clOrdIDs  int
	routes    []identity
	endings   int // orders that ended so far
	forgotten []forgottenName
	lastTrade map[order.InstrumentID]order.Price
	out       []event

	// engineOrder is the order in which the engine canceled several orders.
	engineOrder []order.OrderID
	// engineSaid is why the engine refused the request, nil if it did not.
	engineSaid *order.Decision
	// enginePace is how the engine answered to the session's pace.
	enginePace []eventKind
}

// bounds are the sizes of the engine's tables.
type bounds struct{ clOrdIDs, orders, routes int }

// wide is room enough for any test.
var wide = bounds{clOrdIDs: 1 << 14, orders: 1 << 14, routes: 1 << 10}

// fill is one booked execution.
type fill struct {
	identity
	buy bool
	qty order.Qty
}

// execution names one execution of one order.
type execution struct {
	order order.OrderID
	exec  order.ExecID
}

// stamp is one accepted new or replace request.
type stamp struct {
	identity
	at int64
}

type sessionState struct {
	id         order.SessionID
	connection order.ConnectionID
	nextRef    uint64
	answers    []order.Answer
	finals     map[uint64]uint64 // ref → OutSeq of its final answer
	used       map[order.ClOrdID]bool
	attempts   []int64 // new and replace requests
	cancels    []int64
	statedAt   map[limitName]stated
	windowNs   int64
	deadline   int64 // 0: no cancel on disconnect is running
}

// terms is one version of an order's quantity and price.
type terms struct {
	seq     uint64 // of the request that brought it
	ref     uint64
	clOrdID order.ClOrdID
	orig    order.ClOrdID
	qty     order.Qty
	price   order.Price // as the client sent it
	worst   order.Price // what it is valued at
	mult    order.Multiplier
	config  uint64 // limits it was judged under
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
	ordType order.OrdType
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
	ended   int // as which of all orders it ended; 0: it is live
}

func newOracle(epoch uint64, key order.TokenKey, lifetimeNs int64, b bounds) *oracle {
	return &oracle{
		epoch: epoch, key: key, lifetime: lifetimeNs, bounds: b, nextSeen: 1,
		lastTrade: map[order.InstrumentID]order.Price{},
	}
}

// begin starts an input: nothing was asked for yet, and time never runs back.
func (o *oracle) begin(now int64) {
	o.out = nil
	o.now = max(o.now, now)
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
		id: id, nextRef: 1, finals: map[uint64]uint64{}, used: map[order.ClOrdID]bool{},
		statedAt: map[limitName]stated{},
	}
	o.sessions = append(o.sessions, s)
	return s
}

func (o *oracle) order(id order.OrderID) *orderState {
	for _, ord := range o.orders {
		if ord.id == id {
			return ord
		}
	}
	return nil
}

// named finds the order of a session that a ClOrdID means.
func (o *oracle) named(s order.SessionID, name order.ClOrdID) *orderState {
	for _, ord := range o.orders {
		if ord.session == s && in(name, ord.names) {
			return ord
		}
	}
	return nil
}

func (ord *orderState) live() bool { return !ord.status.Terminal() }

// reservedQty is the worst leaves over the versions the venue may be working.
func (ord *orderState) reservedQty() *big.Int {
	worst := new(big.Int)
	if !ord.live() {
		return worst
	}
	for _, v := range ord.versions() {
		worst = larger(worst, v.leaves(ord.cum))
	}
	return worst
}

// reservedNotional is the worst value over the versions.
func (ord *orderState) reservedNotional() *big.Int {
	worst := new(big.Int)
	if !ord.live() {
		return worst
	}
	for _, v := range ord.versions() {
		worst = larger(worst, notionalOf(v.worst, v.leaves(ord.cum), v.mult))
	}
	return worst
}

func (ord *orderState) versions() []terms {
	return append([]terms{ord.acked}, ord.pending...)
}

func (t *terms) leaves(cum order.Qty) *big.Int {
	return floorZero(minus(num(int64(t.qty)), num(int64(cum))))
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
	o.begin(now)
	s := o.session(r.Session)
	if s == nil || s.connection == 0 || s.connection != r.Connection {
		o.emit(event{kind: eventStale, session: r.Session, connection: r.Connection, ref: r.Ref})
		return
	}
	if r.Ref < s.nextRef {
		o.emit(event{kind: eventDuplicate, session: s.id, connection: s.connection, ref: r.Ref, outSeq: s.finals[r.Ref]})
		return
	}
	if r.Ref > s.nextRef {
		o.emit(event{kind: eventGap, session: s.id, connection: s.connection, ref: s.nextRef})
		return
	}
	s.nextRef++
	o.seq++
	switch r.MsgType {
	case order.MsgNewOrder:
		o.newOrder(s, r)
	case order.MsgReplaceOrder:
		o.replaceOrder(s, r)
	case order.MsgCancelOrder:
		o.cancelOrder(s, r)
	case order.MsgMassCancel:
		o.massCancel(s, r)
	default:
		o.refuseNew(s, r, order.Decision{Reason: order.ReasonMalformed})
	}
	o.paceOf(s, r.MsgType)
}

// paceOf warns or cuts a session that sends too much, whatever became of its
// requests.
func (o *oracle) paceOf(s *sessionState, m order.MsgType) {
	switch m {
	case order.MsgNewOrder, order.MsgReplaceOrder:
		s.attempts = append(s.attempts, o.now)
		if o.tooFast(s, s.attempts, limitCutPerSecond, eventDisconnect) {
			o.pace(s, eventDisconnect)
		}
	case order.MsgCancelOrder, order.MsgMassCancel:
		s.cancels = append(s.cancels, o.now)
		if o.tooFast(s, s.cancels, limitCancelsPerSecond, eventWarn) {
			o.pace(s, eventWarn)
		}
		if o.tooFast(s, s.cancels, limitCancelsCut, eventDisconnect) {
			o.pace(s, eventDisconnect)
		}
	}
}

func (o *oracle) pace(s *sessionState, kind eventKind) {
	o.emit(event{kind: kind, session: s.id, connection: s.connection, reason: order.ReasonMessageRate})
}

// tooFast counts messages against one of the optional limits of a session. What
// was sent before the limit was stated may count, and need not.
func (o *oracle) tooFast(s *sessionState, sent []int64, kind limitName, said eventKind) bool {
	limit, ok := o.limit(s.scope(), kind)
	if !ok {
		return false
	}
	if o.within(sent[s.statedAt[kind].since:], 1e9) > limit {
		return true
	}
	return o.within(sent, 1e9) > limit && in(said, o.enginePace)
}

// restatePace remembers how much was sent when an optional limit was stated, or
// was changed: a window that held few may have forgotten more.
func (o *oracle) restatePace(s *sessionState) {
	before := s.statedAt
	s.statedAt = map[limitName]stated{}
	for _, kind := range []limitName{limitCutPerSecond, limitCancelsPerSecond, limitCancelsCut} {
		limit, ok := o.limit(s.scope(), kind)
		if !ok {
			continue
		}
		now := stated{limit, len(s.cancels)}
		if kind == limitCutPerSecond {
			now.since = len(s.attempts)
		}
		s.statedAt[kind] = before[kind].orSince(now)
	}
}

// stated is a limit and how many messages there were when it was stated.
type stated struct {
	limit int64
	since int
}

// orSince keeps the earlier statement of the same limit.
func (s stated) orSince(now stated) stated {
	if s.limit == now.limit && s != (stated{}) {
		return s
	}
	return now
}

func (s *sessionState) scope() order.Scope {
	return order.Scope{Type: order.ScopeSession, ID: uint32(s.id)}
}

// within counts the stamps in (now − window, now].
func (o *oracle) within(stamps []int64, windowNs int64) int64 {
	var n int64
	for _, at := range stamps {
		if at > o.now-windowNs {
			n++
		}
	}
	return n
}

func (o *oracle) newOrder(s *sessionState, r *order.Request) {
	c := o.caseOf(s, r)
	if d := o.judge(c); d != nil {
		o.refuseNew(s, r, *d)
		return
	}
	id := c.identity
	ord := &orderState{
		identity: id, id: order.OrderID(o.seq), side: r.Side, ordType: r.OrdType, tif: r.TimeInForce,
		names: []order.ClOrdID{r.ClOrdID}, status: order.OrdStatusPendingNew,
	}
	ord.acked = o.termsOf(c)
	ord.acked.verdict = o.verdict(ord, r, 0)
	ord.first = ord.acked
	o.makeRoom()
	o.orders = append(o.orders, ord)
	o.stamps = append(o.stamps, stamp{id, o.now})
	o.send(ord.acked.verdict)
}

func (o *oracle) refuseNew(s *sessionState, r *order.Request, d order.Decision) {
	o.answer(s, order.Answer{
		Kind: order.AnswerExecution, ExecType: order.ExecTypeRejected, OrdStatus: order.OrdStatusRejected,
		Ref: r.Ref, ClOrdID: r.ClOrdID, OrderQty: r.OrderQty, Price: r.Price, Account: r.Account, Trader: r.Trader,
		Instrument: r.Instrument, Side: r.Side, Decision: d,
	})
}

// noteEndings numbers the orders that ended, in the order they did.
func (o *oracle) noteEndings() {
	for _, ord := range o.orders {
		switch {
		case ord.live():
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

// spare finds the order that would be forgotten first to make room: the one that
// ended first and waits for nothing.
func (o *oracle) spare() int {
	best := -1
	for i, ord := range o.orders {
		waits := !ord.isAcked || len(ord.pending) > 0 || len(ord.cancels) > 0
		if !ord.live() && !waits && (best < 0 || ord.ended < o.orders[best].ended) {
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
	if o.clOrdIDs >= o.bounds.clOrdIDs {
		return true
	}
	if c.order != nil {
		return false // a replace of an order that has its place
	}
	known := c.account != nil && c.trader != nil && c.instrument != nil
	return len(o.orders) >= o.bounds.orders && o.spare() < 0 ||
		known && !in(c.identity, o.routes) && len(o.routes) >= o.bounds.routes
}

func (o *oracle) replaceOrder(s *sessionState, r *order.Request) {
	c := o.caseOf(s, r)
	if d := o.judge(c); d != nil {
		o.cancelReject(s, c.order, r, *d)
		return
	}
	ord := c.order
	t := o.termsOf(c)
	t.verdict = o.verdict(ord, r, r.OrigClOrdID)
	ord.pending = append(ord.pending, t)
	ord.names = append(ord.names, r.ClOrdID)
	o.stamps = append(o.stamps, stamp{ord.identity, o.now})
	o.send(t.verdict)
}

func (o *oracle) termsOf(c *judged) terms {
	r := c.request
	return terms{
		seq: o.seq, ref: r.Ref, clOrdID: r.ClOrdID, orig: r.OrigClOrdID, qty: r.OrderQty, price: r.Price,
		worst: c.worst, mult: c.instrument.multiplier, config: o.version,
	}
}

// cancelReject refuses a replace or a cancel.
func (o *oracle) cancelReject(s *sessionState, ord *orderState, r *order.Request, d order.Decision) {
	a := order.Answer{
		Kind: order.AnswerCancelReject, MsgType: r.MsgType, Ref: r.Ref, ClOrdID: r.ClOrdID, OrigClOrdID: r.OrigClOrdID,
		Decision: d,
	}
	if ord != nil {
		o.describe(&a, ord)
	}
	o.answer(s, a)
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

func (o *oracle) cancelOrder(s *sessionState, r *order.Request) {
	ord := o.named(s.id, r.OrigClOrdID)
	if reason := o.cancelRefused(ord, r); reason != order.ReasonNone {
		o.cancelReject(s, ord, r, order.Decision{Reason: reason})
		return
	}
	o.sendCancel(ord, r.Ref, r.ClOrdID, r.OrigClOrdID, r.ValidUntil)
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

// cancelsAsked counts the cancels under way that a client asked for.
func (ord *orderState) cancelsAsked() int {
	n := len(ord.cancels)
	if ord.ownCancel() != nil {
		n--
	}
	return n
}

// sendCancel asks the venue to cancel an order that stays reserved until the
// venue says that it is canceled.
func (o *oracle) sendCancel(ord *orderState, ref uint64, name, orig order.ClOrdID, until int64) {
	v := order.Verdict{
		MsgType: order.MsgCancelOrder, OrderID: ord.id, ClOrdID: name, OrigClOrdID: orig, ValidUntil: until,
		Group: ord.group, Session: ord.session, Account: ord.account, Trader: ord.trader,
		Instrument: ord.instrument, Side: ord.side, OrdType: ord.ordType, TimeInForce: ord.tif,
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
		if c := ord.ownCancel(); c != nil {
			c.why = max(c.why, why)
			continue
		}
		o.seq++
		o.sendCancel(ord, 0, 0, ord.acked.clOrdID, 0)
		ord.ownCancel().why = why
	}
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

func (o *oracle) verdict(ord *orderState, r *order.Request, orig order.ClOrdID) order.Verdict {
	return o.sign(order.Verdict{
		MsgType: r.MsgType, OrderID: ord.id, ClOrdID: r.ClOrdID, OrigClOrdID: orig, ValidUntil: r.ValidUntil,
		Price: r.Price, StopPx: r.StopPx, OrderQty: r.OrderQty, DisplayQty: r.DisplayQty,
		Group: ord.group, Session: ord.session, Account: ord.account, Trader: ord.trader,
		Instrument: ord.instrument, Side: ord.side, OrdType: ord.ordType, TimeInForce: ord.tif,
	}, o.seq)
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
