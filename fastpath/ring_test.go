package fastpath

import (
	"math/rand/v2"
	"sync"
	"testing"

	"tollgate/internal/testseed"
)

func TestRingIsABoundedFirstInFirstOut(t *testing.T) {
	random := rand.New(rand.NewPCG(testseed.New(t), 2))
	for _, capacity := range []int{1, 2, 3, 64} {
		ring, model, next := NewRing[int](capacity), []int{}, 0
		for range 10_000 {
			if random.IntN(2) == 0 {
				next++
				if ok := ring.Push(next); ok != (len(model) < ring.Cap()) {
					t.Fatalf("Push into %d of %d: %v", len(model), ring.Cap(), ok)
				} else if ok {
					model = append(model, next)
				}
			} else {
				var v int
				if ok := ring.Pop(&v); ok != (len(model) > 0) || ok && v != model[0] {
					t.Fatalf("Pop of %d values gives %d, %v", len(model), v, ok)
				} else if ok {
					model = model[1:]
				}
			}
			if ring.Len() != len(model) {
				t.Fatalf("Len is %d, want %d", ring.Len(), len(model))
			}
		}
		if ring.Cap() < capacity || ring.Cap() >= 2*capacity && capacity > 1 {
			t.Errorf("Cap is %d for %d", ring.Cap(), capacity)
		}
	}
}

func TestRingBetweenGoroutines(t *testing.T) {
	const n = 100_000
	ring := NewRing[[3]int](64)
	go func() {
		for i := range n {
			for !ring.Push([3]int{i, -i, 2 * i}) {
				yield()
			}
		}
	}()
	var v [3]int
	for i := range n {
		for !ring.Pop(&v) {
			yield()
		}
		if v != [3]int{i, -i, 2 * i} {
			t.Fatalf("value %d is %v", i, v)
		}
	}
}

func TestRingKeepsNothingAlive(t *testing.T) {
	ring := NewRing[*int](2)
	v := new(int)
	ring.Push(v)
	ring.Pop(&v)
	for i, slot := range ring.slots {
		if slot != nil {
			t.Errorf("slot %d still points to a value", i)
		}
	}
}

func TestQueueFromManyProducers(t *testing.T) {
	const producers, each = 4, 10_000
	queue := NewQueue[[2]int](128)
	var all sync.WaitGroup
	for p := range producers {
		all.Go(func() {
			for i := range each {
				for !queue.Push([2]int{p, i}) {
					yield()
				}
			}
		})
	}
	var next [producers]int
	var v [2]int
	for got := 0; got < producers*each; {
		if !queue.Pop(&v) {
			yield()
			continue
		}
		if next[v[0]] != v[1] {
			t.Fatalf("producer %d: value %d, want %d", v[0], v[1], next[v[0]])
		}
		next[v[0]]++
		got++
	}
	all.Wait()
	if queue.Len() != 0 || queue.Cap() != 128 {
		t.Errorf("Len %d, Cap %d, want 0 and 128", queue.Len(), queue.Cap())
	}
}

func TestCapacitiesAreChecked(t *testing.T) {
	for _, capacity := range []int{-1, 0, QueueMax + 1} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("a capacity of %d was taken", capacity)
				}
			}()
			NewQueue[int](capacity)
		}()
	}
}

func BenchmarkRing(b *testing.B) {
	ring := NewRing[[6]uint64](1024)
	var v [6]uint64
	for b.Loop() {
		ring.Push(v)
		ring.Pop(&v)
	}
}
