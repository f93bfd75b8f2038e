// Package request turns order flow into the requests a firm's clients would
// send: who sends it, under which ClOrdID, and with which quantities.
//
// # Who
//
// Recorded flow is anonymous. An order belongs to one of the Makers, chosen by
// a hash of its number, and stays with that session, account and trader for
// life. Executions were caused by orders that the recording does not show; they
// are sent as immediate-or-cancel orders at the execution's price on the other
// side, by one of the Takers. Accounts of makers and takers should differ, so
// that no account trades with itself.
//
// # Quantities
//
// OrderQty is FIX's total: executed plus still wanted. A replace after a
// partial execution therefore needs the executed quantity, and there are two of
// them: what the recording says and what the venue under test has done. They
// differ, because the venue's queues are not the recorded ones. This package
// takes the recorded one, for three reasons. Quantities are a pure function of
// the flow, the same in every run and independent of when answers arrive. The
// order's total stays what its owner recorded: an order whose executions ran
// ahead does not trade more than it ever did in the recording, which is what
// FIX totals are for. And where the venue has executed more than the new total,
// the engine must refuse the replace (REPLACE_BELOW_CUM_QTY), which is a case
// worth meeting.
//
// # Names
//
// ClOrdIDs count up per session, one for each request. OrigClOrdID is the last
// one of the order that is known to be accepted: the order's first, until
// Accepted reports a replace. So a replace that is refused later never becomes
// part of a chain.
//
// # What is not sent
//
// An order that was refused at entry lives on in the recording but not here: as
// soon as Refused has told so, nothing more is sent for it, as no client would.
// This and OrigClOrdID are all that answers change.
//
// Orders that rested before the flow begins are unknown here as well. Their
// cancels and changes are sent, under a ClOrdID nobody has used, and the engine
// must answer UNKNOWN_ORDER. Executions of such orders are not sent: they would
// hit somebody else.
package request
