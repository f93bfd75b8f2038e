package gateway

import (
	"math/rand/v2"
	"testing"

	"tollgate/internal/testseed"
	"tollgate/order"
)

// TestSessionTableIsAMap compares the table with a map under random use.
func TestSessionTableIsAMap(t *testing.T) {
	rng := rand.New(rand.NewPCG(testseed.New(t), 1))
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
