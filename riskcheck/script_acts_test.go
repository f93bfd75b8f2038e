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
	"usage": (*script).usageLine, "answers": (*script).answersLine, "latches": (*script).latchesLine,
	"simulate": (*script).simulateLine,
	"cash":     (*script).cashLine, "position": (*script).positionLine, "locate": (*script).locateLine,
	"fx": (*script).fxLine, "market": (*script).marketLine, "roll": (*script).rollLine,
	"release": (*script).releaseLine,
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
	s.tellAny()
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
	s.tellAny()
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
	s.tellAny()
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
	s.took(s.unkill(s.scope(p)))
	return p.end()
}

// linkLine: venue up [instance N] [next REPORT] | venue down
func (s *script) linkLine(p *phrase) error {
	if p.flag("down") {
		s.venueDown()
		s.tellAny()
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
	r := s.requestOf(name, p)
	if err := p.end(); err != nil {
		return err
	}
	s.request(&r)
	if s.refs[r.Session] == r.Ref && !s.ignored() {
		s.refs[r.Session]++
	}
	s.tell()
	return nil
}

// requestOf reads a request of a session.
func (s *script) requestOf(name string, p *phrase) order.Request {
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
	if v, ok := p.value("basket"); ok {
		r.Basket = order.BasketID(p.number(v))
		legs, _ := p.value("of")
		r.BasketLegs = uint16(p.number(legs))
	}
	s.body(&r, p)
	return r
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
		if ord, ok := s.engine.Order(s.named(r.Session, r.OrigClOrdID)); ok {
			r.Account, r.Trader, r.Instrument = ord.Account, ord.Trader, ord.Instrument
			r.Side, r.OrdType, r.TimeInForce, r.Strategy = ord.Side, ord.OrdType, ord.TimeInForce, ord.Strategy
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

// named returns the order a session knows under a ClOrdID; 0: none.
func (s *script) named(session order.SessionID, id order.ClOrdID) order.OrderID {
	if v, ok := s.requests[fmt.Sprint(id)]; ok && v.Session == session {
		return v.OrderID
	}
	return 0
}

// terms reads QTY @ PRICE [stop PRICE]. "@ market" makes it a market order, or a
// stop order where there is a stop price; a price beside it a stop-limit order.
func (s *script) terms(r *order.Request, p *phrase) {
	stop, stopped := p.value("stop")
	if stopped {
		r.StopPx = p.price(stop)
	}
	r.OrderQty = p.qty(p.next("quantity"))
	if sign := p.next("@"); sign != "@" {
		p.fail("%q, want @", sign)
	}
	text := p.next("price")
	r.Price = p.price(text)
	if r.OrdType != 0 {
		return
	}
	switch {
	case stopped && text == "market":
		r.OrdType = order.OrdTypeStop
	case stopped:
		r.OrdType = order.OrdTypeStopLimit
	case text == "market":
		r.OrdType = order.OrdTypeMarket
	default:
		r.OrdType = order.OrdTypeLimit
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
	if v, ok := p.value("strategy"); ok {
		r.Strategy = order.StrategyID(p.named("strategy", s.roll.strategies, v))
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
