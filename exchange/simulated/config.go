package simulated

import (
	"errors"
	"fmt"

	"tollgate/order"
)

// Instrument is what the venue knows of one instrument.
type Instrument struct {
	ID   order.InstrumentID
	Tick order.Price // prices are multiples of it; above zero
	Lot  order.Qty   // quantities are multiples of it; above zero

	// ReplaceOpenQty makes OrderQty of a replace what shall be open after it,
	// instead of the total (CME without in-flight mitigation, tag 9768).
	ReplaceOpenQty bool
}

// Config describes a venue. It is read once by New.
type Config struct {
	// Instruments are the books of the venue, at least one.
	Instruments []Instrument

	// OrdersMax bounds the live orders of all books together; a new order above
	// it is refused. From 1 to the constant OrdersMax.
	OrdersMax int

	// FinishedRetainedMax is how many filled, canceled and expired orders the
	// venue remembers, oldest forgotten first. From 0 to the constant
	// FinishedRetainedMax.
	FinishedRetainedMax int

	// ExecutionsRetainedMax is how many executions the venue remembers, so that
	// they can be undone, corrected and said again; oldest forgotten first. From 0
	// to the constant ExecutionsRetainedMax.
	ExecutionsRetainedMax int

	// RecordsRetainedMax is how many records of the venue's log stay in memory,
	// oldest forgotten first; 0 keeps no log. At most the constant
	// RecordsRetainedMax.
	RecordsRetainedMax int

	// PriceIntervalNs is the shortest time between two reference prices of one
	// instrument, in nanoseconds. Not negative.
	PriceIntervalNs int64

	// Observe, if not nil, is given every record of the log as it is made, by the
	// goroutine that calls the venue. The record is valid during the call only.
	// It works without a retained log too.
	Observe func(r *Record)

	// FirstExecID is the first execution identifier. A venue that follows
	// another gives a higher one, so that identifiers are never used twice.
	FirstExecID order.ExecID
}

// DefaultConfig returns the bounds a venue has if nobody says otherwise, and no
// instruments.
func DefaultConfig() Config {
	return Config{
		OrdersMax:             defaultOrdersMax,
		FinishedRetainedMax:   defaultFinishedRetainedMax,
		ExecutionsRetainedMax: defaultExecutionsRetainedMax,
		RecordsRetainedMax:    defaultRecordsRetainedMax,
		PriceIntervalNs:       defaultPriceIntervalNs,
		FirstExecID:           1,
	}
}

// Validate returns every problem of c at once, or nil.
func (c *Config) Validate() error {
	return errors.Join(
		between("OrdersMax", c.OrdersMax, 1, OrdersMax),
		between("FinishedRetainedMax", c.FinishedRetainedMax, 0, FinishedRetainedMax),
		between("ExecutionsRetainedMax", c.ExecutionsRetainedMax, 0, ExecutionsRetainedMax),
		between("RecordsRetainedMax", c.RecordsRetainedMax, 0, RecordsRetainedMax),
		c.validatePriceInterval(),
		c.validateExecID(),
		c.validateInstruments(),
	)
}

func (c *Config) validatePriceInterval() error {
	if c.PriceIntervalNs < 0 {
		return fmt.Errorf("PriceIntervalNs is %d: it must not be negative", c.PriceIntervalNs)
	}
	return nil
}

func (c *Config) validateExecID() error {
	if c.FirstExecID == 0 {
		return errors.New("FirstExecID is 0: it must be at least 1")
	}
	return nil
}

func (c *Config) validateInstruments() error {
	if len(c.Instruments) == 0 {
		return errors.New("no instruments are given: a venue needs at least one")
	}
	var problems []error
	seen := make(map[order.InstrumentID]bool, len(c.Instruments))
	for i := range c.Instruments {
		problems = append(problems, c.Instruments[i].validate())
		if id := c.Instruments[i].ID; seen[id] {
			problems = append(problems, fmt.Errorf("instrument %d is listed twice: list it once", id))
		}
		seen[c.Instruments[i].ID] = true
	}
	return errors.Join(problems...)
}

func (i *Instrument) validate() error {
	var problems []error
	if i.ID == 0 || i.ID > InstrumentIDMax {
		problems = append(problems, fmt.Errorf("instrument %d: ID must be from 1 to %d", i.ID, InstrumentIDMax))
	}
	if i.Tick <= 0 {
		problems = append(problems, fmt.Errorf("instrument %d: Tick is %v: it must be above zero", i.ID, i.Tick))
	}
	if i.Lot <= 0 {
		problems = append(problems, fmt.Errorf("instrument %d: Lot is %v: it must be above zero", i.ID, i.Lot))
	}
	return errors.Join(problems...)
}

func between(name string, value, low, high int) error {
	if value < low || value > high {
		return fmt.Errorf("%s is %d: it must be from %d to %d", name, value, low, high)
	}
	return nil
}
