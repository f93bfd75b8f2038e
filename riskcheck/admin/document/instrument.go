package document

import (
	"slices"
	"strings"

	"tollgate/order"
	"tollgate/riskcheck"
)

// code is one member of a set as documents write it.
type code[S ~uint8] struct {
	name string
	bit  S
}

// The sets of an instrument, in the order they are written.
var (
	orderTypes = []code[riskcheck.OrdTypes]{
		{"market", riskcheck.AllowMarket},
		{"limit", riskcheck.AllowLimit},
		{"stop", riskcheck.AllowStop},
		{"stop-limit", riskcheck.AllowStopLimit},
	}
	timesInForce = []code[riskcheck.TimesInForce]{
		{"day", riskcheck.AllowDay},
		{"gtc", riskcheck.AllowGTC},
		{"ioc", riskcheck.AllowIOC},
		{"fok", riskcheck.AllowFOK},
		{"gtd", riskcheck.AllowGTD},
	}
	sides = []code[riskcheck.Sides]{
		{"buy", riskcheck.AllowBuy},
		{"sell", riskcheck.AllowSell},
		{"sell-short", riskcheck.AllowSellShort},
		{"sell-short-exempt", riskcheck.AllowSellShortExempt},
	}
)

// codeNames returns the names of the members of a set.
func codeNames[S ~uint8](codes []code[S], set S) []string {
	var names []string
	for _, c := range codes {
		if set&c.bit != 0 {
			names = append(names, c.name)
		}
	}
	return names
}

// codeSet reads a list of members.
func codeSet[S ~uint8](r *reader, it item, codes []code[S]) S {
	var set S
	for _, entry := range r.list(it) {
		bit := codeBit(r, entry, codes)
		if set&bit != 0 {
			r.fail(entry, "%s is %s, which is in the list already", place(entry), quoted(entry.text()))
		}
		set |= bit
	}
	return set
}

func codeBit[S ~uint8](r *reader, it item, codes []code[S]) S {
	want := "one of: " + strings.Join(codeNames(codes, ^S(0)), ", ")
	if !r.scalar(it, want) {
		return 0
	}
	for _, c := range codes {
		if c.name == it.text() {
			return c.bit
		}
	}
	r.fail(it, "%s is %s, want %s", place(it), quoted(it.text()), want)
	return 0
}

var instrumentRequired = []string{
	"id", "name", "currency", "tick", "lot", "minQty", "maxQty", "multiplier", "referenceMaxAge", "tradable",
	"orderTypes", "timesInForce", "sides",
}

var instrumentOptional = []string{
	"class", "calendar", "settlement", "lowLimit", "highLimit", "averageDailyVolume", "outstanding", "margin", "fee",
	"allowZeroPrice", "allowNegativePrice", "displayQty", "replaceQty",
}

func (p *referenceParser) instrument(it item) {
	o := p.object(it, slices.Concat(instrumentRequired, instrumentOptional)...)
	p.require(o, instrumentRequired...)
	instrument := riskcheck.Instrument{
		ID:                 order.InstrumentID(p.identity(o, &p.ref.Names.instruments)),
		Currency:           p.currency(o.field("currency")),
		Tick:               p.price(o.field("tick"), 0),
		Lot:                p.qty(o.field("lot"), 1),
		MinQty:             p.qty(o.field("minQty"), 0),
		MaxQty:             p.maxQty(o.field("maxQty")),
		Multiplier:         p.multiplier(o.field("multiplier")),
		Class:              order.ClassID(p.member(o.field("class"), "class", &p.ref.Names.classes)),
		Calendar:           order.CalendarID(p.member(o.field("calendar"), "calendar", &p.ref.Names.calendars)),
		Settlement:         p.price(o.field("settlement"), order.Null),
		LowLimit:           p.price(o.field("lowLimit"), order.Null),
		HighLimit:          p.price(o.field("highLimit"), order.Null),
		ReferenceMaxAgeNs:  p.age(o.field("referenceMaxAge")),
		AverageDailyVolume: p.qty(o.field("averageDailyVolume"), 0),
		Outstanding:        p.qty(o.field("outstanding"), 0),
		MarginBps:          p.share(o.field("margin"), marginDefault, 1),
		FeeBps:             p.share(o.field("fee"), 0, 0),
		Tradable:           p.boolean(o.field("tradable")),
		AllowZeroPrice:     p.boolean(o.field("allowZeroPrice")),
		AllowNegativePrice: p.boolean(o.field("allowNegativePrice")),
		AllowDisplayQty:    p.boolean(o.field("displayQty")),
		ReplaceOpenQty:     p.replaceQty(o.field("replaceQty")),
		OrdTypes:           codeSet(&p.reader, o.field("orderTypes"), orderTypes),
		TimesInForce:       codeSet(&p.reader, o.field("timesInForce"), timesInForce),
		Sides:              codeSet(&p.reader, o.field("sides"), sides),
	}
	p.instrumentBounds(o, &instrument)
	p.ref.Data.Instruments = append(p.ref.Data.Instruments, instrument)
}

// instrumentBounds judges fields that only make sense together.
func (p *referenceParser) instrumentBounds(o object, i *riskcheck.Instrument) {
	if o.field("tick").given() && i.Tick <= 0 {
		p.fail(o.field("tick"), "%s is %s, want a price above zero", o.at("tick"), i.Tick)
	}
	if o.field("maxQty").given() && o.field("minQty").given() && i.MaxQty < i.MinQty {
		p.fail(o.field("maxQty"), "%s is %s, want at least minQty, which is %s", o.at("maxQty"), i.MaxQty, i.MinQty)
	}
	if i.LowLimit != order.Null && i.HighLimit != order.Null && i.HighLimit < i.LowLimit {
		p.fail(o.field("highLimit"), "%s is %s, want at least lowLimit, which is %s",
			o.at("highLimit"), i.HighLimit, i.LowLimit)
	}
}

// price reads a price; absent is what is returned for a field that is not
// given.
func (p *referenceParser) price(it item, absent order.Price) order.Price {
	const want = "a price such as 10.25 with at most 8 decimals"
	if !p.scalar(it, want) {
		return absent
	}
	v, err := order.ParsePrice(it.text())
	if err != nil {
		p.fail(it, "%s is %s, want %s", place(it), quoted(it.text()), want)
		return absent
	}
	return v
}

// qty reads a quantity of at least least units of 10⁻⁸.
func (p *referenceParser) qty(it item, least order.Qty) order.Qty {
	want := "a quantity such as 100 or 0.001 with at most 8 decimals, not below " + least.String()
	if !p.scalar(it, want) {
		return least
	}
	v, err := order.ParseQty(it.text())
	if err != nil || v < least {
		p.fail(it, "%s is %s, want %s", place(it), quoted(it.text()), want)
		return least
	}
	return v
}

// maxQty reads a quantity above zero or unlimited.
func (p *referenceParser) maxQty(it item) order.Qty {
	if it.given() && it.text() == unlimited {
		return order.Unlimited
	}
	return p.qty(it, 1)
}

func (p *referenceParser) multiplier(it item) order.Multiplier {
	const want = "a multiplier above zero such as 1 or 50 with at most 4 decimals"
	if !p.scalar(it, want) {
		return order.MultiplierOne
	}
	v, err := order.ParseMultiplier(it.text())
	if err != nil || v <= 0 {
		p.fail(it, "%s is %s, want %s", place(it), quoted(it.text()), want)
	}
	return v
}

// marginDefault is the margin of an instrument that does not state one: it is
// paid in full.
const marginDefault = 10_000

// share reads a part of a value in 1/10,000, of at least least.
func (p *referenceParser) share(it item, absent, least int64) int64 {
	want := "a part of the value such as 12.5% or 2bps, not below " + FormatShare(least)
	if !p.scalar(it, want) {
		return absent
	}
	v, err := parseBps(it.text())
	if err != nil || v < least {
		p.fail(it, "%s is %s, want %s", place(it), quoted(it.text()), want)
	}
	return v
}

// What a venue takes the quantity of a replace for.
const (
	replaceTotal = "total"
	replaceOpen  = "open"
)

// replaceQty reports whether the quantity of a replace is what is to be open.
func (p *referenceParser) replaceQty(it item) bool {
	const want = replaceTotal + " or " + replaceOpen
	if !p.scalar(it, want) {
		return false
	}
	if it.text() != replaceTotal && it.text() != replaceOpen {
		p.fail(it, "%s is %s, want %s", place(it), quoted(it.text()), want)
	}
	return it.text() == replaceOpen
}

func (p *referenceParser) age(it item) int64 {
	const want = "a duration such as 500ms or 5s, or unlimited"
	if !p.scalar(it, want) {
		return 0
	}
	v, err := parseAge(it.text())
	if err != nil {
		p.fail(it, "%s is %s, want %s", place(it), quoted(it.text()), want)
	}
	return v
}
