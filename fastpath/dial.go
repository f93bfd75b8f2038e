package fastpath

import (
	"context"
	"fmt"
	"net"
	"time"
)

// dialler keeps one link up, on a goroutine of its own.
type dialler struct {
	engine  *engine
	ended   chan struct{} // told by the loop
	network string
	address string
	kind    Kind
}

// dial is Loop.Dial.
func (e *engine) dial(kind Kind, network, address string) error {
	if err := checkNetwork(network); err != nil {
		return fmt.Errorf("loop %q: %w", e.lp.cfg.Name, err)
	}
	d := &dialler{engine: e, ended: make(chan struct{}, 1), network: network, address: address, kind: kind}
	e.state.Lock()
	defer e.state.Unlock()
	if e.state.running {
		e.works.Go(d.keepUp)
		return nil
	}
	if e.stopping() {
		return fmt.Errorf("loop %q: dial %s %q: %w", e.lp.cfg.Name, network, address, ErrLoopStopped)
	}
	e.state.diallers = append(e.state.diallers, d)
	return nil
}

// keepUp connects, waits for the end of the link and connects again, until the
// loop stops. The pause between attempts doubles until a link has lasted longer
// than the longest pause.
func (d *dialler) keepUp() {
	cfg := &d.engine.lp.cfg
	pause := time.Duration(cfg.DialBackoffMinNs)
	longest := time.Duration(cfg.DialBackoffMaxNs)
	for !d.engine.stopping() {
		began := time.Now()
		if err := d.live(); err != nil && !d.engine.stopping() {
			d.engine.failures.Add(1)
			cfg.report("cannot reach %s %s: %v", d.network, d.address, err)
		}
		if time.Since(began) > longest {
			pause = time.Duration(cfg.DialBackoffMinNs)
		}
		d.engine.sleep(pause)
		pause = min(2*pause, longest)
	}
}

// live makes one connection and returns when it has ended or the loop stops.
func (d *dialler) live() error {
	ctx, cancel := context.WithTimeout(d.engine.ctx, time.Duration(d.engine.lp.cfg.DialTimeoutNs))
	defer cancel()
	var nd net.Dialer
	conn, err := nd.DialContext(ctx, d.network, d.address)
	if err != nil {
		return err
	}
	l := d.engine.lp.newLink(d.kind, d.address)
	l.dialler = d
	if err := d.engine.enroll(conn, l); err != nil {
		return err
	}
	select {
	case <-d.ended:
	case <-d.engine.ctx.Done():
	}
	return nil
}

// linkEnded is the loop's word that the link is gone.
func (d *dialler) linkEnded() { d.ended <- struct{}{} }

// newLink returns a link that OnOpen will complete. It touches no state of the loop.
func (lp *Loop) newLink(kind Kind, remote string) *Link {
	return &Link{
		loop:      lp,
		transport: &socket{fd: -1},
		kind:      kind,
		remote:    remote,
		bounds:    lp.cfg.outbound(kind),
	}
}

// enroll gives a connection to gnet and returns when the loop has opened the
// link. The descriptor that Go's own poller knows is closed: were it left there,
// each message would wake a thread of the Go runtime too.
func (e *engine) enroll(conn net.Conn, l *Link) error {
	e.entering.Add(1)
	defer e.entering.Add(-1)
	e.kick()
	done := make(chan error, 1)
	go func() {
		_, err := e.client.EnrollContext(conn, l)
		if err == nil && l.id == 0 {
			err = fmt.Errorf("the event loop did not take it")
		}
		done <- err
	}()
	select {
	case err := <-done:
		return err
	case <-e.dead:
		return ErrEngineEnded
	}
}

// stopping reports whether the loop is ending.
func (e *engine) stopping() bool { return e.ctx.Err() != nil }

// sleep waits, shorter if the loop stops.
func (e *engine) sleep(d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-e.ctx.Done():
	}
}
