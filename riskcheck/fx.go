package riskcheck

import (
	"math/bits"

	"tollgate/order"
)

// rateRow is the exchange rate of one currency. Row 0 is the firm's own, whose
// rate is one and never ages.
type rateRow struct {
	currency Currency
	rate     order.FxRate // units of the firm's currency for one; 0: unknown
	seen     int64
}

// currencyRow returns the row of a currency and makes it if needed. It is for
// reference data, off the order path.
func (e *Engine) currencyRow(c Currency) int32 {
	for i := range e.rates {
		if e.rates[i].currency == c {
			return int32(i)
		}
	}
	row := rateRow{currency: c}
	if len(e.rates) == 0 {
		row.rate = order.FxRateOne // the firm's, which comes first
	}
	e.rates = append(e.rates, row)
	return int32(len(e.rates) - 1)
}

// fresh reports whether a rate is known and young enough to judge an order by.
func (e *Engine) fresh(currency int32) bool {
	r := &e.rates[currency]
	return currency == 0 ||
		r.rate != 0 && (e.firm.FxMaxAgeNs == order.Unlimited || e.now-r.seen <= e.firm.FxMaxAgeNs && e.firm.FxMaxAgeNs > 0)
}

// rateBetween returns the rate from one currency to another at the newest rates
// known, rounded up, and whether there is one that fits.
func (e *Engine) rateBetween(from, to int32) (order.FxRate, bool) {
	switch {
	case from == to:
		return order.FxRateOne, true
	case e.rates[from].rate == 0, e.rates[to].rate == 0:
		return 0, false
	case to == 0:
		return e.rates[from].rate, true
	}
	hi, lo := bits.Mul64(uint64(e.rates[from].rate), uint64(order.FxRateOne))
	divisor := uint64(e.rates[to].rate)
	if hi >= divisor {
		return 0, false
	}
	q, r := bits.Div64(hi, lo, divisor)
	if r != 0 {
		q++
	}
	return order.FxRate(q), q <= order.Unlimited
}

// exchange returns an amount that is not negative at a rate, rounded up (against
// whoever uses it) or down, and whether it fits.
func exchange(m order.Money, rate order.FxRate, up bool) (order.Money, bool) {
	if rate == order.FxRateOne {
		return m, true
	}
	hi, lo := bits.Mul64(uint64(m), uint64(rate))
	if hi >= uint64(order.FxRateOne) {
		return 0, false
	}
	q, r := bits.Div64(hi, lo, uint64(order.FxRateOne))
	if up && r != 0 {
		q++
	}
	return order.Money(q), q <= order.Unlimited
}

// ratesFor returns the rates an order in an instrument is valued at in the firm's
// and in the account's currency, and whether both are fresh.
func (e *Engine) ratesFor(in *instrumentRow, a *accountRow) ([currencies]order.FxRate, bool) {
	if in.rate == 0 && a.rate == 0 {
		return [currencies]order.FxRate{order.FxRateOne, order.FxRateOne}, true
	}
	var out [currencies]order.FxRate
	var ok, okAccount bool
	out[firmMoney], ok = e.rateBetween(in.rate, 0)
	out[accountMoney], okAccount = e.rateBetween(in.rate, a.rate)
	needed := e.fresh(in.rate) && (in.rate == a.rate || e.fresh(a.rate))
	return out, ok && okAccount && needed
}

// notionals returns |price| × qty × multiplier in both currencies, rounded up at
// each step, and whether both fit.
func notionals(price order.Price, qty order.Qty, mult order.Multiplier, rates *[currencies]order.FxRate,
) (amounts, bool) {
	m, ok := order.Notional(price, qty, mult)
	if !ok {
		return amounts{}, false
	}
	var out amounts
	for i := range out {
		var fits bool
		out[i], fits = exchange(m, rates[i], true)
		ok = ok && fits
	}
	return out, ok
}
