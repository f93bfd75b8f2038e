package admin

import (
	"context"

	"tollgate/order"
	adminv1 "tollgate/proto/tollgate/admin/v1"
	"tollgate/riskcheck"
)

// Codes of FIX by their names.
var (
	allSides = []order.Side{
		order.SideBuy, order.SideSell, order.SideSellShort, order.SideSellShortExempt,
	}
	allOrdTypes = []order.OrdType{
		order.OrdTypeMarket, order.OrdTypeLimit, order.OrdTypeStop, order.OrdTypeStopLimit,
	}
	allTimesInForce = []order.TimeInForce{
		order.TimeInForceDay, order.TimeInForceGTC, order.TimeInForceIOC, order.TimeInForceFOK, order.TimeInForceGTD,
	}
)

// codeOf finds a code by its name.
func codeOf[C interface {
	~uint8
	String() string
}](field, name string, codes []C) (C, error) {
	for _, c := range codes {
		if c.String() == name {
			return c, nil
		}
	}
	return 0, invalid(field, "%q, want %s", name, oneOf(codes))
}

// Simulate judges an order as if it came now and changes nothing.
func (s *Service) Simulate(ctx context.Context, req *adminv1.SimulateRequest) (*adminv1.SimulateResponse, error) {
	r, err := s.simulated(req)
	if err != nil {
		return nil, err
	}
	var sim riskcheck.Simulation
	if err := s.loop.Do(ctx, func(e *riskcheck.Engine, _ int64) { sim = e.Simulate(r) }); err != nil {
		return nil, unavailable(err)
	}
	account := order.Scope{Type: order.ScopeAccount, ID: uint32(r.Account)}
	d := &sim.Decision
	resp := &adminv1.SimulateResponse{
		Accepted: d.Reason == order.ReasonNone, Reason: d.Reason.String(), Text: d.Reason.Text(), Scope: s.scope(d.Scope),
		Price: priceText(sim.Price), ReferencePrice: priceText(sim.Reference),
		Notional: sim.Notional.String(), FirmCurrency: s.reference.Data.Firm.Currency.String(),
		NotionalAccount: sim.NotionalAccount.String(), AccountCurrency: s.currencyOf(account).String(),
		ResourceVersion: sim.ConfigVersion,
	}
	if !resp.GetAccepted() {
		resp.Control = d.Reason.Control().String()
		resp.Value, resp.Limit = FormatMeasure(d.Reason, d.Value), FormatMeasure(d.Reason, d.Limit)
	}
	decided := false
	for i := range sim.Checks {
		c := &sim.Checks[i]
		m := s.checkMessage(c)
		m.Decides = !decided && !c.Passed && decides(c, d)
		decided = decided || m.GetDecides()
		resp.Checks = append(resp.Checks, m)
	}
	resp.Checks = withSilent(resp.GetChecks(), d.Reason.Control(), r.MsgType)
	return resp, nil
}

// withSilent adds a step for every control that has passed without a word: the
// rules of orders, and limits that have nothing to measure. What comes after the
// control that refuses is known only by its steps.
func withSilent(checks []*adminv1.Check, refusing order.Control, kind order.MsgType) []*adminv1.Check {
	if refusing == order.ControlNone {
		refusing = order.ControlBasket // of lists alone
	}
	out := make([]*adminv1.Check, 0, len(checks)+order.ControlsMax)
	at := 0
	for _, control := range order.Controls() {
		before := at
		for at < len(checks) && checks[at].GetControl() == control.String() {
			at++
		}
		out = append(out, checks[before:at]...)
		if at == before && control < refusing && judged(control, kind) {
			out = append(out, &adminv1.Check{
				Control: control.String(), Result: adminv1.CheckResult_CHECK_RESULT_PASSED,
			})
		}
	}
	return append(out, checks[at:]...)
}

// judged reports whether a control looks at a request of the kind: some look at
// new orders alone.
func judged(control order.Control, kind order.MsgType) bool {
	switch control {
	case order.ControlDuplicate, order.ControlRepeatedExecution, order.ControlOpenOrders:
		return kind == order.MsgNewOrder
	}
	return true
}

// decides reports whether a step is the one that the decision speaks of.
func decides(c *riskcheck.Check, d *order.Decision) bool {
	return c.Reason == d.Reason && c.Scope == d.Scope && c.Value == d.Value && c.Limit == d.Limit
}

// simulated turns the request into what the engine takes.
func (s *Service) simulated(req *adminv1.SimulateRequest) (*order.Request, error) {
	r := &order.Request{MsgType: order.MsgNewOrder} // without a ClOrdID, so it is no duplicate
	if req.GetReplacesClOrdId() != 0 {
		r.MsgType, r.OrigClOrdID = order.MsgReplaceOrder, order.ClOrdID(req.GetReplacesClOrdId())
	}
	for _, fill := range [...]func(*adminv1.SimulateRequest, *order.Request) error{
		s.simulatedNames, simulatedCodes, simulatedNumbers,
	} {
		if err := fill(req, r); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// simulatedNames finds who sends the order and for what.
func (s *Service) simulatedNames(req *adminv1.SimulateRequest, r *order.Request) error {
	for _, part := range [...]struct {
		field string
		level order.ScopeType
		name  string
		set   func(id uint32)
	}{
		{"session", order.ScopeSession, req.GetSession(), func(id uint32) { r.Session = order.SessionID(id) }},
		{"account", order.ScopeAccount, req.GetAccount(), func(id uint32) { r.Account = order.AccountID(id) }},
		{"trader", order.ScopeTrader, req.GetTrader(), func(id uint32) { r.Trader = order.TraderID(id) }},
		{"strategy", order.ScopeStrategy, req.GetStrategy(), func(id uint32) { r.Strategy = order.StrategyID(id) }},
	} {
		if part.level == order.ScopeStrategy && part.name == "" {
			continue
		}
		scope, err := s.names().Scope(part.level, part.name)
		if err != nil {
			return unresolved(part.field, err)
		}
		part.set(scope.ID)
	}
	var err error
	r.Instrument, err = s.instrumentID(req.GetInstrument())
	return err
}

// simulatedCodes reads side, type and time in force.
func simulatedCodes(req *adminv1.SimulateRequest, r *order.Request) (err error) {
	if r.Side, err = codeOf("side", req.GetSide(), allSides); err != nil {
		return err
	}
	r.TimeInForce, r.OrdType = order.TimeInForceDay, order.OrdTypeMarket
	if req.GetPrice() != "" {
		r.OrdType = order.OrdTypeLimit
	}
	if req.GetOrderType() != "" {
		if r.OrdType, err = codeOf("order_type", req.GetOrderType(), allOrdTypes); err != nil {
			return err
		}
	}
	if req.GetTimeInForce() != "" {
		r.TimeInForce, err = codeOf("time_in_force", req.GetTimeInForce(), allTimesInForce)
	}
	return err
}

// simulatedNumbers reads quantities and prices.
func simulatedNumbers(req *adminv1.SimulateRequest, r *order.Request) (err error) {
	if r.OrderQty, err = decimal("qty", req.GetQty(), qtyWanted, order.ParseQty); err != nil {
		return err
	}
	r.Price, r.StopPx = order.Null, order.Null
	if req.GetPrice() != "" {
		if r.Price, err = decimal("price", req.GetPrice(), priceWanted, order.ParsePrice); err != nil {
			return err
		}
	}
	if req.GetStopPx() != "" {
		if r.StopPx, err = decimal("stop_px", req.GetStopPx(), priceWanted, order.ParsePrice); err != nil {
			return err
		}
	}
	if req.GetDisplayQty() != "" {
		r.DisplayQty, err = decimal("display_qty", req.GetDisplayQty(), qtyWanted, order.ParseQty)
	}
	return err
}

// checkMessage is one step of the evaluation.
func (s *Service) checkMessage(c *riskcheck.Check) *adminv1.Check {
	m := &adminv1.Check{Scope: s.scope(c.Scope), Result: adminv1.CheckResult_CHECK_RESULT_PASSED}
	format := func(v int64) string { return FormatMeasure(c.Reason, v) }
	m.Control = c.Reason.Control().String()
	if c.Reason != order.ReasonNone {
		m.Reason = c.Reason.String()
	}
	if c.Kind != 0 {
		m.Kind, m.Control = c.Kind.String(), c.Kind.Control().String()
		format = func(v int64) string { return FormatUse(c.Kind, v) }
	}
	if c.Kind != 0 || c.Value != 0 || c.Limit != 0 {
		m.Value, m.Limit = format(c.Value), format(c.Limit)
	}
	switch {
	case !c.Passed:
		m.Result = adminv1.CheckResult_CHECK_RESULT_REFUSED
	case c.Exempt:
		m.Result = adminv1.CheckResult_CHECK_RESULT_EXEMPT
	}
	if m.GetLimit() != "" && c.Limit != order.Unlimited {
		m.Headroom = format(headroom(c))
	}
	return m
}

// headroom is what would be left. Bands are left on either side, so what is
// missing is written as a negative number whatever the side.
func headroom(c *riskcheck.Check) int64 {
	d := order.Decision{Value: c.Value, Limit: c.Limit}
	left := d.Headroom()
	if !c.Passed && left > 0 {
		return -left
	}
	return left
}
