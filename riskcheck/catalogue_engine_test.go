package riskcheck_test

import (
	"math/rand/v2"
	"testing"

	"tollgate/order"
	"tollgate/riskcheck"
)

// TestCatalogueSaysWhereLimitsStand states every kind of limit at every level,
// for the whole of it, a class and an instrument, with and without percentages,
// and with every act: the engine must take what the catalogue says, and no more.
func TestCatalogueSaysWhereLimitsStand(t *testing.T) {
	p := newPlayer(t, 0)
	if err := p.engine.ApplyReference(dayStart, firmReference(rand.New(rand.NewPCG(1, 1)), true)); err != nil {
		t.Fatal(err)
	}
	taken := 0
	for _, control := range riskcheck.Catalogue() {
		for i := range control.Limits {
			taken += tryLimit(t, p.engine, &control.Limits[i])
		}
	}
	if taken == 0 {
		t.Error("the engine took no limit at all")
	}
}

// tryLimit returns how many statements of a limit the engine took.
func tryLimit(t *testing.T, e *riskcheck.Engine, rule *riskcheck.LimitRule) int {
	t.Helper()
	taken := 0
	try := func(entry riskcheck.LimitEntry, want bool) {
		entry.Kind, entry.Value = rule.Kind, 1
		err := e.ApplyLimits(dayStart, &riskcheck.LimitSet{Entries: []riskcheck.LimitEntry{entry}})
		if (err == nil) != want {
			t.Errorf("%v at %+v watch %d warn %d act %v: the engine says %v, the catalogue says %v", rule.Kind, entry.Scope,
				entry.Watch, entry.Warn, entry.Act, err, want)
		}
		if err == nil {
			taken++
		}
	}
	for level := order.ScopeFirm; level <= order.ScopeStrategy; level++ {
		for _, s := range []order.Scope{
			{Type: level, ID: 1}, {Type: level, ID: 1, Class: 1}, {Type: level, ID: 1, Instrument: 1},
		} {
			try(riskcheck.LimitEntry{Scope: s}, stands(rule, s))
			if !stands(rule, s) {
				continue
			}
			try(riskcheck.LimitEntry{Scope: s, Watch: 50}, rule.Rungs)
			try(riskcheck.LimitEntry{Scope: s, Warn: 100}, rule.Rungs)
			for act := riskcheck.ActReject; act <= riskcheck.ActKill; act++ {
				try(riskcheck.LimitEntry{Scope: s, Act: act}, true)
			}
		}
	}
	return taken
}
