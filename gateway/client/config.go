package client

import (
	"errors"
	"fmt"

	"tollgate/order"
)

// Config says where the gateway is, who the client is, and how the session
// behaves. Zero means the default where one is named; the other fields must be
// given.
type Config struct {
	// Network is "unix" or "tcp".
	Network string
	// Address is a socket's path or host:port.
	Address string
	// Client is the number of the client whose key is used; not zero.
	Client uint32
	// Session is the order entry session to log in to; not zero.
	Session order.SessionID
	// Key is the client's secret. It is never logged and never leaves the process; it is not copied either.
	Key []byte

	// KeepaliveMs is how long the connection may be idle before a heartbeat is sent; twice that in silence means the
	// peer is gone. Default 15,000, from 100 to 60,000.
	KeepaliveMs uint32
	// CancelOnDisconnectMs is the grace window after which the server cancels the session's orders when the
	// connection is lost. 0 means never; at most 60,000.
	CancelOnDisconnectMs uint32
	// Traces asks for the times of each order at every station, given to the handler right before its answer.
	Traces bool

	// WantOutSeq is the first answer wanted at the first login, default 1. Later logins continue by themselves.
	WantOutSeq uint64
	// NextRef is the number the first request will carry, default 1.
	NextRef uint64
	// Adopt lets a program without a record of the session continue it: request numbers go on from what the server
	// expects, and if the answer WantOutSeq is no longer held, the oldest one that is held comes first.
	Adopt bool

	// UnansweredMax bounds the distance from the oldest request without a final answer to the newest request.
	// Default 8,192. Each costs 132 bytes.
	UnansweredMax int
	// ReconnectMinNs is the first pause before a new connection is tried, default 10 ms; it doubles with every failure.
	ReconnectMinNs int64
	// ReconnectMaxNs is the longest such pause, default 1 s.
	ReconnectMaxNs int64
	// LoginTimeoutNs bounds connecting and logging in, each, default 5 s.
	LoginTimeoutNs int64
	// ResendIntervalNs is the shortest time between two repetitions that start from the same request, default 10 ms.
	ResendIntervalNs int64
}

// String names the session and the gateway. It does not show the key.
func (c Config) String() string {
	return fmt.Sprintf("session %d of client %d at %s %s", c.Session, c.Client, c.Network, c.Address)
}

// GoString is String, so that no verb of fmt shows the key.
func (c Config) GoString() string { return c.String() }

// withDefaults returns the configuration with every left out value filled in.
func (c Config) withDefaults() Config {
	orDefault(&c.KeepaliveMs, keepaliveDefaultMs)
	orDefault(&c.WantOutSeq, 1)
	orDefault(&c.NextRef, 1)
	orDefault(&c.UnansweredMax, unansweredDefault)
	orDefault(&c.ReconnectMinNs, reconnectMinDefaultNs)
	orDefault(&c.ReconnectMaxNs, max(reconnectMaxDefaultNs, c.ReconnectMinNs))
	orDefault(&c.LoginTimeoutNs, loginTimeoutDefaultNs)
	orDefault(&c.ResendIntervalNs, resendIntervalDefaultNs)
	return c
}

func orDefault[T int | int64 | uint32 | uint64](value *T, otherwise T) {
	if *value == 0 {
		*value = otherwise
	}
}

// Validate reports every value that cannot work, all at once. Zero stands for
// the default where there is one.
func (c Config) Validate() error {
	return errors.Join(c.validatePeer(), c.withDefaults().validateTimes())
}

func (c *Config) validatePeer() error {
	var problems []error
	if c.Network != "unix" && c.Network != "tcp" {
		problems = append(problems, fmt.Errorf("client: Network is %q, want unix or tcp", c.Network))
	}
	if c.Address == "" {
		problems = append(problems, errors.New("client: Address is empty, want a socket's path or host:port"))
	}
	if c.Client == 0 {
		problems = append(problems, errors.New("client: Client is 0, want the client's number"))
	}
	if c.Session == 0 {
		problems = append(problems, errors.New("client: Session is 0, want the session's number"))
	}
	if len(c.Key) == 0 {
		problems = append(problems, errors.New("client: Key is empty, want the client's secret"))
	}
	return errors.Join(problems...)
}

func (c Config) validateTimes() error {
	return errors.Join(
		within("KeepaliveMs", int64(c.KeepaliveMs), keepaliveMinMs, keepaliveMaxMs),
		within("CancelOnDisconnectMs", int64(c.CancelOnDisconnectMs), 0, cancelOnDisconnectMaxMs),
		within("UnansweredMax", int64(c.UnansweredMax), 1, unansweredLimit),
		within("ReconnectMinNs", c.ReconnectMinNs, 1, c.ReconnectMaxNs),
		within("LoginTimeoutNs", c.LoginTimeoutNs, 1, 1<<62),
		within("ResendIntervalNs", c.ResendIntervalNs, 1, 1<<62),
	)
}

func within(name string, value, lowest, highest int64) error {
	if value < lowest || value > highest {
		return fmt.Errorf("client: %s is %d, want %d to %d", name, value, lowest, highest)
	}
	return nil
}
