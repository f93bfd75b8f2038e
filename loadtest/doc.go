// Package loadtest is the folder of the load generator: it plays order flow
// through a running chain and says, with evidence, how long orders took and
// whether every one was answered. It knows the wire and the client library,
// never the gateway or the engine, so that it cannot agree with them by sharing
// their mistakes. The package itself holds no code; its parts are:
//
//	flow     recorded or generated order flow → one normalised event per row
//	request  event → the request a client would send (who, ClOrdID, FIX totals)
//	pace     when each request is due: a rate, as recorded, or as fast as answers allow
//	driver   one thread that sends what is due and takes answers otherwise
//	ledger   the account of each session: one final answer a request, no holes, positions
//	latency  histograms of the whole chain and of every hop
//	result   the JSON object, the rules that make it count, and the page for a person
//
// # What makes the numbers honest
//
// Latency is counted from the time a request was scheduled, never from the time
// it was sent. When the chain stalls, or when the generator itself is late,
// requests keep their scheduled times and go out as soon as they can; the wait
// is in their latency. The generator's own lateness is recorded beside it, and
// a paced run in which it is more than a tenth of the chain's median does not
// count.
//
// A max-pace run is a closed loop and says so: it has no target rate, and its
// latencies describe a full pipe.
//
// Nothing is measured before the warm-up is over, nothing is left out
// afterwards: each request ends as accepted, rejected for a reason, or
// unanswered, and one unanswered or twice answered request makes the result
// invalid. Positions are recomputed from trade answers alone, for comparison
// with the engine.
//
// # What is not simulated
//
// The venue's queues are not those of the recording. A recorded execution is
// sent as an immediate-or-cancel order at the recorded price, and may meet
// another order there. Cancels may come too late. Such rejects are part of the
// flow and are shown by reason.
//
// # A run in a few lines
//
//	day, err := flow.LoadFile(path, 0) // or flow.Load(flow.NewGenerator(...), 0)
//	outcome, err := driver.Run(ctx, driver.Config{
//		Sessions: sessions, // client.Config of each session
//		Day:      day,
//		Mapping:  request.Config{Instrument: 1, Makers: makers, Takers: takers},
//		Pace:     pace.Config{Mode: pace.ModeRate, RatePerSecond: 20_000},
//		Requests: 100_000, WarmUp: 5_000,
//	})
//	r := outcome.Result
//	r.Link, r.Durability, r.Reconciled = "unix", "none", exposure(outcome.Positions)
//	outcome.Judge()
//	err = result.Page{Title: title}.Fit(os.Stdout).Write(os.Stdout, r)
package loadtest
