package document

import (
	"fmt"
	"slices"
	"strings"

	"tollgate/order"
)

// Names translates between the names of the reference data and the numbers of
// the engine. It is made by ParseReference and never changes, so any goroutine
// may use it.
type Names struct {
	scopes      [order.ScopeLevels + 1]index
	instruments index
}

// index is one name space.
type index struct {
	ids   map[string]uint32
	names map[uint32]string
}

func newIndex() index {
	return index{ids: map[string]uint32{}, names: map[uint32]string{}}
}

func newNames() *Names {
	n := &Names{instruments: newIndex()}
	for level := range n.scopes {
		n.scopes[level] = newIndex()
	}
	return n
}

// add enters a name and its number.
func (x *index) add(name string, id uint32) {
	x.ids[name] = id
	x.names[id] = name
}

// sorted returns the numbers in the order of their names.
func (x *index) sorted() []uint32 {
	names := make([]string, 0, len(x.ids))
	for name := range x.ids {
		names = append(names, name)
	}
	slices.Sort(names)
	ids := make([]uint32, len(names))
	for i, name := range names {
		ids[i] = x.ids[name]
	}
	return ids
}

// UnknownNameError says that the reference data does not have a name.
type UnknownNameError struct {
	What string // firm, group, account, trader, session or instrument
	Name string
}

func (e *UnknownNameError) Error() string {
	return fmt.Sprintf("unknown %s %s, want one of the reference data", e.What, quoted(e.Name))
}

// levels are the scope levels by the names used in documents.
var levels = map[string]order.ScopeType{
	"firm":    order.ScopeFirm,
	"group":   order.ScopeGroup,
	"account": order.ScopeAccount,
	"trader":  order.ScopeTrader,
	"session": order.ScopeSession,
}

const scopeWanted = "firm, group/NAME, account/NAME, trader/NAME or session/NAME"

// ParseScope reads a scope as documents and commands write it: firm, or
// level/name. The instrument is empty for all instruments. The error is an
// *UnknownNameError if the form is right and the name is not known.
func (n *Names) ParseScope(text, instrument string) (order.Scope, error) {
	level, name, slash := strings.Cut(text, "/")
	typ, known := levels[level]
	if !known || (!slash && typ != order.ScopeFirm) {
		return order.Scope{}, fmt.Errorf("scope %s, want %s", quoted(text), scopeWanted)
	}
	if !slash {
		name = n.FirmName()
	}
	return n.Scope(typ, name, instrument)
}

// Scope returns the scope of a level, a name at that level (for the firm it may
// be empty) and an instrument, empty for all. The error is an
// *UnknownNameError.
func (n *Names) Scope(typ order.ScopeType, name, instrument string) (order.Scope, error) {
	if typ < order.ScopeFirm || typ > order.ScopeSession {
		return order.Scope{}, fmt.Errorf("scope level %d, want %s", typ, scopeWanted)
	}
	if typ == order.ScopeFirm && name == "" {
		name = n.FirmName()
	}
	id, ok := n.scopes[typ].ids[name]
	if !ok {
		return order.Scope{}, &UnknownNameError{What: typ.String(), Name: name}
	}
	scope := order.Scope{Type: typ, ID: id}
	if instrument == "" {
		return scope, nil
	}
	scope.Instrument, ok = n.Instrument(instrument)
	if !ok {
		return order.Scope{}, &UnknownNameError{What: "instrument", Name: instrument}
	}
	return scope, nil
}

// Instrument returns the number of an instrument.
func (n *Names) Instrument(name string) (order.InstrumentID, bool) {
	id, ok := n.instruments.ids[name]
	return order.InstrumentID(id), ok
}

// InstrumentName returns the name of an instrument; empty for zero, and the
// number in # form if the reference data does not have it.
func (n *Names) InstrumentName(id order.InstrumentID) string {
	if id == 0 {
		return ""
	}
	return n.instruments.name(uint32(id))
}

// ScopeName returns the name of a scope at its level, without its instrument.
func (n *Names) ScopeName(s order.Scope) string {
	if s.Type < order.ScopeFirm || s.Type > order.ScopeSession {
		return ""
	}
	return n.scopes[s.Type].name(s.ID)
}

// FirmName returns the name of the firm.
func (n *Names) FirmName() string {
	for name := range n.scopes[order.ScopeFirm].ids {
		return name
	}
	return ""
}

// FormatScope returns a scope as documents write it, without its instrument.
func (n *Names) FormatScope(s order.Scope) string {
	if s.Type == order.ScopeFirm {
		return "firm"
	}
	return s.Type.String() + "/" + n.ScopeName(s)
}

// Scopes returns all scopes of a level in the order of their names.
func (n *Names) Scopes(typ order.ScopeType) []order.Scope {
	ids := n.scopes[typ].sorted()
	out := make([]order.Scope, len(ids))
	for i, id := range ids {
		out[i] = order.Scope{Type: typ, ID: id}
	}
	return out
}

// Instruments returns all instruments in the order of their names.
func (n *Names) Instruments() []order.InstrumentID {
	ids := n.instruments.sorted()
	out := make([]order.InstrumentID, len(ids))
	for i, id := range ids {
		out[i] = order.InstrumentID(id)
	}
	return out
}

// name returns the name of a number, or the number in # form.
func (x *index) name(id uint32) string {
	if name, ok := x.names[id]; ok {
		return name
	}
	return "#" + itoa(uint64(id))
}
