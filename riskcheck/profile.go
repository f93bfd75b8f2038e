package riskcheck

import (
	"math"
	"math/bits"

	"tollgate/order"
)

// profile is everything one holder states. Holders that state the same share
// one, so that a million accounts of ten sorts need ten profiles. Profile 0
// states nothing.
type profile struct {
	limit [limitKinds]int64 // unstated where the holder says nothing
	// first is the value from which there is something to say of the limit: that
	// it is breached, or that use has reached a rung.
	first [limitKinds]int64
	watch [limitKinds]uint8
	warn  [limitKinds]uint8
	act   [limitKinds]LimitAct
}

// emptyProfile states nothing.
func emptyProfile() profile {
	var p profile
	for i := range p.limit {
		p.limit[i], p.first[i] = unstated, math.MaxInt64
	}
	return p
}

// state puts one limit into a profile.
func (p *profile) state(l *LimitEntry, value int64) {
	k := l.Kind
	p.limit[k], p.watch[k], p.warn[k], p.act[k] = value, l.Watch, l.Warn, l.Act
	p.first[k] = math.MaxInt64
	if value == order.Unlimited {
		return
	}
	p.first[k] = value + 1
	for _, percent := range [...]uint8{l.Watch, l.Warn} {
		if percent != 0 {
			p.first[k] = min(p.first[k], rungAt(value, percent))
		}
	}
}

// rungAt returns ⌈limit × percent / 100⌉ of a finite limit.
func rungAt(limit int64, percent uint8) int64 {
	hi, lo := bits.Mul64(uint64(limit), uint64(percent))
	q, r := bits.Div64(hi, lo, 100) // percent is at most 100, so the quotient fits
	if r != 0 {
		q++
	}
	return int64(q)
}

// rung returns how far use of a limit has come, short of a breach.
func (p *profile) rung(k LimitKind, value, limit int64) AlertCause {
	switch {
	case limit == order.Unlimited || limit == unstated:
		return 0
	case p.warn[k] != 0 && value >= rungAt(limit, p.warn[k]):
		return AlertWarn
	case p.watch[k] != 0 && value >= rungAt(limit, p.watch[k]):
		return AlertWatch
	}
	return 0
}

// rungKinds are the kinds whose use can be told before it is a breach.
var rungKinds = func() (has [limitKinds]bool) {
	for _, k := range [...]LimitKind{
		LimitMaxOrderQty, LimitMaxOrderNotional, LimitParticipationBps, LimitMessagesPerSecond,
		LimitMessagesPerMinute, LimitMessagesPerDay, LimitStrategyExecutions, LimitOpenOrders, LimitOpenNotional,
		LimitPositionLong, LimitPositionShort, LimitGrossExposure, LimitNetExposure, LimitTurnoverPerDay,
		LimitTurnoverPerMinute, LimitDailyLoss, LimitDailyLossFromPeak,
	} {
		has[k] = true
	}
	return has
}()

// HasRungs reports whether a limit of the kind may carry Watch and Warn.
func (k LimitKind) HasRungs() bool { return k < limitKinds && rungKinds[k] }
