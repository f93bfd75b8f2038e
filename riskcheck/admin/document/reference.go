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
	o := p.object(it, "firm", "groups", "accounts", "traders", "sessions", "instruments")
	p.require(o, "firm", "groups", "accounts", "traders", "sessions", "instruments")
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
		{"instruments", p.instrument},
	} {
		for _, entry := range p.list(o.field(section.field)) {
			section.entry(entry)
		}
	}
}

func (p *referenceParser) firm(it item) {
	o := p.object(it, "id", "name", "currency")
	p.require(o, "id", "name", "currency")
	id := p.identity(o, &p.ref.Names.scopes[order.ScopeFirm])
	p.ref.Data.Firm = riskcheck.Firm{ID: order.FirmID(id), Currency: p.currency(o.field("currency"))}
}

func (p *referenceParser) group(it item) {
	o := p.object(it, "id", "name")
	p.require(o, "id", "name")
	id := p.identity(o, &p.ref.Names.scopes[order.ScopeGroup])
	p.ref.Data.Groups = append(p.ref.Data.Groups, riskcheck.Group{ID: order.GroupID(id)})
}

func (p *referenceParser) account(it item) {
	o := p.object(it, "id", "name", "group", "currency")
	p.require(o, "id", "name", "group", "currency")
	id := p.identity(o, &p.ref.Names.scopes[order.ScopeAccount])
	p.ref.Data.Accounts = append(p.ref.Data.Accounts, riskcheck.Account{
		ID:       order.AccountID(id),
		Group:    order.GroupID(p.known(o.field("group"), order.ScopeGroup)),
		Currency: p.currency(o.field("currency")),
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

// known reads a name that must have been entered before.
func (p *referenceParser) known(it item, level order.ScopeType) uint32 {
	if !p.scalar(it, "the name of "+article(level)) {
		return 0
	}
	id, ok := p.ref.Names.scopes[level].ids[it.text()]
	if !ok {
		p.fail(it, "%s is %s, want the name of %s of this document", place(it), quoted(it.text()), article(level))
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

func article(level order.ScopeType) string {
	if level == order.ScopeAccount {
		return "an account"
	}
	return "a " + level.String()
}
