package asynclog

import (
	"fmt"
	"sync"
	"time"

	"go.uber.org/zap"
)

// Drainer takes events out of the logs of a process and writes them. It runs
// on its own goroutine from New to Close. Its methods may be called from any
// goroutine, but not from a loop: they take locks.
type Drainer struct {
	cfg      Config
	out      *output
	logger   *zap.Logger
	renderer renderer

	mu   sync.Mutex // guards logs and closed
	logs []*drained

	stop   chan struct{}
	done   chan struct{}
	closed bool
	err    error // the first of the output; written before done is closed
}

// drained is a Log together with the losses already reported for it.
type drained struct {
	log             *Log
	dropped         uint64
	droppedAudit    uint64
	lastEventTimeNs int64
}

// New starts a Drainer. It returns what Validate finds wrong with cfg.
func New(cfg Config) (*Drainer, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	cfg = cfg.withDefaults()
	out := newOutput(cfg.Output)
	logger := zap.New(newCore(&cfg, out)).Named(cfg.Process)
	d := &Drainer{
		cfg:      cfg,
		out:      out,
		logger:   logger,
		renderer: renderer{logger: logger, name: cfg.Name},
		stop:     make(chan struct{}),
		done:     make(chan struct{}),
	}
	go d.run()
	return d, nil
}

// Log makes the log of one loop. The name of the loop stands in each of its
// entries. It fails when the Drainer is closed or LogsMax logs exist.
func (d *Drainer) Log(loop string) (*Log, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil, fmt.Errorf("log of loop %q: the drainer is closed", loop)
	}
	if len(d.logs) == LogsMax {
		return nil, fmt.Errorf("log of loop %q: %d logs exist, which is the bound", loop, LogsMax)
	}
	l := newLog(loop, d.cfg.RingEvents)
	d.logs = append(d.logs, &drained{log: l})
	return l, nil
}

// Logger returns the zap logger that writes to the same output. It is for the
// control plane, which may wait; a loop must use a Log.
func (d *Drainer) Logger() *zap.Logger { return d.logger }

// Close writes everything appended before the call, then ends the Drainer. It
// returns the first error the output ever gave. Further calls change nothing;
// events appended afterwards are not written.
func (d *Drainer) Close() error {
	d.mu.Lock()
	first := !d.closed
	d.closed = true
	d.mu.Unlock()
	if first {
		close(d.stop)
	}
	<-d.done
	return d.err
}

// run takes a turn at every interval and one last turn at the end.
func (d *Drainer) run() {
	defer close(d.done)
	ticker := time.NewTicker(time.Duration(d.cfg.DrainIntervalMs) * time.Millisecond)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			d.turn()
		case <-d.stop:
			d.turn()
			return
		}
	}
}

// turn drains every log once and flushes the output. An output that fails is
// tried again at the next turn; Close says that it failed.
func (d *Drainer) turn() {
	d.mu.Lock()
	logs := d.logs
	d.mu.Unlock()
	for _, l := range logs {
		d.drain(l)
	}
	if err := d.out.Sync(); d.err == nil {
		d.err = err
	}
}

// drain renders what is in one ring, at most a ring full, so that a loop that
// never stops cannot keep the others waiting.
func (d *Drainer) drain(l *drained) {
	var e Event
	for range len(l.log.ring.events) {
		if !l.log.ring.take(&e) {
			break
		}
		l.lastEventTimeNs = e.TimeNs
		d.renderer.render(l.log.loop, &e)
	}
	d.reportDropped(l)
}

// reportDropped renders the losses since the last report as an event, stamped
// with the time of the last event that was kept.
func (d *Drainer) reportDropped(l *drained) {
	dropped, droppedAudit := l.log.Dropped()
	if dropped == l.dropped && droppedAudit == l.droppedAudit {
		return
	}
	e := Event{TimeNs: l.lastEventTimeNs, Code: CodeEventsDropped}
	e.Args[0], e.Args[1] = dropped-l.dropped, droppedAudit-l.droppedAudit
	d.renderer.render(l.log.loop, &e)
	l.dropped, l.droppedAudit = dropped, droppedAudit
}
