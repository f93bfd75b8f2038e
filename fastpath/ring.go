package fastpath

import (
	"fmt"
	"math/bits"
	"sync"
	"sync/atomic"
)

// cacheLine is the distance that keeps two indices from sharing what the cores
// exchange: two lines of 64 bytes, since processors fetch them in pairs.
const cacheLine = 128

// Ring is a bounded queue from one producer goroutine to one consumer goroutine.
// It never allocates after NewRing and never waits.
type Ring[T any] struct {
	slots []T
	mask  uint64
	_     [cacheLine]byte
	head  atomic.Uint64 // next to pop; written by the consumer
	tail  uint64        // the consumer's copy of pushed
	_     [cacheLine - 16]byte
	push  atomic.Uint64 // next to push; written by the producer
	free  uint64        // the producer's copy of head
	_     [cacheLine - 16]byte
}

// NewRing returns a ring for at least capacity values, rounded up to a power of
// two. It panics if capacity is below 1 or above QueueMax: capacities are
// constants of the program.
func NewRing[T any](capacity int) *Ring[T] {
	size := slotsFor(capacity)
	return &Ring[T]{slots: make([]T, size), mask: uint64(size - 1)}
}

// slotsFor returns the power of two that holds capacity values.
func slotsFor(capacity int) int {
	if capacity < 1 || capacity > QueueMax {
		panic(fmt.Sprintf("capacity is %d, want 1 to %d", capacity, QueueMax))
	}
	return 1 << bits.Len(uint(capacity-1))
}

// Push adds v and reports whether there was room. Producer only.
func (r *Ring[T]) Push(v T) bool {
	at := r.push.Load()
	if at-r.free > r.mask {
		if r.free = r.head.Load(); at-r.free > r.mask {
			return false
		}
	}
	r.slots[at&r.mask] = v
	r.push.Store(at + 1)
	return true
}

// Pop moves the oldest value to v and reports whether there was one. Consumer only.
// The slot is cleared, so that the ring keeps nothing alive.
func (r *Ring[T]) Pop(v *T) bool {
	at := r.head.Load()
	if at == r.tail {
		if r.tail = r.push.Load(); at == r.tail {
			return false
		}
	}
	slot := &r.slots[at&r.mask]
	*v = *slot
	var zero T
	*slot = zero
	r.head.Store(at + 1)
	return true
}

// Len returns how many values wait; exact for producer and consumer, a moment
// old for anybody else.
func (r *Ring[T]) Len() int { return int(r.push.Load() - r.head.Load()) }

// Cap returns how many values the ring holds.
func (r *Ring[T]) Cap() int { return len(r.slots) }

// Queue is a bounded queue from any number of producer goroutines to one consumer
// goroutine, usually a loop: commands. Producers exclude each other by a lock; the
// consumer takes none and never waits.
type Queue[T any] struct {
	producers sync.Mutex
	ring      *Ring[T]
}

// NewQueue returns a queue for at least capacity values, rounded up to a power of
// two. It panics if capacity is below 1 or above QueueMax.
func NewQueue[T any](capacity int) *Queue[T] { return &Queue[T]{ring: NewRing[T](capacity)} }

// Push adds v and reports whether there was room. Any goroutine may call it.
func (q *Queue[T]) Push(v T) bool {
	q.producers.Lock()
	defer q.producers.Unlock()
	return q.ring.Push(v)
}

// Pop moves the oldest value to v and reports whether there was one. Consumer only.
func (q *Queue[T]) Pop(v *T) bool { return q.ring.Pop(v) }

// Len returns how many values wait.
func (q *Queue[T]) Len() int { return q.ring.Len() }

// Cap returns how many values the queue holds.
func (q *Queue[T]) Cap() int { return q.ring.Cap() }
