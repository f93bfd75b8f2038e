package gateway

import (
	"errors"
	"fmt"

	"tollgate/fastpath"
	"tollgate/fastpath/wire"
)

// neighbour is the link to the engine or to the exchange.
type neighbour struct {
	link      *fastpath.Link // nil while there is none
	hello     wire.LinkHello // the last one received; it outlives the link
	lastInNs  int64
	lastOutNs int64
	role      wire.Role // what the other end must be
	ready     bool      // its LinkHello has come on this link
}

// errStale is the cause of closing the link to the exchange when the engine has
// come up: what the exchange said in its hello may be out of date.
var errStale = errors.New("gateway: the engine is new, the exchange's hello is not")

// errHung is the cause of closing a link on which nothing came for too long.
var errHung = errors.New("gateway: the other end of the link is silent")

// greet introduces the gateway on a new link.
func (g *Gateway) greet(n *neighbour, l *fastpath.Link) {
	n.link, n.ready, n.lastInNs = l, false, g.nowNs
	hello := wire.LinkHello{Instance: g.cfg.Instance, Role: wire.RoleGateway}
	n.commit(hello.Append(l.Buffer()), g.nowNs)
}

// commit hands a frame that was encoded in place to the link.
func (n *neighbour) commit(b []byte, nowNs int64) {
	n.lastOutNs = nowNs
	n.link.Commit(b)
}

// send copies a frame to the link. If the bound is reached the link closes,
// and Closed tells.
func (n *neighbour) send(f wire.Frame, nowNs int64) {
	n.lastOutNs = nowNs
	_ = n.link.Send(f)
}

// takes notes that a message has come and reports whether it may: the first one
// on a link must be the LinkHello.
func (n *neighbour) takes(l *fastpath.Link, m wire.Message, nowNs int64) bool {
	n.lastInNs = nowNs
	return l == n.link && n.ready != (m.Template == wire.TemplateLinkHello)
}

// outOfPlace closes a link whose other end sends what it must not. The loop
// dials again.
func (g *Gateway) outOfPlace(l *fastpath.Link, m wire.Message) {
	g.counters.FramesOutOfPlace++
	l.Close(fmt.Errorf("gateway: template %d came out of place from %s", m.Template, l.Remote()))
}

// take keeps the hello and reports whether the right process sent it.
func (n *neighbour) take(m wire.Message) bool {
	var hello wire.LinkHello
	hello.Decode(m)
	if hello.Role != n.role {
		return false
	}
	n.hello, n.ready = hello, true
	return true
}

// riskHello takes note of the engine. Clients may use it once it has heard of the
// exchange, or settleNs later, so that their first orders are not refused for
// want of a venue that is about to be announced.
//
// A link to the exchange from before is made anew: the engine judges by
// NextReportSeq whether it holds the exchange's whole history, so it must get a
// number of now, never one from before it came up.
func (g *Gateway) riskHello(l *fastpath.Link, m wire.Message) {
	if !g.risk.take(m) {
		g.outOfPlace(l, m)
		return
	}
	g.counters.RiskUps++
	g.logLinkUp(l)
	g.settleUntilNs = g.nowNs + settleNs
	if g.venue.ready {
		g.counters.VenueRefreshes++
		g.venue.link.Close(errStale)
	}
}

// open lets clients use the engine.
func (g *Gateway) open() {
	g.opened = true
	g.realign()
}

// realign closes every connection that was logged in while the engine was away:
// each session lines up with the engine by logging in anew. The engine is not
// told of each: it has taken the loss of the link for the loss of them all, or is
// a new one.
func (g *Gateway) realign() {
	for i := len(g.live) - 1; i >= 0; i-- {
		c := &g.slots[g.live[i]]
		if c.stage != stageActive {
			continue
		}
		g.counters.Realigned++
		g.sessions.remove(c.session, c)
		g.cut(c, wire.SessionRejectDraining, 0, 0)
	}
}

// venueHello takes the exchange into use.
func (g *Gateway) venueHello(l *fastpath.Link, m wire.Message) {
	if !g.venue.take(m) {
		g.outOfPlace(l, m)
		return
	}
	g.counters.VenueUps++
	g.logLinkUp(l)
	g.announceVenue()
}

// announceVenue tells the engine that the exchange can be reached.
func (g *Gateway) announceVenue() {
	if !g.risk.ready {
		return
	}
	g.announced = true
	g.tellVenueState(true)
	if !g.opened {
		g.open()
	}
}

// tickSettling ends the wait for the exchange.
func (g *Gateway) tickSettling() {
	if g.risk.ready && !g.opened && g.nowNs >= g.settleUntilNs {
		g.open()
	}
}

func (g *Gateway) tellVenueState(up bool) {
	g.logVenueState(up)
	state := wire.VenueState{
		Instance: g.venue.hello.Instance, NextReportSeq: g.venue.hello.NextReportSeq, Up: up,
	}
	g.risk.commit(state.Append(g.risk.link.Buffer()), g.nowNs)
}

// riskGone goes on without the engine. Logins it has not decided are refused at
// the end of the batch: what is sent while a link is being buried is not certain
// to be flushed before the next one is.
func (g *Gateway) riskGone(l *fastpath.Link, cause error) {
	if g.risk.link != l {
		return
	}
	g.counters.RiskDowns++
	g.logLinkDown(l, cause)
	g.risk.link, g.risk.ready = nil, false
	g.opened, g.announced, g.undecided = false, false, true
}

// refuseUndecided refuses the logins that the engine cannot decide any more.
func (g *Gateway) refuseUndecided() {
	g.undecided = false
	for i := len(g.live) - 1; i >= 0; i-- {
		if c := &g.slots[g.live[i]]; c.stage == stageDeciding {
			g.refuseLogin(c, wire.LoginRejectBusy)
		}
	}
}

// venueGone goes on without the exchange, and tells the engine if it was told of
// the exchange before.
func (g *Gateway) venueGone(l *fastpath.Link, cause error) {
	if g.venue.link != l {
		return
	}
	g.counters.VenueDowns++
	g.logLinkDown(l, cause)
	g.venue.link, g.venue.ready = nil, false
	if g.announced {
		g.announced = false
		g.tellVenueState(false)
	}
}

// tickNeighbour closes a link that hangs and keeps an idle one alive.
func (g *Gateway) tickNeighbour(n *neighbour) {
	if n.link == nil {
		return
	}
	if g.nowNs-n.lastInNs >= linkSilenceNs {
		g.counters.LinkHangs++
		n.link.Close(errHung)
		return
	}
	if g.nowNs-n.lastOutNs >= linkIdleNs {
		beat := wire.LinkHeartbeat{Time: g.nowNs}
		n.commit(beat.Append(n.link.Buffer()), g.nowNs)
	}
}
