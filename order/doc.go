// Package order holds the words every part of Tollgate shares: the fixed-size
// types of requests, verdicts, venue reports and answers, identifiers,
// fixed-point units, FIX code values, reject reasons with stable numbers, and
// the verdict token that binds an accepted order to the bytes a venue may see.
//
// The package does no I/O, reads no clock and allocates nothing. Everything in
// it may be used from any loop.
package order
