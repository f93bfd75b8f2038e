package admin

import (
	"context"
	"slices"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"tollgate/order"
	adminv1 "tollgate/proto/tollgate/admin/v1"
	"tollgate/riskcheck"
	"tollgate/riskcheck/admin/document"
)

// killRecord is who killed a scope and why. It never changes.
type killRecord struct {
	scope   order.Scope
	actor   string
	reason  string
	timeNs  int64
	auditID uint64
	fenceID uint64 // zero: not known, so never counted as confirmed
}

// Kill stops trading in a scope. It waits for no other change, and it is
// carried out even if the client leaves.
func (s *Service) Kill(ctx context.Context, req *adminv1.KillRequest) (*adminv1.KillResponse, error) {
	scope, err := s.resolve(req.GetScope())
	if err != nil {
		return nil, err
	}
	if err := accountable(req.GetReason(), req.GetActor()); err != nil {
		return nil, err
	}
	begun := &killRecord{scope: scope, actor: req.GetActor(), reason: req.GetReason(), timeNs: s.hooks.NowNs()}
	before := s.setKill(begun)
	patient, cancel := context.WithTimeout(context.WithoutCancel(ctx), fenceWait(ctx))
	done, err := s.hooks.Kill(patient, scope)
	cancel()
	ended := *begun
	ended.fenceID = done.FenceID
	ended.auditID = s.audit(ctx, AuditRecord{
		Action: "kill", Actor: begun.actor, Reason: begun.reason, Target: s.describe(scope), Outcome: outcome(err),
	})
	if err != nil {
		s.replaceKill(begun, before)
		return nil, unavailable(err)
	}
	s.replaceKill(begun, &ended)
	s.feed.Publish(Event{Kind: eventKill, TimeNs: ended.timeNs, killed: true, kill: &ended})
	entry, err := s.killEntry(ctx, &ended, done.Fence)
	if err != nil {
		return nil, err
	}
	return &adminv1.KillResponse{
		Kill: entry, CancelsSent: uint64(max(0, done.Canceling)), AlreadyKilled: before != nil,
	}, nil
}

// fenceWait is how long a kill waits for its fence: not so long that the client
// has given up when the answer comes.
func fenceWait(ctx context.Context) time.Duration {
	deadline, has := ctx.Deadline()
	if !has {
		return fenceWaitMax
	}
	return min(fenceWaitMax, max(0, time.Until(deadline)*3/4))
}

// setKill remembers a kill and returns the one of the same scope that it
// replaces, nil if there is none.
func (s *Service) setKill(k *killRecord) (before *killRecord) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before = s.kills[k.scope]
	s.kills[k.scope] = k
	s.killChanges++
	return before
}

// replaceKill puts another record, or none, in the place of one, unless the
// scope was killed again or lifted in between.
func (s *Service) replaceKill(old, next *killRecord) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.killChanges++
	switch {
	case s.kills[old.scope] != old:
	case next == nil:
		delete(s.kills, old.scope)
	default:
		s.kills[old.scope] = next
	}
}

// Unkill lets a killed scope trade again.
func (s *Service) Unkill(ctx context.Context, req *adminv1.UnkillRequest) (*adminv1.UnkillResponse, error) {
	scope, err := s.resolve(req.GetScope())
	if err != nil {
		return nil, err
	}
	if err := accountable(req.GetReason(), req.GetActor()); err != nil {
		return nil, err
	}
	entry, err := s.liftable(ctx, scope)
	if err == nil {
		err = s.lift(ctx, scope)
	}
	id := s.audit(ctx, AuditRecord{
		Action: "unkill", Actor: req.GetActor(), Reason: req.GetReason(), Target: s.describe(scope), Outcome: outcome(err),
	})
	if err != nil {
		return nil, err
	}
	s.feed.Publish(Event{Kind: eventKill, TimeNs: s.hooks.NowNs(), kill: &killRecord{
		scope: scope, actor: req.GetActor(), reason: req.GetReason(), timeNs: s.hooks.NowNs(), auditID: id,
	}})
	return &adminv1.UnkillResponse{Lifted: entry, AuditId: id}, nil
}

// killedNow asks the engine which scopes are killed.
func (s *Service) killedNow(ctx context.Context) ([]order.Scope, error) {
	var killed []order.Scope
	err := s.loop.Do(ctx, func(e *riskcheck.Engine, _ int64) { killed = e.Killed() })
	return killed, unavailable(err)
}

// learnKills takes up kills that the engine has made by itself and whose alert
// has not come yet.
func (s *Service) learnKills(ctx context.Context) error {
	s.mu.Lock()
	changes := s.killChanges
	s.mu.Unlock()
	killed, err := s.killedNow(ctx)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.killChanges != changes {
		return nil // somebody has killed or lifted meanwhile: what was asked may be old
	}
	for _, scope := range killed {
		if s.kills[scope] == nil {
			s.kills[scope] = &killRecord{scope: scope, actor: engineActor, reason: "a limit's act"}
		}
	}
	return nil
}

// liftable returns the kill of exactly this scope.
func (s *Service) liftable(ctx context.Context, scope order.Scope) (*adminv1.KillEntry, error) {
	if err := s.learnKills(ctx); err != nil {
		return nil, err
	}
	s.mu.Lock()
	record := s.kills[scope]
	s.mu.Unlock()
	if record == nil {
		return nil, status.Errorf(codes.FailedPrecondition, "%s is not killed", s.describe(scope))
	}
	fence, err := s.fence(ctx, record)
	if err != nil {
		return nil, err
	}
	return s.killEntry(ctx, record, fence)
}

// lift takes the kill out of the engine and forgets it.
func (s *Service) lift(ctx context.Context, scope order.Scope) error {
	if err := s.hooks.Unkill(ctx, scope); err != nil {
		return unavailable(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.kills, scope)
	s.killChanges++
	return nil
}

// ListKills returns the killed scopes.
func (s *Service) ListKills(ctx context.Context, _ *adminv1.ListKillsRequest) (*adminv1.ListKillsResponse, error) {
	_, entries, err := s.killEntries(ctx)
	if err != nil {
		return nil, err
	}
	return &adminv1.ListKillsResponse{Kills: entries}, nil
}

// killEntries returns the killed scopes in the order of documents, and what is
// known about each.
func (s *Service) killEntries(ctx context.Context) ([]order.Scope, []*adminv1.KillEntry, error) {
	if err := s.learnKills(ctx); err != nil {
		return nil, nil, err
	}
	s.mu.Lock()
	records := make([]*killRecord, 0, len(s.kills))
	for _, k := range s.kills {
		records = append(records, k)
	}
	s.mu.Unlock()
	slices.SortFunc(records, func(a, b *killRecord) int { return document.CompareScopes(a.scope, b.scope, s.names()) })
	r := newUsageReader()
	for _, k := range records {
		r.want(k.scope)
	}
	if err := r.read(ctx, s.loop); err != nil {
		return nil, nil, err
	}
	scopes := make([]order.Scope, len(records))
	entries := make([]*adminv1.KillEntry, len(records))
	for i, k := range records {
		fence, err := s.fence(ctx, k)
		if err != nil {
			return nil, nil, err
		}
		scopes[i], entries[i] = k.scope, s.killNow(r, k, fence)
	}
	return scopes, entries, nil
}

// fence tells what has become of the fence of a kill. A fence that is not known
// counts as pending.
func (s *Service) fence(ctx context.Context, k *killRecord) (FenceState, error) {
	if k.fenceID == 0 {
		return FencePending, nil
	}
	state, err := s.hooks.Fence(ctx, k.fenceID)
	return state, unavailable(err)
}

// killEntry asks what is known about a kill now.
func (s *Service) killEntry(ctx context.Context, k *killRecord, fence FenceState) (*adminv1.KillEntry, error) {
	r := newUsageReader()
	r.want(k.scope)
	if err := r.read(ctx, s.loop); err != nil {
		return nil, err
	}
	return s.killNow(r, k, fence), nil
}

// killNow joins a kill, its fence and what is live. The scope is flat only when
// no verdict can be under way any more and no order is live.
func (s *Service) killNow(r *usageReader, k *killRecord, fence FenceState) *adminv1.KillEntry {
	u, _ := r.usage(k.scope)
	entry := s.killMessage(k)
	entry.Fence = adminv1.FenceState(fence)
	entry.LiveOrders = uint64(u.OpenOrders)
	entry.Flat = fence == FenceConfirmed && u.OpenOrders == 0
	return entry
}

// killMessage is what is known about a kill without asking.
func (s *Service) killMessage(k *killRecord) *adminv1.KillEntry {
	return &adminv1.KillEntry{
		Scope: s.scope(k.scope), Actor: k.actor, Reason: k.reason, TimeNs: k.timeNs, AuditId: k.auditID,
	}
}
