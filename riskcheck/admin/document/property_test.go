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
	riskcheck.LimitMarketProtectionBps: 10_000_000, riskcheck.LimitParticipationBps: 10_000_000,
	riskcheck.LimitMessagesPerSecond: 1 << 17, riskcheck.LimitMessagesPerMinute: 1 << 17,
	riskcheck.LimitOrdersAndCancelsPerSecond: 1 << 17, riskcheck.LimitMessagesCutPerSecond: 1 << 17,
	riskcheck.LimitCancelsPerSecond: 1 << 17, riskcheck.LimitCancelsCutPerSecond: 1 << 17,
	riskcheck.LimitDuplicateOrders: 64, riskcheck.LimitConsecutiveRejects: 1024,
}

// randomValue returns a value that the kind may have.
func randomValue(r *rand.Rand, kind riskcheck.LimitKind) int64 {
	switch kind {
	case riskcheck.LimitPermission:
		return 1 + r.Int64N(2)
	case riskcheck.LimitPermitListed:
		return 1 + r.Int64N(3)
	case riskcheck.LimitDuplicateWindow:
		return 1 + r.Int64N(60e9)
	case riskcheck.LimitConsecutiveRejectsWindow:
		return 1 + r.Int64N(1<<r.IntN(62))
	case riskcheck.LimitShortSelling:
		return []int64{riskcheck.ShortForbidden, riskcheck.ShortLocate, order.Unlimited}[r.IntN(3)]
	case riskcheck.LimitSelfMatch:
		return []int64{riskcheck.SelfMatchReject, riskcheck.SelfMatchCancel, order.Unlimited}[r.IntN(3)]
	}
	most, bounded := valuesMax[kind]
	if !bounded {
		most = order.Unlimited
	}
	switch r.IntN(4) {
	case 0:
		return order.Unlimited
	case 1:
		return 1 + r.Int64N(min(100, most))
	}
	return 1 + r.Int64N(most-1)
}

// randomScope returns a scope at which the kind may stand.
func randomScope(r *rand.Rand, names *document.Names, kind riskcheck.LimitKind) order.Scope {
	level := order.ScopeFirm + order.ScopeType(r.IntN(int(order.ScopeStrategy)))
	width := r.IntN(3)
	switch kind {
	case riskcheck.LimitMessagesCutPerSecond, riskcheck.LimitCancelsPerSecond, riskcheck.LimitCancelsCutPerSecond:
		level, width = order.ScopeSession, 0
	case riskcheck.LimitPermission, riskcheck.LimitMessagesPerSecond, riskcheck.LimitMessagesPerMinute,
		riskcheck.LimitMessagesPerDay, riskcheck.LimitOrdersAndCancelsPerSecond, riskcheck.LimitOrdersAndCancelsPerDay,
		riskcheck.LimitDailyLoss, riskcheck.LimitDailyLossFromPeak, riskcheck.LimitDailyLossKill,
		riskcheck.LimitConsecutiveRejects, riskcheck.LimitConsecutiveRejectsWindow:
		width = 0
	case riskcheck.LimitPermitListed, riskcheck.LimitOrderToTradeVolume:
		width = 1 + r.IntN(2)
	}
	scopes := names.Scopes(level)
	scope := scopes[r.IntN(len(scopes))]
	switch width {
	case 1:
		classes := names.Classes()
		scope.Class = classes[r.IntN(len(classes))]
	case 2:
		instruments := names.Instruments()
		scope.Instrument = instruments[r.IntN(len(instruments))]
	}
	return scope
}

// embellish gives a limit thresholds, an act and an end, now and then.
func embellish(r *rand.Rand, e *riskcheck.LimitEntry) {
	if e.Kind == riskcheck.LimitPermitListed {
		return
	}
	if e.Kind.HasRungs() {
		e.Watch, e.Warn = []uint8{0, 1, 75, 90}[r.IntN(4)], []uint8{0, 90, 90, 100}[r.IntN(4)]
	}
	e.Act = riskcheck.LimitAct(r.IntN(3))
	if r.IntN(4) == 0 {
		e.Until, e.Then = 1+r.Int64N(order.Unlimited-1), randomValue(r, e.Kind)
		if e.Then > e.Value {
			e.Then, e.Value = e.Value, e.Then
		}
	}
}

// smallEngine returns an engine with the small firm's reference data.
func smallEngine(t *testing.T, ref *document.Reference) *riskcheck.Engine {
	t.Helper()
	config := riskcheck.DefaultConfig()
	config.Epoch, config.TokenKey = 1, order.NewTokenKey([order.TokenKeySize]byte{1})
	config.OrdersMax, config.ClOrdIDsMax, config.ExecutionsMax, config.RecentOrdersMax = 16, 16, 16, 16
	config.RoutesMax, config.CellsMax, config.AnswersRetained, config.StampsMax = 1024, 1024, 1024, 1<<16
	e, err := riskcheck.New(config)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.ApplyReference(0, &ref.Data); err != nil {
		t.Fatal(err)
	}
	return e
}

// TestAnySetSurvivesADocument renders random sets of limits, reads them back and
// gives them to an engine: what a document may say is what an engine takes.
func TestAnySetSurvivesADocument(t *testing.T) {
	ref := smallReference(t)
	names, engine := ref.Names, smallEngine(t, ref)
	start := testseed.New(t)
	t.Logf("seed %d", start)
	r := rand.New(rand.NewPCG(start, 0))
	for range 500 {
		stated := map[riskcheck.LimitEntry]bool{}
		var set riskcheck.LimitSet
		for range r.IntN(60) {
			all := riskcheck.LimitKinds()
			kind := all[r.IntN(len(all))]
			e := riskcheck.LimitEntry{Scope: randomScope(r, names, kind), Kind: kind}
			if stated[e] {
				continue
			}
			stated[e] = true
			e.Value = randomValue(r, kind)
			embellish(r, &e)
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
		if err := engine.ApplyLimits(0, &again.Set); err != nil {
			t.Fatalf("seed %d: the engine refuses the document: %v\n%s", start, err, rendered)
		}
	}
}
