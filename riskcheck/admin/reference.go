package admin

import (
	"context"

	"tollgate/order"
	adminv1 "tollgate/proto/tollgate/admin/v1"
	"tollgate/riskcheck"
	"tollgate/riskcheck/admin/document"
)

// GetReference returns the reference data in force.
func (s *Service) GetReference(context.Context, *adminv1.GetReferenceRequest) (*adminv1.GetReferenceResponse, error) {
	data, names := &s.reference.Data, s.names()
	resp := &adminv1.GetReferenceResponse{
		Document:        string(s.reference.Render()),
		ResourceVersion: s.reference.ResourceVersion,
		Firm: &adminv1.Firm{
			Id: uint32(data.Firm.ID), Name: names.FirmName(), Currency: data.Firm.Currency.String(),
			FxMaxAge: document.FormatAge(data.Firm.FxMaxAgeNs),
		},
	}
	for _, g := range data.Groups {
		resp.Groups = append(resp.Groups, &adminv1.Group{Id: uint32(g.ID), Name: s.nameOf(order.ScopeGroup, uint32(g.ID))})
	}
	for _, a := range data.Accounts {
		resp.Accounts = append(resp.Accounts, &adminv1.Account{
			Id: uint32(a.ID), Name: s.nameOf(order.ScopeAccount, uint32(a.ID)),
			Group: s.nameOf(order.ScopeGroup, uint32(a.Group)), Currency: a.Currency.String(),
			SelfMatch: uint32(a.SelfMatch),
		})
	}
	for _, t := range data.Traders {
		resp.Traders = append(resp.Traders, &adminv1.Trader{
			Id: uint32(t.ID), Name: s.nameOf(order.ScopeTrader, uint32(t.ID)), Accounts: s.accountNames(t.Accounts),
		})
	}
	for _, x := range data.Sessions {
		resp.Sessions = append(resp.Sessions, &adminv1.Session{
			Id: uint32(x.ID), Name: s.nameOf(order.ScopeSession, uint32(x.ID)), Client: x.Client,
			Accounts: s.accountNames(x.Accounts),
		})
	}
	for _, x := range data.Strategies {
		resp.Strategies = append(resp.Strategies, &adminv1.Strategy{
			Id: uint32(x.ID), Name: s.nameOf(order.ScopeStrategy, uint32(x.ID)),
		})
	}
	for _, c := range data.Classes {
		resp.Classes = append(resp.Classes, &adminv1.Class{Id: uint32(c.ID), Name: names.ClassName(c.ID)})
	}
	for _, id := range names.Calendars() {
		resp.Calendars = append(resp.Calendars, &adminv1.Calendar{Id: uint32(id), Name: names.CalendarName(id)})
	}
	for i := range data.Instruments {
		resp.Instruments = append(resp.Instruments, s.instrument(&data.Instruments[i]))
	}
	return resp, nil
}

func (s *Service) nameOf(level order.ScopeType, id uint32) string {
	return s.names().ScopeName(order.Scope{Type: level, ID: id})
}

func (s *Service) instrument(i *riskcheck.Instrument) *adminv1.Instrument {
	return &adminv1.Instrument{
		Id:                 uint32(i.ID),
		Name:               s.names().InstrumentName(i.ID),
		Currency:           i.Currency.String(),
		Tick:               i.Tick.String(),
		Lot:                i.Lot.String(),
		MinQty:             i.MinQty.String(),
		MaxQty:             document.FormatValue(riskcheck.LimitMaxOrderQty, int64(i.MaxQty)),
		Multiplier:         i.Multiplier.String(),
		Settlement:         priceText(i.Settlement),
		LowLimit:           priceText(i.LowLimit),
		HighLimit:          priceText(i.HighLimit),
		ReferenceMaxAge:    document.FormatAge(i.ReferenceMaxAgeNs),
		Tradable:           i.Tradable,
		AllowZeroPrice:     i.AllowZeroPrice,
		AllowNegativePrice: i.AllowNegativePrice,
		OrderTypes:         document.OrderTypeNames(i.OrdTypes),
		TimesInForce:       document.TimeInForceNames(i.TimesInForce),
		Sides:              document.SideNames(i.Sides),
		Class:              s.names().ClassName(i.Class),
		Calendar:           s.names().CalendarName(i.Calendar),
		AverageDailyVolume: i.AverageDailyVolume.String(),
		Outstanding:        i.Outstanding.String(),
		Margin:             document.FormatShare(i.MarginBps),
		Fee:                document.FormatShare(i.FeeBps),
		DisplayQty:         i.AllowDisplayQty,
		ReplaceQty:         document.ReplaceQtyName(i.ReplaceOpenQty),
	}
}

// priceText writes a price that may be absent.
func priceText(p order.Price) string {
	if p == order.Null {
		return ""
	}
	return p.String()
}
