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
	scopes      [order.ScopeStrategy + 1]index
	instruments index
	classes     index
	calendars   index
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
	n := &Names{instruments: newIndex(), classes: newIndex(), calendars: newIndex()}
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
	What string // firm, group, account, trader, session, strategy, instrument, class or calendar
	Name string
}

func (e *UnknownNameError) Error() string {
	return fmt.Sprintf("unknown %s %s, want one of the reference data", e.What, quoted(e.Name))
}

// levels are the scope levels by the names used in documents.
var levels = map[string]order.ScopeType{
	"firm":     order.ScopeFirm,
	"group":    order.ScopeGroup,
	"account":  order.ScopeAccount,
	"trader":   order.ScopeTrader,
	"session":  order.ScopeSession,
	"strategy": order.ScopeStrategy,
}

const scopeWanted = "firm, group/NAME, account/NAME, trader/NAME, session/NAME or strategy/NAME"

// ParseScope reads a scope as documents and commands write it: firm, or
// level/name. The error is an *UnknownNameError if the form is right and the
// name is not known.
func (n *Names) ParseScope(text string) (order.Scope, error) {
	level, name, slash := strings.Cut(text, "/")
	typ, known := levels[level]
	if !known || (!slash && typ != order.ScopeFirm) {
		return order.Scope{}, fmt.Errorf("scope %s, want %s", quoted(text), scopeWanted)
	}
	if !slash {
		name = n.FirmName()
	}
	return n.Scope(typ, name)
}

// Scope returns the scope of a level and a name at that level; for the firm it
// may be empty. The error is an *UnknownNameError.
func (n *Names) Scope(typ order.ScopeType, name string) (order.Scope, error) {
	if typ < order.ScopeFirm || typ > order.ScopeStrategy {
		return order.Scope{}, fmt.Errorf("scope level %d, want %s", typ, scopeWanted)
	}
	if typ == order.ScopeFirm && name == "" {
		name = n.FirmName()
	}
	id, ok := n.scopes[typ].ids[name]
	if !ok {
		return order.Scope{}, &UnknownNameError{What: typ.String(), Name: name}
	}
	return order.Scope{Type: typ, ID: id}, nil
}

// Narrow narrows a scope to an instrument or to a class, empty for none. The
// error is an *UnknownNameError, or says that both are given.
func (n *Names) Narrow(scope order.Scope, instrument, class string) (order.Scope, error) {
	if instrument != "" && class != "" {
		return order.Scope{}, fmt.Errorf("instrument %s and class %s, want one of them", quoted(instrument), quoted(class))
	}
	var ok bool
	if instrument != "" {
		if scope.Instrument, ok = n.Instrument(instrument); !ok {
			return order.Scope{}, &UnknownNameError{What: "instrument", Name: instrument}
		}
	}
	if class != "" {
		if scope.Class, ok = n.Class(class); !ok {
			return order.Scope{}, &UnknownNameError{What: "class", Name: class}
		}
	}
	return scope, nil
}

// Instrument returns the number of an instrument.
func (n *Names) Instrument(name string) (order.InstrumentID, bool) {
	id, ok := n.instruments.ids[name]
	return order.InstrumentID(id), ok
}

// Class returns the number of a class of instruments.
func (n *Names) Class(name string) (order.ClassID, bool) {
	id, ok := n.classes.ids[name]
	return order.ClassID(id), ok
}

// Calendar returns the number of a calendar.
func (n *Names) Calendar(name string) (order.CalendarID, bool) {
	id, ok := n.calendars.ids[name]
	return order.CalendarID(id), ok
}

// InstrumentName returns the name of an instrument; empty for zero, and the
// number in # form if the reference data does not have it.
func (n *Names) InstrumentName(id order.InstrumentID) string {
	if id == 0 {
		return ""
	}
	return n.instruments.name(uint32(id))
}

// ClassName does the same for a class.
func (n *Names) ClassName(id order.ClassID) string {
	if id == 0 {
		return ""
	}
	return n.classes.name(uint32(id))
}

// CalendarName does the same for a calendar.
func (n *Names) CalendarName(id order.CalendarID) string {
	if id == 0 {
		return ""
	}
	return n.calendars.name(uint32(id))
}

// ScopeName returns the name of a scope at its level, without its instrument or
// class.
func (n *Names) ScopeName(s order.Scope) string {
	if s.Type < order.ScopeFirm || s.Type > order.ScopeStrategy {
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

// FormatScope returns a scope as documents write it, without its instrument or
// class.
func (n *Names) FormatScope(s order.Scope) string {
	if s.Type == order.ScopeFirm {
		return "firm"
	}
	return s.Type.String() + "/" + n.ScopeName(s)
}

// Describe names a scope and what it is narrowed to in one phrase.
func (n *Names) Describe(s order.Scope) string {
	switch {
	case s.Instrument != 0:
		return n.FormatScope(s) + " × " + n.InstrumentName(s.Instrument)
	case s.Class != 0:
		return n.FormatScope(s) + " × class " + n.ClassName(s.Class)
	}
	return n.FormatScope(s)
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

// Classes returns all classes in the order of their names.
func (n *Names) Classes() []order.ClassID {
	ids := n.classes.sorted()
	out := make([]order.ClassID, len(ids))
	for i, id := range ids {
		out[i] = order.ClassID(id)
	}
	return out
}

// Calendars returns all calendars in the order of their names.
func (n *Names) Calendars() []order.CalendarID {
	ids := n.calendars.sorted()
	out := make([]order.CalendarID, len(ids))
	for i, id := range ids {
		out[i] = order.CalendarID(id)
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
