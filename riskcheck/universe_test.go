package riskcheck_test

import (
	"math/rand/v2"

	"tollgate/order"
)

// The small universe of the property test.
const (
	instrumentPlain    order.InstrumentID = 1 // an ordinary share
	instrumentNegative order.InstrumentID = 2 // may trade at zero and below
	instrumentFuture   order.InstrumentID = 3 // multiplier 50, coarse tick
	instrumentForeign  order.InstrumentID = 4 // in another currency
)

var (
	allSides = []order.Side{
		order.SideBuy, order.SideSell, order.SideSellShort, order.SideSellShortExempt,
	}
	allTypes = []order.OrdType{order.OrdTypeMarket, order.OrdTypeLimit}
	allTimes = []order.TimeInForce{
		order.TimeInForceDay, order.TimeInForceGTC, order.TimeInForceIOC, order.TimeInForceFOK, order.TimeInForceGTD,
	}
)

// smallWorld is the reference data every run begins with.
func smallWorld() world {
	return world{
		firm: 1, currency: "USD",
		groups: []order.GroupID{1, 2},
		accounts: []accountRow{
			{1, 1, "USD"}, {2, 1, "USD"}, {3, 2, "USD"}, {4, 2, "USD"},
		},
		traders: []traderRow{
			{1, []order.AccountID{1, 2, 3, 4}}, {2, []order.AccountID{1, 2}}, {3, []order.AccountID{3, 4}},
		},
		sessions: []sessionRow{
			{1, 11, []order.AccountID{1, 2}}, {2, 12, []order.AccountID{2, 3}}, {3, 13, []order.AccountID{1, 3, 4}},
		},
		instruments: []instrumentRow{
			share(instrumentPlain), spread(instrumentNegative), future(instrumentFuture), foreign(instrumentForeign),
		},
	}
}

func share(id order.InstrumentID) instrumentRow {
	return instrumentRow{
		id: id, currency: "USD", tick: order.PriceOne / 100, lot: order.QtyOne, minQty: order.QtyOne,
		maxQty: order.Unlimited, multiplier: order.MultiplierOne, settlement: 100 * order.PriceOne,
		low: order.Null, high: order.Null, maxAgeNs: 30e9, tradable: true,
		ordTypes: allTypes, timesInForce: allTimes, sides: allSides,
	}
}

func spread(id order.InstrumentID) instrumentRow {
	i := share(id)
	i.settlement, i.negPrice, i.zeroPrice = -order.PriceOne, true, true
	return i
}

func future(id order.InstrumentID) instrumentRow {
	i := share(id)
	i.tick, i.multiplier, i.settlement = order.PriceOne/4, 50*order.MultiplierOne, 4000*order.PriceOne
	i.minQty, i.maxQty = 2*order.QtyOne, 500*order.QtyOne
	return i
}

func foreign(id order.InstrumentID) instrumentRow {
	i := share(id)
	i.currency = "EUR"
	return i
}

// smallRoll names the universe for people.
func smallRoll() *roll {
	n := newRoll()
	n.groups = map[string]uint32{"G1": 1, "G2": 2}
	n.accounts = map[string]uint32{"A": 1, "B": 2, "C": 3, "D": 4}
	n.traders = map[string]uint32{"T1": 1, "T2": 2, "T3": 3}
	n.sessions = map[string]uint32{"S1": 1, "S2": 2, "S3": 3}
	n.instruments = map[string]uint32{"SHARE": 1, "SPREAD": 2, "FUTURE": 3, "FOREIGN": 4}
	return n
}

// limitRange is the base value and the range of tight values of one kind.
type limitRange struct {
	kind     limitName
	generous int64
	tight    int64 // tight values are drawn from 0 to here
	byNode   bool  // stated without an instrument only
	optional bool  // nothing stated does not block
}

var limitRanges = []limitRange{
	{limitMaxOrderQty, 5000e8, 60e8, false, false},
	{limitMaxOrderNotional, 1e8 * 1e4, 8000 * 1e4, false, false},
	{limitCollarBps, 4000, 400, false, false},
	{limitCollarTicks, 4000, 60, false, true},
	{limitCollarAbs, 50e8, 1e8, false, true},
	{limitCollarFarBps, 5000, 500, false, true},
	{limitPerSecond, 500, 12, true, false},
	{limitPerMinute, 5000, 60, true, true},
	{limitPerDay, 50000, 150, true, true},
	{limitOpenOrders, 1000, 14, false, false},
	{limitOpenNotional, 1e9 * 1e4, 40000 * 1e4, false, false},
	{limitPositionLong, 100000e8, 150e8, false, false},
	{limitPositionShort, 100000e8, 150e8, false, false},
	{limitGross, 1e9 * 1e4, 60000 * 1e4, false, false},
	{limitNet, 1e9 * 1e4, 40000 * 1e4, false, false},
}

// randomLimits draws a limit set: every control is stated generously most of
// the time, and some limits somewhere are tight, unlimited or zero.
func randomLimits(r *rand.Rand, w *world) []limitRow {
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
		switch dice := r.IntN(1000); {
		case lr.optional && dice < 700, !lr.optional && dice < 5:
		case dice < 500:
			add(limitRow{firm, lr.kind, order.Unlimited})
		default:
			add(limitRow{firm, lr.kind, lr.generous})
		}
	}
	for range r.IntN(12) {
		lr := limitRanges[r.IntN(len(limitRanges))]
		if r.IntN(2) == 0 {
			lr = limitRanges[len(limitRanges)-1-r.IntN(6)] // those that depend on what is open and filled
		}
		add(limitRow{randomScope(r, w, lr.byNode), lr.kind, randomValue(r, lr)})
	}
	randomPermissions(r, w, add)
	randomCuts(r, w, add)
	return rows
}

func randomValue(r *rand.Rand, lr limitRange) int64 {
	switch dice := r.IntN(100); {
	case dice < 3:
		return 0
	case dice < 10:
		return order.Unlimited
	case dice < 30:
		return lr.generous
	}
	return r.Int64N(lr.tight + 1)
}

func randomScope(r *rand.Rand, w *world, byNode bool) order.Scope {
	nodes := w.nodes()
	s := nodes[r.IntN(len(nodes))]
	if !byNode && r.IntN(2) == 0 {
		s.Instrument = w.instruments[r.IntN(len(w.instruments))].id
	}
	return s
}

func randomPermissions(r *rand.Rand, w *world, add func(limitRow)) {
	if r.IntN(60) != 0 {
		add(limitRow{order.Scope{Type: order.ScopeFirm, ID: w.firm}, limitPermission, permitDeny})
	}
	for range r.IntN(2) {
		s := randomScope(r, w, true)
		mode := int64(1 + r.IntN(2))
		add(limitRow{s, limitPermission, mode})
		for i := range w.instruments {
			listed := s
			listed.Instrument = w.instruments[i].id
			if mask := randomMask(r, mode); mask != 0 {
				add(limitRow{listed, limitListed, mask})
			}
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
			add(limitRow{order.Scope{Type: order.ScopeSession, ID: uint32(s.id)}, kind, int64(1 + r.IntN(15))})
		}
	}
}

// changeWorld alters one thing in the reference data.
func changeWorld(r *rand.Rand, w world) world {
	w.instruments = append([]instrumentRow{}, w.instruments...)
	w.sessions = append([]sessionRow{}, w.sessions...)
	w.traders = append([]traderRow{}, w.traders...)
	w.accounts = append([]accountRow{}, w.accounts...)
	fresh := smallWorld()
	k := r.IntN(len(w.instruments))
	i := &w.instruments[k]
	*i = fresh.instruments[k]
	switch r.IntN(14) {
	case 0:
		i.tradable = false
	case 1:
		i.sides = allSides[:1+r.IntN(3)]
	case 2:
		i.ordTypes = allTypes[1:]
	case 3:
		i.timesInForce = allTimes[:1+r.IntN(4)]
	case 4:
		i.low, i.high = i.settlement-2*order.PriceOne, i.settlement+order.PriceOne
	case 5:
		i.minQty, i.maxQty = 5*order.QtyOne, 40*order.QtyOne
	case 6:
		i.settlement = order.Null
	case 7:
		i.maxAgeNs = []int64{0, 1e9, 5e9, order.Unlimited}[r.IntN(4)]
	case 8:
		s := r.IntN(len(w.sessions))
		w.sessions[s].accounts = fresh.sessions[s].accounts[:1+r.IntN(2)]
	case 9:
		t := r.IntN(len(w.traders))
		w.traders[t].accounts = fresh.traders[t].accounts[:1+r.IntN(2)]
	case 10, 11:
		w.sessions, w.traders, w.accounts = fresh.sessions, fresh.traders, fresh.accounts
	case 12:
		return withoutLast(fresh)
	}
	return w
}

// withoutLast is a world that no longer knows account D and trader T3.
func withoutLast(w world) world {
	w.accounts, w.traders = w.accounts[:3], w.traders[:2]
	w.traders[0].accounts = w.traders[0].accounts[:3]
	w.sessions[2].accounts = w.sessions[2].accounts[:2]
	return w
}
