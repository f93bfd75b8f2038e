package fastpath

import (
	"context"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"tollgate/fastpath/wire"
	"tollgate/internal/testseed"
	"tollgate/order"
)

// patience is how long a test waits for something that must happen.
const patience = 20 * time.Second

// fabric is what the conformance tests run on: a network of one sort, and a way
// to let things happen.
type fabric struct {
	name   string
	memory *Memory // nil for sockets
	count  int
	tb     testing.TB
}

// onEveryFabric runs a test over unix sockets, tcp sockets and memory.
func onEveryFabric(t *testing.T, test func(t *testing.T, f *fabric)) {
	for _, name := range []string{"unix", "tcp"} {
		t.Run(name, func(t *testing.T) { test(t, &fabric{name: name, tb: t}) })
	}
	t.Run("memory in order", func(t *testing.T) {
		test(t, &fabric{name: "tcp", memory: NewMemory(0), tb: t})
	})
	t.Run("memory at random", func(t *testing.T) {
		test(t, &fabric{name: "tcp", memory: NewMemory(testseed.New(t) | 1), tb: t})
	})
}

// address returns an address nobody uses yet.
func (f *fabric) address() string {
	f.count++
	switch {
	case f.memory != nil:
		return "memory:" + string(rune('a'+f.count))
	case f.name == "unix":
		return filepath.Join(f.tb.TempDir(), "s")
	}
	return "127.0.0.1:0"
}

// start makes a loop and runs it for the length of the test.
func (f *fabric) start(cfg Config, h Handler, prepare func(lp *Loop)) *Loop {
	f.tb.Helper()
	if f.memory == nil {
		return serve(f.tb, cfg, h, prepare)
	}
	lp, err := f.memory.Loop(cfg, h)
	if err != nil {
		f.tb.Fatal(err)
	}
	prepare(lp)
	return lp
}

// listen makes a loop with one listener and returns it and its address.
func (f *fabric) listen(cfg Config, h Handler) (*Loop, string) {
	f.tb.Helper()
	lp := f.start(cfg, h, func(lp *Loop) {
		if err := lp.Listen(kindServer, f.name, f.address()); err != nil {
			f.tb.Fatal(err)
		}
	})
	return lp, lp.Addr(kindServer)
}

// dial makes a loop that keeps a link to an address up.
func (f *fabric) dial(cfg Config, h Handler, address string) *Loop {
	f.tb.Helper()
	return f.start(cfg, h, func(lp *Loop) {
		if err := lp.Dial(kindDialled, f.name, address); err != nil {
			f.tb.Fatal(err)
		}
	})
}

// until lets things happen until the condition holds. The condition is evaluated
// while no recorder's callback runs.
func (f *fabric) until(what string, r *recorder, condition func() bool) {
	f.tb.Helper()
	if f.memory == nil {
		r.wait(f.tb, what, condition)
		return
	}
	for range 1_000_000 {
		if condition() {
			return
		}
		if !f.memory.Step() {
			f.memory.Advance(1_000_000)
		}
	}
	f.tb.Fatalf("memory: it never happened: %s", what)
}

const (
	kindServer Kind = iota + 1
	kindDialled
)

// recorder is a handler that notes what it is told, checks the promises every
// handler relies on, and does what a test asks for.
type recorder struct {
	mu      sync.Mutex
	changed *sync.Cond
	inside  bool
	faults  []string // broken promises
	alive   map[*Link]bool

	opened    []*Link
	refs      []uint64
	malformed []*wire.FrameError
	causes    []error
	wakes     int
	ticks     int
	batches   int

	onOpened  func(l *Link)
	onMessage func(l *Link, f wire.Frame, m wire.Message)
	onBad     func(l *Link)
	onClosed  func(l *Link)
	onWake    func()
	onTick    func()
}

func newRecorder() *recorder {
	r := &recorder{alive: map[*Link]bool{}}
	r.changed = sync.NewCond(&r.mu)
	return r
}

// call runs one callback.
func (r *recorder) call(work func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.must(!r.inside, "a callback ran inside another")
	r.inside = true
	work()
	r.inside = false
}

// must notes a broken promise.
func (r *recorder) must(holds bool, fault string) {
	if !holds {
		r.faults = append(r.faults, fault)
	}
}

func (r *recorder) Opened(l *Link) {
	r.call(func() {
		r.must(!r.alive[l], "a link was opened twice")
		for _, other := range r.opened {
			r.must(other.ID() != l.ID(), "a link's number was used again")
		}
		r.alive[l] = true
		r.opened = append(r.opened, l)
		run(r.onOpened, l)
	})
}

func (r *recorder) Message(l *Link, f wire.Frame, m wire.Message) {
	r.call(func() {
		r.must(r.alive[l], "a message came for a link that is not open")
		r.must(l.Loop().Now() > 0, "the clock was not read")
		var request order.Request
		if m.Request(&request) == nil {
			r.refs = append(r.refs, request.Ref)
		}
		if r.onMessage != nil {
			r.onMessage(l, f, m)
		}
	})
}

func (r *recorder) Malformed(l *Link, err *wire.FrameError) {
	r.call(func() {
		r.must(r.alive[l], "malformed bytes came for a link that is not open")
		r.malformed = append(r.malformed, err)
		run(r.onBad, l)
	})
}

func (r *recorder) Closed(l *Link, cause error) {
	r.call(func() {
		r.must(r.alive[l], "a link was closed that is not open")
		r.must(cause != nil, "a link was closed without a cause")
		r.must(l.Send(orderFrame()) != nil, "a closed link took a frame")
		delete(r.alive, l)
		r.causes = append(r.causes, cause)
		run(r.onClosed, l)
	})
}

func (r *recorder) Wake() {
	r.call(func() {
		r.wakes++
		if r.onWake != nil {
			r.onWake()
		}
	})
}

func (r *recorder) Tick(nowNs int64) {
	r.call(func() {
		r.must(nowNs > 0, "a tick had no time")
		r.ticks++
		if r.onTick != nil {
			r.onTick()
		}
	})
}

func (r *recorder) BatchEnd() {
	r.call(func() {
		r.batches++
		r.changed.Broadcast()
	})
}

func run(f func(*Link), l *Link) {
	if f != nil {
		f(l)
	}
}

// wait waits until the condition holds, which is looked at after every batch.
func (r *recorder) wait(tb testing.TB, what string, condition func() bool) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	defer context.AfterFunc(ctx, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.changed.Broadcast()
	})()
	r.mu.Lock()
	defer r.mu.Unlock()
	for !condition() {
		if ctx.Err() != nil {
			tb.Fatalf("after %v it has not happened: %s", patience, what)
		}
		r.changed.Wait()
	}
}

// verify fails the test if a promise was broken.
func (r *recorder) verify(tb testing.TB) {
	tb.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, fault := range r.faults {
		tb.Errorf("broken promise: %s", fault)
	}
}

// locked runs f while no callback runs.
func (r *recorder) locked(f func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f()
}

// serve runs a loop over sockets for the length of a test and returns it when it
// is ready.
func serve(tb testing.TB, cfg Config, h Handler, prepare func(lp *Loop)) *Loop {
	tb.Helper()
	lp, err := New(cfg, h)
	if err != nil {
		tb.Fatal(err)
	}
	prepare(lp)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- lp.Run(ctx) }()
	tb.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			tb.Errorf("Run: %v, want nil", err)
		}
	})
	select {
	case <-lp.Ready():
	case err := <-done:
		done <- err
		tb.Fatal(err)
	}
	return lp
}

// requestFrame is a NewOrder of the usual size with this number.
func requestFrame(ref uint64) []byte {
	r := order.Request{
		Ref: ref, ClOrdID: order.ClOrdID(ref), Price: 100 * order.PriceOne, StopPx: order.Null,
		OrderQty: order.QtyOne, Account: 1, Trader: 2, Instrument: 3, MsgType: order.MsgNewOrder,
		Side: order.SideBuy, OrdType: order.OrdTypeLimit, TimeInForce: order.TimeInForceDay,
	}
	return wire.AppendRequest(nil, &r)
}

func orderFrame() []byte { return requestFrame(1) }

// inOrder reports whether refs are 1, 2, 3 and so on up to n.
func inOrder(refs []uint64, n int) bool {
	for i, ref := range refs {
		if ref != uint64(i+1) {
			return false
		}
	}
	return len(refs) == n
}
