package simulated

import (
	"math"

	"tollgate/order"
)

// priceState is the last trade of an instrument on its way to those who use it
// as a reference.
type priceState struct {
	last      order.Price
	tradedAt  int64
	dueAt     int64 // when the next price may be given
	waiting   bool  // the newest price has not been given
	hasTraded bool
}

// prices conflates last trades: of each instrument at most one price in an
// interval, and always the newest in the end.
type prices struct {
	intervalNs int64
	waiting    []int32 // books with a price to be given, in the order of their trades
	nextDueAt  int64   // no price is due before
	out        []order.ReferencePrice
}

func newPrices(books int, intervalNs int64) prices {
	return prices{
		intervalNs: intervalNs,
		waiting:    make([]int32, 0, books),
		nextDueAt:  math.MaxInt64,
		out:        make([]order.ReferencePrice, 0, books),
	}
}

// traded notes a trade in book i at time now.
func (p *prices) traded(books []book, i int32, price order.Price, now int64) {
	state := &books[i].price
	state.last, state.tradedAt, state.hasTraded = price, now, true
	p.wait(state, i)
}

func (p *prices) wait(state *priceState, i int32) {
	if state.waiting {
		return
	}
	state.waiting = true
	p.waiting = append(p.waiting, i)
	p.nextDueAt = min(p.nextDueAt, state.dueAt)
}

// due reports whether what is to happen at a time may happen now. A wait of more
// than an interval can only come from a clock that was set back, and ends.
func (p *prices) due(at, now int64) bool {
	wait := at - now
	return wait <= 0 || wait > p.intervalNs
}

// take returns the prices that are due at now.
func (p *prices) take(books []book, now int64) []order.ReferencePrice {
	p.out = p.out[:0]
	if len(p.waiting) == 0 || !p.due(p.nextDueAt, now) {
		return p.out
	}
	left := p.waiting[:0]
	p.nextDueAt = math.MaxInt64
	for _, i := range p.waiting {
		state := &books[i].price
		if !p.due(state.dueAt, now) {
			left = append(left, i)
			p.nextDueAt = min(p.nextDueAt, state.dueAt)
			continue
		}
		state.waiting, state.dueAt = false, now+p.intervalNs
		p.out = append(p.out, order.ReferencePrice{
			Time: state.tradedAt, Price: state.last, Instrument: books[i].ID, Source: order.PriceSourceLast,
		})
	}
	p.waiting = left
	return p.out
}
