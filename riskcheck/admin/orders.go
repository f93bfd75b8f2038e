package admin

import (
	"context"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"tollgate/order"
	adminv1 "tollgate/proto/tollgate/admin/v1"
	"tollgate/riskcheck"
)

// ListOrders returns the live orders of a scope.
func (s *Service) ListOrders(ctx context.Context, req *adminv1.ListOrdersRequest) (*adminv1.ListOrdersResponse, error) {
	scope, err := s.resolve(req.GetScope())
	if err != nil {
		return nil, err
	}
	most := int(req.GetMaxOrders())
	if most == 0 {
		most = ordersDefault
	}
	if most > ordersPerTurnMax {
		return nil, invalid("max_orders", "%d, want at most %d", most, ordersPerTurnMax)
	}
	orders := make([]riskcheck.OrderState, 0, most)
	var live int64
	err = s.loop.Do(ctx, func(e *riskcheck.Engine, _ int64) {
		live = e.OpenOrders(scope)
		e.LiveOrders(scope, func(o *riskcheck.OrderState) bool {
			orders = append(orders, *o)
			return len(orders) < most
		})
	})
	if err != nil {
		return nil, unavailable(err)
	}
	resp := &adminv1.ListOrdersResponse{LiveOrders: uint64(max(0, live))}
	for i := range orders {
		resp.Orders = append(resp.Orders, s.orderMessage(&orders[i]))
	}
	return resp, nil
}

func (s *Service) orderMessage(o *riskcheck.OrderState) *adminv1.OrderState {
	m := &adminv1.OrderState{
		OrderId:                 uint64(o.ID),
		ClOrdId:                 uint64(o.ClOrdID),
		Session:                 s.nameOf(order.ScopeSession, uint32(o.Session)),
		Account:                 s.nameOf(order.ScopeAccount, uint32(o.Account)),
		Trader:                  s.nameOf(order.ScopeTrader, uint32(o.Trader)),
		Instrument:              s.names().InstrumentName(o.Instrument),
		Side:                    o.Side.String(),
		OrderType:               o.OrdType.String(),
		TimeInForce:             o.TimeInForce.String(),
		Status:                  o.Status.String(),
		OrderQty:                o.OrderQty.String(),
		CumQty:                  o.CumQty.String(),
		Price:                   priceText(o.Price),
		StopPx:                  priceText(o.StopPx),
		ReservedQty:             o.ReservedQty.String(),
		ReservedNotional:        o.ReservedNotional.String(),
		ReservedNotionalAccount: o.ReservedNotionalAccount.String(),
		PendingReplaces:         uint32(o.PendingReplaces),
		PendingCancels:          uint32(o.PendingCancels),
		ConfigVersion:           o.ConfigVersion,
	}
	if o.Strategy != 0 {
		m.Strategy = s.nameOf(order.ScopeStrategy, uint32(o.Strategy))
	}
	return m
}

// hold is what an order takes of one scope, and what the scope has.
type hold struct {
	scope order.Scope
	usage riskcheck.Usage
}

// DescribeOrder returns one order and every scope in which it counts. All of it
// is of one instant.
func (s *Service) DescribeOrder(ctx context.Context, req *adminv1.DescribeOrderRequest,
) (*adminv1.DescribeOrderResponse, error) {
	find, err := s.finder(req)
	if err != nil {
		return nil, err
	}
	var o riskcheck.OrderState
	var missing error
	var holds []hold
	err = s.loop.Do(ctx, func(e *riskcheck.Engine, _ int64) {
		if o, missing = find(e); missing != nil {
			return
		}
		for _, scope := range s.holders(&o) {
			usage, _ := e.Usage(scope)
			holds = append(holds, hold{scope, usage})
		}
	})
	if err != nil {
		return nil, unavailable(err)
	}
	if missing != nil {
		return nil, missing
	}
	account := order.Scope{Type: order.ScopeAccount, ID: uint32(o.Account)}
	resp := &adminv1.DescribeOrderResponse{
		Order: s.orderMessage(&o), FirmCurrency: s.reference.Data.Firm.Currency.String(),
		AccountCurrency: s.currencyOf(account).String(),
	}
	for i := range holds {
		resp.Holds = append(resp.Holds, s.holdMessage(&o, &holds[i]))
	}
	return resp, nil
}

// finder returns what finds the order of a request in the engine.
func (s *Service) finder(req *adminv1.DescribeOrderRequest,
) (func(e *riskcheck.Engine) (riskcheck.OrderState, error), error) {
	if id := order.OrderID(req.GetOrderId()); id != 0 {
		return func(e *riskcheck.Engine) (riskcheck.OrderState, error) {
			o, ok := e.Order(id)
			if !ok {
				return o, status.Errorf(codes.NotFound, "order %d is neither live nor remembered", id)
			}
			return o, nil
		}, nil
	}
	if req.GetSession() == "" || req.GetClOrdId() == 0 {
		return nil, invalid("order_id", "0, want the number of an order, or session and cl_ord_id of a live one")
	}
	scope, err := s.names().Scope(order.ScopeSession, req.GetSession())
	if err != nil {
		return nil, unresolved("session", err)
	}
	return func(e *riskcheck.Engine) (riskcheck.OrderState, error) {
		return liveByClOrdID(e, scope, order.ClOrdID(req.GetClOrdId()))
	}, nil
}

// liveByClOrdID looks through the live orders of a session, as many as one turn
// of the loop has time for.
func liveByClOrdID(e *riskcheck.Engine, session order.Scope, id order.ClOrdID) (riskcheck.OrderState, error) {
	var found riskcheck.OrderState
	seen := 0
	e.LiveOrders(session, func(o *riskcheck.OrderState) bool {
		seen++
		if o.ClOrdID == id {
			found = *o
		}
		return found.ID == 0 && seen < ordersPerTurnMax
	})
	switch {
	case found.ID != 0:
		return found, nil
	case seen == ordersPerTurnMax:
		return found, status.Errorf(codes.OutOfRange, "ClOrdID %d is not among the first %d live orders of the session; "+
			"name the order by its number", id, seen)
	}
	return found, status.Errorf(codes.NotFound, "the session has no live order with ClOrdID %d", id)
}

// holders returns the scopes in which an order counts, in the order of
// evaluation.
func (s *Service) holders(o *riskcheck.OrderState) []order.Scope {
	var out []order.Scope
	class := s.classOf[o.Instrument]
	for _, level := range [...]order.Scope{
		{Type: order.ScopeFirm, ID: uint32(s.reference.Data.Firm.ID)},
		{Type: order.ScopeGroup, ID: s.groupOf[uint32(o.Account)]},
		{Type: order.ScopeAccount, ID: uint32(o.Account)},
		{Type: order.ScopeTrader, ID: uint32(o.Trader)},
		{Type: order.ScopeSession, ID: uint32(o.Session)},
		{Type: order.ScopeStrategy, ID: uint32(o.Strategy)},
	} {
		if level.ID == 0 {
			continue
		}
		out = append(out, level)
		if class != 0 {
			out = append(out, order.Scope{Type: level.Type, ID: level.ID, Class: class})
		}
		out = append(out, order.Scope{Type: level.Type, ID: level.ID, Instrument: o.Instrument})
	}
	return out
}

func (s *Service) holdMessage(o *riskcheck.OrderState, h *hold) *adminv1.OrderHold {
	m := &adminv1.OrderHold{
		Scope: s.scope(h.scope), Notional: o.ReservedNotional.String(), Currency: s.currencyOf(h.scope).String(),
		OpenOrders: uint64(max(0, h.usage.OpenOrders)), OpenNotional: h.usage.OpenSellNotional.String(),
	}
	if h.scope.Type == order.ScopeAccount {
		m.Notional = o.ReservedNotionalAccount.String()
	}
	open := h.usage.OpenSellQty
	if o.Side.IsBuy() {
		open, m.OpenNotional = h.usage.OpenBuyQty, h.usage.OpenBuyNotional.String()
	}
	if h.scope.Instrument != 0 || h.scope.Class != 0 {
		m.Qty, m.OpenQty = o.ReservedQty.String(), open.String()
	}
	return m
}
