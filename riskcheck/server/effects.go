package server

import (
	"tollgate/asynclog"
	"tollgate/fastpath/wire"
	"tollgate/order"
	"tollgate/riskcheck"
)

// carryOut does what the engine's last input asks for, once: the effects stand
// until the next input, and a function of the control plane that only looks at
// the engine is none. from is the gateway the input came from, nil if none; t the
// times of the order it was about, nil if it was not about one.
func (s *Server) carryOut(from *gateway, t *order.Trace) {
	effects := s.engine.Effects()
	for i := range effects {
		f := &effects[i]
		kind := f.Kind
		f.Kind = effectDone
		switch kind {
		case riskcheck.EffectVerdict:
			s.sendVerdict(from, f, t)
		case riskcheck.EffectAnswer:
			s.sendAnswer(f, t)
		case riskcheck.EffectGap:
			s.sendGap(f)
		case riskcheck.EffectDuplicate:
			s.sendDuplicate(f)
		case riskcheck.EffectStale:
			s.counters.Stale++
		case riskcheck.EffectDisconnect:
			s.sendDisconnect(f)
		case riskcheck.EffectWarn:
			s.sendWarning(f)
		case riskcheck.EffectFence:
			s.raiseFence(f)
		case riskcheck.EffectReportsFrom:
			s.askAgain(f.Ref)
		case riskcheck.EffectAlert:
			s.alert(f)
		}
	}
}

// effectDone is what stands in the place of the kind of an effect that was
// carried out.
const effectDone riskcheck.EffectKind = 0

var noTrace order.Trace

// sendVerdict sends an accepted request towards the venue. Without a gateway
// that reaches the adapter it is dropped here: the engine sends it again when
// one does.
func (s *Server) sendVerdict(from *gateway, f *riskcheck.Effect, t *order.Trace) {
	s.counters.Verdicts++
	if t == nil {
		t = &noTrace
	}
	if g := s.wayToVenue(from, f.Session); g != nil {
		g.link.Commit(wire.AppendVerdict(g.link.Buffer(), &f.Verdict, t))
		s.sampleAccepted(&f.Verdict)
	}
}

// wayToVenue returns the gateway to send an order through: the one the request
// came from, else the session's own, else any.
func (s *Server) wayToVenue(from *gateway, session order.SessionID) *gateway {
	if from != nil && from.venueUp {
		return from
	}
	if d := s.delivery(session); d != nil && d.gateway != nil && d.gateway.venueUp {
		return d.gateway
	}
	for _, g := range s.gateways {
		if g.venueUp {
			return g
		}
	}
	return nil
}

// sendAnswer delivers an answer at once if the session has all before it;
// otherwise the replay will come to it.
func (s *Server) sendAnswer(f *riskcheck.Effect, t *order.Trace) {
	a := s.engine.Answer(f.Session, f.OutSeq)
	s.count(a)
	d := s.delivery(f.Session)
	if d == nil || d.gateway == nil || d.next != f.OutSeq {
		return
	}
	d.next++
	b := d.gateway.link.Buffer()
	if d.traces && t != nil {
		d.gateway.link.Commit(wire.AppendHopTrace(b, f.Session, f.OutSeq, t))
		b = d.gateway.link.Buffer()
	}
	d.gateway.link.Commit(wire.AppendAnswer(b, a))
}

// count counts a final answer by its outcome.
func (s *Server) count(a *order.Answer) {
	if a.Kind == order.AnswerCanceledOnEnd {
		s.log(asynclog.CodeDisconnectCancel, uint64(a.Session), 0, uint64(a.Affected))
	}
	if a.Ref == 0 {
		return
	}
	reason := a.Decision.Reason
	if reason == order.ReasonNone || a.ExecType == order.ExecTypeCanceled {
		s.counters.Accepted++
		return
	}
	s.counters.Rejected++
	if reason < reasonsMax {
		s.counters.Reasons[reason]++
	}
	if reason == order.ReasonCapacity {
		s.log(asynclog.CodeCapacityReached)
	}
	s.sampleRejected(a)
}

func (s *Server) sendGap(f *riskcheck.Effect) {
	s.counters.Gaps++
	if d := s.delivery(f.Session); d != nil && d.gateway != nil {
		hint := wire.Gap{ExpectedRef: f.Ref, Session: f.Session, Connection: f.Connection}
		d.gateway.link.Commit(hint.Append(d.gateway.link.Buffer()))
	}
}

func (s *Server) sendDuplicate(f *riskcheck.Effect) {
	s.counters.Duplicates++
	if d := s.delivery(f.Session); d != nil && d.gateway != nil {
		hint := wire.Duplicate{Ref: f.Ref, OutSeq: f.OutSeq, Session: f.Session, Connection: f.Connection}
		if hint.OutSeq == 0 {
			hint.OutSeq = wire.NullOutSeq
		}
		d.gateway.link.Commit(hint.Append(d.gateway.link.Buffer()))
	}
}

func (s *Server) sendWarning(f *riskcheck.Effect) {
	s.counters.Warnings++
	if d := s.delivery(f.Session); d != nil && d.gateway != nil {
		hint := wire.Busy{Session: f.Session, Connection: f.Connection, Reason: f.Reason}
		d.gateway.link.Commit(hint.Append(d.gateway.link.Buffer()))
	}
}

func (s *Server) sendDisconnect(f *riskcheck.Effect) {
	s.counters.Cuts++
	s.log(asynclog.CodeSessionCut, uint64(f.Session), uint64(f.Connection), uint64(wire.SessionRejectRateCut))
	if d := s.delivery(f.Session); d != nil && d.gateway != nil {
		cut := wire.SessionDisconnect{Session: f.Session, Connection: f.Connection, Reason: wire.SessionRejectRateCut}
		d.gateway.link.Commit(cut.Append(d.gateway.link.Buffer()))
	}
}
