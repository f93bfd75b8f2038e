package riskcheck_test

import (
	"tollgate/order"
)

// randomState says how something is, from outside.
func (d *duel) randomState() {
	switch d.r.IntN(12) {
	case 0, 1:
		d.cash(d.anyAccount(), order.Money(d.r.Int64N(400_000)-50_000)*order.MoneyOne)
	case 2:
		d.randomPosition()
	case 3, 4:
		d.locate(d.anyAccount(), d.anyInstrument(), order.Qty(d.r.Int64N(120)-4)*order.QtyOne)
	case 5, 6:
		d.randomRate()
	case 7, 8, 9:
		d.randomMarket()
	case 10:
		d.day += uint32(d.r.IntN(5)) / 2
		d.rollDay(d.day)
	default:
		d.rollCalendar(order.CalendarID(d.r.IntN(4)), d.day+uint32(d.r.IntN(6)))
	}
}

func (d *duel) anyAccount() order.AccountID {
	if d.r.IntN(30) == 0 {
		return 90
	}
	return d.world.accounts[d.r.IntN(len(d.world.accounts))].id
}

func (d *duel) anyInstrument() order.InstrumentID {
	switch d.r.IntN(40) {
	case 0:
		return 90
	case 1:
		return instrumentFar
	}
	return order.InstrumentID(1 + d.r.IntN(4))
}

// randomPosition mostly says that a little is held, now and then more than there
// is of the instrument.
func (d *duel) randomPosition() {
	qty := order.Qty(d.r.Int64N(161)-80) * order.QtyOne
	if d.r.IntN(6) == 0 {
		qty *= 50
	}
	i := d.anyInstrument()
	if d.r.IntN(8) == 0 {
		i = instrumentFar
	}
	if row := d.world.instrument(i); row != nil {
		if mark, _ := d.oracle.mark(row); mark > maddest || mark < -maddest {
			return
		}
	}
	d.position(d.anyAccount(), i, qty)
}

// maddest is the highest price at which positions are said from outside: beyond,
// they are worth more than can be counted, and what is brought in has no cost.
const maddest = 1_000_000 * order.PriceOne

func (d *duel) randomRate() {
	currency := "EUR"
	if d.r.IntN(4) == 0 {
		currency = "JPY"
	}
	rate := usualRates[currency]
	rate += order.FxRate(d.r.Int64N(int64(rate)/5) - int64(rate)/10)
	seen := d.now - d.r.Int64N(3e9)
	switch d.r.IntN(30) {
	case 0:
		rate = order.FxRate(d.r.Int64N(3) - 2)
	case 1:
		currency = []string{"USD", "GBP", ""}[d.r.IntN(3)]
	case 2:
		rate = order.FxRate(1 + d.r.Int64N(1<<40))
	case 3:
		seen = d.now + d.r.Int64N(1e9)
	}
	d.fxRate(currency, rate, seen)
}

// randomMarket mostly opens what is not open.
func (d *duel) randomMarket() {
	i, s := d.anyInstrument(), order.MarketOpen
	for k := range d.world.instruments {
		if id := d.world.instruments[k].id; d.oracle.market(id).state != order.MarketOpen && d.r.IntN(3) != 0 {
			i = id
		}
	}
	if d.r.IntN(3) == 0 {
		s = order.MarketState(d.r.IntN(5))
	}
	if d.r.IntN(60) == 0 {
		s = order.MarketState(5 + d.r.IntN(3))
	}
	d.marketState(i, s, d.r.IntN(4) == 0)
}
