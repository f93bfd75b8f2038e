package ledger

import (
	"errors"
	"fmt"

	"tollgate/order"
)

// InFlightLimit is the largest ring: 64 bytes a request.
const InFlightLimit = 1 << 22

// ErrFull says that the request is too far ahead of the oldest unanswered one.
var ErrFull = errors.New("ledger: too far ahead of the oldest unanswered request")

// Request is what the ledger remembers of a request until its final answer.
type Request struct {
	ScheduledNs int64
	SentNs      int64
	ClOrdID     order.ClOrdID
	Tag         uint64 // the caller's own
	MsgType     order.MsgType
	Measured    bool // its latency counts
	answered    bool
}

// Kind says what an answer turned out to be.
type Kind uint8

// The kinds of answers. Duplicates and strays are faults of the system under
// test.
const (
	KindAccepted    Kind = 1 // final: done as asked
	KindRejected    Kind = 2 // final: refused
	KindUnsolicited Kind = 3 // not an answer to a request: a trade, the rest of an IOC, a kill
	KindDuplicate   Kind = 4 // a second final answer, or one that was in the stream before
	KindStray       Kind = 5 // the final answer to a request that was never sent
	KindHistory     Kind = 6 // from before the ledger was opened: not counted
)

// Counts sums up a session.
type Counts struct {
	Sent       uint64
	Answered   uint64 // requests with their final answer
	Accepted   uint64
	Rejected   uint64
	Cancelled  uint64 // orders that ended canceled or expired
	Filled     uint64 // orders that were executed whole
	Trades     uint64
	Duplicates uint64
	Strays     uint64
	StreamGaps uint64 // holes in the answer stream
}

// Unanswered returns how many requests have no final answer.
func (c *Counts) Unanswered() uint64 { return c.Sent - c.Answered }

// Add adds another session's counts.
func (c *Counts) Add(o *Counts) {
	c.Sent += o.Sent
	c.Answered += o.Answered
	c.Accepted += o.Accepted
	c.Rejected += o.Rejected
	c.Cancelled += o.Cancelled
	c.Filled += o.Filled
	c.Trades += o.Trades
	c.Duplicates += o.Duplicates
	c.Strays += o.Strays
	c.StreamGaps += o.StreamGaps
}

// Ledger is the account of one session.
type Ledger struct {
	ring       []Request
	oldest     uint64 // the oldest ref without an answer
	next       uint64 // the next ref to be sent
	nextOutSeq uint64 // 0: whatever comes first
	historyEnd uint64 // answers below this are from before
	counts     Counts
	rejects    map[order.Reason]uint64
	positions  Positions
}

// New returns the ledger of a session whose next request is firstRef and whose
// next answer is firstOutSeq (0: not known). inFlightMax is rounded up to a
// power of two.
func New(inFlightMax int, firstRef, firstOutSeq uint64) (*Ledger, error) {
	if inFlightMax < 1 || inFlightMax > InFlightLimit {
		return nil, fmt.Errorf("ledger: inFlightMax is %d, want 1 to %d", inFlightMax, InFlightLimit)
	}
	size := 1
	for size < inFlightMax {
		size *= 2
	}
	return &Ledger{
		ring: make([]Request, size), oldest: firstRef, next: firstRef, nextOutSeq: firstOutSeq,
		rejects: make(map[order.Reason]uint64), positions: make(Positions),
	}, nil
}

// Full reports whether the next request has to wait for the oldest answer.
func (l *Ledger) Full() bool { return l.next-l.oldest >= uint64(len(l.ring)) }

// at returns the place of a ref that is within the ring.
func (l *Ledger) at(ref uint64) *Request { return &l.ring[ref&uint64(len(l.ring)-1)] }

// Sent enters a request. Refs are contiguous; a hole is the sender's fault.
func (l *Ledger) Sent(ref uint64, r Request) error {
	if ref != l.next {
		return fmt.Errorf("ledger: request %d was sent, want %d", ref, l.next)
	}
	if l.Full() {
		return ErrFull
	}
	r.answered = false
	*l.at(ref) = r
	l.next++
	l.counts.Sent++
	return nil
}

// Answer enters an answer and says what it is. For a final one r is the request
// it ends, valid until the next Sent.
func (l *Ledger) Answer(a *order.Answer) (r *Request, kind Kind) {
	if !l.follow(a.OutSeq) {
		l.counts.Duplicates++
		return nil, KindDuplicate
	}
	if a.OutSeq < l.historyEnd {
		return nil, KindHistory
	}
	l.orders(a)
	if a.Ref == 0 {
		return nil, KindUnsolicited
	}
	return l.final(a)
}

// SkipHistory makes answers below outSeq history: they were given before the
// ledger was opened, to whoever used the session then.
func (l *Ledger) SkipHistory(outSeq uint64) { l.historyEnd = outSeq }

// follow moves the stream on; false if it had been there before.
func (l *Ledger) follow(outSeq uint64) bool {
	if l.nextOutSeq == 0 {
		l.nextOutSeq = outSeq
	}
	if outSeq < l.nextOutSeq {
		return false
	}
	if outSeq > l.nextOutSeq {
		l.counts.StreamGaps++
	}
	l.nextOutSeq = outSeq + 1
	return true
}

// orders counts what happened to an order.
func (l *Ledger) orders(a *order.Answer) {
	if a.Kind != order.AnswerExecution {
		return
	}
	switch a.ExecType {
	case order.ExecTypeTrade:
		l.counts.Trades++
		l.positions.trade(a)
		if a.OrdStatus == order.OrdStatusFilled {
			l.counts.Filled++
		}
	case order.ExecTypeCanceled, order.ExecTypeExpired:
		l.counts.Cancelled++
	}
}

// final ends the request that a answers.
func (l *Ledger) final(a *order.Answer) (*Request, Kind) {
	if a.Ref >= l.next {
		l.counts.Strays++
		return nil, KindStray
	}
	if a.Ref < l.oldest || l.at(a.Ref).answered {
		l.counts.Duplicates++
		return nil, KindDuplicate
	}
	r := l.at(a.Ref)
	r.answered = true
	l.counts.Answered++
	for l.oldest < l.next && l.at(l.oldest).answered {
		l.oldest++
	}
	if Rejects(a) {
		l.counts.Rejected++
		l.rejects[a.Decision.Reason]++
		return r, KindRejected
	}
	l.counts.Accepted++
	return r, KindAccepted
}

// Rejects reports whether an answer refuses its request.
func Rejects(a *order.Answer) bool {
	return a.Kind == order.AnswerCancelReject ||
		a.Kind == order.AnswerExecution && a.ExecType == order.ExecTypeRejected
}

// InFlight returns how many requests have no final answer.
func (l *Ledger) InFlight() int { return int(l.counts.Sent - l.counts.Answered) }

// Counts returns the account so far.
func (l *Ledger) Counts() Counts { return l.counts }

// Rejects returns how many requests were refused for each reason. The map is
// the ledger's own.
func (l *Ledger) Rejects() map[order.Reason]uint64 { return l.rejects }

// Positions returns what the session's trades add up to. The map is the
// ledger's own.
func (l *Ledger) Positions() Positions { return l.positions }
