// Package server is the loop around the risk engine: frames from gateways in,
// engine inputs in the order they arrive, and the effects of each input out
// again before the next one is read.
//
// The server decides nothing. It gives the engine its time, knows which gateway
// link a session is reached by and how far its answers have been delivered,
// chooses the gateway that carries the venue's reports, repeats the fences of
// kills to adapters that come back, and runs the control plane's functions
// between two batches.
//
// Invariant: one goroutine, the loop's, touches the engine and everything else
// in a Server but the command queue, the sample ring and the fields marked as
// shared.
//
// Invariant: no frame leaves for a client or the venue that is not an effect of
// an engine input.
package server
