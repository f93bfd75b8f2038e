package gateway

import (
	"tollgate/asynclog"
	"tollgate/fastpath"
	"tollgate/fastpath/wire"
)

// BoundConnections is the number under which a reached ConnectionsMax is
// logged.
const BoundConnections = 1

// EventName gives the names of the numbers in a gateway's events, for
// asynclog.Config.Name: kinds of links, reasons of rejects, bounds. It returns
// "" for what it does not know.
func EventName(f asynclog.Format, value uint64) string {
	switch {
	case f == asynclog.FormatLoginReject && value != 0 && value < 256:
		return wire.LoginRejectReason(value).String()
	case f == asynclog.FormatSessionReject && value != 0 && value < 256:
		return wire.SessionRejectReason(value).String()
	case f == asynclog.FormatLinkKind:
		return kindName(fastpath.Kind(value))
	case f == asynclog.FormatBound && value == BoundConnections:
		return "connections"
	}
	return ""
}

func kindName(k fastpath.Kind) string {
	switch k {
	case KindClient:
		return "client"
	case KindRisk:
		return "riskcheck"
	case KindVenue:
		return "exchange"
	}
	return ""
}

// append adds an event to the log, if there is one. Texts are made elsewhere.
func (g *Gateway) append(code asynclog.Code, args ...uint64) {
	if g.log != nil {
		g.log.Append(code, g.nowNs, args...)
	}
}

func (g *Gateway) logLinkUp(l *fastpath.Link) {
	if g.log != nil {
		g.log.LinkUp(g.nowNs, l.ID(), uint64(l.Kind()), l.Remote())
	}
}

func (g *Gateway) logLinkDown(l *fastpath.Link, cause error) {
	if g.log != nil {
		g.log.LinkDown(g.nowNs, l.ID(), uint64(l.Kind()), l.Remote(), cause)
	}
}

func (g *Gateway) logMalformed(l *fastpath.Link, err *wire.FrameError) {
	g.append(asynclog.CodeMalformedFrame, l.ID(), uint64(l.Kind()), uint64(err.Reason), err.Value)
}

func (g *Gateway) logSlowReader(c *connection, pendingBytes int) {
	g.append(asynclog.CodeSlowReader, c.link.ID(), uint64(KindClient), uint64(pendingBytes), 0)
}

func (g *Gateway) logCapacity(connectionsMax int) {
	g.append(asynclog.CodeCapacityReached, BoundConnections, uint64(connectionsMax), g.counters.Refused)
}

func (g *Gateway) logLogin(c *connection, ack *wire.LoginAck) {
	g.append(asynclog.CodeSessionLogin, uint64(c.session), uint64(c.client), uint64(c.number), ack.NextRef,
		ack.NextOutSeq, c.link.ID())
}

func (g *Gateway) logRefused(c *connection, reason wire.LoginRejectReason) {
	g.append(asynclog.CodeSessionRefused, uint64(c.session), uint64(c.client), uint64(reason), c.link.ID())
}

func (g *Gateway) logClosed(c *connection, reason wire.SessionRejectReason) {
	g.append(asynclog.CodeSessionClosed, uint64(c.session), uint64(c.number), uint64(reason))
}

func (g *Gateway) logCut(c *connection, reason wire.SessionRejectReason, value uint64) {
	g.append(asynclog.CodeSessionCut, uint64(c.session), uint64(c.number), uint64(reason), value, c.link.ID())
}

func (g *Gateway) logVenueState(up bool) {
	code := asynclog.CodeVenueDown
	if up {
		code = asynclog.CodeVenueUp
	}
	g.append(code, g.venue.hello.Instance, g.venue.hello.NextReportSeq)
}
