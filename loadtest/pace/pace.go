package pace

import (
	"fmt"
	"strconv"
	"strings"
)

// Mode is a kind of schedule.
type Mode uint8

// The modes.
const (
	ModeMax      Mode = 0
	ModeRate     Mode = 1
	ModeRecorded Mode = 2
)

// String returns the mode's name as the command line takes it.
func (m Mode) String() string {
	switch m {
	case ModeMax:
		return "max"
	case ModeRate:
		return "rate"
	case ModeRecorded:
		return "recorded"
	}
	return "invalid"
}

// Config is a schedule. Its zero value is max with the default bound.
type Config struct {
	Mode          Mode
	RatePerSecond float64 // ModeRate: from RateMin to RateMax
	InFlightMax   int     // ModeMax: unanswered requests at one time; 0: InFlightDefault
	SpeedUp       float64 // ModeRecorded: 2 plays twice as fast; 0: 1
}

// wantPace is the right form of a pace on the command line.
const wantPace = "want max, recorded, recorded*SPEEDUP (like recorded*10) or a rate per second (like 20000 or 20k)"

// Parse reads a pace as the command line takes it: "max", "recorded",
// "recorded*10", "20000", "20k" or "1.5M".
func Parse(text string) (Config, error) {
	if text == "max" {
		return Config{Mode: ModeMax}, nil
	}
	if rest, ok := strings.CutPrefix(text, "recorded"); ok {
		return parseRecorded(text, rest)
	}
	rate, err := parseRate(text)
	if err != nil {
		return Config{}, fmt.Errorf("pace %q: %s", text, wantPace)
	}
	c := Config{Mode: ModeRate, RatePerSecond: rate}
	return c, c.Validate()
}

func parseRecorded(text, rest string) (Config, error) {
	c := Config{Mode: ModeRecorded, SpeedUp: 1}
	if rest == "" {
		return c, nil
	}
	factor, ok := strings.CutPrefix(rest, "*")
	value, err := strconv.ParseFloat(factor, 64)
	if !ok || err != nil {
		return Config{}, fmt.Errorf("pace %q: %s", text, wantPace)
	}
	c.SpeedUp = value
	return c, c.Validate()
}

func parseRate(text string) (float64, error) {
	factor := 1.0
	switch {
	case strings.HasSuffix(text, "k"):
		text, factor = strings.TrimSuffix(text, "k"), 1e3
	case strings.HasSuffix(text, "M"):
		text, factor = strings.TrimSuffix(text, "M"), 1e6
	}
	rate, err := strconv.ParseFloat(text, 64)
	return rate * factor, err
}

// Validate reports a value that cannot work.
func (c Config) Validate() error {
	switch c.Mode {
	case ModeMax:
		if c.InFlightMax < 0 || c.InFlightMax > InFlightLimit {
			return fmt.Errorf("pace: InFlightMax is %d, want 1 to %d, or 0 for %d",
				c.InFlightMax, InFlightLimit, InFlightDefault)
		}
	case ModeRate:
		if !(c.RatePerSecond >= RateMin && c.RatePerSecond <= RateMax) {
			return fmt.Errorf("pace: RatePerSecond is %g, want %g to %d", c.RatePerSecond, RateMin, RateMax)
		}
	case ModeRecorded:
		if c.SpeedUp != 0 && !(c.SpeedUp > 0 && c.SpeedUp <= SpeedUpMax) {
			return fmt.Errorf("pace: SpeedUp is %g, want above 0 and at most %d", c.SpeedUp, SpeedUpMax)
		}
	default:
		return fmt.Errorf("pace: Mode is %d, want 0 (max), 1 (rate) or 2 (recorded)", c.Mode)
	}
	return nil
}

// String returns the pace for a person.
func (c Config) String() string {
	switch c.Mode {
	case ModeRate:
		return strconv.FormatFloat(c.RatePerSecond, 'f', -1, 64) + "/s"
	case ModeRecorded:
		if c.SpeedUp != 0 && c.SpeedUp != 1 {
			return "recorded*" + strconv.FormatFloat(c.SpeedUp, 'g', -1, 64)
		}
	}
	return c.Mode.String()
}

// Schedule tells when requests are due. It reads no clock and does not
// allocate.
type Schedule struct {
	mode        Mode
	intervalNs  float64
	inFlightMax int
	speedUp     float64

	startNs int64
	firstNs int64 // time of the first event in the recording
	taken   uint64
}

// NewSchedule returns a schedule that has not started.
func NewSchedule(cfg Config) (*Schedule, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	s := &Schedule{mode: cfg.Mode, inFlightMax: cfg.InFlightMax, speedUp: cfg.SpeedUp}
	if s.inFlightMax == 0 {
		s.inFlightMax = InFlightDefault
	}
	if s.speedUp == 0 {
		s.speedUp = 1
	}
	if cfg.Mode == ModeRate {
		s.intervalNs = 1e9 / cfg.RatePerSecond
	}
	return s, nil
}

// Start makes nowNs the time of the first request, whose event carries firstNs.
func (s *Schedule) Start(nowNs, firstNs int64) { s.startNs, s.firstNs, s.taken = nowNs, firstNs, 0 }

// Due returns when the next request is scheduled and whether that time has
// come. eventNs is the time the request's event carries in the recording;
// inFlight is how many requests are unanswered. The answer stays the same until
// Take.
func (s *Schedule) Due(nowNs, eventNs int64, inFlight int) (scheduledNs int64, due bool) {
	switch s.mode {
	case ModeRate:
		scheduledNs = s.startNs + int64(float64(s.taken)*s.intervalNs)
	case ModeRecorded:
		scheduledNs = s.startNs + int64(float64(eventNs-s.firstNs)/s.speedUp)
	default:
		return nowNs, inFlight < s.inFlightMax
	}
	return scheduledNs, scheduledNs <= nowNs
}

// Take moves on to the request after the one that was due.
func (s *Schedule) Take() { s.taken++ }

// Paced reports whether due times are independent of answers.
func (s *Schedule) Paced() bool { return s.mode != ModeMax }
