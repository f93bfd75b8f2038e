package admin

import (
	"tollgate/order"
	"tollgate/riskcheck"
)

// EventKind says what an Event is about.
type EventKind uint8

// The events that the process around the engine publishes. Limits, kills and
// changes are published by the service itself.
const (
	EventDecision EventKind = 1
	EventSession  EventKind = 2
	EventVenue    EventKind = 3
	EventAlert    EventKind = 4

	eventLimits EventKind = 5
	eventKill   EventKind = 6
	eventChange EventKind = 7
)

// Event is one thing that happened. Fields that a kind does not name are zero.
type Event struct {
	TimeNs int64 // ns since 1970 UTC
	Kind   EventKind

	// EventDecision: a sample of what the engine decided; Decision is zero when
	// it accepted.
	Request  order.Request
	Decision order.Decision

	// EventSession: Session and Connection are those of Request.
	Connected bool
	Cause     string

	// EventVenue.
	VenueUp bool

	// EventAlert: something a person should look at. Scope is whose it is. An
	// alert of the engine has a Cause in Alert, others have a Name and a Text.
	Name  string
	Text  string
	Scope order.Scope
	Alert riskcheck.Alert
	// FenceID is the fence of a kill that the engine has made by itself.
	FenceID uint64

	limits *limitsChange
	kill   *killRecord
	killed bool
	change *AuditRecord
}
