package riskcheck_test

import (
	"math"
	"slices"

	"tollgate/order"
)

// randomRequest sends something a client could send, garbage included.
func (d *duel) randomRequest() {
	s := d.world.sessions[d.r.IntN(len(d.world.sessions))]
	state := d.oracle.session(s.id)
	if state.connection == 0 && d.r.IntN(4) == 0 {
		d.login(s.id, s.client, d.ledger[s.id].outSeq+1, 0)
		return
	}
	r := d.blank(state)
	switch dice := d.r.IntN(100); {
	case dice < 62:
		d.fillNew(&r, &s, 5)
	case dice < 82 && (d.hasLive(s.id) || d.r.IntN(20) == 0):
		d.fillReplace(&r)
	case dice < 82:
		d.fillNew(&r, &s, 5)
	case dice < 98:
		r.MsgType, r.ClOrdID, r.OrigClOrdID = order.MsgCancelOrder, d.freshName(s.id), d.knownName(s.id)
	default:
		d.fillMassCancel(&r)
	}
	if d.r.IntN(30) == 0 && r.MsgType != order.MsgMassCancel {
		r.ValidUntil = d.now + d.r.Int64N(2e9) - 1e9
	}
	d.damageHead(&r)
	if d.r.IntN(400) == 0 {
		r.MsgType = 'Z' // nothing FIX knows
	}
	d.request(&r)
}

// blank is a request of a session that says nothing yet.
func (d *duel) blank(s *sessionState) order.Request {
	return order.Request{
		Session: s.id, Connection: s.connection, Ref: s.nextRef, Price: order.Null, StopPx: order.Null, SendingTime: d.now,
	}
}

// damageHead sends a few requests under a wrong number or connection.
func (d *duel) damageHead(r *order.Request) {
	switch d.r.IntN(120) {
	case 0:
		r.Ref += 1 + d.r.Uint64N(3)
	case 1:
		r.Ref -= min(r.Ref, 1+d.r.Uint64N(3))
	case 2:
		r.Connection += order.ConnectionID(d.r.IntN(3)) - 1
	case 3:
		r.Session += 40
	}
}

// freshName mostly gives a ClOrdID the session has not used.
func (d *duel) freshName(s order.SessionID) order.ClOrdID {
	l := d.ledger[s]
	switch d.r.IntN(80) {
	case 0:
		return 0
	case 1, 2:
		return 1 + order.ClOrdID(d.r.Uint64N(uint64(l.fresh)+1))
	}
	l.fresh++
	return l.fresh
}

// knownName gives a ClOrdID an order of the session has or had.
func (d *duel) knownName(s order.SessionID) order.ClOrdID {
	l := d.ledger[s]
	if d.r.IntN(30) == 0 {
		return 1 + order.ClOrdID(d.r.Uint64N(uint64(l.fresh)+3))
	}
	if ord := d.someOrder(s); ord != nil && len(ord.names) > 0 {
		return ord.names[d.r.IntN(len(ord.names))]
	}
	return 1 + order.ClOrdID(d.r.Uint64N(uint64(l.fresh)+3))
}

// hasLive reports whether a session has a live order.
func (d *duel) hasLive(s order.SessionID) bool {
	return slices.ContainsFunc(d.oracle.orders, func(ord *orderState) bool { return ord.session == s && ord.live() })
}

// someOrder prefers a live order, and the newest of them half of the time, so
// that requests pile up on one order.
func (d *duel) someOrder(s order.SessionID) *orderState {
	var live, all []*orderState
	for _, ord := range d.oracle.orders {
		if ord.session == s {
			all = append(all, ord)
			if ord.live() {
				live = append(live, ord)
			}
		}
	}
	pick := live
	if len(live) == 0 || d.r.IntN(12) == 0 {
		pick = all
	}
	if len(pick) == 0 {
		return nil
	}
	if d.r.IntN(2) == 0 {
		return pick[len(pick)-1]
	}
	return pick[d.r.IntN(len(pick))]
}

// fillNew makes a new order of a request; one of so many has something odd in it.
func (d *duel) fillNew(r *order.Request, s *sessionRow, odd int) {
	r.MsgType, r.ClOrdID = order.MsgNewOrder, d.freshName(s.id)
	r.Account = s.accounts[d.r.IntN(len(s.accounts))]
	r.Trader = d.traderFor(r.Account)
	r.Instrument = order.InstrumentID(1 + d.r.IntN(4))
	if d.r.IntN(30) == 0 {
		r.Instrument = instrumentFar
	}
	r.Side, r.TimeInForce = d.randomSide(), allTimes[d.r.IntN(len(allTimes))]
	r.OrderQty = order.Qty(2+d.r.IntN(40)) * order.QtyOne
	d.randomPrices(r)
	if d.r.IntN(5) < 2 {
		r.Strategy = order.StrategyID(1 + d.r.IntN(2))
	}
	if i := d.world.instrument(r.Instrument); d.r.IntN(6) == 0 && (i.display || d.r.IntN(12) == 0) {
		r.DisplayQty = order.Qty(1+d.r.IntN(5)) * order.QtyOne
	}
	if d.r.IntN(25) == 0 {
		d.repeat(r, s)
	}
	if d.r.IntN(odd) == 0 {
		d.damageBody(r)
	}
}

// randomPrices draws the order type and the prices that go with it.
func (d *duel) randomPrices(r *order.Request) {
	r.OrdType, r.Price = order.OrdTypeLimit, d.around(r.Instrument, 60)
	switch dice := d.r.IntN(100); {
	case dice < 9:
		r.OrdType, r.Price = order.OrdTypeMarket, order.Null
	case dice < 17:
		r.OrdType, r.Price, r.StopPx = order.OrdTypeStop, order.Null, r.Price
	case dice < 25:
		r.OrdType, r.StopPx = order.OrdTypeStopLimit, d.around(r.Instrument, 60)
		if r.Side.IsBuy() == (r.Price < r.StopPx) && d.r.IntN(10) != 0 {
			r.Price, r.StopPx = r.StopPx, r.Price
		}
	}
}

// repeat makes a new order ask for what an earlier one asked for, of the same session
// or of one that shares the account.
func (d *duel) repeat(r *order.Request, s *sessionRow) {
	for i := len(d.oracle.stamps) - 1; i >= 0; i-- {
		was := &d.oracle.stamps[i].request
		if was.MsgType == order.MsgNewOrder && in(was.Account, s.accounts) && (was.Session == s.id || d.r.IntN(2) == 0) {
			r.Account, r.Trader, r.Instrument, r.Side = was.Account, was.Trader, was.Instrument, was.Side
			r.OrdType, r.Price, r.StopPx, r.OrderQty = was.OrdType, was.Price, was.StopPx, was.OrderQty
			return
		}
	}
}

func (d *duel) traderFor(a order.AccountID) order.TraderID {
	for range 10 {
		t := d.world.traders[d.r.IntN(len(d.world.traders))]
		if in(a, t.accounts) {
			return t.id
		}
	}
	return 1
}

func (d *duel) randomSide() order.Side {
	switch dice := d.r.IntN(100); {
	case dice < 50:
		return order.SideBuy
	case dice < 82:
		return order.SideSell
	case dice < 93:
		return order.SideSellShort
	}
	return order.SideSellShortExempt
}

// damageBody makes one field wrong, or at least unusual.
func (d *duel) damageBody(r *order.Request) {
	switch d.r.IntN(29) {
	case 0:
		r.Side = '3'
	case 1:
		r.OrdType = order.OrdType('0' + d.r.IntN(8))
	case 2:
		r.TimeInForce = '9'
	case 3:
		r.OrderQty = order.Qty(d.r.IntN(3)-2) * order.QtyOne
	case 4:
		r.OrderQty += order.QtyOne / 2
	case 5:
		r.OrderQty = order.QtyOne
	case 6:
		r.OrderQty = 501 * order.QtyOne
	case 7:
		r.Price = order.Null
	case 8:
		r.Price = -r.Price
	case 9:
		r.Price = 0
	case 10:
		r.Price++
	case 11:
		r.DisplayQty = []order.Qty{-order.QtyOne, order.QtyOne / 2, r.OrderQty + order.QtyOne}[d.r.IntN(3)]
	case 12:
		r.Account = order.AccountID(1 + d.r.IntN(4))
	case 13:
		r.Account = 90
	case 14:
		r.Trader = order.TraderID(1 + d.r.IntN(3))
	case 15:
		r.Trader = 90
	case 16:
		r.Instrument = 90
	case 17:
		r.Strategy = 90
	case 18:
		r.StopPx = r.Price
	case 19:
		r.StopPx = order.Null
	case 20:
		r.StopPx = []order.Price{0, -order.PriceOne, 1}[d.r.IntN(3)]
	case 21:
		r.OrderQty = order.Qty(300+d.r.IntN(600)) * order.QtyOne
	default:
		d.inflate(r)
	}
}

// inflate makes an order so large that products or sums stop fitting.
func (d *duel) inflate(r *order.Request) {
	r.Instrument = instrumentPlain
	switch d.r.IntN(6) {
	case 0:
		r.OrderQty = math.MaxInt64
	case 1:
		r.OrderQty = math.MaxInt64 / order.QtyOne * order.QtyOne
	case 2:
		r.Price = math.MaxInt64 / (order.PriceOne / 100) * (order.PriceOne / 100)
	case 3:
		r.Price, r.OrderQty = 100*order.PriceOne, 9_000_000_000*order.QtyOne
	case 4:
		r.Price, r.OrderQty = order.PriceOne<<d.r.IntN(36), order.QtyOne<<d.r.IntN(36)
	default:
		r.Price, r.OrderQty = d.around(r.Instrument, 2), order.Qty(1+d.r.IntN(9))*order.QtyOne*1_000_000_000
	}
}

func (d *duel) fillReplace(r *order.Request) {
	r.MsgType = order.MsgReplaceOrder
	r.ClOrdID = d.freshName(r.Session)
	r.OrigClOrdID = d.knownName(r.Session)
	ord := d.oracle.named(r.Session, r.OrigClOrdID)
	if ord == nil {
		return
	}
	r.Account, r.Trader, r.Instrument = ord.account, ord.trader, ord.instrument
	r.Side, r.OrdType, r.TimeInForce, r.Strategy = ord.side, ord.ordType, ord.tif, ord.strategy
	r.OrderQty, r.Price, r.StopPx = ord.acked.qty, ord.acked.price, ord.first.verdict.StopPx
	if d.r.IntN(3) != 0 {
		r.Price = d.around(r.Instrument, 60)
	}
	if ord.isStop() && d.r.IntN(2) == 0 {
		r.StopPx = d.around(r.Instrument, 60)
	}
	if r.OrdType == order.OrdTypeMarket || r.OrdType == order.OrdTypeStop {
		r.Price = order.Null
	}
	if d.r.IntN(3) != 0 {
		r.OrderQty = min(r.OrderQty, 1000*order.QtyOne) + order.Qty(d.r.IntN(30)-15)*order.QtyOne
	}
	switch d.r.IntN(40) {
	case 0:
		r.OrderQty = ord.cum
	case 1, 2:
		d.damageBody(r)
	}
}

func (d *duel) fillMassCancel(r *order.Request) {
	r.MsgType, r.ClOrdID = order.MsgMassCancel, d.freshName(r.Session)
	if d.r.IntN(2) == 0 {
		r.Account = order.AccountID(1 + d.r.IntN(4))
	}
	if d.r.IntN(2) == 0 {
		r.Instrument = order.InstrumentID(1 + d.r.IntN(5))
	}
	if d.r.IntN(3) == 0 {
		r.Side = d.randomSide()
	}
	if d.r.IntN(20) == 0 {
		r.Side = '3'
	}
}

// randomBasket sends a list of orders, now and then one that is never complete.
func (d *duel) randomBasket() {
	s := d.world.sessions[d.r.IntN(len(d.world.sessions))]
	legs := 1 + d.r.IntN(6)
	broken := legs + 1
	if d.r.IntN(4) == 0 {
		broken = d.r.IntN(legs)
	}
	d.basket++
	for i := range legs {
		if i == broken && d.breakOff(&s) {
			return
		}
		state := d.oracle.session(s.id)
		if state.connection == 0 || d.failed {
			return
		}
		r := d.blank(state)
		d.fillNew(&r, &s, 40)
		r.Basket, r.BasketLegs = d.basket, uint16(legs)
		switch d.r.IntN(80) {
		case 0:
			r.BasketLegs = []uint16{0, 513, 7}[d.r.IntN(3)]
		case 1:
			r.Basket++
		}
		d.request(&r)
		if d.r.IntN(6) == 0 {
			d.now += d.r.Int64N(20e6)
		}
	}
}

// breakOff does something in the middle of a list. It reports whether the list
// is given up.
func (d *duel) breakOff(s *sessionRow) bool {
	switch d.r.IntN(7) {
	case 0:
		d.disconnect(s.id, d.oracle.session(s.id).connection)
		return true
	case 1:
		d.login(s.id, s.client, d.ledger[s.id].outSeq+1, 0)
		return true
	case 2:
		return true // whatever comes next
	case 3:
		d.randomState()
	case 4:
		d.venueActs()
	default:
		d.randomRequest()
	}
	return false
}
