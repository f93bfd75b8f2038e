package admin

import (
	"cmp"
	"context"
	"slices"

	"tollgate/order"
	adminv1 "tollgate/proto/tollgate/admin/v1"
	"tollgate/riskcheck"
)

// GetStatus returns the state of the engine and its counters.
func (s *Service) GetStatus(ctx context.Context, _ *adminv1.GetStatusRequest) (*adminv1.GetStatusResponse, error) {
	st, err := s.hooks.Status(ctx)
	if err != nil {
		return nil, unavailable(err)
	}
	var live int64
	var config uint64
	scope := order.Scope{Type: order.ScopeFirm, ID: uint32(s.reference.Data.Firm.ID)}
	err = s.loop.Do(ctx, func(e *riskcheck.Engine, _ int64) { live, config = e.OpenOrders(scope), e.ConfigVersion() })
	if err != nil {
		return nil, unavailable(err)
	}
	return &adminv1.GetStatusResponse{
		Epoch:             st.Epoch,
		ConfigVersion:     config,
		Venue:             venueState(st.VenueUp),
		VenueInstance:     st.VenueInstance,
		StartedNs:         st.StartedNs,
		NowNs:             s.hooks.NowNs(),
		LiveOrders:        uint64(live),
		Sessions:          uint32(len(s.reference.Data.Sessions)),
		SessionsConnected: uint32(max(0, st.SessionsConnected)),
		Gateways:          uint32(max(0, st.Gateways)),
		Kills:             uint32(s.killCount()),
		RequestsPerSecond: st.RequestsPerSecond,
		Counters:          s.counters(&st),
	}, nil
}

func (s *Service) killCount() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.kills)
}

// counters turns the counters of the process into the message: reasons in the
// order of evaluation, others by name.
func (s *Service) counters(st *Status) *adminv1.Counters {
	m := &adminv1.Counters{
		TimeNs: s.hooks.NowNs(), Requests: st.Requests, Accepted: st.Accepted, Rejected: st.Rejected, Reports: st.Reports,
	}
	reasons, others := slices.Clone(st.Reasons), slices.Clone(st.Others)
	slices.SortFunc(reasons, func(a, b ReasonCount) int { return int(a.Reason) - int(b.Reason) })
	slices.SortFunc(others, func(a, b NamedCount) int { return cmp.Compare(a.Name, b.Name) })
	for _, r := range reasons {
		m.Reasons = append(m.Reasons, &adminv1.ReasonCount{
			Reason: r.Reason.String(), Number: uint32(r.Reason), Text: r.Reason.Text(), Count: r.Count,
		})
	}
	for _, o := range others {
		m.Others = append(m.Others, &adminv1.Counter{Name: o.Name, Value: o.Count})
	}
	return m
}

func venueState(up bool) adminv1.VenueState {
	if up {
		return adminv1.VenueState_VENUE_STATE_UP
	}
	return adminv1.VenueState_VENUE_STATE_DOWN
}
