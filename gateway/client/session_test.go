package client

import (
	"errors"
	"slices"
	"testing"

	"tollgate/fastpath/wire"
	"tollgate/order"
)

// wired is a session connected to a model without any socket.
type wired struct {
	t *testing.T
	*session
	server *model
	seen   record
	sent   []byte // written by the session, not yet given to the server
}

func newWired(t *testing.T, cfg Config) *wired {
	w := &wired{t: t, session: newSession(cfg.withDefaults()), server: newModel(t)}
	w.nowNs = 1_000
	return w
}

// logIn connects and lets both sides talk until nothing is left to say.
func (w *wired) logIn() {
	w.connected()
	w.give(w.server.hello())
	w.talk()
}

// give hands frames to the session.
func (w *wired) give(frames []byte) {
	for _, m := range parse(w.t, frames) {
		w.receive(m, &w.seen)
	}
}

// pumped returns what the session wants to write now.
func (w *wired) pumped() []wire.Message {
	w.sent = w.pump(w.sent)
	messages := parse(w.t, w.sent)
	w.sent = nil
	return messages
}

// talk carries frames back and forth until there are none.
func (w *wired) talk() {
	for messages := w.pumped(); len(messages) > 0; messages = w.pumped() {
		for _, m := range messages {
			w.give(w.server.take(m))
		}
	}
}

// order sends one request; the bytes stay in sent.
func (w *wired) order(r *order.Request) { w.sent = w.send(w.sent, r) }

// refs returns the request numbers in messages.
func refs(t *testing.T, messages []wire.Message) []uint64 {
	t.Helper()
	var out []uint64
	for _, m := range messages {
		var r order.Request
		if err := m.Request(&r); err != nil {
			t.Fatal(err)
		}
		out = append(out, r.Ref)
	}
	return out
}

func (w *wired) wantRefs(messages []wire.Message, want ...uint64) {
	w.t.Helper()
	if got := refs(w.t, messages); !slices.Equal(got, want) {
		w.t.Fatalf("the session wrote requests %v, want %v", got, want)
	}
}

func TestEveryRequestGetsItsAnswer(t *testing.T) {
	w := newWired(t, testConfig())
	w.logIn()
	for id := order.ClOrdID(1); id <= 3; id++ {
		w.order(newOrder(id))
	}
	if w.window.open != 3 {
		t.Fatalf("%d requests are open, want 3", w.window.open)
	}
	w.talk()
	if w.window.open != 0 || len(w.seen.answers) != 3 || w.counters.Finals != 3 {
		t.Fatalf("open %d, answers %d, finals %d, want 0, 3, 3", w.window.open, len(w.seen.answers), w.counters.Finals)
	}
	for i, a := range w.seen.answers {
		if a.Ref != uint64(i+1) || a.ClOrdID != order.ClOrdID(i+1) {
			t.Errorf("answer %d is for request %d, ClOrdID %d", i, a.Ref, a.ClOrdID)
		}
	}
}

func TestRequestsWaitForTheLogin(t *testing.T) {
	w := newWired(t, testConfig())
	w.order(newOrder(1))
	w.order(newOrder(2))
	w.connected()
	if got := w.pumped(); len(got) != 0 {
		t.Fatalf("%d messages were written before the Hello", len(got))
	}
	w.give(w.server.hello())
	w.talk()
	if len(w.server.applied) != 2 || len(w.seen.answers) != 2 {
		t.Fatalf("applied %d, answered %d, want 2 and 2", len(w.server.applied), len(w.seen.answers))
	}
}

func TestReloginResendsWhatTheServerLacks(t *testing.T) {
	w := newWired(t, testConfig())
	w.logIn()
	w.server.silent = true
	w.order(newOrder(1))
	w.order(newOrder(2))
	w.talk()             // the server has both
	w.order(newOrder(3)) // lost with the connection
	w.order(newOrder(4))
	w.sent = nil
	w.disconnected()
	w.server.silent = false
	w.server.answer(1, 1) // while the client is away
	w.server.answer(2, 2)
	w.logIn()
	if want := []uint64{1, 1}; !slices.Equal(w.server.wanted, want) {
		t.Errorf("the logins wanted answers from %v, want %v", w.server.wanted, want)
	}
	if len(w.server.applied) != 4 || w.window.open != 0 || len(w.seen.answers) != 4 {
		t.Fatalf("applied %d, open %d, answers %d, want 4, 0, 4", len(w.server.applied), w.window.open, len(w.seen.answers))
	}
	if w.counters.DuplicateHints != 0 {
		t.Errorf("%d requests were sent twice although the server had them", w.counters.DuplicateHints)
	}
}

func TestLaterLoginsContinueTheStream(t *testing.T) {
	w := newWired(t, testConfig())
	w.logIn()
	w.order(newOrder(1))
	w.talk()
	w.disconnected()
	w.server.epoch++
	w.logIn()
	if want := []uint64{1, 2}; !slices.Equal(w.server.wanted, want) {
		t.Errorf("the logins wanted answers from %v, want %v", w.server.wanted, want)
	}
	want := []EventKind{EventConnected, EventConnected, EventEpochChanged}
	if got := w.seen.kinds(); !slices.Equal(got, want) {
		t.Errorf("events are %v, want %v", got, want)
	}
}

func TestGapIsRepeatedFromTheExpectedRequest(t *testing.T) {
	w := newWired(t, testConfig())
	w.logIn()
	for id := order.ClOrdID(1); id <= 5; id++ {
		w.order(newOrder(id))
	}
	lost := parse(t, w.sent)
	w.sent = nil
	for _, m := range lost[2:] { // 1 and 2 never arrive
		w.give(w.server.take(m))
	}
	if w.counters.GapHints != 3 {
		t.Fatalf("%d gap hints came, want 3", w.counters.GapHints)
	}
	w.wantRefs(w.pumped(), 1, 2, 3, 4, 5)
	gap := wire.Gap{ExpectedRef: 1, Session: testSession}
	w.give(gap.Append(nil))
	if got := w.pumped(); len(got) != 0 {
		t.Fatalf("a second hint within the interval made the session write %d requests", len(got))
	}
	w.nowNs += w.cfg.ResendIntervalNs
	w.give(gap.Append(nil))
	w.wantRefs(w.pumped(), 1, 2, 3, 4, 5)
}

func TestBusyHoldsRequestsButNoCancels(t *testing.T) {
	w := newWired(t, testConfig())
	w.logIn()
	w.server.busyMs = 20
	w.order(newOrder(1))
	w.talk()
	if got := w.seen.events[len(w.seen.events)-1]; got.Kind != EventBusy || got.RetryAfterMs != 20 || got.Ref != 1 {
		t.Fatalf("the last event is %+v, want busy for request 1", got)
	}
	w.order(newOrder(2))
	cancel := newOrder(3)
	cancel.MsgType, cancel.OrigClOrdID = order.MsgCancelOrder, 1
	w.order(cancel)
	w.wantRefs(w.pumped(), 3)
	w.nowNs += 20*nsPerMs - 1
	w.wantRefs(w.pumped())
	w.nowNs++
	w.server.busyMs = 0
	w.talk()
	if len(w.server.applied) != 3 || w.window.open != 0 {
		t.Fatalf("applied %d, open %d, want 3 and 0", len(w.server.applied), w.window.open)
	}
}

func TestRepeatedBusyDoesNotProlongTheWait(t *testing.T) {
	w := newWired(t, testConfig())
	w.logIn()
	w.order(newOrder(1))
	w.sent = nil
	busy := wire.Busy{Ref: 1, RetryAfterMs: 20, Session: testSession}
	w.give(busy.Append(nil))
	w.nowNs += 19 * nsPerMs
	w.give(busy.Append(nil))
	w.nowNs += nsPerMs
	w.wantRefs(w.pumped(), 1)
}

func TestRepeatedAnswersAreDropped(t *testing.T) {
	w := newWired(t, testConfig())
	w.logIn()
	w.order(newOrder(1))
	w.talk()
	w.give(w.server.stream[0])
	if len(w.seen.answers) != 1 || w.counters.DuplicateAnswers != 1 || w.drop != nil {
		t.Fatalf("answers %d, duplicates %d, drop %v", len(w.seen.answers), w.counters.DuplicateAnswers, w.drop)
	}
}

func TestStreamGapAsksAgainThenFails(t *testing.T) {
	w := newWired(t, testConfig())
	w.logIn()
	w.server.answer(0, 1)
	second := w.server.answer(0, 2)
	w.give(second)
	var gap *StreamGapError
	if !errors.As(w.drop, &gap) || gap.Got != 2 || gap.Want != 1 || w.failure != nil {
		t.Fatalf("drop is %v, failure %v, want a stream gap 2 for 1 that can be repaired", w.drop, w.failure)
	}
	w.disconnected()
	w.logIn()
	if len(w.seen.answers) != 2 {
		t.Fatalf("%d answers after the new login, want 2", len(w.seen.answers))
	}
	w.give(w.server.answer(0, 3))
	fifth := order.Answer{OutSeq: 5, Kind: order.AnswerExecution}
	w.give(wire.AppendAnswer(nil, &fifth))
	w.disconnected()
	w.connected()
	w.phase = phaseActive
	w.give(wire.AppendAnswer(nil, &fifth))
	if !errors.As(w.failure, &gap) {
		t.Fatalf("the same gap twice is %v, want a failure", w.failure)
	}
}

func TestUnansweredBound(t *testing.T) {
	cfg := testConfig()
	cfg.UnansweredMax = 3
	w := newWired(t, cfg)
	w.logIn()
	w.server.silent = true
	for id := order.ClOrdID(1); id <= 3; id++ {
		if w.window.full() {
			t.Fatalf("full before request %d", id)
		}
		w.order(newOrder(id))
	}
	w.talk()
	if !w.window.full() {
		t.Fatal("not full with three requests open")
	}
	w.give(w.server.answer(2, 2))
	if !w.window.full() {
		t.Fatal("an answer behind the oldest request must not make room")
	}
	w.give(w.server.answer(1, 1))
	if w.window.full() || w.window.oldest != 3 {
		t.Fatalf("full %v, oldest %d, want room and 3", w.window.full(), w.window.oldest)
	}
}

func TestServersNextRefDecides(t *testing.T) {
	cases := []struct {
		name    string
		nextRef uint64 // of the server
		adopt   bool
		sent    int // requests before the login
		fails   any
		next    uint64 // of the client afterwards
	}{
		{"fresh", 1, false, 0, nil, 1},
		{"ahead is an error", 9, false, 0, new(*RefsAheadError), 1},
		{"ahead is adopted on demand", 9, true, 0, nil, 9},
		{"ahead is an error when requests wait already", 9, true, 1, new(*RefsAheadError), 2},
		{"behind what was sent is resent", 1, false, 2, nil, 3},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			cfg := testConfig()
			cfg.Adopt = c.adopt
			w := newWired(t, cfg)
			w.server.nextRef = c.nextRef
			for i := range c.sent {
				w.order(newOrder(order.ClOrdID(i + 1)))
			}
			w.logIn()
			if c.fails == nil && w.failure != nil || c.fails != nil && !errors.As(w.failure, c.fails) {
				t.Errorf("failure is %v, want %T", w.failure, c.fails)
			}
			if w.window.next != c.next {
				t.Errorf("the next request is %d, want %d", w.window.next, c.next)
			}
		})
	}
}

func TestServerThatForgotIsAnError(t *testing.T) {
	w := newWired(t, testConfig())
	w.logIn()
	w.order(newOrder(1))
	w.order(newOrder(2))
	w.talk()
	w.disconnected()
	w.server.nextRef = 2
	w.logIn()
	var behind *ServerBehindError
	if !errors.As(w.failure, &behind) || behind.What != "request" || behind.Client != 3 {
		t.Fatalf("failure is %v, want a server behind at request 2 where 3 is due", w.failure)
	}
}

func TestAdoptStartsFromTheOldestAnswerHeld(t *testing.T) {
	for _, adopt := range []bool{false, true} {
		cfg := testConfig()
		cfg.Adopt = adopt
		w := newWired(t, cfg)
		w.server.answer(0, 1)
		w.server.answer(0, 2)
		w.server.answer(0, 3)
		w.server.oldest = 3
		w.logIn()
		if !adopt {
			var refused *LoginError
			if !errors.As(w.failure, &refused) || refused.OldestOutSeq != 3 {
				t.Errorf("without Adopt the failure is %v, want a refused login", w.failure)
			}
			continue
		}
		if w.drop != errStartLater || w.failure != nil {
			t.Fatalf("drop is %v, failure %v", w.drop, w.failure)
		}
		w.disconnected()
		w.logIn()
		if len(w.seen.answers) != 1 || w.seen.answers[0].OutSeq != 3 {
			t.Errorf("answers are %+v, want answer 3 alone", w.seen.answers)
		}
	}
}

func TestTraceComesRightBeforeItsAnswer(t *testing.T) {
	w := newWired(t, testConfig())
	w.logIn()
	stale := wire.AppendHopTrace(nil, testSession, 99, &order.Trace{GatewayIn: 1})
	w.give(stale)
	w.give(w.server.answer(0, 1))
	if len(w.seen.traces) != 0 {
		t.Fatal("a trace of another answer was handed over")
	}
	w.give(wire.AppendHopTrace(nil, testSession, 2, &order.Trace{GatewayIn: 1}))
	if w.seen.last != "answer" {
		t.Fatal("the trace was handed over before its answer had come")
	}
	w.give(w.server.answer(0, 2))
	if !slices.Equal(w.seen.traces, []uint64{2}) || w.seen.last != "answer" {
		t.Fatalf("traces %v, last %s, want the trace of 2 and then the answer", w.seen.traces, w.seen.last)
	}
}

func TestHeartbeats(t *testing.T) {
	cfg := testConfig()
	cfg.KeepaliveMs = 100
	w := newWired(t, cfg)
	w.logIn()
	w.nowNs += 100*nsPerMs - 1
	if got := w.pumped(); len(got) != 0 {
		t.Fatalf("%d messages before the keepalive", len(got))
	}
	w.nowNs++
	if got := w.pumped(); len(got) != 1 || got[0].Template != wire.TemplateHeartbeat {
		t.Fatalf("%d messages at the keepalive, want one heartbeat", len(got))
	}
	if due := w.dueNs() - w.nowNs; due != 100*nsPerMs {
		t.Errorf("the next heartbeat is due in %d ns, want 100 ms", due)
	}
	for range acknowledgeEvery {
		w.give(w.server.answer(0, 1))
	}
	w.talk()
	if w.server.held != acknowledgeEvery {
		t.Errorf("the server was told %d answers are held, want %d", w.server.held, acknowledgeEvery)
	}
}

func TestSilence(t *testing.T) {
	cfg := testConfig()
	cfg.KeepaliveMs = 100
	w := newWired(t, cfg)
	w.connected()
	w.nowNs += w.cfg.LoginTimeoutNs + 1
	w.checkSilence()
	if w.drop != ErrLoginTimeout {
		t.Fatalf("drop is %v, want a login timeout", w.drop)
	}
	w.logIn()
	w.nowNs += 200 * nsPerMs
	w.checkSilence()
	if w.drop != nil {
		t.Fatalf("given up within twice the keepalive: %v", w.drop)
	}
	w.nowNs++
	w.checkSilence()
	if w.drop != ErrSilence || w.failure != nil {
		t.Fatalf("drop is %v, failure %v, want silence", w.drop, w.failure)
	}
}

func TestSessionRejects(t *testing.T) {
	for reason := wire.SessionRejectFrameLength; reason <= wire.SessionRejectDraining; reason++ {
		w := newWired(t, testConfig())
		w.logIn()
		reject := wire.SessionReject{Reason: reason, Value: 5, RefTemplate: 20}
		w.give(reject.Append(nil))
		var cause *RejectedError
		if !errors.As(w.drop, &cause) || cause.Reason != reason || cause.Value != 5 || cause.Template != 20 {
			t.Errorf("%v: drop is %v", reason, w.drop)
		}
		if (w.failure == nil) != cause.Transient() {
			t.Errorf("%v: failure is %v, transient %v", reason, w.failure, cause.Transient())
		}
	}
}

func TestLoginRejects(t *testing.T) {
	for reason := wire.LoginRejectNotAuthorized; reason <= wire.LoginRejectDisabled; reason++ {
		w := newWired(t, testConfig())
		w.server.noLogin = reason
		w.logIn()
		var cause *LoginError
		if !errors.As(w.drop, &cause) || cause.Reason != reason {
			t.Errorf("%v: drop is %v", reason, w.drop)
		}
		if (w.failure == nil) != (reason == wire.LoginRejectBusy) {
			t.Errorf("%v: failure is %v", reason, w.failure)
		}
	}
}

func TestEveryRequestFitsItsSlot(t *testing.T) {
	for _, kind := range []order.MsgType{
		order.MsgNewOrder, order.MsgReplaceOrder, order.MsgCancelOrder, order.MsgMassCancel,
	} {
		if n := len(wire.AppendRequest(nil, &order.Request{MsgType: kind})); n > requestFrameMax {
			t.Errorf("a %v has %d bytes, a slot has %d", kind, n, requestFrameMax)
		}
	}
}

// TestNothingIsAllocated pins that a request and its answer cost no garbage.
func TestNothingIsAllocated(t *testing.T) {
	w := newWired(t, testConfig())
	w.logIn()
	r := newOrder(1)
	a := order.Answer{Kind: order.AnswerExecution, Session: testSession}
	buffer := make([]byte, 0, 4096)
	frames := make([]byte, 0, 4096)
	var parser wire.Parser
	h := &sink{}
	allocs := testing.AllocsPerRun(1000, func() {
		buffer = w.pump(w.send(buffer[:0], r))
		a.OutSeq, a.Ref = w.nextOutSeq, r.Ref
		frames = wire.AppendHopTrace(frames[:0], testSession, a.OutSeq, &order.Trace{})
		n := len(frames)
		frames = wire.AppendAnswer(frames, &a)
		trace, _ := parser.Parse(wire.Frame(frames[:n]))
		w.receive(trace, h)
		answer, _ := parser.Parse(wire.Frame(frames[n:]))
		w.receive(answer, h)
	})
	if allocs != 0 {
		t.Errorf("a request and its answer allocate %v times, want 0", allocs)
	}
	if h.answers == 0 || h.traces != h.answers || w.window.open != 0 {
		t.Fatalf("answers %d, traces %d, open %d: the loop did not run", h.answers, h.traces, w.window.open)
	}
}

// sink is a Handler that counts.
type sink struct{ answers, traces, events int }

func (s *sink) Answer(*order.Answer)                        { s.answers++ }
func (s *sink) Trace(order.SessionID, uint64, *order.Trace) { s.traces++ }
func (s *sink) Event(Event)                                 { s.events++ }
