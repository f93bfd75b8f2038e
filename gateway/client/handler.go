package client

import "tollgate/order"

// Handler takes what Poll has received. It is called on the goroutine that
// calls Poll and may call Send and Flush, but neither Poll nor Wait nor Close.
type Handler interface {
	// Answer gets the session's answers in order, each once. The answer is valid only during the call.
	Answer(a *order.Answer)
	// Trace gets the times of an order right before its answer, if Config.Traces asked for them. An answer may come
	// without a trace, for instance when it is repeated after a login.
	Trace(session order.SessionID, outSeq uint64, t *order.Trace)
	// Event gets what happened to the connection, and hints. Nothing needs to be done about any of them.
	Event(e Event)
}

// Event is news about the connection or a hint from the server.
type Event struct {
	Cause        error        // Disconnected: why
	Ref          uint64       // Connected: the server's next; Gap: expected; Duplicate, Busy: the one meant
	OutSeq       uint64       // Connected: the server's next; Duplicate: the answer already given, 0 if not known
	Epoch        uint64       // Connected, EpochChanged: the engine's incarnation
	RetryAfterMs uint32       // Busy: when the client repeats the request
	Reason       order.Reason // Busy: why
	Kind         EventKind
}

// EventKind says what an Event is about.
type EventKind uint8

// The kinds of events.
const (
	EventConnected    EventKind = 1 // logged in, missed answers follow
	EventDisconnected EventKind = 2 // the connection is lost; the client connects again by itself
	EventEpochChanged EventKind = 3 // the engine has restarted since the last login
	EventGap          EventKind = 4 // the server has not seen an earlier request; the client repeats from there
	EventDuplicate    EventKind = 5 // the server had seen the request before
	EventBusy         EventKind = 6 // the server cannot take the request now; the client repeats it later
)

func (k EventKind) String() string {
	switch k {
	case EventConnected:
		return "connected"
	case EventDisconnected:
		return "disconnected"
	case EventEpochChanged:
		return "epoch-changed"
	case EventGap:
		return "gap"
	case EventDuplicate:
		return "duplicate"
	case EventBusy:
		return "busy"
	}
	return "unknown"
}

// Counters counts what a client has done since Dial.
type Counters struct {
	Sent             uint64 // requests given to Send
	Transmitted      uint64 // request frames written, repetitions included
	Answers          uint64 // answers handed over
	Finals           uint64 // answers that ended a request of this client
	DuplicateAnswers uint64 // answers dropped because they had been handed over before
	Traces           uint64 // traces handed over
	StreamGaps       uint64 // answers that came too early: the stream was asked for again
	GapHints         uint64
	DuplicateHints   uint64
	BusyHints        uint64
	Logins           uint64 // successful logins, the first included
	Disconnects      uint64 // connections lost
}
