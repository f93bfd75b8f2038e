package wire

import (
	"encoding/binary"

	"tollgate/order"
)

func (v *hopTimesView) encode(t *order.Trace) {
	v.SetGatewayIn(t.GatewayIn)
	v.SetRiskIn(t.RiskIn)
	v.SetGatewayVerdict(t.GatewayVerdict)
	v.SetVenueIn(t.VenueIn)
	v.SetGatewayReport(t.GatewayReport)
	v.SetRiskReport(t.RiskReport)
	v.SetGatewayAnswer(t.GatewayAnswer)
}

func (v *hopTimesView) decode(t *order.Trace) {
	t.GatewayIn = v.GatewayIn()
	t.RiskIn = v.RiskIn()
	t.GatewayVerdict = v.GatewayVerdict()
	t.VenueIn = v.VenueIn()
	t.GatewayReport = v.GatewayReport()
	t.RiskReport = v.RiskReport()
	t.GatewayAnswer = v.GatewayAnswer()
}

// AppendHopTrace appends a HopTrace frame: the times of the answer that
// follows it, for a session that asked for them.
func AppendHopTrace(dst []byte, session order.SessionID, outSeq uint64, t *order.Trace) []byte {
	dst, v := appendHopTraceView(dst)
	v.SetOutSeq(outSeq)
	v.Trace().encode(t)
	v.SetSession(uint32(session))
	return dst
}

// HopTrace decodes a HopTrace and returns the session and the number of the
// answer it belongs to. The caller has seen m.Template to be TemplateHopTrace.
func (m Message) HopTrace(t *order.Trace) (order.SessionID, uint64) {
	v := (*hopTraceView)(m.Block)
	v.Trace().decode(t)
	return order.SessionID(v.Session()), v.OutSeq()
}

// StampVerdict writes Trace.GatewayVerdict (ns since 1970 UTC) into a Verdict
// frame in place.
func StampVerdict(f Frame, now int64) {
	stamp(f, verdictTraceGatewayVerdictOffset, now)
}

// StampReport writes Trace.GatewayReport (ns since 1970 UTC) into a VenueReport
// frame in place.
func StampReport(f Frame, now int64) {
	stamp(f, venueReportTraceGatewayReportOffset, now)
}

// StampHopTrace writes Trace.GatewayAnswer (ns since 1970 UTC) into a HopTrace
// frame in place.
func StampHopTrace(f Frame, now int64) {
	stamp(f, hopTraceTraceGatewayAnswerOffset, now)
}

// stamp writes a time at an offset of the root block, unless the block is of an
// older version that ends before it.
func stamp(f Frame, offset int, now int64) {
	if int(binary.LittleEndian.Uint16(f[blockLengthOffset:])) >= offset+8 && len(f) >= HeaderSize+offset+8 {
		binary.LittleEndian.PutUint64(f[HeaderSize+offset:], uint64(now))
	}
}
