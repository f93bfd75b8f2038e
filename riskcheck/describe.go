package riskcheck

import "tollgate/order"

// OrderState is what the engine knows of an order and what it reserves.
type OrderState struct {
	ID                      order.OrderID
	ClOrdID                 order.ClOrdID
	ConfigVersion           uint64 // limits it was accepted under
	OrderQty                order.Qty
	CumQty                  order.Qty
	Price                   order.Price // as the venue has it; Null: a market order
	StopPx                  order.Price // Null: no stop
	ReservedQty             order.Qty
	ReservedNotional        order.Money // in the firm's currency
	ReservedNotionalAccount order.Money // in the account's
	PendingReplaces         int
	PendingCancels          int // asked for by the client, or by the engine itself
	Session                 order.SessionID
	Account                 order.AccountID
	Trader                  order.TraderID
	Strategy                order.StrategyID
	Instrument              order.InstrumentID
	Side                    order.Side
	OrdType                 order.OrdType // as the client said
	TimeInForce             order.TimeInForce
	Status                  order.OrdStatus
}

// stateOf describes an order.
func (e *Engine) stateOf(o *liveOrder) OrderState {
	rt := &e.routes[o.route]
	s := OrderState{
		ID: o.id, ClOrdID: o.acked.clOrdID, ConfigVersion: o.newVersion, OrderQty: o.acked.qty, CumQty: o.cumQty,
		Price: o.acked.price, StopPx: o.acked.stopPx, ReservedQty: o.reservedQty,
		ReservedNotional: o.reserved[firmMoney], ReservedNotionalAccount: o.reserved[accountMoney],
		PendingReplaces: int(o.replaces), PendingCancels: int(o.cancels), Session: rt.sessionID,
		Account: rt.account, Trader: rt.trader, Strategy: rt.strategy, Instrument: rt.instrumentID,
		Side: o.side, OrdType: o.ordType, TimeInForce: o.timeInForce, Status: o.status,
	}
	if o.unaskedSeq != 0 {
		s.PendingCancels++
	}
	return s
}

// LiveOrders calls yield with every live order of a scope, session by session,
// until it returns false. It is for the control plane.
func (e *Engine) LiveOrders(scope order.Scope, yield func(*OrderState) bool) {
	if _, err := e.find(scope); err != nil {
		return
	}
	for i := range e.sessionRows {
		for at := e.sessionRows[i].live; at != noIndex; at = e.orders.orders[at].after {
			o := &e.orders.orders[at]
			if !e.within(o, scope) {
				continue
			}
			if state := e.stateOf(o); !yield(&state) {
				return
			}
		}
	}
}

// Order returns a live order, or one that has ended and is still remembered. It
// is for the control plane.
func (e *Engine) Order(id order.OrderID) (OrderState, bool) {
	o := e.order(id)
	if o == nil {
		return OrderState{}, false
	}
	return e.stateOf(o), true
}
