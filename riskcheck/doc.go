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
// Invariant: the package reads no clock, does no I/O but for a snapshot that is
// asked for, takes no lock, starts no goroutine, writes no log, uses no floating
// point and never lets the order of a map decide anything.
//
// # How a request is judged
//
// A route is the resolved path of one (session, account, trader, strategy,
// instrument): a node at each of the levels firm, group, account, trader and
// session, and strategy if the order names one, and their cells for the
// instrument. Routes are resolved once and looked up afterwards.
//
// A node holds what a level uses over all instruments, a cell what it uses of one
// instrument. What a level uses of a class of instruments is the sum of its
// cells; a class cell keeps that sum where something is said about the class.
//
// What a holder states is a profile, and what follows from all profiles, kills
// and latches of a route is its terms. Both are shared by all that are alike, so
// that a million accounts of ten sorts cost ten. A check is one look-up, and then
// a walk over the holders that state a limit.
//
// Controls are evaluated in the order of their numbers (see Catalogue); the first
// control that is breached decides, and inside it the holder with the least
// headroom. What an accepted request has counted and reserved is counted and
// reserved in the same step; a refusal may latch or kill the scope whose limit it
// breached.
//
// # What is kept
//
// A live order stores what it has reserved, at the exchange rates of its day, and
// that is what is released. An execution stores what it has moved, so that the
// venue can take it back exactly. What the venue says is applied even above a
// limit; what it has brought above one is latched to reducing orders.
//
// The whole state can be written as a snapshot, and an engine be made of it that
// decides like the one that wrote it, so that not every input since the first day
// has to be kept. What is written, read and hashed is described once, in transcript
// and snapshot. No snapshot is taken on the order path: an engine beside it, given the
// same inputs, writes the same bytes.
//
// No method may be called by two goroutines at once: the engine belongs to one
// loop.
package riskcheck
