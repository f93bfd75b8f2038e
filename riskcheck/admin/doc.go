// Package admin is the control plane of the risk engine: the gRPC service by
// which people and tools own limits, look at exposure and stop trading.
//
// It runs on ordinary goroutines beside the engine's loop and is the only place
// where protobuf meets the engine's types. It reaches the engine in two ways,
// both named in seam.go: by functions it hands to the loop, which run between
// two batches and must be short, and by the hooks of the process around the
// engine. Nothing here is called by the loop on the order path.
//
// Invariant: the engine is the only writer of limits and kills. The service
// remembers who asked for what and why, never what is in force: a limit is in
// force when the engine has taken it.
//
// Invariant: no change without a reason, an actor and an audit record.
package admin
