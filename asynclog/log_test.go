package asynclog

import "testing"

func TestAppendWritesTheWholeSlot(t *testing.T) {
	l := newLog("loop", RingEventsMin)
	for round := range 3 * RingEventsMin {
		l.Append(CodeKilled, 7, 1, 2, 3, 4, 5, 6)
		l.Append(CodeVenueUp, int64(round), 8)
		var first, second Event
		if !l.ring.take(&first) || !l.ring.take(&second) {
			t.Fatal("an event that found room is missing")
		}
		if first.Args != [argsMax]uint64{1, 2, 3, 4, 5, 6} || first.TimeNs != 7 || first.Code != CodeKilled {
			t.Fatalf("first event is %+v", first)
		}
		if second.Args != [argsMax]uint64{8} || second.TimeNs != int64(round) || second.Code != CodeVenueUp {
			t.Fatalf("second event is %+v: arguments of an older event show through", second)
		}
	}
}

func TestMoreThanSixArgumentsAreIgnored(t *testing.T) {
	l := newLog("loop", RingEventsMin)
	l.Append(CodeKilled, 1, 1, 2, 3, 4, 5, 6, 7, 8)
	var e Event
	if !l.ring.take(&e) || e.Args != [argsMax]uint64{1, 2, 3, 4, 5, 6} {
		t.Fatalf("event is %+v", e)
	}
}

// TestFullRingDropsAndCounts fills a ring with ordinary events, then with audit
// events, which have a reserve of their own.
func TestFullRingDropsAndCounts(t *testing.T) {
	const room, reserve = 64, 64 >> auditReserveShift
	l := newLog("loop", room)
	for range room {
		l.Append(CodeLinkUp, 1)
	}
	if events, audit := l.Dropped(); events != reserve || audit != 0 {
		t.Fatalf("dropped %d and %d audit events, want %d and 0", events, audit, reserve)
	}
	for range reserve + 3 {
		l.Append(CodeKilled, 2)
	}
	if events, audit := l.Dropped(); events != reserve || audit != 3 {
		t.Fatalf("dropped %d and %d audit events, want %d and 3", events, audit, reserve)
	}
	var e Event
	for range room {
		if !l.ring.take(&e) {
			t.Fatal("the ring is not full")
		}
	}
	l.Append(CodeLinkUp, 3)
	if events, _ := l.Dropped(); events != reserve || !l.ring.take(&e) || e.TimeNs != 3 {
		t.Fatalf("an emptied ring took no event: %+v, dropped %d", e, events)
	}
}

func TestAppendAllocatesNothing(t *testing.T) {
	l := newLog("loop", 128)
	if n := testing.AllocsPerRun(1000, func() { l.Append(CodeSessionLogin, 1, 2, 3, 4, 5, 6, 7) }); n != 0 {
		t.Fatalf("Append allocates %v objects", n)
	}
	if events, audit := l.Dropped(); events+audit == 0 {
		t.Fatal("the run did not reach the full ring")
	}
	remote := "192.168.100.200:65535"
	if n := testing.AllocsPerRun(1000, func() {
		a, b, c := PackText(remote)
		l.Append(CodeLinkUp, 1, 2, 3, a, b, c)
	}); n != 0 {
		t.Fatalf("PackText and Append allocate %v objects", n)
	}
}

func BenchmarkAppend(b *testing.B) {
	l := newLog("loop", 1024)
	var e Event
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		l.Append(CodeSessionLogin, int64(i), 1, 2, 3, 4, 5, 6)
		l.ring.take(&e)
	}
}

func BenchmarkAppendToFullRing(b *testing.B) {
	l := newLog("loop", RingEventsMin)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		l.Append(CodeMalformedFrame, int64(i), 1, 2, 3, 4)
	}
}
