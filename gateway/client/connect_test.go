package client

import (
	"testing"
	"time"
)

// TestDialThatHangsIsAbandoned pins that a connection attempt which comes to no
// end is given up after the login's timeout, and that another one follows.
func TestDialThatHangsIsAbandoned(t *testing.T) {
	c := newClient(testConfig().withDefaults())
	hanging := make(chan dialled, 1)
	c.clock()
	c.dialled = hanging
	c.session.startedNs = c.session.nowNs - c.session.cfg.LoginTimeoutNs - 1
	h := &record{}
	if _, err := c.Poll(h); err != nil || c.dialled != nil {
		t.Fatalf("error %v, dial in progress %v, want it abandoned", err, c.dialled != nil)
	}
	hanging <- dialled{err: ErrClosed} // lets its goroutine end
	if pause := c.retryNs - c.session.nowNs; pause <= 0 || pause > c.session.cfg.ReconnectMinNs {
		t.Errorf("the next attempt comes after %d ns, want up to %d", pause, c.session.cfg.ReconnectMinNs)
	}
	start := time.Now()
	c.Wait(time.Minute)
	if waited := time.Since(start); waited > 10*time.Second {
		t.Errorf("waited %v for an attempt that was due much earlier", waited)
	}
	if _, err := c.Poll(h); err != nil || c.dialled == nil {
		t.Errorf("error %v, dial in progress %v, want the next attempt", err, c.dialled != nil)
	}
	_ = c.Close()
}

// TestPausesGrow pins the back-off between attempts.
func TestPausesGrow(t *testing.T) {
	c := newClient(testConfig().withDefaults())
	low, high := c.session.cfg.ReconnectMinNs, c.session.cfg.ReconnectMaxNs
	for want := low; want < 4*high; want *= 2 {
		bound := min(want, high)
		c.backOff()
		if pause := c.retryNs - c.session.nowNs; pause < bound/2 || pause > bound {
			t.Errorf("the pause is %d ns, want %d to %d", pause, bound/2, bound)
		}
	}
}

// TestInboxKeepsTheOrder pins that what came while nobody looked is handed out
// as it came.
func TestInboxKeepsTheOrder(t *testing.T) {
	w := newWired(t, testConfig())
	c := &Client{session: w.session}
	w.connected()
	var frames []byte
	frames = append(frames, w.server.hello()...)
	for _, m := range parse(t, frames) {
		w.receive(m, &c.inbox)
	}
	for _, m := range w.pumped() {
		for _, answer := range parse(t, w.server.take(m)) {
			w.receive(answer, &c.inbox)
		}
	}
	for range 3 {
		for _, m := range parse(t, w.server.answer(0, 1)) {
			w.receive(m, &c.inbox)
		}
	}
	if c.WantOutSeq() != 1 {
		t.Errorf("the next answer is %d, want 1: it is still in the box", c.WantOutSeq())
	}
	h := &record{}
	if n, err := c.Poll(h); n != 3 || err != nil || len(h.answers) != 3 || len(h.events) != 1 {
		t.Errorf("%d answers and %d events were delivered (%d, %v), want 3 and 1", len(h.answers), len(h.events), n, err)
	}
	if c.WantOutSeq() != 4 {
		t.Errorf("the next answer is %d, want 4", c.WantOutSeq())
	}
}
