package fastpath

// Counters say what a loop has done since it began. The loop counts without
// synchronisation and publishes a copy at every tick, so a snapshot is at most
// Config.TickNs old while the loop runs.
type Counters struct {
	Accepted      uint64 // connections taken in by listeners
	Refused       uint64 // connections closed at once: cap reached or no descriptors
	Dialled       uint64 // connections made by Dial
	DialFailures  uint64 // attempts of Dial that failed
	Closed        uint64 // links that have ended
	SlowReaders   uint64 // links cut at their outbound bound
	Malformed     uint64 // links cut for bytes that cannot be a message
	FramesIn      uint64 // frames delivered to the handler
	FramesOut     uint64 // frames the handler sent
	Batches       uint64 // calls of Handler.BatchEnd
	Wakes         uint64 // calls of Handler.Wake
	Ticks         uint64 // calls of Handler.Tick
	Turns         uint64 // hot turns
	Parks         uint64 // times the loop went to sleep
	EmptyPolls    uint64 // polls of a hot turn that found nothing to read
	AcceptPauses  uint64 // times a listener paused: too many connections a second, or no descriptors
	EngineReports uint64 // errors the event loop library reported
}

// Counters returns the latest published snapshot. Any goroutine may call it.
func (lp *Loop) Counters() Counters {
	lp.published.Lock()
	defer lp.published.Unlock()
	return lp.published.counters
}

// publish copies the loop's counters to where other goroutines see them.
func (lp *Loop) publish() {
	lp.published.Lock()
	defer lp.published.Unlock()
	lp.published.counters = lp.counters
}
