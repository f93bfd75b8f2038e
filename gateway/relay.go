package gateway

import (
	"tollgate/fastpath"
	"tollgate/fastpath/wire"
	"tollgate/order"
)

// check passes a request to the engine, with the session and connection it
// came in on.
func (g *Gateway) check(c *connection, m wire.Message) {
	r := &g.request
	if err := m.Request(r); err != nil {
		g.counters.Malformed++
		g.cut(c, wire.SessionRejectMalformed, 0, m.Template)
		return
	}
	r.Session, r.Connection = c.session, c.number
	if !g.opened {
		g.busy(c, r)
		return
	}
	g.counters.Checks++
	g.trace = order.Trace{GatewayIn: g.nowNs}
	g.risk.commit(wire.AppendCheck(g.risk.link.Buffer(), r, &g.trace), g.nowNs)
}

// busy answers a request while the engine is away. The hint has no reason: only
// the engine gives those. A cancel goes to the
// exchange besides; the client repeats it later all the same, so that it gets
// its final answer.
func (g *Gateway) busy(c *connection, r *order.Request) {
	if r.MsgType == order.MsgCancelOrder {
		g.venueCancel(c, r)
	}
	g.counters.BusySent++
	busy := wire.Busy{
		Ref: r.Ref, RetryAfterMs: g.cfg.RetryAfterMs, Session: c.session, Connection: c.number,
		Reason: order.ReasonNone,
	}
	c.link.Commit(busy.Append(c.link.Buffer()))
	c.lastOutNs = g.nowNs
}

// venueCancel passes a cancel around the absent engine.
func (g *Gateway) venueCancel(c *connection, r *order.Request) {
	if !g.venue.ready {
		g.counters.CancelsStranded++
		return
	}
	g.counters.VenueCancels++
	cancel := wire.VenueCancel{OrigClOrdID: r.OrigClOrdID, Session: c.session}
	g.venue.commit(cancel.Append(g.venue.link.Buffer()), g.nowNs)
}

// fromRisk takes one message of the engine.
func (g *Gateway) fromRisk(l *fastpath.Link, f wire.Frame, m wire.Message) {
	if !g.risk.takes(l, m, g.nowNs) {
		g.outOfPlace(l, m)
		return
	}
	switch m.Template {
	case wire.TemplateVerdict:
		g.verdict(f)
	case wire.TemplateExecutionReport, wire.TemplateOrderCancelReject,
		wire.TemplateOrderMassCancelReport, wire.TemplateCancelOnDisconnectReport:
		g.answer(f, m)
	case wire.TemplateHopTrace:
		g.hopTrace(f, m)
	default:
		g.fromRiskRare(l, f, m)
	}
}

// fromRiskRare takes what the engine sends seldom.
func (g *Gateway) fromRiskRare(l *fastpath.Link, f wire.Frame, m wire.Message) {
	switch m.Template {
	case wire.TemplateLinkHeartbeat:
	case wire.TemplateLinkHello:
		g.riskHello(l, m)
	case wire.TemplateLoginAck:
		g.loginAck(f, m)
	case wire.TemplateLoginReject:
		g.loginReject(f, m)
	case wire.TemplateGap, wire.TemplateDuplicate, wire.TemplateBusy:
		g.hint(f, m)
	case wire.TemplateSessionDisconnect:
		g.disconnect(m)
	case wire.TemplateReportsFrom, wire.TemplateReportsAck, wire.TemplateKillFence:
		g.pass(&g.venue, f, &g.counters.Commands)
	default:
		g.outOfPlace(l, m)
	}
}

// verdict passes an accepted order to the exchange. Without the exchange it is
// dropped: the engine drives it anew when the exchange is back.
func (g *Gateway) verdict(f wire.Frame) {
	if !g.venue.ready {
		g.counters.VerdictsDropped++
		return
	}
	g.counters.Verdicts++
	wire.StampVerdict(f, g.nowNs)
	g.venue.send(f, g.nowNs)
}

// answer passes a sequenced answer to its session's client. Without one it is
// dropped: the next login asks for it.
func (g *Gateway) answer(f wire.Frame, m wire.Message) {
	c := g.sessions.find(wire.AnswerSession(m))
	if c == nil {
		g.counters.AnswersUnroutable++
		return
	}
	g.counters.Answers++
	g.toClient(c, f)
}

// hopTrace passes the times of an order to the client that gets its answer
// next.
func (g *Gateway) hopTrace(f wire.Frame, m wire.Message) {
	c := g.sessions.find(wire.AnswerSession(m))
	if c == nil {
		g.counters.HintsUnroutable++
		return
	}
	g.counters.Traces++
	wire.StampHopTrace(f, g.nowNs)
	g.toClient(c, f)
}

// hint passes a hint to the connection it is for.
func (g *Gateway) hint(f wire.Frame, m wire.Message) {
	session, number := hintAddress(m)
	c := g.sessions.find(session)
	if c == nil || c.number != number {
		g.counters.HintsUnroutable++
		return
	}
	g.counters.Hints++
	g.toClient(c, f)
}

// hintAddress returns the connection that a hint is for.
func hintAddress(m wire.Message) (order.SessionID, order.ConnectionID) {
	switch m.Template {
	case wire.TemplateGap:
		var h wire.Gap
		h.Decode(m)
		return h.Session, h.Connection
	case wire.TemplateDuplicate:
		var h wire.Duplicate
		h.Decode(m)
		return h.Session, h.Connection
	}
	var h wire.Busy
	h.Decode(m)
	return h.Session, h.Connection
}

// toClient sends a frame to a client as it is. If the client reads too slowly
// the link closes, and Closed tells.
func (g *Gateway) toClient(c *connection, f wire.Frame) {
	if c.link.Send(f) == nil {
		c.lastOutNs = g.nowNs
	}
}

// fromVenue takes one message of the exchange.
func (g *Gateway) fromVenue(l *fastpath.Link, f wire.Frame, m wire.Message) {
	if !g.venue.takes(l, m, g.nowNs) {
		g.outOfPlace(l, m)
		return
	}
	switch m.Template {
	case wire.TemplateVenueReport:
		g.report(f)
	case wire.TemplateLinkHeartbeat:
	case wire.TemplateLinkHello:
		g.venueHello(l, m)
	case wire.TemplateReferencePrice:
		g.pass(&g.risk, f, &g.counters.Prices)
	case wire.TemplateKillFenceAck, wire.TemplateAdapterRefusal:
		g.pass(&g.risk, f, &g.counters.Notices)
	default:
		g.outOfPlace(l, m)
	}
}

// report passes a venue report to the engine. Without the engine it is
// dropped: the exchange keeps it until the engine has acknowledged it.
func (g *Gateway) report(f wire.Frame) {
	if !g.risk.ready {
		g.counters.ReportsDropped++
		return
	}
	g.counters.Reports++
	wire.StampReport(f, g.nowNs)
	g.risk.send(f, g.nowNs)
}

// pass relays a frame to the other neighbour as it is.
func (g *Gateway) pass(to *neighbour, f wire.Frame, counter *uint64) {
	if !to.ready {
		g.counters.CommandsDropped++
		return
	}
	*counter++
	to.send(f, g.nowNs)
}
