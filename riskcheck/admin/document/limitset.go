package document

import (
	"slices"
	"strings"

	"tollgate/order"
	"tollgate/riskcheck"
)

// Limits is a limits document.
type Limits struct {
	Metadata
	Set riskcheck.LimitSet

	ends []end // of temporary limits, for CheckEnds
}

// end is where a document says until when a limit holds.
type end struct {
	at      Problem // its place
	untilNs int64
}

// CheckEnds returns a problem for each temporary limit that has ended by now,
// ns since 1970 UTC; the error is Problems. A document that was rendered or made
// otherwise than by ParseLimits has none.
func (l *Limits) CheckEnds(nowNs int64) error {
	var problems Problems
	for _, e := range l.ends {
		if e.untilNs <= nowNs {
			p := e.at
			p.Message = p.Path + " is " + FormatTime(e.untilNs) + ", which is past, want a time to come, " +
				"or the limit that holds now"
			problems = append(problems, p)
		}
	}
	if len(problems) == 0 {
		return nil
	}
	return problems.sorted()
}

// Temporary reports whether a limit of the set ends by itself.
func (l *Limits) Temporary() bool {
	for i := range l.Set.Entries {
		if l.Set.Entries[i].Until != 0 {
			return true
		}
	}
	return false
}

// Revert returns the limits without those that have ended by now, ns since 1970
// UTC: they are what they were to become. It returns l itself if none has.
func (l *Limits) Revert(nowNs int64) *Limits {
	var out *Limits
	for i := range l.Set.Entries {
		if e := &l.Set.Entries[i]; e.Until != 0 && e.Until <= nowNs {
			if out == nil {
				out = &Limits{Metadata: l.Metadata, Set: riskcheck.LimitSet{Entries: slices.Clone(l.Set.Entries)}}
			}
			to := &out.Set.Entries[i]
			to.Value, to.Until, to.Then = e.Then, 0, 0
		}
	}
	if out == nil {
		return l
	}
	return out
}

// ParseLimits reads a limits document against the names of the reference data
// in force. file is what problems call it. The error is Problems.
func ParseLimits(file string, text []byte, names *Names) (*Limits, error) {
	p := &limitsParser{reader: reader{file: file}, names: names, seen: map[limitKey]int{}}
	meta, spec := p.envelope(text, KindLimits)
	if spec.given() {
		p.spec(spec)
	}
	if err := p.err(); err != nil {
		return nil, err
	}
	sortEntries(p.set.Entries, names)
	return &Limits{Metadata: meta, Set: p.set, ends: p.ends}, nil
}

// limitKey is what may be stated once.
type limitKey struct {
	scope order.Scope
	kind  riskcheck.LimitKind
}

// limitsParser fills one LimitSet.
type limitsParser struct {
	reader
	names *Names
	set   riskcheck.LimitSet
	seen  map[limitKey]int // the line each limit was stated in
	ends  []end
}

func (p *limitsParser) spec(it item) {
	o := p.object(it, "limits")
	p.require(o, "limits")
	for _, entry := range p.list(o.field("limits")) {
		p.entry(entry)
	}
}

// entry reads the limits of one scope, or of one scope × instrument.
func (p *limitsParser) entry(it item) {
	o := p.object(it, limitFields...)
	p.require(o, "scope")
	scope, ok := p.scope(o)
	if !ok {
		scope = order.Scope{}
	}
	for i := range kinds {
		if kinds[i].standing != listed {
			p.limit(o.field(kinds[i].kind.String()), scope, &kinds[i])
		}
	}
	for i := range permitLists {
		p.permitList(o.field(permitLists[i].field), scope, &permitLists[i])
	}
}

// scope reads scope, instrument and class of an entry. ok is false if they name
// nothing, which is recorded; the entry's values are still judged.
func (p *limitsParser) scope(o object) (scope order.Scope, ok bool) {
	at, instrument, class := o.field("scope"), o.field("instrument"), o.field("class")
	if !p.scalar(at, scopeWanted) {
		return order.Scope{}, false
	}
	scope, err := p.names.ParseScope(at.text())
	if err != nil {
		p.fail(at, "%s: %s", place(at), err)
	}
	ok = err == nil
	if instrument.given() && class.given() {
		p.fail(class, "%s has both an instrument and a class, want one of them", place(o.item))
		return scope, false
	}
	if instrument.given() {
		id, known := named(p, instrument, "instrument", p.names.Instrument)
		scope.Instrument, ok = id, ok && known
	}
	if class.given() {
		id, known := named(p, class, "class", p.names.Class)
		scope.Class, ok = id, ok && known
	}
	return scope, ok
}

// named reads the name of an instrument or a class.
func named[ID ~uint32](p *limitsParser, it item, what string, find func(string) (ID, bool)) (ID, bool) {
	if !p.scalar(it, "the name of "+article(what)) {
		return 0, false
	}
	id, known := find(it.text())
	if !known {
		p.fail(it, "%s: %s", place(it), &UnknownNameError{What: what, Name: it.text()})
	}
	return id, known
}

// stands judges whether the kind may stand at the scope.
func (p *limitsParser) stands(it item, scope order.Scope, k *kindInfo) bool {
	narrow := scope.Instrument != 0 || scope.Class != 0
	switch {
	case scope.Type == order.ScopeNone:
		return false
	case k.standing == sessionOnly && scope.Type != order.ScopeSession:
		p.fail(it, "%s stands at %s, want a scope session/NAME", place(it), p.names.FormatScope(scope))
		return false
	case k.standing == narrowed && !narrow:
		p.fail(it, "%s stands at the whole scope, want it at an instrument or a class", place(it))
		return false
	case (k.standing == wholeScope || k.standing == sessionOnly) && narrow:
		p.fail(it, "%s stands at %s, want it at the whole scope", place(it), narrowing(scope))
		return false
	}
	return true
}

// narrowing says what a scope is narrowed to.
func narrowing(scope order.Scope) string {
	if scope.Class != 0 {
		return "a class"
	}
	return "an instrument"
}

// permitList reads one of the lists of a scope.
func (p *limitsParser) permitList(it item, scope order.Scope, list *permitList) {
	if !it.given() {
		return
	}
	if scope.Instrument != 0 || scope.Class != 0 {
		p.fail(it, "%s stands at %s, want it at the whole scope with names as its list", place(it), narrowing(scope))
		return
	}
	for _, entry := range p.list(it) {
		var known bool
		at := scope
		if list.classes {
			at.Class, known = named(p, entry, "class", p.names.Class)
		} else {
			at.Instrument, known = named(p, entry, "instrument", p.names.Instrument)
		}
		if known && scope.Type != order.ScopeNone {
			p.add(entry, riskcheck.LimitEntry{Scope: at, Kind: riskcheck.LimitPermitListed, Value: list.sides})
		}
	}
}

// add takes a limit unless it was stated before.
func (p *limitsParser) add(it item, e riskcheck.LimitEntry) {
	key := limitKey{scope: e.Scope, kind: e.Kind}
	if line, twice := p.seen[key]; twice {
		p.fail(it, "%s of %s was stated before, in line %d", e.Kind, p.names.Describe(e.Scope), line)
		return
	}
	p.seen[key] = it.node.Line
	if e.Until != 0 {
		at := Problem{File: p.file, Line: it.node.Line, Column: it.node.Column, Path: it.path + ".until"}
		p.ends = append(p.ends, end{at: at, untilNs: e.Until})
	}
	p.set.Entries = append(p.set.Entries, e)
}

// sortEntries puts limits in the order documents write them: wider scopes
// first, names in order, whole scopes before classes before instruments, kinds
// as in the table.
func sortEntries(entries []riskcheck.LimitEntry, names *Names) {
	slices.SortFunc(entries, func(a, b riskcheck.LimitEntry) int { return compareEntries(a, b, names) })
}

func compareEntries(a, b riskcheck.LimitEntry, names *Names) int {
	if c := CompareScopes(a.Scope, b.Scope, names); c != 0 {
		return c
	}
	return kindOrder(a.Kind) - kindOrder(b.Kind)
}

// CompareScopes orders scopes as documents do.
func CompareScopes(a, b order.Scope, names *Names) int {
	if a.Type != b.Type {
		return int(a.Type) - int(b.Type)
	}
	if c := strings.Compare(names.ScopeName(a), names.ScopeName(b)); c != 0 {
		return c
	}
	if c := width(a) - width(b); c != 0 {
		return c
	}
	if c := strings.Compare(names.ClassName(a.Class), names.ClassName(b.Class)); c != 0 {
		return c
	}
	return strings.Compare(names.InstrumentName(a.Instrument), names.InstrumentName(b.Instrument))
}

// width orders the holders of one level: whole, class, instrument.
func width(s order.Scope) int {
	switch {
	case s.Instrument != 0:
		return 2
	case s.Class != 0:
		return 1
	}
	return 0
}
