package asynclog

import (
	"errors"
	"fmt"
	"io"
	"math/bits"
	"os"
)

// Encoding is the form of the text a Drainer writes.
type Encoding string

// The encodings.
const (
	EncodingJSON    Encoding = "json"    // one object a line, for machines
	EncodingConsole Encoding = "console" // columns, for people
)

// Config says what a Drainer writes, and where. The zero value writes
// everything as JSON to standard error.
type Config struct {
	// Process is the role of the process; it stands in every entry. Empty
	// leaves it out.
	Process string

	// Encoding is EncodingJSON (the default) or EncodingConsole. It costs the
	// loops nothing either way.
	Encoding Encoding

	// Level is the least severe event that is written; SeverityInfo by default.
	// Events below it still pass through the rings.
	Level Severity

	// Output receives the text; os.Stderr by default. A slow Output delays the
	// log and, once the rings are full, loses events. It never delays a loop.
	Output io.Writer

	// Name gives the names of numbers that other packages define: link kinds,
	// reasons of login and session rejects, bounds. It returns "" for what it
	// does not know. It is called on the Drainer's goroutine.
	Name func(f Format, value uint64) string

	// RingEvents is the room of each Log: a power of two from RingEventsMin to
	// RingEventsMax, 64 bytes an event; RingEventsDefault by default.
	RingEvents int

	// DrainIntervalMs is the time between two looks at the rings, at most
	// DrainIntervalMsMax; DrainIntervalMsDefault by default. Longer saves
	// wake-ups of an idle process and needs larger rings.
	DrainIntervalMs int
}

// withDefaults returns c with every zero field given its default.
func (c Config) withDefaults() Config {
	if c.Encoding == "" {
		c.Encoding = EncodingJSON
	}
	if c.Level == 0 {
		c.Level = SeverityInfo
	}
	if c.Output == nil {
		c.Output = os.Stderr
	}
	if c.Name == nil {
		c.Name = func(Format, uint64) string { return "" }
	}
	if c.RingEvents == 0 {
		c.RingEvents = RingEventsDefault
	}
	if c.DrainIntervalMs == 0 {
		c.DrainIntervalMs = DrainIntervalMsDefault
	}
	return c
}

// Validate returns everything that is wrong with c, joined, or nil. Fields
// that are zero have defaults and are never wrong.
func (c Config) Validate() error {
	c = c.withDefaults()
	var problems []error
	if c.Encoding != EncodingJSON && c.Encoding != EncodingConsole {
		problems = append(problems, fmt.Errorf("log encoding %q: want %q or %q",
			c.Encoding, EncodingJSON, EncodingConsole))
	}
	if c.Level > SeverityError {
		problems = append(problems, fmt.Errorf("log level %d: want info (1), warn (2) or error (3)", c.Level))
	}
	if c.RingEvents < RingEventsMin || c.RingEvents > RingEventsMax || bits.OnesCount(uint(c.RingEvents)) != 1 {
		problems = append(problems, fmt.Errorf("log ring of %d events: want a power of two from %d to %d",
			c.RingEvents, RingEventsMin, RingEventsMax))
	}
	if c.DrainIntervalMs < 1 || c.DrainIntervalMs > DrainIntervalMsMax {
		problems = append(problems, fmt.Errorf("log drain interval of %d ms: want 1 to %d ms",
			c.DrainIntervalMs, DrainIntervalMsMax))
	}
	return errors.Join(problems...)
}
