package riskcheck_test

import (
	"math"

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
	r := order.Request{
		Session: s.id, Connection: state.connection, Ref: state.nextRef, Price: order.Null, StopPx: order.Null,
		SendingTime: d.now,
	}
	switch dice := d.r.IntN(100); {
	case dice < 62:
		d.fillNew(&r, &s)
	case dice < 82:
		d.fillReplace(&r)
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
	if ord := d.someOrder(s); ord != nil {
		return ord.names[d.r.IntN(len(ord.names))]
	}
	return 1 + order.ClOrdID(d.r.Uint64N(uint64(l.fresh)+3))
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

func (d *duel) fillNew(r *order.Request, s *sessionRow) {
	r.MsgType, r.ClOrdID = order.MsgNewOrder, d.freshName(s.id)
	r.Account = s.accounts[d.r.IntN(len(s.accounts))]
	r.Trader = d.traderFor(r.Account)
	r.Instrument = order.InstrumentID(1 + d.r.IntN(3))
	r.Side, r.OrdType, r.TimeInForce = d.randomSide(), order.OrdTypeLimit, allTimes[d.r.IntN(len(allTimes))]
	r.OrderQty = order.Qty(2+d.r.IntN(40)) * order.QtyOne
	r.Price = d.around(r.Instrument, 60)
	if d.r.IntN(12) == 0 {
		r.OrdType, r.Price = order.OrdTypeMarket, order.Null
	}
	if d.r.IntN(5) == 0 {
		d.damageBody(r)
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
	case dice < 90:
		return order.SideSell
	case dice < 95:
		return order.SideSellShort
	}
	return order.SideSellShortExempt
}

// damageBody makes one field wrong, or at least unusual.
func (d *duel) damageBody(r *order.Request) {
	switch d.r.IntN(26) {
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
		r.DisplayQty = order.QtyOne
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
		r.Instrument = instrumentForeign
		r.Price = d.around(r.Instrument, 60)
	case 18:
		r.StopPx = r.Price
	default:
		d.inflate(r)
	}
}

// inflate makes an order so large that products or sums stop fitting.
func (d *duel) inflate(r *order.Request) {
	r.Instrument = instrumentPlain
	switch d.r.IntN(5) {
	case 0:
		r.OrderQty = math.MaxInt64
	case 1:
		r.OrderQty = math.MaxInt64 / order.QtyOne * order.QtyOne
	case 2:
		r.Price = math.MaxInt64 / (order.PriceOne / 100) * (order.PriceOne / 100)
	case 3:
		r.Price, r.OrderQty = 100*order.PriceOne, 9_000_000_000*order.QtyOne
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
	r.Side, r.OrdType, r.TimeInForce = ord.side, ord.ordType, ord.tif
	r.OrderQty, r.Price = ord.acked.qty, ord.acked.price
	if r.OrdType != order.OrdTypeMarket && d.r.IntN(3) != 0 {
		r.Price = d.around(r.Instrument, 60)
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
		r.Instrument = order.InstrumentID(1 + d.r.IntN(4))
	}
	if d.r.IntN(3) == 0 {
		r.Side = d.randomSide()
	}
	if d.r.IntN(20) == 0 {
		r.Side = '3'
	}
}
