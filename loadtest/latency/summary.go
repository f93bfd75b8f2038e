package latency

// Summary is what a result says about one hop. All times are in microseconds.
type Summary struct {
	Count int64   `json:"count"`
	Min   float64 `json:"min"`
	P50   float64 `json:"p50"`
	P90   float64 `json:"p90"`
	P99   float64 `json:"p99"`
	P999  float64 `json:"p999"`
	P9999 float64 `json:"p9999"`
	Max   float64 `json:"max"`
}

// Summary sums up one hop; all zero if nothing was recorded.
func (r *Recorder) Summary(h Hop) Summary {
	histogram := r.histograms[h]
	if histogram.TotalCount() == 0 {
		return Summary{}
	}
	at := func(percent float64) float64 { return microseconds(histogram.ValueAtQuantile(percent)) }
	return Summary{
		Count: histogram.TotalCount(), Min: microseconds(histogram.Min()), P50: at(50), P90: at(90), P99: at(99),
		P999: at(99.9), P9999: at(99.99), Max: microseconds(histogram.Max()),
	}
}

// Summaries sums up every hop that has recorded anything, by name.
func (r *Recorder) Summaries() map[string]Summary {
	all := make(map[string]Summary, HopCount)
	for _, h := range Hops() {
		if s := r.Summary(h); s.Count > 0 {
			all[h.String()] = s
		}
	}
	return all
}

// microseconds turns nanoseconds into microseconds.
func microseconds(ns int64) float64 { return float64(ns) / 1e3 }
