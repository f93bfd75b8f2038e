package server

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"tollgate/asynclog"
	"tollgate/fastpath"
	"tollgate/fastpath/wire"
	"tollgate/order"
	"tollgate/riskcheck"
)

// KindGateway tags the listener that gateways connect to.
const KindGateway fastpath.Kind = 1

// Config says how a server listens. Everything else is the engine's.
type Config struct {
	Network  string          // of the gateway listener: "tcp" or "unix"
	Address  string          // of the gateway listener
	Instance uint64          // incarnation of this process; random
	Loop     fastpath.Config // idle strategy and bounds; zero fields are defaults
	Log      *asynclog.Log   // of the loop; nil: nothing is logged
}

// Server is the fastpath.Handler around one engine.
type Server struct {
	cfg    Config
	engine *riskcheck.Engine
	loop   *fastpath.Loop
	wake   func() // has the loop call Wake

	gateways   []*gateway
	deliveries []delivery // by SessionID
	behind     []order.SessionID
	venue      venue
	fences     []fence
	counters   Counters

	request  order.Request
	expected order.Request
	report   order.Report
	trace    order.Trace
	waiters  []fenceWaiter
	tickedNs int64 // the last tick

	commands *fastpath.Queue[*command] // shared
	samples  *fastpath.Ring[Sample]    // shared
	alerts   *fastpath.Ring[Alert]     // shared
	alerted  chan struct{}             // shared
	stopped  atomic.Bool               // shared
	refusing sync.Mutex                // held by whoever empties the queue of a stopped loop
}

// gateway is a connected gateway.
type gateway struct {
	link     *fastpath.Link
	instance uint64
	heardNs  int64
	sentNs   int64
	greeted  bool // its LinkHello has come
	venueUp  bool // it has a link to the adapter
}

// delivery is how a session's answers reach it.
type delivery struct {
	gateway    *gateway // nil: not connected
	next       uint64   // first OutSeq that was not sent on this connection
	windowNs   int64
	connection order.ConnectionID
	traces     bool
	behind     bool // in Server.behind
}

// venue is what the server knows of the adapter.
type venue struct {
	carrier  *gateway // the gateway that brings the reports
	instance uint64
	askedFor uint64 // report last asked for because it was missing
	askedNs  int64
	unacked  int // reports since the last ReportsAck
}

// New returns a server for an engine that nobody else uses from here on.
func New(cfg Config, engine *riskcheck.Engine) (*Server, error) {
	return build(cfg, engine, fastpath.New)
}

// NewInMemory returns a server whose loop a Memory drives. For tests.
func NewInMemory(cfg Config, engine *riskcheck.Engine, m *fastpath.Memory) (*Server, error) {
	return build(cfg, engine, m.Loop)
}

// build makes a server on the loop that newLoop returns.
func build(cfg Config, engine *riskcheck.Engine,
	newLoop func(fastpath.Config, fastpath.Handler) (*fastpath.Loop, error),
) (*Server, error) {
	s := &Server{
		cfg: cfg, engine: engine,
		commands: fastpath.NewQueue[*command](commandsMax),
		samples:  fastpath.NewRing[Sample](samplesMax),
		alerts:   fastpath.NewRing[Alert](alertsMax),
		alerted:  make(chan struct{}, 1),
	}
	loopCfg := cfg.Loop
	loopCfg.Outbound = map[fastpath.Kind]fastpath.Outbound{
		KindGateway: {BytesMax: gatewayBytesMax, FramesMax: gatewayFramesMax},
	}
	loop, err := newLoop(loopCfg, s)
	if err != nil {
		return nil, err
	}
	s.loop, s.wake = loop, loop.Wake
	if err := loop.Listen(KindGateway, cfg.Network, cfg.Address); err != nil {
		return nil, fmt.Errorf("riskcheck: gateway listener: %w", err)
	}
	return s, nil
}

// Run serves until ctx ends.
func (s *Server) Run(ctx context.Context) error {
	err := s.loop.Run(ctx)
	s.stopped.Store(true)
	s.refuseCommands()
	return err
}

// Ready is closed when gateways can connect.
func (s *Server) Ready() <-chan struct{} { return s.loop.Ready() }

// Addr returns the address gateways connect to.
func (s *Server) Addr() string { return s.loop.Addr(KindGateway) }

// Errors that end a gateway link.
var (
	errSilence   = errors.New("gateway was silent for too long")
	errNoHello   = errors.New("gateway did not introduce itself as one")
	errTemplate  = errors.New("gateway sent a message that is not for the engine")
	errMalformed = errors.New("gateway sent bytes that are not a message")
)

// Opened greets a new gateway.
func (s *Server) Opened(l *fastpath.Link) {
	now := s.loop.Now()
	g := &gateway{link: l, heardNs: now, sentNs: now}
	l.Data = g
	s.gateways = append(s.gateways, g)
	hello := wire.LinkHello{
		Role: wire.RoleRiskcheck, Instance: s.cfg.Instance, Epoch: s.engine.Epoch(), NextReportSeq: s.engine.NextReport(),
	}
	l.Commit(hello.Append(l.Buffer()))
}

// Closed forgets a gateway: its sessions are disconnected, and if it had a way
// to the venue, what was on that way is sent again by another.
func (s *Server) Closed(l *fastpath.Link, cause error) {
	g := l.Data.(*gateway)
	for i := range s.gateways {
		if s.gateways[i] == g {
			s.gateways = append(s.gateways[:i], s.gateways[i+1:]...)
			break
		}
	}
	s.logLinkDown(l, cause)
	for id := range s.deliveries {
		if d := &s.deliveries[id]; d.gateway == g {
			s.disconnected(order.SessionID(id), d)
		}
	}
	if g.venueUp {
		s.venueLost(g)
	}
}

// Malformed closes a link whose peer does not speak the protocol.
func (s *Server) Malformed(l *fastpath.Link, err *wire.FrameError) {
	s.log(asynclog.CodeMalformedFrame, l.ID(), uint64(l.Kind()), uint64(err.Reason), err.Value)
	l.Close(errMalformed)
}

// Message takes one frame of a gateway.
func (s *Server) Message(l *fastpath.Link, _ wire.Frame, m wire.Message) {
	g := l.Data.(*gateway)
	g.heardNs = s.loop.Now()
	switch {
	case m.Template == wire.TemplateCheck && g.greeted:
		s.onCheck(g, m)
	case m.Template == wire.TemplateVenueReport && g.greeted:
		s.onReport(m)
	case m.Template == wire.TemplateReferencePrice && g.greeted:
		var p order.ReferencePrice
		m.ReferencePrice(&p)
		s.engine.Price(s.loop.Now(), &p)
		s.carryOut(nil, nil) // a price can be a loss
	default:
		s.control(g, m)
	}
}

// Expect has the engine look up in advance what the next request will need.
func (s *Server) Expect(_ *fastpath.Link, m wire.Message) {
	if m.Template == wire.TemplateCheck {
		var t order.Trace
		m.Check(&s.expected, &t)
		s.engine.Expect(&s.expected)
	}
}

// control takes the frames that are not part of every order's life.
func (s *Server) control(g *gateway, m wire.Message) {
	if m.Template == wire.TemplateLinkHello {
		s.onHello(g, m)
		return
	}
	if !g.greeted {
		g.link.Close(errNoHello)
		return
	}
	switch m.Template {
	case wire.TemplateLinkHeartbeat:
	case wire.TemplateSessionLogin:
		s.onLogin(g, m)
	case wire.TemplateSessionClosed:
		s.onSessionClosed(g, m)
	case wire.TemplateHeartbeat:
		s.onAcknowledged(m)
	case wire.TemplateVenueState:
		s.onVenueState(g, m)
	case wire.TemplateKillFenceAck:
		s.onFenceAck(m)
	case wire.TemplateAdapterRefusal:
		s.onRefusal(m)
	default:
		g.link.Close(errTemplate)
	}
}

// onHello takes a gateway's introduction.
func (s *Server) onHello(g *gateway, m wire.Message) {
	var hello wire.LinkHello
	hello.Decode(m)
	if hello.Role != wire.RoleGateway {
		g.link.Close(errNoHello)
		return
	}
	g.instance, g.greeted = hello.Instance, true
	s.logLinkUp(g.link)
}

// onCheck has the engine decide one request.
func (s *Server) onCheck(g *gateway, m wire.Message) {
	m.Check(&s.request, &s.trace)
	now := s.loop.Now()
	s.trace.RiskIn = now
	s.counters.Requests++
	s.engine.Request(now, &s.request)
	s.carryOut(g, &s.trace)
}

// onReport has the engine apply one venue report.
func (s *Server) onReport(m wire.Message) {
	m.VenueReport(&s.report, &s.trace)
	now := s.loop.Now()
	s.trace.RiskReport = now
	s.counters.Reports++
	s.engine.Report(now, &s.report)
	s.carryOut(nil, &s.trace)
	s.acknowledgeReports()
}

// Wake runs what the control plane has asked for, and goes on with replays.
func (s *Server) Wake() { s.runCommands() }

// BatchEnd goes on with replays of sessions that were away.
func (s *Server) BatchEnd() { s.replay() }

// Tick lets engine time pass and looks after the links.
func (s *Server) Tick(nowNs int64) {
	s.engine.Tick(nowNs)
	s.carryOut(nil, nil)
	s.rate(nowNs)
	if nowNs-s.tickedNs > pauseNs {
		s.forgive(nowNs)
	}
	s.tickedNs = nowNs
	for _, g := range s.gateways {
		switch {
		case nowNs-g.heardNs > silenceNs:
			g.link.Close(errSilence)
		case nowNs-g.sentNs >= heartbeatNs:
			g.sentNs = nowNs
			beat := wire.LinkHeartbeat{Time: nowNs}
			g.link.Commit(beat.Append(g.link.Buffer()))
			s.sendReportsAck(g)
		}
	}
}

// forgive starts everybody's silence anew: this process has stood still, and what
// gateways sent meanwhile may not have been read yet.
func (s *Server) forgive(nowNs int64) {
	for _, g := range s.gateways {
		g.heardNs = nowNs
	}
}
