package driver

import (
	"tollgate/gateway/client"
	"tollgate/loadtest/latency"
	"tollgate/loadtest/ledger"
	"tollgate/loadtest/request"
	"tollgate/order"
)

// session is one connection with its account. It is the connection's handler.
type session struct {
	connection Connection
	ledger     *ledger.Ledger
	run        *run
	trace      order.Trace
	traceOf    uint64 // the OutSeq of the answer that trace belongs to; 0: none
	inFlight   int    // requests without a final answer
	unflushed  bool
	loggedIn   bool // the first login was reported
}

// Trace keeps the times of the answer that follows.
func (s *session) Trace(_ order.SessionID, outSeq uint64, t *order.Trace) {
	s.trace, s.traceOf = *t, outSeq
}

// Event counts news about the connection. What the stream holds at the first
// login belongs to whoever used the session before.
func (s *session) Event(e client.Event) {
	switch e.Kind {
	case client.EventConnected:
		if !s.loggedIn {
			s.ledger.SkipHistory(e.OutSeq)
		}
		s.loggedIn = true
	case client.EventDisconnected:
		s.run.disconnects++
	case client.EventEpochChanged:
		s.run.epochs++
	}
}

// Answer enters an answer in the ledger and records its latency.
func (s *session) Answer(a *order.Answer) {
	r, kind := s.ledger.Answer(a)
	switch kind {
	case ledger.KindAccepted:
		s.run.mapper.Accepted(request.SlotOf(r.Tag), r.ClOrdID)
	case ledger.KindRejected:
		if r.MsgType == order.MsgNewOrder {
			s.run.mapper.Refused(request.SlotOf(r.Tag))
		}
	default:
		return
	}
	s.run.inFlight--
	s.inFlight--
	if r.Measured {
		s.record(a, r, kind == ledger.KindRejected)
	}
}

func (s *session) record(a *order.Answer, r *ledger.Request, rejected bool) {
	times := latency.Times{ScheduledNs: r.ScheduledNs, SentNs: r.SentNs, ReceivedNs: s.run.received()}
	s.run.recorder.Answered(&times, rejected)
	if s.traceOf == a.OutSeq && s.traceOf != 0 {
		s.run.recorder.Traced(&times, &s.trace)
	}
}
