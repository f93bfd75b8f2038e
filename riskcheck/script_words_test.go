package riskcheck_test

import (
	"fmt"
	"strconv"
	"strings"

	"tollgate/order"
	"tollgate/riskcheck"
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

// scope reads "firm", "account A", "account A/X" for one instrument or
// "account A%ES" for one class of instruments.
func (s *script) scope(p *phrase) order.Scope {
	kind, narrowed := cutNarrow(p.next("scope"))
	name := ""
	if kind != "firm" {
		name, narrowed = cutNarrow(p.next("name"))
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
	case "strategy":
		out = order.Scope{Type: order.ScopeStrategy, ID: p.named(kind, s.roll.strategies, name)}
	default:
		p.fail("scope %q, want firm, group, account, trader, session or strategy", kind)
	}
	if instrument, ok := strings.CutPrefix(narrowed, "/"); ok {
		out.Instrument = order.InstrumentID(p.named("instrument", s.roll.instruments, instrument))
	}
	if class, ok := strings.CutPrefix(narrowed, "%"); ok {
		out.Class = order.ClassID(p.named("class", s.roll.classes, class))
	}
	return out
}

// cutNarrow parts "A/X" and "A%ES" before the sign.
func cutNarrow(text string) (name, narrowed string) {
	if i := strings.IndexAny(text, "/%"); i >= 0 {
		return text[:i], text[i:]
	}
	return text, ""
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
	typeNames = map[string]order.OrdType{
		"market": order.OrdTypeMarket, "limit": order.OrdTypeLimit, "stop": order.OrdTypeStop,
		"stop-limit": order.OrdTypeStopLimit,
	}
	timeNames = map[string]order.TimeInForce{
		"day": order.TimeInForceDay, "gtc": order.TimeInForceGTC, "ioc": order.TimeInForceIOC,
		"fok": order.TimeInForceFOK, "gtd": order.TimeInForceGTD,
	}
	sourceNames = map[string]order.PriceSource{
		"last": order.PriceSourceLast, "mid": order.PriceSourceMid, "indicative": order.PriceSourceIndicative,
		"settlement": order.PriceSourceSettlement,
	}
	marketNames = map[string]order.MarketState{
		"open": order.MarketOpen, "pre-open": order.MarketPreOpen, "auction": order.MarketAuction,
		"halted": order.MarketHalted, "closed": order.MarketClosed,
	}
	actNames   = map[string]riskcheck.LimitAct{"reduce-only": riskcheck.ActReduceOnly, "kill": riskcheck.ActKill}
	latchWords = map[string]riskcheck.Latch{
		"late-truth": riskcheck.LatchLateTruth, "limit": riskcheck.LatchLimit,
		"implausible-position": riskcheck.LatchImplausiblePosition, "daily-loss": riskcheck.LatchLoss,
		"daily-loss-from-peak": riskcheck.LatchDrawdown, "repeated-execution": riskcheck.LatchRepeatedExecution,
		"consecutive-rejects": riskcheck.LatchConsecutiveRejects,
	}
	// limitWords are the values of limits that are no quantities.
	limitWords = map[riskcheck.LimitKind]map[string]int64{
		riskcheck.LimitPermission:   {"allow-only": permitAllowOnly, "deny": permitDeny},
		riskcheck.LimitPermitListed: {"buy": listedBuy, "sell": listedSell, "both": listedBuy | listedSell},
		riskcheck.LimitShortSelling: {
			"forbidden": riskcheck.ShortForbidden, "locate": riskcheck.ShortLocate, "free": order.Unlimited,
		},
		riskcheck.LimitSelfMatch: {
			"reject": riskcheck.SelfMatchReject, "cancel": riskcheck.SelfMatchCancel, "allow": order.Unlimited,
		},
	}
)

// limitValue reads a limit in the unit of its kind: quantities, prices and
// amounts as decimals, ratios as decimals with four places, windows in seconds.
func (p *phrase) limitValue(kind limitName, text string) int64 {
	if text == "unlimited" {
		return order.Unlimited
	}
	k := limitKinds[kind]
	if v, ok := limitWords[k][text]; ok {
		return v
	}
	switch k {
	case riskcheck.LimitMaxOrderQty, riskcheck.LimitPositionLong, riskcheck.LimitPositionShort:
		return int64(p.qty(text))
	case riskcheck.LimitCollarAbs:
		return int64(p.price(text))
	case riskcheck.LimitDuplicateWindow, riskcheck.LimitConsecutiveRejectsWindow:
		return p.duration(text)
	case riskcheck.LimitMaxOrderNotional, riskcheck.LimitOpenNotional, riskcheck.LimitGrossExposure,
		riskcheck.LimitNetExposure, riskcheck.LimitCreditLine, riskcheck.LimitTurnoverPerDay,
		riskcheck.LimitTurnoverPerMinute, riskcheck.LimitDailyLoss, riskcheck.LimitDailyLossFromPeak,
		riskcheck.LimitDailyLossKill, riskcheck.LimitBasketNotional, riskcheck.LimitOrderToTrade,
		riskcheck.LimitOrderToTradeVolume:
		return int64(p.money(text))
	}
	return int64(p.number(text))
}

func (p *phrase) money(text string) order.Money {
	m, err := order.ParseMoney(text)
	if err != nil {
		p.fail("amount: %w", err)
	}
	return m
}

// percent reads a whole number of percent such as 80%.
func (p *phrase) percent(text string) uint8 {
	digits, ok := strings.CutSuffix(text, "%")
	n, err := strconv.ParseUint(digits, 10, 8)
	if !ok || err != nil {
		p.fail("%q, want a percentage such as 80%%", text)
	}
	return uint8(n)
}
