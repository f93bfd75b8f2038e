package fastpath

import (
	"errors"
	"fmt"
	"math"

	"tollgate/fastpath/wire"
)

// Mode says what a loop does when there is nothing to read.
type Mode uint8

// The idle modes.
const (
	// ModeAdaptive polls for Idle.SpinNs after the last message, then parks.
	ModeAdaptive Mode = iota
	// ModeBusy never parks: it uses a whole core, always.
	ModeBusy
)

func (m Mode) String() string {
	switch m {
	case ModeAdaptive:
		return "adaptive"
	case ModeBusy:
		return "busy"
	}
	return "invalid"
}

// MarshalText returns the name of the mode.
func (m Mode) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText takes the name of a mode.
func (m *Mode) UnmarshalText(text []byte) error {
	for mode := ModeAdaptive; mode <= ModeBusy; mode++ {
		if mode.String() == string(text) {
			*m = mode
			return nil
		}
	}
	return fmt.Errorf("idle mode is %q, want \"adaptive\" or \"busy\"", text)
}

// Idle says how long a loop polls before it parks.
type Idle struct {
	SpinNs int64 // adaptive: ns of polling after the last message; 0: DefaultSpinNs
	Mode   Mode
}

// Outbound bounds what a link holds for a peer that does not read. A link over
// either bound is closed with ErrSlowReader.
type Outbound struct {
	BytesMax  int // 0: the Config's OutboundBytesMax
	FramesMax int // 0: the Config's OutboundFramesMax
}

// Config holds the settings of one Loop. The zero value of every field stands
// for its default, so that Config{Name: "gateway"} is complete.
type Config struct {
	Name string // of the loop, for errors and reports

	Idle   Idle
	TickNs int64 // longest time between two calls of Handler.Tick; 0: DefaultTickNs

	ConnectionsMax int // accepted connections over all listeners; 0: DefaultConnectionsMax
	// AcceptsPerSecondMax bounds how fast each listener takes in connections,
	// after a burst of a tenth of that: taking one in costs the loop as much as a hundred
	// frames, and whoever connects and is cut again must not slow down the others.
	// The rest waits in the kernel's backlog. 0: DefaultAcceptsPerSecondMax.
	AcceptsPerSecondMax int

	OutboundBytesMax  int // a link's unsent bytes; 0: DefaultOutboundBytesMax
	OutboundFramesMax int // a link's unsent frames; 0: DefaultOutboundFramesMax

	Outbound map[Kind]Outbound // kinds with bounds of their own

	DialTimeoutNs    int64 // one attempt; 0: DefaultDialTimeoutNs
	DialBackoffMinNs int64 // pause after the first failure, doubled by each one; 0: DefaultDialBackoffMinNs
	DialBackoffMaxNs int64 // longest pause; 0: DefaultDialBackoffMaxNs
	DrainNs          int64 // longest wait for unsent bytes when Run's context ends; 0: DefaultDrainNs

	// Report, when not nil, is told in one sentence about rare events that no
	// callback shows: failed dials, refused connections, lack of descriptors. It
	// is called from several goroutines, never from the order path.
	Report func(text string)
}

// withDefaults returns c with every zero field replaced by its default.
func (c Config) withDefaults() Config {
	setInt64(&c.Idle.SpinNs, DefaultSpinNs)
	setInt64(&c.TickNs, DefaultTickNs)
	setInt(&c.ConnectionsMax, DefaultConnectionsMax)
	setInt(&c.AcceptsPerSecondMax, DefaultAcceptsPerSecondMax)
	setInt(&c.OutboundBytesMax, DefaultOutboundBytesMax)
	setInt(&c.OutboundFramesMax, DefaultOutboundFramesMax)
	setInt64(&c.DialTimeoutNs, DefaultDialTimeoutNs)
	setInt64(&c.DialBackoffMinNs, DefaultDialBackoffMinNs)
	setInt64(&c.DialBackoffMaxNs, max(c.DialBackoffMinNs, DefaultDialBackoffMaxNs))
	setInt64(&c.DrainNs, DefaultDrainNs)
	return c
}

func setInt(v *int, preset int) {
	if *v == 0 {
		*v = preset
	}
}

func setInt64(v *int64, preset int64) {
	if *v == 0 {
		*v = preset
	}
}

// Validate returns every problem of the configuration at once, or nil.
func (c Config) Validate() error {
	c = c.withDefaults()
	var problems []error
	check := func(field string, value, low, high int64) {
		if value < low || value > high {
			problems = append(problems, fmt.Errorf("loop %q: %s is %d, want %d to %d", c.Name, field, value, low, high))
		}
	}
	check("Idle.Mode", int64(c.Idle.Mode), int64(ModeAdaptive), int64(ModeBusy))
	check("Idle.SpinNs", c.Idle.SpinNs, 1, 60e9)
	check("TickNs", c.TickNs, 100_000, 60e9)
	check("ConnectionsMax", int64(c.ConnectionsMax), 1, 1<<20)
	check("AcceptsPerSecondMax", int64(c.AcceptsPerSecondMax), 1, 1_000_000)
	check("OutboundBytesMax", int64(c.OutboundBytesMax), wire.FrameMax, math.MaxInt32)
	check("OutboundFramesMax", int64(c.OutboundFramesMax), 1, math.MaxInt32)
	check("DialTimeoutNs", c.DialTimeoutNs, 1_000_000, 600e9)
	check("DialBackoffMinNs", c.DialBackoffMinNs, 1_000_000, 600e9)
	check("DialBackoffMaxNs", c.DialBackoffMaxNs, c.DialBackoffMinNs, 600e9)
	check("DrainNs", c.DrainNs, 1, 600e9)
	for kind := range c.Outbound {
		o := c.outbound(kind)
		check(fmt.Sprintf("Outbound[%d].BytesMax", kind), int64(o.BytesMax), wire.FrameMax, math.MaxInt32)
		check(fmt.Sprintf("Outbound[%d].FramesMax", kind), int64(o.FramesMax), 1, math.MaxInt32)
	}
	return errors.Join(problems...)
}

// outbound returns the bounds of links of a kind.
func (c *Config) outbound(kind Kind) Outbound {
	o := c.Outbound[kind]
	setInt(&o.BytesMax, c.OutboundBytesMax)
	setInt(&o.FramesMax, c.OutboundFramesMax)
	return o
}

// report tells the owner about a rare event, if the owner wants to know.
func (c *Config) report(format string, args ...any) {
	if c.Report != nil {
		c.Report(fmt.Sprintf("loop %q: "+format, append([]any{c.Name}, args...)...))
	}
}
