package riskcheck

import (
	"testing"

	"tollgate/order"
)

// TestTermsAreForgotten interns terms, few and many, and forgets them: the table is
// empty and takes others.
func TestTermsAreForgotten(t *testing.T) {
	const tableSize = 1 << 12
	for _, count := range []int{0, 1, 2, 2 * tableSize / termsClearedFrom, tableSize / 2} {
		e := &Engine{termsIndex: newTable(tableSize, 3), terms: make([]terms, 0, tableSize), routeVersion: 1}
		for round := range 3 {
			for i := range 2 * count { // each twice
				one := emptyTerms()
				one.maxQty = bound{int64(i / 2), int32(round)}
				if at := e.intern(&one); int(at) != i/2 || e.terms[at] != one {
					t.Fatalf("terms %d of %d stand at %d", i/2, count, at)
				}
			}
			e.routeVersion++
			e.forgetTerms()
			for _, s := range e.termsIndex.slots {
				if s.index != 0 {
					t.Fatalf("terms %d of %d are left in the table", s.index-1, count)
				}
			}
			if e.termsIndex.count != 0 || len(e.terms) != 0 || e.termsVersion != e.routeVersion {
				t.Errorf("%d entries and %d terms of version %d are left", e.termsIndex.count, len(e.terms), e.termsVersion)
			}
		}
	}
}

// TestTermsHashSeesEverything changes one thing at a time: terms that differ have
// other hashes, so that routes with other limits do not meet in one place.
func TestTermsHashSeesEverything(t *testing.T) {
	seen := map[uint64]string{}
	note := func(what string, change func(*terms)) {
		one := emptyTerms()
		change(&one)
		if other, ok := seen[one.hash()]; ok {
			t.Errorf("%s has the hash of %s", what, other)
		}
		seen[one.hash()] = what
	}
	none := emptyTerms()
	note("nothing", func(*terms) {})
	for i := range none.bounds() {
		note("bound", func(v *terms) { v.bounds()[i].value = 7 })
		note("bound's holder", func(v *terms) { v.bounds()[i].at = 3 })
	}
	for i := range statedKinds {
		note("stated", func(v *terms) { v.stated[i] = 1 })
	}
	for side := range none.permission {
		note("permission", func(v *terms) { v.permission[side].reason = order.ReasonSide })
		note("permission's holder", func(v *terms) { v.permission[side].at = 5 })
	}
	note("window", func(v *terms) { v.duplicateWindow = 9 })
	note("reduce-only", func(v *terms) { v.reduceOnly = 1 })
	note("loss", func(v *terms) { v.lossLatched = 1 })
	note("blocked", func(v *terms) { v.blocked = 1 })
	note("unresolved", func(v *terms) { v.unresolved = order.ReasonUnknownAccount })
	note("strategy", func(v *terms) { v.strategyLatched = true })
	note("kill", func(v *terms) { v.killedAt = 2 })
}
