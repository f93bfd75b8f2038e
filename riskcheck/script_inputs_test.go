package riskcheck_test

import (
	"tollgate/order"
)

// took prints what an input led to, or that it was refused.
func (s *script) took(accepted bool) {
	if !accepted {
		s.say("refused")
	}
	s.tellAny()
}

func (s *script) accountNamed(p *phrase, name string) order.AccountID {
	return order.AccountID(p.named("account", s.roll.accounts, name))
}

// cashLine: cash ACCOUNT AMOUNT
func (s *script) cashLine(p *phrase) error {
	account := s.accountNamed(p, p.next("account"))
	amount := p.money(p.next("amount"))
	if err := p.end(); err != nil {
		return err
	}
	s.took(s.cash(account, amount))
	return nil
}

// positionLine: position ACCOUNT INSTRUMENT QTY says what the account holds.
func (s *script) positionLine(p *phrase) error {
	account, instrument := s.accountNamed(p, p.next("account")), s.instrumentNamed(p, p.next("instrument"))
	qty := p.qty(p.next("quantity"))
	if err := p.end(); err != nil {
		return err
	}
	s.took(s.position(account, instrument, qty))
	return nil
}

// locateLine: locate ACCOUNT INSTRUMENT QTY says how much may be sold short.
func (s *script) locateLine(p *phrase) error {
	account, instrument := s.accountNamed(p, p.next("account")), s.instrumentNamed(p, p.next("instrument"))
	qty := p.qty(p.next("quantity"))
	if err := p.end(); err != nil {
		return err
	}
	s.took(s.locate(account, instrument, qty))
	return nil
}

// fxLine: fx CURRENCY RATE [seen T], in the firm's currency for one of it.
func (s *script) fxLine(p *phrase) error {
	currency, seen := p.next("currency"), s.now
	rate, err := order.ParseFxRate(p.next("rate"))
	if err != nil {
		p.fail("rate: %w", err)
	}
	if v, ok := p.value("seen"); ok {
		seen = dayStart + p.duration(v)
	}
	if err := p.end(); err != nil {
		return err
	}
	s.took(s.fxRate(currency, rate, seen))
	return nil
}

// marketLine: market INSTRUMENT STATE [short-restricted]
func (s *script) marketLine(p *phrase) error {
	instrument := s.instrumentNamed(p, p.next("instrument"))
	state := code(p, p.next("state"), marketNames)
	short := p.flag("short-restricted")
	if err := p.end(); err != nil {
		return err
	}
	s.took(s.marketState(instrument, state, short))
	return nil
}

// rollLine: roll DAY | roll calendar NAME DAY
func (s *script) rollLine(p *phrase) error {
	calendar, one := p.value("calendar")
	day := uint32(p.number(p.next("day")))
	id := order.CalendarID(0)
	if one {
		id = order.CalendarID(p.named("calendar", s.roll.calendars, calendar))
	}
	if err := p.end(); err != nil {
		return err
	}
	if one {
		s.took(s.rollCalendar(id, day))
	} else {
		s.took(s.rollDay(day))
	}
	return nil
}

// releaseLine: release SCOPE LATCH
func (s *script) releaseLine(p *phrase) error {
	scope, latch := s.scope(p), code(p, p.next("latch"), latchWords)
	if err := p.end(); err != nil {
		return err
	}
	s.took(s.release(scope, latch))
	return nil
}
