package gateway

import (
	"errors"

	"tollgate/fastpath"
	"tollgate/fastpath/wire"
	"tollgate/order"
)

// stage is how far a client's connection has come.
type stage uint8

const (
	stageGreeted  stage = 1 // the Hello is sent, a Login is due
	stageDeciding stage = 2 // the Login is good, the engine's decision is due
	stageActive   stage = 3 // logged in
	stageClosing  stage = 4 // to be closed; the loop delivers nothing more
)

// connection is one client's connection. It lives in a slot of the gateway
// that is used again and again.
type connection struct {
	link        *fastpath.Link
	sinceNs     int64 // when the stage began
	lastInNs    int64
	lastOutNs   int64
	keepaliveNs int64
	toldNs      int64 // when the engine was last told held
	held        uint64
	told        uint64
	loginID     uint64 // the engine's answer to the Login carries it; 0: none asked
	session     order.SessionID
	number      order.ConnectionID
	client      uint32
	slot        uint32
	place       uint32 // in Gateway.live
	stage       stage
	nonce       [16]byte
}

// errCut is the cause of every close that the gateway decides on; the
// SessionReject before it says why.
var errCut = errors.New("gateway: connection cut")

// accept takes a client in and greets it with a fresh nonce.
func (g *Gateway) accept(l *fastpath.Link) {
	if g.draining || len(g.free) == 0 {
		g.turnAway(l)
		return
	}
	c := g.occupy(l)
	g.counters.Accepted++
	if err := randomBytes(c.nonce[:]); err != nil {
		l.Close(err)
		return
	}
	hello := wire.Hello{Nonce: c.nonce, ServerTime: g.nowNs, Epoch: g.risk.hello.Epoch}
	l.Commit(hello.Append(l.Buffer()))
}

// turnAway says to a client why it is not taken in.
func (g *Gateway) turnAway(l *fastpath.Link) {
	g.counters.Refused++
	reject := wire.SessionReject{Reason: wire.SessionRejectDraining}
	if !g.draining {
		reject = wire.SessionReject{Reason: wire.SessionRejectTooManyConnections, Value: uint64(len(g.slots))}
		g.logCapacity(len(g.slots))
	}
	l.Commit(reject.Append(l.Buffer()))
	l.Close(errCut)
}

// occupy gives the link a slot.
func (g *Gateway) occupy(l *fastpath.Link) *connection {
	slot := g.free[len(g.free)-1]
	g.free = g.free[:len(g.free)-1]
	c := &g.slots[slot]
	*c = connection{
		link: l, slot: slot, place: uint32(len(g.live)), stage: stageGreeted,
		sinceNs: g.nowNs, lastInNs: g.nowNs, lastOutNs: g.nowNs,
	}
	g.live = append(g.live, slot)
	l.Data = c
	return c
}

// vacate frees the slot of a connection that has ended.
func (g *Gateway) vacate(c *connection) {
	last := g.live[len(g.live)-1]
	g.live[c.place] = last
	g.slots[last].place = c.place
	g.live = g.live[:len(g.live)-1]
	g.free = append(g.free, c.slot)
	c.link.Data = nil
	*c = connection{slot: c.slot}
}

// cut says to the client why its connection ends and ends it.
func (g *Gateway) cut(c *connection, reason wire.SessionRejectReason, value uint64, template uint16) {
	if c.stage == stageClosing {
		return
	}
	g.logCut(c, reason, value)
	reject := wire.SessionReject{Value: value, RefTemplate: template, Reason: reason}
	c.link.Commit(reject.Append(c.link.Buffer()))
	g.leave(c, reason)
	c.link.Close(errCut)
}

// leave takes the connection's session from it and tells the engine, unless a
// newer connection has the session: then the engine knows. From here on nothing
// of the connection has an effect.
func (g *Gateway) leave(c *connection, reason wire.SessionRejectReason) {
	if c.stage == stageActive && g.sessions.remove(c.session, c) {
		g.tellClosed(c.session, c.number, reason)
	}
	c.stage = stageClosing
}

// tellClosed tells the engine that a connection of a session is gone.
func (g *Gateway) tellClosed(s order.SessionID, number order.ConnectionID, reason wire.SessionRejectReason) {
	if !g.risk.ready {
		return
	}
	closed := wire.SessionClosed{Session: s, Connection: number, Reason: reason}
	g.risk.commit(closed.Append(g.risk.link.Buffer()), g.nowNs)
}

// clientGone forgets a connection whose link has ended.
func (g *Gateway) clientGone(c *connection, cause error) {
	g.counters.Closed++
	reason := wire.SessionRejectReason(0)
	if errors.Is(cause, fastpath.ErrSlowReader) {
		reason = wire.SessionRejectSlowReader
		g.counters.SlowReaders++
		g.logSlowReader(c, c.link.Pending())
	}
	if c.stage == stageActive {
		g.logClosed(c, reason)
	}
	g.leave(c, reason)
	g.vacate(c)
	g.noteDrained()
}

// fromClient takes one message of a client.
func (g *Gateway) fromClient(c *connection, m wire.Message) {
	c.lastInNs = g.nowNs
	switch m.Template {
	case wire.TemplateNewOrder, wire.TemplateReplaceOrder, wire.TemplateCancelOrder, wire.TemplateMassCancel:
		g.fromTrader(c, m)
	case wire.TemplateHeartbeat:
		g.fromHolder(c, m)
	case wire.TemplateLogin:
		g.login(c, m)
	case wire.TemplateLogout:
		g.logout(c)
	default:
		g.misplaced(c, m)
	}
}

// fromTrader takes a request, if the connection may send any.
func (g *Gateway) fromTrader(c *connection, m wire.Message) {
	if c.stage == stageActive {
		g.check(c, m)
		return
	}
	g.counters.NotLoggedIn++
	g.cut(c, wire.SessionRejectNotLoggedIn, 0, m.Template)
}

// misplaced cuts a client for a message that is not a client's to send.
func (g *Gateway) misplaced(c *connection, m wire.Message) {
	g.counters.Malformed++
	g.cut(c, wire.SessionRejectUnknownTemplate, uint64(m.Template), m.Template)
}

// fromHolder takes a heartbeat and what it says the client holds.
func (g *Gateway) fromHolder(c *connection, m wire.Message) {
	if c.stage != stageActive {
		return
	}
	var beat wire.Heartbeat
	beat.Decode(m)
	if beat.OutSeq != wire.NullOutSeq && beat.OutSeq > c.held {
		c.held = beat.OutSeq
		g.acknowledge(c)
	}
}

// acknowledge tells the engine what the client holds, if that has moved and the
// last time is long enough ago. Otherwise a tick does it later.
func (g *Gateway) acknowledge(c *connection) {
	if c.held == c.told || g.nowNs-c.toldNs < acknowledgeNs || !g.opened {
		return
	}
	c.told, c.toldNs = c.held, g.nowNs
	g.counters.Acknowledgments++
	beat := wire.Heartbeat{OutSeq: c.held, Session: c.session, Connection: c.number}
	g.risk.commit(beat.Append(g.risk.link.Buffer()), g.nowNs)
}

// tickClient does what is due by time for one connection.
func (g *Gateway) tickClient(c *connection) {
	switch c.stage {
	case stageGreeted:
		if g.nowNs-c.sinceNs >= loginTimeoutNs {
			g.counters.LoginTimeouts++
			g.cut(c, wire.SessionRejectLoginTimeout, uint64(loginTimeoutNs/nsPerMs), 0)
		}
	case stageDeciding:
		if g.nowNs-c.sinceNs >= decisionTimeoutNs {
			g.refuseLogin(c, wire.LoginRejectBusy)
		}
	case stageActive:
		g.tickActive(c)
	}
}

// tickActive cuts a silent client and sends a heartbeat on an idle connection.
func (g *Gateway) tickActive(c *connection) {
	if g.nowNs-c.lastInNs >= 2*c.keepaliveNs {
		g.counters.Silences++
		g.cut(c, wire.SessionRejectSilence, uint64(2*c.keepaliveNs/nsPerMs), 0)
		return
	}
	g.acknowledge(c)
	if g.nowNs-c.lastOutNs >= c.keepaliveNs {
		g.counters.HeartbeatsSent++
		beat := wire.Heartbeat{OutSeq: wire.NullOutSeq, Session: c.session, Connection: c.number}
		c.link.Commit(beat.Append(c.link.Buffer()))
		c.lastOutNs = g.nowNs
	}
}
