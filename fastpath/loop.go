package fastpath

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"tollgate/fastpath/wire"
)

// Handler is what a loop works for. The loop calls all methods on its own
// goroutine, one at a time; none may block.
type Handler interface {
	// Opened tells of a new link, accepted or dialled. It may send.
	Opened(l *Link)
	// Message gives one whole frame of a known template. f and m are valid
	// during the call only.
	Message(l *Link, f wire.Frame, m wire.Message)
	// Malformed tells of bytes that can never become a message. The handler may
	// send a reject; the link closes afterwards.
	Malformed(l *Link, err *wire.FrameError)
	// Closed tells, once for each opened link, that it has ended and why:
	// io.EOF when the peer closed, the cause given to Link.Close, or the error.
	Closed(l *Link, cause error)
	// Wake follows Loop.Wake: drain your command queue. Several calls of
	// Loop.Wake may become one of this.
	Wake()
	// Tick comes at least every Config.TickNs for rare work by deadline.
	Tick(nowNs int64)
	// BatchEnd follows every group of calls of the methods above, when all frames
	// of one poll were delivered. The links are flushed right after it.
	BatchEnd()
}

// Expecter is a Handler that is told of a message while the one before it still
// waits: when the frames of one poll are delivered, each is announced before its
// forerunner is given to Message. It is for looking things up in advance; what it does
// with the message must not depend on whether it is delivered, as the link may close
// first.
type Expecter interface {
	// Expect announces the message that follows the next call of Message. m is valid
	// during the call only.
	Expect(l *Link, m wire.Message)
}

// Loop owns links and calls a Handler. See the package comment for who may call
// what. Loops come from New, or for tests from Memory.Loop.
type Loop struct {
	cfg      Config
	handler  Handler
	expecter Expecter // the handler, if it is one
	backend  backend

	links    []*Link        // open and doomed ones, in no order
	dirty    []*Link        // with frames to send
	doomed   []*Link        // to be closed
	read     []byte         // room for one kept tail, then for one read
	parsers  [2]wire.Parser // in turn: a message is read while the one before it waits
	nowNs    int64
	nextID   uint64
	depth    int  // callbacks of the event loop under way
	backlogs int  // links that may hold bytes for a slow peer; an upper bound
	called   bool // the handler was called since its last BatchEnd
	traffic  bool // a message other than a heartbeat came in
	counters Counters

	ready     chan struct{}
	published struct {
		sync.Mutex
		counters Counters
	}
}

// backend makes links and lets a loop wait for them: sockets or memory.
type backend interface {
	listen(kind Kind, network, address string) error
	dial(kind Kind, network, address string) error
	run(ctx context.Context) error
	wake()
	addr(kind Kind) string
}

// ErrNotRunnable is returned by Run of a loop that a Memory drives.
var ErrNotRunnable = errors.New("an in-memory loop is driven by Memory.Step")

// New returns a loop over sockets. It holds no descriptors until Listen, Dial or Run.
func New(cfg Config, h Handler) (*Loop, error) {
	lp, err := newLoop(cfg, h)
	if err != nil {
		return nil, err
	}
	lp.backend = newEngine(lp)
	return lp, nil
}

// newLoop returns a loop without a backend.
func newLoop(cfg Config, h Handler) (*Loop, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	if h == nil {
		return nil, fmt.Errorf("loop %q: handler is nil, want one", cfg.Name)
	}
	expecter, _ := h.(Expecter)
	return &Loop{
		cfg:      cfg.withDefaults(),
		handler:  h,
		expecter: expecter,
		read:     make([]byte, wire.FrameMax+ReadBytes),
		ready:    make(chan struct{}),
	}, nil
}

// Listen opens a listener whose connections become links of this kind. network
// is "tcp" or "unix". A stale file at a unix address, left by a process that was
// killed, is replaced; one that somebody still listens on is an error. Listen must
// be called before Run.
func (lp *Loop) Listen(kind Kind, network, address string) error {
	return lp.backend.listen(kind, network, address)
}

// Dial keeps one link of this kind up: it connects, and connects again with a
// growing pause when it cannot or when the link has ended. Opened and Closed
// tell. It may be called before Run and from any goroutine.
func (lp *Loop) Dial(kind Kind, network, address string) error {
	return lp.backend.dial(kind, network, address)
}

// Run works until ctx is cancelled, which closes the listeners, lets links send
// what they hold for at most Config.DrainNs, closes them and returns nil. Any
// other end of the event loop is an error. Run may be called once.
func (lp *Loop) Run(ctx context.Context) error { return lp.backend.run(ctx) }

// Ready is closed when the loop is running and its listeners accept.
func (lp *Loop) Ready() <-chan struct{} { return lp.ready }

// Wake makes the loop call Handler.Wake soon. Any goroutine may call it; calls
// that come before the handler's are one.
func (lp *Loop) Wake() { lp.backend.wake() }

// Now returns the batch clock: ns since 1970 UTC, read once for everything that
// one read has brought. It is the host's clock and may step back. Loop only.
func (lp *Loop) Now() int64 { return lp.nowNs }

// Addr returns the address of the first listener of a kind, with the port the
// kernel chose for port 0; "" if there is none.
func (lp *Loop) Addr(kind Kind) string { return lp.backend.addr(kind) }

// enter begins a callback of the event loop; leave ends it.
func (lp *Loop) enter() { lp.depth++ }

// leave ends a callback of the event loop. The outermost one finishes the batch.
func (lp *Loop) leave() {
	if lp.depth == 1 {
		lp.finish()
	}
	lp.depth--
}

// finish ends the batch: BatchEnd, one write to each link with frames to send,
// then the links that are to be closed; again while that causes more.
func (lp *Loop) finish() {
	for lp.called || len(lp.dirty) > 0 || len(lp.doomed) > 0 {
		if lp.called {
			lp.called = false
			lp.counters.Batches++
			lp.handler.BatchEnd()
		}
		lp.flush()
		lp.bury()
	}
}

// flush sends what the links have gathered.
func (lp *Loop) flush() {
	for i := 0; i < len(lp.dirty); i++ {
		l := lp.dirty[i]
		l.dirty = false
		l.flush()
	}
	lp.dirty = lp.dirty[:0]
}

// bury closes the links that are doomed.
func (lp *Loop) bury() {
	for i := 0; i < len(lp.doomed); i++ {
		l := lp.doomed[i]
		lp.doomed[i] = nil
		if l.state == linkDoomed {
			l.flush() // the end of another link may have sent it something
			l.transport.close()
			lp.closed(l, l.cause)
		}
	}
	lp.doomed = lp.doomed[:0]
}

// opened makes a link known to the handler.
func (lp *Loop) opened(l *Link) {
	lp.nextID++
	l.id = lp.nextID
	l.state = linkOpen
	l.place = len(lp.links)
	lp.links = append(lp.links, l)
	lp.called = true
	lp.handler.Opened(l)
}

// closed tells the handler that a link has ended. Further calls for the same
// link do nothing.
func (lp *Loop) closed(l *Link, cause error) {
	if l.state == linkClosed || l.state == linkNew {
		return
	}
	if l.state == linkDoomed {
		cause = l.cause
	}
	l.state = linkClosed
	last := len(lp.links) - 1
	lp.links[l.place] = lp.links[last]
	lp.links[l.place].place = l.place
	lp.links[last] = nil
	lp.links = lp.links[:last]
	lp.counters.Closed++
	lp.called = true
	lp.handler.Closed(l, cause)
	l.out, l.tail = nil, nil
	if l.dialler != nil {
		l.dialler.linkEnded()
	}
}

// receive delivers the frames in data, which continues the link's stream where
// the last data ended, at any byte.
func (lp *Loop) receive(l *Link, data []byte) {
	if len(l.tail) > 0 {
		copy(lp.read[wire.FrameMax:], data)
		data = lp.joined(l, len(data))
	}
	lp.deliver(l, data)
}

// joined returns the link's kept tail followed by the n bytes just read into the
// loop's buffer.
func (lp *Loop) joined(l *Link, n int) []byte {
	start := wire.FrameMax - len(l.tail)
	copy(lp.read[start:], l.tail)
	l.tail = l.tail[:0]
	return lp.read[start : wire.FrameMax+n]
}

// deliver calls the handler for every whole frame and keeps the rest.
func (lp *Loop) deliver(l *Link, data []byte) {
	lp.called = true
	next := lp.split(data, 0)
	for i := 1; l.state == linkOpen; i++ {
		now := next
		if now.err != nil {
			lp.malformed(l, now.err)
			return
		}
		if now.size == 0 {
			if len(data) > 0 {
				l.keep(data)
			}
			return
		}
		data = data[now.size:]
		next = lp.split(data, i)
		if lp.expecter != nil && next.size != 0 && next.err == nil {
			lp.expecter.Expect(l, next.message)
		}
		lp.counters.FramesIn++
		lp.traffic = lp.traffic || now.message.Template != wire.TemplateLinkHeartbeat &&
			now.message.Template != wire.TemplateHeartbeat
		lp.handler.Message(l, now.frame, now.message)
	}
}

// received is a frame that has come, and what it says.
type received struct {
	frame   wire.Frame
	message wire.Message
	size    int // zero: it has not come in whole
	err     error
}

// split takes the frame at the head of data, which is the i-th of a delivery.
func (lp *Loop) split(data []byte, i int) (r received) {
	if r.frame, r.size, r.err = wire.Split(data); r.err == nil && r.size != 0 {
		r.message, r.err = lp.parsers[i%len(lp.parsers)].Parse(r.frame)
	}
	return r
}

// malformed tells the handler and closes the link.
func (lp *Loop) malformed(l *Link, err error) {
	lp.counters.Malformed++
	var reason *wire.FrameError
	if errors.As(err, &reason) {
		lp.handler.Malformed(l, reason)
	}
	l.Close(err)
}

// tick does the rare work: the handler's and the publication of the counters.
func (lp *Loop) tick() {
	lp.called = true
	lp.counters.Ticks++
	lp.handler.Tick(lp.nowNs)
	lp.countBacklogs()
	lp.publish()
}

// awake calls the handler's Wake.
func (lp *Loop) awake() {
	lp.called = true
	lp.counters.Wakes++
	lp.handler.Wake()
}

// countBacklogs finds out which slow peers have caught up, and returns how many
// links still hold bytes.
func (lp *Loop) countBacklogs() int {
	if lp.backlogs == 0 {
		return 0
	}
	lp.backlogs = 0
	for _, l := range lp.links {
		if l.backlog {
			l.backlog = l.transport.held() > 0
		}
		if l.backlog {
			lp.backlogs++
		}
	}
	return lp.backlogs
}
