package exchange

import (
	"errors"
	"fmt"

	"tollgate/asynclog"
	"tollgate/exchange/simulated"
	"tollgate/fastpath"
	"tollgate/order"
)

// AdapterConfig describes an adapter. It is read once by NewAdapter.
type AdapterConfig struct {
	// TokenKey is the secret shared with the engine. Required.
	TokenKey order.TokenKey

	// Instance names this incarnation of the adapter; not zero, and never used
	// twice. A Server whose Instance is zero draws a random one.
	Instance uint64

	// SeqWindow is how many of the newest sequence numbers are remembered as used
	// or not; older ones count as used. A power of two from SeqWindowMin to
	// SeqWindowMax.
	SeqWindow int

	// FencesMax is how many kill fences are told apart; when more are needed they
	// become one for the whole firm. From 1 to the constant FencesMax.
	FencesMax int

	// OrdersMax bounds the live orders whose names are known; new orders above
	// it are refused. From 1 to the constant OrdersMax. A venue's own bound, if
	// there is one, should not be higher.
	OrdersMax int

	// ReportsRetainedMax is how many unacknowledged reports are kept. When seven
	// eighths of it are full, new orders and replaces are refused; when it is
	// full, they are dropped, and so are cancels of unknown orders. What the venue
	// says is kept above it too: at most two reports for each live order. From
	// 64 to the constant ReportsRetainedMax.
	ReportsRetainedMax int
}

// Config describes an exchange process. It is read once by NewServer.
type Config struct {
	// Listen are the addresses for gateways, at least one.
	Listen []Endpoint

	// Adapter describes the adapter. Its TokenKey is required.
	Adapter AdapterConfig

	// Venue describes the simulated venue. Its Instruments are required. A
	// FirstExecID of zero becomes the time of the start in nanoseconds, so that
	// ExecIDs rise from one start of the process to the next.
	Venue simulated.Config

	// ReportsInFlightMax is how many reports are sent to the engine beyond the
	// last one it has acknowledged. From 1 to Adapter.ReportsRetainedMax; below
	// a few thousand the wait for acknowledgements costs throughput.
	ReportsInFlightMax int

	// HeartbeatNs is after how long without a frame of its own the server sends a
	// heartbeat, in nanoseconds. Above zero.
	HeartbeatNs int64

	// SilenceNs is after how long without a frame a gateway counts as dead, in
	// nanoseconds. At least twice HeartbeatNs.
	SilenceNs int64

	// VenueLogPath, if not empty, is the file to which everything the venue has
	// received and reported is appended as JSON lines (simulated.LogReader reads
	// them). The loop waits for the file when it falls behind: for checks, not
	// for measuring.
	VenueLogPath string

	// Events, if not nil, is where the loop logs; it must be the loop's own.
	Events *asynclog.Log
}

// Endpoint is an address to listen on.
type Endpoint struct {
	Network string // "tcp" or "unix"
	Address string // host:port, or a path
}

// DefaultConfig returns the settings a server has if nobody says otherwise. The
// required ones are empty.
func DefaultConfig() Config {
	venue := simulated.DefaultConfig()
	venue.OrdersMax = defaultOrdersMax
	venue.FirstExecID = 0
	return Config{
		Adapter: AdapterConfig{
			SeqWindow:          defaultSeqWindow,
			FencesMax:          defaultFencesMax,
			OrdersMax:          defaultOrdersMax,
			ReportsRetainedMax: defaultReportsRetainedMax,
		},
		Venue:              venue,
		ReportsInFlightMax: defaultReportsInFlightMax,
		HeartbeatNs:        defaultHeartbeatNs,
		SilenceNs:          defaultSilenceNs,
	}
}

// Validate returns every problem of c at once, or nil.
func (c *AdapterConfig) Validate() error {
	var problems []error
	if c.TokenKey == (order.TokenKey{}) {
		problems = append(problems, errors.New("TokenKey is missing: it must be the engine's"))
	}
	if c.Instance == 0 {
		problems = append(problems, errors.New("Instance is 0: it must be a number never used before"))
	}
	if c.SeqWindow&(c.SeqWindow-1) != 0 {
		problems = append(problems, fmt.Errorf("SeqWindow is %d: it must be a power of two", c.SeqWindow))
	}
	return errors.Join(append(problems,
		between("SeqWindow", c.SeqWindow, SeqWindowMin, SeqWindowMax),
		between("FencesMax", c.FencesMax, 1, FencesMax),
		between("OrdersMax", c.OrdersMax, 1, OrdersMax),
		between("ReportsRetainedMax", c.ReportsRetainedMax, 64, ReportsRetainedMax),
	)...)
}

// withDerived returns c with what follows from the start of the process filled
// in where it was left out.
func (c Config) withDerived(instance uint64, startNs int64) Config {
	if c.Adapter.Instance == 0 {
		c.Adapter.Instance = instance
	}
	if c.Venue.FirstExecID == 0 {
		c.Venue.FirstExecID = order.ExecID(startNs)
	}
	return c
}

// Validate returns every problem of c at once, or nil.
func (c *Config) Validate() error {
	derived := c.withDerived(1, 1)
	return errors.Join(
		c.validateListen(),
		prefixed("Adapter", derived.Adapter.Validate()),
		prefixed("Venue", derived.Venue.Validate()),
		between("ReportsInFlightMax", c.ReportsInFlightMax, 1, c.Adapter.ReportsRetainedMax),
		c.validateTimes(),
		c.validateVenueLog(),
	)
}

func (c *Config) validateListen() error {
	problems := []error{between("number of Listen addresses", len(c.Listen), 1, ListenersMax)}
	for i, e := range c.Listen {
		if e.Network != "tcp" && e.Network != "unix" {
			problems = append(problems, fmt.Errorf("Listen[%d].Network is %q: it must be tcp or unix", i, e.Network))
		}
		if e.Address == "" {
			problems = append(problems, fmt.Errorf("Listen[%d].Address is empty: it must be host:port or a path", i))
		}
	}
	return errors.Join(problems...)
}

func (c *Config) validateTimes() error {
	var problems []error
	if c.HeartbeatNs <= 0 {
		problems = append(problems, fmt.Errorf("HeartbeatNs is %d: it must be above zero", c.HeartbeatNs))
	}
	if c.SilenceNs < 2*c.HeartbeatNs {
		problems = append(problems, fmt.Errorf("SilenceNs is %d: it must be at least twice HeartbeatNs, %d",
			c.SilenceNs, 2*c.HeartbeatNs))
	}
	return errors.Join(problems...)
}

func (c *Config) validateVenueLog() error {
	if c.VenueLogPath != "" && c.Venue.Observe != nil {
		return errors.New("VenueLogPath and Venue.Observe are both given: give one of them")
	}
	return nil
}

// loopConfig completes the settings of the server's loop with the bounds of its
// kind of links.
func loopConfig(loop fastpath.Config) fastpath.Config {
	if loop.Name == "" {
		loop.Name = "exchange"
	}
	bounds := map[fastpath.Kind]fastpath.Outbound{
		KindGateway: {BytesMax: gatewayOutboundBytes, FramesMax: gatewayOutboundFrames},
	}
	for kind, bound := range loop.Outbound {
		bounds[kind] = bound
	}
	loop.Outbound = bounds
	return loop
}

func between(name string, value, low, high int) error {
	if value < low || value > high {
		return fmt.Errorf("%s is %d: it must be from %d to %d", name, value, low, high)
	}
	return nil
}

// prefixed says which part of the configuration a problem is in.
func prefixed(part string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", part, err)
}
