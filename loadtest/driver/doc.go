// Package driver runs order flow through a chain and keeps account of every
// answer.
//
// One goroutine does everything, like Aeron's LoadTestRig: it sends what is
// due, looks for answers otherwise, and gives its core away with sched_yield(2)
// when there is neither. Only when the chain is idle and the next request is
// due within microseconds does it keep the core. It never parks, because a
// wake-up would be charged to the chain.
//
// A run has stages:
//
//   - opening: the book as it stood when the recording began goes in as fast as
//     answers allow. Not measured.
//   - warm-up: the first requests at the asked pace. Not measured.
//   - measuring: the rest. When the flow is shorter than the number of requests
//     asked for, the day is closed (what still rests is canceled) and begins anew.
//   - draining: nothing is sent; the run waits, up to a bound, until every
//     request has its final answer and the answer streams have been quiet for a while.
//
// What comes out is a result.Result that the caller completes (link,
// durability, reconciliation, processes) and judges, and the positions the
// clients' trades add up to, to compare with the engine's.
//
// Echo stands in for a whole chain inside the process. It gives the floor of
// the harness itself, and with a stall at a known time it proves that stalls
// are not hidden.
package driver
