package client

import (
	"testing"

	"tollgate/fastpath/wire"
	"tollgate/order"
)

const (
	testClient  = 7
	testSession = order.SessionID(70)
)

var testKey = []byte("0123456789abcdef0123456789abcdef")

func testConfig() Config {
	return Config{
		Network: "unix", Address: "unused", Client: testClient, Session: testSession, Key: testKey, UnansweredMax: 64,
	}
}

// model is the server's side of one session by the rules of the protocol:
// contiguous request numbers, one answer each, a stream that can be replayed.
type model struct {
	t          *testing.T
	nextRef    uint64
	oldest     uint64 // the oldest answer held
	stream     [][]byte
	applied    []order.Request
	connection order.ConnectionID
	epoch      uint64
	nonce      [16]byte
	held       uint64 // the newest OutSeq a heartbeat named
	silent     bool   // requests are taken but not answered
	busyMs     uint32 // not zero: every request is answered with Busy
	noLogin    wire.LoginRejectReason
	wanted     []uint64 // WantOutSeq of every login
	loggedOut  int
	active     bool // the connection is logged in
}

func newModel(t *testing.T) *model {
	return &model{t: t, nextRef: 1, oldest: 1, epoch: 1}
}

func (m *model) hello() []byte {
	m.nonce[0]++
	m.active = false
	h := wire.Hello{Nonce: m.nonce, Epoch: m.epoch}
	return h.Append(nil)
}

// take takes a client's message and returns what the server sends for it.
func (m *model) take(msg wire.Message) []byte {
	switch msg.Template {
	case wire.TemplateLogin:
		return m.login(msg)
	case wire.TemplateHeartbeat:
		var h wire.Heartbeat
		h.Decode(msg)
		m.held = h.OutSeq
		return nil
	case wire.TemplateLogout:
		m.loggedOut++
		return nil
	}
	var r order.Request
	if err := msg.Request(&r); err != nil {
		m.t.Fatalf("the server got template %d: %v", msg.Template, err)
	}
	return m.request(&r)
}

func (m *model) login(msg wire.Message) []byte {
	var l wire.Login
	l.Decode(msg)
	if l.Mac != wire.LoginMAC(testKey, m.nonce, &l) || l.Client != testClient || l.Session != testSession {
		m.t.Errorf("the Login is not authentic: %+v", l)
	}
	m.wanted = append(m.wanted, l.WantOutSeq)
	next := uint64(len(m.stream)) + 1
	if m.noLogin == 0 && (l.WantOutSeq < m.oldest || l.WantOutSeq > next) {
		reject := wire.LoginReject{OldestOutSeq: m.oldest, Session: l.Session, Reason: wire.LoginRejectOutSeqUnavailable}
		return reject.Append(nil)
	}
	if m.noLogin != 0 {
		reject := wire.LoginReject{Session: l.Session, Reason: m.noLogin}
		return reject.Append(nil)
	}
	m.connection++
	m.active = true
	ack := wire.LoginAck{
		NextRef: m.nextRef, NextOutSeq: next, OldestOutSeq: m.oldest, Epoch: m.epoch,
		Session: l.Session, Connection: m.connection, KeepaliveMs: l.KeepaliveMs,
	}
	out := ack.Append(nil)
	for _, f := range m.stream[l.WantOutSeq-1:] {
		out = append(out, f...)
	}
	return out
}

func (m *model) request(r *order.Request) []byte {
	switch {
	case m.busyMs != 0:
		busy := wire.Busy{Ref: r.Ref, RetryAfterMs: m.busyMs, Session: testSession, Connection: m.connection}
		return busy.Append(nil)
	case r.Ref > m.nextRef:
		gap := wire.Gap{ExpectedRef: m.nextRef, Session: testSession, Connection: m.connection}
		return gap.Append(nil)
	case r.Ref < m.nextRef:
		duplicate := wire.Duplicate{Ref: r.Ref, OutSeq: wire.NullOutSeq, Session: testSession, Connection: m.connection}
		return duplicate.Append(nil)
	}
	m.nextRef++
	m.applied = append(m.applied, *r)
	if m.silent {
		return nil
	}
	return m.answer(r.Ref, r.ClOrdID)
}

// answer appends a final answer to the stream and returns its frame.
func (m *model) answer(ref uint64, id order.ClOrdID) []byte {
	return m.say(order.Answer{
		Ref: ref, ClOrdID: id, Session: testSession,
		Kind: order.AnswerExecution, ExecType: order.ExecTypeNew, OrdStatus: order.OrdStatusNew, Side: order.SideBuy,
	})
}

// say appends any answer to the stream and returns its frame.
func (m *model) say(a order.Answer) []byte {
	a.OutSeq = uint64(len(m.stream)) + 1
	f := wire.AppendAnswer(nil, &a)
	m.stream = append(m.stream, f)
	return f
}

// record is a Handler that keeps everything.
type record struct {
	answers []order.Answer
	traces  []uint64
	events  []Event
	last    string
}

func (r *record) Answer(a *order.Answer) {
	r.answers = append(r.answers, *a)
	r.last = "answer"
}

func (r *record) Trace(_ order.SessionID, outSeq uint64, _ *order.Trace) {
	r.traces = append(r.traces, outSeq)
	r.last = "trace"
}

func (r *record) Event(e Event) { r.events = append(r.events, e) }

// kinds returns the kinds of the events, oldest first.
func (r *record) kinds() []EventKind {
	var kinds []EventKind
	for _, e := range r.events {
		kinds = append(kinds, e.Kind)
	}
	return kinds
}

// parse returns the messages in b.
func parse(t *testing.T, b []byte) []wire.Message {
	t.Helper()
	var messages []wire.Message
	for len(b) > 0 {
		f, n, err := wire.Split(b)
		if err != nil || n == 0 {
			t.Fatalf("%d bytes are no frame: %v", len(b), err)
		}
		var p wire.Parser
		m, err := p.Parse(f)
		if err != nil {
			t.Fatal(err)
		}
		messages = append(messages, m)
		b = b[n:]
	}
	return messages
}

// newOrder returns a request with a ClOrdID.
func newOrder(id order.ClOrdID) *order.Request {
	return &order.Request{
		MsgType: order.MsgNewOrder, ClOrdID: id, Price: 10 * order.PriceOne, OrderQty: order.QtyOne, StopPx: order.Null,
		Account: 1, Trader: 1, Instrument: 1,
		Side: order.SideBuy, OrdType: order.OrdTypeLimit, TimeInForce: order.TimeInForceDay,
	}
}
