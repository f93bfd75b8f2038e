package gateway

import (
	"tollgate/fastpath"
	"tollgate/fastpath/wire"
	"tollgate/order"
)

// engine is a small riskcheck by the rules of the protocol: it accepts every
// order, keeps the sessions' numbering and streams, and survives its links. Its
// memory outlives the loop that runs it, as a journal's would.
type engine struct {
	link     *fastpath.Link
	sessions map[order.SessionID]*engineSession
	verdicts map[uint64][]byte // by Seq, those the venue has not answered
	next     order.ConnectionID
	seq      uint64
	wanted   uint64 // the next report
	epoch    uint64
	applied  []order.Request // in order
	stale    int             // requests from an old connection
	refused  int             // exchanges whose number of the next report was too low
	closed   []wire.SessionClosed
}

// engineSession is a session as the engine sees it.
type engineSession struct {
	nextRef    uint64
	connection order.ConnectionID
	connected  bool
	stream     [][]byte
	traces     bool
	origin     map[uint64]order.Request // requests by Seq
}

func newEngine() *engine {
	return &engine{
		sessions: map[order.SessionID]*engineSession{}, verdicts: map[uint64][]byte{}, wanted: 1, epoch: 1,
	}
}

func (e *engine) Opened(l *fastpath.Link) {
	e.link = l
	hello := wire.LinkHello{Role: wire.RoleRiskcheck, Instance: e.epoch, Epoch: e.epoch}
	l.Commit(hello.Append(l.Buffer()))
}

func (e *engine) Closed(l *fastpath.Link, _ error) {
	if e.link != l {
		return
	}
	e.link = nil
	for _, s := range e.sessions {
		s.connected = false
	}
}

func (e *engine) Message(l *fastpath.Link, _ wire.Frame, m wire.Message) {
	switch m.Template {
	case wire.TemplateSessionLogin:
		e.login(l, m)
	case wire.TemplateSessionClosed:
		var c wire.SessionClosed
		c.Decode(m)
		e.closed = append(e.closed, c)
		if s := e.sessions[c.Session]; s != nil && s.connection == c.Connection {
			s.connected = false
		}
	case wire.TemplateCheck:
		e.check(l, m)
	case wire.TemplateVenueReport:
		e.report(l, m)
	case wire.TemplateVenueState:
		e.venueState(l, m)
	}
}

func (e *engine) Tick(nowNs int64) {
	if e.link != nil {
		beat := wire.LinkHeartbeat{Time: nowNs}
		e.link.Commit(beat.Append(e.link.Buffer()))
	}
}

func (e *engine) Malformed(*fastpath.Link, *wire.FrameError) {}
func (e *engine) Wake()                                      {}
func (e *engine) BatchEnd()                                  {}

func (e *engine) login(l *fastpath.Link, m wire.Message) {
	var ask wire.SessionLogin
	ask.Decode(m)
	s := e.sessions[ask.Session]
	if s == nil {
		s = &engineSession{nextRef: 1, origin: map[uint64]order.Request{}}
		e.sessions[ask.Session] = s
	}
	e.next++
	s.connection, s.connected, s.traces = e.next, true, ask.Flags&wire.LoginFlagsHopTraces != 0
	ack := wire.LoginAck{
		NextRef: s.nextRef, NextOutSeq: uint64(len(s.stream)) + 1, OldestOutSeq: 1, Epoch: e.epoch,
		LoginID: ask.LoginID, Session: ask.Session, Connection: s.connection, KeepaliveMs: ask.KeepaliveMs,
	}
	l.Commit(ack.Append(l.Buffer()))
	for _, f := range s.stream[min(ask.WantOutSeq-1, uint64(len(s.stream))):] {
		_ = l.Send(f)
	}
}

func (e *engine) check(l *fastpath.Link, m wire.Message) {
	var r order.Request
	var t order.Trace
	m.Check(&r, &t)
	s := e.sessions[r.Session]
	switch {
	case s == nil || s.connection != r.Connection || !s.connected:
		e.stale++
	case r.Ref < s.nextRef:
		hint := wire.Duplicate{Ref: r.Ref, OutSeq: wire.NullOutSeq, Session: r.Session, Connection: r.Connection}
		l.Commit(hint.Append(l.Buffer()))
	case r.Ref > s.nextRef:
		hint := wire.Gap{ExpectedRef: s.nextRef, Session: r.Session, Connection: r.Connection}
		l.Commit(hint.Append(l.Buffer()))
	default:
		e.accept(l, s, &r, &t)
	}
}

// accept takes a request and sends its verdict.
func (e *engine) accept(l *fastpath.Link, s *engineSession, r *order.Request, t *order.Trace) {
	s.nextRef++
	e.seq++
	e.applied = append(e.applied, *r)
	s.origin[e.seq] = *r
	t.RiskIn = l.Loop().Now()
	v := order.Verdict{
		Token: order.Token{Seq: e.seq, Epoch: e.epoch}, OrderID: order.OrderID(e.seq), ClOrdID: r.ClOrdID,
		Session: r.Session, MsgType: r.MsgType,
	}
	f := wire.AppendVerdict(nil, &v, t)
	e.verdicts[e.seq] = f
	_ = l.Send(f)
}

// report books a report and answers the request it is for.
func (e *engine) report(l *fastpath.Link, m wire.Message) {
	var r order.Report
	var t order.Trace
	m.VenueReport(&r, &t)
	if r.ReportSeq != e.wanted {
		return
	}
	e.wanted++
	delete(e.verdicts, r.Seq)
	s := e.sessions[r.Session]
	origin := s.origin[r.Seq]
	a := order.Answer{
		OutSeq: uint64(len(s.stream)) + 1, Ref: origin.Ref, ClOrdID: origin.ClOrdID, OrderID: r.OrderID,
		Session: r.Session, Kind: order.AnswerExecution, ExecType: order.ExecTypeNew, OrdStatus: order.OrdStatusNew,
	}
	f := wire.AppendAnswer(nil, &a)
	s.stream = append(s.stream, f)
	if !s.connected {
		return
	}
	if s.traces {
		t.RiskReport = l.Loop().Now()
		l.Commit(wire.AppendHopTrace(l.Buffer(), r.Session, a.OutSeq, &t))
	}
	_ = l.Send(f)
}

// venueState subscribes to the reports, and drives the verdicts again that the
// venue has not answered.
func (e *engine) venueState(l *fastpath.Link, m wire.Message) {
	var v wire.VenueState
	v.Decode(m)
	if !v.Up {
		return
	}
	if v.NextReportSeq < e.wanted {
		e.refused++
		return
	}
	from := wire.ReportsFrom{Epoch: e.epoch, From: e.wanted}
	l.Commit(from.Append(l.Buffer()))
	for seq := uint64(1); seq <= e.seq; seq++ {
		if f := e.verdicts[seq]; f != nil {
			_ = l.Send(f)
		}
	}
}

// exchange acknowledges every order once, whatever how often it comes, and
// keeps its reports for whoever asks.
type exchange struct {
	link    *fastpath.Link
	used    map[uint64]bool
	reports [][]byte
	streams bool // somebody has asked for reports on this link
	cancels []wire.VenueCancel
}

func newExchange() *exchange { return &exchange{used: map[uint64]bool{}} }

func (x *exchange) Opened(l *fastpath.Link) {
	x.link, x.streams = l, false
	hello := wire.LinkHello{Role: wire.RoleExchange, Instance: 1, NextReportSeq: uint64(len(x.reports)) + 1}
	l.Commit(hello.Append(l.Buffer()))
}

func (x *exchange) Closed(l *fastpath.Link, _ error) {
	if x.link == l {
		x.link = nil
	}
}

func (x *exchange) Message(l *fastpath.Link, _ wire.Frame, m wire.Message) {
	switch m.Template {
	case wire.TemplateReportsFrom:
		var from wire.ReportsFrom
		from.Decode(m)
		x.streams = true
		for _, f := range x.reports[from.From-1:] {
			_ = l.Send(f)
		}
	case wire.TemplateVenueCancel:
		var c wire.VenueCancel
		c.Decode(m)
		x.cancels = append(x.cancels, c)
	case wire.TemplateVerdict:
		x.verdict(l, m)
	}
}

func (x *exchange) verdict(l *fastpath.Link, m wire.Message) {
	var v order.Verdict
	var t order.Trace
	m.Verdict(&v, &t)
	if x.used[v.Token.Seq] {
		return
	}
	x.used[v.Token.Seq] = true
	t.VenueIn = l.Loop().Now()
	r := order.Report{
		ReportSeq: uint64(len(x.reports)) + 1, Seq: v.Token.Seq, OrderID: v.OrderID, ClOrdID: v.ClOrdID,
		Session: v.Session, Kind: order.ReportNew,
	}
	f := wire.AppendVenueReport(nil, &r, &t)
	x.reports = append(x.reports, f)
	if x.streams {
		_ = l.Send(f)
	}
}

func (x *exchange) Tick(nowNs int64) {
	if x.link != nil {
		beat := wire.LinkHeartbeat{Time: nowNs}
		x.link.Commit(beat.Append(x.link.Buffer()))
	}
}

func (x *exchange) Malformed(*fastpath.Link, *wire.FrameError) {}
func (x *exchange) Wake()                                      {}
func (x *exchange) BatchEnd()                                  {}
