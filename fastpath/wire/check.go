package wire

import "tollgate/order"

// AppendCheck appends a Check frame: a client's request on its way from the
// gateway to the engine.
func AppendCheck(dst []byte, r *order.Request, t *order.Trace) []byte {
	dst, v := appendCheckView(dst)
	v.SetRef(r.Ref)
	v.SetClOrdID(uint64(r.ClOrdID))
	v.SetOrigClOrdID(uint64(r.OrigClOrdID))
	v.SetValidUntil(r.ValidUntil)
	v.SetSendingTime(r.SendingTime)
	v.SetPrice(int64(r.Price))
	v.SetStopPx(int64(r.StopPx))
	v.SetOrderQty(int64(r.OrderQty))
	v.SetDisplayQty(int64(r.DisplayQty))
	v.Trace().encode(t)
	v.SetSession(uint32(r.Session))
	v.SetConnection(uint32(r.Connection))
	v.SetAccount(uint32(r.Account))
	v.SetTrader(uint32(r.Trader))
	v.SetInstrument(uint32(r.Instrument))
	v.SetMsgType(uint8(r.MsgType))
	v.SetSide(uint8(r.Side))
	v.SetOrdType(uint8(r.OrdType))
	v.SetTimeInForce(uint8(r.TimeInForce))
	v.SetBasket(uint64(r.Basket))
	v.SetStrategy(uint32(r.Strategy))
	v.SetBasketLegs(r.BasketLegs)
	return dst
}

// Check decodes a Check. The caller has seen m.Template to be TemplateCheck. It
// sets every field of r and t: one by one, as a literal would be built aside
// and copied.
func (m Message) Check(r *order.Request, t *order.Trace) {
	v := (*checkView)(m.Block)
	r.Ref = v.Ref()
	r.ClOrdID = order.ClOrdID(v.ClOrdID())
	r.OrigClOrdID = order.ClOrdID(v.OrigClOrdID())
	r.ValidUntil = v.ValidUntil()
	r.SendingTime = v.SendingTime()
	r.Price = order.Price(v.Price())
	r.StopPx = order.Price(v.StopPx())
	r.OrderQty = order.Qty(v.OrderQty())
	r.DisplayQty = order.Qty(v.DisplayQty())
	r.Session = order.SessionID(v.Session())
	r.Connection = order.ConnectionID(v.Connection())
	r.Account = order.AccountID(v.Account())
	r.Trader = order.TraderID(v.Trader())
	r.Instrument = order.InstrumentID(v.Instrument())
	r.MsgType = order.MsgType(v.MsgType())
	r.Side = order.Side(v.Side())
	r.OrdType = order.OrdType(v.OrdType())
	r.TimeInForce = order.TimeInForce(v.TimeInForce())
	r.Basket = order.BasketID(v.Basket())
	r.Strategy = order.StrategyID(v.Strategy())
	r.BasketLegs = v.BasketLegs()
	v.Trace().decode(t)
}
