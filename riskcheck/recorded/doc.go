// Package recorded is the risk engine with its journal: whatever changes the engine
// is a record first. Because the engine's state is a function of its inputs, what the
// journal holds can be made again, and every decision explained.
//
// An Engine here has all that an engine has. The methods that are inputs are its own:
// they append the input and then give it to the engine, on the same loop and in the
// same order. A process that dies in between has answered nobody, and takes the input
// when it is replayed.
//
// Invariant: nothing reaches the engine that is not in the journal.
package recorded
