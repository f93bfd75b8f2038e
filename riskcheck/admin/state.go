package admin

import (
	"context"
	"fmt"
	"strconv"

	"tollgate/order"
	adminv1 "tollgate/proto/tollgate/admin/v1"
	"tollgate/riskcheck"
	"tollgate/riskcheck/admin/document"
)

// account returns the account of a request.
func (s *Service) account(name string) (order.Scope, error) {
	scope, err := s.names().Scope(order.ScopeAccount, name)
	if err != nil {
		return order.Scope{}, unresolved("account", err)
	}
	return scope, nil
}

// holding returns the account × instrument of a request.
func (s *Service) holding(account, instrument string) (order.Scope, error) {
	scope, err := s.account(account)
	if err != nil {
		return order.Scope{}, err
	}
	scope.Instrument, err = s.instrumentID(instrument)
	return scope, err
}

func (s *Service) instrumentID(name string) (order.InstrumentID, error) {
	id, ok := s.names().Instrument(name)
	if !ok {
		return 0, unresolved("instrument", &document.UnknownNameError{What: "instrument", Name: name})
	}
	return id, nil
}

// currencyOf returns the currency in which a scope has its money.
func (s *Service) currencyOf(scope order.Scope) riskcheck.Currency {
	if scope.Type == order.ScopeAccount {
		for i := range s.reference.Data.Accounts {
			if a := &s.reference.Data.Accounts[i]; uint32(a.ID) == scope.ID {
				return a.Currency
			}
		}
	}
	return s.reference.Data.Firm.Currency
}

// SetCash says what cash an account has.
func (s *Service) SetCash(ctx context.Context, req *adminv1.SetCashRequest) (*adminv1.SetCashResponse, error) {
	scope, err := s.account(req.GetAccount())
	if err != nil {
		return nil, err
	}
	cash, err := decimal("cash", req.GetCash(), moneyWanted, order.ParseMoney)
	if err != nil {
		return nil, err
	}
	currency := s.currencyOf(scope).String()
	c := &change{action: "set-cash", target: s.describe(scope), actor: req.GetActor(), reason: req.GetReason()}
	var before riskcheck.AccountUse
	id, err := s.command(ctx, c, func(e *riskcheck.Engine, nowNs int64) error {
		before, _ = e.AccountUse(order.AccountID(scope.ID))
		c.detail = fmt.Sprintf("cash %s %s, was %s with an equity of %s", cash, currency, before.Cash, before.Equity)
		return e.SetCash(nowNs, order.AccountID(scope.ID), cash)
	})
	if err != nil {
		return nil, err
	}
	return &adminv1.SetCashResponse{
		CashBefore: before.Cash.String(), EquityBefore: before.Equity.String(), Currency: currency, AuditId: id,
	}, nil
}

// SetPosition says what an account holds of an instrument.
func (s *Service) SetPosition(ctx context.Context, req *adminv1.SetPositionRequest,
) (*adminv1.SetPositionResponse, error) {
	scope, err := s.holding(req.GetAccount(), req.GetInstrument())
	if err != nil {
		return nil, err
	}
	qty, err := decimal("qty", req.GetQty(), qtyWanted+", negative for a short position", order.ParseQty)
	if err != nil {
		return nil, err
	}
	c := &change{action: "set-position", target: s.describe(scope), actor: req.GetActor(), reason: req.GetReason()}
	var before riskcheck.Usage
	id, err := s.command(ctx, c, func(e *riskcheck.Engine, nowNs int64) error {
		before, _ = e.Usage(scope)
		c.detail = fmt.Sprintf("position %s, was %s", qty, before.Net())
		return e.SetPosition(nowNs, order.AccountID(scope.ID), scope.Instrument, qty)
	})
	if err != nil {
		return nil, err
	}
	return &adminv1.SetPositionResponse{QtyBefore: before.Net().String(), AuditId: id}, nil
}

// SetLocate says how much an account may sell short of an instrument.
func (s *Service) SetLocate(ctx context.Context, req *adminv1.SetLocateRequest) (*adminv1.SetLocateResponse, error) {
	scope, err := s.holding(req.GetAccount(), req.GetInstrument())
	if err != nil {
		return nil, err
	}
	qty, err := decimal("qty", req.GetQty(), qtyWanted, order.ParseQty)
	if err == nil && qty < 0 {
		err = invalid("qty", "%s, want zero or more", qty)
	}
	if err != nil {
		return nil, err
	}
	c := &change{action: "set-locate", target: s.describe(scope), actor: req.GetActor(), reason: req.GetReason()}
	var located, shorted order.Qty
	id, err := s.command(ctx, c, func(e *riskcheck.Engine, nowNs int64) error {
		located, shorted = e.Locate(order.AccountID(scope.ID), scope.Instrument)
		c.detail = fmt.Sprintf("located %s, was %s, of which %s is taken", qty, located, shorted)
		return e.SetLocate(nowNs, order.AccountID(scope.ID), scope.Instrument, qty)
	})
	if err != nil {
		return nil, err
	}
	return &adminv1.SetLocateResponse{QtyBefore: located.String(), Shorted: shorted.String(), AuditId: id}, nil
}

// SetFxRate gives a currency a rate to the firm's.
func (s *Service) SetFxRate(ctx context.Context, req *adminv1.SetFxRateRequest) (*adminv1.SetFxRateResponse, error) {
	currency, err := s.foreign(req.GetCurrency())
	if err != nil {
		return nil, err
	}
	rate, err := decimal("rate", req.GetRate(), rateWanted, order.ParseFxRate)
	if err == nil && rate <= 0 {
		err = invalid("rate", "%s, want %s", rate, rateWanted)
	}
	if err == nil && req.GetSeenNs() < 0 {
		err = invalid("seen_ns", "%d, want ns since 1970 UTC, or 0 for now", req.GetSeenNs())
	}
	if err != nil {
		return nil, err
	}
	c := &change{
		action: "set-fx", target: currency.String(), actor: req.GetActor(), reason: req.GetReason(),
		detail: fmt.Sprintf("1 %s is %s %s", currency, rate, s.reference.Data.Firm.Currency),
	}
	id, err := s.command(ctx, c, func(e *riskcheck.Engine, nowNs int64) error {
		seen := req.GetSeenNs()
		if seen == 0 {
			seen = nowNs
		}
		return e.SetFxRate(nowNs, currency, rate, seen)
	})
	if err != nil {
		return nil, err
	}
	return &adminv1.SetFxRateResponse{AuditId: id}, nil
}

// foreign returns a currency that the reference data use beside the firm's.
func (s *Service) foreign(code string) (riskcheck.Currency, error) {
	data := &s.reference.Data
	if code == data.Firm.Currency.String() {
		return riskcheck.Currency{}, invalid("currency", "%s is the firm's own, whose rate is 1 always", code)
	}
	for i := range data.Accounts {
		if c := data.Accounts[i].Currency; c.String() == code {
			return c, nil
		}
	}
	for i := range data.Instruments {
		if c := data.Instruments[i].Currency; c.String() == code {
			return c, nil
		}
	}
	return riskcheck.Currency{}, unresolved("currency", &document.UnknownNameError{What: "currency", Name: code})
}

// SetMarketState says which state the market of an instrument is in.
func (s *Service) SetMarketState(ctx context.Context, req *adminv1.SetMarketStateRequest,
) (*adminv1.SetMarketStateResponse, error) {
	instrument, err := s.instrumentID(req.GetInstrument())
	if err != nil {
		return nil, err
	}
	state := order.MarketState(req.GetState() - adminv1.MarketState_MARKET_STATE_OPEN)
	if req.GetState() <= adminv1.MarketState_MARKET_STATE_UNSPECIFIED ||
		req.GetState() > adminv1.MarketState_MARKET_STATE_CLOSED {
		return nil, invalid("state", "%d, want open, pre-open, auction, halted or closed", req.GetState())
	}
	c := &change{
		action: "set-market-state", target: req.GetInstrument(), actor: req.GetActor(), reason: req.GetReason(),
		detail: fmt.Sprintf("%s, short sale restriction %s", state, onOff(req.GetShortRestricted())),
	}
	id, err := s.command(ctx, c, func(e *riskcheck.Engine, nowNs int64) error {
		return e.SetMarketState(nowNs, instrument, state, req.GetShortRestricted())
	})
	if err != nil {
		return nil, err
	}
	return &adminv1.SetMarketStateResponse{AuditId: id}, nil
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

// RollDay begins a new trading day of the firm.
func (s *Service) RollDay(ctx context.Context, req *adminv1.RollDayRequest) (*adminv1.RollDayResponse, error) {
	if req.GetDay() == 0 {
		return nil, invalid("day", "0, want %s", dayWanted)
	}
	c := &change{
		action: "roll-day", target: s.names().FirmName(), actor: req.GetActor(), reason: req.GetReason(),
		detail: "day " + strconv.FormatUint(uint64(req.GetDay()), 10),
	}
	id, err := s.command(ctx, c, func(e *riskcheck.Engine, nowNs int64) error { return e.RollDay(nowNs, req.GetDay()) })
	if err != nil {
		return nil, err
	}
	return &adminv1.RollDayResponse{AuditId: id}, nil
}

const dayWanted = "a number above that of the last day, such as 20261201"

// RollCalendar begins a new trading day of the instruments of one calendar.
func (s *Service) RollCalendar(ctx context.Context, req *adminv1.RollCalendarRequest,
) (*adminv1.RollCalendarResponse, error) {
	calendar, ok := s.names().Calendar(req.GetCalendar())
	if !ok {
		return nil, unresolved("calendar", &document.UnknownNameError{What: "calendar", Name: req.GetCalendar()})
	}
	if req.GetDay() == 0 {
		return nil, invalid("day", "0, want %s", dayWanted)
	}
	c := &change{
		action: "roll-calendar", target: req.GetCalendar(), actor: req.GetActor(), reason: req.GetReason(),
		detail: "day " + strconv.FormatUint(uint64(req.GetDay()), 10),
	}
	id, err := s.command(ctx, c, func(e *riskcheck.Engine, nowNs int64) error {
		return e.RollCalendar(nowNs, calendar, req.GetDay())
	})
	if err != nil {
		return nil, err
	}
	return &adminv1.RollCalendarResponse{AuditId: id}, nil
}
