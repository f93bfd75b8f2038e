package document

import (
	"slices"

	"tollgate/order"
	"tollgate/riskcheck"
)

// Change is one difference between two sets of limits.
type Change struct {
	Scope order.Scope
	Kind  riskcheck.LimitKind
	Old   Stated
	New   Stated
}

// Stated is a limit that may not be stated at all; its zero value is none.
type Stated struct {
	riskcheck.LimitEntry
	Is bool
}

// Format writes the limit as documents do; empty if it is not stated.
func (s *Stated) Format() string {
	if !s.Is {
		return ""
	}
	return FormatLimit(&s.LimitEntry)
}

// Diff returns what changes from one set of limits to another, in the order of
// documents.
func Diff(from, to *riskcheck.LimitSet, names *Names) []Change {
	byKey := make(map[limitKey]*Change, len(from.Entries))
	at := func(e riskcheck.LimitEntry) *Change {
		key := limitKey{scope: e.Scope, kind: e.Kind}
		if byKey[key] == nil {
			byKey[key] = &Change{Scope: e.Scope, Kind: e.Kind}
		}
		return byKey[key]
	}
	for _, e := range from.Entries {
		at(e).Old = Stated{LimitEntry: e, Is: true}
	}
	for _, e := range to.Entries {
		at(e).New = Stated{LimitEntry: e, Is: true}
	}
	var changes []Change
	for _, c := range byKey {
		if c.Old != c.New {
			changes = append(changes, *c)
		}
	}
	slices.SortFunc(changes, func(a, b Change) int {
		if c := CompareScopes(a.Scope, b.Scope, names); c != 0 {
			return c
		}
		return kindOrder(a.Kind) - kindOrder(b.Kind)
	})
	return changes
}
