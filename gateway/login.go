package gateway

import (
	"crypto/subtle"

	"tollgate/fastpath/wire"
)

// login judges a Login by itself and asks the engine about it.
func (g *Gateway) login(c *connection, m wire.Message) {
	if c.stage != stageGreeted {
		g.counters.Malformed++
		g.cut(c, wire.SessionRejectMalformed, 0, m.Template)
		return
	}
	var l wire.Login
	l.Decode(m)
	c.session, c.client = l.Session, l.Client
	switch {
	case !g.authentic(c, &l):
		g.counters.NotAuthorized++
		g.refuseLogin(c, wire.LoginRejectNotAuthorized)
	case l.Session == 0 || l.WantOutSeq == 0 || l.CancelOnDisconnectMs > cancelOnDisconnectMaxMs:
		g.refuseLogin(c, wire.LoginRejectMalformed)
	case !g.opened:
		g.refuseLogin(c, wire.LoginRejectBusy)
	default:
		g.askEngine(c, &l)
	}
}

// authentic reports whether the Login was made with the key of its client and
// the nonce of this connection. A client that is not known costs the same
// time as a wrong key.
func (g *Gateway) authentic(c *connection, l *wire.Login) bool {
	key, known := g.keys[l.Client]
	if !known {
		key = g.dummyKey
	}
	mac := wire.LoginMAC(key, c.nonce, l)
	return subtle.ConstantTimeCompare(mac[:], l.Mac[:]) == 1 && known
}

// askEngine passes a good Login on. The answer carries LoginID back.
func (g *Gateway) askEngine(c *connection, l *wire.Login) {
	g.loginCount++
	c.loginID = g.loginCount<<slotBits | uint64(c.slot)
	c.stage, c.sinceNs = stageDeciding, g.nowNs
	keepaliveMs := grantKeepalive(l.KeepaliveMs)
	c.keepaliveNs = int64(keepaliveMs) * nsPerMs
	ask := wire.SessionLogin{
		WantOutSeq: l.WantOutSeq, LoginID: c.loginID, Session: l.Session, Client: l.Client,
		CancelOnDisconnectMs: l.CancelOnDisconnectMs, Flags: l.Flags, KeepaliveMs: keepaliveMs,
	}
	g.risk.commit(ask.Append(g.risk.link.Buffer()), g.nowNs)
}

// slotBits is the part of a LoginID that names the slot; it holds
// connectionsLimit slots.
const slotBits = 16

// grantKeepalive bounds what a client asks for.
func grantKeepalive(askedMs uint32) uint32 {
	if askedMs == 0 {
		return keepaliveDefaultMs
	}
	return min(max(askedMs, keepaliveMinMs), keepaliveMaxMs)
}

// deciding returns the connection that waits for the decision with this
// LoginID, or nil if it has ended meanwhile.
func (g *Gateway) deciding(loginID uint64) *connection {
	slot := loginID & (1<<slotBits - 1)
	if slot >= uint64(len(g.slots)) {
		return nil
	}
	c := &g.slots[slot]
	if c.stage != stageDeciding || c.loginID != loginID {
		return nil
	}
	return c
}

// refuseLogin answers a Login in the gateway's own name and ends the
// connection.
func (g *Gateway) refuseLogin(c *connection, reason wire.LoginRejectReason) {
	g.counters.LoginsRefused++
	g.logRefused(c, reason)
	reject := wire.LoginReject{LoginID: c.loginID, Session: c.session, Reason: reason}
	c.link.Commit(reject.Append(c.link.Buffer()))
	g.leave(c, 0)
	c.link.Close(errCut)
}

// loginAck makes the connection the session's and passes the engine's answer
// on. An older connection of the session is replaced. If the client has gone
// meanwhile, the engine is told.
func (g *Gateway) loginAck(f wire.Frame, m wire.Message) {
	var ack wire.LoginAck
	ack.Decode(m)
	c := g.deciding(ack.LoginID)
	if c == nil {
		g.tellClosed(ack.Session, ack.Connection, 0)
		return
	}
	old := g.sessions.find(ack.Session)
	g.counters.Logins++
	c.stage, c.sinceNs, c.session, c.number = stageActive, g.nowNs, ack.Session, ack.Connection
	if ack.KeepaliveMs != 0 {
		c.keepaliveNs = int64(grantKeepalive(ack.KeepaliveMs)) * nsPerMs
	}
	g.sessions.put(c.session, c)
	g.logLogin(c, &ack)
	g.toClient(c, f)
	if old != nil {
		g.counters.Replaced++
		g.cut(old, wire.SessionRejectReplaced, 0, 0)
	}
}

// loginReject passes the engine's refusal on and ends the connection.
func (g *Gateway) loginReject(f wire.Frame, m wire.Message) {
	var reject wire.LoginReject
	reject.Decode(m)
	c := g.deciding(reject.LoginID)
	if c == nil {
		return
	}
	g.counters.LoginsRefused++
	g.logRefused(c, reject.Reason)
	g.toClient(c, f)
	g.leave(c, 0)
	c.link.Close(errCut)
}

// logout ends a connection as its client wishes.
func (g *Gateway) logout(c *connection) {
	if c.stage == stageActive {
		g.counters.Logouts++
		g.logClosed(c, 0)
	}
	g.leave(c, 0)
	c.link.Close(errCut)
}

// disconnect cuts the connection the engine names, if it still is the
// session's.
func (g *Gateway) disconnect(m wire.Message) {
	var wish wire.SessionDisconnect
	wish.Decode(m)
	c := g.sessions.find(wish.Session)
	if c == nil || c.number != wish.Connection {
		return
	}
	g.counters.Disconnects++
	g.cut(c, wish.Reason, 0, 0)
}
