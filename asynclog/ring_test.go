package asynclog

import (
	"math/rand/v2"
	"sync"
	"testing"

	"tollgate/internal/testseed"
)

// seeded returns a generator with a seed of its own.
func seeded(t *testing.T) *rand.Rand {
	t.Helper()
	return rand.New(rand.NewPCG(testseed.New(t), 0))
}

// TestRingBehavesLikeASlice compares a ring with the plainest queue there is
// over random steps.
func TestRingBehavesLikeASlice(t *testing.T) {
	random := seeded(t)
	var r ring
	r.init(16)
	var model []uint64
	for step := range uint64(20_000) {
		if random.IntN(2) == 0 {
			reserve := uint64(random.IntN(3))
			slot := r.next(reserve)
			if want := len(model) < 16-int(reserve); (slot != nil) != want {
				t.Fatalf("step %d: %d events, reserve %d: room %v, want %v", step, len(model), reserve, !want, want)
			}
			if slot != nil {
				slot.Args[0] = step
				r.publish()
				model = append(model, step)
			}
			continue
		}
		var e Event
		if got := r.take(&e); got != (len(model) > 0) {
			t.Fatalf("step %d: took %v with %d events", step, got, len(model))
		}
		if len(model) > 0 {
			if e.Args[0] != model[0] {
				t.Fatalf("step %d: took %d, want %d", step, e.Args[0], model[0])
			}
			model = model[1:]
		}
	}
}

// TestRingKeepsOrderBetweenThreads lets producer and consumer run against each
// other: every event that found room arrives once, whole and in order.
func TestRingKeepsOrderBetweenThreads(t *testing.T) {
	const events = 200_000
	l := newLog("loop", 64)
	var producer sync.WaitGroup
	done := make(chan struct{})
	producer.Go(func() {
		defer close(done)
		for i := range uint64(events) {
			l.Append(CodeKilled, int64(i), i, i, i, i, i, i)
		}
	})
	taken, last := uint64(0), int64(-1)
	consume := func() {
		var e Event
		for l.ring.take(&e) {
			taken++
			if e.TimeNs <= last || e.Code != CodeKilled {
				t.Fatalf("event %d of code %v after event %d", e.TimeNs, e.Code, last)
			}
			last = e.TimeNs
			for _, arg := range e.Args {
				if arg != uint64(e.TimeNs) {
					t.Fatalf("event %d is torn: %v", e.TimeNs, e.Args)
				}
			}
		}
	}
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
		}
		consume()
	}
	producer.Wait()
	if _, dropped := l.Dropped(); taken+dropped != events || taken == 0 {
		t.Fatalf("%d taken and %d dropped of %d", taken, dropped, events)
	}
}
