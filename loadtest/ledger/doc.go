// Package ledger keeps account of one session: every request gets exactly one
// final answer, the answer stream has no holes, and positions follow from the
// trades alone.
//
// Its memory is bounded whatever the number of requests: it remembers requests
// from the oldest unanswered one on, in a ring. A request further ahead than
// the ring is long must wait; Full says so.
//
// A Ledger belongs to one goroutine and does not allocate once every reject
// reason and position has been met.
package ledger
