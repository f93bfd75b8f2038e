package riskcheck_test

import (
	"slices"
	"testing"

	"tollgate/order"
	"tollgate/riskcheck"
)

// TestTemporaryLimitOfAMinute lets an unlimited turnover of a minute end: what is
// ordered from then on counts.
func TestTemporaryLimitOfAMinute(t *testing.T) {
	e := newEdge(t, nil, riskcheck.LimitEntry{
		Scope: edgeAccount, Kind: riskcheck.LimitTurnoverPerMinute, Value: order.Unlimited,
		Until: dayStart + 10e9, Then: int64(100 * order.MoneyOne),
	})
	e.accepted(e.order(order.SideBuy, order.QtyOne, 80*order.PriceOne))
	e.now += 10e9
	e.accepted(e.order(order.SideBuy, order.QtyOne, 80*order.PriceOne))
	e.refused(e.order(order.SideBuy, order.QtyOne, 80*order.PriceOne), order.ReasonTurnoverWindow)
}

// TestSettlementsMoveTogether gives two instruments new settlement prices in one
// set of reference data. A hedged position neither gains nor loses: it is judged
// when both are known, and not in between.
func TestSettlementsMoveTogether(t *testing.T) {
	e := newEdge(t, nil,
		riskcheck.LimitEntry{Scope: edgeAccount, Kind: riskcheck.LimitDailyLoss, Value: int64(10 * order.MoneyOne)})
	for instrument, qty := range map[order.InstrumentID]order.Qty{1: order.QtyOne, 2: -order.QtyOne} {
		if err := e.engine.SetPosition(e.now, 1, instrument, qty); err != nil {
			t.Fatal(err)
		}
	}
	for _, settlement := range []order.Price{50, 150} {
		ref := edgeReference()
		for i := range ref.Instruments {
			ref.Instruments[i].Settlement = settlement * order.PriceOne
		}
		if err := e.engine.ApplyReference(e.now, ref); err != nil {
			t.Fatal(err)
		}
		if latched := e.engine.Latched(); len(latched) != 0 {
			t.Errorf("settlement %s: latched are %v", settlement*order.PriceOne, latched)
		}
		if u, _ := e.engine.DayUse(edgeAccount); u.Peak != 0 || u.Profit != 0 {
			t.Errorf("settlement %s: profit %s, peak %s", settlement*order.PriceOne, u.Profit, u.Peak)
		}
	}
}

// TestRefusedInputTellsWhatHasEnded gives inputs that are refused at the moment a
// temporary limit ends: its end is told all the same.
func TestRefusedInputTellsWhatHasEnded(t *testing.T) {
	nobody := order.Scope{Type: order.ScopeAccount, ID: 77}
	for name, input := range map[string]func(*edge) error{
		"rate of the firm's own currency": func(e *edge) error {
			return e.engine.SetFxRate(e.now, riskcheck.CurrencyOf("USD"), 1, e.now)
		},
		"rate of an unknown currency": func(e *edge) error {
			return e.engine.SetFxRate(e.now, riskcheck.CurrencyOf("XYZ"), 1, e.now)
		},
		"no rate":         func(e *edge) error { return e.engine.SetFxRate(e.now, riskcheck.CurrencyOf("EUR"), 0, e.now) },
		"unknown account": func(e *edge) error { return e.engine.SetCash(e.now, 77, 1) },
		"position":        func(e *edge) error { return e.engine.SetPosition(e.now, 77, 1, 1) },
		"locate":          func(e *edge) error { return e.engine.SetLocate(e.now, 77, 1, 1) },
		"market state":    func(e *edge) error { return e.engine.SetMarketState(e.now, 77, order.MarketOpen, false) },
		"day":             func(e *edge) error { return e.engine.RollDay(e.now, 0) },
		"calendar":        func(e *edge) error { return e.engine.RollCalendar(e.now, 0, 1) },
		"release":         func(e *edge) error { return e.engine.Release(e.now, edgeFirm, riskcheck.LatchLoss) },
		"unkill":          func(e *edge) error { return e.engine.Unkill(e.now, edgeFirm) },
		"kill":            func(e *edge) error { _, err := e.engine.Kill(e.now, nobody); return err },
		"reference data":  func(e *edge) error { return e.engine.ApplyReference(e.now, &riskcheck.Reference{}) },
		"limits of nothing": func(e *edge) error {
			return e.engine.ApplyLimits(e.now, &riskcheck.LimitSet{Entries: []riskcheck.LimitEntry{{}}})
		},
	} {
		t.Run(name, func(t *testing.T) {
			e := newEdge(t, nil, riskcheck.LimitEntry{
				Scope: edgeAccount, Kind: riskcheck.LimitMaxOrderQty, Value: 2, Until: dayStart + 1, Then: 1,
			})
			e.now += 1e9
			if err := input(e); err == nil {
				t.Fatal("the input is taken")
			}
			if causes := e.alerts(); !slices.Contains(causes, riskcheck.AlertReverted) {
				t.Errorf("told are %v, want that the limit has ended", causes)
			}
		})
	}
}

// TestSimulationLeavesNoTrace simulates orders in whatever state: no other order is
// judged differently for it, and the state has the hash it had.
func TestSimulationLeavesNoTrace(t *testing.T) {
	e := newEdge(t, nil, riskcheck.LimitEntry{
		Scope: edgeAccount, Kind: riskcheck.LimitTurnoverPerMinute, Value: int64(1000 * order.MoneyOne),
	})
	e.accepted(e.order(order.SideBuy, order.QtyOne, 80*order.PriceOne))
	for range 3 {
		e.now += 25e9
		e.engine.Tick(e.now)
		before := e.engine.StateHash()
		e.engine.Simulate(e.order(order.SideSell, order.QtyOne, 80*order.PriceOne))
		if e.engine.StateHash() != before {
			t.Fatalf("the state changed with a simulation")
		}
	}
}
