package riskcheck_test

import (
	"math/rand/v2"

	"tollgate/order"
)

// The small universe of the property test: as little as there can be of
// everything, so that things meet.
const (
	instrumentPlain    order.InstrumentID = 1 // an ordinary share
	instrumentNegative order.InstrumentID = 2 // may trade at zero and below
	instrumentFuture   order.InstrumentID = 3 // multiplier 50, coarse tick, paid in part
	instrumentForeign  order.InstrumentID = 4 // in another currency, of which there is little
	instrumentFar      order.InstrumentID = 5 // in a currency that has no rate at first, in no class

	classCash  order.ClassID = 1
	classDeriv order.ClassID = 2
)

var (
	allSides = []order.Side{
		order.SideBuy, order.SideSell, order.SideSellShort, order.SideSellShortExempt,
	}
	allTypes = []order.OrdType{
		order.OrdTypeMarket, order.OrdTypeLimit, order.OrdTypeStop, order.OrdTypeStopLimit,
	}
	allTimes = []order.TimeInForce{
		order.TimeInForceDay, order.TimeInForceGTC, order.TimeInForceIOC, order.TimeInForceFOK, order.TimeInForceGTD,
	}
)

// smallWorld is the reference data every run begins with. Accounts A and C are of
// one owner and in different currencies.
func smallWorld() world {
	return world{
		firm: 1, currency: "USD", fxMaxAgeNs: order.Unlimited,
		groups: []order.GroupID{1, 2},
		accounts: []accountRow{
			{id: 1, group: 1, currency: "USD", selfMatch: 1},
			{id: 2, group: 1, currency: "USD"},
			{id: 3, group: 2, currency: "EUR", selfMatch: 1},
			{id: 4, group: 2, currency: "USD"},
		},
		traders: []traderRow{
			{1, []order.AccountID{1, 2, 3, 4}}, {2, []order.AccountID{1, 2}}, {3, []order.AccountID{3, 4}},
		},
		sessions: []sessionRow{
			{1, 11, []order.AccountID{1, 2}}, {2, 12, []order.AccountID{2, 3}}, {3, 13, []order.AccountID{1, 3, 4}},
		},
		strategies: []order.StrategyID{1, 2},
		classes:    []order.ClassID{classCash, classDeriv},
		instruments: []instrumentRow{
			plain(), spread(instrumentNegative), future(instrumentFuture), foreign(instrumentForeign), far(instrumentFar),
		},
	}
}

func share(id order.InstrumentID) instrumentRow {
	return instrumentRow{
		id: id, currency: "USD", tick: order.PriceOne / 100, lot: order.QtyOne, minQty: order.QtyOne,
		maxQty: order.Unlimited, multiplier: order.MultiplierOne, settlement: 100 * order.PriceOne,
		low: order.Null, high: order.Null, maxAgeNs: 30e9, marginBps: 10_000, tradable: true,
		ordTypes: allTypes, timesInForce: allTimes, sides: allSides,
	}
}

func plain() instrumentRow {
	i := share(instrumentPlain)
	i.class, i.adv, i.feeBps, i.display = classCash, 2000*order.QtyOne, 5, true
	return i
}

func spread(id order.InstrumentID) instrumentRow {
	i := share(id)
	i.settlement, i.negPrice, i.zeroPrice = -order.PriceOne, true, true
	i.class, i.calendar, i.adv, i.marginBps = classDeriv, 1, 1000*order.QtyOne, 2500
	return i
}

func future(id order.InstrumentID) instrumentRow {
	i := share(id)
	i.tick, i.multiplier, i.settlement = order.PriceOne/4, 50*order.MultiplierOne, 4000*order.PriceOne
	i.minQty, i.maxQty = 2*order.QtyOne, 500*order.QtyOne
	i.class, i.calendar, i.adv, i.marginBps, i.feeBps = classDeriv, 1, 5000*order.QtyOne, 700, 1
	return i
}

func foreign(id order.InstrumentID) instrumentRow {
	i := share(id)
	i.currency, i.class, i.calendar, i.adv, i.feeBps = "EUR", classCash, 2, 3000*order.QtyOne, 2
	i.outstanding, i.display, i.replaceOpen = 600*order.QtyOne, true, true
	return i
}

func far(id order.InstrumentID) instrumentRow {
	i := share(id)
	i.currency, i.tick, i.settlement, i.adv = "JPY", order.PriceOne, 5000*order.PriceOne, 1000*order.QtyOne
	return i
}

// usualRates are what a unit of each currency is worth, about.
var usualRates = map[string]order.FxRate{"EUR": 1_1000_0000, "JPY": 67_0000}

// smallRoll names the universe for people.
func smallRoll() *roll {
	n := newRoll()
	n.groups = map[string]uint32{"G1": 1, "G2": 2}
	n.accounts = map[string]uint32{"A": 1, "B": 2, "C": 3, "D": 4}
	n.traders = map[string]uint32{"T1": 1, "T2": 2, "T3": 3}
	n.sessions = map[string]uint32{"S1": 1, "S2": 2, "S3": 3}
	n.strategies = map[string]uint32{"P1": 1, "P2": 2}
	n.instruments = map[string]uint32{"SHARE": 1, "SPREAD": 2, "FUTURE": 3, "FOREIGN": 4, "FAR": 5}
	n.classes = map[string]uint32{"CASH": 1, "DERIV": 2}
	n.calendars = map[string]uint32{"firm": 0, "CAL1": 1, "CAL2": 2}
	return n
}

// randomScope draws a holder: for all instruments, for a class or for one.
func randomScope(r *rand.Rand, w *world, where place) order.Scope {
	nodes := w.nodes()
	s := nodes[r.IntN(len(nodes))]
	dice := r.IntN(4)
	if where == atNode || where == anywhere && dice < 2 {
		return s
	}
	if dice%2 == 0 {
		s.Class = w.classes[r.IntN(len(w.classes))]
	} else {
		s.Instrument = w.instruments[r.IntN(len(w.instruments))].id
	}
	return s
}

// changeWorld alters one thing in the reference data.
func changeWorld(r *rand.Rand, w world) world {
	w.instruments = append([]instrumentRow{}, w.instruments...)
	w.sessions = append([]sessionRow{}, w.sessions...)
	w.traders = append([]traderRow{}, w.traders...)
	w.accounts = append([]accountRow{}, w.accounts...)
	fresh := smallWorld()
	k := r.IntN(len(w.instruments))
	w.instruments[k] = fresh.instruments[k]
	switch dice := r.IntN(22); {
	case dice < 13:
		changeInstrument(r, &w.instruments[k], dice)
	case dice < 14:
		s := r.IntN(len(w.sessions))
		w.sessions[s].accounts = fresh.sessions[s].accounts[:1+r.IntN(2)]
	case dice < 15:
		t := r.IntN(len(w.traders))
		w.traders[t].accounts = fresh.traders[t].accounts[:1+r.IntN(2)]
	case dice < 18:
		w.sessions, w.traders, w.accounts, w.strategies = fresh.sessions, fresh.traders, fresh.accounts, fresh.strategies
		w.fxMaxAgeNs = order.Unlimited
	case dice < 19:
		return withoutLast(fresh)
	case dice < 20:
		w.fxMaxAgeNs = []int64{0, 2e9, 60e9, order.Unlimited}[r.IntN(4)]
	case dice < 21:
		w.strategies = fresh.strategies[:1+r.IntN(2)]
	}
	return w
}

// changeInstrument alters one thing that orders in an instrument are held to.
func changeInstrument(r *rand.Rand, i *instrumentRow, dice int) {
	switch dice {
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
		i.adv = order.Qty(r.IntN(3)) * 100 * order.QtyOne
	case 9:
		i.outstanding = order.Qty(1+r.IntN(3)) * 15 * order.QtyOne
	case 10:
		i.marginBps, i.feeBps = []int64{1, 50, 3333, 10_000, 20_000}[r.IntN(5)], int64(r.IntN(30))
	case 11:
		i.display = !i.display
	case 12:
		i.replaceOpen = !i.replaceOpen
	}
}

// withoutLast is a world that no longer knows account D, trader T3 and strategy
// P2.
func withoutLast(w world) world {
	w.accounts, w.traders, w.strategies = w.accounts[:3], w.traders[:2], w.strategies[:1]
	w.traders[0].accounts = w.traders[0].accounts[:3]
	w.sessions[2].accounts = w.sessions[2].accounts[:2]
	return w
}
