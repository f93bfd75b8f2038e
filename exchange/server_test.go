package exchange

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tollgate/fastpath"
	"tollgate/fastpath/wire"
	"tollgate/internal/testseed"
	"tollgate/order"
)

func TestServerSaysHello(t *testing.T) {
	n := newNetwork(t, 0, nil)
	g := n.gateway("g")
	want := wire.LinkHello{Instance: testInstance, NextReportSeq: 1, Role: wire.RoleExchange}
	if g.hello != want {
		t.Errorf("hello %+v, want %+v", g.hello, want)
	}
	g.give(n.accepted(9, 1, order.SideBuy))
	want.NextReportSeq, want.Epoch = 2, 9
	if h := n.gateway("h"); h.hello != want {
		t.Errorf("hello %+v, want %+v", h.hello, want)
	}
}

func TestWrongFramesEndTheLink(t *testing.T) {
	gatewayHello := wire.LinkHello{Role: wire.RoleGateway}
	riskHello := wire.LinkHello{Role: wire.RoleRiskcheck}
	beat, busy, logout := wire.LinkHeartbeat{}, wire.Busy{}, wire.Logout{}
	for name, c := range map[string]struct {
		frames [][]byte
		closes bool
	}{
		"hello":            {[][]byte{gatewayHello.Append(nil)}, false},
		"hello of another": {[][]byte{riskHello.Append(nil)}, true},
		"no hello":         {[][]byte{beat.Append(nil)}, true},
		"two hellos":       {[][]byte{gatewayHello.Append(nil), gatewayHello.Append(nil)}, true},
		"heartbeat":        {[][]byte{gatewayHello.Append(nil), beat.Append(nil)}, false},
		"client message":   {[][]byte{gatewayHello.Append(nil), logout.Append(nil)}, true},
		"hint":             {[][]byte{gatewayHello.Append(nil), busy.Append(nil)}, true},
		"malformed":        {[][]byte{gatewayHello.Append(nil), []byte("\x00\x00\x00\x00\x00\x00")}, true},
	} {
		t.Run(name, func(t *testing.T) {
			n := newNetwork(t, 0, nil)
			g := n.connect("g", true)
			g.send(c.frames...)
			if closed := g.closed > 0; closed != c.closes {
				t.Errorf("the link is closed is %t, want %t", closed, c.closes)
			}
		})
	}
}

func TestOrderAndItsReports(t *testing.T) {
	n := newNetwork(t, 0, nil)
	g := n.gateway("g")
	g.subscribe(1, 1)
	g.give(n.accepted(1, 1, order.SideSell))
	n.Advance(5)
	g.give(n.accepted(1, 2, order.SideBuy))
	wantSeqs(t, "one carrier", g.reportSeqs(), 1, 4)
	kinds := []order.ReportKind{order.ReportNew, order.ReportNew, order.ReportTrade, order.ReportTrade}
	for i, kind := range kinds {
		if g.reports[i].Kind != kind {
			t.Errorf("report %d is %v, want %v", i+1, g.reports[i].Kind, kind)
		}
	}
	own := order.Trace{GatewayIn: 3, GatewayVerdict: 4, VenueIn: n.Now()}
	if g.traces[1] != own || g.traces[3] != own || g.traces[2] != (order.Trace{VenueIn: n.Now()}) {
		t.Errorf("times %+v", g.traces)
	}
}

// TestNewestSubscriberWins moves the stream between two gateways. What is sent
// again has the same bytes.
func TestNewestSubscriberWins(t *testing.T) {
	n := newNetwork(t, 0, nil)
	a, b := n.gateway("a"), n.gateway("b")
	a.give(n.accepted(1, 1, order.SideBuy))
	if len(a.reports) != 0 {
		t.Error("a report was sent to somebody who has not asked")
	}
	a.subscribe(1, 1)
	b.give(n.accepted(1, 2, order.SideBuy))
	wantSeqs(t, "a", a.reportSeqs(), 1, 2)
	b.subscribe(1, 1)
	a.give(n.accepted(1, 3, order.SideBuy))
	wantSeqs(t, "a after b has asked", a.reportSeqs(), 1, 2)
	wantSeqs(t, "b", b.reportSeqs(), 1, 3)
	for i := range a.frames {
		if !bytes.Equal(a.frames[i], b.frames[i]) {
			t.Errorf("report %d was sent again with other bytes", i+1)
		}
	}
	n.Cut(b.link)
	n.settle()
	a.give(n.accepted(1, 4, order.SideBuy))
	wantSeqs(t, "a after the link of b is gone", a.reportSeqs(), 1, 2)
	a.subscribe(1, 3)
	wantSeqs(t, "a again", a.reportSeqs(), 1, 4)
}

func TestReportsInFlightAreBounded(t *testing.T) {
	n := newNetwork(t, 0, func(c *Config) { c.ReportsInFlightMax = 10 })
	g := n.gateway("g")
	g.subscribe(1, 1)
	for seq := uint64(1); seq <= 30; seq++ {
		g.give(n.accepted(1, seq, order.SideBuy))
	}
	wantSeqs(t, "nothing acknowledged", g.reportSeqs(), 1, 10)
	g.acknowledge(4)
	wantSeqs(t, "4 acknowledged", g.reportSeqs(), 1, 14)
	g.acknowledge(2)
	g.acknowledge(1 << 50) // at most what was sent
	wantSeqs(t, "14 acknowledged", g.reportSeqs(), 1, 24)
	h := n.gateway("h")
	h.acknowledge(24) // it does not carry the reports
	h.subscribe(1, 15)
	wantSeqs(t, "the next carrier", h.reportSeqs(), 15, 24)
}

func TestReportsThatAreNotThere(t *testing.T) {
	n := newNetwork(t, 0, nil)
	g := n.gateway("g")
	g.subscribe(1, 1)
	for seq := uint64(1); seq <= 9; seq++ {
		g.give(n.accepted(1, seq, order.SideBuy))
	}
	g.acknowledge(5)
	for name, c := range map[string]struct {
		from    uint64
		refused bool
	}{"acknowledged": {5, true}, "zero": {0, true}, "oldest": {6, false}, "next": {10, false}, "beyond": {11, true}} {
		h := n.gateway(name)
		h.subscribe(1, c.from)
		if refused := h.closed > 0; refused != c.refused {
			t.Errorf("%s: refused is %t, want %t", name, refused, c.refused)
		}
		if !c.refused {
			wantSeqs(t, name, h.reportSeqs(), c.from, 9)
		}
	}
}

func TestOldEngineGetsNoReports(t *testing.T) {
	n := newNetwork(t, 0, nil)
	a, b := n.gateway("a"), n.gateway("b")
	a.subscribe(2, 1)
	b.subscribe(1, 1)
	a.give(n.accepted(3, 1, order.SideBuy))
	wantSeqs(t, "epoch 2", a.reportSeqs(), 1, 1)
	if len(b.reports) != 0 || b.closed != 0 {
		t.Errorf("epoch 1 has got %v", b.reportSeqs())
	}
	b.subscribe(2, 1) // a token has shown epoch 3
	if len(b.reports) != 0 {
		t.Errorf("epoch 2 has got %v after epoch 3 was seen", b.reportSeqs())
	}
}

func TestForgedVerdictIsAnsweredByAHint(t *testing.T) {
	n := newNetwork(t, 0, nil)
	g := n.gateway("g")
	g.subscribe(1, 1)
	v := n.accepted(1, 7, order.SideBuy)
	v.OrderQty++
	g.give(v)
	want := wire.AdapterRefusal{Seq: 7, OrderID: 7, Session: v.Session, Reason: order.ReasonTokenAltered}
	if len(g.refusals) != 1 || g.refusals[0] != want || len(g.reports) != 0 || g.closed != 0 {
		t.Errorf("hints %+v, reports %+v, want the hint %+v alone", g.refusals, g.reports, want)
	}
}

func TestFenceIsConfirmedAndInForce(t *testing.T) {
	n := newNetwork(t, 0, nil)
	g := n.gateway("g")
	g.subscribe(1, 1)
	overtaken := n.accepted(1, 1, order.SideBuy)
	fence := wire.KillFence{
		FenceID: 6, Epoch: 1, BelowSeq: 2, ScopeID: uint32(overtaken.Account), ScopeType: order.ScopeAccount,
	}
	g.send(fence.Append(nil))
	if want := (wire.KillFenceAck{FenceID: 6, Epoch: 1}); len(g.fences) != 1 || g.fences[0] != want {
		t.Fatalf("confirmations %+v, want %+v", g.fences, want)
	}
	g.give(overtaken)
	g.give(n.accepted(1, 3, order.SideBuy))
	if len(g.reports) != 2 || g.reports[0].Reason != order.ReasonKillFence || g.reports[1].Kind != order.ReportNew {
		t.Errorf("reports %+v", g.reports)
	}
}

func TestVenueCancel(t *testing.T) {
	n := newNetwork(t, 0, nil)
	g := n.gateway("g")
	v := n.accepted(1, 1, order.SideBuy)
	g.give(v)
	byName := wire.VenueCancel{OrigClOrdID: v.ClOrdID, Session: v.Session}
	g.send(byName.Append(nil), byName.Append(nil))
	want := wire.AdapterRefusal{Session: v.Session, Reason: order.ReasonVenueUnknown}
	if len(g.refusals) != 1 || g.refusals[0] != want {
		t.Errorf("hints %+v, want %+v for the second cancel", g.refusals, want)
	}
	g.subscribe(1, 1)
	if len(g.reports) != 2 || g.reports[1].Kind != order.ReportCanceled || g.reports[1].Seq != 0 {
		t.Errorf("reports %+v, want the order and its unsolicited cancel", g.reports)
	}
}

func TestHeartbeatsAndSilence(t *testing.T) {
	n := newNetwork(t, 0, nil)
	quiet, talking := n.gateway("quiet"), n.gateway("talking")
	beat := wire.LinkHeartbeat{}
	for range 9 {
		n.pass(50_000_000)
		talking.send(beat.Append(nil))
	}
	if quiet.closed != 0 || quiet.beats < 8 {
		t.Errorf("after 450 ms: closed %d times, %d heartbeats", quiet.closed, quiet.beats)
	}
	n.pass(60_000_000)
	if quiet.closed != 1 || talking.closed != 0 {
		t.Errorf("after 510 ms: the quiet link is closed %d times, the other %d", quiet.closed, talking.closed)
	}
}

func TestBusyLinkNeedsNoHeartbeats(t *testing.T) {
	n := newNetwork(t, 0, nil)
	g := n.gateway("g")
	g.subscribe(1, 1)
	n.pass(10_000_000)
	before := g.beats
	for seq := uint64(1); seq <= 20; seq++ {
		n.pass(10_000_000)
		g.give(n.accepted(1, seq, order.SideBuy))
	}
	if g.beats != before {
		t.Errorf("%d heartbeats between reports", g.beats-before)
	}
}

// TestServerThatWasHeldUpBlamesNobody stops the server for longer than the
// silence it allows.
func TestServerThatWasHeldUpBlamesNobody(t *testing.T) {
	n := newNetwork(t, 0, nil)
	g := n.gateway("g")
	n.pass(50_000_000)
	n.server.tickedAt -= 600_000_000
	n.server.peers[0].receivedAt -= 600_000_000
	n.pass(20_000_000)
	if g.closed != 0 {
		t.Error("the link was closed")
	}
}

func TestPricesGoToTheCarrier(t *testing.T) {
	n := newNetwork(t, 0, nil)
	a := n.gateway("a")
	trade := func(seq uint64, price order.Price) {
		for i, side := range []order.Side{order.SideSell, order.SideBuy} {
			a.give(resigned(n.accepted(1, seq+uint64(i), side), func(v *order.Verdict) { v.Price = price }))
		}
	}
	trade(1, 50)
	a.subscribe(1, 1)
	trade(3, 51)
	trade(5, 52)
	n.pass(10_000_000)
	var got []order.Price
	for _, p := range a.prices {
		got = append(got, p.Price)
	}
	if !slices.Equal(got, []order.Price{50, 52}) {
		t.Errorf("prices %v, want the first and, a millisecond later, the newest", got)
	}
	b := n.gateway("b")
	b.subscribe(1, 1)
	n.pass(10_000_000)
	if len(b.prices) != 1 || b.prices[0].Price != 52 {
		t.Errorf("the next carrier has got %+v, want the newest price", b.prices)
	}
}

// TestFullReportLogEndsTheLink: the order has had no effect, and the engine
// sends it again when the gateway is back.
func TestFullReportLogEndsTheLink(t *testing.T) {
	n := newNetwork(t, 0, func(c *Config) { c.Adapter.ReportsRetainedMax, c.ReportsInFlightMax = 64, 64 })
	g := n.gateway("g")
	seq := uint64(0)
	for g.closed == 0 && seq < 100 {
		seq++
		g.give(n.accepted(1, seq, order.SideBuy))
	}
	if seq != 65 || len(g.refusals) != 1 || g.refusals[0].Reason != order.ReasonAdapterBacklog {
		t.Fatalf("order %d has ended the link, hints %+v", seq, g.refusals)
	}
	n.pass(1_000_000_000)
	g.subscribe(1, 1)
	if len(g.reports) != 64 || g.reports[55].Reason != order.ReasonNone ||
		g.reports[56].Reason != order.ReasonAdapterBacklog {
		t.Errorf("%d reports, the 57th %+v", len(g.reports), g.reports[56])
	}
	g.acknowledge(64)
	g.give(n.accepted(1, seq, order.SideBuy))
	if len(g.reports) != 65 || g.reports[64].Kind != order.ReportNew {
		t.Errorf("the order that was dropped is not taken again: %d reports", len(g.reports))
	}
}

func TestExpiryComesWithTheTick(t *testing.T) {
	n := newNetwork(t, 0, nil)
	g := n.gateway("g")
	g.subscribe(1, 1)
	g.give(resigned(n.accepted(1, 1, order.SideBuy), func(v *order.Verdict) {
		v.TimeInForce, v.ValidUntil = order.TimeInForceGTD, n.Now()+25_000_000
	}))
	n.pass(20_000_000)
	wantSeqs(t, "before", g.reportSeqs(), 1, 1)
	n.pass(20_000_000)
	if len(g.reports) != 2 || g.reports[1].Kind != order.ReportExpired {
		t.Errorf("after: reports %+v", g.reports)
	}
}

func TestCountersAreReadable(t *testing.T) {
	n := newNetwork(t, 0, nil)
	g := n.gateway("g")
	g.subscribe(1, 1)
	g.give(n.accepted(1, 1, order.SideBuy))
	g.give(n.accepted(1, 1, order.SideBuy))
	n.pass(10_000_000)
	c := n.server.Counters()
	if c.Gateways != 1 || c.Subscriptions != 1 || c.ReportsSent != 1 || c.Hints != 1 ||
		c.Adapter.NewOrders != 1 || c.Adapter.TokenUsed != 1 {
		t.Errorf("counters %+v", c)
	}
}

func TestConfigNamesEveryProblem(t *testing.T) {
	cfg := Config{
		Listen: []Endpoint{{"udp", ""}}, ReportsInFlightMax: -1, HeartbeatNs: -5, SilenceNs: -20, VenueLogPath: "x",
	}
	cfg.Venue.Observe = testConfig().Venue.Observe
	_, err := NewServer(cfg, fastpath.Config{})
	for _, want := range []string{
		`Listen[0].Network is "udp"`, "Listen[0].Address is empty", "Adapter: ", "TokenKey is missing",
		"Venue: ", "no instruments are given", "ReportsInFlightMax is -1", "HeartbeatNs is -5", "SilenceNs is -20",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error does not say %q: %v", want, err)
		}
	}
	empty := DefaultConfig()
	if err := empty.Validate(); err == nil || !strings.Contains(err.Error(), "Listen addresses is 0") {
		t.Errorf("no addresses: %v", err)
	}
}

// TestReportsSurviveBrokenLinks is an engine behind two gateways whose links
// break at random. It asks for what it lacks and sends again what was not
// answered. Whatever the seed, it ends up with every report once and in order,
// and with exactly one answer to each request.
func TestReportsSurviveBrokenLinks(t *testing.T) {
	s := testseed.New(t)
	for run := range uint64(20) {
		e := newReconnectingEngine(t, s+run)
		e.run()
		if t.Failed() {
			t.Fatalf("seed %d, run %d", s, run)
		}
	}
}

// reconnectingEngine is the least an engine must do about its reports.
type reconnectingEngine struct {
	*network
	random   *rand.Rand
	gateways []*gateway
	carrier  int
	sent     []order.Verdict
	answered map[uint64]int
	next     uint64
}

func newReconnectingEngine(t *testing.T, s uint64) *reconnectingEngine {
	e := &reconnectingEngine{
		network: newNetwork(t, s|1, func(c *Config) { c.ReportsInFlightMax = 20 }),
		random:  rand.New(rand.NewPCG(s, 4)), answered: map[uint64]int{}, next: 1,
	}
	for i, name := range []string{"a", "b"} {
		g := e.gateway(name)
		g.beating = true
		g.received = func(m wire.Message) { e.take(i, m) }
		e.gateways = append(e.gateways, g)
	}
	e.gateways[0].subscribe(1, 1)
	return e
}

// take applies a report once and in order.
func (e *reconnectingEngine) take(from int, m wire.Message) {
	if m.Template != wire.TemplateVenueReport {
		return
	}
	r := e.gateways[from].reports[len(e.gateways[from].reports)-1]
	if r.ReportSeq > e.next {
		e.t.Errorf("report %d came before report %d", r.ReportSeq, e.next)
	}
	if r.ReportSeq != e.next {
		return
	}
	e.next++
	if r.Seq != 0 {
		e.answered[r.Seq]++
	}
}

func (e *reconnectingEngine) run() {
	for range 300 {
		e.step()
	}
	for range 100 {
		e.recover(e.random.IntN(2))
		if e.next == e.server.adapter.NextReportSeq() && len(e.answered) == len(e.sent) {
			break
		}
	}
	for _, v := range e.sent {
		if e.answered[v.Token.Seq] != 1 {
			e.t.Errorf("request %d has %d answers", v.Token.Seq, e.answered[v.Token.Seq])
		}
	}
	if want := e.server.adapter.NextReportSeq(); e.next != want {
		e.t.Errorf("the engine wants report %d, the adapter's next is %d", e.next, want)
	}
}

func (e *reconnectingEngine) step() {
	g := e.gateways[e.random.IntN(2)]
	switch e.random.IntN(10) {
	case 0:
		if g.link != nil {
			e.Cut(g.link)
		}
	case 1:
		e.recover(e.random.IntN(2))
	case 2:
		e.acknowledge()
	default:
		side := []order.Side{order.SideBuy, order.SideSell}[e.random.IntN(2)]
		v := e.accepted(1, uint64(len(e.sent)+1), side)
		e.sent = append(e.sent, v)
		e.post(g, v)
	}
	for range e.random.IntN(30) {
		e.Step()
	}
}

// post sends a request and lets the network deliver it when it likes.
func (e *reconnectingEngine) post(g *gateway, v order.Verdict) {
	g.outbox = append(g.outbox, wire.AppendVerdict(nil, &v, &order.Trace{}))
	g.loop.Wake()
}

func (e *reconnectingEngine) acknowledge() {
	ack := wire.ReportsAck{UpTo: e.next - 1}
	g := e.gateways[e.carrier]
	g.outbox = append(g.outbox, ack.Append(nil))
	g.loop.Wake()
}

// recover takes up the stream at another gateway and sends again what was not
// answered, as an engine does when it hears that the venue is up.
func (e *reconnectingEngine) recover(carrier int) {
	e.pass(1_100_000_000)
	e.carrier = carrier
	e.gateways[carrier].subscribe(1, e.next)
	e.acknowledge()
	e.settle()
	for _, v := range e.sent {
		if e.answered[v.Token.Seq] == 0 {
			again := resigned(v, func(v *order.Verdict) { v.Token.Expiry = e.Now() + 1e9 })
			e.gateways[carrier].give(again)
		}
	}
	e.acknowledge()
	e.settle()
}
