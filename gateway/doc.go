// Package gateway is the front office: it takes clients' connections, proves
// who they are, and passes frames between clients, the engine and the venue.
//
//	client ──NewOrder──► gateway ──Check──► riskcheck
//	                     gateway ◄─Verdict─ riskcheck
//	                     gateway ──the same bytes──► exchange
//	                     gateway ◄─VenueReport────── exchange
//	                     gateway ──the same bytes──► riskcheck
//	client ◄─the same bytes─ gateway ◄─ExecutionReport── riskcheck
//
// A Gateway is a state machine behind fastpath.Handler. It runs on one loop,
// has no goroutine of its own and reads no clock but the loop's.
//
// Invariant: the gateway holds no truth. It can be killed at any moment; the
// clients log in at any gateway and nothing is lost or doubled.
//
// Invariant: the gateway never invents a final answer. What it says by itself
// is a hint (Busy), or that a connection ends and why (LoginReject,
// SessionReject).
//
// Invariant: what it relays it does not rewrite. Only the time stamp of the
// station is put into a Verdict, a VenueReport and a HopTrace.
//
// # The life of a client connection
//
// A connection is greeted with a Hello that holds a fresh nonce. The Login
// must come within two seconds and carry a code made with the client's key and
// that nonce; then the engine is asked (SessionLogin), and its LoginAck or
// LoginReject goes to the client as it is. From then on the requests of the
// session go to the engine and its answers come back. Any breach of the rules
// is answered with a SessionReject that says which, and ends the connection.
//
// # When a neighbour is away
//
// Without the engine, requests are answered with Busy, and a CancelOrder is
// passed to the exchange as a VenueCancel besides, since cancels are never
// blocked. When the engine is back it is told of the exchange first, by a
// VenueState whose NextReportSeq is never older than the engine's own hello. Then
// the logged in connections are closed, so that each session lines up with the
// engine's record by logging in anew.
//
// Without the exchange, the engine is told (VenueState) and answers by itself;
// verdicts on their way are dropped, and the engine drives them anew when the
// exchange is back.
package gateway
