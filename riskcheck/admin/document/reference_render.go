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
		", currency: " + firm.Currency.String())
	if firm.FxMaxAgeNs != 0 {
		w.WriteString(", fxMaxAge: " + formatAge(firm.FxMaxAgeNs))
	}
	w.WriteString("}\n")
	section(w, "groups", r.Data.Groups, w.group)
	section(w, "accounts", r.Data.Accounts, w.account)
	section(w, "traders", r.Data.Traders, w.trader)
	section(w, "sessions", r.Data.Sessions, w.session)
	if len(r.Data.Strategies) > 0 {
		section(w, "strategies", r.Data.Strategies, w.strategy)
	}
	if len(r.Data.Classes) > 0 {
		section(w, "classes", r.Data.Classes, w.class)
	}
	if calendars := r.Names.Calendars(); len(calendars) > 0 {
		section(w, "calendars", calendars, w.calendar)
	}
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
	w.openNamed(id, w.names.ScopeName(order.Scope{Type: level, ID: id}))
}

func (w *referenceWriter) openNamed(id uint32, name string) {
	w.WriteString("    - {id: " + itoa(uint64(id)) + ", name: " + plainName(name))
}

func (w *referenceWriter) group(g *riskcheck.Group) {
	w.open(order.ScopeGroup, uint32(g.ID))
	w.WriteString("}\n")
}

func (w *referenceWriter) strategy(s *riskcheck.Strategy) {
	w.open(order.ScopeStrategy, uint32(s.ID))
	w.WriteString("}\n")
}

func (w *referenceWriter) class(c *riskcheck.Class) {
	w.openNamed(uint32(c.ID), w.names.ClassName(c.ID))
	w.WriteString("}\n")
}

func (w *referenceWriter) calendar(id *order.CalendarID) {
	w.openNamed(uint32(*id), w.names.CalendarName(*id))
	w.WriteString("}\n")
}

func (w *referenceWriter) account(a *riskcheck.Account) {
	w.open(order.ScopeAccount, uint32(a.ID))
	group := w.names.ScopeName(order.Scope{Type: order.ScopeGroup, ID: uint32(a.Group)})
	w.WriteString(", group: " + plainName(group) + ", currency: " + a.Currency.String())
	if a.SelfMatch != 0 {
		w.WriteString(", selfMatch: " + itoa(uint64(a.SelfMatch)))
	}
	w.WriteString("}\n")
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
	w.named("class", w.names.ClassName(i.Class))
	w.named("calendar", w.names.CalendarName(i.Calendar))
	w.line("currency", i.Currency.String())
	w.line("tick", i.Tick.String())
	w.line("lot", i.Lot.String())
	w.line("minQty", i.MinQty.String())
	w.line("maxQty", formatValue(unitQty, int64(i.MaxQty)))
	w.line("multiplier", i.Multiplier.String())
	w.price("settlement", i.Settlement)
	w.price("lowLimit", i.LowLimit)
	w.price("highLimit", i.HighLimit)
	w.qty("averageDailyVolume", i.AverageDailyVolume)
	w.qty("outstanding", i.Outstanding)
	w.line("margin", FormatShare(i.MarginBps))
	if i.FeeBps != 0 {
		w.line("fee", FormatShare(i.FeeBps))
	}
	w.line("referenceMaxAge", formatAge(i.ReferenceMaxAgeNs))
	w.line("tradable", strconv.FormatBool(i.Tradable))
	w.flag("allowZeroPrice", i.AllowZeroPrice)
	w.flag("allowNegativePrice", i.AllowNegativePrice)
	w.flag("displayQty", i.AllowDisplayQty)
	if i.ReplaceOpenQty {
		w.line("replaceQty", replaceOpen)
	}
	w.line("orderTypes", flowList(codeNames(orderTypes, i.OrdTypes)))
	w.line("timesInForce", flowList(codeNames(timesInForce, i.TimesInForce)))
	w.line("sides", flowList(codeNames(sides, i.Sides)))
}

// named writes a name that may be absent.
func (w *referenceWriter) named(field, name string) {
	if name != "" {
		w.line(field, plainName(name))
	}
}

// qty writes a quantity that may be absent.
func (w *referenceWriter) qty(field string, v order.Qty) {
	if v != 0 {
		w.line(field, v.String())
	}
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

// FormatAge writes the age at which a price or a rate counts as missing.
func FormatAge(ns int64) string { return formatAge(ns) }

// FormatShare writes a part of a value: whole percents as such, others in
// hundredths.
func FormatShare(bps int64) string {
	if bps != 0 && bps%100 == 0 {
		return strconv.FormatInt(bps/100, 10) + "%"
	}
	return strconv.FormatInt(bps, 10) + "bps"
}

// ReplaceQtyName returns what a venue takes the quantity of a replace for, as
// documents write it.
func ReplaceQtyName(open bool) string {
	if open {
		return replaceOpen
	}
	return replaceTotal
}
