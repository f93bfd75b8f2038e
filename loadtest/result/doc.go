// Package result is what a load test says at its end: one JSON object, and a
// page for a person.
//
// A result either counts or it does not. Judge applies the rules and writes
// down every one that is broken, in words; a result that breaks one is invalid
// wherever it is shown.
package result
