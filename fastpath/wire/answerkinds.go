package wire

import "tollgate/order"

func appendExecutionReport(dst []byte, a *order.Answer) []byte {
	dst, v := appendExecutionReportView(dst)
	v.SetOutSeq(a.OutSeq)
	v.SetRef(a.Ref)
	v.SetClOrdID(uint64(a.ClOrdID))
	v.SetOrigClOrdID(uint64(a.OrigClOrdID))
	v.SetOrderID(uint64(a.OrderID))
	v.SetExecID(uint64(a.ExecID))
	v.SetConfigVersion(a.ConfigVersion)
	v.SetTransactTime(a.TransactTime)
	v.SetPrice(int64(a.Price))
	v.SetLastPx(int64(a.LastPx))
	v.SetOrderQty(int64(a.OrderQty))
	v.SetLastQty(int64(a.LastQty))
	v.SetCumQty(int64(a.CumQty))
	v.SetLeavesQty(int64(a.LeavesQty))
	v.SetValue(a.Decision.Value)
	v.SetValueLimit(a.Decision.Limit)
	v.SetScopeID(a.Decision.Scope.ID)
	v.SetScopeInstrument(uint32(a.Decision.Scope.Instrument))
	v.SetAffected(a.Affected)
	v.SetSession(uint32(a.Session))
	v.SetAccount(uint32(a.Account))
	v.SetTrader(uint32(a.Trader))
	v.SetInstrument(uint32(a.Instrument))
	v.SetReason(uint16(a.Decision.Reason))
	v.SetScopeType(uint8(a.Decision.Scope.Type))
	v.SetExecType(uint8(a.ExecType))
	v.SetOrdStatus(uint8(a.OrdStatus))
	v.SetSide(uint8(a.Side))
	v.SetMsgType(uint8(a.MsgType))
	v.SetExecRefID(uint64(a.ExecRefID))
	v.SetScopeClass(uint32(a.Decision.Scope.Class))
	return dst
}

// decode sets every field of a: one by one, as a literal would be built aside
// and copied.
func (v *executionReportView) decode(a *order.Answer) {
	a.OutSeq = v.OutSeq()
	a.Ref = v.Ref()
	a.ClOrdID = order.ClOrdID(v.ClOrdID())
	a.OrigClOrdID = order.ClOrdID(v.OrigClOrdID())
	a.OrderID = order.OrderID(v.OrderID())
	a.ExecID = order.ExecID(v.ExecID())
	a.ConfigVersion = v.ConfigVersion()
	a.TransactTime = v.TransactTime()
	a.Price = order.Price(v.Price())
	a.LastPx = order.Price(v.LastPx())
	a.OrderQty = order.Qty(v.OrderQty())
	a.LastQty = order.Qty(v.LastQty())
	a.CumQty = order.Qty(v.CumQty())
	a.LeavesQty = order.Qty(v.LeavesQty())
	a.Decision.Value = v.Value()
	a.Decision.Limit = v.ValueLimit()
	a.Decision.Scope = scope(v.ScopeID(), v.ScopeInstrument(), v.ScopeClass(), v.ScopeType())
	a.Decision.Reason = order.Reason(v.Reason())
	a.Affected = v.Affected()
	a.Session = order.SessionID(v.Session())
	a.Account = order.AccountID(v.Account())
	a.Trader = order.TraderID(v.Trader())
	a.Instrument = order.InstrumentID(v.Instrument())
	a.Kind = order.AnswerExecution
	a.ExecType = order.ExecType(v.ExecType())
	a.OrdStatus = order.OrdStatus(v.OrdStatus())
	a.Side = order.Side(v.Side())
	a.MsgType = order.MsgType(v.MsgType())
	a.ExecRefID = order.ExecID(v.ExecRefID())
}

func appendOrderCancelReject(dst []byte, a *order.Answer) []byte {
	dst, v := appendOrderCancelRejectView(dst)
	v.SetOutSeq(a.OutSeq)
	v.SetRef(a.Ref)
	v.SetClOrdID(uint64(a.ClOrdID))
	v.SetOrigClOrdID(uint64(a.OrigClOrdID))
	v.SetOrderID(uint64(a.OrderID))
	v.SetConfigVersion(a.ConfigVersion)
	v.SetTransactTime(a.TransactTime)
	v.SetValue(a.Decision.Value)
	v.SetValueLimit(a.Decision.Limit)
	v.SetScopeID(a.Decision.Scope.ID)
	v.SetScopeInstrument(uint32(a.Decision.Scope.Instrument))
	v.SetSession(uint32(a.Session))
	v.SetAccount(uint32(a.Account))
	v.SetTrader(uint32(a.Trader))
	v.SetInstrument(uint32(a.Instrument))
	v.SetReason(uint16(a.Decision.Reason))
	v.SetScopeType(uint8(a.Decision.Scope.Type))
	v.SetOrdStatus(uint8(a.OrdStatus))
	v.SetSide(uint8(a.Side))
	v.SetMsgType(uint8(a.MsgType))
	v.SetScopeClass(uint32(a.Decision.Scope.Class))
	return dst
}

func (v *orderCancelRejectView) decode(a *order.Answer) {
	*a = order.Answer{
		OutSeq:        v.OutSeq(),
		Ref:           v.Ref(),
		ClOrdID:       order.ClOrdID(v.ClOrdID()),
		OrigClOrdID:   order.ClOrdID(v.OrigClOrdID()),
		OrderID:       order.OrderID(v.OrderID()),
		ConfigVersion: v.ConfigVersion(),
		TransactTime:  v.TransactTime(),
		Decision: order.Decision{
			Value:  v.Value(),
			Limit:  v.ValueLimit(),
			Scope:  scope(v.ScopeID(), v.ScopeInstrument(), v.ScopeClass(), v.ScopeType()),
			Reason: order.Reason(v.Reason()),
		},
		Session:    order.SessionID(v.Session()),
		Account:    order.AccountID(v.Account()),
		Trader:     order.TraderID(v.Trader()),
		Instrument: order.InstrumentID(v.Instrument()),
		Kind:       order.AnswerCancelReject,
		OrdStatus:  order.OrdStatus(v.OrdStatus()),
		Side:       order.Side(v.Side()),
		MsgType:    order.MsgType(v.MsgType()),
	}
}

func appendOrderMassCancelReport(dst []byte, a *order.Answer) []byte {
	dst, v := appendOrderMassCancelReportView(dst)
	v.SetOutSeq(a.OutSeq)
	v.SetRef(a.Ref)
	v.SetClOrdID(uint64(a.ClOrdID))
	v.SetConfigVersion(a.ConfigVersion)
	v.SetTransactTime(a.TransactTime)
	v.SetValue(a.Decision.Value)
	v.SetValueLimit(a.Decision.Limit)
	v.SetScopeID(a.Decision.Scope.ID)
	v.SetScopeInstrument(uint32(a.Decision.Scope.Instrument))
	v.SetAffected(a.Affected)
	v.SetSession(uint32(a.Session))
	v.SetAccount(uint32(a.Account))
	v.SetInstrument(uint32(a.Instrument))
	v.SetReason(uint16(a.Decision.Reason))
	v.SetScopeType(uint8(a.Decision.Scope.Type))
	v.SetSide(uint8(a.Side))
	v.SetScopeClass(uint32(a.Decision.Scope.Class))
	return dst
}

func (v *orderMassCancelReportView) decode(a *order.Answer) {
	*a = order.Answer{
		OutSeq:        v.OutSeq(),
		Ref:           v.Ref(),
		ClOrdID:       order.ClOrdID(v.ClOrdID()),
		ConfigVersion: v.ConfigVersion(),
		TransactTime:  v.TransactTime(),
		Decision: order.Decision{
			Value:  v.Value(),
			Limit:  v.ValueLimit(),
			Scope:  scope(v.ScopeID(), v.ScopeInstrument(), v.ScopeClass(), v.ScopeType()),
			Reason: order.Reason(v.Reason()),
		},
		Affected:   v.Affected(),
		Session:    order.SessionID(v.Session()),
		Account:    order.AccountID(v.Account()),
		Instrument: order.InstrumentID(v.Instrument()),
		Kind:       order.AnswerMassCancel,
		Side:       order.Side(v.Side()),
	}
}

func appendCancelOnDisconnectReport(dst []byte, a *order.Answer) []byte {
	dst, v := appendCancelOnDisconnectReportView(dst)
	v.SetOutSeq(a.OutSeq)
	v.SetConfigVersion(a.ConfigVersion)
	v.SetTransactTime(a.TransactTime)
	v.SetAffected(a.Affected)
	v.SetSession(uint32(a.Session))
	return dst
}

func (v *cancelOnDisconnectReportView) decode(a *order.Answer) {
	*a = order.Answer{
		OutSeq:        v.OutSeq(),
		ConfigVersion: v.ConfigVersion(),
		TransactTime:  v.TransactTime(),
		Affected:      v.Affected(),
		Session:       order.SessionID(v.Session()),
		Kind:          order.AnswerCanceledOnEnd,
	}
}

// scope puts the flattened scope of a decision together again.
func scope(id, instrument, class uint32, level uint8) order.Scope {
	return order.Scope{
		ID: id, Instrument: order.InstrumentID(instrument), Class: order.ClassID(class), Type: order.ScopeType(level),
	}
}
