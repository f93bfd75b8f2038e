package fastpath

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/panjf2000/gnet/v2"
	"golang.org/x/sys/unix"
)

// ErrEngineEnded says that the event loop ended although nobody stopped it.
var ErrEngineEnded = errors.New("the event loop ended by itself")

// engine is a loop's backend of sockets: one gnet event loop, an eventfd by which
// it calls itself, a timer, and the goroutines that accept and dial.
//
// It uses gnet's client, which has no listeners of its own: gnet ends the whole
// engine when accept fails for lack of descriptors, and ours only pause.
type engine struct {
	gnet.BuiltinEventEngine

	lp   *Loop
	base time.Time // what the monotonic times below count from

	// The loop's own.
	poll        pollSet
	next        int   // where the last poll of every link stopped
	lastPoll    int64 // ns since base, when the running batch began
	lastTraffic int64 // ns since base

	client  *gnet.Client
	timerFD int // gnet has a duplicate
	selfFD  int // an eventfd; gnet has a duplicate
	selfMux sync.RWMutex
	self    marker // gnet's context for the eventfd
	clock   marker // gnet's context for the timer

	hot      atomic.Bool // a hot turn runs, or the signal that starts it is under way
	wakeDue  atomic.Bool
	drainDue atomic.Bool

	entering atomic.Int64 // connections on their way into gnet
	live     atomic.Int64 // accepted connections, including those not yet opened
	refused  atomic.Uint64
	pauses   atomic.Uint64
	failures atomic.Uint64
	library  atomic.Uint64

	state struct {
		sync.Mutex
		listeners []*listener
		diallers  []*dialler
		claimed   bool // Run was called
		running   bool // it is running, and not ending
	}
	works    sync.WaitGroup // accepting, dialling
	ctx      context.Context
	cancel   context.CancelFunc // tells those to end
	fatal    chan error         // the first error that ends Run
	dead     chan struct{}      // closed when gnet's event loop has ended
	drained  chan struct{}      // closed by the loop when all links have sent all
	draining atomic.Bool
}

// marker tells connections of gnet apart that are not links. It has a size, so
// that two of them have different addresses.
type marker struct{ _ byte }

func newEngine(lp *Loop) *engine {
	ctx, cancel := context.WithCancel(context.Background())
	return &engine{
		lp:      lp,
		base:    time.Now(),
		timerFD: -1,
		selfFD:  -1,
		ctx:     ctx,
		cancel:  cancel,
		fatal:   make(chan error, 1),
		dead:    make(chan struct{}),
		drained: make(chan struct{}),
	}
}

// run is Loop.Run.
func (e *engine) run(ctx context.Context) error {
	if err := e.claim(); err != nil {
		return err
	}
	if err := e.start(); err != nil {
		return errors.Join(err, e.abandon())
	}
	var err error
	select {
	case <-ctx.Done():
		e.halt()
		err = e.drain()
	case err = <-e.fatal:
		e.halt()
	}
	return errors.Join(err, e.stop())
}

// start makes the event loop and everything around it.
func (e *engine) start() error {
	if err := errors.Join(e.fitDescriptors(), e.boot()); err != nil {
		return fmt.Errorf("loop %q: %w", e.lp.cfg.Name, err)
	}
	e.state.Lock()
	defer e.state.Unlock()
	for _, ln := range e.state.listeners {
		e.works.Go(ln.accept)
	}
	for _, d := range e.state.diallers {
		e.works.Go(d.keepUp)
	}
	e.state.running = true
	close(e.lp.ready)
	e.kick() // for a Wake that came before
	return nil
}

// abandon gives back what start made before it failed.
func (e *engine) abandon() error {
	e.halt()
	if e.client == nil {
		return e.poll.shut()
	}
	return e.stop()
}

// claim makes sure that Run runs once.
func (e *engine) claim() error {
	e.state.Lock()
	defer e.state.Unlock()
	if e.state.claimed {
		return fmt.Errorf("loop %q: Run was called before, want one call", e.lp.cfg.Name)
	}
	e.state.claimed = true
	return nil
}

// fitDescriptors raises the process's limit of file descriptors as far as it may
// and lowers the connection cap to what that leaves.
func (e *engine) fitDescriptors() error {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		return fmt.Errorf("limit of file descriptors: %w", err)
	}
	if limit.Cur < limit.Max {
		limit.Cur = limit.Max
		if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
			e.lp.cfg.report("cannot raise the limit of file descriptors to %d: %v", limit.Max, err)
		}
	}
	room := int64(min(limit.Cur, 1<<30)) - DescriptorsReserved
	if room < 1 {
		return fmt.Errorf("limit of file descriptors is %d, want more than %d", limit.Cur, DescriptorsReserved)
	}
	if int64(e.lp.cfg.ConnectionsMax) > room {
		e.lp.cfg.report("ConnectionsMax lowered from %d to %d: the limit of file descriptors is %d",
			e.lp.cfg.ConnectionsMax, room, limit.Cur)
		e.lp.cfg.ConnectionsMax = int(room)
	}
	return nil
}

// boot starts gnet and puts the loop's own descriptors into it.
func (e *engine) boot() error {
	if err := e.poll.open(); err != nil {
		return err
	}
	client, err := gnet.NewClient(e,
		gnet.WithNumEventLoop(1), gnet.WithTCPNoDelay(gnet.TCPNoDelay), gnet.WithReadBufferCap(ReadBytes),
		gnet.WithLogger(&libraryLog{e}))
	if err != nil {
		return fmt.Errorf("event loop: %w", err)
	}
	if err = client.Start(); err != nil {
		return fmt.Errorf("event loop: %w", err)
	}
	e.client = client
	return e.attachSelf()
}

// attachSelf makes the descriptors by which the loop calls itself and by which the
// clock calls it.
func (e *engine) attachSelf() error {
	event, err := unix.Eventfd(0, unix.EFD_NONBLOCK|unix.EFD_CLOEXEC)
	if err != nil {
		return os.NewSyscallError("eventfd", err)
	}
	e.selfMux.Lock()
	e.selfFD = event
	e.selfMux.Unlock()
	if e.timerFD, err = newTimer(e.lp.cfg.TickNs); err != nil {
		return err
	}
	return errors.Join(
		e.poll.watch(e.selfFD), e.poll.watch(e.timerFD),
		attach(e.client, e.selfFD, &e.self), attach(e.client, e.timerFD, &e.clock))
}

// halt ends the goroutines that accept and dial.
func (e *engine) halt() {
	e.state.Lock()
	e.state.running = false
	e.cancel()
	for _, ln := range e.state.listeners {
		_ = ln.net.Close()
	}
	e.state.Unlock()
	e.works.Wait()
}

// drain waits until the links have sent what they hold, at most DrainNs.
func (e *engine) drain() error {
	e.draining.Store(true)
	deadline := time.NewTimer(time.Duration(e.lp.cfg.DrainNs))
	defer deadline.Stop()
	again := time.NewTicker(time.Millisecond)
	defer again.Stop()
	for {
		e.drainDue.Store(true)
		e.kick()
		select {
		case <-e.drained:
			return nil
		case err := <-e.fatal:
			return err
		case <-deadline.C:
			e.lp.cfg.report("stopped with unsent bytes: a peer did not read for %d ms", e.lp.cfg.DrainNs/1e6)
			return nil
		case <-again.C:
		}
	}
}

// stop ends gnet and gives everything back. Links that are still open get
// Handler.Closed with ErrLoopStopped.
func (e *engine) stop() error {
	e.draining.Store(true)
	e.kick() // a loop that sleeps is inside a call of gnet's
	err := e.client.Stop()
	e.selfMux.Lock()
	defer e.selfMux.Unlock()
	for _, fd := range []int{e.selfFD, e.timerFD} {
		if fd >= 0 {
			err = errors.Join(err, os.NewSyscallError("close", unix.Close(fd)))
		}
	}
	err = errors.Join(err, e.poll.shut())
	e.selfFD, e.timerFD = -1, -1
	e.lp.publish()
	return err
}

// failSleep ends a loop that cannot wait for its links any more.
func (e *engine) failSleep(err error) {
	e.fail(fmt.Errorf("loop %q: cannot sleep: %w", e.lp.cfg.Name, err))
}

// fail makes Run return err, unless it is ending already.
func (e *engine) fail(err error) {
	select {
	case e.fatal <- err:
	default:
	}
}

// wake is Loop.Wake.
func (e *engine) wake() {
	e.wakeDue.Store(true)
	e.kick()
}

// kick starts a hot turn unless one is running or about to: any goroutine.
func (e *engine) kick() {
	if !e.hot.CompareAndSwap(false, true) {
		return
	}
	e.selfMux.RLock()
	defer e.selfMux.RUnlock()
	if e.selfFD < 0 {
		e.hot.Store(false)
		return
	}
	e.callSelf()
}

// callSelf makes gnet call the loop.
func (e *engine) callSelf() {
	if errno := signalRaw(e.selfFD); errno != 0 {
		e.fail(fmt.Errorf("loop %q: cannot call itself: %w", e.lp.cfg.Name, errno))
	}
}

// OnOpen is gnet's call for a connection that has just been registered.
func (e *engine) OnOpen(c gnet.Conn) ([]byte, gnet.Action) {
	l, ok := c.Context().(*Link)
	if !ok {
		return nil, gnet.None
	}
	s := l.transport.(*socket)
	s.conn, s.fd = c, c.Fd()
	e.lp.enter()
	e.stamp()
	e.count(l)
	e.lp.opened(l)
	if err := e.poll.add(l, s.fd); err != nil {
		l.Close(err)
	}
	e.lp.leave()
	return nil, gnet.None
}

// count counts a link by how it came.
func (e *engine) count(l *Link) {
	if l.dialler != nil {
		e.lp.counters.Dialled++
	} else {
		e.lp.counters.Accepted++
	}
}

// OnTraffic is gnet's call when it has read bytes. For links that happens only
// when the loop was parked or between two hot turns.
func (e *engine) OnTraffic(c gnet.Conn) gnet.Action {
	data, _ := c.Peek(-1)
	_, _ = c.Discard(-1) // the bytes stay where they are until this call returns
	l, ok := c.Context().(*Link)
	if !ok {
		return e.called(c.Context())
	}
	e.lp.enter()
	e.stamp()
	e.lp.receive(l, data)
	e.lp.leave()
	if e.sawTraffic() && e.hot.CompareAndSwap(false, true) {
		e.callSelf()
	}
	return gnet.None
}

// called runs what gnet calls the loop for when it is not a link.
func (e *engine) called(by any) gnet.Action {
	if by == &e.self {
		e.turn()
		return gnet.None
	}
	e.tick()
	if e.hot.CompareAndSwap(false, true) {
		e.callSelf() // to sleep where it costs less
	}
	return gnet.None
}

// OnClose is gnet's call when a connection has ended, for whatever reason.
func (e *engine) OnClose(c gnet.Conn, err error) gnet.Action {
	l, ok := c.Context().(*Link)
	if !ok {
		if c.Context() == &e.self {
			e.selfClosed(err)
		}
		return gnet.None
	}
	e.lp.enter()
	e.stamp()
	s := l.transport.(*socket)
	e.poll.remove(s.fd)
	e.lp.closed(l, e.cause(err))
	s.conn, s.fd = nil, -1
	if l.dialler == nil {
		e.live.Add(-1)
	}
	e.lp.leave()
	return gnet.None
}

// cause returns what a link's end is called.
func (e *engine) cause(err error) error {
	switch {
	case err == nil: // gnet itself closes a link only when it ends
		return ErrLoopStopped
	case errors.Is(err, io.EOF):
		return io.EOF
	}
	return err
}

// selfClosed notices that gnet's event loop is ending.
func (e *engine) selfClosed(err error) {
	close(e.dead)
	if !e.draining.Load() {
		e.fail(errors.Join(fmt.Errorf("loop %q: %w", e.lp.cfg.Name, ErrEngineEnded), err))
	}
}

// libraryLog takes what gnet has to say: errors are counted and reported, the rest
// is dropped.
type libraryLog struct{ e *engine }

func (g *libraryLog) Debugf(string, ...any) {}
func (g *libraryLog) Infof(string, ...any)  {}

// Warnf drops gnet's warnings: it has one, for an event of a connection that a
// hot turn closed a moment ago, and that is as it should be.
func (g *libraryLog) Warnf(string, ...any) {}

func (g *libraryLog) Errorf(format string, args ...any) { g.note(format, args) }
func (g *libraryLog) Fatalf(format string, args ...any) { g.note(format, args) }

func (g *libraryLog) note(format string, args []any) {
	g.e.library.Add(1)
	g.e.lp.cfg.report("event loop: "+format, args...)
}
