package riskcheck_test

import (
	"math/rand/v2"

	"tollgate/order"
	"tollgate/riskcheck"
)

// place says where a kind of limit can stand.
type place int

const (
	anywhere place = iota
	atNode         // for all instruments only
	narrowed       // for a class or an instrument only
)

// limitRange is how one kind of limit is drawn.
type limitRange struct {
	kind     limitName
	generous int64
	least    int64
	tight    int64 // tight values are drawn from least to here
	where    place
	optional bool // nothing stated does not block
}

const money = int64(order.MoneyOne)

var limitRanges = []limitRange{
	{limitMaxOrderQty, 5000e8, 0, 60e8, anywhere, false},
	{limitMaxOrderNotional, 1e8 * money, 0, 8000 * money, anywhere, false},
	{limitCollarBps, 4000, 0, 400, anywhere, false},
	{limitCollarTicks, 4000, 0, 60, anywhere, true},
	{limitCollarAbs, 50e8, 0, 1e8, anywhere, true},
	{limitCollarFarBps, 5000, 0, 500, anywhere, true},
	{limitProtectionBps, 900, 0, 200, anywhere, false},
	{limitProtectionTicks, 800, 0, 40, anywhere, true},
	{limitParticipation, 50_000, 0, 400, anywhere, false},
	{limitDuplicates, 64, 1, 2, anywhere, false},
	{limitDuplicateWindow, 60e9, 1, 60e9, anywhere, true},
	{limitPerSecond, 500, 0, 12, atNode, false},
	{limitPerMinute, 5000, 0, 60, atNode, true},
	{limitPerDay, 50000, 0, 150, atNode, true},
	{limitBothPerSecond, 600, 0, 15, atNode, true},
	{limitBothPerDay, 60000, 0, 200, atNode, true},
	{limitExecutions, 40, 0, 15, anywhere, false},
	{limitCredit, 1e9 * money, 0, 300_000 * money, anywhere, false},
	{limitShort, order.Unlimited, 0, 1, anywhere, false},
	{limitTurnoverMinute, 1e9 * money, 0, 300_000 * money, anywhere, true},
	{limitLossKill, 1e9 * money, 1000 * money, 100_000 * money, atNode, true},
	{limitOTR, 1000 * 1e4, 0, 4 * 1e4, anywhere, false},
	{limitOTRVolume, 1e6 * 1e4, 0, 4 * 1e4, narrowed, true},
	{limitOTRMinimum, 100, 0, 25, anywhere, true},
	{limitSelfMatch, selfMatchCancel, 1, 2, anywhere, false},
	{limitRejects, 1024, 1, 6, atNode, false},
	{limitRejectsWindow, 600e9, 1, 20e9, atNode, true},
	{limitBasketOrders, 512, 0, 5, anywhere, false},
	{limitBasketNotional, 1e9 * money, 0, 60_000 * money, anywhere, false},
	{limitDrawdown, 1e9 * money, 0, 20_000 * money, atNode, true},
	{limitLoss, 1e9 * money, 0, 20_000 * money, atNode, false},
	{limitTurnoverDay, 1e10 * money, 0, 900_000 * money, anywhere, false},
	{limitOpenOrders, 1000, 0, 14, anywhere, false},
	{limitOpenNotional, 1e9 * money, 0, 40_000 * money, anywhere, false},
	{limitPositionLong, 100000e8, 0, 150e8, anywhere, false},
	{limitPositionShort, 100000e8, 0, 150e8, anywhere, false},
	{limitGross, 1e9 * money, 0, 60_000 * money, anywhere, false},
	{limitNet, 1e9 * money, 0, 40_000 * money, anywhere, false},
}

// randomLimits draws a limit set: every control is stated generously most of
// the time, and some limits somewhere are tight, unlimited or zero.
func randomLimits(r *rand.Rand, w *world, now int64) []limitRow {
	var rows []limitRow
	add := func(row limitRow) {
		for i := range rows {
			if rows[i].scope == row.scope && rows[i].kind == row.kind {
				rows[i] = row
				return
			}
		}
		rows = append(rows, row)
	}
	firm := order.Scope{Type: order.ScopeFirm, ID: w.firm}
	for _, lr := range limitRanges {
		dice := r.IntN(1000)
		switch {
		case lr.kind == limitShort && dice < 100:
			add(limitAt(firm, lr.kind, shortLocate))
		case lr.kind == limitProtectionBps && dice < 20:
		case lr.where == narrowed, lr.optional && dice < 700, !lr.optional && dice < 4:
		case dice < 500:
			add(limitAt(firm, lr.kind, lr.widest()))
		default:
			add(limitAt(firm, lr.kind, lr.generous))
		}
	}
	for range r.IntN(13) {
		lr := limitRanges[r.IntN(len(limitRanges))]
		if r.IntN(3) == 0 {
			lr = limitRanges[len(limitRanges)-1-r.IntN(9)] // those that depend on what is open and filled
		}
		add(limitAt(randomScope(r, w, lr.where), lr.kind, randomValue(r, lr)))
	}
	randomPermissions(r, w, add)
	randomCuts(r, w, add)
	for i := range rows {
		decorate(r, &rows[i], now)
	}
	return rows
}

// widest is the value without effect.
func (lr limitRange) widest() int64 {
	switch lr.kind {
	case limitDuplicateWindow, limitRejectsWindow:
		return lr.generous
	}
	return order.Unlimited
}

func randomValue(r *rand.Rand, lr limitRange) int64 {
	switch dice := r.IntN(100); {
	case dice < 3:
		return lr.least
	case dice < 10:
		return lr.widest()
	case dice < 30:
		return lr.generous
	}
	return lr.least + r.Int64N(lr.tight-lr.least+1)
}

// decorate gives some limits rungs, an act, or an end. Windows of rates have rungs
// only if they are stated before anything is sent, and do not end then: while they
// fill anew after a change, what they count is not fixed.
func decorate(r *rand.Rand, row *limitRow, now int64) {
	switch row.kind {
	case limitPermission, limitListed, limitDuplicateWindow, limitRejectsWindow, limitCutPerSecond,
		limitCancelsPerSecond, limitCancelsCut, limitOTRMinimum:
		return
	}
	window := (row.kind == limitPerSecond || row.kind == limitPerMinute) && now > dayStart
	if in(row.kind, laddered) && !window && r.IntN(2) == 0 {
		row.watch = uint8(r.IntN(80))
		row.warn = uint8(r.IntN(2)) * min(100, row.watch+1+uint8(r.IntN(40)))
	}
	switch r.IntN(40) {
	case 0, 1:
		row.act = riskcheck.ActReduceOnly
	case 2:
		row.act = riskcheck.ActKill
	}
	often := 16
	if row.value == order.Unlimited {
		often = 10 // what begins to count when it ends
	}
	if r.IntN(often) == 0 && !(row.watch != 0 && (row.kind == limitPerSecond || row.kind == limitPerMinute)) {
		row.until, row.then = now+1+r.Int64N(20e9), lower(r, row)
	}
}

// lower draws what a limit becomes when its time has come.
func lower(r *rand.Rand, row *limitRow) int64 {
	for _, lr := range limitRanges {
		if lr.kind == row.kind {
			return min(row.value, randomValue(r, lr))
		}
	}
	return row.value
}

func randomPermissions(r *rand.Rand, w *world, add func(limitRow)) {
	if r.IntN(60) != 0 {
		add(limitAt(order.Scope{Type: order.ScopeFirm, ID: w.firm}, limitPermission, permitDeny))
	}
	for range r.IntN(2) {
		s := randomScope(r, w, atNode)
		mode := int64(1 + r.IntN(2))
		add(limitAt(s, limitPermission, mode))
		for i := range w.instruments {
			listed := s
			listed.Instrument = w.instruments[i].id
			if mask := randomMask(r, mode); mask != 0 {
				add(limitAt(listed, limitListed, mask))
			}
		}
		if r.IntN(2) == 0 {
			s.Class = w.classes[r.IntN(len(w.classes))]
			add(limitAt(s, limitListed, 1+r.Int64N(3)))
		}
	}
}

// randomMask lists most instruments where only listed ones pass and few where
// listed ones do not.
func randomMask(r *rand.Rand, mode int64) int64 {
	dice := r.IntN(10)
	if dice < 6 {
		return (listedBuy | listedSell) * (2 - mode)
	}
	return int64(r.IntN(4))
}

func randomCuts(r *rand.Rand, w *world, add func(limitRow)) {
	for _, kind := range []limitName{limitCutPerSecond, limitCancelsPerSecond, limitCancelsCut} {
		if r.IntN(4) == 0 {
			s := w.sessions[r.IntN(len(w.sessions))]
			add(limitAt(order.Scope{Type: order.ScopeSession, ID: uint32(s.id)}, kind, int64(1+r.IntN(15))))
		}
	}
}
