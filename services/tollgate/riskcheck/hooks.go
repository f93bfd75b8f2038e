package riskcheck

import (
	"context"
	"time"

	"tollgate/order"
	"tollgate/riskcheck/admin"
	"tollgate/riskcheck/server"
)

// hooks gives the control plane what it needs of the process.
func hooks(srv *server.Server, audit *auditFile) admin.Hooks {
	started := time.Now().UnixNano()
	return admin.Hooks{
		Kill: func(ctx context.Context, scope order.Scope) (admin.KillOutcome, error) {
			k, err := srv.Kill(ctx, scope)
			return admin.KillOutcome{FenceID: k.FenceID, Canceling: k.Canceling, Fence: admin.FenceState(k.Fence)}, err
		},
		Unkill: srv.Unkill,
		Fence: func(ctx context.Context, id uint64) (admin.FenceState, error) {
			state, err := srv.FenceState(ctx, id)
			return admin.FenceState(state), err
		},
		Links: func(ctx context.Context) ([]admin.SessionLink, error) { return links(ctx, srv) },
		Status: func(ctx context.Context) (admin.Status, error) {
			return status(ctx, srv, started)
		},
		Audit: audit.record,
		NowNs: func() int64 { return time.Now().UnixNano() },
	}
}

// The control plane and the server give the states of a fence the same numbers:
// these indexes are constant and must be zero.
var _ = [1]struct{}{}[admin.FenceConfirmed-admin.FenceState(server.FenceConfirmed)] ==
	[1]struct{}{}[admin.FencePending-admin.FenceState(server.FencePending)+
		admin.FenceNoAdapter-admin.FenceState(server.FenceNoAdapter)]

func links(ctx context.Context, srv *server.Server) ([]admin.SessionLink, error) {
	st, err := srv.Status(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]admin.SessionLink, 0, len(st.Sessions))
	for i := range st.Sessions {
		s := &st.Sessions[i]
		if s.Gateway != "" {
			out = append(out, admin.SessionLink{
				Session: s.ID, CancelOnDisconnectNs: s.CancelOnDisconnectNs, Gateway: s.Gateway,
			})
		}
	}
	return out, nil
}

func status(ctx context.Context, srv *server.Server, startedNs int64) (admin.Status, error) {
	st, err := srv.Status(ctx)
	if err != nil {
		return admin.Status{}, err
	}
	c := &st.Counters
	out := admin.Status{
		Epoch: st.Epoch, StartedNs: startedNs, VenueInstance: st.VenueInstance, VenueUp: st.VenueUp,
		Requests: c.Requests, Accepted: c.Accepted, Rejected: c.Rejected, Reports: c.Reports,
		RequestsPerSecond: c.PerSecond, Gateways: st.Gateways,
		Others: []admin.NamedCount{
			{Name: "verdicts", Count: c.Verdicts},
			{Name: "stale_requests", Count: c.Stale},
			{Name: "gaps", Count: c.Gaps},
			{Name: "duplicates", Count: c.Duplicates},
			{Name: "cancel_rate_warnings", Count: c.Warnings},
			{Name: "sessions_cut", Count: c.Cuts},
			{Name: "report_gaps", Count: c.ReportGaps},
			{Name: "adapter_refusals", Count: c.AdapterRefusals},
			{Name: "venues_refused", Count: c.VenuesRefused},
			{Name: "alerts", Count: c.Alerts},
			{Name: "alerts_lost", Count: c.AlertsLost},
		},
	}
	for i := range st.Sessions {
		if st.Sessions[i].Gateway != "" {
			out.SessionsConnected++
		}
	}
	for _, r := range order.Reasons() {
		if int(r) < len(c.Reasons) && c.Reasons[r] > 0 {
			out.Reasons = append(out.Reasons, admin.ReasonCount{Reason: r, Count: c.Reasons[r]})
		}
	}
	return out, nil
}

// publishInterval is how often decisions are taken from the loop for watchers.
const publishInterval = 100 * time.Millisecond

// publish hands the loop's alerts, as they come, and its samples, now and then,
// to the control plane until ctx ends.
func publish(ctx context.Context, srv *server.Server, service *admin.Service) {
	ticker := time.NewTicker(publishInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-srv.Alerted():
		case <-ticker.C:
			var sample server.Sample
			for srv.Samples().Pop(&sample) {
				service.Publish(ctx, event(&sample))
			}
		}
		var alert server.Alert
		for srv.Alerts().Pop(&alert) {
			service.Publish(ctx, alertEvent(&alert))
		}
	}
}

// alertEvent is an alert in the words of the control plane.
func alertEvent(a *server.Alert) admin.Event {
	return admin.Event{Kind: admin.EventAlert, TimeNs: a.TimeNs, Scope: a.Scope, Alert: a.Alert, FenceID: a.FenceID}
}

// event is a sample in the words of the control plane.
func event(s *server.Sample) admin.Event {
	e := admin.Event{TimeNs: s.TimeNs, Request: s.Request, Decision: s.Decision}
	switch s.Kind {
	case server.SampleSession:
		e.Kind, e.Connected = admin.EventSession, s.Up
	case server.SampleVenue:
		e.Kind, e.VenueUp = admin.EventVenue, s.Up
	default:
		e.Kind = admin.EventDecision
	}
	return e
}
