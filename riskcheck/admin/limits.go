package admin

import "time"

// Bounds of the control plane.
const (
	// messageBytesMax bounds one gRPC message: a limits document of the largest
	// size and what surrounds it.
	messageBytesMax = 12 << 20
	// versionsMax is how many applied limits documents can be fetched again.
	versionsMax = 64
	// usagesPerTurnMax is how many scopes are read from the engine in one turn of
	// its loop: some ten microseconds.
	usagesPerTurnMax = 64
	// usagesMax is how many scopes one request may read.
	usagesMax = 200_000
	// ordersDefault is how many orders a request gets that does not say, and
	// ordersPerTurnMax how many are looked at in one turn of the loop: some hundred
	// microseconds.
	ordersDefault    = 100
	ordersPerTurnMax = 1000
	// textBytesMax bounds reasons and names of actors.
	textBytesMax = 1024
	// fieldViolationsMax bounds the details of an error: they travel in headers,
	// which clients bound.
	fieldViolationsMax = 20
	// feedEventsMax is how many events a watcher may fall behind.
	feedEventsMax = 4096
	// watchersMax bounds concurrent Watch streams.
	watchersMax = 64
	// countersEveryMin is the shortest time between two counters events of a
	// watcher, countersEveryDefault what a watcher gets that does not say.
	countersEveryMin     = 100 * time.Millisecond
	countersEveryDefault = time.Second
	// deadlineDefault is given to requests that come without a deadline, so that
	// none waits forever for a loop that has stopped.
	deadlineDefault = 10 * time.Second
	// fenceWaitMax is how long a kill waits for the adapter's confirmation.
	fenceWaitMax = 5 * time.Second
	// streamsMax bounds the concurrent requests of one connection.
	streamsMax = 128
	// keepaliveMin is how often a client may ping; more is answered by closing
	// the connection.
	keepaliveMin = 10 * time.Second
	// keepaliveIdle is the silence after which the server pings a client, and
	// keepaliveTimeout how long it waits for the answer.
	keepaliveIdle    = 30 * time.Second
	keepaliveTimeout = 10 * time.Second
)
