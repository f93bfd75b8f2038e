package fastpath

import (
	"io"
	"os"
	"time"

	"github.com/panjf2000/gnet/v2"
	"golang.org/x/sys/unix"

	"tollgate/fastpath/wire"
)

// turn is a hot turn: it polls until there has been no traffic for the spin
// budget, then sleeps and polls again. It returns when gnet has to run. Idle polls
// yield the core.
func (e *engine) turn() {
	e.lp.counters.Turns++
	now := e.elapsed()
	end := now + e.turnLength()
	for quiet := ClockPolls - 1; now < end; {
		e.chores()
		if e.pollOnce() {
			if now = e.lastPoll; now == e.lastTraffic {
				quiet = 0
			}
			continue
		}
		e.lp.counters.EmptyPolls++
		if quiet++; quiet >= ClockPolls {
			now, quiet = e.elapsed(), 0
		}
		if quiet > 0 || !e.idle(now) {
			yield()
			continue
		}
		if !e.park() {
			return
		}
		now, quiet = e.elapsed(), ClockPolls-1
		end = now + e.turnLength()
	}
	e.callSelf()
}

// turnLength returns how long this turn may last, in ns.
func (e *engine) turnLength() int64 {
	if e.lp.countBacklogs() > 0 {
		return BacklogTurnNs
	}
	return TurnNs
}

// idle reports whether the loop has polled long enough without traffic.
func (e *engine) idle(now int64) bool {
	return e.lp.cfg.Idle.Mode == ModeAdaptive && now-e.lastTraffic > e.lp.cfg.Idle.SpinNs
}

// park sleeps until there is something to do, and reports true after that; it
// reports false, at once, if gnet has to do the sleeping.
func (e *engine) park() bool {
	e.hot.Store(false)
	// From here on, whoever makes something due writes to the eventfd. What was made
	// due before was left to the loop.
	switch {
	case e.wakeDue.Load() || e.drainDue.Load():
	case e.needsLibrary():
		e.lp.counters.Parks++
		return false
	default:
		e.lp.counters.Parks++
		if err := e.poll.sleep(); err != nil {
			e.failSleep(err)
			return false
		}
		e.acknowledge()
	}
	e.hot.Store(true)
	return true
}

// needsLibrary reports whether only gnet notices what is to be done next: it
// takes in new connections, writes to peers that were too slow, and ends.
func (e *engine) needsLibrary() bool {
	return e.entering.Load() > 0 || e.draining.Load() || e.lp.countBacklogs() > 0
}

// acknowledge takes notice of what has woken the loop, apart from links.
func (e *engine) acknowledge() {
	_ = takeRaw(e.selfFD)
	if takeRaw(e.timerFD) {
		e.tick()
	}
}

// chores does what other goroutines have made due.
func (e *engine) chores() {
	if e.wakeDue.Load() && e.wakeDue.CompareAndSwap(true, false) {
		e.lp.enter()
		e.stamp()
		e.lp.awake()
		e.lp.leave()
	}
	if e.drainDue.Load() && e.drainDue.CompareAndSwap(true, false) && e.sentAll() {
		e.drainedOnce()
	}
}

// tick is the loop's tick: gnet saw that the timer has expired.
func (e *engine) tick() {
	e.collect()
	e.lp.enter()
	e.stamp()
	e.lp.tick()
	e.lp.leave()
}

// collect takes over what other goroutines have counted.
func (e *engine) collect() {
	c := &e.lp.counters
	c.Refused = e.refused.Load()
	c.DialFailures = e.failures.Load()
	c.AcceptPauses = e.pauses.Load()
	c.EngineReports = e.library.Load()
}

// sentAll reports whether no link holds bytes any more.
func (e *engine) sentAll() bool { return e.lp.countBacklogs() == 0 }

// drainedOnce tells drain, once.
func (e *engine) drainedOnce() {
	select {
	case <-e.drained:
	default:
		close(e.drained)
	}
}

// stamp reads the clock for the batch that begins.
func (e *engine) stamp() {
	now := time.Now()
	e.lp.nowNs = now.UnixNano()
	e.lastPoll = int64(now.Sub(e.base))
}

// elapsed returns the monotonic time in ns since base.
func (e *engine) elapsed() int64 { return int64(time.Since(e.base)) }

// sawTraffic notes when there was traffic last, and reports whether the batch
// that has just ended was any.
func (e *engine) sawTraffic() bool {
	if !e.lp.traffic {
		return false
	}
	e.lp.traffic = false
	e.lastTraffic = e.lastPoll
	return true
}

// pollOnce reads one readable link, or all that the kernel names, and reports
// whether there was any.
func (e *engine) pollOnce() bool {
	if len(e.lp.links) > DirectPollMax {
		return e.pollNamed()
	}
	links := e.lp.links
	for range links {
		if e.next++; e.next >= len(links) {
			e.next = 0
		}
		if e.readLink(links[e.next], false) {
			e.endBatch()
			return true
		}
	}
	return false
}

// pollNamed reads the links that the kernel says are readable, in one batch: while
// many are, one write to a link that all of them lead to saves more than it delays.
func (e *engine) pollNamed() bool {
	n, _ := readable(e.poll.fd, e.poll.events)
	begun := false
	for i := range e.poll.events[:n] {
		if l := e.poll.link(e.poll.events[i].Fd); l != nil && e.readLink(l, begun) {
			begun = true
		}
	}
	if begun {
		e.endBatch()
	}
	return begun
}

// readLink reads a link once and gives the handler what came. It reports whether
// there was anything; the batch, if not begun yet, has then begun.
func (e *engine) readLink(l *Link, begun bool) bool {
	s := l.transport.(*socket)
	n, errno := receiveRaw(s.fd, e.lp.read[wire.FrameMax:])
	if n == 0 && transient(errno) {
		return false
	}
	if !begun {
		e.lp.enter()
	}
	e.stamp() // what another link brought earlier in this batch is older
	if n > 0 {
		e.lp.deliver(l, e.lp.joined(l, n))
	} else {
		l.Close(endOf(errno))
	}
	return true
}

// endBatch ends the batch of one poll: the answers are sent.
func (e *engine) endBatch() {
	e.lp.leave()
	e.sawTraffic()
}

// endOf returns the cause for a read that gave nothing.
func endOf(errno unix.Errno) error {
	if errno == 0 {
		return io.EOF
	}
	return os.NewSyscallError("recvfrom", errno)
}

// socket is the transport of a link over gnet. Bytes go to the kernel directly as
// long as gnet holds none.
type socket struct {
	conn gnet.Conn // nil before OnOpen and after OnClose
	fd   int
}

func (s *socket) push(b []byte) (int, error) {
	if s.conn == nil {
		return 0, ErrLinkClosed
	}
	n, errno := sendRaw(s.fd, b)
	if errno != 0 && !transient(errno) {
		return 0, os.NewSyscallError("sendto", errno)
	}
	return n, nil
}

func (s *socket) hold(b []byte) error {
	if s.conn == nil {
		return ErrLinkClosed
	}
	_, err := s.conn.Write(b)
	return err
}

func (s *socket) held() int {
	if s.conn == nil {
		return 0
	}
	return s.conn.OutboundBuffered()
}

func (s *socket) close() {
	if s.conn != nil {
		_ = s.conn.EventLoop().Close(s.conn)
	}
}
