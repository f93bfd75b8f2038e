// Command controlpages writes docs/controls.md, the page on which every control
// has one row and one section: its rule, what is counted, every limit and
// reason, and the tests that prove it.
//
// The words are those of riskcheck.Catalogue. The tests are found, not typed: a
// script under riskcheck/testdata begins with a line
//
//	# proves: PRICE_COLLAR, MESSAGE_RATE
//
// and a test, benchmark or fuzz target in Go has such a line in its comment. A
// name that no control has is an error.
//
// Beside the command, the package's tests hold docs/regulation.md to what there
// is: every control, limit, reason, script and test that the page names exists,
// and every case and incident has a script named after it.
//
//	controlpages -root . -out docs/controls.md
package main

//go:generate go run tollgate/internal/controlpages -root ../.. -out ../../docs/controls.md
