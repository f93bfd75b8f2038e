package admin

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"google.golang.org/grpc/peer"

	"tollgate/order"
	adminv1 "tollgate/proto/tollgate/admin/v1"
	"tollgate/riskcheck"
	"tollgate/riskcheck/admin/document"
)

// Service implements the admin RPCs. Its methods may be called by any
// goroutine, concurrently.
type Service struct {
	adminv1.UnimplementedAdminServiceServer

	loop      Loop
	hooks     Hooks
	reference *document.Reference                  // never changes
	groupOf   map[uint32]uint32                    // the group of each account; never changes
	classOf   map[order.InstrumentID]order.ClassID // never changes
	feed      *Feed
	watchers  chan struct{} // holds one element for each Watch stream

	// change is held while limits are changed, so that changes come one after the
	// other. Kills do not take it: they wait for nobody.
	change sync.Mutex

	mu       sync.Mutex // guards what follows
	versions []version  // oldest first; the last is in force
	kills    map[order.Scope]*killRecord
	latches  map[latched]*latchRecord
	auditID  uint64

	killChanges uint64 // how often kills was changed by what people did
}

// Config is what a Service is made of.
type Config struct {
	Loop  Loop
	Hooks Hooks
	// Reference is applied to the engine first. Its names are those of all
	// requests and answers.
	Reference *document.Reference
	// Limits are applied after it; nil: none are stated, which blocks everything.
	Limits *document.Limits
}

// New applies reference data and limits to the engine and returns the service.
// The loop must be running. The error is that of the loop, or names what the
// engine refused.
func New(ctx context.Context, cfg Config) (*Service, error) {
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	limits := cfg.Limits
	if limits == nil {
		limits = &document.Limits{Metadata: document.Metadata{Name: "none"}}
	}
	if err := limits.CheckEnds(cfg.Hooks.NowNs()); err != nil {
		return nil, fmt.Errorf("admin: %w", err)
	}
	s := &Service{
		loop: cfg.Loop, hooks: cfg.Hooks, reference: cfg.Reference, feed: newFeed(),
		watchers: make(chan struct{}, watchersMax), kills: map[order.Scope]*killRecord{},
		latches: map[latched]*latchRecord{}, groupOf: map[uint32]uint32{}, classOf: map[order.InstrumentID]order.ClassID{},
	}
	for _, a := range cfg.Reference.Data.Accounts {
		s.groupOf[uint32(a.ID)] = uint32(a.Group)
	}
	for i := range cfg.Reference.Data.Instruments {
		in := &cfg.Reference.Data.Instruments[i]
		s.classOf[in.ID] = in.Class
	}
	var refused error
	var number uint64
	var killed []order.Scope
	err := s.loop.Do(ctx, func(e *riskcheck.Engine, nowNs int64) {
		number, refused = load(e, nowNs, &cfg.Reference.Data, &limits.Set)
		killed = e.Killed()
	})
	if err = errors.Join(err, refused); err != nil {
		return nil, fmt.Errorf("admin: %w", err)
	}
	for _, scope := range killed {
		s.kills[scope] = &killRecord{scope: scope}
	}
	s.versions = []version{{number: number, limits: limits, by: appliedBy{actor: "start", timeNs: s.hooks.NowNs()}}}
	return s, nil
}

// load applies reference data and limits and returns the version of the limits.
func load(e *riskcheck.Engine, nowNs int64, ref *riskcheck.Reference, limits *riskcheck.LimitSet) (uint64, error) {
	if err := e.ApplyReference(nowNs, ref); err != nil {
		return 0, err
	}
	if err := e.ApplyLimits(nowNs, limits); err != nil {
		return 0, err
	}
	return e.ConfigVersion(), nil
}

// validate names everything that is missing.
func (c *Config) validate() error {
	var missing []string
	for _, part := range [...]struct {
		name string
		set  bool
	}{
		{"Loop", c.Loop != nil},
		{"Reference", c.Reference != nil},
		{"Hooks.Kill", c.Hooks.Kill != nil},
		{"Hooks.Unkill", c.Hooks.Unkill != nil},
		{"Hooks.Fence", c.Hooks.Fence != nil},
		{"Hooks.Links", c.Hooks.Links != nil},
		{"Hooks.Status", c.Hooks.Status != nil},
		{"Hooks.Audit", c.Hooks.Audit != nil},
		{"Hooks.NowNs", c.Hooks.NowNs != nil},
	} {
		if !part.set {
			missing = append(missing, part.name)
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("admin: Config lacks %s", strings.Join(missing, ", "))
	}
	return nil
}

// Publish takes an event of the process around the engine: it goes to every
// watcher, and what people will ask for later is remembered. Any goroutine but
// the loop may call it.
func (s *Service) Publish(ctx context.Context, e Event) {
	if e.Kind == EventAlert && e.Alert.Cause != 0 {
		s.remark(ctx, &e)
	}
	s.feed.Publish(e)
}

// names returns the names of the reference data.
func (s *Service) names() *document.Names { return s.reference.Names }

// levelsWanted are the levels of a scope, for errors.
const levelsWanted = "firm, group, account, trader, session or strategy"

// resolve turns a scope of a request into the engine's.
func (s *Service) resolve(scope *adminv1.Scope) (order.Scope, error) {
	if scope == nil || scope.GetType() == adminv1.ScopeType_SCOPE_TYPE_UNSPECIFIED {
		return order.Scope{}, invalid("scope.type", "no scope is given, want %s", levelsWanted)
	}
	level := order.ScopeType(scope.GetType())
	if scope.GetType() > adminv1.ScopeType_SCOPE_TYPE_STRATEGY {
		return order.Scope{}, invalid("scope.type", "%d is no level, want %s", scope.GetType(), levelsWanted)
	}
	resolved, err := s.names().Scope(level, scope.GetName())
	if err == nil {
		resolved, err = s.names().Narrow(resolved, scope.GetInstrument(), scope.GetClass())
	}
	if err != nil {
		return order.Scope{}, unresolved("scope", err)
	}
	return resolved, nil
}

// scope turns a scope of the engine into that of an answer, nil for none.
func (s *Service) scope(scope order.Scope) *adminv1.Scope {
	if scope.Type == order.ScopeNone {
		return nil
	}
	return &adminv1.Scope{
		Type:       adminv1.ScopeType(scope.Type),
		Name:       s.names().ScopeName(scope),
		Instrument: s.names().InstrumentName(scope.Instrument),
		Class:      s.names().ClassName(scope.Class),
	}
}

// describe names a scope and what it is narrowed to in one phrase.
func (s *Service) describe(scope order.Scope) string { return s.names().Describe(scope) }

// accountable checks that a change says why and by whom.
func accountable(reason, actor string) error {
	for _, field := range [...]struct{ name, value, want string }{
		{"reason", reason, "one sentence that says why"},
		{"actor", actor, "the name of who asks for the change"},
	} {
		if strings.TrimSpace(field.value) == "" {
			return invalid(field.name, "empty, want %s", field.want)
		}
		if len(field.value) > textBytesMax {
			return invalid(field.name, "%d bytes, want at most %d", len(field.value), textBytesMax)
		}
	}
	return nil
}

// audit numbers, stamps and stores a record and returns its number.
func (s *Service) audit(ctx context.Context, record AuditRecord) uint64 {
	s.mu.Lock()
	s.auditID++
	record.ID = s.auditID
	s.mu.Unlock()
	record.TimeNs = s.hooks.NowNs()
	if p, ok := peer.FromContext(ctx); ok && p.Addr != nil {
		record.Peer = p.Addr.String()
	}
	s.hooks.Audit(record)
	return record.ID
}

// outcome is what an audit record says about the result of a change.
func outcome(err error) string {
	if err == nil {
		return "done"
	}
	return "refused: " + err.Error()
}
