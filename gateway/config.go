package gateway

import (
	"errors"
	"fmt"
)

// Endpoint is where to listen or to connect to.
type Endpoint struct {
	Network string // "unix" or "tcp"
	Address string // a socket's path, or host:port
}

// Config is all a gateway needs to be told. Zero means the default where one
// is named; the other fields must be given.
type Config struct {
	// Clients are the endpoints clients connect to; at least one.
	Clients []Endpoint
	// Risk is where the engine listens.
	Risk Endpoint
	// Venue is where the exchange adapter listens.
	Venue Endpoint

	// Instance names this run of the process on its links. Default: random.
	Instance uint64
	// ConnectionsMax bounds the client connections, default 1,024, at most 65,536. Each costs about 200 bytes here,
	// besides what the loop keeps for a link.
	ConnectionsMax int
	// RetryAfterMs is when a client that was told Busy should come again, default 50 ms. Shorter costs load while the
	// engine is away, longer costs time after it is back.
	RetryAfterMs uint32
	// DrainMs is how long a shutdown waits for clients' connections to end, default 500 ms.
	DrainMs uint32
}

// withDefaults returns the configuration with every left out value filled in.
func (c Config) withDefaults() Config {
	if c.ConnectionsMax == 0 {
		c.ConnectionsMax = connectionsDefault
	}
	if c.RetryAfterMs == 0 {
		c.RetryAfterMs = retryAfterDefaultMs
	}
	if c.DrainMs == 0 {
		c.DrainMs = drainDefaultMs
	}
	return c
}

// Validate reports every value that cannot work, all at once. Zero stands for
// the default where there is one.
func (c Config) Validate() error {
	problems := []error{
		c.Risk.validate("Risk"),
		c.Venue.validate("Venue"),
		within("ConnectionsMax", int64(c.ConnectionsMax), connectionsLimit),
		within("RetryAfterMs", int64(c.RetryAfterMs), retryAfterMaxMs),
		within("DrainMs", int64(c.DrainMs), drainMaxMs),
	}
	if len(c.Clients) == 0 {
		problems = append(problems, errors.New("gateway: Clients is empty, want at least one endpoint to listen at"))
	}
	for i, e := range c.Clients {
		problems = append(problems, e.validate(fmt.Sprintf("Clients[%d]", i)))
	}
	return errors.Join(problems...)
}

func (e Endpoint) validate(name string) error {
	if e.Network != "unix" && e.Network != "tcp" {
		return fmt.Errorf("gateway: %s.Network is %q, want unix or tcp", name, e.Network)
	}
	if e.Address == "" {
		return fmt.Errorf("gateway: %s.Address is empty, want a socket's path or host:port", name)
	}
	return nil
}

// within takes zero, which stands for the default, up to highest.
func within(name string, value, highest int64) error {
	if value < 0 || value > highest {
		return fmt.Errorf("gateway: %s is %d, want 1 to %d, or 0 for the default", name, value, highest)
	}
	return nil
}
