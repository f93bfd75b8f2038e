package admin

import (
	"context"

	"tollgate/order"
	adminv1 "tollgate/proto/tollgate/admin/v1"
	"tollgate/riskcheck"
)

// latched names a latch: a scope may have several.
type latched struct {
	scope order.Scope
	latch riskcheck.Latch
}

// latchRecord is what led to a latch. It never changes.
type latchRecord struct {
	alert  riskcheck.Alert
	timeNs int64
}

// ListLatches returns the latches in force.
func (s *Service) ListLatches(ctx context.Context, _ *adminv1.ListLatchesRequest,
) (*adminv1.ListLatchesResponse, error) {
	inForce, err := s.latchesNow(ctx)
	if err != nil {
		return nil, err
	}
	resp := &adminv1.ListLatchesResponse{}
	for _, l := range inForce {
		resp.Latches = append(resp.Latches, s.latchEntry(latched{l.Scope, l.Latch}))
	}
	return resp, nil
}

// latchesNow asks the engine which latches are in force.
func (s *Service) latchesNow(ctx context.Context) ([]riskcheck.LatchedScope, error) {
	var inForce []riskcheck.LatchedScope
	err := s.loop.Do(ctx, func(e *riskcheck.Engine, _ int64) { inForce = e.Latched() })
	return inForce, unavailable(err)
}

// latchEntry is a latch and what is known of how it came.
func (s *Service) latchEntry(l latched) *adminv1.LatchEntry {
	entry := &adminv1.LatchEntry{Scope: s.scope(l.scope), Latch: adminv1.Latch(l.latch)}
	s.mu.Lock()
	record := s.latches[l]
	s.mu.Unlock()
	if record == nil {
		return entry
	}
	entry.TimeNs, entry.OrderId = record.timeNs, uint64(record.alert.OrderID)
	if record.alert.Kind != 0 {
		entry.Kind = record.alert.Kind.String()
		entry.Value = FormatUse(record.alert.Kind, record.alert.Value)
		entry.Limit = FormatUse(record.alert.Kind, record.alert.Limit)
	}
	return entry
}

// Release ends a latch.
func (s *Service) Release(ctx context.Context, req *adminv1.ReleaseRequest) (*adminv1.ReleaseResponse, error) {
	scope, err := s.resolve(req.GetScope())
	if err != nil {
		return nil, err
	}
	if req.GetLatch() <= adminv1.Latch_LATCH_UNSPECIFIED || req.GetLatch() > adminv1.Latch_LATCH_CONSECUTIVE_REJECTS {
		return nil, invalid("latch", "%d, want %s", req.GetLatch(), oneOf(riskcheckLatches()))
	}
	l := latched{scope, riskcheck.Latch(req.GetLatch())}
	c := &change{
		action: "release", target: s.describe(scope), detail: "latch " + l.latch.String(),
		actor: req.GetActor(), reason: req.GetReason(),
	}
	entry := s.latchEntry(l)
	id, err := s.command(ctx, c, func(e *riskcheck.Engine, nowNs int64) error { return e.Release(nowNs, scope, l.latch) })
	if err != nil {
		return nil, err
	}
	return &adminv1.ReleaseResponse{Released: entry, AuditId: id}, nil
}

// riskcheckLatches are all latches, in the order of their numbers.
func riskcheckLatches() []riskcheck.Latch {
	var out []riskcheck.Latch
	for l := riskcheck.LatchLateTruth; l <= riskcheck.LatchConsecutiveRejects; l++ {
		out = append(out, l)
	}
	return out
}
