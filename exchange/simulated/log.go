package simulated

import "tollgate/order"

// RecordKind says what a Record holds.
type RecordKind uint8

// The kinds of records.
const (
	RecordReceived RecordKind = 1 // a request reached the venue: Verdict is set
	RecordReported RecordKind = 2 // the venue reported: Report and Refusal are set
)

// String returns the word that stands in a log file.
func (k RecordKind) String() string {
	switch k {
	case RecordReceived:
		return "received"
	case RecordReported:
		return "reported"
	}
	return "invalid"
}

// Record is one entry of the venue's own log: everything that was received and
// everything that was reported, in the order in which it happened.
type Record struct {
	Number  uint64 // from 1, contiguous
	Time    int64  // ns since 1970 UTC
	Verdict order.Verdict
	Report  order.Report
	Kind    RecordKind
	Refusal Refusal
}

// log keeps the newest records in a ring and shows each to the observer.
type log struct {
	ring    []Record
	observe func(r *Record)
	newest  uint64
	off     bool
}

func newLog(retainedMax int, observe func(r *Record)) log {
	return log{ring: make([]Record, max(1, retainedMax)), observe: observe, off: retainedMax == 0 && observe == nil}
}

func (l *log) next(now int64, kind RecordKind) *Record {
	l.newest++
	r := &l.ring[(l.newest-1)%uint64(len(l.ring))]
	r.Number, r.Time, r.Kind, r.Refusal = l.newest, now, kind, RefusalNone
	return r
}

func (l *log) received(now int64, d *order.Verdict) {
	if l.off {
		return
	}
	r := l.next(now, RecordReceived)
	r.Verdict = *d
	l.show(r)
}

func (l *log) reported(now int64, reports []order.Report, refusal Refusal) {
	if l.off {
		return
	}
	for i := range reports {
		r := l.next(now, RecordReported)
		r.Report = reports[i]
		if reports[i].Reason != order.ReasonNone {
			r.Refusal = refusal
		}
		l.show(r)
	}
}

func (l *log) show(r *Record) {
	if l.observe != nil {
		l.observe(r)
	}
}

// Recorded returns the number of the newest record of the log, 0 if there is
// none.
func (v *Venue) Recorded() uint64 { return v.log.newest }

// Record returns record number n, or nil if it is not made yet or not retained
// any more. It is valid until the next call that changes the venue; the Verdict
// of a report and the Report of a request mean nothing.
func (v *Venue) Record(n uint64) *Record {
	l := &v.log
	if n == 0 || n > l.newest || l.newest-n >= uint64(len(l.ring)) {
		return nil
	}
	return &l.ring[(n-1)%uint64(len(l.ring))]
}
