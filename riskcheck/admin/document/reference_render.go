package document

import (
	"strconv"
	"strings"

	"tollgate/order"
	"tollgate/riskcheck"
)

// Render writes the document in its canonical form. ParseReference reads it
// back to the same data.
func (r *Reference) Render() []byte {
	w := &referenceWriter{names: r.Names}
	header(&w.Builder, KindReference, r.Metadata)
	firm := &r.Data.Firm
	w.WriteString("  firm: {id: " + itoa(uint64(firm.ID)) + ", name: " + plainName(r.Names.FirmName()) +
		", currency: " + firm.Currency.String() + "}\n")
	section(w, "groups", r.Data.Groups, w.group)
	section(w, "accounts", r.Data.Accounts, w.account)
	section(w, "traders", r.Data.Traders, w.trader)
	section(w, "sessions", r.Data.Sessions, w.session)
	section(w, "instruments", r.Data.Instruments, w.instrument)
	return []byte(w.String())
}

// referenceWriter writes one document.
type referenceWriter struct {
	strings.Builder
	names *Names
}

// section writes one list of the spec.
func section[E any](w *referenceWriter, title string, entries []E, write func(*E)) {
	if len(entries) == 0 {
		w.WriteString("  " + title + ": []\n")
		return
	}
	w.WriteString("  " + title + ":\n")
	for i := range entries {
		write(&entries[i])
	}
}

// open begins an entry that is written in one line.
func (w *referenceWriter) open(level order.ScopeType, id uint32) {
	name := w.names.ScopeName(order.Scope{Type: level, ID: id})
	w.WriteString("    - {id: " + itoa(uint64(id)) + ", name: " + plainName(name))
}

func (w *referenceWriter) group(g *riskcheck.Group) {
	w.open(order.ScopeGroup, uint32(g.ID))
	w.WriteString("}\n")
}

func (w *referenceWriter) account(a *riskcheck.Account) {
	w.open(order.ScopeAccount, uint32(a.ID))
	group := w.names.ScopeName(order.Scope{Type: order.ScopeGroup, ID: uint32(a.Group)})
	w.WriteString(", group: " + plainName(group) + ", currency: " + a.Currency.String() + "}\n")
}

func (w *referenceWriter) trader(t *riskcheck.Trader) {
	w.open(order.ScopeTrader, uint32(t.ID))
	w.WriteString(", accounts: " + w.accounts(t.Accounts) + "}\n")
}

func (w *referenceWriter) session(s *riskcheck.Session) {
	w.open(order.ScopeSession, uint32(s.ID))
	w.WriteString(", client: " + itoa(uint64(s.Client)) + ", accounts: " + w.accounts(s.Accounts) + "}\n")
}

// accounts writes a list of account names.
func (w *referenceWriter) accounts(ids []order.AccountID) string {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = w.names.ScopeName(order.Scope{Type: order.ScopeAccount, ID: uint32(id)})
	}
	return flowList(names)
}

func (w *referenceWriter) instrument(i *riskcheck.Instrument) {
	w.WriteString("    - id: " + itoa(uint64(i.ID)) + "\n")
	w.line("name", plainName(w.names.InstrumentName(i.ID)))
	w.line("currency", i.Currency.String())
	w.line("tick", i.Tick.String())
	w.line("lot", i.Lot.String())
	w.line("minQty", i.MinQty.String())
	w.line("maxQty", formatValue(unitQty, int64(i.MaxQty)))
	w.line("multiplier", i.Multiplier.String())
	w.price("settlement", i.Settlement)
	w.price("lowLimit", i.LowLimit)
	w.price("highLimit", i.HighLimit)
	w.line("referenceMaxAge", formatAge(i.ReferenceMaxAgeNs))
	w.line("tradable", strconv.FormatBool(i.Tradable))
	w.flag("allowZeroPrice", i.AllowZeroPrice)
	w.flag("allowNegativePrice", i.AllowNegativePrice)
	w.line("orderTypes", flowList(codeNames(orderTypes, i.OrdTypes)))
	w.line("timesInForce", flowList(codeNames(timesInForce, i.TimesInForce)))
	w.line("sides", flowList(codeNames(sides, i.Sides)))
}

func (w *referenceWriter) line(field, value string) {
	w.WriteString("      " + field + ": " + value + "\n")
}

// price writes a price that may be absent.
func (w *referenceWriter) price(field string, v order.Price) {
	if v != order.Null {
		w.line(field, v.String())
	}
}

// flag writes a permission that is off unless written.
func (w *referenceWriter) flag(field string, on bool) {
	if on {
		w.line(field, "true")
	}
}

// flowList writes names in one line.
func flowList(names []string) string {
	quotedNames := make([]string, len(names))
	for i, name := range names {
		quotedNames[i] = plainName(name)
	}
	return "[" + strings.Join(quotedNames, ", ") + "]"
}

// plainName writes a name so that every YAML reader takes it for text.
func plainName(name string) string {
	lower := strings.ToLower(name)
	switch lower {
	case "", "y", "n", "yes", "no", "on", "off", "true", "false", "null":
		return strconv.Quote(name)
	}
	if lower[0] < 'a' || lower[0] > 'z' {
		return strconv.Quote(name)
	}
	return name
}

// OrderTypeNames returns the order types of an instrument as documents write
// them.
func OrderTypeNames(set riskcheck.OrdTypes) []string { return codeNames(orderTypes, set) }

// TimeInForceNames returns the times in force of an instrument as documents
// write them.
func TimeInForceNames(set riskcheck.TimesInForce) []string { return codeNames(timesInForce, set) }

// SideNames returns the sides of an instrument as documents write them.
func SideNames(set riskcheck.Sides) []string { return codeNames(sides, set) }

// FormatAge writes the age at which a reference price counts as missing.
func FormatAge(ns int64) string { return formatAge(ns) }
