package riskcheck

import "tollgate/order"

// sessionRow is a session: its numbering, its answers and its live orders. A
// session outlives its connections and is never reset.
type sessionRow struct {
	Session
	stream     stream
	nextRef    uint64
	windowNs   int64 // cancel-on-disconnect grace; 0: off
	cancelAt   int64 // engine time at which cancel-on-disconnect fires; 0: not armed
	attempts   window
	cancels    window
	cancelsCut window
	basket     heldBasket
	node       int32
	live       int32 // head of the list of live orders
	connection order.ConnectionID
	connected  bool
	known      bool
}

// session returns the row of a session that has ever been known, or nil.
func (e *Engine) session(id order.SessionID) *sessionRow {
	row, ok := e.sessions.get(idKey(uint64(id)))
	if !ok {
		return nil
	}
	return &e.sessionRows[row]
}

// Login connects a session. A new login replaces the old connection, whose
// requests are dropped from here on, and prevents a pending
// cancel-on-disconnect.
func (e *Engine) Login(now int64, l Login) LoginResult {
	e.begin(now)
	result := e.login(l)
	e.finish()
	return result
}

func (e *Engine) login(l Login) LoginResult {
	s := e.session(l.Session)
	switch {
	case s == nil || !s.known || s.Client != l.Client:
		return LoginResult{Denied: LoginUnknownSession}
	case l.WantOutSeq < s.stream.oldest || l.WantOutSeq > s.stream.next:
		return LoginResult{Denied: LoginOutSeqUnavailable, OldestOutSeq: s.stream.oldest, NextOutSeq: s.stream.next}
	case l.CancelOnDisconnectNs < 0 || l.CancelOnDisconnectNs > cancelOnDisconnectMaxNs:
		return LoginResult{Denied: LoginWindow}
	}
	e.breakBasket(s)
	e.lastConnection++
	s.connection, s.connected = e.lastConnection, true
	s.windowNs, s.cancelAt = l.CancelOnDisconnectNs, 0
	s.stream.ack(l.WantOutSeq-1, &e.pool)
	return LoginResult{
		OK: true, Connection: s.connection, NextRef: s.nextRef,
		NextOutSeq: s.stream.next, OldestOutSeq: s.stream.oldest,
	}
}

// Disconnected tells that a connection is gone. It starts the grace window of
// cancel-on-disconnect if the session asked for it.
func (e *Engine) Disconnected(now int64, session order.SessionID, connection order.ConnectionID) {
	e.begin(now)
	e.disconnected(session, connection)
	e.finish()
}

func (e *Engine) disconnected(session order.SessionID, connection order.ConnectionID) {
	s := e.session(session)
	if s == nil || !s.connected || s.connection != connection {
		return
	}
	e.breakBasket(s)
	s.connected = false
	if s.windowNs != 0 {
		s.cancelAt = e.now + s.windowNs
	}
}

// cancelOnDisconnect cancels the live orders of a session that did not come
// back, but for GTC and GTD, which are meant to outlive it (CME COD).
func (e *Engine) cancelOnDisconnect(s *sessionRow) {
	a := e.answer(s, order.AnswerCanceledOnEnd)
	affected := uint32(0)
	for i := s.live; i != noIndex; {
		o := &e.orders.orders[i]
		i = o.after
		if o.timeInForce == order.TimeInForceGTC || o.timeInForce == order.TimeInForceGTD {
			continue
		}
		e.cancelUnasked(o, order.ReasonNone)
		affected++
	}
	a.Affected = affected
}

// link puts an order at the head of its session's live orders.
func (e *Engine) link(s *sessionRow, i int32) {
	o := &e.orders.orders[i]
	o.before, o.after = noIndex, s.live
	if s.live != noIndex {
		e.orders.orders[s.live].before = i
	}
	s.live = i
}

// unlink takes an order out of its session's live orders.
func (e *Engine) unlink(s *sessionRow, i int32) {
	o := &e.orders.orders[i]
	if o.before == noIndex {
		s.live = o.after
	} else {
		e.orders.orders[o.before].after = o.after
	}
	if o.after != noIndex {
		e.orders.orders[o.after].before = o.before
	}
}
