package latency

const (
	// LatencyMaxNs is the longest time a histogram tells apart: one minute.
	// Longer ones count as that, and are counted in Recorder.Clipped.
	LatencyMaxNs = 60_000_000_000
	// significantDigits is the precision: one in a thousand of the value.
	significantDigits = 3
)
