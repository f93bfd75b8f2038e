package admin

import "testing"

func TestSlowWatcherIsToldWhatItMissed(t *testing.T) {
	f := newFeed()
	c := f.watch()
	const published = feedEventsMax + 10
	for i := range published {
		f.Publish(Event{Kind: EventAlert, TimeNs: int64(i)})
	}
	out := make([]Event, published)
	n, first, missed, _ := c.take(out)
	if n != feedEventsMax || missed != 10 || first != 11 {
		t.Errorf("got %d events from %d, %d missed; want %d from 11, 10 missed", n, first, missed, feedEventsMax)
	}
	for i := range n {
		if out[i].TimeNs != int64(i+10) {
			t.Fatalf("event %d is of time %d, want %d: events must stay in order", i, out[i].TimeNs, i+10)
		}
	}
	if n, _, missed, _ := c.take(out); n != 0 || missed != 0 {
		t.Errorf("got %d more events and %d missed, want none", n, missed)
	}
}

func TestWatcherIsWoken(t *testing.T) {
	f := newFeed()
	c := f.watch()
	_, _, _, more := c.take(nil)
	select {
	case <-more:
		t.Fatal("a watcher was woken before there was an event")
	default:
	}
	f.Publish(Event{Kind: EventVenue})
	<-more
}
