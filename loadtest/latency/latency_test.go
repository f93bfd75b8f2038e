package latency_test

import (
	"encoding/json"
	"math"
	"testing"

	"tollgate/loadtest/latency"
	"tollgate/order"
)

// times of an order that takes 1 µs to the first station, 2 to the second ...
var (
	times = latency.Times{ScheduledNs: 1_000_000, SentNs: 1_000_500, ReceivedNs: 1_036_500}
	trace = order.Trace{
		GatewayIn: 1_001_500, RiskIn: 1_003_500, GatewayVerdict: 1_006_500, VenueIn: 1_010_500, GatewayReport: 1_015_500,
		RiskReport: 1_021_500, GatewayAnswer: 1_028_500,
	}
)

// near allows for the histogram's three digits.
func near(got, want float64) bool { return math.Abs(got-want) <= want/500 }

func TestHopsAddUpToTheWhole(t *testing.T) {
	r := latency.NewRecorder()
	r.Sent(times.ScheduledNs, times.SentNs)
	r.Answered(&times, false)
	r.Traced(&times, &trace)
	want := map[latency.Hop]float64{
		latency.FullChain: 36.5, latency.RiskUplink: 5, latency.GeneratorLag: 0.5, latency.ClientToGateway: 1,
		latency.GatewayToRisk: 2, latency.RiskToGateway: 3, latency.GatewayToVenue: 4, latency.VenueToGateway: 5,
		latency.ReportToRisk: 6, latency.RiskToGatewayAnswer: 7, latency.GatewayToClient: 8,
	}
	all := r.Summaries()
	sum := 0.0
	for hop, us := range want {
		s := all[hop.String()]
		if s.Count != 1 || !near(s.P50, us) || !near(s.Max, us) || !near(s.Min, us) {
			t.Errorf("%s is %+v, want %v", hop, s, us)
		}
		if hop >= latency.GeneratorLag {
			sum += us
		}
	}
	if sum != want[latency.FullChain] {
		t.Errorf("hops add up to %v, want %v", sum, want[latency.FullChain])
	}
	if len(all) != len(want) {
		t.Errorf("%d hops are reported, want %d: %v", len(all), len(want), all)
	}
}

func TestRejectsHaveOnlyTheHopsTheyMade(t *testing.T) {
	r := latency.NewRecorder()
	r.Answered(&times, true)
	r.Traced(&times, &order.Trace{GatewayIn: 1_001_500, RiskIn: 1_003_500, GatewayAnswer: 1_005_500})
	all := r.Summaries()
	for _, hop := range []latency.Hop{
		latency.FullChainReject, latency.ClientToGateway, latency.GatewayToRisk, latency.GatewayToClient,
	} {
		if all[hop.String()].Count != 1 {
			t.Errorf("%s was not recorded", hop)
		}
	}
	if len(all) != 4 {
		t.Errorf("%d hops, want 4: %v", len(all), all)
	}
}

func TestPercentiles(t *testing.T) {
	r := latency.NewRecorder()
	for us := int64(1); us <= 10_000; us++ {
		r.Record(latency.FullChain, us*1000)
	}
	s := r.Summary(latency.FullChain)
	for name, pair := range map[string][2]float64{
		"min": {s.Min, 1}, "p50": {s.P50, 5_000}, "p90": {s.P90, 9_000}, "p99": {s.P99, 9_900}, "p999": {s.P999, 9_990},
		"p9999": {s.P9999, 9_999}, "max": {s.Max, 10_000},
	} {
		if !near(pair[0], pair[1]) {
			t.Errorf("%s is %v, want %v", name, pair[0], pair[1])
		}
	}
	if s.Count != 10_000 {
		t.Errorf("count is %d", s.Count)
	}
}

func TestImpossibleTimesAreCounted(t *testing.T) {
	r := latency.NewRecorder()
	r.Record(latency.FullChain, -5)
	r.Record(latency.FullChain, 2*latency.LatencyMaxNs)
	if r.Backwards() != 1 || r.Clipped() != 1 || r.Summary(latency.FullChain).Count != 2 {
		t.Errorf("backwards %d, clipped %d, %+v", r.Backwards(), r.Clipped(), r.Summary(latency.FullChain))
	}
	r.Reset()
	if r.Backwards()+r.Clipped() != 0 || len(r.Summaries()) != 0 {
		t.Error("reset left something")
	}
}

func TestSummaryHasTheNamesOfTheResultObject(t *testing.T) {
	bytes, err := json.Marshal(latency.Summary{Count: 1, Min: 2, P50: 3, P90: 4, P99: 5, P999: 6, P9999: 7, Max: 8})
	want := `{"count":1,"min":2,"p50":3,"p90":4,"p99":5,"p999":6,"p9999":7,"max":8}`
	if err != nil || string(bytes) != want {
		t.Errorf("got %s, %v, want %s", bytes, err, want)
	}
}

func TestRecordingDoesNotAllocate(t *testing.T) {
	r := latency.NewRecorder()
	n := testing.AllocsPerRun(1000, func() {
		r.Sent(times.ScheduledNs, times.SentNs)
		r.Answered(&times, false)
		r.Traced(&times, &trace)
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}
