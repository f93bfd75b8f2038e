package document_test

import (
	"math/rand/v2"
	"testing"

	"tollgate/internal/testseed"
	"tollgate/order"
	"tollgate/riskcheck"
	"tollgate/riskcheck/admin/document"
)

// valuesMax are the largest values of kinds that have a bound.
var valuesMax = map[riskcheck.LimitKind]int64{
	riskcheck.LimitCollarBps: 10_000_000, riskcheck.LimitCollarFarBps: 10_000_000,
	riskcheck.LimitMessagesPerSecond: 1 << 17, riskcheck.LimitMessagesPerMinute: 1 << 17,
	riskcheck.LimitMessagesCutPerSecond: 1 << 17, riskcheck.LimitCancelsPerSecond: 1 << 17,
	riskcheck.LimitCancelsCutPerSecond: 1 << 17,
}

// randomValue returns a value that the kind may have.
func randomValue(r *rand.Rand, kind riskcheck.LimitKind) int64 {
	switch kind {
	case riskcheck.LimitPermission:
		return 1 + r.Int64N(2)
	case riskcheck.LimitPermitListed:
		return 1 + r.Int64N(3)
	}
	most, bounded := valuesMax[kind]
	if !bounded {
		most = order.Unlimited
	}
	switch r.IntN(4) {
	case 0:
		return order.Unlimited
	case 1:
		return r.Int64N(min(100, most))
	}
	return r.Int64N(most)
}

// randomScope returns a scope at which the kind may stand.
func randomScope(r *rand.Rand, names *document.Names, kind riskcheck.LimitKind) order.Scope {
	level := order.ScopeFirm + order.ScopeType(r.IntN(order.ScopeLevels))
	narrow := r.IntN(2) == 0
	switch kind {
	case riskcheck.LimitMessagesCutPerSecond, riskcheck.LimitCancelsPerSecond, riskcheck.LimitCancelsCutPerSecond:
		level, narrow = order.ScopeSession, false
	case riskcheck.LimitPermission, riskcheck.LimitMessagesPerSecond, riskcheck.LimitMessagesPerMinute,
		riskcheck.LimitMessagesPerDay:
		narrow = false
	case riskcheck.LimitPermitListed:
		narrow = true
	}
	scopes := names.Scopes(level)
	scope := scopes[r.IntN(len(scopes))]
	if narrow {
		instruments := names.Instruments()
		scope.Instrument = instruments[r.IntN(len(instruments))]
	}
	return scope
}

// TestAnySetSurvivesADocument renders random sets of limits and reads them back.
func TestAnySetSurvivesADocument(t *testing.T) {
	names := smallReference(t).Names
	start := testseed.New(t)
	t.Logf("seed %d", start)
	r := rand.New(rand.NewPCG(start, 0))
	for range 500 {
		stated := map[riskcheck.LimitEntry]bool{}
		var set riskcheck.LimitSet
		for range r.IntN(60) {
			kind := riskcheck.LimitMaxOrderQty + riskcheck.LimitKind(r.IntN(int(riskcheck.LimitPermitListed)))
			e := riskcheck.LimitEntry{Scope: randomScope(r, names, kind), Kind: kind}
			if stated[e] {
				continue
			}
			stated[e] = true
			e.Value = randomValue(r, kind)
			set.Entries = append(set.Entries, e)
		}
		limits := document.Limits{Metadata: document.Metadata{Name: "random", ResourceVersion: r.Uint64N(1000)}, Set: set}
		rendered := limits.Render(names)
		again, err := document.ParseLimits("random.yaml", rendered, names)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", start, err, rendered)
		}
		if len(again.Set.Entries) != len(set.Entries) || again.ResourceVersion != limits.ResourceVersion {
			t.Fatalf("seed %d: %d limits came back, want %d\n%s", start, len(again.Set.Entries), len(set.Entries), rendered)
		}
		if changes := document.Diff(&set, &again.Set, names); len(changes) != 0 {
			t.Fatalf("seed %d: reading it back changes %+v\n%s", start, changes, rendered)
		}
	}
}
