package client

import (
	"tollgate/fastpath/wire"
	"tollgate/order"
)

// phase is how far the login on the present connection has come.
type phase uint8

const (
	phaseOffline  phase = 0 // no connection
	phaseGreeting phase = 1 // connected, the server's Hello is due
	phaseAnswered phase = 2 // the Hello has come, the Login is to be written
	phaseLogin    phase = 3 // the Login is written, its answer is due
	phaseActive   phase = 4
)

// session is the protocol of one order entry session. It does no I/O and reads
// no clock: receive takes a message, pump appends whatever is to be written.
// Times are nanoseconds of one monotonic clock, which the owner reads into
// nowNs.
type session struct {
	cfg      Config
	window   window
	counters Counters
	drop     error // why the connection must be given up; nil while it is fine
	failure  error // why the session cannot go on at all; nil while it can

	nowNs       int64 // the clock at the last call that told it
	hello       wire.Hello
	keepaliveNs int64
	lastInNs    int64
	lastOutNs   int64
	startedNs   int64 // when the connection was made

	cursor      uint64 // the number of the next request to write on this connection
	holdUntilNs int64  // while holding: when the requests are repeated
	resentFrom  uint64
	resentAtNs  int64

	nextOutSeq  uint64 // the answer that is due
	saidOutSeq  uint64 // the newest answer the server was told about
	gapAt       uint64 // where the stream had a gap before; 0: nowhere
	traceOutSeq uint64 // the answer that trace belongs to; 0: none
	epoch       uint64
	connection  order.ConnectionID
	phase       phase
	loggedIn    bool // at least once
	holding     bool // the server is busy: only cancels are written

	trace  order.Trace
	answer order.Answer
}

func newSession(cfg Config) *session {
	return &session{
		cfg: cfg, window: newWindow(cfg.UnansweredMax, cfg.NextRef), nextOutSeq: cfg.WantOutSeq,
		keepaliveNs: int64(cfg.KeepaliveMs) * nsPerMs,
	}
}

// connected starts the login on a new connection.
func (s *session) connected() {
	s.phase, s.drop = phaseGreeting, nil
	s.startedNs, s.lastInNs, s.lastOutNs = s.nowNs, s.nowNs, s.nowNs
	s.holding, s.holdUntilNs, s.resentFrom, s.traceOutSeq = false, 0, 0, 0
}

// disconnected forgets the connection.
func (s *session) disconnected() {
	s.phase = phaseOffline
	s.counters.Disconnects++
}

// giveUp asks for the connection to be closed; the session goes on with a new
// one.
func (s *session) giveUp(cause error) {
	if s.drop == nil {
		s.drop = cause
	}
}

// fail ends the session for good.
func (s *session) fail(cause error) {
	if s.failure == nil {
		s.failure = cause
	}
	s.giveUp(cause)
}

// receive takes one message from the server. Messages after the decision to
// give the connection up are ignored.
func (s *session) receive(m wire.Message, h Handler) {
	if s.drop != nil {
		return
	}
	s.lastInNs = s.nowNs
	switch m.Template {
	case wire.TemplateExecutionReport, wire.TemplateOrderCancelReject,
		wire.TemplateOrderMassCancelReport, wire.TemplateCancelOnDisconnectReport:
		s.onAnswer(m, h)
	case wire.TemplateHopTrace:
		_, s.traceOutSeq = m.HopTrace(&s.trace)
	default:
		s.receiveRare(m, h)
	}
}

// receiveRare takes what comes seldom. Templates this client does not know
// are left alone: a newer server may send them.
func (s *session) receiveRare(m wire.Message, h Handler) {
	switch m.Template {
	case wire.TemplateHello:
		s.onHello(m)
	case wire.TemplateLoginAck:
		s.onLoginAck(m, h)
	case wire.TemplateLoginReject:
		s.onLoginReject(m)
	case wire.TemplateSessionReject:
		s.onSessionReject(m)
	case wire.TemplateGap:
		s.onGap(m, h)
	case wire.TemplateBusy:
		s.onBusy(m, h)
	case wire.TemplateDuplicate:
		s.onDuplicate(m, h)
	}
}

// onAnswer hands over the answer that is due, drops one that was handed over
// before, and asks for the stream again when one is missing.
func (s *session) onAnswer(m wire.Message, h Handler) {
	if err := m.Answer(&s.answer); err != nil {
		s.giveUp(err)
		return
	}
	a := &s.answer
	if a.OutSeq != s.nextOutSeq {
		s.onOutOfOrder(a.OutSeq)
		return
	}
	s.nextOutSeq++
	s.counters.Answers++
	if a.Ref != 0 && s.window.answer(a.Ref) {
		s.counters.Finals++
	}
	if s.traceOutSeq == a.OutSeq {
		s.counters.Traces++
		h.Trace(s.cfg.Session, a.OutSeq, &s.trace)
	}
	h.Answer(a)
}

// onOutOfOrder judges an answer that is not the one due. A gap is repaired by
// a new login; the same gap twice means the server has lost the answer.
func (s *session) onOutOfOrder(outSeq uint64) {
	if outSeq < s.nextOutSeq {
		s.counters.DuplicateAnswers++
		return
	}
	s.counters.StreamGaps++
	cause := &StreamGapError{Got: outSeq, Want: s.nextOutSeq}
	if s.gapAt == s.nextOutSeq {
		s.fail(cause)
		return
	}
	s.gapAt = s.nextOutSeq
	s.giveUp(cause)
}

// onGap repeats the requests from the one the server expects. While they are
// on their way, further hints of the same kind change nothing.
func (s *session) onGap(m wire.Message, h Handler) {
	var gap wire.Gap
	gap.Decode(m)
	s.counters.GapHints++
	h.Event(Event{Kind: EventGap, Ref: gap.ExpectedRef})
	switch {
	case gap.ExpectedRef <= s.window.newest:
		s.fail(&ServerBehindError{What: "request", Server: gap.ExpectedRef, Client: s.window.newest + 1})
	case gap.ExpectedRef == s.resentFrom && s.nowNs-s.resentAtNs < s.cfg.ResendIntervalNs:
	case gap.ExpectedRef < s.cursor:
		s.cursor, s.resentFrom, s.resentAtNs = gap.ExpectedRef, gap.ExpectedRef, s.nowNs
	}
}

// onBusy repeats the requests from the one refused, after the time the server
// named. Hints that come while waiting do not prolong the wait.
func (s *session) onBusy(m wire.Message, h Handler) {
	var busy wire.Busy
	busy.Decode(m)
	s.counters.BusyHints++
	s.cursor = min(s.cursor, max(busy.Ref, s.window.oldest))
	if !s.holding {
		s.holding, s.holdUntilNs = true, s.nowNs+int64(busy.RetryAfterMs)*nsPerMs
	}
	h.Event(Event{Kind: EventBusy, Ref: busy.Ref, RetryAfterMs: busy.RetryAfterMs, Reason: busy.Reason})
}

func (s *session) onDuplicate(m wire.Message, h Handler) {
	var duplicate wire.Duplicate
	duplicate.Decode(m)
	s.counters.DuplicateHints++
	e := Event{Kind: EventDuplicate, Ref: duplicate.Ref}
	if duplicate.OutSeq != wire.NullOutSeq {
		e.OutSeq = duplicate.OutSeq
	}
	h.Event(e)
}

// send keeps r and writes it if nothing waits before it. While the server is
// busy a cancel is written at once all the same, out of its turn: a gateway
// without an engine can still pass it to the venue. It is repeated in its turn
// later.
func (s *session) send(dst []byte, r *order.Request) []byte {
	ref := s.window.add(r)
	s.counters.Sent++
	switch {
	case s.phase != phaseActive || len(dst) >= outboundHighBytes:
	case s.holding && s.window.at(ref).cancel:
		return s.write(dst, ref)
	case s.cursor == ref:
		s.cursor++
		return s.write(dst, ref)
	}
	return dst
}

func (s *session) write(dst []byte, ref uint64) []byte {
	s.counters.Transmitted++
	s.lastOutNs = s.nowNs
	return append(dst, s.window.at(ref).bytes()...)
}

// pump appends what is to be written now: the login, the requests that wait,
// a heartbeat.
func (s *session) pump(dst []byte) []byte {
	if s.phase == phaseAnswered {
		dst = s.appendLogin(dst)
	}
	if s.phase != phaseActive || s.drop != nil {
		return dst
	}
	s.holding = s.holding && s.nowNs < s.holdUntilNs
	if !s.holding {
		dst = s.pumpRequests(dst)
	}
	if s.heartbeatDue() {
		dst = s.appendHeartbeat(dst)
	}
	return dst
}

// pumpRequests writes the requests that wait, as far as there is room. Those
// with a final answer are skipped: the server has them.
func (s *session) pumpRequests(dst []byte) []byte {
	s.cursor = max(s.cursor, s.window.oldest)
	for s.cursor < s.window.next && len(dst) < outboundHighBytes {
		if !s.window.at(s.cursor).answered {
			dst = s.write(dst, s.cursor)
		}
		s.cursor++
	}
	return dst
}

// heartbeatDue reports whether the connection was idle for the keepalive, or
// enough answers have come that the server should hear of them.
func (s *session) heartbeatDue() bool {
	return s.nowNs-s.lastOutNs >= s.keepaliveNs || s.nextOutSeq-s.saidOutSeq > acknowledgeEvery
}

func (s *session) appendHeartbeat(dst []byte) []byte {
	s.saidOutSeq, s.lastOutNs = s.nextOutSeq-1, s.nowNs
	beat := wire.Heartbeat{OutSeq: s.saidOutSeq, Session: s.cfg.Session, Connection: s.connection}
	return beat.Append(dst)
}

// appendLogout ends the connection on purpose.
func (s *session) appendLogout(dst []byte) []byte {
	if s.phase != phaseActive {
		return dst
	}
	logout := wire.Logout{Session: s.cfg.Session, Connection: s.connection}
	return logout.Append(dst)
}

// checkSilence gives the connection up when the server was silent for too
// long.
func (s *session) checkSilence() {
	switch {
	case s.phase == phaseOffline:
	case s.phase != phaseActive && s.nowNs-s.startedNs > s.cfg.LoginTimeoutNs:
		s.giveUp(ErrLoginTimeout)
	case s.phase == phaseActive && s.nowNs-s.lastInNs > 2*s.keepaliveNs:
		s.giveUp(ErrSilence)
	}
}

// dueNs returns when pump or checkSilence will next have something to do if
// nothing is received.
func (s *session) dueNs() int64 {
	if s.phase != phaseActive {
		return s.startedNs + s.cfg.LoginTimeoutNs
	}
	due := min(s.lastOutNs+s.keepaliveNs, s.lastInNs+2*s.keepaliveNs)
	if s.holding {
		due = min(due, s.holdUntilNs)
	}
	return due
}
