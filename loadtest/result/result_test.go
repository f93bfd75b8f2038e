package result

import (
	"encoding/json"
	"flag"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"tollgate/loadtest/latency"
)

var rewrite = flag.Bool("rewrite", false, "write the expected pages anew")

// sample is a valid result with everything in it.
func sample() *Result {
	hop := func(p50 float64) latency.Summary {
		return latency.Summary{
			Count: 88_123, Min: p50 / 2, P50: p50, P90: p50 * 1.5, P99: p50 * 3, P999: p50 * 12, P9999: p50 * 40, Max: p50 * 99,
		}
	}
	return &Result{
		Schema: SchemaVersion, Commit: "0123456789abcdef0123", Started: "2026-01-02T03:04:05Z", ConfigSHA: "c0ffee", Seed: 7,
		Host: Host{CPU: "Example CPU 9000", Cores: 2, Kernel: "6.18.0", Governor: "none", Virtual: true},
		Link: "unix", Durability: "none", Valid: true, InvalidBecause: []string{}, Reconciled: true,
		Rate: Rate{Target: 20_000, Achieved: 19_998.4},
		Orders: Orders{
			Sent: 100_000, Answered: 100_000, Accepted: 88_123, Rejected: 11_877, Cancelled: 40_000, Filled: 9_000,
		},
		Rejects: map[string]uint64{"UNKNOWN_ORDER": 11_000, "PRICE_COLLAR": 800, "TOO_LATE": 77},
		Utilisation: []Utilisation{
			{Control: "OPEN_ORDERS", Scope: "account/C", Kind: "openOrders", Limit: "20", Used: "20", UsedBps: 10_000, Rung: "warn"},
			{Control: "OPEN_ORDERS", Scope: "firm", Kind: "openOrders", Limit: "100000", Used: "812", UsedBps: 82, Rung: "below"},
			{Control: "OPEN_ORDERS", Scope: "trader/ann", Kind: "openOrders", Limit: "90000", Used: "12", UsedBps: 2, Rung: "below"},
			{Control: "OPEN_ORDERS", Scope: "trader/bob", Kind: "openOrders", Limit: "90000", Used: "1", UsedBps: 1, Rung: "below"},
			{
				Control: "DAILY_LOSS", Scope: "account/L × class traded", Kind: "dailyLoss", Limit: "123456789.1234",
				Used: "130000000.5", UsedBps: 10_531, Rung: "act",
			},
		},
		LatencyUs: map[string]latency.Summary{
			"full_chain": hop(21.4), "full_chain_reject": hop(9.1), "risk_uplink": hop(4.4), "generator_lag": hop(0.08),
			"client_to_gateway": hop(2.41), "gateway_to_risk": hop(2.2), "risk_to_gateway": hop(2.1),
			"gateway_to_venue": hop(2.3), "venue_to_gateway": hop(2.6), "report_to_risk": hop(2.5),
			"risk_to_gateway_answer": hop(2.4), "gateway_to_client": hop(2.9),
		},
		Processes: []Process{
			{Role: "gateway", CPUSeconds: 1.25, RSSMb: 18.4, GCCycles: 2, GCMaxPauseUs: 80, AllocsPerOrder: 0.001},
			{Role: "riskcheck", CPUSeconds: 1.5, RSSMb: 240, GCCycles: 1, GCMaxPauseUs: 120},
		},
	}
}

// TestObjectHasExactlyTheAgreedFields is the contract with whoever reads
// results.
func TestObjectHasExactlyTheAgreedFields(t *testing.T) {
	bytes, err := sample().JSON()
	if err != nil {
		t.Fatal(err)
	}
	var object map[string]any
	if err := json.Unmarshal(bytes, &object); err != nil {
		t.Fatal(err)
	}
	checkKeys(t, object, "schema commit started host config_sha seed link durability valid invalid_because rate orders "+
		"rejects reconciled latency_us utilisation processes")
	checkKeys(t, object["utilisation"].([]any)[0], "control scope kind limit used used_bps rung")
	checkKeys(t, object["host"], "cpu cores kernel governor virtual")
	checkKeys(t, object["rate"], "target achieved")
	checkKeys(t, object["orders"], "sent answered accepted rejected cancelled filled unanswered duplicates")
	checkKeys(t, object["latency_us"].(map[string]any)["full_chain"], "count min p50 p90 p99 p999 p9999 max")
	checkKeys(t, object["processes"].([]any)[0], "role cpu_s rss_mb gc_cycles gc_max_pause_us allocs_per_order")
	if object["schema"] != 1.0 || object["valid"] != true {
		t.Errorf("schema %v, valid %v", object["schema"], object["valid"])
	}
}

func checkKeys(t *testing.T, object any, want string) {
	t.Helper()
	var keys []string
	for key := range object.(map[string]any) {
		keys = append(keys, key)
	}
	wanted := strings.Fields(want)
	slices.Sort(keys)
	slices.Sort(wanted)
	if !slices.Equal(keys, wanted) {
		t.Errorf("fields are %v, want %v", keys, wanted)
	}
}

func TestJudge(t *testing.T) {
	cases := []struct {
		name   string
		change func(r *Result, e *Evidence)
		want   string // "": valid
	}{
		{"all is well", func(*Result, *Evidence) {}, ""},
		{"as fast as possible has no target", func(r *Result, e *Evidence) { r.Rate.Target, e.LagCounts = 0, false }, ""},
		{"rate", func(r *Result, _ *Evidence) { r.Rate.Achieved = 19_000 }, "the rate was not reached: 19000/s of 20000/s"},
		{"unanswered", func(r *Result, _ *Evidence) { r.Orders.Unanswered = 1234 }, "1,234 of 100,000 requests were not answered"},
		{"duplicates", func(r *Result, _ *Evidence) { r.Orders.Duplicates = 1 }, "1 answers came twice"},
		{"gaps", func(_ *Result, e *Evidence) { e.StreamGaps = 2 }, "2 holes in the answer streams"},
		{"strays", func(_ *Result, e *Evidence) { e.Strays = 2 }, "2 final answers to requests that were never sent"},
		{"exposure", func(r *Result, _ *Evidence) { r.Reconciled = false }, "exposure was not shown to equal"},
		{"clock", func(_ *Result, e *Evidence) { e.Backwards = 3 }, "3 times were negative"},
		{"interrupted", func(_ *Result, e *Evidence) { e.Interrupted = true }, "the run was interrupted"},
		{"only a warm-up", func(r *Result, _ *Evidence) { r.LatencyUs = nil }, "nothing was measured"},
		{"nothing", func(r *Result, _ *Evidence) { r.Orders.Sent = 0 }, "nothing was sent"},
		{"other", func(_ *Result, e *Evidence) { e.Failures = []string{"the venue burned"} }, "the venue burned"},
		{"late generator", func(r *Result, _ *Evidence) {
			r.LatencyUs["generator_lag"] = latency.Summary{Count: 1, P99: 2.2}
		}, "the generator was late: p99 2.2 µs, more than a tenth of the chain's p50 21.4 µs"},
		{"late generator without a pace", func(r *Result, e *Evidence) {
			r.LatencyUs["generator_lag"], e.LagCounts = latency.Summary{Count: 1, P99: 2.2}, false
		}, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r, e := sample(), Evidence{LagCounts: true}
			c.change(r, &e)
			r.Judge(e)
			all := strings.Join(r.InvalidBecause, "; ")
			if r.Valid != (c.want == "") || !strings.Contains(all, c.want) || c.want != "" && len(r.InvalidBecause) != 1 {
				t.Errorf("valid %v because %q, want %q alone", r.Valid, all, c.want)
			}
		})
	}
}

func TestJudgingAgainForgetsTheFirstVerdict(t *testing.T) {
	r := sample()
	r.Reconciled = false
	r.Judge(Evidence{})
	r.Reconciled = true
	r.Judge(Evidence{})
	if !r.Valid || len(r.InvalidBecause) != 0 || r.InvalidBecause == nil {
		t.Errorf("valid %v because %#v", r.Valid, r.InvalidBecause)
	}
}

func TestInvalidResultsSaySoInTheirName(t *testing.T) {
	folder := t.TempDir()
	r := sample()
	for valid, want := range map[bool]string{true: "run.json", false: "run.INVALID.json"} {
		r.Valid = valid
		name, err := r.WriteFile(filepath.Join(folder, "run.json"))
		if err != nil || filepath.Base(name) != want {
			t.Errorf("valid %v was written to %s, %v", valid, name, err)
		}
		var back Result
		bytes, err := os.ReadFile(name)
		if err != nil || json.Unmarshal(bytes, &back) != nil || back.Orders != r.Orders || back.Valid != valid {
			t.Errorf("%s does not hold the result: %v", name, err)
		}
	}
	if _, err := r.WriteFile(filepath.Join(folder, "none", "run.json")); err == nil {
		t.Error("a missing folder was no error")
	}
}

// TestPages compares whole pages; go test -rewrite writes them anew.
func TestPages(t *testing.T) {
	invalid := sample()
	invalid.Reconciled, invalid.Orders.Unanswered, invalid.Orders.Duplicates = false, 12, 3
	invalid.LatencyUs, invalid.Processes, invalid.Rejects, invalid.Utilisation = nil, nil, nil, nil
	invalid.Rate.Target = 0
	invalid.Judge(Evidence{StreamGaps: 4})
	page := Page{
		Title: "generated day, 100,000 requests at 20,000/s",
		Notes: []string{"512 cancels name orders that rested before the day began: their UNKNOWN_ORDER is right."},
		Tips:  []string{"tollgate demo --rate max", "tollgate ctl get limits"},
	}
	for name, c := range map[string]struct {
		result *Result
		width  int
		colour bool
	}{
		"valid_80": {sample(), 80, false}, "valid_100": {sample(), 0, false}, "valid_120": {sample(), 500, false},
		"valid_colour": {sample(), 100, true}, "invalid": {invalid, 80, false},
	} {
		page.Width, page.Colour = c.width, c.colour
		var text strings.Builder
		if err := page.Write(&text, c.result); err != nil {
			t.Fatal(err)
		}
		checkPage(t, name, text.String(), c.colour)
	}
}

func checkPage(t *testing.T, name, got string, colour bool) {
	t.Helper()
	path := filepath.Join("testdata", name+".txt")
	if *rewrite {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil || got != string(want) {
		t.Errorf("%s differs (%v); got\n%s", path, err, got)
	}
	for line := range strings.Lines(got) {
		if n := utf8.RuneCountInString(line) - 1; !colour && n > 120 {
			t.Errorf("%s: a line has %d columns: %s", name, n, line)
		}
	}
	if strings.Contains(got, "\x1b") != colour {
		t.Errorf("%s: colour is wrong", name)
	}
}

func TestPageOf80StaysWithin80(t *testing.T) {
	var text strings.Builder
	if err := (Page{Title: "t", Width: 80}).Write(&text, sample()); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(text.String()) {
		if n := utf8.RuneCountInString(line) - 1; n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}

func TestNumbers(t *testing.T) {
	for n, want := range map[uint64]string{
		0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", math.MaxUint64: "18,446,744,073,709,551,615",
	} {
		if got := grouped(n); got != want {
			t.Errorf("%d is shown as %s", n, got)
		}
	}
	for us, want := range map[float64]string{
		0: "0.00", 0.084: "0.08", 9.876: "9.88", 21.44: "21.4", 140.6: "141", 14_000.4: "14,000", 1_234_567: "1.23 s",
	} {
		if got := micros(us); got != want {
			t.Errorf("%v µs is shown as %s, want %s", us, got, want)
		}
	}
	if percent(1, 0) != "-" || percent(1, 8) != "12.5 %" {
		t.Error("percent is wrong")
	}
	if bar(1, 2, 4) != "██" || bar(1, 1000, 4) != "▏" || bar(0, 5, 4) != "" || bar(5, 5, 2) != "██" || bar(0, 0, 3) != "" {
		t.Error("bar is wrong")
	}
	if lines := wrap("one two three", 7); !slices.Equal(lines, []string{"one two", "three"}) {
		t.Errorf("wrapped to %v", lines)
	}
}

func TestProgressIsDrawnTenTimesASecond(t *testing.T) {
	var text strings.Builder
	p := &Progress{out: &text}
	start := time.Unix(1000, 0)
	p.Show(start, 1, 4, 2)
	p.Show(start.Add(50*time.Millisecond), 2, 4, 2)
	p.Show(start.Add(100*time.Millisecond), 4, 4, 0)
	p.Done()
	p.Done()
	if n := strings.Count(text.String(), "in flight"); n != 2 {
		t.Errorf("drawn %d times, want 2: %q", n, text.String())
	}
	if !strings.Contains(text.String(), "25.0 %  1 of 4, 2 in flight") {
		t.Errorf("drawn %q", text.String())
	}
}

func TestNothingIsDrawnOnAFile(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	p := NewProgress(file)
	p.Show(time.Unix(1000, 0), 1, 4, 2)
	p.Done()
	page := Page{Width: 90, Colour: true}.Fit(file)
	if info, err := file.Stat(); err != nil || info.Size() != 0 || page.Colour || page.Width != 90 {
		t.Errorf("size %d, %v, page %+v", info.Size(), err, page)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
}
