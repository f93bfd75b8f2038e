// Package flow reads recorded order flow and turns each row into one normalised
// event, whatever market it comes from.
//
// Three formats are recognised by content, plain or gzip:
//
//   - LOBSTER message files (NASDAQ), with or without header and byte-order
//     mark: seconds after midnight, type, order, size, price × 10⁴, direction.
//   - Databento market by order in CSV, with prices × 10⁹ or as decimals and
//     times as nanoseconds or as RFC 3339.
//   - Bitstamp order logs: created, changed, deleted; volumes in 10⁻⁸.
//
// Every row becomes exactly one Event, so the counts of a file always add up to
// its rows. Rows that no client would send (hidden executions, the aggressor's
// half of a trade, bookkeeping that repeats what a fill already said) keep
// their place in the stream under their own Kind and are counted, not dropped.
//
// Two rules keep a simulated book on the path of the recorded one:
//
//   - In LOBSTER and Databento files an order that trades at once is never
//     shown, only its effect on the order that rested: the Execute event. Whoever
//     replays the flow must send the crossing order itself.
//   - In Bitstamp logs both orders of a match are shown. Where both are known the
//     incoming one crosses by itself, and the two rows are Matched. Only where one
//     of the two rested before the file begins is the other an Execute.
//
// Readers stream and hold only what is live. Load keeps a bounded number of
// events in memory, which is what a load generator wants: no file access and no
// decompression while it measures. Generator makes a day of the same mix from a
// seed, without a file.
//
// Nothing here is safe for use by several goroutines at once.
package flow
