package exchange

import (
	"bytes"
	"slices"
	"testing"

	"tollgate/exchange/simulated"
	"tollgate/fastpath"
	"tollgate/fastpath/wire"
	"tollgate/order"
)

// tickNs is the time between two ticks of the loops in memory.
const tickNs = 10_000_000

// gateway is a scripted gateway in memory: it sends what it is told and keeps
// what it gets.
type gateway struct {
	network  *network
	loop     *fastpath.Loop
	link     *fastpath.Link
	outbox   [][]byte
	silent   bool // sends no hello by itself
	beating  bool // sends heartbeats
	hello    wire.LinkHello
	reports  []order.Report
	traces   []order.Trace
	frames   [][]byte // of the reports
	prices   []order.ReferencePrice
	refusals []wire.AdapterRefusal
	fences   []wire.KillFenceAck
	beats    int
	closed   int
	opened   int
	received func(m wire.Message)
}

func (g *gateway) Opened(l *fastpath.Link) {
	g.link = l
	g.opened++
	if !g.silent {
		hello := wire.LinkHello{Role: wire.RoleGateway, Instance: 1}
		_ = l.Send(hello.Append(nil)) // Closed tells
	}
}

func (g *gateway) Message(_ *fastpath.Link, f wire.Frame, m wire.Message) {
	switch m.Template {
	case wire.TemplateLinkHello:
		g.hello.Decode(m)
	case wire.TemplateVenueReport:
		var r order.Report
		var t order.Trace
		m.VenueReport(&r, &t)
		g.reports, g.traces = append(g.reports, r), append(g.traces, t)
		g.frames = append(g.frames, bytes.Clone(f))
	case wire.TemplateReferencePrice:
		var p order.ReferencePrice
		m.ReferencePrice(&p)
		g.prices = append(g.prices, p)
	case wire.TemplateAdapterRefusal:
		var r wire.AdapterRefusal
		r.Decode(m)
		g.refusals = append(g.refusals, r)
	case wire.TemplateKillFenceAck:
		var a wire.KillFenceAck
		a.Decode(m)
		g.fences = append(g.fences, a)
	case wire.TemplateLinkHeartbeat:
		g.beats++
	}
	if g.received != nil {
		g.received(m)
	}
}

func (g *gateway) Malformed(*fastpath.Link, *wire.FrameError) {}

func (g *gateway) Closed(*fastpath.Link, error) {
	g.closed++
	g.link = nil
}

// Wake sends what is in the outbox.
func (g *gateway) Wake() {
	for _, frame := range g.outbox {
		if g.link != nil {
			_ = g.link.Send(frame) // Closed tells
		}
	}
	g.outbox = nil
}

func (g *gateway) Tick(int64) {
	if g.beating && g.link != nil {
		beat := wire.LinkHeartbeat{}
		_ = g.link.Send(beat.Append(nil)) // Closed tells
	}
}

func (g *gateway) BatchEnd() {}

// send delivers frames to the server and its answers to the gateway.
func (g *gateway) send(frames ...[]byte) {
	g.network.t.Helper()
	g.outbox = append(g.outbox, frames...)
	g.loop.Wake()
	g.network.settle()
}

func (g *gateway) give(v order.Verdict) {
	g.send(wire.AppendVerdict(nil, &v, &order.Trace{GatewayIn: 3, GatewayVerdict: 4}))
}

func (g *gateway) subscribe(epoch, from uint64) {
	request := wire.ReportsFrom{Epoch: epoch, From: from}
	g.send(request.Append(nil))
}

func (g *gateway) acknowledge(upTo uint64) {
	ack := wire.ReportsAck{UpTo: upTo}
	g.send(ack.Append(nil))
}

func (g *gateway) reportSeqs() []uint64 {
	var seqs []uint64
	for _, r := range g.reports {
		seqs = append(seqs, r.ReportSeq)
	}
	return seqs
}

// network is a server in memory.
type network struct {
	*fastpath.Memory
	t      *testing.T
	server *Server
}

func testConfig() Config {
	cfg := DefaultConfig()
	cfg.Listen = []Endpoint{{"unix", "exchange.sock"}}
	cfg.Adapter.TokenKey = testKey
	cfg.Adapter.Instance = testInstance
	cfg.Adapter.SeqWindow, cfg.Adapter.OrdersMax, cfg.Adapter.ReportsRetainedMax = 1<<12, 100, 1000
	cfg.ReportsInFlightMax = 100
	cfg.Venue.Instruments = []simulated.Instrument{{ID: 1, Tick: 1, Lot: 1}}
	cfg.Venue.OrdersMax, cfg.Venue.FinishedRetainedMax, cfg.Venue.FirstExecID = 100, 100, 1
	return cfg
}

func newNetwork(t *testing.T, networkSeed uint64, change func(*Config)) *network {
	t.Helper()
	cfg := testConfig()
	if change != nil {
		change(&cfg)
	}
	n := &network{Memory: fastpath.NewMemory(networkSeed), t: t}
	server, err := NewServerIn(n.Memory, cfg, fastpath.Config{TickNs: tickNs})
	if err != nil {
		t.Fatal(err)
	}
	n.server = server
	return n
}

func (n *network) settle() {
	n.t.Helper()
	if !n.Settle(1_000_000) {
		n.t.Fatal("the network does not come to rest")
	}
}

// pass moves the clock step by step, as far as ns, with everything delivered.
func (n *network) pass(ns int64) {
	n.t.Helper()
	for ; ns > 0; ns -= tickNs {
		n.Advance(min(ns, tickNs))
		n.settle()
	}
}

func (n *network) gateway(name string) *gateway {
	n.t.Helper()
	g := n.connect(name, false)
	if g.link == nil || g.hello.Role != wire.RoleExchange {
		n.t.Fatalf("gateway %s is not connected: %+v", name, g.hello)
	}
	return g
}

func (n *network) connect(name string, silent bool) *gateway {
	n.t.Helper()
	g := &gateway{network: n, silent: silent}
	loop, err := n.Loop(fastpath.Config{Name: name, TickNs: tickNs, DialBackoffMinNs: 1e9, DialBackoffMaxNs: 1e9}, g)
	if err != nil {
		n.t.Fatal(err)
	}
	g.loop = loop
	if err := loop.Dial(1, "unix", "exchange.sock"); err != nil {
		n.t.Fatal(err)
	}
	n.settle()
	return g
}

// accepted returns a limit order that the engine of an epoch has accepted just
// now.
func (n *network) accepted(epoch, seq uint64, side order.Side) order.Verdict {
	return resigned(newOrder(seq), func(v *order.Verdict) {
		v.Token.Epoch, v.Token.Expiry, v.Side = epoch, n.Now()+1e9, side
	})
}

func wantSeqs(t *testing.T, what string, got []uint64, first, last uint64) {
	t.Helper()
	var want []uint64
	for seq := first; seq <= last; seq++ {
		want = append(want, seq)
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s: reports %v, want %d to %d", what, got, first, last)
	}
}
