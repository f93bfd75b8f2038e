package riskcheck_test

import (
	"tollgate/order"
	"tollgate/riskcheck"
)

// given gives an input that can be refused to engine, twin and oracle, and
// compares what they make of it.
func (d *duel) given(what string, input func(*riskcheck.Engine) error, same func(*oracle) bool) bool {
	d.note("+%s %s", clockText(d.now), what)
	var err error
	d.each(func(e *riskcheck.Engine) { err = input(e) })
	d.followEngine()
	if ok := same(d.oracle); ok != (err == nil) {
		d.fail("%s: engine says %v, oracle %v", what, err, ok)
		return false
	}
	d.compare(inAnyOrder)
	return err == nil
}

// cash says what cash an account has.
func (d *duel) cash(a order.AccountID, m order.Money) bool {
	return d.given("cash "+d.roll.account(a)+" "+m.String(),
		func(e *riskcheck.Engine) error { return e.SetCash(d.now, a, m) },
		func(o *oracle) bool { return o.setCash(d.now, a, m) })
}

// position says what an account holds of an instrument.
func (d *duel) position(a order.AccountID, i order.InstrumentID, q order.Qty) bool {
	return d.given("position "+d.roll.account(a)+" "+d.roll.instrument(i)+" "+q.String(),
		func(e *riskcheck.Engine) error { return e.SetPosition(d.now, a, i, q) },
		func(o *oracle) bool { return o.setPosition(d.now, a, i, q) })
}

// locate says how much of an instrument an account may sell short.
func (d *duel) locate(a order.AccountID, i order.InstrumentID, q order.Qty) bool {
	return d.given("locate "+d.roll.account(a)+" "+d.roll.instrument(i)+" "+q.String(),
		func(e *riskcheck.Engine) error { return e.SetLocate(d.now, a, i, q) },
		func(o *oracle) bool { return o.setLocate(d.now, a, i, q) })
}

// fxRate gives a currency a rate.
func (d *duel) fxRate(currency string, rate order.FxRate, seen int64) bool {
	return d.given("rate "+currency+" "+rate.String()+" seen "+clockText(seen),
		func(e *riskcheck.Engine) error { return e.SetFxRate(d.now, riskcheck.CurrencyOf(currency), rate, seen) },
		func(o *oracle) bool { return o.setFxRate(d.now, currency, rate, seen) })
}

// marketState says which state an instrument's market is in, and whether short
// sales are restricted.
func (d *duel) marketState(i order.InstrumentID, s order.MarketState, short bool) bool {
	what := "market " + d.roll.instrument(i) + " " + s.String()
	if short {
		what += " short sale restriction"
	}
	return d.given(what,
		func(e *riskcheck.Engine) error { return e.SetMarketState(d.now, i, s, short) },
		func(o *oracle) bool { return o.setMarketState(d.now, i, s, short) })
}

// rollDay begins a day of the firm.
func (d *duel) rollDay(day uint32) bool {
	return d.given("roll to day "+decimal(day),
		func(e *riskcheck.Engine) error { return e.RollDay(d.now, day) },
		func(o *oracle) bool { return o.rollDay(d.now, day) })
}

// rollCalendar begins a day of one calendar.
func (d *duel) rollCalendar(c order.CalendarID, day uint32) bool {
	return d.given("roll calendar "+nameIn(d.roll.calendars, uint32(c))+" to day "+decimal(day),
		func(e *riskcheck.Engine) error { return e.RollCalendar(d.now, c, day) },
		func(o *oracle) bool { return o.rollCalendar(d.now, c, day) })
}

// release ends a latch; true: both did.
func (d *duel) release(s order.Scope, l riskcheck.Latch) bool {
	return d.given("release "+d.roll.scope(s)+" "+l.String(),
		func(e *riskcheck.Engine) error { return e.Release(d.now, s, l) },
		func(o *oracle) bool { return o.release(d.now, s, l) })
}
