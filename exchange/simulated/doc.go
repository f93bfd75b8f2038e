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
//   - Limit, market, stop and stop-limit orders; day, GTC, IOC, FOK and GTD. A GTD
//     order must state ValidUntil and expires when the venue's time is past it.
//     The venue's day ends on command: then every order but GTC and GTD expires.
//   - The acknowledgement comes before the trades it leads to. Each match gives
//     two trade reports at the resting order's price: the resting order's first,
//     then the aggressor's.
//   - What an IOC or a market order cannot trade at once is canceled with a
//     report of Seq 0. A FOK order that cannot be filled completely is
//     acknowledged and canceled without touching the book.
//   - A market order that states a Price is protected: it trades at that price or
//     better, and the rest of it is canceled.
//   - A stop waits outside the book until a trade elects it: a buy at its StopPx or
//     above, a sell at its StopPx or below. Then it is a market order, a stop-limit
//     a limit order. One whose StopPx the last trade has reached already does not
//     wait. Elected orders begin when the order that traded is done with, those
//     that the price passed first first, buys before sells; nothing is reported
//     of the election itself.
//   - An order with a DisplayQty shows no more than that. When what it shows is
//     traded, it shows as much again from the rest, behind all others of its
//     price. An order that comes in trades with all of it, shown or not.
//   - Replace has FIX semantics: OrderQty is the new total. OrderQty below CumQty is
//     refused. OrderQty equal to CumQty leaves nothing to trade: the replace is
//     confirmed with LeavesQty 0 and the order is filled (FIX volume 4, order
//     state matrix D11). For an instrument with ReplaceOpenQty, OrderQty is what
//     shall be open instead, whatever has been executed by then (CME without
//     in-flight mitigation, tag 9768). Reports state the total either way.
//   - A replace keeps the order's place in the queue if price and DisplayQty stay
//     and the total does not rise; a stop that waits keeps it if StopPx, DisplayQty
//     and total do so.
//   - Account, trader, instrument, side, order type and time in force cannot be
//     replaced, except that a stop that waits may become a stop-limit and back.
//   - Orders of the same owner may trade with each other.
//
// # Commands
//
// What a venue does of its own accord is done on command (Do): trades are
// canceled and corrected on both sides, reports are said twice, orders are
// executed outside the book, even above their quantity and after their end, they
// are restated and canceled, and the day ends. Such executions move neither the
// last price nor stops.
//
// Refusals carry a reason of the venue's range (order.ReasonVenueReject and
// above); the venue's own, finer words are a Refusal and stand in its log.
package simulated
