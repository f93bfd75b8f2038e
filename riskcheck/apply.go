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
	if err := e.validateReference(ref); err != nil {
		return err
	}
	e.forgetKnown()
	if len(e.nodes) == 0 {
		e.firm = ref.Firm
		e.addNode(order.Scope{Type: order.ScopeFirm, ID: uint32(ref.Firm.ID)})
	}
	rows := len(ref.Groups) + len(ref.Accounts) + len(ref.Traders) + len(ref.Sessions) + len(ref.Instruments)
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
	for i := range ref.Instruments {
		e.applyInstrument(&ref.Instruments[i])
	}
	e.routeVersion++
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
	total := rows + len(e.nodes) + len(e.instrumentRows)
	for _, t := range [...]*table{&e.groups, &e.accounts, &e.traders, &e.sessions, &e.instruments} {
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
	e.nodes = append(e.nodes, node{scope: scope, second: window{limit: unstated}, minute: window{limit: unstated}})
	i := len(e.nodes) - 1
	e.nodes[i].limits.clear()
	return int32(i)
}

func (e *Engine) applyGroup(g *Group) {
	k := key{uint64(g.ID), 0}
	if _, ok := e.groups.get(k); !ok {
		n := e.addNode(order.Scope{Type: order.ScopeGroup, ID: uint32(g.ID)})
		e.groups.put(k, uint64(n))
	}
}

func (e *Engine) applyAccount(a *Account) {
	k := key{uint64(a.ID), 0}
	i, ok := e.accounts.get(k)
	if !ok {
		group, _ := e.groups.get(key{uint64(a.Group), 0})
		n := e.addNode(order.Scope{Type: order.ScopeAccount, ID: uint32(a.ID)})
		i = uint64(len(e.accountRows))
		e.accountRows = append(e.accountRows, accountRow{node: n, group: int32(group)})
		e.accounts.put(k, i)
	}
	e.accountRows[i].Account, e.accountRows[i].known = *a, true
}

func (e *Engine) applyTrader(t *Trader) {
	k := key{uint64(t.ID), 0}
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
	k := key{uint64(s.ID), 0}
	i, ok := e.sessions.get(k)
	if !ok {
		i = uint64(len(e.sessionRows))
		n := e.addNode(order.Scope{Type: order.ScopeSession, ID: uint32(s.ID)})
		none := trailing{window{limit: unstated}}
		e.sessionRows = append(e.sessionRows, sessionRow{
			stream: newStream(e.config.AnswersRetained), nextRef: 1, node: n, live: noIndex,
			attempts: none, cancels: none, cancelsCut: none,
		})
		e.sessions.put(k, i)
	}
	row := &e.sessionRows[i]
	row.Session, row.known = Session{ID: s.ID, Client: s.Client}, true
	for _, a := range s.Accounts {
		e.membership.put(memberKey(memberSessionAccount, uint32(s.ID), uint32(a)), 0)
	}
}

func (e *Engine) applyInstrument(in *Instrument) {
	k := key{uint64(in.ID), 0}
	i, ok := e.instruments.get(k)
	if !ok {
		i = uint64(len(e.instrumentRows))
		e.instrumentRows = append(e.instrumentRows, instrumentRow{firstCell: noIndex})
		e.instruments.put(k, i)
	}
	row := &e.instrumentRows[i]
	row.Instrument, row.known = *in, true
	e.remark(row)
}

// validateReference returns every problem of reference data at once, among
// them what may not change while orders and positions depend on it.
func (e *Engine) validateReference(ref *Reference) error {
	v := referenceCheck{engine: e, currency: ref.Firm.Currency, seen: make(map[order.Scope]bool)}
	if ref.Firm.ID == 0 {
		v.fail("firm: ID is 0, want 1 or more")
	}
	if ref.Firm.Currency == (Currency{}) {
		v.fail("firm %d: Currency is empty, want a code such as USD", ref.Firm.ID)
	}
	if len(e.nodes) > 0 && ref.Firm.ID != e.firm.ID {
		v.fail("firm %d: the engine belongs to firm %d", ref.Firm.ID, e.firm.ID)
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
	for i := range ref.Instruments {
		v.instrument(&ref.Instruments[i])
	}
	return errors.Join(v.errs...)
}

// referenceCheck collects the problems of reference data.
type referenceCheck struct {
	engine   *Engine
	currency Currency             // the firm's
	seen     map[order.Scope]bool // what was listed so far; instruments as ScopeNone
	errs     []error
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
	if a.Currency != v.currency {
		v.fail("account %d: Currency is %q, want the firm's, %q: there are no rates to add others up with",
			a.ID, a.Currency, v.currency)
	}
	if i, ok := v.engine.accounts.get(key{uint64(a.ID), 0}); ok {
		if old := &v.engine.accountRows[i]; old.Group != a.Group || old.Currency != a.Currency {
			v.fail("account %d: group %d and currency %s cannot change while the engine runs", a.ID, old.Group, old.Currency)
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
		{in.ReferenceMaxAgeNs < 0, "ReferenceMaxAgeNs must not be negative"},
		{in.OrdTypes == 0 || in.OrdTypes > allOrdTypes, "OrdTypes must name market or limit; there are no stop orders"},
		{in.TimesInForce == 0 || in.TimesInForce > allTimesInForce, "TimesInForce must name at least one, all known"},
		{in.Sides == 0 || in.Sides > allSides, "Sides must name at least one, all known"},
		{in.HighLimit != order.Null && in.LowLimit > in.HighLimit, "LowLimit is above HighLimit"}, // Null is below all
	} {
		if rule.broken {
			v.fail("instrument %d: %s", in.ID, rule.text)
		}
	}
	if i, ok := v.engine.instruments.get(key{uint64(in.ID), 0}); ok {
		old := &v.engine.instrumentRows[i]
		if old.Multiplier != in.Multiplier || old.Currency != in.Currency {
			v.fail("instrument %d: multiplier %s and currency %s cannot change while the engine runs",
				in.ID, old.Multiplier, old.Currency)
		}
	}
}
