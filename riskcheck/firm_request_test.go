package riskcheck_test

import (
	"math"

	"tollgate/order"
	"tollgate/riskcheck"
	"tollgate/riskcheck/input"
)

// request sends what a client could send.
func (f *firm) request() {
	s := order.SessionID(1 + f.r.IntN(firmSessions))
	if f.sessions[s].connection == 0 {
		f.login(s)
		return
	}
	dice := f.r.IntN(100)
	if f.someOrder(s) == nil && f.r.IntN(10) != 0 {
		dice = 0 // nothing there to replace or cancel
	}
	switch {
	case dice < 58:
		r := f.newOrder(s)
		f.send(&r)
		for f.r.IntN(12) == 0 { // the same once more, under another name
			r.ClOrdID = f.freshName(s)
			f.send(&r)
		}
	case dice < 78:
		f.send(f.replace(s))
		for f.r.IntN(3) == 0 {
			f.send(f.replace(s))
		}
	case dice < 93:
		r := f.head(s, order.MsgCancelOrder)
		r.OrigClOrdID = f.knownName(s)
		f.send(&r)
	case dice < 95:
		f.massCancel(s)
	default:
		f.list(s)
	}
}

// send gives a request, a few of them damaged, and counts what was taken.
func (f *firm) send(r *order.Request) {
	state := &f.sessions[r.Session]
	damaged := *r
	damaged.Ref, damaged.Connection = state.ref, state.connection
	switch f.r.IntN(150) {
	case 0:
		damaged.Ref += 1 + f.r.Uint64N(3)
	case 1:
		damaged.Ref -= min(damaged.Ref, 1+f.r.Uint64N(3))
	case 2:
		damaged.Connection++
	case 3:
		damaged.Session += 40
	case 4:
		damaged.MsgType = 'Z'
	}
	f.give(input.Input{Kind: input.KindRequest, Request: damaged})
	for _, e := range f.player.engine.Effects() {
		switch e.Kind {
		case riskcheck.EffectGap, riskcheck.EffectDuplicate, riskcheck.EffectStale:
			return
		case riskcheck.EffectDisconnect:
			state.connection = 0
		}
	}
	state.ref++
}

// head returns a request that has nothing but its name.
func (f *firm) head(s order.SessionID, m order.MsgType) order.Request {
	return order.Request{
		Session: s, MsgType: m, ClOrdID: f.freshName(s), Price: order.Null, StopPx: order.Null, SendingTime: f.now,
	}
}

// newOrder returns a new order, most of them good.
func (f *firm) newOrder(s order.SessionID) order.Request {
	r := f.head(s, order.MsgNewOrder)
	r.Account = order.AccountID(1 + f.r.IntN(firmAccounts))
	r.Trader = order.TraderID(1 + f.r.IntN(firmTraders))
	r.Instrument = f.instrument()
	r.Strategy = order.StrategyID(max(0, f.r.IntN(6)-firmStrategies+1))
	r.Side = []order.Side{
		order.SideBuy, order.SideBuy, order.SideBuy, order.SideSell, order.SideSell, order.SideSellShort,
		order.SideSellShortExempt,
	}[f.r.IntN(7)]
	r.TimeInForce = []order.TimeInForce{
		order.TimeInForceDay, order.TimeInForceGTC, order.TimeInForceIOC, order.TimeInForceFOK, order.TimeInForceGTD,
	}[f.r.IntN(5)]
	r.OrderQty = order.Qty(1+f.r.IntN(40)) * order.QtyOne
	f.priceOrder(&r)
	if f.r.IntN(20) == 0 {
		r.DisplayQty = order.QtyOne
	}
	if f.r.IntN(40) == 0 {
		r.ValidUntil = f.now + f.r.Int64N(2e9) - 1e9
	}
	if f.r.IntN(12) == 0 {
		f.damage(&r)
	}
	return r
}

// priceOrder draws a type and the prices it wants.
func (f *firm) priceOrder(r *order.Request) {
	r.OrdType, r.Price, r.StopPx = order.OrdTypeLimit, f.around(r.Instrument, 80), order.Null
	switch f.r.IntN(14) {
	case 0, 1:
		r.OrdType, r.Price = order.OrdTypeMarket, order.Null
	case 2:
		r.OrdType, r.Price, r.StopPx = order.OrdTypeStop, order.Null, f.around(r.Instrument, 80)
	case 3, 4:
		r.OrdType, r.StopPx = order.OrdTypeStopLimit, r.Price+order.Price(f.r.IntN(9)-4)*firmTick
	}
}

// damage makes one field wrong, or at least unusual.
func (f *firm) damage(r *order.Request) {
	switch f.r.IntN(14) {
	case 0:
		r.Side = '3'
	case 1:
		r.OrdType = order.OrdType('0' + f.r.IntN(8))
	case 2:
		r.OrderQty = -order.QtyOne
	case 3:
		r.OrderQty += order.QtyOne / 2
	case 4:
		r.OrderQty = 7_000 * order.QtyOne
	case 5:
		r.OrderQty = math.MaxInt64 / order.QtyOne * order.QtyOne
	case 6:
		r.Price = -r.Price
	case 7:
		r.Price = math.MaxInt64 / firmTick * firmTick
	case 8:
		r.Price++
	case 9:
		r.StopPx = r.Price
	case 10:
		r.Account = 90
	case 11:
		r.Trader = 90
	case 12:
		r.Instrument = 90
	default:
		r.Strategy = 90
	}
}

// replace returns a replace of some order, in most cases a live one.
func (f *firm) replace(s order.SessionID) *order.Request {
	o := f.someOrder(s)
	if o == nil {
		r := f.newOrder(s)
		r.MsgType, r.OrigClOrdID = order.MsgReplaceOrder, f.knownName(s)
		return &r
	}
	r, v := f.head(s, order.MsgReplaceOrder), &o.newest
	r.OrigClOrdID = v.ClOrdID
	r.Account, r.Trader, r.Instrument, r.Strategy = v.Account, v.Trader, v.Instrument, v.Strategy
	r.Side, r.OrdType, r.TimeInForce = v.Side, o.ordType, v.TimeInForce
	r.OrderQty = max(order.QtyOne, v.OrderQty+order.Qty(f.r.IntN(21)-10)*order.QtyOne)
	r.Price, r.StopPx = v.Price, v.StopPx
	switch r.OrdType {
	case order.OrdTypeLimit:
		r.Price = f.around(r.Instrument, 80)
	case order.OrdTypeMarket:
		r.Price = order.Null
	case order.OrdTypeStop:
		r.Price, r.StopPx = order.Null, f.around(r.Instrument, 80)
	}
	if f.r.IntN(20) == 0 {
		f.damage(&r)
	}
	return &r
}

func (f *firm) massCancel(s order.SessionID) {
	r := f.head(s, order.MsgMassCancel)
	if f.r.IntN(2) == 0 {
		r.Account = order.AccountID(1 + f.r.IntN(firmAccounts))
	}
	if f.r.IntN(2) == 0 {
		r.Instrument = f.instrument()
	}
	f.send(&r)
}

// list sends the legs of a list, most of the time all of them.
func (f *firm) list(s order.SessionID) {
	f.basket++
	legs := 1 + f.r.IntN(5)
	for leg := range legs {
		r := f.newOrder(s)
		r.Basket, r.BasketLegs = f.basket, uint16(legs)
		if leg > 0 && f.r.IntN(12) == 0 {
			return // the next request ends it
		}
		f.send(&r)
		if f.sessions[s].connection == 0 {
			return
		}
	}
}

// freshName mostly gives a ClOrdID the session has not used.
func (f *firm) freshName(s order.SessionID) order.ClOrdID {
	state := &f.sessions[s]
	if f.r.IntN(80) == 0 && state.name > 0 {
		return 1 + order.ClOrdID(f.r.Uint64N(uint64(state.name)))
	}
	state.name++
	return state.name
}

// knownName gives a ClOrdID an order of the session has or had.
func (f *firm) knownName(s order.SessionID) order.ClOrdID {
	if o := f.someOrder(s); o != nil && f.r.IntN(20) != 0 {
		return o.newest.ClOrdID
	}
	return 1 + order.ClOrdID(f.r.Uint64N(uint64(f.sessions[s].name)+3))
}

// someOrder returns an order of the session the venue has, or nil. It looks at
// the newest few, most of which are live.
func (f *firm) someOrder(s order.SessionID) *firmOrder {
	if n := len(f.orders); n > 0 && f.orders[n-1].newest.Session == s && f.r.IntN(3) == 0 {
		return f.orders[n-1]
	}
	for range 20 {
		if o := f.anyOrder(); o != nil && o.newest.Session == s && (!o.ended || f.r.IntN(10) == 0) {
			return o
		}
	}
	return nil
}

// anyOrder returns one of the orders of late, or nil.
func (f *firm) anyOrder() *firmOrder {
	if len(f.orders) == 0 {
		return nil
	}
	recent := min(len(f.orders), 60)
	return f.orders[len(f.orders)-1-f.r.IntN(recent)]
}
