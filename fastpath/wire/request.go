package wire

import (
	"fmt"

	"tollgate/order"
)

// AppendRequest appends the frame of a client's request, by r.MsgType. It
// panics if that is none of the four, which only a caller's mistake can make.
func AppendRequest(dst []byte, r *order.Request) []byte {
	switch r.MsgType {
	case order.MsgNewOrder:
		return AppendNewOrder(dst, r)
	case order.MsgReplaceOrder:
		return AppendReplaceOrder(dst, r)
	case order.MsgCancelOrder:
		return AppendCancelOrder(dst, r)
	case order.MsgMassCancel:
		return AppendMassCancel(dst, r)
	}
	panic("wire: AppendRequest: MsgType is " + r.MsgType.String() + ": want one of the four requests")
}

// AppendNewOrder appends a NewOrder frame. Fields of r that a new order does
// not have are left out.
func AppendNewOrder(dst []byte, r *order.Request) []byte {
	dst, v := appendNewOrderView(dst)
	v.SetRef(r.Ref)
	v.SetClOrdID(uint64(r.ClOrdID))
	v.SetValidUntil(r.ValidUntil)
	v.SetSendingTime(r.SendingTime)
	v.SetPrice(int64(r.Price))
	v.SetStopPx(int64(r.StopPx))
	v.SetOrderQty(int64(r.OrderQty))
	v.SetDisplayQty(int64(r.DisplayQty))
	v.SetAccount(uint32(r.Account))
	v.SetTrader(uint32(r.Trader))
	v.SetInstrument(uint32(r.Instrument))
	v.SetSide(uint8(r.Side))
	v.SetOrdType(uint8(r.OrdType))
	v.SetTimeInForce(uint8(r.TimeInForce))
	v.SetBasket(uint64(r.Basket))
	v.SetStrategy(uint32(r.Strategy))
	v.SetBasketLegs(r.BasketLegs)
	return dst
}

// AppendReplaceOrder appends a ReplaceOrder frame.
func AppendReplaceOrder(dst []byte, r *order.Request) []byte {
	dst, v := appendReplaceOrderView(dst)
	v.SetRef(r.Ref)
	v.SetClOrdID(uint64(r.ClOrdID))
	v.SetOrigClOrdID(uint64(r.OrigClOrdID))
	v.SetValidUntil(r.ValidUntil)
	v.SetSendingTime(r.SendingTime)
	v.SetPrice(int64(r.Price))
	v.SetStopPx(int64(r.StopPx))
	v.SetOrderQty(int64(r.OrderQty))
	v.SetDisplayQty(int64(r.DisplayQty))
	v.SetAccount(uint32(r.Account))
	v.SetTrader(uint32(r.Trader))
	v.SetInstrument(uint32(r.Instrument))
	v.SetSide(uint8(r.Side))
	v.SetOrdType(uint8(r.OrdType))
	v.SetTimeInForce(uint8(r.TimeInForce))
	v.SetStrategy(uint32(r.Strategy))
	return dst
}

// AppendCancelOrder appends a CancelOrder frame. Fields of r that a cancel does
// not have are left out.
func AppendCancelOrder(dst []byte, r *order.Request) []byte {
	dst, v := appendCancelOrderView(dst)
	v.SetRef(r.Ref)
	v.SetClOrdID(uint64(r.ClOrdID))
	v.SetOrigClOrdID(uint64(r.OrigClOrdID))
	v.SetSendingTime(r.SendingTime)
	v.SetAccount(uint32(r.Account))
	v.SetInstrument(uint32(r.Instrument))
	v.SetSide(uint8(r.Side))
	return dst
}

// AppendMassCancel appends a MassCancel frame. Fields of r that a mass cancel
// does not have are left out.
func AppendMassCancel(dst []byte, r *order.Request) []byte {
	dst, v := appendMassCancelView(dst)
	v.SetRef(r.Ref)
	v.SetClOrdID(uint64(r.ClOrdID))
	v.SetSendingTime(r.SendingTime)
	v.SetAccount(uint32(r.Account))
	v.SetInstrument(uint32(r.Instrument))
	v.SetSide(uint8(r.Side))
	return dst
}

// Request decodes a client's request into r, whole: Session and Connection
// become zero, for the receiver knows them from the connection. The error names
// the template if it is none of the four; r is then unchanged.
func (m Message) Request(r *order.Request) error {
	switch m.Template {
	case TemplateNewOrder:
		(*newOrderView)(m.Block).decode(r)
	case TemplateReplaceOrder:
		(*replaceOrderView)(m.Block).decode(r)
	case TemplateCancelOrder:
		(*cancelOrderView)(m.Block).decode(r)
	case TemplateMassCancel:
		(*massCancelView)(m.Block).decode(r)
	default:
		return fmt.Errorf("template %d is no request: want %d to %d", m.Template, TemplateNewOrder, TemplateMassCancel)
	}
	return nil
}

func (v *newOrderView) decode(r *order.Request) {
	*r = order.Request{
		Ref:         v.Ref(),
		ClOrdID:     order.ClOrdID(v.ClOrdID()),
		ValidUntil:  v.ValidUntil(),
		SendingTime: v.SendingTime(),
		Price:       order.Price(v.Price()),
		StopPx:      order.Price(v.StopPx()),
		OrderQty:    order.Qty(v.OrderQty()),
		DisplayQty:  order.Qty(v.DisplayQty()),
		Account:     order.AccountID(v.Account()),
		Trader:      order.TraderID(v.Trader()),
		Instrument:  order.InstrumentID(v.Instrument()),
		Strategy:    order.StrategyID(v.Strategy()),
		Basket:      order.BasketID(v.Basket()),
		BasketLegs:  v.BasketLegs(),
		MsgType:     order.MsgNewOrder,
		Side:        order.Side(v.Side()),
		OrdType:     order.OrdType(v.OrdType()),
		TimeInForce: order.TimeInForce(v.TimeInForce()),
	}
}

func (v *replaceOrderView) decode(r *order.Request) {
	*r = order.Request{
		Ref:         v.Ref(),
		ClOrdID:     order.ClOrdID(v.ClOrdID()),
		OrigClOrdID: order.ClOrdID(v.OrigClOrdID()),
		ValidUntil:  v.ValidUntil(),
		SendingTime: v.SendingTime(),
		Price:       order.Price(v.Price()),
		StopPx:      order.Price(v.StopPx()),
		OrderQty:    order.Qty(v.OrderQty()),
		DisplayQty:  order.Qty(v.DisplayQty()),
		Account:     order.AccountID(v.Account()),
		Trader:      order.TraderID(v.Trader()),
		Instrument:  order.InstrumentID(v.Instrument()),
		Strategy:    order.StrategyID(v.Strategy()),
		MsgType:     order.MsgReplaceOrder,
		Side:        order.Side(v.Side()),
		OrdType:     order.OrdType(v.OrdType()),
		TimeInForce: order.TimeInForce(v.TimeInForce()),
	}
}

func (v *cancelOrderView) decode(r *order.Request) {
	*r = order.Request{
		Ref:         v.Ref(),
		ClOrdID:     order.ClOrdID(v.ClOrdID()),
		OrigClOrdID: order.ClOrdID(v.OrigClOrdID()),
		SendingTime: v.SendingTime(),
		Account:     order.AccountID(v.Account()),
		Instrument:  order.InstrumentID(v.Instrument()),
		MsgType:     order.MsgCancelOrder,
		Side:        order.Side(v.Side()),
	}
}

func (v *massCancelView) decode(r *order.Request) {
	*r = order.Request{
		Ref:         v.Ref(),
		ClOrdID:     order.ClOrdID(v.ClOrdID()),
		SendingTime: v.SendingTime(),
		Account:     order.AccountID(v.Account()),
		Instrument:  order.InstrumentID(v.Instrument()),
		MsgType:     order.MsgMassCancel,
		Side:        order.Side(v.Side()),
	}
}
