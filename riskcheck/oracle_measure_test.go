package riskcheck_test

import (
	"fmt"
	"math/big"

	"tollgate/order"
)

// fill is one booked execution, as it stands now: a correction changes it, a
// cancel of the trade undoes it.
type fill struct {
	identity
	order  order.OrderID
	exec   order.ExecID
	side   order.Side
	qty    *big.Int // below zero: an execution was undone that nobody remembers
	px     order.Price
	moment int // when it was first booked: it stays in that day
	undone bool
	value  inBoth // |price| × quantity × multiplier
	flow   inBoth // what it brought in cash; below zero: took
	fee    *big.Int
}

// signed is what the fill added to the position.
func (f *fill) signed() *big.Int {
	if f.side.IsBuy() {
		return f.qty
	}
	return negated(f.qty)
}

// turn is what one event adds to the figures of the day, or takes back.
type turn struct {
	identity
	moment int // when it happened
	of     int // when the execution was first booked
	side   order.Side
	trades *big.Int
	qty    *big.Int
	value  inBoth
}

// turnsOfDay lists what counts in a scope's day. Nothing is taken back from a day
// that did not have it.
func (o *oracle) turnsOfDay(s order.Scope) []*turn {
	var out []*turn
	for i := range o.turns {
		t := &o.turns[i]
		if began := o.dayOf(s, t.instrument); t.of > began && t.moment > began && t.within(s) {
			out = append(out, t)
		}
	}
	return out
}

// sumOfDay adds up a figure of a scope's day. A day that had less than what was
// taken back had nothing.
func (o *oracle) sumOfDay(s order.Scope, figure func(*turn) *big.Int) *big.Int {
	sum := new(big.Int)
	for _, t := range o.turnsOfDay(s) {
		sum.Add(sum, figure(t))
	}
	return floorZero(sum)
}

// adjustment is a position that was said from outside: what it added, and what
// cash that is held against, at the scopes it goes to.
type adjustment struct {
	identity
	qty  *big.Int
	flow map[order.Scope]*big.Int // nil: not known before the position has a value
}

// currencyOf is the currency of a scope's money.
func (o *oracle) currencyOf(s order.Scope) string {
	if s.Type == order.ScopeAccount {
		return o.currencies[order.AccountID(s.ID)]
	}
	return o.world.currency
}

// measured is everything that is summed at one scope.
type measured struct {
	orders              int64
	buyQty, sellQty     *big.Int // reserved by live orders
	buyValue, sellValue *big.Int
	boughtQty, soldQty  *big.Int // by fills
	positions           []*big.Int
	carried             *big.Int // positions said from outside
	valued              bool     // the values below are worked out
	gross, net          *big.Int
	worth               *big.Int
	unfit               bool // one position has no value, or none that fits
}

// measure sums a scope from the list of orders, the list of fills and what was
// said from outside.
func (o *oracle) measure(live []reservation, s order.Scope) *measured {
	m := o.newMeasure()
	for _, r := range live {
		if r.within(s) {
			m.reserve(s, r)
		}
	}
	for i := range o.fills {
		if f := &o.fills[i]; !f.undone && f.within(s) {
			m.addFill(f, &o.world)
		}
	}
	for i := range o.moved {
		if a := &o.moved[i]; a.within(s) {
			m.carried.Add(m.carried, a.qty)
			m.move(a.instrument, a.qty, &o.world)
		}
	}
	return m
}

func (m *measured) String() string {
	return fmt.Sprintf("orders %d buys %v worth %v sells %v worth %v bought %v sold %v carried %v gross %v net %v worth %v "+
		"unfit %v positions %v", m.orders, m.buyQty, m.buyValue, m.sellQty, m.sellValue, m.boughtQty, m.soldQty, m.carried,
		m.gross, m.net, m.worth, m.unfit, m.positions)
}

func (o *oracle) newMeasure() *measured {
	m := &measured{positions: make([]*big.Int, len(o.world.instruments))}
	for _, sum := range []**big.Int{
		&m.buyQty, &m.sellQty, &m.buyValue, &m.sellValue, &m.boughtQty, &m.soldQty, &m.carried, &m.gross, &m.net, &m.worth,
	} {
		*sum = new(big.Int)
	}
	for i := range m.positions {
		m.positions[i] = new(big.Int)
	}
	return m
}

func (m *measured) reserve(s order.Scope, r reservation) {
	m.orders++
	value := r.value.at(s)
	if r.side.IsBuy() {
		m.buyQty.Add(m.buyQty, r.qty)
		m.buyValue.Add(m.buyValue, value)
		return
	}
	m.sellQty.Add(m.sellQty, r.qty)
	m.sellValue.Add(m.sellValue, value)
}

func (m *measured) addFill(f *fill, w *world) {
	if f.side.IsBuy() {
		m.boughtQty.Add(m.boughtQty, f.qty)
	} else {
		m.soldQty.Add(m.soldQty, f.qty)
	}
	m.move(f.instrument, f.signed(), w)
}

func (m *measured) move(id order.InstrumentID, qty *big.Int, w *world) {
	for i := range w.instruments {
		if w.instruments[i].id == id {
			m.positions[i].Add(m.positions[i], qty)
		}
	}
}

// position is the sum of the positions. It means something for one instrument
// or one class.
func (m *measured) position() *big.Int { return plus(m.positions...) }

// sum measures a scope for a request, once.
func (o *oracle) sum(c *judged, s order.Scope) *measured {
	m := c.sums[s]
	if m == nil {
		m = o.measure(c.live, s)
		c.sums[s] = m
	}
	return m
}

// valuedSum measures a scope for a request and values its positions.
func (o *oracle) valuedSum(c *judged, s order.Scope) *measured {
	m := o.sum(c, s)
	o.valuePositions(m, s)
	return m
}

// overflown reports whether a position has no value that fits.
func (m *measured) overflown() bool { return m.unfit || !m.gross.IsInt64() || !m.net.IsInt64() }

// valuePositions values the position in every instrument by itself.
func (o *oracle) valuePositions(m *measured, s order.Scope) {
	if m.valued {
		return
	}
	m.valued = true
	currency := o.currencyOf(s)
	for i := range m.positions {
		if m.positions[i].Sign() == 0 {
			continue
		}
		value, worth, ok := o.positionValue(m.positions[i], &o.world.instruments[i], currency)
		if !ok {
			m.unfit = true
			continue
		}
		m.net.Add(m.net, value)
		m.gross.Add(m.gross, magnitude(value))
		m.worth.Add(m.worth, worth)
	}
}

// positionValue is the value of a position in one instrument, in a currency: its
// sign is that of the position. worth is below zero too where what is held must
// be paid for to be rid of.
func (o *oracle) positionValue(position *big.Int, i *instrumentRow, currency string) (value, worth *big.Int, ok bool) {
	mark, marked := o.mark(i)
	rate, known := o.rateNow(i.currency, currency, false)
	if !marked || !known {
		return nil, nil, false
	}
	own := notionalOf(mark, magnitude(position), i.multiplier)
	value = exchanged(own, rate)
	if !own.IsInt64() || !value.IsInt64() {
		return nil, nil, false
	}
	if position.Sign() < 0 {
		value = negated(value)
	}
	if mark < 0 {
		return value, negated(value), true
	}
	return value, value, true
}

// mark is the price positions are valued at: the newest there is.
func (o *oracle) mark(i *instrumentRow) (order.Price, bool) {
	for k := len(o.prices) - 1; k >= 0; k-- {
		if o.prices[k].Instrument == i.id && o.prices[k].Price != order.Null {
			return o.prices[k].Price, true
		}
	}
	if i.settlement != order.Null {
		return i.settlement, true
	}
	px, traded := o.lastTrade[i.id]
	return px, traded
}
