package pace_test

import (
	"math"
	"strings"
	"testing"

	"tollgate/loadtest/pace"
)

func schedule(t *testing.T, cfg pace.Config) *pace.Schedule {
	t.Helper()
	s, err := pace.NewSchedule(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestParse(t *testing.T) {
	for text, want := range map[string]pace.Config{
		"max":          {Mode: pace.ModeMax},
		"recorded":     {Mode: pace.ModeRecorded, SpeedUp: 1},
		"recorded*2.5": {Mode: pace.ModeRecorded, SpeedUp: 2.5},
		"20000":        {Mode: pace.ModeRate, RatePerSecond: 20_000},
		"20k":          {Mode: pace.ModeRate, RatePerSecond: 20_000},
		"1.5M":         {Mode: pace.ModeRate, RatePerSecond: 1_500_000},
	} {
		got, err := pace.Parse(text)
		if err != nil || got != want {
			t.Errorf("%q is %+v, %v, want %+v", text, got, err, want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":             "want max, recorded",
		"fast":         `pace "fast": want max`,
		"recorded10":   "want max, recorded",
		"recorded*":    "want max, recorded",
		"recorded*-1":  "SpeedUp is -1, want above 0",
		"recorded*NaN": "SpeedUp is NaN",
		"0":            "RatePerSecond is 0, want 0.01",
		"NaN":          "RatePerSecond is NaN",
		"999M":         "want 0.01 to 100000000",
	} {
		if _, err := pace.Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q gave %v, want %q", text, err, want)
		}
	}
}

// TestStringIsWhatParseReads goes there and back.
func TestStringIsWhatParseReads(t *testing.T) {
	for _, text := range []string{"max", "recorded", "recorded*10"} {
		cfg, err := pace.Parse(text)
		if err != nil || cfg.String() != text {
			t.Errorf("%q became %q, %v", text, cfg.String(), err)
		}
	}
	if got := (pace.Config{Mode: pace.ModeRate, RatePerSecond: 20_000}).String(); got != "20000/s" {
		t.Errorf("rate is shown as %q", got)
	}
}

func TestRateIsExactAndWithoutDrift(t *testing.T) {
	s := schedule(t, pace.Config{Mode: pace.ModeRate, RatePerSecond: 3})
	s.Start(1_000, 0)
	for _, want := range []int64{1_000, 333_334_333, 666_667_666, 1_000_001_000} {
		got, _ := s.Due(0, 0, 0)
		if math.Abs(float64(got-want)) > 1 {
			t.Errorf("scheduled at %d, want %d", got, want)
		}
		s.Take()
	}
	for range 3_000_000 - 4 {
		s.Take()
	}
	if got, _ := s.Due(0, 0, 0); got != 1_000_000_000_001_000 {
		t.Errorf("request three million is at %d, want one million seconds after the start", got)
	}
}

// TestLatenessKeepsTheSchedule: what is late is due at once, under its old
// time.
func TestLatenessKeepsTheSchedule(t *testing.T) {
	s := schedule(t, pace.Config{Mode: pace.ModeRate, RatePerSecond: 1000})
	s.Start(0, 0)
	if _, due := s.Due(-1, 0, 0); due {
		t.Error("due before its time")
	}
	for i := range int64(6) {
		at, due := s.Due(5_000_000, 0, 1<<30)
		if at != i*1_000_000 || !due {
			t.Errorf("request %d: at %d, due %v", i, at, due)
		}
		s.Take()
	}
	if _, due := s.Due(5_000_000, 0, 0); due {
		t.Error("the seventh request is due at 6 ms, not at 5")
	}
}

func TestRecordedKeepsTheDistances(t *testing.T) {
	s := schedule(t, pace.Config{Mode: pace.ModeRecorded, SpeedUp: 10})
	s.Start(100, 34_200_000_000_000)
	at, due := s.Due(99_999, 34_200_001_000_000, 0)
	if at != 100_100 || due {
		t.Errorf("at %d, due %v, want 100,100 and not yet", at, due)
	}
	if _, due = s.Due(100_100, 34_200_001_000_000, 0); !due {
		t.Error("not due at its time")
	}
}

func TestMaxIsBoundByWhatIsUnanswered(t *testing.T) {
	s := schedule(t, pace.Config{})
	if at, due := s.Due(77, 0, pace.InFlightDefault-1); at != 77 || !due {
		t.Errorf("at %d, due %v, want now", at, due)
	}
	if _, due := s.Due(77, 0, pace.InFlightDefault); due {
		t.Error("due although the window is full")
	}
	if s.Paced() || !schedule(t, pace.Config{Mode: pace.ModeRecorded}).Paced() {
		t.Error("only max depends on answers")
	}
}

func TestNewScheduleRefuses(t *testing.T) {
	for _, cfg := range []pace.Config{{Mode: 9}, {InFlightMax: -1}, {InFlightMax: 1 << 30}, {Mode: pace.ModeRate}} {
		if _, err := pace.NewSchedule(cfg); err == nil {
			t.Errorf("%+v was taken", cfg)
		}
	}
}

func TestDueDoesNotAllocate(t *testing.T) {
	s := schedule(t, pace.Config{Mode: pace.ModeRate, RatePerSecond: 1e6})
	if n := testing.AllocsPerRun(1000, func() { s.Due(1, 2, 3); s.Take() }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
