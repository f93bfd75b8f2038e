package riskcheck

import (
	"errors"
	"fmt"

	"tollgate/order"
)

// ApplyReference puts new reference data in force, all of it or, if anything
// in it is wrong, nothing; the error then lists every problem. Whoever is no
// longer in it cannot trade from here on; positions and live orders stay.
func (e *Engine) ApplyReference(now int64, ref *Reference) error {
	e.begin(now)
	err := e.applyReference(ref)
	e.finish()
	return err
}

func (e *Engine) applyReference(ref *Reference) error {
	if err := e.validateReference(ref); err != nil {
		return err
	}
	e.forgetKnown()
	if len(e.nodes) == 0 {
		e.currencyRow(ref.Firm.Currency)
		e.addNode(order.Scope{Type: order.ScopeFirm, ID: uint32(ref.Firm.ID)})
	}
	e.firm = ref.Firm
	rows := len(ref.Groups) + len(ref.Accounts) + len(ref.Traders) + len(ref.Sessions) + len(ref.Instruments) +
		len(ref.Strategies) + len(ref.Classes)
	e.growTables(rows, countMembers(ref))
	for i := range ref.Groups {
		e.applyGroup(&ref.Groups[i])
	}
	for i := range ref.Accounts {
		e.applyAccount(&ref.Accounts[i])
	}
	for i := range ref.Traders {
		e.applyTrader(&ref.Traders[i])
	}
	for i := range ref.Sessions {
		e.applySession(&ref.Sessions[i])
	}
	for i := range ref.Strategies {
		e.applyStrategy(&ref.Strategies[i])
	}
	for i := range ref.Classes {
		e.applyClass(&ref.Classes[i])
	}
	for i := range ref.Instruments {
		e.applyInstrument(&ref.Instruments[i])
	}
	e.routeVersion++
	e.judgeAll()
	return nil
}

// forgetKnown marks every row as unknown; those in the new data become known
// again.
func (e *Engine) forgetKnown() {
	for i := range e.accountRows {
		e.accountRows[i].known = false
	}
	for i := range e.traderRows {
		e.traderRows[i].known = false
	}
	for i := range e.sessionRows {
		e.sessionRows[i].known = false
	}
	for i := range e.strategyRows {
		e.strategyRows[i].known = false
	}
	for i := range e.classRows {
		e.classRows[i].known = false
	}
	for i := range e.instrumentRows {
		e.instrumentRows[i].known = false
	}
}

func countMembers(ref *Reference) int {
	n := 0
	for i := range ref.Traders {
		n += len(ref.Traders[i].Accounts)
	}
	for i := range ref.Sessions {
		n += len(ref.Sessions[i].Accounts)
	}
	return n
}

// growTables makes the tables of reference data large enough. Reference data
// are applied off the order path, so they may allocate.
func (e *Engine) growTables(rows, members int) {
	seed := e.config.HashSeed
	total := rows + len(e.nodes) + len(e.classRows) + len(e.instrumentRows)
	for _, t := range [...]*table{
		&e.groups, &e.accounts, &e.traders, &e.sessions, &e.strategies, &e.classes, &e.instruments,
	} {
		grown := newTable(total, seed)
		for _, s := range t.slots {
			if s.index != 0 {
				grown.put(s.key, s.index-1)
			}
		}
		*t = grown
	}
	e.membership = newTable(max(members, 1), seed)
}

// addNode adds a scope to the hierarchy.
func (e *Engine) addNode(scope order.Scope) int32 {
	e.nodes = append(e.nodes, node{
		dayCount: dayCount{minute: noIndex}, scope: scope, account: noIndex,
		second: noWindow, minuteRate: noWindow, both: noWindow, rejects: noWindow,
	})
	return int32(len(e.nodes) - 1)
}

func (e *Engine) applyGroup(g *Group) {
	k := idKey(uint64(g.ID))
	if _, ok := e.groups.get(k); !ok {
		n := e.addNode(order.Scope{Type: order.ScopeGroup, ID: uint32(g.ID)})
		e.groups.put(k, uint64(n))
	}
}

func (e *Engine) applyAccount(a *Account) {
	k := idKey(uint64(a.ID))
	i, ok := e.accounts.get(k)
	if !ok {
		group, _ := e.groups.get(idKey(uint64(a.Group)))
		n := e.addNode(order.Scope{Type: order.ScopeAccount, ID: uint32(a.ID)})
		i = uint64(len(e.accountRows))
		e.nodes[n].account = int32(i)
		e.accountRows = append(e.accountRows, accountRow{
			node: n, group: int32(group), rate: e.currencyRow(a.Currency),
		})
		e.accounts.put(k, i)
	}
	e.accountRows[i].Account, e.accountRows[i].known = *a, true
}

func (e *Engine) applyTrader(t *Trader) {
	k := idKey(uint64(t.ID))
	i, ok := e.traders.get(k)
	if !ok {
		i = uint64(len(e.traderRows))
		n := e.addNode(order.Scope{Type: order.ScopeTrader, ID: uint32(t.ID)})
		e.traderRows = append(e.traderRows, traderRow{id: t.ID, node: n})
		e.traders.put(k, i)
	}
	e.traderRows[i].known = true
	for _, a := range t.Accounts {
		e.membership.put(memberKey(memberTraderAccount, uint32(t.ID), uint32(a)), 0)
	}
}

func (e *Engine) applySession(s *Session) {
	k := idKey(uint64(s.ID))
	i, ok := e.sessions.get(k)
	if !ok {
		i = uint64(len(e.sessionRows))
		n := e.addNode(order.Scope{Type: order.ScopeSession, ID: uint32(s.ID)})
		e.sessionRows = append(e.sessionRows, sessionRow{
			stream: newStream(e.config.AnswersRetained), nextRef: 1, node: n, live: noIndex,
			attempts: noWindow, cancels: noWindow, cancelsCut: noWindow,
		})
		e.sessions.put(k, i)
	}
	row := &e.sessionRows[i]
	row.Session, row.known = Session{ID: s.ID, Client: s.Client}, true
	for _, a := range s.Accounts {
		e.membership.put(memberKey(memberSessionAccount, uint32(s.ID), uint32(a)), 0)
	}
}

func (e *Engine) applyStrategy(s *Strategy) {
	k := idKey(uint64(s.ID))
	i, ok := e.strategies.get(k)
	if !ok {
		i = uint64(len(e.strategyRows))
		n := e.addNode(order.Scope{Type: order.ScopeStrategy, ID: uint32(s.ID)})
		e.strategyRows = append(e.strategyRows, strategyRow{id: s.ID, node: n})
		e.strategies.put(k, i)
	}
	e.strategyRows[i].known = true
}

func (e *Engine) applyClass(c *Class) {
	k := idKey(uint64(c.ID))
	i, ok := e.classes.get(k)
	if !ok {
		i = uint64(len(e.classRows))
		e.classRows = append(e.classRows, classRow{id: c.ID})
		e.classes.put(k, i)
	}
	e.classRows[i].known = true
}

func (e *Engine) applyInstrument(in *Instrument) {
	k := idKey(uint64(in.ID))
	i, ok := e.instruments.get(k)
	if !ok {
		i = uint64(len(e.instrumentRows))
		class := noIndex
		if c, known := e.classes.get(idKey(uint64(in.Class))); known {
			class = int32(c)
			e.classRows[c].members = append(e.classRows[c].members, int32(i))
		}
		e.instrumentRows = append(e.instrumentRows, instrumentRow{
			firstCell: noIndex, class: class, rate: e.currencyRow(in.Currency),
		})
		e.instruments.put(k, i)
	}
	row := &e.instrumentRows[i]
	row.Instrument, row.known = *in, true
	e.remark(row)
	for c := row.firstCell; c != noIndex; c = e.details[c].next {
		if a := e.nodes[e.details[c].node].account; a != noIndex {
			e.rehold(&e.accountRows[a], &e.cells[c], row) // margin and fee may be others
		}
	}
}

// validateReference returns every problem of reference data at once, among
// them what may not change while orders and positions depend on it.
func (e *Engine) validateReference(ref *Reference) error {
	v := referenceCheck{engine: e, seen: make(map[order.Scope]bool)}
	if ref.Firm.ID == 0 {
		v.fail("firm: ID is 0, want 1 or more")
	}
	if ref.Firm.Currency == (Currency{}) {
		v.fail("firm %d: Currency is empty, want a code such as USD", ref.Firm.ID)
	}
	if ref.Firm.FxMaxAgeNs < 0 {
		v.fail("firm %d: FxMaxAgeNs must not be negative", ref.Firm.ID)
	}
	if len(e.nodes) > 0 && ref.Firm.ID != e.firm.ID {
		v.fail("firm %d: the engine belongs to firm %d", ref.Firm.ID, e.firm.ID)
	}
	if len(e.nodes) > 0 && ref.Firm.Currency != e.firm.Currency {
		v.fail("firm %d: currency %s cannot change while the engine runs", ref.Firm.ID, e.firm.Currency)
	}
	for i := range ref.Groups {
		v.once(order.ScopeGroup, uint32(ref.Groups[i].ID))
	}
	for i := range ref.Accounts {
		v.account(&ref.Accounts[i])
	}
	for i := range ref.Traders {
		v.once(order.ScopeTrader, uint32(ref.Traders[i].ID))
		v.accounts("trader", uint32(ref.Traders[i].ID), ref.Traders[i].Accounts)
	}
	for i := range ref.Sessions {
		s := &ref.Sessions[i]
		v.once(order.ScopeSession, uint32(s.ID))
		if s.ID > sessionIDMax {
			v.fail("session %d: ID must be at most %d", s.ID, sessionIDMax)
		}
		if s.Client == 0 {
			v.fail("session %d: Client is 0, want 1 or more", s.ID)
		}
		v.accounts("session", uint32(s.ID), s.Accounts)
	}
	for i := range ref.Strategies {
		v.once(order.ScopeStrategy, uint32(ref.Strategies[i].ID))
	}
	classes := make(map[order.ClassID]bool, len(ref.Classes))
	for i := range ref.Classes {
		switch id := ref.Classes[i].ID; {
		case id == 0:
			v.fail("class: ID is 0, want 1 or more")
		case classes[id]:
			v.fail("class %d is listed twice", id)
		default:
			classes[id] = true
		}
	}
	for i := range ref.Instruments {
		in := &ref.Instruments[i]
		if in.Class != 0 && !classes[in.Class] {
			v.fail("instrument %d: there is no class %d", in.ID, in.Class)
		}
		v.instrument(in)
	}
	return errors.Join(v.errs...)
}

// referenceCheck collects the problems of reference data.
type referenceCheck struct {
	engine *Engine
	seen   map[order.Scope]bool // what was listed so far; instruments as ScopeNone
	errs   []error
}

func (v *referenceCheck) fail(format string, args ...any) {
	v.errs = append(v.errs, fmt.Errorf("reference data: "+format, args...))
}

// once checks that an identifier is given, and given once.
func (v *referenceCheck) once(level order.ScopeType, id uint32) {
	what := level.String()
	if level == order.ScopeNone {
		what = "instrument"
	}
	scope := order.Scope{Type: level, ID: id}
	if id == 0 {
		v.fail("%s: ID is 0, want 1 or more", what)
	} else if v.seen[scope] {
		v.fail("%s %d is listed twice", what, id)
	}
	v.seen[scope] = true
}

func (v *referenceCheck) account(a *Account) {
	v.once(order.ScopeAccount, uint32(a.ID))
	if !v.seen[order.Scope{Type: order.ScopeGroup, ID: uint32(a.Group)}] {
		v.fail("account %d: there is no group %d", a.ID, a.Group)
	}
	if a.Currency == (Currency{}) {
		v.fail("account %d: Currency is empty, want a code such as USD", a.ID)
	}
	if i, ok := v.engine.accounts.get(idKey(uint64(a.ID))); ok {
		old := &v.engine.accountRows[i]
		if old.Group != a.Group || old.Currency != a.Currency || old.SelfMatch != a.SelfMatch {
			v.fail("account %d: group %d, currency %s and self-match group %d cannot change while the engine runs",
				a.ID, old.Group, old.Currency, old.SelfMatch)
		}
	}
}

func (v *referenceCheck) accounts(what string, id uint32, accounts []order.AccountID) {
	for _, a := range accounts {
		if !v.seen[order.Scope{Type: order.ScopeAccount, ID: uint32(a)}] {
			v.fail("%s %d: there is no account %d", what, id, a)
		}
	}
}

func (v *referenceCheck) instrument(in *Instrument) {
	v.once(order.ScopeNone, uint32(in.ID))
	for _, rule := range [...]struct {
		broken bool
		text   string
	}{
		{in.Currency == Currency{}, "Currency is empty, want a code such as USD"},
		{in.Tick <= 0, "Tick must be above 0"},
		{in.Lot <= 0, "Lot must be above 0"},
		{in.MinQty < 0, "MinQty must not be negative"},
		{in.MaxQty < max(in.MinQty, 1), "MaxQty must be at least MinQty and above 0; no bound is written as unlimited"},
		{in.Multiplier <= 0, "Multiplier must be above 0"},
		{
			in.Settlement != order.Null && !in.takes(in.Settlement),
			"Settlement is of a sign that the instrument does not take; none is written as Null",
		},
		{in.ReferenceMaxAgeNs < 0, "ReferenceMaxAgeNs must not be negative"},
		{in.AverageDailyVolume < 0, "AverageDailyVolume must not be negative; 0 is not known"},
		{in.Outstanding < 0, "Outstanding must not be negative; 0 is no such bound"},
		{in.MarginBps < 1, "MarginBps must be above 0; 10000 is what is paid in full"},
		{in.FeeBps < 0, "FeeBps must not be negative"},
		{in.OrdTypes == 0 || in.OrdTypes > allOrdTypes, "OrdTypes must name at least one, all known"},
		{in.TimesInForce == 0 || in.TimesInForce > allTimesInForce, "TimesInForce must name at least one, all known"},
		{in.Sides == 0 || in.Sides > allSides, "Sides must name at least one, all known"},
		{in.HighLimit != order.Null && in.LowLimit > in.HighLimit, "LowLimit is above HighLimit"}, // Null is below all
	} {
		if rule.broken {
			v.fail("instrument %d: %s", in.ID, rule.text)
		}
	}
	if i, ok := v.engine.instruments.get(idKey(uint64(in.ID))); ok {
		old := &v.engine.instrumentRows[i]
		if old.Multiplier != in.Multiplier || old.Currency != in.Currency || old.Class != in.Class {
			v.fail("instrument %d: multiplier %s, currency %s and class %d cannot change while the engine runs",
				in.ID, old.Multiplier, old.Currency, old.Class)
		}
	}
}
