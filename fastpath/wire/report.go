package wire

import "tollgate/order"

// AppendVenueReport appends a VenueReport frame: what the venue has done, on
// its way from the adapter through the gateway to the engine.
func AppendVenueReport(dst []byte, r *order.Report, t *order.Trace) []byte {
	dst, v := appendVenueReportView(dst)
	v.SetReportSeq(r.ReportSeq)
	v.SetSeq(r.Seq)
	v.SetOrderID(uint64(r.OrderID))
	v.SetClOrdID(uint64(r.ClOrdID))
	v.SetExecID(uint64(r.ExecID))
	v.SetTransactTime(r.TransactTime)
	v.SetPrice(int64(r.Price))
	v.SetLastPx(int64(r.LastPx))
	v.SetOrderQty(int64(r.OrderQty))
	v.SetLastQty(int64(r.LastQty))
	v.SetCumQty(int64(r.CumQty))
	v.SetLeavesQty(int64(r.LeavesQty))
	v.Trace().encode(t)
	v.SetGroup(uint32(r.Group))
	v.SetSession(uint32(r.Session))
	v.SetAccount(uint32(r.Account))
	v.SetTrader(uint32(r.Trader))
	v.SetInstrument(uint32(r.Instrument))
	v.SetReason(uint16(r.Reason))
	v.SetKind(uint8(r.Kind))
	v.SetSide(uint8(r.Side))
	v.SetExecRefID(uint64(r.ExecRefID))
	v.SetStrategy(uint32(r.Strategy))
	return dst
}

// VenueReport decodes a VenueReport. The caller has seen m.Template to be
// TemplateVenueReport. It sets every field of r and t: one by one, as a literal
// would be built aside and copied.
func (m Message) VenueReport(r *order.Report, t *order.Trace) {
	v := (*venueReportView)(m.Block)
	r.ReportSeq = v.ReportSeq()
	r.Seq = v.Seq()
	r.OrderID = order.OrderID(v.OrderID())
	r.ClOrdID = order.ClOrdID(v.ClOrdID())
	r.ExecID = order.ExecID(v.ExecID())
	r.TransactTime = v.TransactTime()
	r.Price = order.Price(v.Price())
	r.LastPx = order.Price(v.LastPx())
	r.OrderQty = order.Qty(v.OrderQty())
	r.LastQty = order.Qty(v.LastQty())
	r.CumQty = order.Qty(v.CumQty())
	r.LeavesQty = order.Qty(v.LeavesQty())
	r.Group = order.GroupID(v.Group())
	r.Session = order.SessionID(v.Session())
	r.Account = order.AccountID(v.Account())
	r.Trader = order.TraderID(v.Trader())
	r.Instrument = order.InstrumentID(v.Instrument())
	r.Reason = order.Reason(v.Reason())
	r.Kind = order.ReportKind(v.Kind())
	r.Side = order.Side(v.Side())
	r.ExecRefID = order.ExecID(v.ExecRefID())
	r.Strategy = order.StrategyID(v.Strategy())
	v.Trace().decode(t)
}
