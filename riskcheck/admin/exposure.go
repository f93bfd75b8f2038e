package admin

import (
	"context"

	"tollgate/order"
	adminv1 "tollgate/proto/tollgate/admin/v1"
	"tollgate/riskcheck"
	"tollgate/riskcheck/admin/document"
)

// exposureQuery is one GetExposure request.
type exposureQuery struct {
	service     *Service
	reader      *usageReader
	scopes      []order.Scope
	limits      map[order.Scope][]riskcheck.LimitEntry // by scope without instrument
	kills       []*adminv1.KillEntry
	killed      []order.Scope
	instruments []order.InstrumentID // that the answer lists; none: they are left out
}

// GetExposure returns usage and limits of scopes.
func (s *Service) GetExposure(ctx context.Context, req *adminv1.GetExposureRequest,
) (*adminv1.GetExposureResponse, error) {
	scopes, err := s.exposureScopes(req)
	if err != nil {
		return nil, err
	}
	v := s.current()
	q := &exposureQuery{
		service: s, reader: newUsageReader(), scopes: scopes, limits: map[order.Scope][]riskcheck.LimitEntry{},
	}
	if !req.GetWithoutInstruments() {
		q.instruments = s.names().Instruments()
	}
	for _, e := range v.limits.Set.Entries {
		whole := e.Scope
		whole.Instrument = 0
		q.limits[whole] = append(q.limits[whole], e)
	}
	q.want()
	if err := q.reader.read(ctx, s.loop); err != nil {
		return nil, err
	}
	if q.killed, q.kills, err = s.killEntries(ctx); err != nil {
		return nil, err
	}
	return &adminv1.GetExposureResponse{ResourceVersion: v.number, Scopes: q.answer(req.GetOnlyUsed())}, nil
}

// exposureScopes returns the scopes a request is about.
func (s *Service) exposureScopes(req *adminv1.GetExposureRequest) ([]order.Scope, error) {
	if req.GetScope() != nil {
		scope, err := s.resolve(req.GetScope())
		return []order.Scope{scope}, err
	}
	types := req.GetTypes()
	if len(types) == 0 {
		types = []adminv1.ScopeType{
			adminv1.ScopeType_SCOPE_TYPE_FIRM, adminv1.ScopeType_SCOPE_TYPE_GROUP, adminv1.ScopeType_SCOPE_TYPE_ACCOUNT,
		}
	}
	var scopes []order.Scope
	for _, typ := range types {
		if typ <= adminv1.ScopeType_SCOPE_TYPE_UNSPECIFIED || typ > adminv1.ScopeType_SCOPE_TYPE_SESSION {
			return nil, invalid("types", "%d is no level, want firm, group, account, trader or session", typ)
		}
		scopes = append(scopes, s.names().Scopes(order.ScopeType(typ))...)
	}
	return scopes, nil
}

// stated returns the limits of a scope: all of it, or those × its instrument.
func (q *exposureQuery) stated(scope order.Scope) []riskcheck.LimitEntry {
	whole := scope
	whole.Instrument = 0
	if scope.Instrument == 0 {
		return q.limits[whole]
	}
	var narrowed []riskcheck.LimitEntry
	for _, e := range q.limits[whole] {
		if e.Scope == scope {
			narrowed = append(narrowed, e)
		}
	}
	return narrowed
}

// want asks for everything the answer is made of.
func (q *exposureQuery) want() {
	for _, scope := range q.scopes {
		if q.reader.full() {
			return
		}
		q.reader.want(scope)
		for _, e := range q.stated(scope) {
			if len(q.instruments) > 0 || !perInstrument(e.Kind, e.Scope) {
				q.service.wantUse(q.reader, e.Scope, e.Kind)
			}
		}
		for _, cell := range q.cells(scope) {
			q.reader.want(cell)
		}
	}
}

// cells returns a scope × each instrument that the answer lists.
func (q *exposureQuery) cells(scope order.Scope) []order.Scope {
	if len(q.instruments) > 0 && scope.Instrument != 0 {
		return []order.Scope{scope}
	}
	cells := make([]order.Scope, len(q.instruments))
	for i, instrument := range q.instruments {
		scope.Instrument = instrument
		cells[i] = scope
	}
	return cells
}

// answer makes the messages.
func (q *exposureQuery) answer(onlyUsed bool) []*adminv1.ScopeExposure {
	out := make([]*adminv1.ScopeExposure, 0, len(q.scopes))
	for _, scope := range q.scopes {
		u, _ := q.reader.usage(scope)
		limits := q.stated(scope)
		m := q.scopeMessage(scope, u)
		if onlyUsed && idle(u) && len(limits) == 0 && len(m.GetInstruments()) == 0 {
			continue
		}
		for _, e := range limits {
			m.Limits = append(m.Limits, q.limitUse(e))
		}
		out = append(out, m)
	}
	return out
}

// idle reports whether nothing is open and nothing is held.
func idle(u *riskcheck.Usage) bool {
	return u.OpenOrders == 0 && u.GrossValue == 0 && u.Net() == 0 && !u.Overflown
}

func (q *exposureQuery) scopeMessage(scope order.Scope, u *riskcheck.Usage) *adminv1.ScopeExposure {
	m := &adminv1.ScopeExposure{
		Scope:              q.service.scope(scope),
		OpenOrders:         uint64(u.OpenOrders),
		OpenBuyNotional:    u.OpenBuyNotional.String(),
		OpenSellNotional:   u.OpenSellNotional.String(),
		GrossPositionValue: u.GrossValue.String(),
		NetPositionValue:   u.NetValue.String(),
		GrossExposure:      order.Money(measure(riskcheck.LimitGrossExposure, u)).String(),
		NetExposure:        order.Money(measure(riskcheck.LimitNetExposure, u)).String(),
	}
	for _, cell := range q.cells(scope) {
		if used, ok := q.reader.usage(cell); ok && !untouched(used) {
			m.Instruments = append(m.Instruments, q.instrumentMessage(cell.Instrument, used))
		}
	}
	for i, killed := range q.killed {
		if q.service.covers(killed, scope) {
			m.Kills = append(m.Kills, q.kills[i])
		}
	}
	return m
}

// untouched reports whether nothing was ever open or traded.
func untouched(u *riskcheck.Usage) bool {
	return idle(u) && u.FilledBuyQty == 0 && u.FilledSellQty == 0
}

func (q *exposureQuery) instrumentMessage(id order.InstrumentID, u *riskcheck.Usage) *adminv1.InstrumentExposure {
	return &adminv1.InstrumentExposure{
		Instrument:       q.service.names().InstrumentName(id),
		OpenOrders:       uint64(u.OpenOrders),
		OpenBuyQty:       u.OpenBuyQty.String(),
		OpenSellQty:      u.OpenSellQty.String(),
		NetPosition:      u.Net().String(),
		PositionValue:    u.NetValue.String(),
		OpenBuyNotional:  u.OpenBuyNotional.String(),
		OpenSellNotional: u.OpenSellNotional.String(),
	}
}

func (q *exposureQuery) limitUse(e riskcheck.LimitEntry) *adminv1.LimitUse {
	m := &adminv1.LimitUse{Limit: q.service.limit(e)}
	used := q.service.use(q.reader, e.Scope, e.Kind)
	if !used.known {
		return m
	}
	m.Used = document.FormatValue(e.Kind, used.value)
	m.UsedBps = usedBps(used.value, e.Value)
	m.Instrument = q.service.names().InstrumentName(used.instrument)
	return m
}

// covers reports whether a kill stops everything in a scope.
func (s *Service) covers(killed, scope order.Scope) bool {
	if killed.Instrument != 0 && killed.Instrument != scope.Instrument {
		return false
	}
	if killed.Type == order.ScopeFirm || killed.Type == scope.Type {
		return killed.Type == order.ScopeFirm || killed.ID == scope.ID
	}
	return killed.Type == order.ScopeGroup && scope.Type == order.ScopeAccount && s.groupOf[scope.ID] == killed.ID
}
