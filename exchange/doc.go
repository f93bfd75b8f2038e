// Package exchange is the venue side of Tollgate: the adapter that stands
// between the engine's verdicts and a venue, and the process around it.
//
// # The adapter
//
// An Adapter lets an order through to its Venue only with a verdict token that
// the engine signed for exactly these bytes. It checks, in this order: token
// present, token and order authentic, epoch the newest, token unused, token not
// expired, ValidUntil not passed, no kill fence before it, reports not backed
// up. The first four end in a hint on the link and in nothing else: whoever can
// forge a message must not be able to release exposure. The last four are
// authentic requests that came too late; they spend their token and are
// answered by a sequenced report, so that the engine releases what it reserved.
//
// Cancels are never blocked. One with an authentic token is carried out once;
// one without is carried out as if nobody had asked for it by number, which is
// also how a gateway cancels while the engine is away.
//
// A newer epoch makes the older ones void. An authentic token shows it, and so do
// a fence and an engine that asks for the reports: an engine that was replaced
// cannot go on trading until its successor has sent an order.
//
// Sequence numbers of the engine continue from epoch to epoch, and so does the
// memory of used tokens: a request that is sent again under a newer epoch still
// has at most one effect.
//
// # Reports
//
// Everything the venue says is numbered without gaps from 1, kept until the
// engine has acknowledged it, and can be sent again from any retained number
// with the same bytes. A report about the order of a verdict carries that
// verdict's trace; other orders it touches carry the time at the venue alone,
// so that nobody learns the times of others.
//
// # Replaces
//
// Tollgate's OrderQty of a replace is the total, as in FIX. Some venues take it for
// what shall be open. A Venue declares which it does (ReplacesOpenQty), and the
// adapter asks it for the total less what it knows to be executed; if that is
// nothing, it refuses for the venue. Reports always state the total. What such a
// venue executes while a replace is on its way comes on top of the total asked
// for: the engine reserves for it.
//
// Adapter and venue are pure state machines that are given the time. The Server
// joins them to a fastpath loop: gateways connect, and the one that last asked
// for reports is sent them.
package exchange
