package ledger

import "tollgate/order"

// PositionKey names a position.
type PositionKey struct {
	Account    order.AccountID
	Instrument order.InstrumentID
}

// Position is what trades add up to.
type Position struct {
	BuyQty  order.Qty
	SellQty order.Qty
	Trades  uint64
}

// Net returns bought less sold.
func (p Position) Net() order.Qty { return p.BuyQty - p.SellQty }

// Positions holds positions by account and instrument, recomputed from the
// clients' trade answers and nothing else, so that they can be compared with
// what the engine says.
type Positions map[PositionKey]Position

// trade books one execution.
func (p Positions) trade(a *order.Answer) {
	key := PositionKey{a.Account, a.Instrument}
	position := p[key]
	if a.Side.IsBuy() {
		position.BuyQty += a.LastQty
	} else {
		position.SellQty += a.LastQty
	}
	position.Trades++
	p[key] = position
}

// Add adds another session's positions.
func (p Positions) Add(o Positions) {
	for key, position := range o {
		sum := p[key]
		sum.BuyQty += position.BuyQty
		sum.SellQty += position.SellQty
		sum.Trades += position.Trades
		p[key] = sum
	}
}
