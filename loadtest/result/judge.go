package result

import (
	"fmt"

	"tollgate/loadtest/latency"
)

// Bounds of a result that counts.
const (
	// rateReachedShare is the share of the target rate that must be achieved.
	rateReachedShare = 0.99
	// lagShareMax is the largest share of the chain's median that the
	// generator's own lateness may have at its 99th percentile.
	lagShareMax = 0.1
)

// Evidence is what a run shows beyond the numbers in the object.
type Evidence struct {
	LagCounts   bool   // the generator's lateness may make the result one that does not count
	StreamGaps  uint64 // holes in answer streams
	Strays      uint64 // final answers to requests that were never sent
	Backwards   uint64 // times that were negative: the host's clock was set back
	Interrupted bool   // the run was ended before its time
	Failures    []string
}

// Judge applies every rule and sets Valid and InvalidBecause. It may be called
// again when more is known, for instance after reconciliation.
func (r *Result) Judge(e Evidence) {
	r.InvalidBecause = []string{}
	r.judgeRun(&e)
	r.judgeAnswers(&e)
	r.judgePace(&e)
	r.Valid = len(r.InvalidBecause) == 0
}

func (r *Result) reject(format string, values ...any) {
	r.InvalidBecause = append(r.InvalidBecause, fmt.Sprintf(format, values...))
}

func (r *Result) judgeRun(e *Evidence) {
	for _, failure := range e.Failures {
		r.reject("%s", failure)
	}
	if e.Interrupted {
		r.reject("the run was interrupted")
	}
	if r.Orders.Sent == 0 {
		r.reject("nothing was sent")
	}
	if r.Orders.Sent > 0 && r.measured() == 0 {
		r.reject("nothing was measured: no request after the warm-up has its final answer")
	}
	if e.Backwards > 0 {
		r.reject("%s times were negative: the host's clock was set back", grouped(e.Backwards))
	}
}

// measured returns how many requests are in the histograms of the whole chain.
func (r *Result) measured() int64 {
	return r.LatencyUs[latency.FullChain.String()].Count + r.LatencyUs[latency.FullChainReject.String()].Count
}

func (r *Result) judgeAnswers(e *Evidence) {
	if n := r.Orders.Unanswered; n > 0 {
		r.reject("%s of %s requests were not answered", grouped(n), grouped(r.Orders.Sent))
	}
	if n := r.Orders.Duplicates; n > 0 {
		r.reject("%s answers came twice", grouped(n))
	}
	if e.StreamGaps > 0 {
		r.reject("%s holes in the answer streams", grouped(e.StreamGaps))
	}
	if e.Strays > 0 {
		r.reject("%s final answers to requests that were never sent", grouped(e.Strays))
	}
	if !r.Reconciled {
		r.reject("the engine's exposure was not shown to equal what the venue's reports add up to")
	}
}

func (r *Result) judgePace(e *Evidence) {
	if r.Rate.Target > 0 && r.Rate.Achieved < rateReachedShare*r.Rate.Target {
		r.reject("the rate was not reached: %.0f/s of %.0f/s", r.Rate.Achieved, r.Rate.Target)
	}
	lag, chain := r.LatencyUs[latency.GeneratorLag.String()], r.LatencyUs[latency.FullChain.String()]
	if e.LagCounts && chain.Count > 0 && lag.P99 > lagShareMax*chain.P50 {
		r.reject("the generator was late: p99 %.1f µs, more than a tenth of the chain's p50 %.1f µs", lag.P99, chain.P50)
	}
}
