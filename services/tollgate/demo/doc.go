// Package demo starts the whole chain as separate processes on this machine,
// runs order flow through it, and prints what a newcomer wants to see: verdicts
// by reason, latency per hop, whether the engine's positions are what the
// trades add up to, and where to look next.
//
// The firm it runs for is invented: accounts, clients and limits are made to
// fit the flow, so that real order flow meets every kind of limit.
package demo
