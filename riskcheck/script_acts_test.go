package riskcheck_test

import (
	"fmt"

	"tollgate/order"
)

// acts are the lines in which something happens.
var acts = map[string]func(*script, *phrase) error{
	"time": (*script).timeLine, "tick": (*script).tickLine, "price": (*script).priceLine,
	"login": (*script).loginLine, "disconnect": (*script).disconnectLine, "kill": (*script).killLine,
	"unkill": (*script).unkillLine, "venue": (*script).linkLine, "venue:": (*script).venueLine,
	"usage": (*script).usageLine, "answers": (*script).answersLine,
}

// timeLine: time 5s sets the clock, time +5s moves it on.
func (s *script) timeLine(p *phrase) error {
	text := p.next("time")
	if len(text) > 0 && text[0] == '+' {
		s.now += p.duration(text[1:])
		return p.end()
	}
	s.now = dayStart + p.duration(text)
	return p.end()
}

func (s *script) tickLine(p *phrase) error {
	s.tick()
	s.tell()
	return p.end()
}

// priceLine: price INSTRUMENT SOURCE PRICE [seen T]
func (s *script) priceLine(p *phrase) error {
	row := order.ReferencePrice{Time: s.now, Instrument: s.instrumentNamed(p, p.next("instrument"))}
	row.Source = code(p, p.next("source"), sourceNames)
	row.Price = p.price(p.next("price"))
	if v, ok := p.value("seen"); ok {
		row.Time = dayStart + p.duration(v)
	}
	s.price(&row)
	return p.end()
}

func (s *script) sessionNamed(p *phrase, name string) order.SessionID {
	return order.SessionID(p.named("session", s.roll.sessions, name))
}

func (s *script) instrumentNamed(p *phrase, name string) order.InstrumentID {
	return order.InstrumentID(p.named("instrument", s.roll.instruments, name))
}

// loginLine: login SESSION [client N] [from OUTSEQ] [window T]
func (s *script) loginLine(p *phrase) error {
	id := s.sessionNamed(p, p.next("session"))
	client, want, window := s.clients[id], uint64(1), int64(0)
	if v, ok := p.value("client"); ok {
		client = uint32(p.number(v))
	}
	if v, ok := p.value("from"); ok {
		want = p.number(v)
	}
	if v, ok := p.value("window"); ok {
		window = p.duration(v)
	}
	w := s.login(id, client, want, window)
	if !w.ok {
		s.say("%s is not let in", s.roll.session(id))
		return p.end()
	}
	s.links[id] = w.connection
	s.say("%s is connected: next ref %d, next answer %d", s.roll.session(id), w.nextRef, w.nextOutSeq)
	return p.end()
}

// disconnectLine: disconnect SESSION [connection N]
func (s *script) disconnectLine(p *phrase) error {
	id := s.sessionNamed(p, p.next("session"))
	c := s.links[id]
	if v, ok := p.value("connection"); ok {
		c = order.ConnectionID(p.number(v))
	}
	s.disconnect(id, c)
	return p.end()
}

func (s *script) killLine(p *phrase) error {
	if !s.kill(s.scope(p)) {
		s.say("refused")
		return p.end()
	}
	s.tell()
	return p.end()
}

func (s *script) unkillLine(p *phrase) error {
	if !s.unkill(s.scope(p)) {
		s.say("refused")
	}
	return p.end()
}

// linkLine: venue up [instance N] [next REPORT] | venue down
func (s *script) linkLine(p *phrase) error {
	if p.flag("down") {
		s.venueDown()
		return p.end()
	}
	p.flag("up")
	instance, next := uint64(1), s.report
	if v, ok := p.value("instance"); ok {
		instance = p.number(v)
	}
	if v, ok := p.value("next"); ok {
		next = p.number(v)
	}
	if !s.venueUp(instance, next) {
		s.say("refused: the venue's history is not the engine's")
		return p.end()
	}
	s.tell()
	return p.end()
}

// usageLine: usage SCOPE prints everything that is not zero.
func (s *script) usageLine(p *phrase) error {
	scope := s.scope(p)
	u, _ := s.engine.Usage(scope)
	text := ""
	add := func(name string, zero bool, value any) {
		if !zero {
			text += fmt.Sprintf(", %s %v", name, value)
		}
	}
	add("orders", u.OpenOrders == 0, u.OpenOrders)
	add("open buys", u.OpenBuyQty == 0, u.OpenBuyQty)
	add("open sells", u.OpenSellQty == 0, u.OpenSellQty)
	add("open buys worth", u.OpenBuyNotional == 0, u.OpenBuyNotional)
	add("open sells worth", u.OpenSellNotional == 0, u.OpenSellNotional)
	add("net", u.Net() == 0, u.Net())
	add("gross value", u.GrossValue == 0, u.GrossValue)
	add("net value", u.NetValue == 0, u.NetValue)
	if text == "" {
		text = ", nothing"
	}
	s.say("%s: %s", s.roll.scope(scope), text[2:])
	return p.end()
}

// answersLine: answers SESSION from OUTSEQ reads a stream again.
func (s *script) answersLine(p *phrase) error {
	id := s.sessionNamed(p, p.next("session"))
	from, _ := p.value("from")
	for n := p.number(from); ; n++ {
		a := s.engine.Answer(id, n)
		if a == nil {
			return p.end()
		}
		s.say("%s config %d", s.roll.renderAnswer(a), a.ConfigVersion)
	}
}

// sessionLine: SESSION: REQUEST ...
func (s *script) sessionLine(name string, p *phrase) error {
	id := s.sessionNamed(p, name)
	r := order.Request{Session: id, Connection: s.links[id], Ref: s.refs[id], Price: order.Null, StopPx: order.Null}
	if v, ok := p.value("ref"); ok {
		r.Ref = p.number(v)
	}
	if v, ok := p.value("connection"); ok {
		r.Connection = order.ConnectionID(p.number(v))
	}
	if v, ok := p.value("as"); ok {
		r.ClOrdID = order.ClOrdID(p.number(v))
	}
	if v, ok := p.value("until"); ok {
		r.ValidUntil = dayStart + p.duration(v)
	}
	s.body(&r, p)
	if err := p.end(); err != nil {
		return err
	}
	s.request(&r)
	if s.refs[id] == r.Ref && !s.ignored() {
		s.refs[id]++
	}
	s.tell()
	return nil
}

// ignored reports whether the last request did not count.
func (s *script) ignored() bool {
	for _, e := range engineEvents(s.engine, testKey()) {
		if e.kind == eventStale || e.kind == eventGap || e.kind == eventDuplicate {
			return true
		}
	}
	return false
}

// body reads what kind of request it is:
// SIDE ACCOUNT INSTRUMENT QTY @ PRICE | replace ORIG with QTY @ PRICE | cancel ORIG | mass-cancel
func (s *script) body(r *order.Request, p *phrase) {
	switch verb := p.next("request"); verb {
	case "cancel":
		r.MsgType, r.OrigClOrdID = order.MsgCancelOrder, order.ClOrdID(p.number(p.next("order")))
	case "mass-cancel":
		r.MsgType = order.MsgMassCancel
		s.options(r, p)
	case "replace":
		r.MsgType, r.OrigClOrdID = order.MsgReplaceOrder, order.ClOrdID(p.number(p.next("order")))
		if ord := s.oracle.named(r.Session, r.OrigClOrdID); ord != nil {
			r.Account, r.Trader, r.Instrument = ord.account, ord.trader, ord.instrument
			r.Side, r.OrdType, r.TimeInForce = ord.side, ord.ordType, ord.tif
		} else {
			r.Side, r.OrdType, r.TimeInForce = order.SideBuy, order.OrdTypeLimit, order.TimeInForceDay
		}
		p.flag("with")
		s.terms(r, p)
		s.options(r, p)
	default:
		r.MsgType, r.Side = order.MsgNewOrder, code(p, verb, sideNames)
		r.Account = order.AccountID(p.named("account", s.roll.accounts, p.next("account")))
		r.Instrument = s.instrumentNamed(p, p.next("instrument"))
		r.Trader, r.TimeInForce = s.world.traders[0].id, order.TimeInForceDay
		s.terms(r, p)
		s.options(r, p)
	}
}

// terms reads QTY @ PRICE. "@ market" makes it a market order.
func (s *script) terms(r *order.Request, p *phrase) {
	r.OrderQty = p.qty(p.next("quantity"))
	if sign := p.next("@"); sign != "@" {
		p.fail("%q, want @", sign)
	}
	text := p.next("price")
	r.Price = p.price(text)
	if r.OrdType == 0 {
		r.OrdType = order.OrdTypeLimit
		if text == "market" {
			r.OrdType = order.OrdTypeMarket
		}
	}
}

// options reads what an order may also say.
func (s *script) options(r *order.Request, p *phrase) {
	for word, t := range timeNames {
		if p.flag(word) {
			r.TimeInForce = t
		}
	}
	if v, ok := p.value("account"); ok {
		r.Account = order.AccountID(p.named("account", s.roll.accounts, v))
	}
	if v, ok := p.value("instrument"); ok {
		r.Instrument = s.instrumentNamed(p, v)
	}
	if v, ok := p.value("trader"); ok {
		r.Trader = order.TraderID(p.named("trader", s.roll.traders, v))
	}
	if v, ok := p.value("side"); ok {
		r.Side = code(p, v, sideNames)
	}
	if v, ok := p.value("type"); ok {
		r.OrdType = code(p, v, typeNames)
	}
	if v, ok := p.value("time-in-force"); ok {
		r.TimeInForce = code(p, v, timeNames)
	}
	if v, ok := p.value("display"); ok {
		r.DisplayQty = p.qty(v)
	}
}
