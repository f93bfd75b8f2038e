package exchange

import (
	"math/rand/v2"
	"slices"
	"testing"

	"tollgate/internal/testseed"
	"tollgate/order"
)

// TestSeqWindowAgreesWithSet compares the window with a plain set of numbers
// under steps of every size.
func TestSeqWindowAgreesWithSet(t *testing.T) {
	s := testseed.New(t)
	for run := range uint64(50) {
		random := rand.New(rand.NewPCG(s, run))
		compareWindow(t, random, 64<<random.IntN(4))
	}
}

func compareWindow(t *testing.T, random *rand.Rand, size int) {
	w := newSeqWindow(size)
	set := map[uint64]bool{}
	newest := uint64(0)
	for range 2000 {
		seq := newest + uint64(random.IntN(size*2))
		if random.IntN(100) < 95 {
			seq = newest - min(newest, uint64(size)) + uint64(random.IntN(size+8))
		}
		older := seq+uint64(size) <= newest
		if want := seq == 0 || older || set[seq]; w.used(seq) != want || w.older(seq) != older {
			t.Fatalf("size %d, newest %d: %d is used %t, older %t; want %t and %t",
				size, newest, seq, w.used(seq), w.older(seq), want, older)
		}
		if oldest := newest - min(newest, uint64(size)) + 1; w.oldest() != oldest {
			t.Fatalf("size %d, newest %d: the oldest usable number is %d, want %d", size, newest, w.oldest(), oldest)
		}
		if random.IntN(2) == 0 {
			w.use(seq)
			set[seq] = true
			newest = max(newest, seq)
		}
	}
}

// TestTrackedOrdersAgreeWithMaps compares the tables with plain maps.
func TestTrackedOrdersAgreeWithMaps(t *testing.T) {
	random := rand.New(rand.NewPCG(testseed.New(t), 3))
	const limit = 40
	tracked := newTrackedOrders(limit)
	names := map[order.OrderID][]order.ClOrdID{}
	next := order.OrderID(0)
	for range 50_000 {
		switch id := order.OrderID(random.Uint64N(uint64(next) + 1)); random.IntN(6) {
		case 0:
			if tracked.full() {
				continue
			}
			next++
			tracked.add(next, sessionOf(next), order.ClOrdID(next))
			names[next] = []order.ClOrdID{order.ClOrdID(next)}
		case 1:
			if at := tracked.find(id); at >= 0 {
				tracked.remove(at)
				delete(names, id)
			}
		case 2:
			if at := tracked.find(id); at >= 0 && len(names[id]) > 0 {
				n := random.IntN(len(names[id]))
				tracked.removeName(at, names[id][n])
				names[id] = slices.Delete(names[id], n, n+1)
			}
		default:
			if at := tracked.find(id); at >= 0 {
				name := order.ClOrdID(1<<40 + random.Uint64N(1<<40))
				tracked.addName(at, name)
				names[id] = append(names[id], name)
				names[id] = names[id][max(0, len(names[id])-namesPerOrder):]
			}
		}
		if tracked.live != len(names) {
			t.Fatalf("%d orders live, want %d", tracked.live, len(names))
		}
		compareNames(t, &tracked, names)
	}
}

func sessionOf(id order.OrderID) order.SessionID { return order.SessionID(id%3 + 1) }

func compareNames(t *testing.T, tracked *trackedOrders, names map[order.OrderID][]order.ClOrdID) {
	t.Helper()
	count := 0
	for item := range tracked.byName.keys {
		if !tracked.byName.isFree(int32(item)) {
			count++
		}
	}
	for id, known := range names {
		at := tracked.find(id)
		count -= len(known)
		for _, name := range known {
			if got := tracked.findNamed(sessionOf(id), name); got != at || at < 0 {
				t.Fatalf("order %d is at %d, its name %d leads to %d", id, at, name, got)
			}
			if tracked.findNamed(sessionOf(id)+1, name) >= 0 {
				t.Fatalf("name %d is known in another session", name)
			}
		}
	}
	if count != 0 {
		t.Fatalf("%d names too many are known", count)
	}
}

func TestNameStaysWithItsOrder(t *testing.T) {
	tracked := newTrackedOrders(2)
	tracked.add(1, 1, 9)
	tracked.add(2, 1, 9)
	second := tracked.find(2)
	if got := tracked.findNamed(1, 9); got != tracked.find(1) {
		t.Errorf("the name leads to %d", got)
	}
	tracked.removeName(second, 9)
	tracked.remove(second)
	if got := tracked.findNamed(1, 9); got < 0 || got != tracked.find(1) {
		t.Errorf("after the other order has gone, the name leads to %d", got)
	}
}
