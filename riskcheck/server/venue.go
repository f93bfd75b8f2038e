package server

import (
	"tollgate/asynclog"
	"tollgate/fastpath/wire"
	"tollgate/order"
	"tollgate/riskcheck"
)

// onVenueState takes a gateway's word on whether it reaches the adapter.
func (s *Server) onVenueState(g *gateway, m wire.Message) {
	var v wire.VenueState
	v.Decode(m)
	if !v.Up {
		if g.venueUp {
			s.venueLost(g)
		}
		return
	}
	g.venueUp = true
	s.venue.instance = v.Instance
	for i := range s.fences {
		s.sendFence(g, &s.fences[i])
	}
	if !s.engine.VenueUp(s.loop.Now(), v.Instance, v.NextReportSeq) {
		g.venueUp = false
		s.counters.VenuesRefused++
		s.log(asynclog.CodeVenueDown, v.Instance, v.NextReportSeq)
		return
	}
	s.log(asynclog.CodeVenueUp, v.Instance, v.NextReportSeq)
	s.sampleVenue(true)
	if s.venue.carrier == nil || s.venue.carrier == g {
		s.carryReports(g)
	}
	s.carryOut(g, nil)
}

// venueLost takes away a gateway's way to the adapter. Another one takes over,
// if there is one, and what was on its way is sent again through it.
func (s *Server) venueLost(g *gateway) {
	g.venueUp = false
	if s.venue.carrier == g {
		s.venue.carrier = nil
	}
	other := s.wayToVenue(nil, 0)
	if other == nil {
		s.engine.VenueDown(s.loop.Now())
		s.log(asynclog.CodeVenueDown, s.venue.instance, s.engine.NextReport())
		s.sampleVenue(false)
		s.releaseWaiters()
		return
	}
	if s.venue.carrier == nil {
		s.carryReports(other)
	}
	s.engine.VenueUp(s.loop.Now(), s.venue.instance, s.engine.NextReport())
	s.carryOut(other, nil)
}

// onRefusal takes the adapter's word that it let something not pass. It is a
// hint: the engine acts on reports alone. After a reconnection it is usual,
// since the engine sends again what the adapter may have seen already.
func (s *Server) onRefusal(m wire.Message) {
	var r wire.AdapterRefusal
	r.Decode(m)
	s.counters.AdapterRefusals++
	if r.Reason != order.ReasonTokenUsed {
		s.log(asynclog.CodeAdapterRefusal, r.Seq, uint64(r.OrderID), uint64(r.Session), uint64(r.Reason))
	}
}

// carryReports makes a gateway the one that brings the venue's reports.
func (s *Server) carryReports(g *gateway) {
	s.venue.carrier = g
	from := wire.ReportsFrom{Epoch: s.engine.Epoch(), From: s.engine.NextReport()}
	g.link.Commit(from.Append(g.link.Buffer()))
}

// askAgain asks for a report that is missing, now and then.
func (s *Server) askAgain(report uint64) {
	now := s.loop.Now()
	if s.venue.carrier == nil || s.venue.askedFor == report && now-s.venue.askedNs < reportsAgainNs {
		return
	}
	s.venue.askedFor, s.venue.askedNs = report, now
	s.counters.ReportGaps++
	s.log(asynclog.CodeReportGap, report, s.report.ReportSeq)
	s.carryReports(s.venue.carrier)
}

// acknowledgeReports lets the adapter forget what the engine has applied.
func (s *Server) acknowledgeReports() {
	s.venue.unacked++
	if s.venue.unacked >= reportsPerAck && s.venue.carrier != nil {
		s.sendReportsAck(s.venue.carrier)
	}
}

// sendReportsAck sends the acknowledgement through the carrier, if there is
// anything to acknowledge.
func (s *Server) sendReportsAck(g *gateway) {
	if s.venue.unacked == 0 || g != s.venue.carrier {
		return
	}
	s.venue.unacked = 0
	ack := wire.ReportsAck{UpTo: s.engine.NextReport() - 1}
	g.link.Commit(ack.Append(g.link.Buffer()))
}

// fence is the newest kill of a scope, as long as the scope is killed.
type fence struct {
	id        uint64
	belowSeq  uint64
	scope     order.Scope
	confirmed bool
}

// fenceWaiter is somebody who waits for a fence to be confirmed.
type fenceWaiter struct {
	id   uint64
	done chan struct{} // closed when it is, or when there is no adapter any more
}

// raiseFence remembers a fence and has every adapter link enforce it.
func (s *Server) raiseFence(f *riskcheck.Effect) {
	s.dropFence(f.Scope)
	s.fences = append(s.fences, fence{id: f.FenceID, belowSeq: f.BelowSeq, scope: f.Scope})
	for _, g := range s.gateways {
		if g.venueUp {
			s.sendFence(g, &s.fences[len(s.fences)-1])
		}
	}
}

// dropFence forgets the fence of a scope.
func (s *Server) dropFence(scope order.Scope) {
	for i := range s.fences {
		if s.fences[i].scope == scope {
			s.fences = append(s.fences[:i], s.fences[i+1:]...)
			return
		}
	}
}

func (s *Server) sendFence(g *gateway, f *fence) {
	frame := wire.KillFence{
		FenceID: f.id, Epoch: s.engine.Epoch(), BelowSeq: f.belowSeq,
		ScopeID: f.scope.ID, Instrument: f.scope.Instrument, ScopeClass: f.scope.Class, ScopeType: f.scope.Type,
	}
	g.link.Commit(frame.Append(g.link.Buffer()))
}

// onFenceAck takes the adapter's word that a fence is in force.
func (s *Server) onFenceAck(m wire.Message) {
	var ack wire.KillFenceAck
	ack.Decode(m)
	if ack.Epoch != s.engine.Epoch() {
		return
	}
	s.log(asynclog.CodeFenceAcknowledged, ack.FenceID, ack.Epoch)
	for i := range s.fences {
		if s.fences[i].id == ack.FenceID {
			s.fences[i].confirmed = true
		}
	}
	waiting := s.waiters[:0]
	for _, w := range s.waiters {
		if w.id == ack.FenceID {
			close(w.done)
		} else {
			waiting = append(waiting, w)
		}
	}
	s.waiters = waiting
}

// releaseWaiters lets go of everybody who waits for an adapter that is gone.
func (s *Server) releaseWaiters() {
	for _, w := range s.waiters {
		close(w.done)
	}
	s.waiters = s.waiters[:0]
}
