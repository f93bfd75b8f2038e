package recorded

import (
	"tollgate/order"
	"tollgate/riskcheck"
	"tollgate/riskcheck/input"
)

// ApplyReference is Engine.ApplyReference.
func (e *Engine) ApplyReference(nowNs int64, ref *riskcheck.Reference) error {
	nowNs = e.keep(input.KindReference, nowNs, input.AppendReference(e.payload, e.by, ref))
	return e.Engine.ApplyReference(nowNs, ref)
}

// ApplyLimits is Engine.ApplyLimits.
func (e *Engine) ApplyLimits(nowNs int64, set *riskcheck.LimitSet) error {
	return e.Engine.ApplyLimits(e.keep(input.KindLimits, nowNs, input.AppendLimits(e.payload, e.by, set)), set)
}

// Kill is Engine.Kill.
func (e *Engine) Kill(nowNs int64, scope order.Scope) (riskcheck.KillResult, error) {
	return e.Engine.Kill(e.keep(input.KindKill, nowNs, input.AppendKill(e.payload, e.by, scope)), scope)
}

// Unkill is Engine.Unkill.
func (e *Engine) Unkill(nowNs int64, scope order.Scope) error {
	return e.Engine.Unkill(e.keep(input.KindUnkill, nowNs, input.AppendUnkill(e.payload, e.by, scope)), scope)
}

// Release is Engine.Release.
func (e *Engine) Release(nowNs int64, scope order.Scope, latch riskcheck.Latch) error {
	nowNs = e.keep(input.KindRelease, nowNs, input.AppendRelease(e.payload, e.by, scope, latch))
	return e.Engine.Release(nowNs, scope, latch)
}

// SetCash is Engine.SetCash.
func (e *Engine) SetCash(nowNs int64, account order.AccountID, cash order.Money) error {
	nowNs = e.keep(input.KindCash, nowNs, input.AppendCash(e.payload, e.by, account, cash))
	return e.Engine.SetCash(nowNs, account, cash)
}

// SetPosition is Engine.SetPosition.
func (e *Engine) SetPosition(nowNs int64, account order.AccountID, instrument order.InstrumentID, qty order.Qty) error {
	nowNs = e.keep(input.KindPosition, nowNs, input.AppendPosition(e.payload, e.by, account, instrument, qty))
	return e.Engine.SetPosition(nowNs, account, instrument, qty)
}

// SetLocate is Engine.SetLocate.
func (e *Engine) SetLocate(nowNs int64, account order.AccountID, instrument order.InstrumentID, qty order.Qty) error {
	nowNs = e.keep(input.KindLocate, nowNs, input.AppendLocate(e.payload, e.by, account, instrument, qty))
	return e.Engine.SetLocate(nowNs, account, instrument, qty)
}

// SetFxRate is Engine.SetFxRate.
func (e *Engine) SetFxRate(nowNs int64, currency riskcheck.Currency, rate order.FxRate, seenNs int64) error {
	nowNs = e.keep(input.KindFxRate, nowNs, input.AppendFxRate(e.payload, e.by, currency, rate, seenNs))
	return e.Engine.SetFxRate(nowNs, currency, rate, seenNs)
}

// SetMarketState is Engine.SetMarketState.
func (e *Engine) SetMarketState(nowNs int64, instrument order.InstrumentID, state order.MarketState, restricted bool,
) error {
	nowNs = e.keep(input.KindMarketState, nowNs,
		input.AppendMarketState(e.payload, e.by, instrument, state, restricted))
	return e.Engine.SetMarketState(nowNs, instrument, state, restricted)
}

// RollDay is Engine.RollDay.
func (e *Engine) RollDay(nowNs int64, day uint32) error {
	return e.Engine.RollDay(e.keep(input.KindRollDay, nowNs, input.AppendRollDay(e.payload, e.by, day)), day)
}

// RollCalendar is Engine.RollCalendar.
func (e *Engine) RollCalendar(nowNs int64, calendar order.CalendarID, day uint32) error {
	nowNs = e.keep(input.KindRollCalendar, nowNs, input.AppendRollCalendar(e.payload, e.by, calendar, day))
	return e.Engine.RollCalendar(nowNs, calendar, day)
}
