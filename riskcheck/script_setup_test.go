package riskcheck_test

import (
	"tollgate/order"
)

// setups are the lines that describe the firm. They take effect together,
// before the next thing that happens.
var setups = map[string]func(*script, *phrase) error{
	"firm": (*script).firmLine, "group": (*script).groupLine, "account": (*script).accountLine,
	"trader": (*script).traderLine, "session": (*script).sessionSetup, "instrument": (*script).instrumentLine,
	"gone": (*script).goneLine, "strategy": (*script).strategyLine, "class": (*script).classLine,
	"calendar": (*script).calendarLine,
}

// put replaces the row with the same identifier, or adds it.
func put[T any](rows []T, row T, same func(a, b *T) bool) []T {
	out := append([]T{}, rows...)
	for i := range out {
		if same(&out[i], &row) {
			out[i] = row
			return out
		}
	}
	return append(out, row)
}

// firmLine: firm NAME CURRENCY [fx-age T]
func (s *script) firmLine(p *phrase) error {
	s.roll.firm, s.described.currency = p.next("name"), p.next("currency")
	if v, ok := p.value("fx-age"); ok {
		s.described.fxMaxAgeNs = p.duration(v)
	}
	return p.end()
}

// strategyLine: strategy NAME
func (s *script) strategyLine(p *phrase) error {
	id := order.StrategyID(give(s.roll.strategies, p.next("name")))
	s.described.strategies = put(s.described.strategies, id, func(a, b *order.StrategyID) bool { return *a == *b })
	return p.end()
}

// classLine: class NAME
func (s *script) classLine(p *phrase) error {
	id := order.ClassID(give(s.roll.classes, p.next("name")))
	s.described.classes = put(s.described.classes, id, func(a, b *order.ClassID) bool { return *a == *b })
	return p.end()
}

// calendarLine: calendar NAME gives a calendar a number; instruments name it.
func (s *script) calendarLine(p *phrase) error {
	give(s.roll.calendars, p.next("name"))
	return p.end()
}

// groupLine: group NAME
func (s *script) groupLine(p *phrase) error {
	id := order.GroupID(give(s.roll.groups, p.next("name")))
	s.described.groups = put(s.described.groups, id, func(a, b *order.GroupID) bool { return *a == *b })
	return p.end()
}

// accountLine: account NAME in GROUP [currency CURRENCY] [self-match NAME]
func (s *script) accountLine(p *phrase) error {
	row := accountRow{id: order.AccountID(give(s.roll.accounts, p.next("name"))), currency: s.described.currency}
	if group, ok := p.value("in"); ok {
		row.group = order.GroupID(p.named("group", s.roll.groups, group))
	}
	if currency, ok := p.value("currency"); ok {
		row.currency = currency
	}
	if name, ok := p.value("self-match"); ok {
		row.selfMatch = order.SelfMatchID(give(s.selfMatch, name))
	}
	s.described.accounts = put(s.described.accounts, row, func(a, b *accountRow) bool { return a.id == b.id })
	return p.end()
}

// goneLine: gone account NAME takes an account out of the reference data.
func (s *script) goneLine(p *phrase) error {
	p.flag("account")
	id := order.AccountID(p.named("account", s.roll.accounts, p.next("name")))
	w := &s.described
	w.accounts = without(w.accounts, func(a *accountRow) bool { return a.id == id })
	w.traders, w.sessions = append([]traderRow{}, w.traders...), append([]sessionRow{}, w.sessions...)
	for i := range w.traders {
		w.traders[i].accounts = without(w.traders[i].accounts, func(a *order.AccountID) bool { return *a == id })
	}
	for i := range w.sessions {
		w.sessions[i].accounts = without(w.sessions[i].accounts, func(a *order.AccountID) bool { return *a == id })
	}
	return p.end()
}

// without returns a list without some of its rows.
func without[T any](rows []T, gone func(*T) bool) []T {
	var out []T
	for i := range rows {
		if !gone(&rows[i]) {
			out = append(out, rows[i])
		}
	}
	return out
}

// accounts reads the names of accounts to the end of the line.
func (s *script) accounts(p *phrase) []order.AccountID {
	var out []order.AccountID
	for len(p.words) > 0 {
		out = append(out, order.AccountID(p.named("account", s.roll.accounts, p.next("account"))))
	}
	return out
}

// traderLine: trader NAME for ACCOUNT ...
func (s *script) traderLine(p *phrase) error {
	row := traderRow{id: order.TraderID(give(s.roll.traders, p.next("name")))}
	p.flag("for")
	row.accounts = s.accounts(p)
	s.described.traders = put(s.described.traders, row, func(a, b *traderRow) bool { return a.id == b.id })
	return p.end()
}

// sessionSetup: session NAME for ACCOUNT ...
func (s *script) sessionSetup(p *phrase) error {
	row := sessionRow{id: order.SessionID(give(s.roll.sessions, p.next("name")))}
	row.client = 10 + uint32(row.id)
	s.clients[row.id], s.refs[row.id] = row.client, max(1, s.refs[row.id])
	p.flag("for")
	row.accounts = s.accounts(p)
	s.described.sessions = put(s.described.sessions, row, func(a, b *sessionRow) bool { return a.id == b.id })
	return p.end()
}

// instrumentLine: instrument NAME [class C] [calendar C] [currency C] [tick P] [lot Q] [min Q] [max Q]
// [multiplier M] [settlement P] [low P] [high P] [age T] [adv Q] [outstanding Q] [margin-bps N] [fee-bps N]
// [types LIST] [times LIST] [sides LIST] [closed] [negative] [zero] [display] [replace-open]
// What a line does not say is as it is for an ordinary share.
func (s *script) instrumentLine(p *phrase) error {
	row := share(order.InstrumentID(give(s.roll.instruments, p.next("name"))))
	row.currency, row.settlement, row.maxAgeNs = s.described.currency, order.Null, order.Unlimited
	row.ordTypes = []order.OrdType{order.OrdTypeMarket, order.OrdTypeLimit, order.OrdTypeStop, order.OrdTypeStopLimit}
	if v, ok := p.value("currency"); ok {
		row.currency = v
	}
	if v, ok := p.value("class"); ok {
		row.class = order.ClassID(p.named("class", s.roll.classes, v))
	}
	if v, ok := p.value("calendar"); ok {
		row.calendar = order.CalendarID(p.named("calendar", s.roll.calendars, v))
	}
	if v, ok := p.value("age"); ok {
		row.maxAgeNs = p.duration(v)
	}
	instrumentNumbers(&row, p)
	row.tradable, row.negPrice, row.zeroPrice = !p.flag("closed"), p.flag("negative"), p.flag("zero")
	row.display, row.replaceOpen = p.flag("display"), p.flag("replace-open")
	row.ordTypes = codes(p, "types", typeNames, row.ordTypes)
	row.timesInForce = codes(p, "times", timeNames, row.timesInForce)
	row.sides = codes(p, "sides", sideNames, row.sides)
	s.described.instruments = put(s.described.instruments, row, func(a, b *instrumentRow) bool { return a.id == b.id })
	return p.end()
}

// instrumentNumbers reads what an instrument line says in numbers.
func instrumentNumbers(row *instrumentRow, p *phrase) {
	if v, ok := p.value("multiplier"); ok {
		m, err := order.ParseMultiplier(v)
		if err != nil {
			p.fail("multiplier: %w", err)
		}
		row.multiplier = m
	}
	for key, field := range map[string]*order.Qty{
		"lot": &row.lot, "min": &row.minQty, "max": &row.maxQty, "adv": &row.adv, "outstanding": &row.outstanding,
	} {
		if v, ok := p.value(key); ok {
			*field = p.qty(v)
		}
	}
	for key, field := range map[string]*order.Price{
		"tick": &row.tick, "settlement": &row.settlement, "low": &row.low, "high": &row.high,
	} {
		if v, ok := p.value(key); ok {
			*field = p.price(v)
		}
	}
	for key, field := range map[string]*int64{"margin-bps": &row.marginBps, "fee-bps": &row.feeBps} {
		if v, ok := p.value(key); ok {
			*field = int64(p.number(v))
		}
	}
}

// codes reads an optional list of codes.
func codes[T ~uint8](p *phrase, key string, known map[string]T, otherwise []T) []T {
	text, ok := p.value(key)
	if !ok {
		return otherwise
	}
	var out []T
	for _, word := range list(text) {
		out = append(out, code(p, word, known))
	}
	return out
}

// limitLine: limit SCOPE KIND VALUE [watch P%] [warn P%] [act reduce-only|kill] [until T then VALUE], where the
// value "none" takes a limit back.
func (s *script) limitLine(p *phrase) error {
	row := limitRow{scope: s.scope(p)}
	row.kind = limitName(p.next("kind"))
	if limitKinds[row.kind] == 0 {
		p.fail("no limit is named %q", row.kind)
	}
	text := p.next("value")
	if text == "none" {
		kept := []limitRow{}
		for _, r := range s.limitRows {
			if r.scope != row.scope || r.kind != row.kind {
				kept = append(kept, r)
			}
		}
		s.limitRows = kept
		return p.end()
	}
	row.value = p.limitValue(row.kind, text)
	s.rungs(&row, p)
	s.limitRows = put(s.limitRows, row, func(a, b *limitRow) bool { return a.scope == b.scope && a.kind == b.kind })
	return p.end()
}

// rungs reads what a limit line says beside its value.
func (s *script) rungs(row *limitRow, p *phrase) {
	for key, field := range map[string]*uint8{"watch": &row.watch, "warn": &row.warn} {
		if v, ok := p.value(key); ok {
			*field = p.percent(v)
		}
	}
	if v, ok := p.value("act"); ok {
		row.act = code(p, v, actNames)
	}
	if v, ok := p.value("until"); ok {
		row.until = dayStart + p.duration(v)
		then, _ := p.value("then")
		row.then = p.limitValue(row.kind, then)
	}
}
