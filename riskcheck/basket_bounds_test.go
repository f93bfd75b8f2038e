package riskcheck_test

import (
	"reflect"
	"slices"
	"testing"

	"tollgate/order"
	"tollgate/riskcheck"
)

// TestListsAreTakenBackWhole refuses the last order of a list for every bound of
// the engine and for limits of every sort: nothing of the others stays reserved or
// counted, and the others pass when they come without it.
func TestListsAreTakenBackWhole(t *testing.T) {
	account := func(kind riskcheck.LimitKind, value int64) riskcheck.LimitEntry {
		return riskcheck.LimitEntry{Scope: edgeAccount, Kind: kind, Value: value}
	}
	plain := func(*riskcheck.Config) {}
	for name, c := range map[string]struct {
		size   func(*riskcheck.Config)
		limits []riskcheck.LimitEntry
		last   func(*order.Request)
		want   order.Reason
	}{
		"orders": {size: func(c *riskcheck.Config) { c.OrdersMax = 3 }, want: order.ReasonCapacity},
		"names":  {size: func(c *riskcheck.Config) { c.ClOrdIDsMax = 3 }, want: order.ReasonCapacity},
		"routes": {
			size: func(c *riskcheck.Config) { c.RoutesMax = 1 }, last: func(r *order.Request) { r.Account = 2 },
			want: order.ReasonCapacity,
		},
		"cells": {
			size: func(c *riskcheck.Config) { c.CellsMax = 10 }, last: func(r *order.Request) { r.Instrument = 2 },
			want: order.ReasonCapacity,
		},
		"recent orders": {
			size:   func(c *riskcheck.Config) { c.RecentOrdersMax = 3 },
			limits: []riskcheck.LimitEntry{account(riskcheck.LimitDuplicateOrders, 64)}, want: order.ReasonCapacity,
		},
		"notional": {
			limits: []riskcheck.LimitEntry{account(riskcheck.LimitMaxOrderNotional, 10*int64(order.MoneyOne))},
			last:   func(r *order.Request) { r.OrderQty = 11 * order.QtyOne }, want: order.ReasonMaxOrderNotional,
		},
		"overflow": {last: func(r *order.Request) { r.OrderQty, r.Price = order.Unlimited, order.Unlimited }, want: order.ReasonArithOverflow},
		"duplicates": {
			limits: []riskcheck.LimitEntry{account(riskcheck.LimitDuplicateOrders, 3)}, want: order.ReasonDuplicateOrder,
		},
		"rate": {limits: []riskcheck.LimitEntry{account(riskcheck.LimitMessagesPerSecond, 3)}, want: order.ReasonMessageRate},
		"day":  {limits: []riskcheck.LimitEntry{account(riskcheck.LimitMessagesPerDay, 3)}, want: order.ReasonMessageRate},
		"executions": {
			limits: []riskcheck.LimitEntry{account(riskcheck.LimitStrategyExecutions, 3)}, want: order.ReasonRepeatedExecution,
		},
		"open orders": {limits: []riskcheck.LimitEntry{account(riskcheck.LimitOpenOrders, 3)}, want: order.ReasonOpenOrders},
		"open notional": {
			limits: []riskcheck.LimitEntry{account(riskcheck.LimitOpenNotional, 3*int64(order.MoneyOne))},
			want:   order.ReasonOpenNotional,
		},
		"position": {
			limits: []riskcheck.LimitEntry{account(riskcheck.LimitPositionLong, 3*int64(order.QtyOne))},
			want:   order.ReasonPositionLong,
		},
		"gross": {
			limits: []riskcheck.LimitEntry{account(riskcheck.LimitGrossExposure, 3*int64(order.MoneyOne))},
			want:   order.ReasonGrossExposure,
		},
		"buying power": {
			limits: []riskcheck.LimitEntry{account(riskcheck.LimitCreditLine, 3*int64(order.MoneyOne))},
			want:   order.ReasonBuyingPower,
		},
		"short sale": {
			limits: []riskcheck.LimitEntry{account(riskcheck.LimitShortSelling, riskcheck.ShortForbidden)},
			last:   func(r *order.Request) { r.Side = order.SideSell }, want: order.ReasonShortSale,
		},
		"turnover": {
			limits: []riskcheck.LimitEntry{account(riskcheck.LimitTurnoverPerMinute, 3*int64(order.MoneyOne))},
			want:   order.ReasonTurnoverWindow,
		},
		"order to trade": {
			limits: []riskcheck.LimitEntry{account(riskcheck.LimitOrderToTrade, 2*1e4)}, want: order.ReasonOrderToTrade,
		},
		"self-match": {
			limits: []riskcheck.LimitEntry{account(riskcheck.LimitSelfMatch, riskcheck.SelfMatchReject)},
			last:   func(r *order.Request) { r.Side = order.SideSell }, want: order.ReasonSelfMatch,
		},
	} {
		t.Run(name, func(t *testing.T) {
			if c.size == nil {
				c.size = plain
			}
			rungs := riskcheck.LimitEntry{
				Scope: edgeSession, Kind: riskcheck.LimitOpenOrders, Value: 100, Watch: 1, Warn: 2,
			}
			e := newEdge(t, c.size, append(c.limits, rungs)...)
			before := e.used()
			legs := e.legs(4)
			if c.last != nil {
				c.last(legs[3])
			}
			var reason order.Reason
			for _, r := range legs {
				_, reason = e.send(r)
			}
			if reason != c.want {
				t.Fatalf("the last leg: %v, want %v", reason, c.want)
			}
			if got := e.used(); !reflect.DeepEqual(got, before) {
				t.Errorf("a refused list leaves\n%+v, before it\n%+v", got, before)
			}
			if causes := e.alerts(); slices.Contains(causes, riskcheck.AlertWatch) {
				t.Errorf("told are %v, want no more than what follows from the limit that refused", causes)
			}
			for _, f := range e.engine.Latched() {
				if err := e.engine.Release(e.now, f.Scope, f.Latch); err != nil {
					t.Fatal(err)
				}
			}
			if name == "names" {
				return // they stay used
			}
			for _, r := range e.legs(3) {
				r.Basket, r.BasketLegs = 0, 0
				e.accepted(r)
			}
		})
	}
}

// legs are the orders of a list, all alike.
func (e *edge) legs(n int) []*order.Request {
	var out []*order.Request
	for range n {
		r := e.order(order.SideBuy, order.QtyOne, order.PriceOne)
		r.Strategy, r.Basket, r.BasketLegs = 1, 7, uint16(n)
		out = append(out, r)
	}
	return out
}

// used is what every scope uses, but for rejects in a row.
func (e *edge) used() (out []any) {
	for level := order.ScopeFirm; level <= order.ScopeStrategy; level++ {
		for id := range uint32(2) {
			for _, s := range []order.Scope{{}, {Class: 1}, {Instrument: 1}, {Instrument: 2}} {
				s.Type, s.ID = level, id+1
				usage, _ := e.engine.Usage(s)
				day, _ := e.engine.DayUse(s)
				day.Rejects = 0
				out = append(out, usage, day)
			}
		}
	}
	for id := range order.AccountID(2) {
		funds, _ := e.engine.AccountUse(id + 1)
		located, shorted := e.engine.Locate(id+1, 1)
		out = append(out, funds, located, shorted)
	}
	return out
}

// TestSimulationTakesNoRoom simulates orders where there is room for one route
// alone: the room is still there afterwards, for whoever comes.
func TestSimulationTakesNoRoom(t *testing.T) {
	for _, instrument := range []order.InstrumentID{1, 2} {
		e := newEdge(t, func(c *riskcheck.Config) { c.CellsMax, c.RoutesMax = 6, 1 })
		before := e.engine.StateHash()
		for i := range 20 {
			r := e.order(order.SideBuy, 1, 1)
			r.Account, r.Instrument = order.AccountID(i%2+1), order.InstrumentID(i/2%2+1)
			r.Strategy = order.StrategyID(i / 4 % 2)
			if s := e.engine.Simulate(r); s.Decision.Reason != order.ReasonNone {
				t.Fatalf("simulation %d: %v", i, s.Decision.Reason)
			}
		}
		if e.engine.StateHash() != before {
			t.Error("the simulations have left something")
		}
		r := e.order(order.SideBuy, 1, 1)
		r.Instrument = instrument
		e.accepted(r)
		e.refused(e.order(order.SideBuy, 1, 1), map[order.InstrumentID]order.Reason{
			1: order.ReasonNone, 2: order.ReasonCapacity,
		}[instrument])
	}
}
