package admin

import (
	"context"
	"math"
	"math/bits"

	"tollgate/order"
	adminv1 "tollgate/proto/tollgate/admin/v1"
	"tollgate/riskcheck"
	"tollgate/riskcheck/admin/document"
)

// use is what is used of one limit.
type use struct {
	value      int64
	instrument order.InstrumentID // the worst, for limits judged per instrument
	known      bool
}

// usable reports whether a limit has a use: the others judge single orders, or
// messages within a window, of which the engine keeps no total that a person
// could read, or count something that only some scopes have.
func usable(kind riskcheck.LimitKind, scope order.Scope) bool {
	switch kind {
	case riskcheck.LimitOpenOrders, riskcheck.LimitOpenNotional, riskcheck.LimitPositionLong,
		riskcheck.LimitPositionShort, riskcheck.LimitGrossExposure, riskcheck.LimitNetExposure,
		riskcheck.LimitMessagesPerDay, riskcheck.LimitOrdersAndCancelsPerDay, riskcheck.LimitTurnoverPerDay,
		riskcheck.LimitTurnoverPerMinute, riskcheck.LimitDailyLoss, riskcheck.LimitDailyLossFromPeak,
		riskcheck.LimitDailyLossKill, riskcheck.LimitOrderToTrade, riskcheck.LimitOrderToTradeVolume,
		riskcheck.LimitConsecutiveRejects:
		return true
	case riskcheck.LimitStrategyExecutions:
		return scope.Type == order.ScopeStrategy && whole(scope) == scope
	case riskcheck.LimitCreditLine:
		return scope.Type == order.ScopeAccount && whole(scope) == scope
	}
	return false
}

// whole returns a scope without its instrument or class.
func whole(scope order.Scope) order.Scope { return order.Scope{Type: scope.Type, ID: scope.ID} }

// perInstrument reports whether the kind, stated for all instruments, holds for
// each of them by itself.
func perInstrument(kind riskcheck.LimitKind, scope order.Scope) bool {
	return whole(scope) == scope && (kind == riskcheck.LimitPositionLong || kind == riskcheck.LimitPositionShort)
}

// wantUse asks for what the use of a limit is computed from.
func (s *Service) wantUse(r *usageReader, scope order.Scope, kind riskcheck.LimitKind) {
	switch {
	case !usable(kind, scope):
	case perInstrument(kind, scope):
		for i := range s.reference.Data.Instruments {
			scope.Instrument = s.reference.Data.Instruments[i].ID
			r.want(scope)
		}
	default:
		r.want(scope)
	}
}

// use returns the use of a limit from what was read.
func (s *Service) use(r *usageReader, scope order.Scope, kind riskcheck.LimitKind) use {
	if !usable(kind, scope) {
		return use{}
	}
	if !perInstrument(kind, scope) {
		u, known := r.usage(scope)
		if !known {
			return use{}
		}
		return use{value: measure(kind, u), known: true}
	}
	var worst use
	for i := range s.reference.Data.Instruments {
		scope.Instrument = s.reference.Data.Instruments[i].ID
		u, known := r.usage(scope)
		if !known {
			return use{}
		}
		if value := measure(kind, u); !worst.known || value > worst.value {
			worst = use{value: value, instrument: scope.Instrument, known: true}
		}
	}
	if worst.value == 0 {
		worst.instrument = 0
	}
	return worst
}

// measure returns what a control compares with the limit, without a new order.
// A sum that does not fit is the largest there is.
func measure(kind riskcheck.LimitKind, g *reading) int64 {
	u, d := &g.Usage, &g.day
	switch kind {
	case riskcheck.LimitOpenOrders:
		return u.OpenOrders
	case riskcheck.LimitOpenNotional:
		return openNotional(u)
	case riskcheck.LimitPositionLong:
		return sum(int64(max(0, u.Net())), int64(u.OpenBuyQty))
	case riskcheck.LimitPositionShort:
		return sum(int64(max(0, -u.Net())), int64(u.OpenSellQty))
	case riskcheck.LimitGrossExposure:
		return sum(int64(u.GrossValue), openNotional(u))
	case riskcheck.LimitNetExposure:
		buys := sum(int64(max(0, u.NetValue)), int64(u.OpenBuyNotional))
		sells := sum(int64(max(0, -u.NetValue)), int64(u.OpenSellNotional))
		return max(buys, sells)
	case riskcheck.LimitCreditLine:
		return max(0, int64(g.cash.Required-g.cash.Equity))
	case riskcheck.LimitTurnoverPerDay:
		return sum(int64(d.Executed), openNotional(u))
	case riskcheck.LimitTurnoverPerMinute:
		return int64(d.MinuteAdded)
	case riskcheck.LimitDailyLoss, riskcheck.LimitDailyLossKill:
		return max(0, int64(-d.Profit))
	case riskcheck.LimitDailyLossFromPeak:
		return max(0, int64(d.Peak-d.Profit))
	}
	return measureCounts(kind, d)
}

// measureCounts does the same for what is counted since the roll of the day.
func measureCounts(kind riskcheck.LimitKind, d *riskcheck.DayUse) int64 {
	switch kind {
	case riskcheck.LimitMessagesPerDay:
		return d.Messages
	case riskcheck.LimitOrdersAndCancelsPerDay:
		return d.OrdersAndCancels
	case riskcheck.LimitStrategyExecutions:
		return d.Executions
	case riskcheck.LimitOrderToTrade:
		return excess(d.Orders, d.Trades)
	case riskcheck.LimitOrderToTradeVolume:
		return excess(int64(d.OrderedQty), int64(d.ExecutedQty))
	case riskcheck.LimitConsecutiveRejects:
		return d.Rejects
	}
	return 0
}

// excess is (orders ÷ trades) − 1 in 1/10,000, rounded up, where no trade counts
// as one.
func excess(orders, trades int64) int64 {
	trades = max(trades, 1)
	if orders <= trades {
		return 0
	}
	if share := usedBps(orders-trades, trades); share != nil {
		return *share
	}
	return math.MaxInt64
}

func openNotional(u *riskcheck.Usage) int64 {
	return sum(int64(u.OpenBuyNotional), int64(u.OpenSellNotional))
}

// sum adds two numbers that are not negative.
func sum(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// usedBps returns used in hundredths of a percent of the limit, rounded up, nil
// if that says nothing.
func usedBps(used, limit int64) *int64 {
	if limit <= 0 || limit == order.Unlimited || used < 0 {
		return nil
	}
	const whole = 10_000
	hi, lo := bits.Mul64(uint64(used), whole)
	if hi >= uint64(limit) {
		return nil
	}
	quotient, rest := bits.Div64(hi, lo, uint64(limit))
	if rest != 0 {
		quotient++
	}
	if quotient > math.MaxInt64 {
		return nil
	}
	share := int64(quotient)
	return &share
}

// changes returns the differences between two documents with the present use of
// what changes.
func (s *Service) changes(ctx context.Context, from, to *document.Limits) ([]*adminv1.LimitChange, error) {
	differences := document.Diff(&from.Set, &to.Set, s.names())
	r := newUsageReader()
	for _, c := range differences {
		if c.New.Is && len(r.wanted) < usagesMax-len(s.reference.Data.Instruments) {
			s.wantUse(r, c.Scope, c.Kind)
		}
	}
	if err := r.read(ctx, s.loop); err != nil {
		return nil, err
	}
	changes := make([]*adminv1.LimitChange, len(differences))
	for i, c := range differences {
		changes[i] = s.changeMessage(r, &c)
	}
	return changes, nil
}

func (s *Service) changeMessage(r *usageReader, c *document.Change) *adminv1.LimitChange {
	m := &adminv1.LimitChange{
		Scope: s.scope(c.Scope), Kind: c.Kind.String(),
		OldValue: c.Old.Format(), NewValue: c.New.Format(),
	}
	if !c.New.Is {
		m.Warning = "the scope no longer states this limit; if no other does, its orders are blocked"
		return m
	}
	used := s.use(r, c.Scope, c.Kind)
	if used.known {
		m.Used = FormatUse(c.Kind, used.value)
		m.UsedBps = usedBps(used.value, c.New.Value)
	}
	m.Warning = s.warning(c, used)
	return m
}

// rung says how far the use of a limit has come. The thresholds are those that
// the engine tells people of.
func rung(e *riskcheck.LimitEntry, used use) adminv1.Rung {
	switch {
	case !used.known || !e.Kind.HasRungs():
		return adminv1.Rung_RUNG_UNSPECIFIED
	case used.value > e.Value:
		return adminv1.Rung_RUNG_ACT
	case e.Value == order.Unlimited:
		return adminv1.Rung_RUNG_BELOW
	case e.Warn != 0 && used.value >= threshold(e.Value, e.Warn):
		return adminv1.Rung_RUNG_WARN
	case e.Watch != 0 && used.value >= threshold(e.Value, e.Watch):
		return adminv1.Rung_RUNG_WATCH
	}
	return adminv1.Rung_RUNG_BELOW
}

// threshold returns a percentage of a limit, rounded up.
func threshold(limit int64, percent uint8) int64 {
	hi, lo := bits.Mul64(uint64(limit), uint64(percent))
	quotient, rest := bits.Div64(hi, lo, 100)
	if rest != 0 {
		quotient++
	}
	return int64(quotient)
}

// warning says why a change deserves a second look.
func (s *Service) warning(c *document.Change, used use) string {
	switch {
	case used.known && used.value > c.New.Value && used.instrument != 0:
		return "below present use (" + s.names().InstrumentName(used.instrument) +
			"): live orders stay, only orders that reduce the use will pass"
	case used.known && used.value > c.New.Value:
		return "below present use: live orders stay, only orders that reduce the use will pass"
	case used.known && c.New.Until != 0 && used.value > c.New.Then:
		return "below present use once it has ended: live orders stay, only orders that reduce the use will pass"
	case c.Kind == riskcheck.LimitShortSelling, c.Kind == riskcheck.LimitSelfMatch:
		return ""
	case c.New.Value == order.Unlimited:
		return "switches this limit off at this scope"
	case c.New.Value == 0:
		return "zero lets nothing in that uses this limit"
	}
	return ""
}
