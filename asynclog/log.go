package asynclog

import "sync/atomic"

// Log is one loop's end of the log. Only that loop may append to it.
type Log struct {
	loop    string
	reserve uint64 // slots that only audit events may use
	ring    ring

	// dropped and droppedAudit count the events that found no room. The loop
	// writes them, anybody may read them.
	dropped      atomic.Uint64
	droppedAudit atomic.Uint64
}

func newLog(loop string, ringEvents int) *Log {
	l := &Log{loop: loop, reserve: uint64(ringEvents) >> auditReserveShift}
	l.ring.init(ringEvents)
	return l
}

// Append records one event. nowNs is the batch clock of the loop, in ns since
// 1970 UTC. The arguments are those of the catalogue, in its order; missing
// ones are zero, and more than six are ignored. If the ring is full the event
// is lost and counted; the last part of a ring is kept for audit events.
//
// Append allocates nothing, takes no lock and never waits. Only the loop that
// owns the Log may call it.
func (l *Log) Append(code Code, nowNs int64, args ...uint64) {
	reserve := l.reserve
	audit := code.Audit()
	if audit {
		reserve = 0
	}
	e := l.ring.next(reserve)
	if e == nil {
		l.drop(audit)
		return
	}
	e.TimeNs = nowNs
	e.Code = code
	n := copy(e.Args[:], args)
	clear(e.Args[n:])
	l.ring.publish()
}

// drop counts one lost event. The loop is the only writer, so that a load and
// a store are enough.
func (l *Log) drop(audit bool) {
	if audit {
		l.droppedAudit.Store(l.droppedAudit.Load() + 1)
		return
	}
	l.dropped.Store(l.dropped.Load() + 1)
}

// Dropped returns how many events found no room since the Log was made:
// ordinary ones, and those of the audit trail. Anybody may call it.
func (l *Log) Dropped() (events, auditEvents uint64) {
	return l.dropped.Load(), l.droppedAudit.Load()
}
