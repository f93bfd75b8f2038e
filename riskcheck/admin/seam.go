package admin

import (
	"context"

	"tollgate/order"
	"tollgate/riskcheck"
)

// Loop runs functions on the engine's loop.
type Loop interface {
	// Do runs fn on the loop between two batches and returns when it has run.
	// nowNs is the loop's clock, ns since 1970 UTC. The effects that fn causes in
	// the engine are carried out before the next batch; fn must read them from
	// nowhere else. fn must be short (tens of microseconds) and must not wait.
	//
	// The error is that of ctx, or says that the loop is not running; fn has not
	// run then and will not run later.
	Do(ctx context.Context, fn func(e *riskcheck.Engine, nowNs int64)) error
}

// Hooks is what the process around the engine does for the service. All fields
// must be set. They are called by any goroutine, also concurrently.
type Hooks struct {
	// Kill kills the scope in the engine, sends its fence and its cancels, and
	// waits until the adapter has confirmed the fence. If there is no adapter it
	// does not wait. If ctx ends before the confirmation the kill stays in force
	// and the outcome says FencePending; an error means that nothing was killed.
	Kill func(ctx context.Context, scope order.Scope) (KillOutcome, error)
	// Unkill lets a scope trade again and forgets its fence. An error means that
	// nothing was changed.
	Unkill func(ctx context.Context, scope order.Scope) error
	// Fence tells what has become of a fence.
	Fence func(ctx context.Context, fenceID uint64) (FenceState, error)
	// Links returns how sessions are connected; sessions that are not may be
	// left out.
	Links func(ctx context.Context) ([]SessionLink, error)
	// Status returns the state and the counters of the process.
	Status func(ctx context.Context) (Status, error)
	// Audit stores one record of a change before its result is returned. It must
	// not lose a record silently.
	Audit func(AuditRecord)
	// NowNs is the wall clock, ns since 1970 UTC.
	NowNs func() int64
}

// FenceState says whether verdicts given before a kill can still reach the
// venue.
type FenceState uint8

// The states of a fence.
const (
	FenceConfirmed FenceState = 1 // they cannot
	FencePending   FenceState = 2 // the adapter is connected and has not confirmed yet
	FenceNoAdapter FenceState = 3 // no adapter is connected; it learns of the fence before its next order
)

// KillOutcome says what a kill did.
type KillOutcome struct {
	FenceID   uint64
	Canceling int // live orders for which a cancel was sent
	Fence     FenceState
}

// SessionLink is how a session is connected.
type SessionLink struct {
	Session              order.SessionID
	CancelOnDisconnectNs int64  // zero: off
	Gateway              string // a name for people, such as the address of the gateway
}

// Status is the state of the process and its counters since it started.
type Status struct {
	Epoch             uint64
	StartedNs         int64 // ns since 1970 UTC
	VenueInstance     uint64
	Requests          uint64
	Accepted          uint64
	Rejected          uint64
	Reports           uint64
	RequestsPerSecond uint64 // over the last full second
	Gateways          int
	SessionsConnected int
	Reasons           []ReasonCount // reasons that occurred, in any order
	Others            []NamedCount  // whatever else is counted
	VenueUp           bool
}

// ReasonCount says how often a reason was given.
type ReasonCount struct {
	Count  uint64
	Reason order.Reason
}

// NamedCount is a counter that has no field of its own.
type NamedCount struct {
	Name  string
	Count uint64
}

// AuditRecord is one change of the state that people own, or an attempt at it.
type AuditRecord struct {
	ID      uint64 // from 1, contiguous while the process runs
	TimeNs  int64  // ns since 1970 UTC
	Action  string // such as apply-limits, kill, set-cash, release; latch and kill also by the engine itself
	Actor   string // as the request says
	Peer    string // the address the request came from
	Reason  string
	Target  string // the scope, or the version of the limits
	Detail  string // what changed: one line for each change
	Outcome string // done, or why not
}
