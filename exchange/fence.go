package exchange

import "tollgate/order"

// Fence voids the new orders and replaces of a scope whose sequence number is
// below BelowSeq: a kill has overtaken them on their way to the venue.
type Fence struct {
	Scope    order.Scope
	BelowSeq uint64
}

// fences holds the fences that can still meet a token.
type fences struct {
	list    []Fence
	highest uint64 // BelowSeq of the highest fence ever set
	max     int
}

func newFences(limit int) fences { return fences{list: make([]Fence, 0, limit), max: limit} }

// set puts a fence in force. Tokens up to usedUpTo can no longer be used, and
// fences that are only about them are dropped. If there is no room for one more
// scope, the fences become one for the whole firm: too much is voided rather
// than too little.
func (f *fences) set(fence Fence, usedUpTo uint64) {
	if fence.BelowSeq <= usedUpTo+1 {
		return
	}
	f.highest = max(f.highest, fence.BelowSeq)
	for i := range f.list {
		if f.list[i].Scope == fence.Scope {
			f.list[i].BelowSeq = max(f.list[i].BelowSeq, fence.BelowSeq)
			return
		}
	}
	f.drop(usedUpTo)
	if len(f.list) == f.max {
		f.list = f.list[:0]
		fence = Fence{order.Scope{Type: order.ScopeFirm}, f.highest}
	}
	f.list = append(f.list, fence)
}

// drop removes the fences that are about used tokens alone.
func (f *fences) drop(usedUpTo uint64) {
	kept := f.list[:0]
	for _, fence := range f.list {
		if fence.BelowSeq > usedUpTo+1 {
			kept = append(kept, fence)
		}
	}
	f.list = kept
}

// voids reports whether a fence stands before the order. Nearly every order is
// newer than all fences and takes one comparison.
func (f *fences) voids(v *order.Verdict) bool {
	if v.Token.Seq >= f.highest {
		return false
	}
	for i := range f.list {
		if v.Token.Seq < f.list[i].BelowSeq && inScope(&f.list[i].Scope, v) {
			return true
		}
	}
	return false
}

// inScope reports whether the order belongs to the scope. An engine serves one
// firm, so the firm's scope holds every order; so does a scope of a level that
// does not exist, because a fence must not be missed. For the same reason a fence
// of a class voids the scope's orders in all instruments: the adapter does not
// know which are of the class.
func inScope(s *order.Scope, v *order.Verdict) bool {
	if s.Instrument != 0 && s.Instrument != v.Instrument {
		return false
	}
	switch s.Type {
	case order.ScopeGroup:
		return s.ID == uint32(v.Group)
	case order.ScopeAccount:
		return s.ID == uint32(v.Account)
	case order.ScopeTrader:
		return s.ID == uint32(v.Trader)
	case order.ScopeSession:
		return s.ID == uint32(v.Session)
	case order.ScopeStrategy:
		return s.ID == uint32(v.Strategy)
	}
	return true
}
