package riskcheck

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/iotest"

	"tollgate/internal/testseed"
)

// TestTruncatedSnapshotsAreRefused cuts a snapshot off at every byte. Where it ends is
// in the error.
func TestTruncatedSnapshotsAreRefused(t *testing.T) {
	e := absurdEngine(t, 3, 5)
	snapshot := written(t, e)
	step := 1
	if testing.Short() {
		step = 37
	}
	inParallel(len(snapshot)/step, func(i int) {
		cut := i * step
		if _, err := restoreSmall(e.config, bytes.NewReader(snapshot[:cut])); err == nil || !strings.Contains(err.Error(), "ends at byte") {
			t.Errorf("%d of %d bytes: %v", cut, len(snapshot), err)
		}
	})
	if _, err := restoreSmall(e.config, bytes.NewReader(append(snapshot, 0))); err == nil {
		t.Error("one more byte is not noticed")
	}
}

// TestDamagedSnapshotsHarmNobody changes bytes at random. Most changes are refused. An
// engine that is made all the same is whole, and holds what the bytes say: it writes
// them again. What its StateHash does not see is in answers and recent orders only.
func TestDamagedSnapshotsHarmNobody(t *testing.T) {
	flips := 5000
	if testing.Short() {
		flips = 200
	}
	seed := testseed.New(t)
	e := absurdEngine(t, 3, 150)
	snapshot := written(t, e)
	rest := written(t, forgetful(absurdEngine(t, 3, 150)))
	var refused, unseen atomic.Int64
	state := e.StateHash()
	inParallel(flips, func(i int) {
		r := rand.New(rand.NewPCG(seed, uint64(i)))
		damaged := damage(r, snapshot)
		made, err := restoreSmall(e.config, bytes.NewReader(damaged))
		if err != nil {
			refused.Add(1)
			return
		}
		seen := made.StateHash() != state
		if again := written(t, made); !bytes.Equal(again, damaged) {
			t.Errorf("flip %d: the engine does not hold what was read", i)
		}
		if seen {
			return
		}
		unseen.Add(1)
		if !bytes.Equal(written(t, forgetful(made)), rest) {
			t.Errorf("flip %d: the hash of the state does not see it", i)
		}
	})
	t.Logf("%d of %d damaged snapshots of %d bytes were refused, %d more have another state", refused.Load(), flips,
		len(snapshot), int64(flips)-refused.Load()-unseen.Load())
	if n := refused.Load(); n < int64(flips)/20 {
		t.Errorf("%d of %d were refused: too few to prove anything", n, flips)
	}
}

// forgetful returns an engine after it has forgotten all answers and recent orders.
func forgetful(e *Engine) *Engine {
	for i := range e.sessionRows {
		e.sessionRows[i].stream = newStream(e.config.AnswersRetained)
	}
	horizonNs := e.recent.horizonNs
	e.recent = newRecentOrders(e.config.RecentOrdersMax, 0)
	e.recent.horizonNs = horizonNs
	return e
}

// damage returns a copy with one byte changed, or a few in a row.
func damage(r *rand.Rand, snapshot []byte) []byte {
	out := bytes.Clone(snapshot)
	at := r.IntN(len(out))
	for i := range 1 + r.IntN(3)/2*r.IntN(8) {
		if at+i < len(out) {
			out[at+i] ^= byte(1 + r.IntN(255))
		}
	}
	return out
}

// restoreSmall is Restore with small tables also where they are no configuration: most
// of the time of thousands of restores would be theirs.
func restoreSmall(config Config, r io.Reader) (*Engine, error) {
	return restore(config, r, func(c Config) (*Engine, error) { return newEngine(c, 64, 256) })
}

// inParallel calls f with every number below n, in as many goroutines as run at once.
func inParallel(n int, f func(i int)) {
	var next atomic.Int64
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				f(i)
			}
		})
	}
	workers.Wait()
}

// TestDamagedSnapshotsTakeNoMemory makes every number in a snapshot a large one: no
// count is believed before as many things have come.
func TestDamagedSnapshotsTakeNoMemory(t *testing.T) {
	e := absurdEngine(t, 3, 5)
	snapshot := written(t, e)
	_, _ = restoreSmall(e.config, bytes.NewReader(snapshot))
	whole := allocated(func() { _, _ = restoreSmall(e.config, bytes.NewReader(snapshot)) })
	step := 5
	if testing.Short() {
		step = 101
	}
	for at := 0; at+4 < len(snapshot); at += step {
		damaged := bytes.Clone(snapshot)
		copy(damaged[at:], []byte{0xff, 0xff, 0xff, byte(at % 3 * 3)})
		if n := allocated(func() { _, _ = restoreSmall(e.config, bytes.NewReader(damaged)) }); n > whole+1<<20 {
			t.Errorf("large number at byte %d: %d bytes allocated, %d without it", at, n, whole)
		}
	}
}

// allocated returns how many bytes f allocates. ReadMemStats counts to the byte; the
// runtime's metrics lag behind by what processors have taken and not told of yet.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestSnapshotErrorsAreTold has a reader and a writer fail on the way, and a reader
// that gives its bytes one by one.
func TestSnapshotErrorsAreTold(t *testing.T) {
	e := absurdEngine(t, 3, 1000)
	snapshot := written(t, e)
	broken := errors.New("the disk is on fire")
	for _, at := range []int{0, 5, len(snapshot) / 2, len(snapshot)} {
		r := io.MultiReader(bytes.NewReader(snapshot[:at]), iotest.ErrReader(broken))
		if _, err := restoreSmall(e.config, r); !errors.Is(err, broken) {
			t.Errorf("reading fails at byte %d: %v", at, err)
		}
	}
	if err := e.WriteSnapshot(failingWriter{broken}); !errors.Is(err, broken) {
		t.Errorf("writing fails: %v", err)
	}
	made, err := restoreSmall(e.config, iotest.OneByteReader(bytes.NewReader(snapshot)))
	if err != nil || made.StateHash() != e.StateHash() {
		t.Errorf("byte by byte: %v", err)
	}
}

// failingWriter takes nothing.
type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }

// TestEmptyEngineIsRestored writes an engine that knows nothing yet.
func TestEmptyEngineIsRestored(t *testing.T) {
	config := absurdEngine(t, 3, 0).config
	e, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	made := restored(t, e, 7)
	a := absurd{r: rand.New(rand.NewPCG(1, 1))}
	if err := made.ApplyReference(1, a.reference()); err != nil {
		t.Error(err)
	}
}
