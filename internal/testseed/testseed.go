// Package testseed gives random tests their seeds and prints them, so that any
// run can be had again. Only tests import it.
package testseed

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
)

// Variable names the environment variable that repeats a run: an unsigned
// decimal number.
const Variable = "TOLLGATE_SEED"

// New returns a seed that differs from run to run, or the one Variable gives.
func New(t testing.TB) uint64 {
	t.Helper()
	return Or(t, rand.Uint64())
}

// Or returns otherwise, or the seed Variable gives. It logs which it is, and
// ends the test if Variable is not a number.
func Or(t testing.TB, otherwise uint64) uint64 {
	t.Helper()
	seed, given := Given(t)
	if !given {
		seed = otherwise
	}
	t.Logf("%s=%d", Variable, seed)
	return seed
}

// Given returns the seed that Variable gives, if it is set. It ends the test if
// that is not a number.
func Given(t testing.TB) (seed uint64, given bool) {
	t.Helper()
	text := os.Getenv(Variable)
	if text == "" {
		return 0, false
	}
	seed, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatalf("%s is %q, want an unsigned decimal number", Variable, text)
	}
	return seed, true
}
