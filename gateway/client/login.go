package client

import (
	"crypto/rand"

	"tollgate/fastpath/wire"
)

// onHello takes the server's nonce; pump then writes the Login.
func (s *session) onHello(m wire.Message) {
	if s.phase == phaseGreeting {
		s.hello.Decode(m)
		s.phase = phaseAnswered
	}
}

// appendLogin proves to the server who this is.
func (s *session) appendLogin(dst []byte) []byte {
	login := wire.Login{
		WantOutSeq: s.nextOutSeq, Client: s.cfg.Client, Session: s.cfg.Session, KeepaliveMs: s.cfg.KeepaliveMs,
		CancelOnDisconnectMs: s.cfg.CancelOnDisconnectMs,
	}
	if s.cfg.Traces {
		login.Flags |= wire.LoginFlagsHopTraces
	}
	if _, err := rand.Read(login.Nonce[:]); err != nil {
		s.fail(err)
		return dst
	}
	login.Mac = wire.LoginMAC(s.cfg.Key, s.hello.Nonce, &login)
	s.phase = phaseLogin
	return login.Append(dst)
}

// onLoginAck lines both sides up: requests the server has not seen are written
// again from its next number on; for the others their answers are awaited.
func (s *session) onLoginAck(m wire.Message, h Handler) {
	var ack wire.LoginAck
	ack.Decode(m)
	if s.phase != phaseLogin {
		return
	}
	if s.alignRefs(ack.NextRef); s.drop != nil {
		return
	}
	if ack.NextOutSeq < s.nextOutSeq {
		s.fail(&ServerBehindError{What: "answer", Server: ack.NextOutSeq, Client: s.nextOutSeq})
		return
	}
	s.phase, s.connection = phaseActive, ack.Connection
	if ack.KeepaliveMs != 0 {
		s.keepaliveNs = int64(ack.KeepaliveMs) * nsPerMs
	}
	s.counters.Logins++
	h.Event(Event{Kind: EventConnected, Ref: ack.NextRef, OutSeq: ack.NextOutSeq, Epoch: ack.Epoch})
	s.noteEpoch(ack.Epoch, h)
	s.loggedIn = true
}

// alignRefs compares the server's next request number with the window's.
func (s *session) alignRefs(nextRef uint64) {
	w := &s.window
	switch {
	case nextRef > w.next && s.cfg.Adopt && !s.loggedIn && w.open == 0:
		w.adopt(nextRef)
	case nextRef > w.next:
		s.fail(&RefsAheadError{Server: nextRef, Client: w.next})
	case nextRef <= w.newest:
		s.fail(&ServerBehindError{What: "request", Server: nextRef, Client: w.newest + 1})
	}
	s.cursor = nextRef
}

// noteEpoch tells the handler if the engine has restarted since the last
// login.
func (s *session) noteEpoch(epoch uint64, h Handler) {
	if s.loggedIn && epoch != s.epoch {
		h.Event(Event{Kind: EventEpochChanged, Epoch: epoch})
	}
	s.epoch = epoch
}

// onLoginReject gives up, or starts from the oldest answer the server holds if
// the program has no record to lose.
func (s *session) onLoginReject(m wire.Message) {
	var reject wire.LoginReject
	reject.Decode(m)
	cause := &LoginError{Reason: reject.Reason, WantOutSeq: s.nextOutSeq, OldestOutSeq: reject.OldestOutSeq}
	switch {
	case reject.Reason == wire.LoginRejectBusy:
		s.giveUp(cause)
	case reject.Reason == wire.LoginRejectOutSeqUnavailable && s.mayStartLater(reject.OldestOutSeq):
		s.nextOutSeq = reject.OldestOutSeq
		s.giveUp(errStartLater)
	default:
		s.fail(cause)
	}
}

func (s *session) mayStartLater(oldestOutSeq uint64) bool {
	return s.cfg.Adopt && !s.loggedIn && oldestOutSeq > s.nextOutSeq
}

// onSessionReject gives the connection up, and the session too if a new
// connection would end in the same way.
func (s *session) onSessionReject(m wire.Message) {
	var reject wire.SessionReject
	reject.Decode(m)
	cause := &RejectedError{Reason: reject.Reason, Value: reject.Value, Template: reject.RefTemplate}
	if cause.Transient() {
		s.giveUp(cause)
		return
	}
	s.fail(cause)
}
