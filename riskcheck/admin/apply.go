package admin

import (
	"context"
	"fmt"
	"strings"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"tollgate/order"
	adminv1 "tollgate/proto/tollgate/admin/v1"
	"tollgate/riskcheck"
	"tollgate/riskcheck/admin/document"
)

// version is one set of limits that was in force.
type version struct {
	number uint64 // the engine's config version
	limits *document.Limits
	by     appliedBy
}

// appliedBy says where a version came from.
type appliedBy struct {
	actor   string
	reason  string
	timeNs  int64
	auditID uint64
}

// limitsChange is the event of a new version.
type limitsChange struct {
	number  uint64
	by      appliedBy
	changes []*adminv1.LimitChange
}

func (a *appliedBy) message() *adminv1.AppliedBy {
	return &adminv1.AppliedBy{Actor: a.actor, Reason: a.reason, TimeNs: a.timeNs, AuditId: a.auditID}
}

// current returns the version in force. Temporary limits revert by themselves:
// the engine then has a version that nobody applied, which is what the last one
// has become.
func (s *Service) current(ctx context.Context) (version, error) {
	s.mu.Lock()
	last := s.versions[len(s.versions)-1]
	s.mu.Unlock()
	if !last.limits.Temporary() {
		return last, nil
	}
	var number uint64
	var nowNs int64
	err := s.loop.Do(ctx, func(e *riskcheck.Engine, _ int64) { number, nowNs = e.ConfigVersion(), e.Now() })
	if err != nil || number == last.number {
		return last, unavailable(err)
	}
	reverted := version{
		number: number, limits: last.limits.Revert(nowNs),
		by: appliedBy{actor: engineActor, reason: "temporary limits have ended", timeNs: nowNs},
	}
	return s.become(&last, reverted), nil
}

// become makes a version the one in force unless there is a newer one, and
// returns the one in force.
func (s *Service) become(last *version, next version) version {
	s.mu.Lock()
	inForce := s.versions[len(s.versions)-1]
	s.mu.Unlock()
	if inForce.number != last.number {
		return inForce
	}
	s.remember(next)
	return next
}

// remember makes a version the one in force, and forgets the oldest beyond the
// bound.
func (s *Service) remember(v version) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.versions) == versionsMax {
		s.versions = append(s.versions[:0], s.versions[1:]...)
	}
	s.versions = append(s.versions, v)
}

// version returns a version by its number, the one in force for zero.
func (s *Service) version(ctx context.Context, number uint64) (version, error) {
	if number == 0 {
		return s.current(ctx)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, v := range s.versions {
		if v.number == number {
			return v, nil
		}
	}
	return version{}, status.Errorf(codes.NotFound, "version %d of the limits is not kept, want one from %d to %d",
		number, s.versions[0].number, s.versions[len(s.versions)-1].number)
}

// GetLimits returns the limits in force, or those of an earlier version.
func (s *Service) GetLimits(ctx context.Context, req *adminv1.GetLimitsRequest) (*adminv1.GetLimitsResponse, error) {
	v, err := s.version(ctx, req.GetResourceVersion())
	if err != nil {
		return nil, err
	}
	rendered := document.Limits{Metadata: v.limits.Metadata, Set: v.limits.Set}
	rendered.ResourceVersion = v.number
	resp := &adminv1.GetLimitsResponse{
		Document:        string(rendered.Render(s.names())),
		ResourceVersion: v.number,
		AppliedBy:       v.by.message(),
		Limits:          make([]*adminv1.Limit, len(v.limits.Set.Entries)),
	}
	for i := range v.limits.Set.Entries {
		resp.Limits[i] = s.limit(&v.limits.Set.Entries[i])
	}
	return resp, nil
}

// limit turns a limit into the message.
func (s *Service) limit(e *riskcheck.LimitEntry) *adminv1.Limit {
	m := &adminv1.Limit{
		Scope: s.scope(e.Scope), Kind: e.Kind.String(), Value: document.FormatValue(e.Kind, e.Value),
		Watch: uint32(e.Watch), Warn: uint32(e.Warn), Act: adminv1.LimitAct(e.Act) + adminv1.LimitAct_LIMIT_ACT_REJECT,
		UntilNs: e.Until, Control: e.Kind.Control().String(),
	}
	if e.Until != 0 {
		m.ThenValue = document.FormatValue(e.Kind, e.Then)
	}
	return m
}

// DiffLimits compares a document with the limits in force.
func (s *Service) DiffLimits(ctx context.Context, req *adminv1.DiffLimitsRequest) (*adminv1.DiffLimitsResponse, error) {
	wanted, err := s.parse(req.GetDocumentName(), req.GetDocument())
	if err != nil {
		return nil, err
	}
	v, err := s.current(ctx)
	if err != nil {
		return nil, err
	}
	changes, err := s.changes(ctx, v.limits, wanted)
	if err != nil {
		return nil, err
	}
	return &adminv1.DiffLimitsResponse{Changes: changes, ResourceVersion: v.number}, nil
}

// ApplyLimits replaces the limits in force.
func (s *Service) ApplyLimits(ctx context.Context, req *adminv1.ApplyLimitsRequest,
) (*adminv1.ApplyLimitsResponse, error) {
	wanted, err := s.parse(req.GetDocumentName(), req.GetDocument())
	if err != nil {
		return nil, err
	}
	based := req.GetExpectedResourceVersion()
	if based == 0 {
		based = wanted.ResourceVersion
	}
	if based == 0 {
		return nil, invalid("expected_resource_version", "neither the request nor metadata.resourceVersion of the "+
			"document says which version the change is based on")
	}
	if !req.GetDryRun() {
		if err := accountable(req.GetReason(), req.GetActor()); err != nil {
			return nil, err
		}
	}
	return s.apply(ctx, req, wanted, based)
}

// apply makes the change, or with dry_run says what it would be.
func (s *Service) apply(ctx context.Context, req *adminv1.ApplyLimitsRequest, wanted *document.Limits, based uint64,
) (*adminv1.ApplyLimitsResponse, error) {
	s.change.Lock()
	defer s.change.Unlock()
	v, err := s.current(ctx)
	if err != nil {
		return nil, err
	}
	if based != v.number {
		return nil, conflict(based, v.number)
	}
	changes, err := s.changes(ctx, v.limits, wanted)
	if err != nil {
		return nil, err
	}
	resp := &adminv1.ApplyLimitsResponse{Changes: changes, ResourceVersion: v.number}
	if req.GetDryRun() || len(changes) == 0 {
		return resp, nil
	}
	next := version{limits: wanted, by: appliedBy{actor: req.GetActor(), reason: req.GetReason(), timeNs: s.hooks.NowNs()}}
	next.number, err = s.install(ctx, &wanted.Set)
	next.by.auditID = s.audit(ctx, AuditRecord{
		Action: "apply-limits", Actor: req.GetActor(), Reason: req.GetReason(),
		Target: fmt.Sprintf("limits version %d", v.number), Detail: describeChanges(changes), Outcome: outcome(err),
	})
	if err != nil {
		return nil, err
	}
	s.remember(next)
	s.feed.Publish(Event{
		Kind: eventLimits, TimeNs: next.by.timeNs,
		limits: &limitsChange{number: next.number, by: next.by, changes: changes},
	})
	resp.ResourceVersion, resp.Applied, resp.AuditId = next.number, true, next.by.auditID
	return resp, nil
}

// install gives the limits to the engine and returns their version.
func (s *Service) install(ctx context.Context, set *riskcheck.LimitSet) (number uint64, err error) {
	var refused error
	err = s.loop.Do(ctx, func(e *riskcheck.Engine, nowNs int64) {
		refused = e.ApplyLimits(nowNs, set)
		number = e.ConfigVersion()
	})
	if err != nil {
		return 0, unavailable(err)
	}
	if refused != nil {
		return 0, invalid("document", "the engine refused the limits: %s", refused)
	}
	return number, nil
}

// parse reads a document of a request.
func (s *Service) parse(name, text string) (*document.Limits, error) {
	if name == "" {
		name = "document"
	}
	limits, err := document.ParseLimits(name, []byte(text), s.names())
	if err == nil {
		err = limits.CheckEnds(s.hooks.NowNs())
	}
	if err != nil {
		return nil, invalidDocument(err)
	}
	return limits, nil
}

// describeChanges writes one line for each change.
func describeChanges(changes []*adminv1.LimitChange) string {
	var b strings.Builder
	for _, c := range changes {
		scope := c.GetScope()
		fmt.Fprintf(&b, "%s %s %s%s %s: %s → %s\n", order.ScopeType(scope.GetType()), scope.GetName(),
			scope.GetInstrument(), scope.GetClass(), c.GetKind(), stated(c.GetOldValue()), stated(c.GetNewValue()))
	}
	return b.String()
}

// stated names a value that may be absent.
func stated(value string) string {
	if value == "" {
		return "not stated"
	}
	return value
}
