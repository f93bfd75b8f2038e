package server

import (
	"tollgate/asynclog"
	"tollgate/fastpath/wire"
	"tollgate/order"
	"tollgate/riskcheck"
)

// delivery returns the delivery of a session that has logged in at least once.
func (s *Server) delivery(id order.SessionID) *delivery {
	if int(id) >= len(s.deliveries) {
		return nil
	}
	return &s.deliveries[id]
}

// onLogin has the engine connect a session and begins to deliver its answers.
func (s *Server) onLogin(g *gateway, m wire.Message) {
	var l wire.SessionLogin
	l.Decode(m)
	result := s.engine.Login(s.loop.Now(), riskcheck.Login{
		WantOutSeq: l.WantOutSeq, CancelOnDisconnectNs: int64(l.CancelOnDisconnectMs) * 1e6,
		Session: l.Session, Client: l.Client,
	})
	if !result.OK {
		s.refuseLogin(g, &l, &result)
		s.carryOut(nil, nil)
		return
	}
	for int(l.Session) >= len(s.deliveries) {
		s.deliveries = append(s.deliveries, delivery{})
	}
	d := &s.deliveries[l.Session]
	if d.gateway != nil {
		old := wire.SessionDisconnect{Session: l.Session, Connection: d.connection, Reason: wire.SessionRejectReplaced}
		d.gateway.link.Commit(old.Append(d.gateway.link.Buffer()))
	}
	d.gateway, d.connection, d.next = g, result.Connection, l.WantOutSeq
	d.traces = l.Flags&wire.LoginFlagsHopTraces != 0
	d.windowNs = int64(l.CancelOnDisconnectMs) * 1e6
	s.log(asynclog.CodeSessionLogin, uint64(l.Session), uint64(l.Client), uint64(d.connection), result.NextRef,
		result.NextOutSeq, g.link.ID())
	s.sampleSession(l.Session, d.connection, true)
	ack := wire.LoginAck{
		NextRef: result.NextRef, NextOutSeq: result.NextOutSeq, OldestOutSeq: result.OldestOutSeq,
		Epoch: s.engine.Epoch(), LoginID: l.LoginID, Session: l.Session, Connection: d.connection,
		KeepaliveMs: l.KeepaliveMs,
	}
	g.link.Commit(ack.Append(g.link.Buffer()))
	s.carryOut(nil, nil) // a list that was not complete is refused
	if d.next < result.NextOutSeq {
		s.fallBehind(l.Session, d)
	}
}

// refuseLogin answers a login that the engine denied.
func (s *Server) refuseLogin(g *gateway, l *wire.SessionLogin, result *riskcheck.LoginResult) {
	reject := wire.LoginReject{LoginID: l.LoginID, Session: l.Session}
	switch result.Denied {
	case riskcheck.LoginOutSeqUnavailable:
		reject.Reason, reject.OldestOutSeq = wire.LoginRejectOutSeqUnavailable, result.OldestOutSeq
	case riskcheck.LoginWindow:
		reject.Reason = wire.LoginRejectMalformed
	default:
		reject.Reason = wire.LoginRejectUnknownSession
	}
	s.log(asynclog.CodeSessionRefused, uint64(l.Session), uint64(l.Client), uint64(reject.Reason), g.link.ID())
	g.link.Commit(reject.Append(g.link.Buffer()))
}

// onSessionClosed takes the end of a client's connection.
func (s *Server) onSessionClosed(g *gateway, m wire.Message) {
	var c wire.SessionClosed
	c.Decode(m)
	d := s.delivery(c.Session)
	if d != nil && d.gateway == g && d.connection == c.Connection {
		s.disconnected(c.Session, d)
	}
}

// disconnected tells the engine that a session has no connection.
func (s *Server) disconnected(id order.SessionID, d *delivery) {
	s.log(asynclog.CodeSessionClosed, uint64(id), uint64(d.connection))
	s.sampleSession(id, d.connection, false)
	d.gateway = nil
	s.engine.Disconnected(s.loop.Now(), id, d.connection)
	s.carryOut(nil, nil)
}

// onAcknowledged takes what a client says it holds.
func (s *Server) onAcknowledged(m wire.Message) {
	var h wire.Heartbeat
	h.Decode(m)
	if d := s.delivery(h.Session); d != nil && d.connection == h.Connection && h.OutSeq < d.next {
		s.engine.AckAnswers(h.Session, h.OutSeq)
	}
}

// fallBehind has a session's answers replayed turn by turn.
func (s *Server) fallBehind(id order.SessionID, d *delivery) {
	if !d.behind {
		d.behind = true
		s.behind = append(s.behind, id)
	}
	s.loop.Wake()
}

// replay delivers some more answers to each session that is behind. Live
// answers of those sessions queue up behind the replay: the stream has one
// order.
func (s *Server) replay() {
	waiting := s.behind[:0]
	for _, id := range s.behind {
		d := &s.deliveries[id]
		if d.behind = s.replaySome(id, d); d.behind {
			waiting = append(waiting, id)
		}
	}
	s.behind = waiting
	if len(waiting) > 0 {
		s.loop.Wake()
	}
}

// replaySome delivers a bounded number of answers and reports whether more are
// waiting.
func (s *Server) replaySome(id order.SessionID, d *delivery) bool {
	for range replayAnswersMax {
		if d.gateway == nil {
			return false
		}
		if d.gateway.link.Pending() > replayPendingMax {
			return true
		}
		a := s.engine.Answer(id, d.next)
		if a == nil {
			return false
		}
		d.gateway.link.Commit(wire.AppendAnswer(d.gateway.link.Buffer(), a))
		d.next++
	}
	return true
}
