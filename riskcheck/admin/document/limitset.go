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
}

// standing says where a kind of limit may stand.
type standing uint8

const (
	anywhere    standing = 0 // any scope, with or without an instrument
	wholeScope  standing = 1 // any scope, without an instrument
	sessionOnly standing = 2 // a session, without an instrument
	listed      standing = 3 // by the lists of a scope, not as a field
)

// kindInfo is one row of the table below.
type kindInfo struct {
	kind     riskcheck.LimitKind
	unit     unit
	standing standing
}

// kinds is how documents write each kind of limit, in the order they are
// written. The fields have the names of riskcheck.LimitKind.
var kinds = [...]kindInfo{
	{riskcheck.LimitPermission, unitPermission, wholeScope},
	{riskcheck.LimitPermitListed, unitSides, listed},
	{riskcheck.LimitMaxOrderQty, unitQty, anywhere},
	{riskcheck.LimitMaxOrderNotional, unitMoney, anywhere},
	{riskcheck.LimitCollarBps, unitBps, anywhere},
	{riskcheck.LimitCollarTicks, unitCount, anywhere},
	{riskcheck.LimitCollarAbs, unitPrice, anywhere},
	{riskcheck.LimitCollarFarBps, unitBps, anywhere},
	{riskcheck.LimitMessagesPerSecond, unitRate, wholeScope},
	{riskcheck.LimitMessagesPerMinute, unitRate, wholeScope},
	{riskcheck.LimitMessagesPerDay, unitCount, wholeScope},
	{riskcheck.LimitMessagesCutPerSecond, unitRate, sessionOnly},
	{riskcheck.LimitCancelsPerSecond, unitRate, sessionOnly},
	{riskcheck.LimitCancelsCutPerSecond, unitRate, sessionOnly},
	{riskcheck.LimitOpenOrders, unitCount, anywhere},
	{riskcheck.LimitOpenNotional, unitMoney, anywhere},
	{riskcheck.LimitPositionLong, unitQty, anywhere},
	{riskcheck.LimitPositionShort, unitQty, anywhere},
	{riskcheck.LimitGrossExposure, unitMoney, anywhere},
	{riskcheck.LimitNetExposure, unitMoney, anywhere},
}

// info returns the row of a kind, nil if there is none.
func info(kind riskcheck.LimitKind) *kindInfo {
	for i := range kinds {
		if kinds[i].kind == kind {
			return &kinds[i]
		}
	}
	return nil
}

// FormatValue writes the value of a limit as documents do.
func FormatValue(kind riskcheck.LimitKind, value int64) string {
	if k := info(kind); k != nil {
		return formatValue(k.unit, value)
	}
	return formatValue(unitCount, value)
}

// permitList is one of the lists of instruments of a scope.
type permitList struct {
	field string
	sides int64
}

var permitLists = [...]permitList{
	{"permitListed", riskcheck.PermitBuy | riskcheck.PermitSell},
	{"permitListedBuy", riskcheck.PermitBuy},
	{"permitListedSell", riskcheck.PermitSell},
}

// limitFields are the fields of an entry of spec.limits.
var limitFields = func() []string {
	fields := []string{"scope", "instrument"}
	for i := range kinds {
		if kinds[i].standing != listed {
			fields = append(fields, kinds[i].kind.String())
		}
	}
	for i := range permitLists {
		fields = append(fields, permitLists[i].field)
	}
	return fields
}()

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
	return &Limits{Metadata: meta, Set: p.set}, nil
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

// scope reads scope and instrument of an entry. ok is false if they name
// nothing, which is recorded; the entry's values are still judged.
func (p *limitsParser) scope(o object) (scope order.Scope, ok bool) {
	at, instrument := o.field("scope"), o.field("instrument")
	if !p.scalar(at, scopeWanted) {
		return order.Scope{}, false
	}
	scope, err := p.names.ParseScope(at.text(), "")
	if err != nil {
		p.fail(at, "%s: %s", place(at), err)
	}
	if !instrument.given() {
		return scope, err == nil
	}
	if !p.scalar(instrument, "the name of an instrument") {
		return order.Scope{}, false
	}
	id, known := p.names.Instrument(instrument.text())
	if !known {
		p.fail(instrument, "%s: %s", place(instrument), &UnknownNameError{What: "instrument", Name: instrument.text()})
	}
	scope.Instrument = id
	return scope, err == nil && known
}

// limit reads one value.
func (p *limitsParser) limit(it item, scope order.Scope, k *kindInfo) {
	if !p.scalar(it, k.unit.want()) {
		return
	}
	value, err := parseValue(k.unit, it.text())
	if err != nil {
		p.fail(it, "%s is %s, want %s", place(it), quoted(it.text()), k.unit.want())
		return
	}
	if p.stands(it, scope, k) {
		p.add(it, riskcheck.LimitEntry{Scope: scope, Kind: k.kind, Value: value})
	}
}

// stands judges whether the kind may stand at the scope.
func (p *limitsParser) stands(it item, scope order.Scope, k *kindInfo) bool {
	switch {
	case scope.Type == order.ScopeNone:
		return false
	case k.standing == sessionOnly && scope.Type != order.ScopeSession:
		p.fail(it, "%s stands at %s, want a scope session/NAME", place(it), p.names.FormatScope(scope))
		return false
	case k.standing != anywhere && scope.Instrument != 0:
		p.fail(it, "%s stands at an instrument, want it at the whole scope", place(it))
		return false
	}
	return true
}

// permitList reads one of the lists of instruments of a scope.
func (p *limitsParser) permitList(it item, scope order.Scope, list *permitList) {
	if !it.given() {
		return
	}
	if scope.Instrument != 0 {
		p.fail(it, "%s stands at an instrument, want it at the whole scope with the instruments as its list", place(it))
		return
	}
	for _, entry := range p.list(it) {
		if !p.scalar(entry, "the name of an instrument") {
			continue
		}
		p.permit(entry, scope, list.sides)
	}
}

// permit puts one instrument on the list of a scope.
func (p *limitsParser) permit(it item, scope order.Scope, sides int64) {
	id, known := p.names.Instrument(it.text())
	if !known {
		p.fail(it, "%s: %s", place(it), &UnknownNameError{What: "instrument", Name: it.text()})
		return
	}
	if scope.Type == order.ScopeNone {
		return
	}
	scope.Instrument = id
	p.add(it, riskcheck.LimitEntry{Scope: scope, Kind: riskcheck.LimitPermitListed, Value: sides})
}

// add takes a limit unless it was stated before.
func (p *limitsParser) add(it item, e riskcheck.LimitEntry) {
	key := limitKey{scope: e.Scope, kind: e.Kind}
	if line, twice := p.seen[key]; twice {
		p.fail(it, "%s of %s was stated before, in line %d", e.Kind, p.describe(e.Scope), line)
		return
	}
	p.seen[key] = it.node.Line
	p.set.Entries = append(p.set.Entries, e)
}

// describe names a scope and its instrument.
func (p *limitsParser) describe(s order.Scope) string {
	if s.Instrument == 0 {
		return p.names.FormatScope(s)
	}
	return p.names.FormatScope(s) + " × " + p.names.InstrumentName(s.Instrument)
}

// sortEntries puts limits in the order documents write them: wider scopes
// first, names in order, whole scopes before instruments, kinds as in the
// table.
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
	return strings.Compare(names.InstrumentName(a.Instrument), names.InstrumentName(b.Instrument))
}

// kindOrder is the place of a kind in a document.
func kindOrder(kind riskcheck.LimitKind) int {
	for i := range kinds {
		if kinds[i].kind == kind {
			return i
		}
	}
	return len(kinds)
}
