package asynclog

import "sync/atomic"

// cacheLine keeps what the producer writes away from what the consumer writes.
const cacheLine = 64

// ring is a bounded queue of events between one producer and one consumer.
// Neither ever waits for the other.
//
// Invariant: consumed ≤ produced ≤ consumed + len(events); both only grow.
type ring struct {
	events []Event // length is a power of two
	mask   uint64

	_ [cacheLine]byte
	// produced counts events ever pushed. The producer writes it, after the
	// event itself; the consumer reads it.
	produced atomic.Uint64
	// consumedSeen is the producer's last look at consumed. It saves a read of
	// the consumer's cache line for every event.
	consumedSeen uint64

	_ [cacheLine]byte
	// consumed counts events ever taken. The consumer writes it, after it has
	// copied the event.
	consumed atomic.Uint64
	_        [cacheLine]byte
}

// init gives the ring room for n events, a power of two.
func (r *ring) init(n int) {
	r.events = make([]Event, n)
	r.mask = uint64(n - 1)
}

// next returns the slot of the next event if more than reserve slots are free,
// and nil otherwise. Producer only.
func (r *ring) next(reserve uint64) *Event {
	produced := r.produced.Load()
	room := uint64(len(r.events)) - reserve
	if produced-r.consumedSeen >= room {
		r.consumedSeen = r.consumed.Load()
		if produced-r.consumedSeen >= room {
			return nil
		}
	}
	return &r.events[produced&r.mask]
}

// publish hands the slot that next returned to the consumer. Producer only.
func (r *ring) publish() { r.produced.Store(r.produced.Load() + 1) }

// take copies the oldest event into e and frees its slot; it reports false if
// there is none. Consumer only.
func (r *ring) take(e *Event) bool {
	consumed := r.consumed.Load()
	if consumed == r.produced.Load() {
		return false
	}
	*e = r.events[consumed&r.mask]
	r.consumed.Store(consumed + 1)
	return true
}
