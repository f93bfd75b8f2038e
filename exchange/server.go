package exchange

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"
	"time"

	"tollgate/exchange/simulated"
	"tollgate/fastpath"
	"tollgate/fastpath/wire"
	"tollgate/order"
)

// KindGateway is the kind of every link of a Server.
const KindGateway fastpath.Kind = 1

// Server is the exchange process: gateways on one side, adapter and simulated
// venue on the other. It is the handler of one loop, which owns it after
// NewServer; Run, Ready, Addr, Operate and Counters may be called from any
// goroutine.
type Server struct {
	cfg      Config
	adapter  *Adapter
	venue    *simulated.Venue
	loop     *fastpath.Loop
	recorder *recorder // nil: no file
	peers    []*peer
	stream   stream
	tickedAt int64
	counters Counters
	request  order.Verdict // of the message being worked on
	trace    order.Trace

	operations *fastpath.Queue[operation] // shared
	ended      chan struct{}              // closed when Run has ended

	published struct {
		sync.Mutex
		counters Counters
	}
}

// Counters counts what a server has seen since its start.
type Counters struct {
	Adapter              AdapterCounters
	Gateways             uint64 // links that said hello
	GatewaysSilent       uint64 // links closed because nothing came
	OutOfPlace           uint64 // links closed because of a message that must not come
	Subscriptions        uint64 // ReportsFrom that were granted
	SubscriptionsStale   uint64 // ReportsFrom of an old epoch
	SubscriptionsRefused uint64 // ReportsFrom for numbers that are not retained, or not made
	ReportsSent          uint64 // repeated ones included
	PricesSent           uint64
	Hints                uint64 // AdapterRefusal
}

// NewServer returns a server over sockets that listens where cfg says. loop
// holds the settings of its loop; the bounds of links are filled in.
func NewServer(cfg Config, loop fastpath.Config) (*Server, error) {
	s, err := newServer(cfg)
	if err != nil {
		return nil, err
	}
	if err := s.attach(fastpath.New(loopConfig(loop), s)); err != nil {
		s.recorder.abandon()
		return nil, err
	}
	return s, nil
}

// NewServerIn returns a server in an in-memory network, which drives it: Run
// must not be called. cfg must not ask for a venue log file.
func NewServerIn(memory *fastpath.Memory, cfg Config, loop fastpath.Config) (*Server, error) {
	if cfg.VenueLogPath != "" {
		return nil, errors.New("VenueLogPath is given: a server in memory has no file, use Venue.Observe")
	}
	s, err := newServer(cfg)
	if err != nil {
		return nil, err
	}
	if err := s.attach(memory.Loop(loopConfig(loop), s)); err != nil {
		return nil, err
	}
	return s, nil
}

func newServer(cfg Config) (*Server, error) {
	if err := cfg.Validate(); err != nil {
		return nil, fmt.Errorf("exchange: %w", err)
	}
	s := &Server{
		cfg:        cfg.withDerived(randomInstance(), time.Now().UnixNano()),
		operations: fastpath.NewQueue[operation](operationsQueued),
		ended:      make(chan struct{}),
	}
	if err := s.openVenueLog(); err != nil {
		return nil, err
	}
	var err error
	if s.venue, err = simulated.New(s.cfg.Venue); err != nil {
		return nil, fmt.Errorf("exchange: %w", err)
	}
	s.adapter, err = NewAdapter(s.cfg.Adapter, s.venue)
	if err != nil {
		return nil, fmt.Errorf("exchange: %w", err)
	}
	return s, nil
}

func randomInstance() uint64 {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails, by its contract
	return max(1, binary.LittleEndian.Uint64(b[:]))
}

func (s *Server) openVenueLog() error {
	if s.cfg.VenueLogPath == "" {
		return nil
	}
	r, err := openRecorder(s.cfg.VenueLogPath)
	if err != nil {
		return fmt.Errorf("exchange: venue log: %w", err)
	}
	s.recorder = r
	s.cfg.Venue.Observe = r.take
	return nil
}

// attach takes the server's loop and opens its listeners.
func (s *Server) attach(loop *fastpath.Loop, err error) error {
	if err != nil {
		return fmt.Errorf("exchange: %w", err)
	}
	s.loop = loop
	for _, e := range s.cfg.Listen {
		if err := loop.Listen(KindGateway, e.Network, e.Address); err != nil {
			return fmt.Errorf("exchange: listen for gateways on %s %s: %w", e.Network, e.Address, err)
		}
	}
	return nil
}

// Run works until ctx is canceled and then returns nil. Any other end is an
// error. It is called once.
func (s *Server) Run(ctx context.Context) error {
	defer close(s.ended)
	if s.recorder == nil {
		return s.loop.Run(ctx)
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	written := make(chan error, 1)
	go func() { written <- s.recorder.run(stop) }()
	err := s.loop.Run(ctx)
	s.recorder.finish()
	return errors.Join(err, <-written)
}

// Ready is closed when the server accepts gateways.
func (s *Server) Ready() <-chan struct{} { return s.loop.Ready() }

// Addr returns the address of the first listener, with the port the kernel
// chose for port 0.
func (s *Server) Addr() string { return s.loop.Addr(KindGateway) }

// Instance returns the number of this incarnation of the adapter.
func (s *Server) Instance() uint64 { return s.adapter.Instance() }

// Counters returns what was counted up to the last tick. Any goroutine may call
// it.
func (s *Server) Counters() Counters {
	s.published.Lock()
	defer s.published.Unlock()
	return s.published.counters
}

func (s *Server) publish() {
	s.counters.Adapter = s.adapter.Counters()
	s.published.Lock()
	s.published.counters = s.counters
	s.published.Unlock()
}

// Message takes one frame of a gateway.
func (s *Server) Message(l *fastpath.Link, _ wire.Frame, m wire.Message) {
	p := s.peerOf(l)
	p.receivedAt = s.loop.Now()
	if p.greeted == (m.Template == wire.TemplateLinkHello) {
		s.outOfPlace(p, m)
		return
	}
	switch m.Template {
	case wire.TemplateVerdict:
		s.verdict(p, m)
	case wire.TemplateReportsAck:
		s.acknowledge(p, m)
	case wire.TemplateLinkHeartbeat:
	default:
		s.rareMessage(p, m)
	}
}

// rareMessage takes what does not come with orders.
func (s *Server) rareMessage(p *peer, m wire.Message) {
	switch m.Template {
	case wire.TemplateLinkHello:
		s.greeted(p, m)
	case wire.TemplateReportsFrom:
		s.subscribe(p, m)
	case wire.TemplateVenueCancel:
		s.venueCancel(p, m)
	case wire.TemplateKillFence:
		s.killFence(p, m)
	default:
		s.outOfPlace(p, m)
	}
}

func (s *Server) outOfPlace(p *peer, m wire.Message) {
	s.counters.OutOfPlace++
	p.link.Close(fmt.Errorf("exchange: template %d came out of place from %s", m.Template, p.link.Remote()))
}

// errBacklog ends a link whose orders cannot be taken. When the gateway is back
// the engine sends them again.
var errBacklog = errors.New("exchange: too many reports are unacknowledged")

func (s *Server) verdict(p *peer, m wire.Message) {
	m.Verdict(&s.request, &s.trace)
	v := &s.request
	outcome := s.adapter.Verdict(s.loop.Now(), v, &s.trace)
	if outcome.Reason == order.ReasonNone {
		return
	}
	s.logRefusal(v, outcome.Reason)
	if !outcome.Dropped() {
		return
	}
	s.hint(p, wire.AdapterRefusal{
		Seq: v.Token.Seq, OrderID: v.OrderID, Session: v.Session, Reason: outcome.Reason,
	})
	if outcome.Reason == order.ReasonAdapterBacklog {
		s.logBacklog()
		p.link.Close(errBacklog)
	}
}

func (s *Server) venueCancel(p *peer, m wire.Message) {
	var c wire.VenueCancel
	c.Decode(m)
	outcome := s.adapter.Cancel(s.loop.Now(), c.Session, c.OrderID, c.OrigClOrdID)
	if outcome.Dropped() {
		s.hint(p, wire.AdapterRefusal{OrderID: c.OrderID, Session: c.Session, Reason: outcome.Reason})
	}
}

func (s *Server) hint(p *peer, r wire.AdapterRefusal) {
	s.counters.Hints++
	s.commit(p, r.Append(p.link.Buffer()))
}

// killFence confirms a fence. It is in force from here on: the loop takes one
// message after the other, and the venue has what came before.
func (s *Server) killFence(p *peer, m wire.Message) {
	var f wire.KillFence
	f.Decode(m)
	scope := order.Scope{ID: f.ScopeID, Instrument: f.Instrument, Class: f.ScopeClass, Type: f.ScopeType}
	s.adapter.SetFence(f.Epoch, Fence{Scope: scope, BelowSeq: f.BelowSeq})
	s.logFence(&f)
	ack := wire.KillFenceAck{FenceID: f.FenceID, Epoch: f.Epoch}
	s.commit(p, ack.Append(p.link.Buffer()))
}

// Malformed takes bytes that are no message; the link closes by itself.
func (s *Server) Malformed(l *fastpath.Link, err *wire.FrameError) { s.logMalformed(l, err) }

// Tick does what is due by time.
func (s *Server) Tick(nowNs int64) {
	s.adapter.Advance(nowNs)
	s.keepAlive(nowNs)
	s.publish()
}

// BatchEnd sends the reports and prices that the batch has led to.
func (s *Server) BatchEnd() {
	if s.stream.peer == nil {
		return
	}
	s.sendReports()
	s.sendPrices()
}
