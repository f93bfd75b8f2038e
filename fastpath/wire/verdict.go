package wire

import "tollgate/order"

// AppendVerdict appends a Verdict frame: an accepted request on its way from
// the engine through the gateway to the adapter.
func AppendVerdict(dst []byte, o *order.Verdict, t *order.Trace) []byte {
	dst, v := appendVerdictView(dst)
	token := v.Token()
	token.SetEpoch(o.Token.Epoch)
	token.SetSeq(o.Token.Seq)
	token.SetOrderHash(o.Token.OrderHash)
	token.SetExpiry(o.Token.Expiry)
	token.SetMAC(o.Token.MAC)
	v.SetOrderID(uint64(o.OrderID))
	v.SetClOrdID(uint64(o.ClOrdID))
	v.SetOrigClOrdID(uint64(o.OrigClOrdID))
	v.SetValidUntil(o.ValidUntil)
	v.SetPrice(int64(o.Price))
	v.SetStopPx(int64(o.StopPx))
	v.SetOrderQty(int64(o.OrderQty))
	v.SetDisplayQty(int64(o.DisplayQty))
	v.Trace().encode(t)
	v.SetGroup(uint32(o.Group))
	v.SetSession(uint32(o.Session))
	v.SetAccount(uint32(o.Account))
	v.SetTrader(uint32(o.Trader))
	v.SetInstrument(uint32(o.Instrument))
	v.SetMsgType(uint8(o.MsgType))
	v.SetSide(uint8(o.Side))
	v.SetOrdType(uint8(o.OrdType))
	v.SetTimeInForce(uint8(o.TimeInForce))
	v.SetStrategy(uint32(o.Strategy))
	return dst
}

// Verdict decodes a Verdict. The caller has seen m.Template to be
// TemplateVerdict. It sets every field of o and t: one by one, as a literal
// would be built aside and copied.
func (m Message) Verdict(o *order.Verdict, t *order.Trace) {
	v := (*verdictView)(m.Block)
	token := v.Token()
	o.Token.Epoch = token.Epoch()
	o.Token.Seq = token.Seq()
	o.Token.OrderHash = token.OrderHash()
	o.Token.Expiry = token.Expiry()
	o.Token.MAC = token.MAC()
	o.OrderID = order.OrderID(v.OrderID())
	o.ClOrdID = order.ClOrdID(v.ClOrdID())
	o.OrigClOrdID = order.ClOrdID(v.OrigClOrdID())
	o.ValidUntil = v.ValidUntil()
	o.Price = order.Price(v.Price())
	o.StopPx = order.Price(v.StopPx())
	o.OrderQty = order.Qty(v.OrderQty())
	o.DisplayQty = order.Qty(v.DisplayQty())
	o.Group = order.GroupID(v.Group())
	o.Session = order.SessionID(v.Session())
	o.Account = order.AccountID(v.Account())
	o.Trader = order.TraderID(v.Trader())
	o.Instrument = order.InstrumentID(v.Instrument())
	o.MsgType = order.MsgType(v.MsgType())
	o.Side = order.Side(v.Side())
	o.OrdType = order.OrdType(v.OrdType())
	o.TimeInForce = order.TimeInForce(v.TimeInForce())
	o.Strategy = order.StrategyID(v.Strategy())
	v.Trace().decode(t)
}
