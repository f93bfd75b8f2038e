package flow

import (
	"slices"

	"tollgate/order"
)

// Meta is what a piece of flow tells about its instrument: enough to make
// reference data and sensible limits for it.
type Meta struct {
	Format   Format
	Symbol   string // best guess, "" if there is none
	Currency string // all recognised markets trade in USD

	Tick order.Price // the largest step that all visible prices are multiples of
	Lot  order.Qty   // the largest step that all visible quantities are multiples of

	FirstPrice  order.Price // of the first execution; without any, of the first order
	LastPrice   order.Price // of the last execution; without any, of the last order
	MedianPrice order.Price // of all orders and modifications
	MinPrice    order.Price
	MaxPrice    order.Price
	MedianQty   order.Qty // of all orders and modifications
	Qty99       order.Qty // 99 in 100 are at most this
	MaxQty      order.Qty

	DurationNs int64 // from the first event to the last
	Counts     Counts
	Opening    uint64 // events that are part of the opening book
	Cut        bool   // the source has more events than were read
}

// Fallbacks of a flow that shows no order at all.
const (
	tickDefault order.Price = 1e6 // 0.01
	currencyUSD             = "USD"
)

// describe computes Meta from events in memory.
func describe(events []Event) Meta {
	m := Meta{Currency: currencyUSD}
	prices, quantities := make([]order.Price, 0, len(events)), make([]order.Qty, 0, len(events))
	for i := range events {
		e := &events[i]
		m.Counts[e.Kind]++
		if e.Opening {
			m.Opening++
		}
		m.measure(e)
		if e.Kind == KindNew || e.Kind == KindModify {
			prices, quantities = append(prices, e.Price), append(quantities, e.Qty)
		}
	}
	if len(events) > 0 {
		m.DurationNs = events[len(events)-1].TimeNs - events[0].TimeNs
	}
	m.executions(events, prices)
	m.quantiles(prices, quantities)
	m.fallBack()
	return m
}

// measure takes the event's price and quantity into tick and lot. Hidden
// executions are left out: they may trade between ticks.
func (m *Meta) measure(e *Event) {
	switch e.Kind {
	case KindNew, KindModify, KindExecute:
		m.Tick = order.Price(divisor(int64(m.Tick), int64(e.Price)))
		m.Lot = order.Qty(divisor(int64(m.Lot), int64(e.Qty)))
	case KindReduce:
		m.Lot = order.Qty(divisor(int64(m.Lot), int64(e.Qty)))
	}
}

// executions finds the first and the last price.
func (m *Meta) executions(events []Event, prices []order.Price) {
	if len(prices) > 0 {
		m.FirstPrice, m.LastPrice = prices[0], prices[len(prices)-1]
	}
	first := true
	for i := range events {
		if events[i].Kind != KindExecute {
			continue
		}
		if first {
			m.FirstPrice, first = events[i].Price, false
		}
		m.LastPrice = events[i].Price
	}
}

// quantiles sorts the slices in place.
func (m *Meta) quantiles(prices []order.Price, quantities []order.Qty) {
	if len(prices) == 0 {
		return
	}
	slices.Sort(prices)
	slices.Sort(quantities)
	last := len(prices) - 1
	m.MinPrice, m.MedianPrice, m.MaxPrice = prices[0], prices[last/2], prices[last]
	m.MedianQty, m.Qty99, m.MaxQty = quantities[last/2], quantities[last*99/100], quantities[last]
}

func (m *Meta) fallBack() {
	if m.Tick == 0 {
		m.Tick = tickDefault
	}
	if m.Lot == 0 {
		m.Lot = order.QtyOne
	}
}

// divisor returns the greatest common divisor of a and |b|.
func divisor(a, b int64) int64 {
	if b < 0 {
		b = -b
	}
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
