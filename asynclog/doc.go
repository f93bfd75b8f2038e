// Package asynclog records what happens on a loop without slowing the loop.
//
// A loop appends fixed-size binary events to its own Log, a bounded ring with
// one producer and one consumer. A Drainer, on an ordinary goroutine, takes the
// events out again, turns them into text and writes them with zap.
//
// No text is made on the loop, for three reasons. Formatting costs more than
// the check of an order does, and it costs most when it is least welcome: in a
// storm of rejects. Text has to be allocated, and garbage made per message
// brings the collector into the latency of every other message. And text has
// to be written: a log write is a system call on a file or a terminal that
// somebody else may have stopped reading, so a loop that writes its own log
// waits for its reader. A ring that is full loses an event and counts it; a
// loop never waits.
//
// The events are a closed catalogue: see Code. Each has a number, a name, a
// severity, the names of its arguments and a mark that says whether it belongs
// to the audit trail. The level at which events are written is chosen in the
// Drainer, off the loop, so that the loop has no level to ask about. The log is
// for people: what has to be proved later is in the journal.
package asynclog
