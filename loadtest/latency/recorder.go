package latency

import (
	"github.com/HdrHistogram/hdrhistogram-go"

	"tollgate/order"
)

// Recorder holds one histogram for each hop.
type Recorder struct {
	histograms [HopCount]*hdrhistogram.Histogram
	clipped    uint64
	backwards  uint64
}

// NewRecorder returns a recorder with empty histograms, about 200 KB each.
func NewRecorder() *Recorder {
	r := &Recorder{}
	for i := range r.histograms {
		r.histograms[i] = hdrhistogram.New(1, LatencyMaxNs, significantDigits)
	}
	return r
}

// Record adds one time in nanoseconds. A negative time comes from a clock that
// was set back; it is counted and recorded as zero.
func (r *Recorder) Record(h Hop, ns int64) {
	if ns < 0 {
		r.backwards++
		ns = 0
	}
	if ns > LatencyMaxNs {
		r.clipped++
		ns = LatencyMaxNs
	}
	if err := r.histograms[h].RecordValue(ns); err != nil {
		r.clipped++
	}
}

// Times are the client's own times of one request, ns since 1970 UTC.
type Times struct {
	ScheduledNs int64
	SentNs      int64
	ReceivedNs  int64
}

// Sent records how late the generator was.
func (r *Recorder) Sent(scheduledNs, sentNs int64) { r.Record(GeneratorLag, sentNs-scheduledNs) }

// Answered records the whole way of a request with its final answer.
func (r *Recorder) Answered(t *Times, rejected bool) {
	whole := FullChain
	if rejected {
		whole = FullChainReject
	}
	r.Record(whole, t.ReceivedNs-t.ScheduledNs)
}

// Traced records the stations of a request. A station that was not passed
// (zero) has no hop before or after it; so a reject has only the hops it really
// made.
func (r *Recorder) Traced(t *Times, trace *order.Trace) {
	r.between(ClientToGateway, t.SentNs, trace.GatewayIn)
	r.between(GatewayToRisk, trace.GatewayIn, trace.RiskIn)
	r.between(RiskToGateway, trace.RiskIn, trace.GatewayVerdict)
	r.between(RiskUplink, trace.GatewayIn, trace.GatewayVerdict)
	r.between(GatewayToVenue, trace.GatewayVerdict, trace.VenueIn)
	r.between(VenueToGateway, trace.VenueIn, trace.GatewayReport)
	r.between(ReportToRisk, trace.GatewayReport, trace.RiskReport)
	r.between(RiskToGatewayAnswer, trace.RiskReport, trace.GatewayAnswer)
	r.between(GatewayToClient, trace.GatewayAnswer, t.ReceivedNs)
}

func (r *Recorder) between(h Hop, fromNs, toNs int64) {
	if fromNs != 0 && toNs != 0 {
		r.Record(h, toNs-fromNs)
	}
}

// Clipped returns how many times were above LatencyMaxNs.
func (r *Recorder) Clipped() uint64 { return r.clipped }

// Backwards returns how many times were negative.
func (r *Recorder) Backwards() uint64 { return r.backwards }

// Reset empties all histograms: what follows a warm-up is a new measurement.
func (r *Recorder) Reset() {
	for _, h := range r.histograms {
		h.Reset()
	}
	r.clipped, r.backwards = 0, 0
}
