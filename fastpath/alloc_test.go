package fastpath

import (
	"runtime"
	"testing"

	"tollgate/fastpath/wire"
)

func TestReceivingAndSendingAllocateNothing(t *testing.T) {
	lp, err := newLoop(Config{Name: "steady"}, &echoHandler{})
	if err != nil {
		t.Fatal(err)
	}
	l := &Link{loop: lp, transport: &discard{}, bounds: lp.cfg.outbound(0)}
	lp.opened(l)
	data := stream(10)
	got := testing.AllocsPerRun(1000, func() {
		lp.enter()
		lp.receive(l, data[:700])
		lp.leave()
		lp.enter()
		lp.receive(l, data[700:])
		lp.leave()
	})
	if got != 0 {
		t.Errorf("ten frames cost %v allocations, want none", got)
	}
}

// discard is a transport that takes everything and keeps nothing.
type discard struct{}

func (discard) push(b []byte) (int, error) { return len(b), nil }
func (discard) hold([]byte) error          { return nil }
func (discard) held() int                  { return 0 }
func (discard) close()                     {}

// TestRoundTripsAllocateNothing counts every allocation of the process: of the
// loop, of gnet and of the client.
func TestRoundTripsAllocateNothing(t *testing.T) {
	onSockets(t, func(t *testing.T, f *fabric) {
		_, address := f.listen(Config{Name: "server"}, &echoHandler{})
		d, err := Dial(f.name, address, DirectConfig{})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = d.Close() }()
		const n = 10_000
		frame, ignore := orderFrame(), func(wire.Frame, wire.Message) {}
		for range 100 {
			roundTrip(t, d, frame, ignore)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range n {
			roundTrip(t, d, frame, ignore)
		}
		runtime.ReadMemStats(&after)
		if mallocs := after.Mallocs - before.Mallocs; mallocs > n/100 {
			t.Errorf("%d round trips cost %d allocations, want almost none", n, mallocs)
		}
	})
}

func TestQueuesAllocateNothing(t *testing.T) {
	ring, queue := NewRing[[64]byte](8), NewQueue[[64]byte](8)
	var v [64]byte
	got := testing.AllocsPerRun(1000, func() {
		for ring.Push(v) && queue.Push(v) {
		}
		for ring.Pop(&v) && queue.Pop(&v) {
		}
	})
	if got != 0 {
		t.Errorf("filling and emptying costs %v allocations, want none", got)
	}
}
