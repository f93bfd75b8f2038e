package fastpath

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
)

// memoryEpochNs is where the clock of a Memory begins: 2026-01-01 00:00 UTC.
const memoryEpochNs = 1_767_225_600_000_000_000

// Memory is a network inside one goroutine, for tests. Its loops have the same
// links as loops over sockets, but nothing happens by itself: Step delivers one
// event, Advance moves the clock. With the same seed and the same calls
// everything happens in the same order.
//
// Seed 0 delivers events in the order they came about, and all bytes that are
// there. Any other seed picks the next event at random, where order between
// links is not promised, and cuts the bytes of a link at random places.
type Memory struct {
	nodes   []*memoryNode
	sockets []*memorySocket // ends of connections that their loops have not closed
	random  *rand.Rand      // nil: first come, first served
	nowNs   int64
	order   uint64
}

// NewMemory returns an empty network whose clock stands at the start of 2026.
func NewMemory(seed uint64) *Memory {
	m := &Memory{nowNs: memoryEpochNs}
	if seed != 0 {
		m.random = rand.New(rand.NewPCG(seed, 0))
	}
	return m
}

// Loop returns a loop of this network. It runs at once: Ready is closed, and Run
// returns ErrNotRunnable.
func (m *Memory) Loop(cfg Config, h Handler) (*Loop, error) {
	lp, err := newLoop(cfg, h)
	if err != nil {
		return nil, err
	}
	n := &memoryNode{memory: m, lp: lp, nextTickNs: m.nowNs + lp.cfg.TickNs}
	lp.backend = n
	lp.nowNs = m.nowNs
	m.nodes = append(m.nodes, n)
	close(lp.ready)
	return lp, nil
}

// Now returns the network's clock, ns since 1970 UTC.
func (m *Memory) Now() int64 { return m.nowNs }

// Step delivers one pending event and reports whether there was one: bytes for
// a link or its end, a connection that a Dial makes, or a Wake.
func (m *Memory) Step() bool {
	var chosen memoryEvent
	var seen int
	consider := func(due bool, order uint64, e memoryEvent) {
		if !due {
			return
		}
		seen++
		e.order = order
		if seen == 1 || m.prefers(seen, order, chosen.order) {
			chosen = e
		}
	}
	for _, s := range m.sockets {
		consider(s.due(), s.order, memoryEvent{socket: s})
	}
	for _, n := range m.nodes {
		consider(n.wakeDue, n.wakeOrder, memoryEvent{node: n})
		for _, d := range n.dials {
			consider(d.due(), d.order, memoryEvent{dial: d})
		}
	}
	if seen == 0 {
		return false
	}
	chosen.happen()
	return true
}

// prefers decides between the event chosen so far and the seen-th one: the older
// one, or either with equal chance among all.
func (m *Memory) prefers(seen int, order, chosen uint64) bool {
	if m.random != nil {
		return m.random.IntN(seen) == 0
	}
	return order < chosen
}

// Settle steps until nothing is pending, at most limit times, and reports
// whether it came to rest.
func (m *Memory) Settle(limit int) bool {
	for range limit {
		if !m.Step() {
			return true
		}
	}
	return false
}

// Advance moves the clock by so many ns and calls the ticks that become due, in
// their order and at their time. It delivers nothing else.
func (m *Memory) Advance(ns int64) {
	end := m.nowNs + ns
	for {
		next := m.nextTick()
		if next == nil || next.nextTickNs > end {
			break
		}
		m.nowNs = next.nextTickNs
		next.tick()
	}
	m.nowNs = end
}

// nextTick returns the node whose tick comes first.
func (m *Memory) nextTick() *memoryNode {
	var first *memoryNode
	for _, n := range m.nodes {
		if first == nil || n.nextTickNs < first.nextTickNs {
			first = n
		}
	}
	return first
}

// Cut breaks a link's connection: bytes under way are lost in both directions,
// and both ends are told of a reset when Step gets to it.
func (m *Memory) Cut(l *Link) {
	s, ok := l.transport.(*memorySocket)
	if !ok || l.state == linkClosed {
		return
	}
	s.reset()
	s.peer.reset()
}

// Stall stops, or starts again, the delivery of bytes to a link: its owner does
// not read, and after MemoryPipeBytes the peer has to hold its bytes.
func (m *Memory) Stall(l *Link, stalled bool) {
	if s, ok := l.transport.(*memorySocket); ok {
		s.stalled = stalled
	}
}

// Kill ends a loop as if its process had died: its handler is not called any
// more, its listeners are gone, and its peers get what it had given to the
// network and then see the end of their links.
func (m *Memory) Kill(lp *Loop) {
	n, ok := lp.backend.(*memoryNode)
	if !ok {
		return
	}
	m.nodes = slices.DeleteFunc(m.nodes, func(other *memoryNode) bool { return other == n })
	for _, s := range slices.Clone(m.sockets) {
		if s.link.loop == lp {
			s.back = nil
			s.link.state = linkClosed
			s.close()
		}
	}
	lp.links, lp.dirty, lp.doomed = nil, nil, nil
}

// nextOrder numbers the events in the order they come about.
func (m *Memory) nextOrder() uint64 {
	m.order++
	return m.order
}

// memoryEvent is one thing that can happen next; one of its pointers is set.
type memoryEvent struct {
	socket *memorySocket
	node   *memoryNode
	dial   *memoryDial
	order  uint64
}

func (e *memoryEvent) happen() {
	switch {
	case e.socket != nil:
		e.socket.deliver()
	case e.node != nil:
		e.node.awake()
	default:
		e.dial.connect()
	}
}

// memoryNode is the backend of one loop of a Memory.
type memoryNode struct {
	memory     *Memory
	lp         *Loop
	listeners  []memoryListener
	dials      []*memoryDial
	nextTickNs int64
	wakeOrder  uint64
	live       int // accepted connections
	wakeDue    bool
}

// memoryListener is an address at which a node takes connections.
type memoryListener struct {
	network, address string
	kind             Kind
}

func (n *memoryNode) run(context.Context) error { return ErrNotRunnable }

func (n *memoryNode) listen(kind Kind, network, address string) error {
	if err := checkNetwork(network); err != nil {
		return fmt.Errorf("loop %q: %w", n.lp.cfg.Name, err)
	}
	if other, _ := n.memory.find(network, address); other != nil {
		return fmt.Errorf("loop %q: %s %s is taken by loop %q", n.lp.cfg.Name, network, address, other.lp.cfg.Name)
	}
	n.listeners = append(n.listeners, memoryListener{network, address, kind})
	return nil
}

// find returns who listens at an address and for which kind.
func (m *Memory) find(network, address string) (*memoryNode, Kind) {
	for _, n := range m.nodes {
		for _, ln := range n.listeners {
			if ln.network == network && ln.address == address {
				return n, ln.kind
			}
		}
	}
	return nil, 0
}

func (n *memoryNode) dial(kind Kind, network, address string) error {
	if err := checkNetwork(network); err != nil {
		return fmt.Errorf("loop %q: %w", n.lp.cfg.Name, err)
	}
	d := &memoryDial{node: n, kind: kind, network: network, address: address, pauseNs: n.lp.cfg.DialBackoffMinNs}
	d.schedule(0)
	n.dials = append(n.dials, d)
	return nil
}

func (n *memoryNode) addr(kind Kind) string {
	for _, ln := range n.listeners {
		if ln.kind == kind {
			return ln.address
		}
	}
	return ""
}

func (n *memoryNode) wake() {
	if !n.wakeDue {
		n.wakeDue = true
		n.wakeOrder = n.memory.nextOrder()
	}
}

// begin starts a callback of the node's loop at the network's time.
func (n *memoryNode) begin() {
	n.lp.nowNs = n.memory.nowNs
	n.lp.enter()
}

func (n *memoryNode) awake() {
	n.wakeDue = false
	n.begin()
	n.lp.awake()
	n.lp.leave()
}

func (n *memoryNode) tick() {
	n.nextTickNs += n.lp.cfg.TickNs
	n.begin()
	n.lp.tick()
	n.lp.leave()
}

// memoryDial keeps one link up.
type memoryDial struct {
	node             *memoryNode
	network, address string
	dueNs            int64
	pauseNs          int64
	order            uint64
	kind             Kind
	up               bool
}

// due reports whether the next attempt may be made now.
func (d *memoryDial) due() bool { return !d.up && d.node.memory.nowNs >= d.dueNs }

// schedule plans the next attempt.
func (d *memoryDial) schedule(afterNs int64) {
	d.up = false
	d.dueNs = d.node.memory.nowNs + afterNs
	d.order = d.node.memory.nextOrder()
}

// linkEnded is the loop's word that the link is gone.
func (d *memoryDial) linkEnded() {
	d.pauseNs = d.node.lp.cfg.DialBackoffMinNs
	d.schedule(d.pauseNs)
}

// connect makes one attempt.
func (d *memoryDial) connect() {
	m := d.node.memory
	server, kind := m.find(d.network, d.address)
	if server == nil {
		d.node.lp.counters.DialFailures++
		d.schedule(d.pauseNs)
		d.pauseNs = min(2*d.pauseNs, d.node.lp.cfg.DialBackoffMaxNs)
		return
	}
	d.up = true
	near, far := m.pair(d, server, kind)
	d.node.lp.counters.Dialled++
	near.open(d.node)
	if server.live >= server.lp.cfg.ConnectionsMax {
		server.lp.counters.Refused++
		far.close()
		return
	}
	server.live++
	server.lp.counters.Accepted++
	far.open(server)
}
