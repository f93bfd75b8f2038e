package admin

import (
	"context"
	"slices"
	"strings"
	"time"

	"tollgate/order"
	adminv1 "tollgate/proto/tollgate/admin/v1"
	"tollgate/riskcheck"
)

// ListSessions returns every session of the reference data.
func (s *Service) ListSessions(ctx context.Context, _ *adminv1.ListSessionsRequest,
) (*adminv1.ListSessionsResponse, error) {
	links, err := s.hooks.Links(ctx)
	if err != nil {
		return nil, unavailable(err)
	}
	var states []riskcheck.SessionState
	if err := s.loop.Do(ctx, func(e *riskcheck.Engine, _ int64) { states = e.Sessions() }); err != nil {
		return nil, unavailable(err)
	}
	kills, err := s.sessionKills(ctx)
	if err != nil {
		return nil, err
	}
	resp := &adminv1.ListSessionsResponse{}
	for i := range states {
		if !states[i].Known {
			continue
		}
		m := s.sessionMessage(&states[i], links)
		m.Kill = kills[order.Scope{Type: order.ScopeSession, ID: m.GetId()}]
		resp.Sessions = append(resp.Sessions, m)
	}
	slices.SortFunc(resp.GetSessions(), func(a, b *adminv1.SessionState) int {
		return strings.Compare(a.GetName(), b.GetName())
	})
	return resp, nil
}

// sessionKills returns the kills of scopes that are sessions.
func (s *Service) sessionKills(ctx context.Context) (map[order.Scope]*adminv1.KillEntry, error) {
	scopes, entries, err := s.killEntries(ctx)
	if err != nil {
		return nil, err
	}
	kills := map[order.Scope]*adminv1.KillEntry{}
	for i, scope := range scopes {
		kills[scope] = entries[i]
	}
	return kills, nil
}

// sessionMessage joins reference data, the engine's state and the link.
func (s *Service) sessionMessage(state *riskcheck.SessionState, links []SessionLink) *adminv1.SessionState {
	m := &adminv1.SessionState{
		Name: s.nameOf(order.ScopeSession, uint32(state.ID)), Id: uint32(state.ID), Client: state.Client,
		Connected: state.Connected, Connection: uint32(state.Connection),
		NextRef: state.NextRef, NextOutSeq: state.NextOutSeq, LiveOrders: uint64(max(0, state.LiveOrders)),
	}
	for i := range s.reference.Data.Sessions {
		if session := &s.reference.Data.Sessions[i]; session.ID == state.ID {
			m.Accounts = s.accountNames(session.Accounts)
		}
	}
	for i := range links {
		if link := &links[i]; link.Session == state.ID {
			m.Gateway = link.Gateway
			m.CancelOnDisconnectMs = uint32(link.CancelOnDisconnectNs / int64(time.Millisecond))
		}
	}
	return m
}

func (s *Service) accountNames(ids []order.AccountID) []string {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = s.nameOf(order.ScopeAccount, uint32(id))
	}
	return names
}
