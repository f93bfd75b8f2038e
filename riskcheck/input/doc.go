// Package input turns every input of the risk engine into bytes and back. An
// engine's state is a function of its inputs, so whoever keeps these bytes, the
// kinds and the times can make the engine again.
//
// The bytes are little-endian and begin with a version, so that a kind can grow.
// There is one form of every input and no other: what decodes encodes to the same
// bytes. Bytes that were not made here are refused with an error that says which
// kind, what and where, and never end in a panic. A value is another matter. A
// side or a market state that does not exist is refused by the engine, but it has
// let time pass, so it is an input like any other and comes back as it was.
//
// The time of an input is not among its bytes: records have one of their own. It
// is enough to keep max(now, Engine.Now()). Kept like that, a tick without effects
// may be left out, since time is all that it moves.
//
// What is not here is no input of the engine. That the adapter has confirmed a
// fence, or refused an order, changes riskcheck/server and not the engine, and
// Engine.Expect changes nothing.
package input
