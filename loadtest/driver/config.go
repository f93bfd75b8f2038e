package driver

import (
	"errors"
	"fmt"

	"tollgate/gateway/client"
	"tollgate/loadtest/flow"
	"tollgate/loadtest/ledger"
	"tollgate/loadtest/pace"
	"tollgate/loadtest/request"
	"tollgate/order"
)

// Connection is one logged-in order entry session. *client.Client is the real
// one, *Echo stands in for a whole chain.
type Connection interface {
	Send(r *order.Request) (ref uint64, err error)
	Flush() error
	Poll(h client.Handler) (n int, err error)
	NextRef() uint64
	WantOutSeq() uint64
	Close() error
}

// Config is a run.
type Config struct {
	// Sessions are dialled by Run, in the order of request.Party.Session.
	Sessions []client.Config
	// Day is the flow. It is read only.
	Day *flow.Day
	// Mapping says who sends it.
	Mapping request.Config
	// Pace says when.
	Pace pace.Config

	// Requests is how many requests to send after the opening book, warm-up
	// included. 0: the day once. More than the day has: the day again and
	// again.
	Requests uint64
	// WarmUp is how many of them come before the measurement; never more than
	// half.
	WarmUp uint64

	// InFlightMax bounds the distance of oldest unanswered and newest request
	// of a session; default 8,192.
	InFlightMax int
	// DrainNs bounds the wait for outstanding answers; default 10 s.
	DrainNs int64
	// QuietNs is how long the streams must be silent at the end; default 50 ms.
	QuietNs int64

	// JudgeLag has a paced result refused when the generator itself was late: its
	// lag at the 99th percentile above a tenth of the chain's median. Latency is
	// counted from the scheduled time either way. On a machine that the whole
	// chain shares with the generator the rule is rarely met.
	JudgeLag bool

	// Progress, if given, is called about ten times a second on the sending
	// goroutine. It must be quick.
	Progress func(done, total, inFlight uint64)

	// clock and idle are replaced by tests.
	clock func() int64
	idle  func()
}

// Validate reports everything that is wrong, all at once.
func (c *Config) Validate() error {
	var problems []error
	if c.Day == nil || c.Day.Meta.Counts.Sent() == 0 {
		problems = append(problems, errors.New("driver: Day has nothing to send, want order flow"))
	}
	problems = append(problems, c.Mapping.Validate(), c.Pace.Validate())
	if c.InFlightMax < 0 || c.InFlightMax > ledger.InFlightLimit {
		problems = append(problems, fmt.Errorf("driver: InFlightMax is %d, want 1 to %d, or 0 for %d",
			c.InFlightMax, ledger.InFlightLimit, InFlightDefault))
	}
	if c.DrainNs < 0 || c.QuietNs < 0 {
		problems = append(problems, fmt.Errorf("driver: DrainNs is %d and QuietNs is %d, want neither below 0",
			c.DrainNs, c.QuietNs))
	}
	if c.Requests != 0 && c.WarmUp >= c.Requests {
		problems = append(problems, fmt.Errorf("driver: WarmUp is %d, want less than the %d requests of the run",
			c.WarmUp, c.Requests))
	}
	return errors.Join(problems...)
}

// requestsExpected is how many requests follow the opening book, about: what
// becomes of unknown orders is not known before.
func (c *Config) requestsExpected() uint64 {
	if c.Requests > 0 {
		return c.Requests
	}
	total := uint64(0)
	for i := range c.Day.Events {
		if e := &c.Day.Events[i]; e.Kind.Sent() && !e.Opening {
			total++
		}
	}
	return total
}

// withDefaults fills in what is not stated.
func (c Config) withDefaults() Config {
	if c.InFlightMax == 0 {
		c.InFlightMax = InFlightDefault
	}
	if c.DrainNs == 0 {
		c.DrainNs = drainDefaultNs
	}
	if c.QuietNs == 0 {
		c.QuietNs = quietDefaultNs
	}
	if c.clock == nil {
		c.clock = wallClock
	}
	if c.idle == nil {
		c.idle = yield
	}
	return c
}
