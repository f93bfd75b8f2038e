// Package riskcheck is the risk engine: a pure, synchronous, deterministic
// state machine with one writer. It decides every request against every limit
// that applies, reserves exposure in the same step, moves reservations to
// positions as the venue reports, and keeps each session's answer stream.
//
// Everything the engine knows comes in through its methods: requests, venue
// reports, prices, logins, reference data, limits, kills and time. What it
// wants done comes out as Effects of the last input. Two engines that are given
// the same inputs are equal, so state is a function of the journal.
//
// Invariant: the package reads no clock, does no I/O, takes no lock, starts no
// goroutine, writes no log, uses no floating point and never lets the order of
// a map decide anything.
//
// # How a request is judged
//
// A route is the resolved path of one (session, account, trader, instrument):
// the five nodes of the scope hierarchy from firm to session, their five cells
// for the instrument, and everything about the limits that does not change from
// order to order (the smallest order quantity, the tightest collar, the
// permission). Routes are resolved once and looked up afterwards, so a check
// costs one table look-up and then a walk over ten small records.
//
// A node holds usage over all instruments, a cell holds usage of one
// instrument at one node. Controls are evaluated in the order of their numbers;
// the first control that is breached decides, and inside it the scope with the
// least headroom.
//
// No method may be called by two goroutines at once: the engine belongs to one
// loop.
package riskcheck
