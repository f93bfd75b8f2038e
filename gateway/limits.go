package gateway

import "time"

// nsPerMs turns milliseconds into nanoseconds.
const nsPerMs = int64(time.Millisecond)

// Bounds of the gateway, each with its reason.
const (
	// connectionsDefault is ConnectionsMax where the configuration gives none.
	connectionsDefault = 1_024
	// connectionsLimit is the largest ConnectionsMax: beyond it descriptors and the scan of every tick would cost.
	connectionsLimit = 65_536
	// connectionsSpare is how many connections the loop takes in above ConnectionsMax, so that they can be told why
	// they are closed.
	connectionsSpare = 64
	// keepaliveMinMs is the shortest keepalive granted: below it heartbeats would be load.
	keepaliveMinMs = 100
	// keepaliveMaxMs is the longest keepalive granted: a dead client is noticed within twice that.
	keepaliveMaxMs = 60_000
	// keepaliveDefaultMs is granted to a client that asks for none.
	keepaliveDefaultMs = 15_000
	// cancelOnDisconnectMaxMs is the longest grace window of cancel-on-disconnect that may be asked for.
	cancelOnDisconnectMaxMs = 60_000
	// loginTimeoutNs is how long a connection may stay without a Login.
	loginTimeoutNs = int64(2 * time.Second)
	// decisionTimeoutNs is how long the engine may take to decide a login before the client is told to come again.
	decisionTimeoutNs = int64(5 * time.Second)
	// acknowledgeNs is the shortest time between two forwards of one session's acknowledged OutSeq: it only lets the
	// engine forget, so it must not be load.
	acknowledgeNs = 100 * nsPerMs
	// linkIdleNs is the time without a frame after which a heartbeat goes to the engine or the exchange.
	linkIdleNs = 50 * nsPerMs
	// tickMaxNs is the longest time between two ticks: half of linkIdleNs, so that a heartbeat is never late by more
	// than that, and well below pauseNs.
	tickMaxNs = linkIdleNs / 2
	// linkSilenceNs is the time without a frame after which the engine or the exchange counts as hung.
	linkSilenceNs = 500 * nsPerMs
	// pauseNs is the time between two ticks above which it was this process that stood still: silence that fell into
	// such a pause is held against nobody.
	pauseNs = 200 * nsPerMs
	// settleNs is how long clients wait for the exchange to be announced to an engine that has come up: twenty times
	// what a new link takes.
	settleNs = 200 * nsPerMs
	// keyBytesMin is the shortest key taken: 128 bits.
	keyBytesMin = 16
	// keyBytesMax is the longest key taken, so that a wrong file is not taken for a key.
	keyBytesMax = 256
	// retryAfterDefaultMs is what a Busy names where the configuration gives nothing.
	retryAfterDefaultMs = 50
	// retryAfterMaxMs is the largest RetryAfterMs.
	retryAfterMaxMs = 60_000
	// drainDefaultMs is how long a shutdown waits for connections to end where the configuration gives nothing.
	drainDefaultMs = 500
	// drainMaxMs is the largest DrainMs.
	drainMaxMs = 60_000
)
