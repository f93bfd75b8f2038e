// Package simulated is the venue that is built into Tollgate: continuous
// trading in price-time priority, one book per instrument.
//
// A Venue is a pure state machine. Time is passed in, nothing is read from a
// clock, no goroutine is started, and the same calls in the same order give the
// same reports to the last bit. It belongs to one goroutine. After the books
// have grown to their working size no call allocates.
//
// # Rules
//
//   - Limit and market orders; day, GTC, IOC, FOK and GTD. A GTD order must state
//     ValidUntil and expires when the venue's time is past it. The venue has no
//     end of day: a day order rests until it is filled or canceled. Stop orders
//     and orders with a DisplayQty are refused.
//   - The acknowledgement comes before the trades it leads to. Each match gives
//     two trade reports at the resting order's price: the resting order's first,
//     then the aggressor's.
//   - What an IOC or a market order cannot trade at once is canceled with a
//     report of Seq 0. A FOK order that cannot be filled completely is
//     acknowledged and canceled without touching the book.
//   - Replace has FIX semantics: OrderQty is the new total. The order keeps its
//     place in the queue if its price stays and its OrderQty does not rise, and
//     loses it otherwise. OrderQty below CumQty is refused. OrderQty equal to
//     CumQty leaves nothing to trade: the replace is confirmed with LeavesQty 0
//     and the order is filled (FIX volume 4, order state matrix D11).
//   - Account, trader, instrument, side, order type and time in force cannot be
//     replaced.
//   - Orders of the same owner may trade with each other.
//
// Refusals carry a reason of the venue's range (order.ReasonVenueReject and
// above); the venue's own, finer words are a Refusal and stand in its log.
package simulated
