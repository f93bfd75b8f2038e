package pace

const (
	// InFlightDefault is the bound of unanswered requests of a max schedule
	// that states none: beyond it the chain gains no more throughput, only
	// queues.
	InFlightDefault = 512
	// InFlightLimit is the largest such bound.
	InFlightLimit = 1 << 20
	// RateMax is the highest rate a schedule takes, requests per second: one
	// each ten nanoseconds, more than any single thread sends.
	RateMax = 100_000_000
	// RateMin is the lowest: one request per one hundred seconds.
	RateMin = 0.01
	// SpeedUpMax is the largest speed-up of a recorded schedule.
	SpeedUpMax = 1_000_000
)
