package admin

import "tollgate/order"

// EventKind says what an Event is about.
type EventKind uint8

// The events that the process around the engine publishes. Limits and kills
// are published by the service itself.
const (
	EventDecision EventKind = 1
	EventSession  EventKind = 2
	EventVenue    EventKind = 3
	EventAlert    EventKind = 4

	eventLimits EventKind = 5
	eventKill   EventKind = 6
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

	// EventAlert: something a person should look at.
	Name  string
	Text  string
	Scope order.Scope

	limits *limitsChange
	kill   *killRecord
	killed bool
}
