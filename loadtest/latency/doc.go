// Package latency records how long orders took, as a whole and station by
// station, in HdrHistograms of three significant digits.
//
//	client ─▶ gateway ─▶ risk ─▶ gateway ─▶ exchange
//	client ◀─ gateway ◀─ risk ◀─ gateway ◀──┘
//
// The whole chain is counted from the scheduled time of sending to the moment
// the client holds the final answer. The stations come from the order's Trace,
// whose times are of the host's clock: on one host the hops add up to the
// whole, apart from answers without a trace. Between hosts only the whole is
// meaningful.
//
// A Recorder belongs to one goroutine. Recording does not allocate.
package latency
