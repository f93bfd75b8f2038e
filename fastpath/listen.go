package fastpath

import (
	"errors"
	"fmt"
	"net"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// Pauses of a listener that cannot accept for lack of descriptors or memory.
const (
	acceptPauseMin = 5 * time.Millisecond
	acceptPauseMax = time.Second
)

// listener accepts on a goroutine of its own and hands connections to the loop.
type listener struct {
	engine *engine
	net    net.Listener
	kind   Kind
	pace   acceptPace // of the goroutine that accepts
}

// listen is Loop.Listen.
func (e *engine) listen(kind Kind, network, address string) error {
	e.state.Lock()
	defer e.state.Unlock()
	if e.state.claimed {
		return fmt.Errorf("loop %q: Listen on %s %q after Run, want it before", e.lp.cfg.Name, network, address)
	}
	ln, err := openListener(network, address)
	if err != nil {
		return fmt.Errorf("loop %q: %w", e.lp.cfg.Name, err)
	}
	e.state.listeners = append(e.state.listeners, &listener{engine: e, net: ln, kind: kind})
	return nil
}

// openListener listens on a tcp or unix address.
func openListener(network, address string) (net.Listener, error) {
	if err := checkNetwork(network); err != nil {
		return nil, err
	}
	ln, err := net.Listen(network, address)
	if network == "unix" && errors.Is(err, unix.EADDRINUSE) && removeStale(address) {
		return net.Listen(network, address)
	}
	return ln, err
}

// checkNetwork refuses networks that links do not run over.
func checkNetwork(network string) error {
	if network != "tcp" && network != "unix" {
		return fmt.Errorf("network is %q, want \"tcp\" or \"unix\"", network)
	}
	return nil
}

// removeStale removes a unix socket that nobody listens on any more.
func removeStale(path string) bool {
	info, err := os.Lstat(path)
	if err != nil || info.Mode().Type() != os.ModeSocket {
		return false
	}
	conn, err := net.DialTimeout("unix", path, time.Second)
	if err == nil {
		_ = conn.Close()
		return false
	}
	return errors.Is(err, unix.ECONNREFUSED) && os.Remove(path) == nil
}

// addr is Loop.Addr.
func (e *engine) addr(kind Kind) string {
	e.state.Lock()
	defer e.state.Unlock()
	for _, ln := range e.state.listeners {
		if ln.kind == kind {
			return ln.net.Addr().String()
		}
	}
	return ""
}

// accept takes in connections until the loop stops.
func (ln *listener) accept() {
	pause := acceptPauseMin
	for {
		conn, err := ln.net.Accept()
		switch {
		case err == nil:
			pause = acceptPauseMin
			ln.take(conn)
			ln.keepPace()
		case ln.engine.stopping():
			return
		case errors.Is(err, unix.ECONNABORTED):
		case lacksResources(err):
			ln.engine.pauses.Add(1)
			ln.engine.lp.cfg.report("%s pauses: %v", ln.net.Addr(), err)
			ln.engine.sleep(pause)
			pause = min(2*pause, acceptPauseMax)
		default:
			ln.engine.fail(fmt.Errorf("loop %q: %w", ln.engine.lp.cfg.Name, err))
			return
		}
	}
}

// acceptBurst is the burst of connections that is taken in without a pause, as the
// time they would take at their pace.
const acceptBurst = time.Second / 10

// acceptPace spaces connections out: one an interval, after a short burst.
type acceptPace struct{ dueNs int64 } // when the connections so far are paid for; 0: there were none

// wait returns how long to wait before the next connection, in ns.
func (p *acceptPace) wait(nowNs, perSecond int64) int64 {
	if earliest := nowNs - int64(acceptBurst); p.dueNs == 0 || p.dueNs < earliest {
		p.dueNs = earliest
	}
	p.dueNs += int64(time.Second) / perSecond
	return max(0, p.dueNs-nowNs)
}

// keepPace waits when connections come faster than they may.
func (ln *listener) keepPace() {
	perSecond := int64(ln.engine.lp.cfg.AcceptsPerSecondMax)
	if wait := ln.pace.wait(ln.engine.elapsed(), perSecond); wait > 0 {
		ln.engine.pauses.Add(1)
		ln.engine.sleep(time.Duration(wait))
	}
}

// lacksResources reports whether accepting may work later.
func lacksResources(err error) bool {
	for _, errno := range []unix.Errno{unix.EMFILE, unix.ENFILE, unix.ENOBUFS, unix.ENOMEM} {
		if errors.Is(err, errno) {
			return true
		}
	}
	return false
}

// take gives a connection to the loop, or closes it when the cap is reached.
func (ln *listener) take(conn net.Conn) {
	e := ln.engine
	if e.live.Add(1) > int64(e.lp.cfg.ConnectionsMax) {
		e.refuse(conn.RemoteAddr(), fmt.Errorf("there are %d connections", e.lp.cfg.ConnectionsMax))
		_ = conn.Close()
		return
	}
	l := e.lp.newLink(ln.kind, conn.RemoteAddr().String())
	e.works.Go(func() {
		if err := e.enroll(conn, l); err != nil {
			e.refuse(conn.RemoteAddr(), err)
		}
	})
}

// refuse counts a connection that did not become a link.
func (e *engine) refuse(remote net.Addr, why error) {
	e.live.Add(-1)
	e.refused.Add(1)
	e.lp.cfg.report("connection from %s refused: %v", remote, why)
}
