package driver

const (
	// SessionsMax bounds the sessions of one run: one thread polls them all.
	SessionsMax = 1024
	// InFlightDefault is how many requests of one session may lie between the
	// oldest unanswered and the newest.
	InFlightDefault = 8192
	// drainDefaultNs is how long a run waits for outstanding answers: ten
	// seconds, longer than any recovery of the chain takes.
	drainDefaultNs = 10_000_000_000
	// quietDefaultNs is how long the answer streams must be silent at the end,
	// so that trades behind the last acknowledgement are counted: 50 ms.
	quietDefaultNs = 50_000_000
	// warmUpShareMax is the part of a run, one in so many, that a warm-up takes
	// at most: short flows are to be measured too.
	warmUpShareMax = 2
	// burstMax is how many due requests are sent before answers are looked for.
	burstMax = 64
	// progressEveryNs is the shortest time between two calls of
	// Config.Progress.
	progressEveryNs = 100_000_000
	// dayGapNs is the pause between two plays of one day in recorded time: 1
	// ms.
	dayGapNs = 1_000_000
	// spinNs is how long before a due time the core is kept rather than given
	// away, if nothing is in flight: about what all other loops of the chain
	// need for one idle turn each, 50 µs.
	spinNs = 50_000
	// openingInFlight bounds unanswered requests while the opening book goes
	// in.
	openingInFlight = 256

	// pollAllTurns is how many turns there are to one that looks at every session,
	// also at those that wait for nothing: they may get news of resting orders.
	pollAllTurns = 16
)
