package driver

import (
	"fmt"
	"time"

	"tollgate/loadtest/ledger"
	"tollgate/loadtest/request"
	"tollgate/loadtest/result"
)

// Outcome is what a run found.
type Outcome struct {
	// Result lacks what only the caller knows: ConfigSHA, Seed, Link,
	// Durability, Reconciled and Processes. After filling them in call Judge
	// with Evidence.
	Result   *result.Result
	Evidence result.Evidence

	Positions   ledger.Positions // what the clients' trades add up to
	Counts      ledger.Counts    // opening book included
	Flow        request.Counts   // orders that rested before the flow began
	Opening     uint64           // requests of the opening book
	Measured    uint64           // requests whose latency was recorded
	Passes      int              // whole plays of the day
	Disconnects uint64           // connections that were lost, and made anew by the client
	Epochs      uint64           // restarts of the engine that were noticed
	ElapsedNs   int64            // from the first request to the end of draining
}

// Judge settles whether the result counts.
func (o *Outcome) Judge() { o.Result.Judge(o.Evidence) }

func (r *run) outcome(interrupted bool, failure error) *Outcome {
	o := &Outcome{
		Positions: make(ledger.Positions), Flow: r.mapper.Counts(), Measured: r.measured, Passes: r.feed.passes,
		Disconnects: r.disconnects, Epochs: r.epochs, ElapsedNs: r.cfg.clock() - r.startedNs,
	}
	rejects := make(map[string]uint64)
	for _, s := range r.sessions {
		counts := s.ledger.Counts()
		o.Counts.Add(&counts)
		o.Positions.Add(s.ledger.Positions())
		for reason, n := range s.ledger.Rejects() {
			rejects[reason.String()] += n
		}
	}
	o.Opening = o.Counts.Sent - r.sent
	o.Evidence = r.evidence(&o.Counts, interrupted)
	if failure != nil {
		o.Evidence.Failures = append(o.Evidence.Failures, failure.Error())
	}
	o.Result = r.result(&o.Counts, rejects)
	o.Judge()
	return o
}

func (r *run) evidence(counts *ledger.Counts, interrupted bool) result.Evidence {
	e := result.Evidence{
		LagCounts: r.cfg.JudgeLag && r.asked.Paced(), StreamGaps: counts.StreamGaps, Strays: counts.Strays,
		Backwards: r.recorder.Backwards(), Interrupted: interrupted,
	}
	if err := r.mapper.Err(); err != nil {
		e.Failures = append(e.Failures, err.Error())
	}
	if n := r.recorder.Clipped(); n > 0 {
		e.Failures = append(e.Failures, fmt.Sprintf("%d times were above what histograms hold", n))
	}
	return e
}

func (r *run) result(c *ledger.Counts, rejects map[string]uint64) *result.Result {
	return &result.Result{
		Schema: result.SchemaVersion, Commit: result.Commit(), Host: result.ThisHost(),
		Started: time.Unix(0, r.startedNs).UTC().Format(time.RFC3339),
		Rate:    result.Rate{Target: r.cfg.Pace.RatePerSecond, Achieved: r.achieved()},
		Orders: result.Orders{
			Sent: c.Sent, Answered: c.Answered, Accepted: c.Accepted, Rejected: c.Rejected, Cancelled: c.Cancelled,
			Filled: c.Filled, Unanswered: c.Unanswered(), Duplicates: c.Duplicates,
		},
		Rejects: rejects, LatencyUs: r.recorder.Summaries(), Processes: []result.Process{},
	}
}

// achieved is the rate of the measured requests.
func (r *run) achieved() float64 {
	if r.measured < 2 || r.measuredLastNs <= r.measuredFirstNs {
		return 0
	}
	return float64(r.measured-1) * 1e9 / float64(r.measuredLastNs-r.measuredFirstNs)
}
