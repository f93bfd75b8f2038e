package ctl_test

import (
	"bytes"
	"strings"
	"testing"
)

// TestShellsCompleteNames asks as a shell does, with the names that the server
// knows; a server that does not answer leaves the fixed words.
func TestShellsCompleteNames(t *testing.T) {
	s := newScript(t)
	for _, c := range []struct{ typed, want string }{
		{"describe ", "firm group account trader session strategy instrument order"},
		{"describe account ", "A-01 A-02 B-01"},
		{"describe instrument ", "AMZN ESZ6 SAP"},
		{"kill strategy ", "vwap"},
		{"release account A-01 ", "lateTruth limit implausiblePosition dailyLoss dailyLossFromPeak repeatedExecution consecutiveRejects"},
		{"release firm ", "lateTruth limit implausiblePosition dailyLoss dailyLossFromPeak repeatedExecution consecutiveRejects"},
		{"set position A-01 ", "AMZN ESZ6 SAP"},
		{"set fx ", "EUR"},
		{"set market-state AMZN ", "open pre-open auction halted closed"},
		{"roll calendar ", "CME"},
		{"simulate order --session ", "S1 S2"},
		{"simulate order --side ", "buy sell sell-short sell-short-exempt"},
		{"kill account A-01 --class ", "shares"},
		{"tail --kinds ", "decisions limits kills sessions venue alerts changes counters"},
	} {
		if got := completed(t, c.typed); got != c.want {
			t.Errorf("%q completes to %q, want %q", c.typed, got, c.want)
		}
	}
	s.denied = true
	if got := completed(t, "describe account "); got != "" {
		t.Errorf("without an answer accounts complete to %q, want nothing", got)
	}
}

// completed returns what a line completes to.
func completed(t *testing.T, line string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	args := append([]string{"__complete"}, strings.Fields(line)...)
	run(t, append(args, ""), "", &stdout, &stderr)
	var words []string
	for word := range strings.FieldsSeq(stdout.String()) {
		if !strings.HasPrefix(word, ":") {
			words = append(words, word)
		}
	}
	return strings.Join(words, " ")
}
