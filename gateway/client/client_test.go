package client

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"tollgate/fastpath"
	"tollgate/fastpath/wire"
	"tollgate/order"
)

// server is a model behind a unix socket.
type server struct {
	t       *testing.T
	address string

	mu       sync.Mutex // guards all below; the server has a goroutine for each connection
	model    *model
	listener net.Listener
	conns    []net.Conn
	dropping bool // what clients send is lost
	mute     bool // nothing is answered, not even with a Hello
}

func newServer(t *testing.T) *server {
	s := &server{t: t, address: filepath.Join(t.TempDir(), "s"), model: newModel(t)}
	s.start()
	t.Cleanup(s.stop)
	return s
}

// start listens, at the same address as before.
func (s *server) start() {
	s.t.Helper()
	l, err := net.Listen("unix", s.address)
	if err != nil {
		s.t.Fatal(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.listener = l
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			s.mu.Lock()
			s.conns = append(s.conns, conn)
			s.mu.Unlock()
			go s.serve(conn)
		}
	}()
}

// stop ends the listener and every connection.
func (s *server) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	_ = s.listener.Close()
	s.cutAll()
}

// cut ends every connection; new ones are taken.
func (s *server) cut() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cutAll()
}

func (s *server) cutAll() {
	for _, c := range s.conns {
		_ = c.Close()
	}
	s.conns = nil
}

func (s *server) serve(conn net.Conn) {
	s.write(conn, func() []byte { return s.model.hello() })
	var b []byte
	var p wire.Parser
	chunk := make([]byte, 64<<10)
	for {
		n, err := conn.Read(chunk)
		if err != nil {
			return
		}
		b = append(b, chunk[:n]...)
		for {
			f, n, err := wire.Split(b)
			if n == 0 || err != nil {
				break
			}
			m, err := p.Parse(f)
			if err != nil {
				s.t.Errorf("the client sent %x: %v", f, err)
				return
			}
			s.write(conn, func() []byte { return s.model.take(m) })
			b = b[n:]
		}
	}
}

// write sends what make returns, unless the server is mute.
func (s *server) write(conn net.Conn, make func() []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.mute || s.dropping {
		return
	}
	if out := make(); len(out) > 0 {
		_, _ = conn.Write(out)
	}
}

// change changes the server under its lock.
func (s *server) change(do func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	do()
}

// push sends frames on every connection.
func (s *server) push(frames []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.conns {
		_, _ = c.Write(frames)
	}
}

func (s *server) config() Config {
	cfg := testConfig()
	cfg.Address = s.address
	cfg.ReconnectMinNs, cfg.ReconnectMaxNs = int64(time.Millisecond), int64(10*time.Millisecond)
	return cfg
}

func testContext(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	t.Cleanup(cancel)
	return ctx
}

func dialTest(t *testing.T, cfg Config) *Client {
	t.Helper()
	c, err := Dial(testContext(t), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// pollUntil polls until done says so.
func pollUntil(t *testing.T, c *Client, h Handler, done func() bool) {
	t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for !done() {
		if time.Now().After(deadline) {
			t.Fatalf("it does not happen: %+v", c.Counters())
		}
		n, err := c.Poll(h)
		if err != nil {
			t.Fatal(err)
		}
		if n == 0 {
			c.Wait(time.Millisecond)
		}
	}
}

func TestDialSendRecv(t *testing.T) {
	s := newServer(t)
	c := dialTest(t, s.config())
	if !c.Connected() || c.Epoch() != 1 {
		t.Fatalf("connected %v, epoch %d", c.Connected(), c.Epoch())
	}
	for want := uint64(1); want <= 3; want++ {
		ref, err := c.NewOrder(newOrder(order.ClOrdID(want)))
		if err != nil || ref != want {
			t.Fatalf("request %d, %v, want %d", ref, err, want)
		}
		a, err := c.Recv(testContext(t))
		if err != nil || a.Ref != ref || a.ClOrdID != order.ClOrdID(want) {
			t.Fatalf("answer %+v, %v", a, err)
		}
	}
	if c.Unanswered() != 0 || c.NextRef() != 4 || c.WantOutSeq() != 4 {
		t.Errorf("unanswered %d, next request %d, next answer %d", c.Unanswered(), c.NextRef(), c.WantOutSeq())
	}
}

func TestDoPassesOverOtherAnswers(t *testing.T) {
	s := newServer(t)
	s.change(func() { s.model.answer(0, 99) })
	c := dialTest(t, s.config())
	a, err := c.Do(testContext(t), newOrder(1))
	if err != nil || a.Ref != 1 || a.OutSeq != 2 {
		t.Fatalf("answer %+v, %v, want the second one", a, err)
	}
}

func TestConvenienceMethodsPickTheMessage(t *testing.T) {
	s := newServer(t)
	c := dialTest(t, s.config())
	sends := []func(*order.Request) (uint64, error){c.NewOrder, c.ReplaceOrder, c.CancelOrder, c.MassCancel}
	want := []order.MsgType{order.MsgNewOrder, order.MsgReplaceOrder, order.MsgCancelOrder, order.MsgMassCancel}
	for i, send := range sends {
		if _, err := send(newOrder(order.ClOrdID(i + 1))); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Recv(testContext(t)); err != nil {
			t.Fatal(err)
		}
	}
	s.change(func() {
		for i, r := range s.model.applied {
			if r.MsgType != want[i] {
				t.Errorf("request %d is %v, want %v", i+1, r.MsgType, want[i])
			}
		}
	})
}

func TestSendErrors(t *testing.T) {
	s := newServer(t)
	s.change(func() { s.model.silent = true })
	cfg := s.config()
	cfg.UnansweredMax = 2
	c := dialTest(t, cfg)
	if _, err := c.Send(&order.Request{MsgType: 'X'}); err == nil || !strings.Contains(err.Error(), "MsgType is 88") {
		t.Errorf("an unknown MsgType gives %v", err)
	}
	for range 2 {
		if _, err := c.Send(newOrder(1)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := c.Send(newOrder(3)); !errors.Is(err, ErrTooManyUnanswered) {
		t.Errorf("the third request gives %v, want %v", err, ErrTooManyUnanswered)
	}
	_ = c.Close()
	if _, err := c.Send(newOrder(3)); !errors.Is(err, ErrClosed) {
		t.Errorf("after Close: %v, want %v", err, ErrClosed)
	}
}

// TestReconnect cuts the connection, loses requests on the way, and restarts the
// server, with requests before, during and after.
func TestReconnect(t *testing.T) {
	s := newServer(t)
	c := dialTest(t, s.config())
	var seen record
	orders := 0
	send := func() {
		t.Helper()
		for range 10 {
			orders++
			if _, err := c.Send(newOrder(order.ClOrdID(orders))); err != nil {
				t.Fatal(err)
			}
			if _, err := c.Poll(&seen); err != nil {
				t.Fatal(err)
			}
		}
	}
	blows := []struct{ strike, heal func() }{
		{s.cut, func() {}},
		{func() { s.change(func() { s.dropping = true }) }, func() { s.change(func() { s.dropping = false }); s.cut() }},
		{s.stop, s.start},
	}
	for i := range 9 {
		blow := blows[i%len(blows)]
		send()
		blow.strike()
		send()
		blow.heal()
		send()
		pollUntil(t, c, &seen, func() bool { return c.Unanswered() == 0 })
	}
	if len(seen.answers) != orders {
		t.Fatalf("%d answers, want %d", len(seen.answers), orders)
	}
	for i, a := range seen.answers {
		if a.OutSeq != uint64(i+1) || a.Ref != uint64(i+1) {
			t.Fatalf("answer %d has OutSeq %d, Ref %d", i+1, a.OutSeq, a.Ref)
		}
	}
	if n := c.Counters(); n.Disconnects < 9 || n.Logins < 10 {
		t.Errorf("counters are %+v: the connection was not cut as often as the test meant to", n)
	}
}

func TestServerThatGoesSilentIsLeft(t *testing.T) {
	s := newServer(t)
	cfg := s.config()
	cfg.KeepaliveMs = 100
	c := dialTest(t, cfg)
	s.change(func() { s.mute = true })
	var seen record
	pollUntil(t, c, &seen, func() bool { return c.Counters().Disconnects > 0 })
	if last := seen.events[len(seen.events)-1]; last.Kind != EventDisconnected || !errors.Is(last.Cause, ErrSilence) {
		t.Errorf("the last event is %+v, want silence", last)
	}
	s.change(func() { s.mute = false })
	pollUntil(t, c, &seen, c.Connected)
}

func TestDialErrors(t *testing.T) {
	s := newServer(t)
	ctx := testContext(t)
	nowhere := s.config()
	nowhere.Address += ".nobody"
	if _, err := Dial(ctx, nowhere); err == nil {
		t.Error("connecting to nobody succeeds")
	}
	s.change(func() { s.model.noLogin = wire.LoginRejectNotAuthorized })
	var refused *LoginError
	if _, err := Dial(ctx, s.config()); !errors.As(err, &refused) || refused.Transient() {
		t.Errorf("a refused login gives %v", err)
	}
	s.change(func() { s.model.noLogin = 0; s.model.nextRef = 5 })
	var ahead *RefsAheadError
	if _, err := Dial(ctx, s.config()); !errors.As(err, &ahead) || ahead.Server != 5 || ahead.Client != 1 {
		t.Errorf("a server that is ahead gives %v", err)
	}
	s.change(func() { s.mute = true })
	late, cancel := context.WithTimeout(ctx, 30*time.Millisecond)
	defer cancel()
	if _, err := Dial(late, s.config()); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a server that says nothing gives %v", err)
	}
}

func TestDialAdopts(t *testing.T) {
	s := newServer(t)
	s.change(func() {
		s.model.nextRef = 5
		s.model.answer(3, 3)
		s.model.answer(4, 4)
		s.model.oldest = 2
	})
	cfg := s.config()
	cfg.Adopt = true
	c := dialTest(t, cfg)
	if c.NextRef() != 5 || c.WantOutSeq() != 2 {
		t.Errorf("next request %d, next answer %d, want 5 and 2", c.NextRef(), c.WantOutSeq())
	}
	a, err := c.Recv(testContext(t))
	if err != nil || a.OutSeq != 2 || a.Ref != 4 {
		t.Errorf("answer %+v, %v, want the oldest that is held", a, err)
	}
}

func TestReplacedSessionIsNotTakenBack(t *testing.T) {
	s := newServer(t)
	c := dialTest(t, s.config())
	s.push((&wire.SessionReject{Reason: wire.SessionRejectReplaced}).Append(nil))
	_, err := c.Recv(testContext(t))
	var rejected *RejectedError
	if !errors.As(err, &rejected) || rejected.Reason != wire.SessionRejectReplaced {
		t.Fatalf("error is %v, want replaced", err)
	}
	if _, err := c.Send(newOrder(1)); !errors.As(err, &rejected) {
		t.Errorf("Send gives %v, want what ended the session", err)
	}
}

func TestCloseLogsOut(t *testing.T) {
	s := newServer(t)
	c := dialTest(t, s.config())
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(10 * time.Second)
	for out := 0; out == 0; {
		s.change(func() { out = s.model.loggedOut })
		if time.Now().After(deadline) {
			t.Fatal("the server saw no Logout")
		}
		time.Sleep(time.Millisecond)
	}
}

func TestRecvEndsWithItsContext(t *testing.T) {
	s := newServer(t)
	c := dialTest(t, s.config())
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Millisecond)
	defer cancel()
	if _, err := c.Recv(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error is %v, want the context's", err)
	}
}

func TestConfigReportsAllProblemsAtOnce(t *testing.T) {
	err := Config{
		Network: "udp", KeepaliveMs: 5, CancelOnDisconnectMs: 70_000, ReconnectMinNs: 5, ReconnectMaxNs: 2,
	}.Validate()
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{
		`Network is "udp"`, "Address is empty", "Client is 0", "Session is 0", "Key is empty", "KeepaliveMs is 5",
		"CancelOnDisconnectMs is 70000", "ReconnectMinNs is 5",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in the error:\n%v", want, err)
		}
	}
	if err := testConfig().Validate(); err != nil {
		t.Errorf("a good configuration is refused: %v", err)
	}
}

func TestConfigHidesTheKey(t *testing.T) {
	for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
		if got := fmt.Sprintf(verb, testConfig()); got != "session 70 of client 7 at unix unused" {
			t.Errorf("%s gives %q", verb, got)
		}
	}
}

func TestErrorsNameTheValues(t *testing.T) {
	cases := []struct {
		err  error
		want []string
	}{
		{&RefsAheadError{Server: 9, Client: 4}, []string{"9", "4", "Adopt", "NextRef"}},
		{&ServerBehindError{What: "answer", Server: 3, Client: 8}, []string{"answer", "3", "8"}},
		{&StreamGapError{Got: 7, Want: 5}, []string{"7", "5"}},
		{&LoginError{Reason: wire.LoginRejectDisabled}, []string{"disabled"}},
		{&LoginError{Reason: wire.LoginRejectOutSeqUnavailable, WantOutSeq: 2, OldestOutSeq: 6}, []string{"2", "6"}},
		{&RejectedError{Reason: wire.SessionRejectSchema, Value: 12, Template: 20}, []string{"schema", "12", "20"}},
	}
	for _, c := range cases {
		for _, want := range c.want {
			if !strings.Contains(c.err.Error(), want) {
				t.Errorf("%q is not in %q", want, c.err)
			}
		}
	}
}

// TestSocketPathAllocatesNothing pins Send, Flush and Poll over a real socket.
func TestSocketPathAllocatesNothing(t *testing.T) {
	echo := newEcho(t)
	cfg := testConfig()
	cfg.Address = echo.address
	c := dialTest(t, cfg)
	h := &sink{}
	r := newOrder(1)
	roundTrip := func() {
		if _, err := c.Send(r); err != nil {
			t.Fatal(err)
		}
		if err := c.Flush(); err != nil {
			t.Fatal(err)
		}
		for c.Unanswered() > 0 {
			if _, err := c.Poll(h); err != nil {
				t.Fatal(err)
			}
			c.Yield()
		}
	}
	for range 100 {
		roundTrip()
	}
	const trips = 2000
	before := mallocs()
	for range trips {
		roundTrip()
	}
	if allocated := mallocs() - before; allocated > trips/20 { // the runtime itself allocates a little now and then
		t.Errorf("%d round trips allocate %d times, want 0", trips, allocated)
	}
}

// mallocs returns how many objects the process has allocated. Unlike
// testing.AllocsPerRun it leaves the server a processor of its own.
func mallocs() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Mallocs
}

// echo is a server on a loop that answers every request and allocates nothing.
type echo struct {
	address string
	request order.Request
	answer  order.Answer
}

func newEcho(t *testing.T) *echo {
	e := &echo{address: filepath.Join(t.TempDir(), "e")}
	lp, err := fastpath.New(fastpath.Config{Name: "echo"}, e)
	if err != nil {
		t.Fatal(err)
	}
	if err := lp.Listen(1, "unix", e.address); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- lp.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	<-lp.Ready()
	return e
}

func (e *echo) Opened(l *fastpath.Link) { _ = l.Send((&wire.Hello{Epoch: 1}).Append(nil)) }

func (e *echo) Message(l *fastpath.Link, _ wire.Frame, m wire.Message) {
	if m.Template == wire.TemplateLogin {
		ack := wire.LoginAck{NextRef: 1, NextOutSeq: 1, OldestOutSeq: 1, Epoch: 1, Session: testSession, Connection: 1}
		_ = l.Send(ack.Append(nil))
		return
	}
	if m.Request(&e.request) != nil {
		return
	}
	e.answer = order.Answer{
		OutSeq: e.answer.OutSeq + 1, Ref: e.request.Ref, Session: testSession, Kind: order.AnswerExecution,
	}
	l.Commit(wire.AppendAnswer(l.Buffer(), &e.answer))
}

func (e *echo) Malformed(*fastpath.Link, *wire.FrameError) {}
func (e *echo) Closed(*fastpath.Link, error)               {}
func (e *echo) Wake()                                      {}
func (e *echo) Tick(int64)                                 {}
func (e *echo) BatchEnd()                                  {}

// BenchmarkSendAndPoll measures the client's own part of a round trip.
func BenchmarkSendAndPoll(b *testing.B) {
	s := newSession(testConfig().withDefaults())
	s.phase = phaseActive
	s.cursor = 1
	r := newOrder(1)
	h := &sink{}
	a := order.Answer{Kind: order.AnswerExecution, Session: testSession}
	var out, in []byte
	var p wire.Parser
	b.ReportAllocs()
	for b.Loop() {
		out = s.pump(s.send(out[:0], r))
		a.OutSeq, a.Ref = s.nextOutSeq, r.Ref
		in = wire.AppendAnswer(in[:0], &a)
		m, err := p.Parse(in)
		if err != nil {
			b.Fatal(err)
		}
		s.receive(m, h)
	}
}
