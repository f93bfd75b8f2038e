package admin

import (
	"context"
	"sync"
)

// Feed hands events to any number of watchers. Publishing never waits: a
// watcher that falls behind by more than feedEventsMax loses the oldest events
// and is told how many.
//
// Any goroutine but an engine loop may use it: it takes a lock.
type Feed struct {
	mu     sync.Mutex
	events [feedEventsMax]Event
	next   uint64        // sequence number of the next event; the first is 1
	wake   chan struct{} // closed and replaced by every event
}

func newFeed() *Feed { return &Feed{next: 1, wake: make(chan struct{})} }

// Publish appends an event.
func (f *Feed) Publish(e Event) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.events[f.next%feedEventsMax] = e
	f.next++
	close(f.wake)
	f.wake = make(chan struct{})
}

// cursor is a watcher's place in the feed.
type cursor struct {
	feed *Feed
	next uint64
}

// watch returns a cursor that sees the events from now on.
func (f *Feed) watch() *cursor {
	f.mu.Lock()
	defer f.mu.Unlock()
	return &cursor{feed: f, next: f.next}
}

// take copies waiting events to out and returns how many there are, the
// sequence number of the first, how many were lost before it, and a channel
// that is closed when there are more.
func (c *cursor) take(out []Event) (n int, first, missed uint64, more <-chan struct{}) {
	f := c.feed
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.next > c.next+feedEventsMax {
		missed = f.next - feedEventsMax - c.next
		c.next += missed
	}
	first = c.next
	for n < len(out) && c.next < f.next {
		out[n] = f.events[c.next%feedEventsMax]
		c.next++
		n++
	}
	return n, first, missed, f.wake
}

// wait returns when there may be more events, when due fires, or with the error
// of ctx.
func wait[T any](ctx context.Context, more <-chan struct{}, due <-chan T) error {
	select {
	case <-more:
		return nil
	case <-due:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
