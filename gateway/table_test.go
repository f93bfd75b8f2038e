package gateway

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"tollgate/order"
)

// seedOf returns the seed of a random test and prints it, so that a failure can
// be run again with TOLLGATE_SEED.
func seedOf(t *testing.T) uint64 {
	t.Helper()
	seed := uint64(time.Now().UnixNano())
	if s := os.Getenv("TOLLGATE_SEED"); s != "" {
		n, err := strconv.ParseUint(s, 10, 64)
		if err != nil {
			t.Fatalf("TOLLGATE_SEED is %q, want a number", s)
		}
		seed = n
	}
	t.Logf("TOLLGATE_SEED=%d", seed)
	return seed
}

// TestSessionTableIsAMap compares the table with a map under random use.
func TestSessionTableIsAMap(t *testing.T) {
	rng := rand.New(rand.NewPCG(seedOf(t), 1))
	for range 50 {
		sessionsMax := 1 + rng.IntN(40)
		table := newSessionTable(sessionsMax)
		model := map[order.SessionID]*connection{}
		connections := make([]connection, sessionsMax)
		spread := uint32(1 + rng.IntN(1<<uint(rng.IntN(32))))
		for range 2000 {
			s := order.SessionID(1 + rng.Uint32N(spread))
			c := &connections[rng.IntN(sessionsMax)]
			_, known := model[s]
			switch {
			case rng.IntN(2) == 0 && (known || len(model) < sessionsMax):
				table.put(s, c)
				model[s] = c
			case rng.IntN(2) == 0:
				if removed := table.remove(s, c); removed != (known && model[s] == c) {
					t.Fatalf("remove of session %d returned %v", s, removed)
				}
				if model[s] == c {
					delete(model, s)
				}
			}
			if got := table.find(s); got != model[s] {
				t.Fatalf("find of session %d returned %p, want %p", s, got, model[s])
			}
		}
		for s, c := range model {
			if table.find(s) != c {
				t.Fatalf("session %d was lost", s)
			}
		}
	}
}

func BenchmarkSessionTableFind(b *testing.B) {
	table := newSessionTable(1000)
	var c connection
	for s := order.SessionID(1); s <= 1000; s++ {
		table.put(s*1000, &c)
	}
	b.ReportAllocs()
	for i := range b.N {
		if table.find(order.SessionID(i%1000+1)*1000) == nil {
			b.Fatal("lost")
		}
	}
}
