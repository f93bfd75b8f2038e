package gateway

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"tollgate/asynclog"
	"tollgate/fastpath"
	"tollgate/fastpath/wire"
	"tollgate/order"
)

// The kinds of links a gateway has.
const (
	KindClient fastpath.Kind = 1 // accepted from a client
	KindRisk   fastpath.Kind = 2 // dialled to the engine
	KindVenue  fastpath.Kind = 3 // dialled to the exchange adapter
)

// Gateway is the state machine of the front office. It is a fastpath.Handler:
// the loop calls its methods, nobody else does. From any goroutine: Snapshot
// and Drain.
type Gateway struct {
	cfg      Config
	keys     Keys
	dummyKey []byte        // stands in for the key of an unknown client
	log      *asynclog.Log // nil: nothing is logged

	nowNs         int64 // the loop's batch clock at the running callback
	settleUntilNs int64 // until then a new engine may wait for the exchange
	tickNs        int64 // the clock at the last tick; 0: none yet
	risk          neighbour
	venue         neighbour
	sessions      sessionTable
	slots         []connection
	free          []uint32 // slots without a connection
	live          []uint32 // slots with one, in no order
	loginCount    uint64   // makes each LoginID unique
	draining      bool
	opened        bool // clients may use the engine
	announced     bool // the engine believes that the exchange can be reached
	undecided     bool // the engine was lost in this batch: it decides no login any more
	drainNoted    bool // drained is closed
	counters      Counters

	request order.Request // scratch, so that decoding allocates nothing
	trace   order.Trace   // scratch

	drainAsked atomic.Bool
	drained    chan struct{} // closed when the last connection has ended while draining
	published  struct {
		sync.Mutex
		counters Counters
	}
}

// New returns a gateway that knows the clients in keys. log may be nil. Both
// cfg and keys are validated.
func New(cfg Config, keys Keys, log *asynclog.Log) (*Gateway, error) {
	if err := errors.Join(cfg.Validate(), keys.Validate()); err != nil {
		return nil, err
	}
	cfg = cfg.withDefaults()
	var secret [32]byte
	var instance [8]byte
	if err := errors.Join(randomBytes(secret[:]), randomBytes(instance[:])); err != nil {
		return nil, err
	}
	if cfg.Instance == 0 {
		cfg.Instance = binary.LittleEndian.Uint64(instance[:]) | 1
	}
	g := &Gateway{
		cfg: cfg, keys: keys, log: log, dummyKey: secret[:], drained: make(chan struct{}),
		risk:     neighbour{role: wire.RoleRiskcheck},
		venue:    neighbour{role: wire.RoleExchange},
		sessions: newSessionTable(cfg.ConnectionsMax),
	}
	g.makeSlots(cfg.ConnectionsMax)
	return g, nil
}

func randomBytes(b []byte) error {
	if _, err := rand.Read(b); err != nil {
		return fmt.Errorf("gateway: no random bytes: %w", err)
	}
	return nil
}

// makeSlots makes room for n connections.
func (g *Gateway) makeSlots(n int) {
	g.slots = make([]connection, n)
	g.free = make([]uint32, n)
	g.live = make([]uint32, 0, n)
	for i := range g.free {
		g.slots[i].slot = uint32(i)
		g.free[i] = uint32(n - 1 - i)
	}
}

// Opened greets a client, or a neighbour.
func (g *Gateway) Opened(l *fastpath.Link) {
	g.nowNs = l.Loop().Now()
	switch l.Kind() {
	case KindClient:
		g.accept(l)
	case KindRisk:
		g.greet(&g.risk, l)
	case KindVenue:
		g.greet(&g.venue, l)
	}
}

// Message takes one frame from a client or a neighbour.
func (g *Gateway) Message(l *fastpath.Link, f wire.Frame, m wire.Message) {
	g.nowNs = l.Loop().Now()
	switch l.Kind() {
	case KindClient:
		if c, ok := l.Data.(*connection); ok {
			g.fromClient(c, m)
		}
	case KindRisk:
		g.fromRisk(l, f, m)
	case KindVenue:
		g.fromVenue(l, f, m)
	}
}

// Malformed says to a client what was wrong. The loop closes the link.
func (g *Gateway) Malformed(l *fastpath.Link, err *wire.FrameError) {
	g.nowNs = l.Loop().Now()
	g.logMalformed(l, err)
	if c, ok := l.Data.(*connection); ok {
		g.counters.Malformed++
		g.cut(c, err.Reason, err.Value, 0)
	}
}

// Closed forgets a link.
func (g *Gateway) Closed(l *fastpath.Link, cause error) {
	g.nowNs = l.Loop().Now()
	switch l.Kind() {
	case KindClient:
		if c, ok := l.Data.(*connection); ok {
			g.clientGone(c, cause)
		}
	case KindRisk:
		g.riskGone(l, cause)
	case KindVenue:
		g.venueGone(l, cause)
	}
}

// Wake starts draining if Drain was called.
func (g *Gateway) Wake() {
	if g.drainAsked.Load() && !g.draining {
		g.drain()
	}
}

// BatchEnd does what was put off to the end of the batch. The loop then flushes
// the links.
func (g *Gateway) BatchEnd() {
	if g.undecided {
		g.refuseUndecided()
	}
}

// Tick does everything that is due by time.
func (g *Gateway) Tick(nowNs int64) {
	g.nowNs = nowNs
	if pause := nowNs - g.tickNs; g.tickNs != 0 && (pause > pauseNs || pause < 0) {
		g.forgive()
	}
	g.tickNs = nowNs
	g.tickNeighbour(&g.risk)
	g.tickNeighbour(&g.venue)
	g.tickSettling()
	for i := len(g.live) - 1; i >= 0; i-- {
		g.tickClient(&g.slots[g.live[i]])
	}
	g.publish()
}

// forgive starts every clock anew after this process stood still or the host's
// clock was set: what the peers sent meanwhile may still lie in the sockets.
func (g *Gateway) forgive() {
	g.counters.ForgivenPauses++
	g.risk.lastInNs, g.venue.lastInNs = g.nowNs, g.nowNs
	g.risk.lastOutNs, g.venue.lastOutNs = g.nowNs, g.nowNs
	for _, slot := range g.live {
		c := &g.slots[slot]
		c.sinceNs, c.lastInNs, c.lastOutNs, c.toldNs = g.nowNs, g.nowNs, g.nowNs, g.nowNs
	}
}

// publish copies the counters to where other goroutines see them.
func (g *Gateway) publish() {
	g.published.Lock()
	defer g.published.Unlock()
	g.published.counters = g.counters
}

// Snapshot returns the counters as of the last tick. Any goroutine may call it.
func (g *Gateway) Snapshot() Counters {
	g.published.Lock()
	defer g.published.Unlock()
	return g.published.counters
}
