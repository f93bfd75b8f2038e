package exchange

import "tollgate/order"

// loggedReport is a report as it is sent, and sent again.
type loggedReport struct {
	report order.Report
	trace  order.Trace
}

// reportLog keeps the numbered reports that the engine has not acknowledged, in
// a ring that doubles when it is full. How far it may fill up is its owner's to
// decide.
type reportLog struct {
	ring   []loggedReport // a power of two
	oldest uint64         // number of the oldest report kept
	next   uint64         // number of the next report
}

func newReportLog() reportLog {
	return reportLog{ring: make([]loggedReport, reportsReserved), oldest: 1, next: 1}
}

// retained returns how many reports are kept.
func (l *reportLog) retained() int { return int(l.next - l.oldest) }

func (l *reportLog) place(seq uint64) *loggedReport { return &l.ring[seq&uint64(len(l.ring)-1)] }

// add numbers a report and keeps it together with its trace.
func (l *reportLog) add(r *order.Report, t *order.Trace) {
	if l.retained() == len(l.ring) {
		l.double()
	}
	e := l.place(l.next)
	e.report, e.trace = *r, *t
	e.report.ReportSeq = l.next
	l.next++
}

func (l *reportLog) double() {
	small := *l
	l.ring = make([]loggedReport, 2*len(small.ring))
	for seq := small.oldest; seq < small.next; seq++ {
		*l.place(seq) = *small.place(seq)
	}
}

// at returns report seq, or nil if it is not made yet or not kept any more.
func (l *reportLog) at(seq uint64) *loggedReport {
	if seq < l.oldest || seq >= l.next {
		return nil
	}
	return l.place(seq)
}

// acknowledge forgets the reports up to and including upTo, as far as they are
// made.
func (l *reportLog) acknowledge(upTo uint64) {
	if upTo >= l.next {
		upTo = l.next - 1
	}
	l.oldest = max(l.oldest, upTo+1)
}
