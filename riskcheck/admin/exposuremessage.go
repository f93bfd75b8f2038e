package admin

import (
	"tollgate/order"
	adminv1 "tollgate/proto/tollgate/admin/v1"
	"tollgate/riskcheck"
)

func (q *exposureQuery) scopeMessage(scope order.Scope, u *reading) *adminv1.ScopeExposure {
	m := &adminv1.ScopeExposure{
		Scope:              q.service.scope(scope),
		OpenOrders:         uint64(u.OpenOrders),
		OpenBuyNotional:    u.OpenBuyNotional.String(),
		OpenSellNotional:   u.OpenSellNotional.String(),
		GrossPositionValue: u.GrossValue.String(),
		NetPositionValue:   u.NetValue.String(),
		GrossExposure:      order.Money(measure(riskcheck.LimitGrossExposure, u)).String(),
		NetExposure:        order.Money(measure(riskcheck.LimitNetExposure, u)).String(),
		Day:                dayMessage(&u.day),
		Currency:           q.service.currencyOf(scope).String(),
	}
	if scope.Type == order.ScopeAccount && whole(scope) == scope {
		m.Cash = &adminv1.AccountCash{
			Currency: m.GetCurrency(), Cash: u.cash.Cash.String(), Equity: u.cash.Equity.String(),
			Required: u.cash.Required.String(), Valued: u.cash.Valued,
		}
	}
	for _, cell := range q.cells(scope) {
		if used, ok := q.reader.usage(cell); ok && !untouched(used) {
			m.Instruments = append(m.Instruments, q.instrumentMessage(cell, used))
		}
	}
	for _, class := range q.classes(scope) {
		if used, ok := q.reader.usage(class); ok && !untouched(used) {
			m.Classes = append(m.Classes, q.classMessage(class, used))
		}
	}
	for i, killed := range q.killed {
		if q.service.covers(killed, scope) {
			m.Kills = append(m.Kills, q.kills[i])
		}
	}
	for _, l := range q.latches {
		if l.Scope == scope || whole(l.Scope) == scope {
			m.Latches = append(m.Latches, q.service.latchEntry(latched{l.Scope, l.Latch}))
		}
	}
	return m
}

func dayMessage(d *riskcheck.DayUse) *adminv1.DayUse {
	return &adminv1.DayUse{
		Messages: count(d.Messages), OrdersAndCancels: count(d.OrdersAndCancels), Orders: count(d.Orders),
		Trades: count(d.Trades), OrderedQty: d.OrderedQty.String(), ExecutedQty: d.ExecutedQty.String(),
		Executed: d.Executed.String(), MinuteAdded: d.MinuteAdded.String(), Profit: d.Profit.String(),
		Peak: d.Peak.String(), Executions: count(d.Executions), Rejects: count(d.Rejects), Valued: d.Valued,
	}
}

// count turns a count of the engine into that of a message.
func count(n int64) uint64 { return uint64(max(0, n)) }

func (q *exposureQuery) instrumentMessage(cell order.Scope, u *reading) *adminv1.InstrumentExposure {
	m := &adminv1.InstrumentExposure{
		Instrument:       q.service.names().InstrumentName(cell.Instrument),
		OpenOrders:       uint64(u.OpenOrders),
		OpenBuyQty:       u.OpenBuyQty.String(),
		OpenSellQty:      u.OpenSellQty.String(),
		NetPosition:      u.Net().String(),
		PositionValue:    u.NetValue.String(),
		OpenBuyNotional:  u.OpenBuyNotional.String(),
		OpenSellNotional: u.OpenSellNotional.String(),
	}
	if cell.Type == order.ScopeAccount {
		m.Located, m.Shorted = u.located.String(), u.shorted.String()
	}
	return m
}

func (q *exposureQuery) classMessage(class order.Scope, u *reading) *adminv1.ClassExposure {
	return &adminv1.ClassExposure{
		Class:              q.service.names().ClassName(class.Class),
		OpenOrders:         uint64(u.OpenOrders),
		OpenBuyQty:         u.OpenBuyQty.String(),
		OpenSellQty:        u.OpenSellQty.String(),
		NetPosition:        u.Net().String(),
		GrossPositionValue: u.GrossValue.String(),
		OpenBuyNotional:    u.OpenBuyNotional.String(),
		OpenSellNotional:   u.OpenSellNotional.String(),
	}
}
