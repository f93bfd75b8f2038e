package document

import (
	"math"
	"strings"

	"tollgate/order"
	"tollgate/riskcheck"
)

// Reference is a reference document: the data for the engine and the names for
// people. It must not be changed after parsing.
type Reference struct {
	Metadata
	Data  riskcheck.Reference
	Names *Names
}

// ParseReference reads a reference document. file is what problems call it. The
// error is Problems.
func ParseReference(file string, text []byte) (*Reference, error) {
	p := &referenceParser{reader: reader{file: file}, ref: &Reference{Names: newNames()}}
	meta, spec := p.envelope(text, KindReference)
	p.ref.Metadata = meta
	if spec.given() {
		p.spec(spec)
	}
	if err := p.err(); err != nil {
		return nil, err
	}
	return p.ref, nil
}

// referenceParser fills one Reference.
type referenceParser struct {
	reader
	ref *Reference
}

func (p *referenceParser) spec(it item) {
	needed := []string{"firm", "groups", "accounts", "traders", "sessions", "instruments"}
	o := p.object(it, append(needed, "strategies", "classes", "calendars")...)
	p.require(o, needed...)
	if firm := o.field("firm"); firm.given() {
		p.firm(firm)
	}
	for _, section := range [...]struct {
		field string
		entry func(item)
	}{
		{"groups", p.group},
		{"accounts", p.account},
		{"traders", p.trader},
		{"sessions", p.session},
		{"strategies", p.strategy},
		{"classes", p.class},
		{"calendars", p.calendar},
		{"instruments", p.instrument},
	} {
		for _, entry := range p.list(o.field(section.field)) {
			section.entry(entry)
		}
	}
	if len(p.problems) == 0 {
		p.foreign(o.field("firm"))
	}
}

// foreign asks for the age of exchange rates where they are needed: at zero every
// rate counts as missing.
func (p *referenceParser) foreign(at item) {
	if p.ref.Data.Firm.FxMaxAgeNs != 0 {
		return
	}
	for i := range p.ref.Data.Accounts {
		a := &p.ref.Data.Accounts[i]
		name := p.ref.Names.ScopeName(order.Scope{Type: order.ScopeAccount, ID: uint32(a.ID)})
		if p.needsRate(at, "account "+name, a.Currency) {
			return
		}
	}
	for i := range p.ref.Data.Instruments {
		in := &p.ref.Data.Instruments[i]
		if p.needsRate(at, "instrument "+p.ref.Names.InstrumentName(in.ID), in.Currency) {
			return
		}
	}
}

// needsRate records that something is in another currency than the firm.
func (p *referenceParser) needsRate(at item, what string, currency riskcheck.Currency) bool {
	own := p.ref.Data.Firm.Currency
	if currency != own {
		p.fail(at, "fxMaxAge is missing or zero in %s: %s is in %s and the firm in %s", place(at), what, currency, own)
	}
	return currency != own
}

func (p *referenceParser) firm(it item) {
	o := p.object(it, "id", "name", "currency", "fxMaxAge")
	p.require(o, "id", "name", "currency")
	id := p.identity(o, &p.ref.Names.scopes[order.ScopeFirm])
	p.ref.Data.Firm = riskcheck.Firm{
		ID: order.FirmID(id), Currency: p.currency(o.field("currency")), FxMaxAgeNs: p.age(o.field("fxMaxAge")),
	}
}

func (p *referenceParser) group(it item) {
	id := p.plainEntry(it, &p.ref.Names.scopes[order.ScopeGroup])
	p.ref.Data.Groups = append(p.ref.Data.Groups, riskcheck.Group{ID: order.GroupID(id)})
}

func (p *referenceParser) account(it item) {
	o := p.object(it, "id", "name", "group", "currency", "selfMatch")
	p.require(o, "id", "name", "group", "currency")
	id := p.identity(o, &p.ref.Names.scopes[order.ScopeAccount])
	p.ref.Data.Accounts = append(p.ref.Data.Accounts, riskcheck.Account{
		ID:       order.AccountID(id),
		Group:    order.GroupID(p.known(o.field("group"), order.ScopeGroup)),
		Currency: p.currency(o.field("currency")),
		// FIX SelfMatchPreventionID, tag 2362: a number, not a name.
		SelfMatch: order.SelfMatchID(p.number(o.field("selfMatch"), 0, math.MaxUint32)),
	})
}

func (p *referenceParser) trader(it item) {
	o := p.object(it, "id", "name", "accounts")
	p.require(o, "id", "name", "accounts")
	id := p.identity(o, &p.ref.Names.scopes[order.ScopeTrader])
	accounts := p.accounts(o.field("accounts"))
	p.ref.Data.Traders = append(p.ref.Data.Traders, riskcheck.Trader{ID: order.TraderID(id), Accounts: accounts})
}

func (p *referenceParser) session(it item) {
	o := p.object(it, "id", "name", "client", "accounts")
	p.require(o, "id", "name", "client", "accounts")
	id := p.identity(o, &p.ref.Names.scopes[order.ScopeSession])
	p.ref.Data.Sessions = append(p.ref.Data.Sessions, riskcheck.Session{
		ID:       order.SessionID(id),
		Client:   uint32(p.number(o.field("client"), 1, math.MaxUint32)),
		Accounts: p.accounts(o.field("accounts")),
	})
}

func (p *referenceParser) strategy(it item) {
	id := p.plainEntry(it, &p.ref.Names.scopes[order.ScopeStrategy])
	p.ref.Data.Strategies = append(p.ref.Data.Strategies, riskcheck.Strategy{ID: order.StrategyID(id)})
}

func (p *referenceParser) class(it item) {
	id := p.plainEntry(it, &p.ref.Names.classes)
	p.ref.Data.Classes = append(p.ref.Data.Classes, riskcheck.Class{ID: order.ClassID(id)})
}

// calendar reads the name of a calendar; the engine knows the number alone.
func (p *referenceParser) calendar(it item) { p.plainEntry(it, &p.ref.Names.calendars) }

// plainEntry reads an entry that is nothing but a number and a name.
func (p *referenceParser) plainEntry(it item, space *index) uint32 {
	o := p.object(it, "id", "name")
	p.require(o, "id", "name")
	return p.identity(o, space)
}

// identity reads id and name of an entry and enters them in its name space.
func (p *referenceParser) identity(o object, space *index) uint32 {
	id := uint32(p.number(o.field("id"), 1, math.MaxUint32))
	name := p.name(o.field("name"))
	if holder, taken := space.names[id]; taken {
		p.fail(o.field("id"), "%s is %d, which %s has already", o.at("id"), id, holder)
		return id
	}
	if _, taken := space.ids[name]; taken {
		p.fail(o.field("name"), "%s is %s, a name that is taken already", o.at("name"), quoted(name))
		return id
	}
	if id != 0 && name != "" {
		space.add(name, id)
	}
	return id
}

// known reads the name of a scope that must have been entered before.
func (p *referenceParser) known(it item, level order.ScopeType) uint32 {
	return p.member(it, level.String(), &p.ref.Names.scopes[level])
}

// member reads a name that must have been entered before; zero if none is given.
func (p *referenceParser) member(it item, what string, space *index) uint32 {
	if !p.scalar(it, "the name of "+article(what)) {
		return 0
	}
	id, ok := space.ids[it.text()]
	if !ok {
		p.fail(it, "%s is %s, want the name of %s of this document", place(it), quoted(it.text()), article(what))
	}
	return id
}

// accounts reads a list of account names.
func (p *referenceParser) accounts(it item) []order.AccountID {
	var ids []order.AccountID
	seen := map[uint32]bool{}
	for _, entry := range p.list(it) {
		id := p.known(entry, order.ScopeAccount)
		if id != 0 && seen[id] {
			p.fail(entry, "%s is %s, which is in the list already", place(entry), quoted(entry.text()))
			continue
		}
		seen[id] = true
		ids = append(ids, order.AccountID(id))
	}
	return ids
}

// currency reads a currency code.
func (p *referenceParser) currency(it item) riskcheck.Currency {
	const want = "a code of three or four capital letters such as USD"
	if !p.scalar(it, want) {
		return riskcheck.Currency{}
	}
	text := it.text()
	if len(text) < 3 || len(text) > 4 || strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
		p.fail(it, "%s is %s, want %s", place(it), quoted(text), want)
	}
	return riskcheck.CurrencyOf(text)
}

// article puts the article before a noun.
func article(what string) string {
	if strings.ContainsRune("aeiou", rune(what[0])) {
		return "an " + what
	}
	return "a " + what
}
