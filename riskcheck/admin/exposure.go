package admin

import (
	"context"

	"tollgate/order"
	adminv1 "tollgate/proto/tollgate/admin/v1"
	"tollgate/riskcheck"
)

// exposureQuery is one GetExposure request.
type exposureQuery struct {
	service     *Service
	reader      *usageReader
	scopes      []order.Scope
	limits      map[order.Scope][]*riskcheck.LimitEntry // by scope without instrument and class
	kills       []*adminv1.KillEntry
	killed      []order.Scope
	latches     []riskcheck.LatchedScope
	instruments []order.InstrumentID // that the answer lists; none: they are left out
}

// GetExposure returns usage and limits of scopes.
func (s *Service) GetExposure(ctx context.Context, req *adminv1.GetExposureRequest,
) (*adminv1.GetExposureResponse, error) {
	scopes, err := s.exposureScopes(req)
	if err != nil {
		return nil, err
	}
	v, err := s.current(ctx)
	if err != nil {
		return nil, err
	}
	q := &exposureQuery{
		service: s, reader: newUsageReader(), scopes: scopes, limits: map[order.Scope][]*riskcheck.LimitEntry{},
	}
	if !req.GetWithoutInstruments() {
		q.instruments = s.names().Instruments()
	}
	for i := range v.limits.Set.Entries {
		e := &v.limits.Set.Entries[i]
		q.limits[whole(e.Scope)] = append(q.limits[whole(e.Scope)], e)
	}
	q.want()
	if err := q.reader.read(ctx, s.loop); err != nil {
		return nil, err
	}
	if q.killed, q.kills, err = s.killEntries(ctx); err != nil {
		return nil, err
	}
	if q.latches, err = s.latchesNow(ctx); err != nil {
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
	narrow := order.Scope{}
	if req.GetInstrument() != "" {
		var err error
		if narrow.Instrument, err = s.instrumentID(req.GetInstrument()); err != nil {
			return nil, err
		}
	}
	var scopes []order.Scope
	for _, typ := range types {
		if typ <= adminv1.ScopeType_SCOPE_TYPE_UNSPECIFIED || typ > adminv1.ScopeType_SCOPE_TYPE_STRATEGY {
			return nil, invalid("types", "%d is no level, want %s", typ, levelsWanted)
		}
		for _, scope := range s.names().Scopes(order.ScopeType(typ)) {
			scope.Instrument = narrow.Instrument
			scopes = append(scopes, scope)
		}
	}
	return scopes, nil
}

// stated returns the limits of a scope: all of it, or those × its instrument or
// class.
func (q *exposureQuery) stated(scope order.Scope) []*riskcheck.LimitEntry {
	if whole(scope) == scope {
		return q.limits[scope]
	}
	var narrow []*riskcheck.LimitEntry
	for _, e := range q.limits[whole(scope)] {
		if e.Scope == scope {
			narrow = append(narrow, e)
		}
	}
	return narrow
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
		for _, class := range q.classes(scope) {
			q.reader.want(class)
		}
	}
}

// cells returns a scope × each instrument that the answer lists.
func (q *exposureQuery) cells(scope order.Scope) []order.Scope {
	if len(q.instruments) > 0 && scope.Instrument != 0 {
		return []order.Scope{scope}
	}
	cells := make([]order.Scope, 0, len(q.instruments))
	for _, instrument := range q.instruments {
		if scope.Class == 0 || q.service.classOf[instrument] == scope.Class {
			cells = append(cells, order.Scope{Type: scope.Type, ID: scope.ID, Instrument: instrument})
		}
	}
	return cells
}

// classes returns a whole scope × each class, unless instruments are left out.
func (q *exposureQuery) classes(scope order.Scope) []order.Scope {
	if len(q.instruments) == 0 || whole(scope) != scope {
		return nil
	}
	ids := q.service.names().Classes()
	classes := make([]order.Scope, len(ids))
	for i, id := range ids {
		classes[i] = order.Scope{Type: scope.Type, ID: scope.ID, Class: id}
	}
	return classes
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
func idle(u *reading) bool {
	return u.OpenOrders == 0 && u.GrossValue == 0 && u.Net() == 0 && !u.Overflown
}

// untouched reports whether nothing was ever open or traded, nor located.
func untouched(u *reading) bool {
	return idle(u) && u.FilledBuyQty == 0 && u.FilledSellQty == 0 && u.located == 0
}

func (q *exposureQuery) limitUse(e *riskcheck.LimitEntry) *adminv1.LimitUse {
	m := &adminv1.LimitUse{Limit: q.service.limit(e)}
	used := q.service.use(q.reader, e.Scope, e.Kind)
	m.Rung = rung(e, used)
	if !used.known {
		return m
	}
	m.Used = FormatUse(e.Kind, used.value)
	m.UsedBps = usedBps(used.value, e.Value)
	m.Instrument = q.service.names().InstrumentName(used.instrument)
	return m
}

// covers reports whether a kill stops everything in a scope.
func (s *Service) covers(killed, scope order.Scope) bool {
	if killed.Instrument != 0 && killed.Instrument != scope.Instrument {
		return false
	}
	if killed.Class != 0 && killed.Class != scope.Class && killed.Class != s.classOf[scope.Instrument] {
		return false
	}
	if killed.Type == order.ScopeFirm || killed.Type == scope.Type {
		return killed.Type == order.ScopeFirm || killed.ID == scope.ID
	}
	return killed.Type == order.ScopeGroup && scope.Type == order.ScopeAccount && s.groupOf[scope.ID] == killed.ID
}
