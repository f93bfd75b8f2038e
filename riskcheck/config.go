package riskcheck

import (
	"errors"
	"fmt"

	"tollgate/order"
)

// Config sizes an engine and gives it its identity. Every table is bounded;
// a bound that is reached rejects with ReasonCapacity, it never grows.
type Config struct {
	// Epoch is this incarnation of the engine. It must be above every epoch
	// that ever signed a token with the same key.
	Epoch uint64
	// TokenKey signs verdict tokens; the adapter holds the same key.
	TokenKey order.TokenKey
	// TokenLifetimeNs is how long a verdict may take to the adapter.
	TokenLifetimeNs int64
	// HashSeed keeps clients from choosing colliding identifiers. It has no
	// effect on any decision.
	HashSeed uint64
	// Pretouch has New use the memory of every table once, so that no order
	// pays for a page that the system has yet to provide. It costs that memory
	// from the start (about 400 MB at the default sizes) and some tens of
	// milliseconds.
	Pretouch bool

	// Advise, if it is not nil, is called by New with the memory of every large
	// table before its first use, so that whoever runs the engine can ask the
	// system for large pages. It must not write to it.
	Advise func(memory []byte)

	// OrdersMax bounds the orders the engine remembers: live ones, and the most
	// recent terminal ones for late reports.
	OrdersMax int
	// ClOrdIDsMax bounds the ClOrdIDs of one trading day over all sessions.
	ClOrdIDsMax int
	// ExecutionsMax is how many ExecIDs are remembered to recognise duplicates.
	ExecutionsMax int
	// RoutesMax bounds distinct (session, account, trader, instrument).
	RoutesMax int
	// CellsMax bounds distinct (scope, instrument).
	CellsMax int
	// StampsMax bounds the times that message rates keep, over all scopes.
	StampsMax int
	// RecentOrdersMax is how many new orders DUPLICATE_ORDER can remember; when as
	// many were accepted within its window, new orders are refused.
	RecentOrdersMax int
	// AnswersRetained is how many answers of a session can be replayed, at least
	// answersRetainedMin; it is rounded up to whole chunks of answersPerChunk.
	AnswersRetained int
}

// DefaultConfig returns the sizes for a firm of some ten thousand accounts.
// Epoch and TokenKey are the caller's to fill in.
func DefaultConfig() Config {
	return Config{
		TokenLifetimeNs: 1e9,
		OrdersMax:       1 << 18,
		ClOrdIDsMax:     1 << 20,
		ExecutionsMax:   1 << 18,
		RoutesMax:       1 << 18,
		CellsMax:        1 << 18,
		StampsMax:       1 << 22,
		RecentOrdersMax: 1 << 20,
		AnswersRetained: 1 << 16,
	}
}

// Validate returns every problem of the configuration at once.
func (c *Config) Validate() error {
	var errs []error
	if c.Epoch == 0 {
		errs = append(errs, errors.New("riskcheck: Epoch is 0, want 1 or more"))
	}
	if c.TokenKey == (order.TokenKey{}) {
		errs = append(errs, errors.New("riskcheck: TokenKey is empty, want a random key"))
	}
	if c.TokenLifetimeNs <= 0 {
		errs = append(errs, fmt.Errorf("riskcheck: TokenLifetimeNs is %d, want more than 0", c.TokenLifetimeNs))
	}
	least := Sizes{1, 1, 1, 1, 1, 1, 1, answersRetainedMin}
	for i, size := range c.Sizes() {
		if size < least[i] || size > tableMax {
			errs = append(errs, fmt.Errorf("riskcheck: %s is %d, want %d to %d", SizeNames[i], size, least[i], tableMax))
		}
	}
	return errors.Join(errs...)
}

// Sizes are the bounds of an engine's tables, in the order of SizeNames. They decide
// what is refused for want of capacity, so an engine that is given the inputs of
// another must have the same.
type Sizes [8]int64

// SizeNames are the names of Sizes, which are those of Config's fields.
var SizeNames = [len(Sizes{})]string{
	"OrdersMax", "ClOrdIDsMax", "ExecutionsMax", "RoutesMax", "CellsMax", "StampsMax", "RecentOrdersMax",
	"AnswersRetained",
}

// Sizes returns the bounds of the tables.
func (c *Config) Sizes() Sizes {
	return Sizes{
		int64(c.OrdersMax), int64(c.ClOrdIDsMax), int64(c.ExecutionsMax), int64(c.RoutesMax), int64(c.CellsMax),
		int64(c.StampsMax), int64(c.RecentOrdersMax), int64(c.AnswersRetained),
	}
}
