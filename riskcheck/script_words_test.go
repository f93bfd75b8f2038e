package riskcheck_test

import (
	"fmt"
	"strconv"
	"strings"

	"tollgate/order"
)

// phrase is the words of a line; the reader takes what it understands, and
// what is left over is an error.
type phrase struct {
	words []string
	err   error
}

func newPhrase(words []string) *phrase { return &phrase{words: words} }

// next takes the first word.
func (p *phrase) next(what string) string {
	if len(p.words) == 0 {
		p.fail("%s is missing", what)
		return ""
	}
	w := p.words[0]
	p.words = p.words[1:]
	return w
}

func (p *phrase) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf(format, args...)
	}
}

// flag takes a word wherever it stands.
func (p *phrase) flag(word string) bool {
	for i, w := range p.words {
		if w == word {
			p.words = append(append([]string{}, p.words[:i]...), p.words[i+1:]...)
			return true
		}
	}
	return false
}

// value takes "key value" wherever it stands.
func (p *phrase) value(key string) (string, bool) {
	for i, w := range p.words {
		if w == key && i+1 < len(p.words) {
			v := p.words[i+1]
			p.words = append(append([]string{}, p.words[:i]...), p.words[i+2:]...)
			return v, true
		}
	}
	return "", false
}

// end returns the first error, or that words are left over.
func (p *phrase) end() error {
	if p.err == nil && len(p.words) > 0 {
		p.fail("do not understand %q", strings.Join(p.words, " "))
	}
	return p.err
}

func (p *phrase) qty(text string) order.Qty {
	if text == "unlimited" {
		return order.Unlimited
	}
	q, err := order.ParseQty(text)
	if err != nil {
		p.fail("quantity: %w", err)
	}
	return q
}

func (p *phrase) price(text string) order.Price {
	if text == "none" || text == "market" {
		return order.Null
	}
	v, err := order.ParsePrice(text)
	if err != nil {
		p.fail("price: %w", err)
	}
	return v
}

func (p *phrase) number(text string) uint64 {
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		p.fail("number: %w", err)
	}
	return n
}

// duration reads seconds such as 1.5s, in ns.
func (p *phrase) duration(text string) int64 {
	if text == "unlimited" {
		return order.Unlimited
	}
	digits, ok := strings.CutSuffix(text, "s")
	whole, part, _ := strings.Cut(digits, ".")
	if !ok || len(part) > 9 {
		p.fail("time %q, want seconds such as 1.5s", text)
		return 0
	}
	return int64(p.number(whole))*1e9 + int64(p.number((part + "000000000")[:9]))
}

// list reads names separated by commas.
func list(text string) []string { return strings.Split(text, ",") }

// named finds the identifier of a name; "#7" is the unknown identifier 7.
func (p *phrase) named(kind string, names map[string]uint32, name string) uint32 {
	if digits, ok := strings.CutPrefix(name, "#"); ok {
		return uint32(p.number(digits))
	}
	id, ok := names[name]
	if !ok {
		p.fail("no %s is named %q", kind, name)
	}
	return id
}

// give numbers a new name, or finds the number it has.
func give(names map[string]uint32, name string) uint32 {
	if id, ok := names[name]; ok {
		return id
	}
	names[name] = uint32(len(names)) + 1
	return names[name]
}

// scope reads "firm", "account A" or "account A/X".
func (s *script) scope(p *phrase) order.Scope {
	kind := p.next("scope")
	name, instrument, narrowed := "", "", false
	if kind, instrument, narrowed = strings.Cut(kind, "/"); kind != "firm" {
		name, instrument, narrowed = strings.Cut(p.next("name"), "/")
	}
	out := order.Scope{}
	switch kind {
	case "firm":
		out = order.Scope{Type: order.ScopeFirm, ID: s.described.firm}
	case "group":
		out = order.Scope{Type: order.ScopeGroup, ID: p.named(kind, s.roll.groups, name)}
	case "account":
		out = order.Scope{Type: order.ScopeAccount, ID: p.named(kind, s.roll.accounts, name)}
	case "trader":
		out = order.Scope{Type: order.ScopeTrader, ID: p.named(kind, s.roll.traders, name)}
	case "session":
		out = order.Scope{Type: order.ScopeSession, ID: p.named(kind, s.roll.sessions, name)}
	default:
		p.fail("scope %q, want firm, group, account, trader or session", kind)
	}
	if narrowed {
		out.Instrument = order.InstrumentID(p.named("instrument", s.roll.instruments, instrument))
	}
	return out
}

// code reads a code by its name or, for codes that have none, its character.
func code[T ~uint8](p *phrase, text string, known map[string]T) T {
	if c, ok := known[text]; ok {
		return c
	}
	if len(text) != 1 {
		p.fail("code %q is not known", text)
		return 0
	}
	return T(text[0])
}

var (
	sideNames = map[string]order.Side{
		"buy": order.SideBuy, "sell": order.SideSell, "sell-short": order.SideSellShort,
		"sell-short-exempt": order.SideSellShortExempt,
	}
	typeNames = map[string]order.OrdType{"market": order.OrdTypeMarket, "limit": order.OrdTypeLimit}
	timeNames = map[string]order.TimeInForce{
		"day": order.TimeInForceDay, "gtc": order.TimeInForceGTC, "ioc": order.TimeInForceIOC,
		"fok": order.TimeInForceFOK, "gtd": order.TimeInForceGTD,
	}
	sourceNames = map[string]order.PriceSource{
		"last": order.PriceSourceLast, "mid": order.PriceSourceMid, "indicative": order.PriceSourceIndicative,
		"settlement": order.PriceSourceSettlement,
	}
)

// limitValue reads a limit in the unit of its kind.
func (p *phrase) limitValue(kind limitName, text string) int64 {
	switch text {
	case "unlimited":
		return order.Unlimited
	case "allow-only":
		return permitAllowOnly
	case "deny":
		return permitDeny
	case "buy":
		return listedBuy
	case "sell":
		return listedSell
	case "both":
		return listedBuy | listedSell
	}
	switch kind {
	case limitMaxOrderQty, limitPositionLong, limitPositionShort:
		return int64(p.qty(text))
	case limitCollarAbs:
		return int64(p.price(text))
	case limitMaxOrderNotional, limitOpenNotional, limitGross, limitNet:
		m, err := order.ParseMoney(text)
		if err != nil {
			p.fail("amount: %w", err)
		}
		return int64(m)
	}
	return int64(p.number(text))
}
