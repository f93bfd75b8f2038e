package client

import "time"

// ListLegsMax is the longest list of orders the server takes: it holds the legs
// of every session's list until the last has come.
const ListLegsMax = 512

// Bounds of the client, each with its reason.
const (
	// unansweredDefault is UnansweredMax where the configuration gives none: far more than a venue leaves unanswered
	// in one round trip, and one mebibyte of frames.
	unansweredDefault = 8_192
	// unansweredLimit is the largest UnansweredMax, so that a slip of the pen cannot ask for gigabytes.
	unansweredLimit = 1 << 22
	// requestFrameMax is the room for one kept request in bytes; the longest request of the wire fits.
	requestFrameMax = 128
	// keepaliveMinMs is the shortest keepalive a gateway grants.
	keepaliveMinMs = 100
	// keepaliveMaxMs is the longest keepalive a gateway grants.
	keepaliveMaxMs = 60_000
	// keepaliveDefaultMs is asked for where the configuration gives none.
	keepaliveDefaultMs = 15_000
	// cancelOnDisconnectMaxMs is the longest grace window of cancel-on-disconnect.
	cancelOnDisconnectMaxMs = 60_000
	// acknowledgeEvery is the number of answers after which the client says what it holds although it is not idle, so
	// that the server can let go of them.
	acknowledgeEvery = 1_024
	// outboundHighBytes is the amount of unsent bytes above which waiting requests stay in the window.
	outboundHighBytes = 64 << 10
	// recvSlice is how long Recv parks before it looks at its context again.
	recvSlice = 10 * time.Millisecond
)

// nsPerMs turns milliseconds into nanoseconds.
const nsPerMs = int64(time.Millisecond)

// Times the configuration may leave out, in nanoseconds.
const (
	reconnectMinDefaultNs   = int64(10 * time.Millisecond)
	reconnectMaxDefaultNs   = int64(time.Second)
	loginTimeoutDefaultNs   = int64(5 * time.Second)
	resendIntervalDefaultNs = int64(10 * time.Millisecond)
)
