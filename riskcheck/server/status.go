package server

import (
	"context"

	"tollgate/fastpath"
	"tollgate/order"
	"tollgate/riskcheck"
)

// Counters say what a server has done since it began.
type Counters struct {
	Requests        uint64 // checks received
	Verdicts        uint64 // accepted requests sent towards the venue, repeats included
	Accepted        uint64 // final answers that grant what was asked for
	Rejected        uint64 // final answers that do not
	Reports         uint64 // venue reports received, repeats included
	Stale           uint64 // requests of old connections
	Gaps            uint64 // requests that came too early
	Duplicates      uint64 // requests that came again
	Warnings        uint64 // sessions warned of their cancel rate
	Cuts            uint64 // sessions cut for their rate
	ReportGaps      uint64 // venue reports asked for again
	AdapterRefusals uint64 // orders the adapter let not pass, repeats included
	VenuesRefused   uint64 // adapters whose history the engine does not hold
	Alerts          uint64 // alerts of the engine
	AlertsLost      uint64 // of those, that found no room on the way to people; they are in the log
	Reasons         [reasonsMax]uint64
	PerSecond       uint64 // requests in the last full second

	secondStartNs int64
	secondFrom    uint64
}

// rate keeps Counters.PerSecond.
func (s *Server) rate(nowNs int64) {
	c := &s.counters
	if passed := nowNs - c.secondStartNs; passed >= 1e9 {
		c.PerSecond = (c.Requests - c.secondFrom) * 1e9 / uint64(passed)
		c.secondStartNs, c.secondFrom = nowNs, c.Requests
	}
}

// Status is a server's state at one moment.
type Status struct {
	Counters      Counters
	Epoch         uint64
	VenueInstance uint64
	Gateways      int
	Sessions      []Session
	VenueUp       bool
}

// Session is a session and its connection.
type Session struct {
	riskcheck.SessionState
	CancelOnDisconnectNs int64
	Gateway              string // address of the gateway it is connected through
}

// Status returns the server's state.
func (s *Server) Status(ctx context.Context) (*Status, error) {
	st := &Status{}
	err := s.run(ctx, func(int64) {
		st.Counters, st.Epoch = s.counters, s.engine.Epoch()
		st.VenueInstance, st.VenueUp, st.Gateways = s.venue.instance, s.engine.VenueIsUp(), len(s.gateways)
		for _, state := range s.engine.Sessions() {
			session := Session{SessionState: state}
			if d := s.delivery(state.ID); d != nil {
				session.CancelOnDisconnectNs = d.windowNs
				if d.gateway != nil {
					session.Gateway = d.gateway.link.Remote()
				}
			}
			st.Sessions = append(st.Sessions, session)
		}
	})
	return st, err
}

// SampleKind says what a Sample shows.
type SampleKind uint8

// The kinds of samples.
const (
	SampleDecision SampleKind = 1 // Request and Decision
	SampleSession  SampleKind = 2 // Request.Session and Connection; Up says whether it is connected
	SampleVenue    SampleKind = 3 // Up
)

// Sample is something that has happened, for people to look at.
type Sample struct {
	Request  order.Request
	Decision order.Decision // zero when accepted
	TimeNs   int64
	Kind     SampleKind
	Up       bool
}

// Samples returns the ring of samples: every rejected request and now and then
// an accepted one, sessions and the venue coming and going. One goroutine may
// take from it. What finds no room in it is lost.
func (s *Server) Samples() *fastpath.Ring[Sample] { return s.samples }

// sampleSession shows that a session has come or gone.
func (s *Server) sampleSession(id order.SessionID, connection order.ConnectionID, up bool) {
	s.samples.Push(Sample{
		Kind: SampleSession, TimeNs: s.loop.Now(), Up: up,
		Request: order.Request{Session: id, Connection: connection},
	})
}

// sampleVenue shows that the venue has come or gone.
func (s *Server) sampleVenue(up bool) {
	s.samples.Push(Sample{Kind: SampleVenue, TimeNs: s.loop.Now(), Up: up})
}

// sampleRejected offers a rejected request.
func (s *Server) sampleRejected(a *order.Answer) {
	s.samples.Push(Sample{
		Kind: SampleDecision, TimeNs: a.TransactTime, Decision: a.Decision,
		Request: order.Request{
			Ref: a.Ref, ClOrdID: a.ClOrdID, OrigClOrdID: a.OrigClOrdID, Price: a.Price, StopPx: order.Null,
			OrderQty: a.OrderQty, Session: a.Session, Account: a.Account, Trader: a.Trader, Instrument: a.Instrument,
			MsgType: a.MsgType, Side: a.Side,
		},
	})
}

// sampleAccepted offers an accepted request, one in acceptsPerSample.
func (s *Server) sampleAccepted(v *order.Verdict) {
	if v.Token.Seq%acceptsPerSample != 0 {
		return
	}
	s.samples.Push(Sample{
		Kind: SampleDecision, TimeNs: s.loop.Now(),
		Request: order.Request{
			ClOrdID: v.ClOrdID, OrigClOrdID: v.OrigClOrdID, Price: v.Price, StopPx: v.StopPx, OrderQty: v.OrderQty,
			Session: v.Session, Account: v.Account, Trader: v.Trader, Instrument: v.Instrument,
			MsgType: v.MsgType, Side: v.Side, OrdType: v.OrdType, TimeInForce: v.TimeInForce,
		},
	})
}
