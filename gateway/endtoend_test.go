package gateway

import (
	"context"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"tollgate/fastpath"
	"tollgate/gateway/client"
	"tollgate/order"
)

// process is a loop over real sockets in this process.
type process struct {
	stop  context.CancelFunc
	ended chan error
}

// start runs a handler that listens at a socket.
func start(t *testing.T, name, address string, h fastpath.Handler) *process {
	t.Helper()
	lp, err := fastpath.New(fastpath.Config{Name: name, DialBackoffMaxNs: 20e6}, h)
	if err != nil {
		t.Fatal(err)
	}
	if err := lp.Listen(KindClient, "unix", address); err != nil {
		t.Fatal(err)
	}
	return spawn(lp.Run, lp.Ready())
}

func spawn(run func(context.Context) error, ready <-chan struct{}) *process {
	ctx, stop := context.WithCancel(context.Background())
	p := &process{stop: stop, ended: make(chan error, 1)}
	go func() { p.ended <- run(ctx) }()
	<-ready
	return p
}

// kill ends a process and waits for its end.
func (p *process) kill(t *testing.T) {
	t.Helper()
	p.stop()
	if err := <-p.ended; err != nil {
		t.Error(err)
	}
}

// sockets is the chain over unix sockets.
type sockets struct {
	t        *testing.T
	cfg      Config
	engine   *engine
	exchange *exchange
	gateway  *Gateway
	procs    map[string]*process
}

func newSockets(t *testing.T) *sockets {
	t.Helper()
	dir := t.TempDir()
	at := func(name string) Endpoint { return Endpoint{"unix", filepath.Join(dir, name)} }
	s := &sockets{
		t: t, engine: newEngine(), exchange: newExchange(), procs: map[string]*process{},
		cfg: Config{Clients: []Endpoint{at("g")}, Risk: at("r"), Venue: at("v")},
	}
	for _, name := range []string{"risk", "venue", "gateway"} {
		s.start(name)
	}
	t.Cleanup(func() {
		for name := range s.procs {
			s.stop(name)
		}
	})
	return s
}

func (s *sockets) start(name string) {
	s.t.Helper()
	switch name {
	case "risk":
		s.procs[name] = start(s.t, name, s.cfg.Risk.Address, s.engine)
	case "venue":
		s.procs[name] = start(s.t, name, s.cfg.Venue.Address, s.exchange)
	case "gateway":
		s.procs[name] = s.startGateway()
	}
}

func (s *sockets) startGateway() *process {
	s.t.Helper()
	g, err := New(s.cfg, testKeys, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	lp, err := fastpath.New(s.cfg.LoopConfig(fastpath.Config{DialBackoffMaxNs: 20e6}), g)
	if err != nil {
		s.t.Fatal(err)
	}
	if err := g.Attach(lp); err != nil {
		s.t.Fatal(err)
	}
	s.gateway = g
	return spawn(func(ctx context.Context) error { return g.Run(ctx, lp) }, lp.Ready())
}

func (s *sockets) stop(name string) {
	s.t.Helper()
	s.procs[name].kill(s.t)
	delete(s.procs, name)
}

// dial logs a client in, as soon as the chain is up.
func (s *sockets) dial(session order.SessionID) *client.Client {
	s.t.Helper()
	cfg := client.Config{
		Network: "unix", Address: s.cfg.Clients[0].Address, Client: testClient, Session: session,
		Key: testKeys[testClient], Traces: true, ReconnectMaxNs: 20e6,
	}
	for deadline := time.Now().Add(20 * time.Second); ; {
		c, err := client.Dial(context.Background(), cfg)
		if err == nil {
			s.t.Cleanup(func() { _ = c.Close() })
			return c
		}
		if time.Now().After(deadline) {
			s.t.Fatal(err)
		}
		time.Sleep(time.Millisecond)
	}
}

// ledger is a client.Handler that wants every answer once and in order.
type ledger struct {
	t       *testing.T
	answers uint64
	finals  map[uint64]int
	traces  []order.Trace
	events  []client.Event
}

func newLedger(t *testing.T) *ledger { return &ledger{t: t, finals: map[uint64]int{}} }

func (l *ledger) Answer(a *order.Answer) {
	if l.answers++; a.OutSeq != l.answers {
		l.t.Errorf("answer %d came where %d was due", a.OutSeq, l.answers)
	}
	l.finals[a.Ref]++
}

func (l *ledger) Trace(_ order.SessionID, _ uint64, t *order.Trace) { l.traces = append(l.traces, *t) }

func (l *ledger) Event(e client.Event) { l.events = append(l.events, e) }

// quiet polls until every request is answered.
func (l *ledger) quiet(c *client.Client) {
	l.t.Helper()
	for deadline := time.Now().Add(30 * time.Second); c.Unanswered() > 0; {
		n, err := c.Poll(l)
		if err != nil {
			l.t.Fatal(err)
		}
		if n == 0 {
			c.Wait(time.Millisecond)
		}
		if time.Now().After(deadline) {
			l.t.Fatalf("%d requests stay without an answer: %+v", c.Unanswered(), c.Counters())
		}
	}
}

// TestOrderThroughSockets sends orders through a chain of real sockets and looks
// at the times they passed the stations.
func TestOrderThroughSockets(t *testing.T) {
	s := newSockets(t)
	c := s.dial(testSession)
	l := newLedger(t)
	for id := order.ClOrdID(1); id <= 50; id++ {
		if _, err := c.NewOrder(&order.Request{ClOrdID: id}); err != nil {
			t.Fatal(err)
		}
		l.quiet(c)
	}
	if l.answers != 50 || len(l.traces) != 50 {
		t.Fatalf("%d answers, %d traces, want 50 each", l.answers, len(l.traces))
	}
	for _, x := range l.traces {
		steps := []int64{
			x.GatewayIn, x.RiskIn, x.GatewayVerdict, x.VenueIn, x.GatewayReport, x.RiskReport, x.GatewayAnswer,
		}
		for i, at := range steps {
			if at == 0 || i > 0 && at < steps[i-1] {
				t.Fatalf("the stations were passed at %v", steps)
			}
		}
	}
}

// TestEverybodyDies kills the engine, the exchange and the gateway in turn under
// load and wants every request applied once and answered once.
func TestEverybodyDies(t *testing.T) {
	s := newSockets(t)
	var work sync.WaitGroup
	stop := make(chan struct{})
	const sessions = 3
	sent := make([]uint64, sessions)
	ledgers := make([]*ledger, sessions)
	for i := range sessions {
		c := s.dial(testSession + order.SessionID(i))
		ledgers[i] = newLedger(t)
		work.Go(func() { sent[i] = trade(t, c, ledgers[i], stop) })
	}
	for range 3 {
		for _, name := range []string{"risk", "venue", "gateway"} {
			time.Sleep(15 * time.Millisecond)
			s.stop(name)
			time.Sleep(5 * time.Millisecond)
			s.start(name)
		}
	}
	time.Sleep(15 * time.Millisecond)
	close(stop)
	work.Wait()
	for name := range s.procs {
		s.stop(name)
	}
	s.check(sent, ledgers)
}

// trade sends requests until stop is closed, and waits for their answers.
func trade(t *testing.T, c *client.Client, l *ledger, stop <-chan struct{}) (sent uint64) {
	for {
		select {
		case <-stop:
			l.quiet(c)
			return sent
		default:
		}
		if c.Unanswered() < 100 {
			r := order.Request{MsgType: order.MsgNewOrder, ClOrdID: order.ClOrdID(sent + 1)}
			if sent%5 == 4 {
				r.MsgType = order.MsgCancelOrder
			}
			if _, err := c.Send(&r); err != nil {
				t.Error(err)
				return sent
			}
			sent++
		}
		if n, err := c.Poll(l); err != nil {
			t.Error(err)
			return sent
		} else if n == 0 {
			c.Wait(time.Millisecond)
		}
	}
}

// check compares what the clients sent with what engine and exchange had.
func (s *sockets) check(sent []uint64, ledgers []*ledger) {
	s.t.Helper()
	if s.engine.refused != 0 {
		s.t.Errorf("the engine was told %d times of an exchange as it had been earlier", s.engine.refused)
	}
	total, next := uint64(0), map[order.SessionID]uint64{}
	for _, r := range s.engine.applied {
		if next[r.Session]++; r.Ref != next[r.Session] || uint64(r.ClOrdID) != r.Ref {
			s.t.Fatalf("session %d: request %d with ClOrdID %d was applied as number %d",
				r.Session, r.Ref, r.ClOrdID, next[r.Session])
		}
	}
	for i, n := range sent {
		total += n
		session := testSession + order.SessionID(i)
		if next[session] != n || ledgers[i].answers != n {
			s.t.Errorf("session %d: %d sent, %d applied, %d answered", session, n, next[session], ledgers[i].answers)
		}
		for ref := uint64(1); ref <= n; ref++ {
			if ledgers[i].finals[ref] != 1 {
				s.t.Fatalf("session %d: request %d was answered %d times", session, ref, ledgers[i].finals[ref])
			}
		}
	}
	if uint64(len(s.exchange.reports)) != total || total == 0 {
		s.t.Errorf("the exchange saw %d orders, %d were sent", len(s.exchange.reports), total)
	}
	s.t.Logf("%d requests in %d sessions", total, len(sent))
}
