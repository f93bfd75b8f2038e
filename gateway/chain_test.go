package gateway

import (
	"fmt"
	"slices"
	"testing"

	"tollgate/fastpath"
	"tollgate/fastpath/wire"
	"tollgate/order"
)

// peer is a process around the gateway: the engine, the exchange or a client.
// It keeps what it receives and sends what the test says.
type peer struct {
	name     string
	loop     *fastpath.Loop
	link     *fastpath.Link
	received [][]byte
	counts   bool // keeps no frames, only their number
	count    int
	beats    int  // heartbeats received on a link between processes
	beating  bool // sends a heartbeat at every tick
	closed   bool // the connection has ended and this was not looked at yet
	hello    *wire.LinkHello
	nonce    [16]byte // of the last Hello
}

func (p *peer) Opened(l *fastpath.Link) {
	p.link, p.closed = l, false
	if p.hello != nil {
		l.Commit(p.hello.Append(l.Buffer()))
	}
}

func (p *peer) Message(_ *fastpath.Link, f wire.Frame, m wire.Message) {
	if p.count++; p.counts {
		return
	}
	switch m.Template {
	case wire.TemplateLinkHeartbeat:
		p.beats++
		return
	case wire.TemplateHello:
		var h wire.Hello
		h.Decode(m)
		p.nonce = h.Nonce
	}
	p.received = append(p.received, slices.Clone(f))
}

func (p *peer) Closed(l *fastpath.Link, _ error) {
	if p.link == l {
		p.link, p.closed = nil, true
	}
}

func (p *peer) Tick(nowNs int64) {
	if p.beating && p.link != nil {
		beat := wire.LinkHeartbeat{Time: nowNs}
		p.link.Commit(beat.Append(p.link.Buffer()))
	}
}

func (p *peer) Malformed(*fastpath.Link, *wire.FrameError) {}
func (p *peer) Wake()                                      {}
func (p *peer) BatchEnd()                                  {}

const (
	testClient  = 7
	testSession = order.SessionID(70)
)

var testKeys = Keys{
	testClient: []byte("0123456789abcdef0123456789abcdef"),
	8:          []byte("another key of another client ..."),
}

// tickNs is the tick of every loop in these tests; the dialogues count on it.
const tickNs = 10_000_000

// chain is a gateway with its surroundings in an in-memory network.
type chain struct {
	t       *testing.T
	net     *fastpath.Memory
	gateway *Gateway
	loop    *fastpath.Loop
	risk    *peer
	venue   *peer
	clients map[string]*peer
}

func testConfig() Config {
	return Config{
		Clients: []Endpoint{{"unix", "clients"}}, Risk: Endpoint{"unix", "risk"}, Venue: Endpoint{"unix", "venue"},
		Instance: 99, ConnectionsMax: 8,
	}
}

// newChain makes a gateway with neither engine nor exchange.
func newChain(t *testing.T, seed uint64) *chain {
	t.Helper()
	g, err := New(testConfig(), testKeys, nil)
	if err != nil {
		t.Fatal(err)
	}
	c := &chain{t: t, net: fastpath.NewMemory(seed), gateway: g, clients: map[string]*peer{}}
	if c.loop, err = c.net.Loop(g.cfg.LoopConfig(fastpath.Config{TickNs: tickNs}), g); err != nil {
		t.Fatal(err)
	}
	if err := g.Attach(c.loop); err != nil {
		t.Fatal(err)
	}
	c.settle()
	return c
}

// newRunningChain makes a gateway whose engine and exchange are up, and forgets
// what they received in that.
func newRunningChain(t *testing.T, seed uint64) *chain {
	t.Helper()
	c := newChain(t, seed)
	c.up("risk")
	c.up("venue")
	c.advance(1_000_000_000)
	if !c.gateway.risk.ready || !c.gateway.venue.ready {
		t.Fatal("the gateway has not connected to its neighbours")
	}
	c.risk.received, c.venue.received = nil, nil
	return c
}

// peerLoop makes the loop of a peer. It dials once in a test's lifetime.
func (c *chain) peerLoop(p *peer) {
	c.t.Helper()
	cfg := fastpath.Config{Name: p.name, TickNs: tickNs, DialBackoffMinNs: 600e9, DialBackoffMaxNs: 600e9}
	lp, err := c.net.Loop(cfg, p)
	if err != nil {
		c.t.Fatal(err)
	}
	p.loop = lp
}

// up starts the engine or the exchange.
func (c *chain) up(name string) {
	c.t.Helper()
	p := &peer{name: name, beating: true}
	switch name {
	case "risk":
		p.hello = &wire.LinkHello{Role: wire.RoleRiskcheck, Instance: 1, Epoch: 5}
		c.risk = p
	case "venue":
		p.hello = &wire.LinkHello{Role: wire.RoleExchange, Instance: 2, NextReportSeq: 31}
		c.venue = p
	default:
		c.t.Fatalf("there is no process %q", name)
	}
	c.peerLoop(p)
	if err := p.loop.Listen(KindClient, "unix", name); err != nil {
		c.t.Fatal(err)
	}
	c.settle()
}

// connect starts a client.
func (c *chain) connect(name string) *peer {
	c.t.Helper()
	p := &peer{name: name}
	c.peerLoop(p)
	if err := p.loop.Dial(KindClient, "unix", "clients"); err != nil {
		c.t.Fatal(err)
	}
	c.clients[name] = p
	c.settle()
	return p
}

// down ends a process as if it were killed.
func (c *chain) down(p *peer) {
	c.net.Kill(p.loop)
	p.link = nil
	c.settle()
}

func (c *chain) settle() {
	c.t.Helper()
	if !c.net.Settle(1_000_000) {
		c.t.Fatal("the network does not come to rest")
	}
}

// advance moves the clock in steps of a tick, and delivers what comes of it.
func (c *chain) advance(ns int64) {
	c.t.Helper()
	for ns > 0 {
		step := min(ns, tickNs)
		c.net.Advance(step)
		c.settle()
		ns -= step
	}
}

// send makes a peer send bytes.
func (c *chain) send(p *peer, frame []byte) {
	c.t.Helper()
	if p.link == nil {
		c.t.Fatalf("%s has no connection", p.name)
	}
	c.inject(p, frame)
	c.settle()
}

// inject gives bytes to a peer's link from within its loop.
func (c *chain) inject(p *peer, b []byte) {
	c.t.Helper()
	if err := p.link.Send(b); err != nil {
		c.t.Fatalf("%s cannot send: %v", p.name, err)
	}
	p.loop.Wake()
}

// next takes the oldest frame a peer has received.
func (p *peer) next() ([]byte, error) {
	if len(p.received) == 0 {
		return nil, fmt.Errorf("%s has received nothing", p.name)
	}
	f := p.received[0]
	p.received = p.received[1:]
	return f, nil
}

// want takes the oldest frame a peer has received and compares it.
func (p *peer) want(name string, fields ...string) error {
	f, err := p.next()
	if err != nil {
		return err
	}
	k, x, err := decode(f)
	if err != nil {
		return err
	}
	if k.name != name {
		return fmt.Errorf("%s has received %s %+v, want %s", p.name, k.name, x, name)
	}
	return checkFields(x, fields)
}

// login returns a Login frame for a connection's nonce.
func login(p *peer, l wire.Login, key []byte) []byte {
	l.Mac = wire.LoginMAC(key, p.nonce, &l)
	return l.Append(nil)
}

// logIn takes a client through its login as connection number.
func (c *chain) logIn(name string, session order.SessionID, number order.ConnectionID) *peer {
	c.t.Helper()
	p := c.connect(name)
	c.send(p, login(p, wire.Login{WantOutSeq: 1, Client: testClient, Session: session}, testKeys[testClient]))
	f, err := c.risk.next()
	if err != nil {
		c.t.Fatal(err)
	}
	_, x, err := decode(f)
	ask, ok := x.(*wire.SessionLogin)
	if err != nil || !ok {
		c.t.Fatalf("the engine was asked %+v, %v", x, err)
	}
	ack := wire.LoginAck{
		NextRef: 1, NextOutSeq: 1, OldestOutSeq: 1, LoginID: ask.LoginID, Session: session, Connection: number,
	}
	c.send(c.risk, ack.Append(nil))
	p.received = nil
	return p
}
