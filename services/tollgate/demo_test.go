package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tollgate/loadtest/result"
)

// runDemo runs the demo as fast as answers allow and returns its result.
func runDemo(t *testing.T, args ...string) *result.Result {
	t.Helper()
	file := filepath.Join(t.TempDir(), "result.json")
	stdout, stderr, exit := tollgate(t, append([]string{"demo", "--rate", "max", "--json", file}, args...)...)
	if exit != 0 {
		t.Fatalf("demo %v: exit %d\n%s\n%s", args, exit, stdout, stderr)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var r result.Result
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	checkResult(t, &r)
	if !strings.Contains(stdout, "Why requests were rejected") {
		t.Errorf("the print-out does not explain rejects:\n%s", stdout)
	}
	return &r
}

// checkResult checks what every run must show.
func checkResult(t *testing.T, r *result.Result) {
	t.Helper()
	o := &r.Orders
	if !r.Valid || !r.Reconciled || o.Sent == 0 || o.Sent != o.Answered || o.Unanswered != 0 || o.Duplicates != 0 {
		t.Errorf("result: valid %v because %v, reconciled %v, orders %+v", r.Valid, r.InvalidBecause, r.Reconciled, *o)
	}
	if r.Schema != 1 || r.Durability != "none" || len(r.Processes) != 4 || len(r.ConfigSHA) != 64 {
		t.Errorf("result: schema %d, durability %s, %d processes, config %s", r.Schema, r.Durability, len(r.Processes), r.ConfigSHA)
	}
}

// TestDemoOverBothLinks runs the built-in day over both kinds of links and
// expects it to meet at least six kinds of limits.
func TestDemoOverBothLinks(t *testing.T) {
	for _, link := range []string{"unix", "tcp"} {
		t.Run(link, func(t *testing.T) {
			r := runDemo(t, "--link", link, "--orders", "20000")
			if r.Link != link || len(r.Rejects) < 6 {
				t.Errorf("link %s, rejects %v: want at least six reasons", r.Link, r.Rejects)
			}
		})
	}
}

// TestDemoWithRecordedFlow runs each recorded file that is there.
func TestDemoWithRecordedFlow(t *testing.T) {
	files := flowFiles(t)
	if len(files) == 0 {
		t.Skip("there is no recorded order flow beside the repository; the built-in day is run by TestDemoOverBothLinks")
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			r := runDemo(t, "--link", "tcp", "--flow", file)
			if len(r.Rejects) < 6 {
				t.Errorf("rejects %v: want at least six reasons", r.Rejects)
			}
		})
	}
}

func TestDemoRefusesWhatItCannotDo(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--link", "shm"}, "shared memory links are not in this version"},
		{[]string{"--link", "pigeon"}, `--link "pigeon": want unix or tcp`},
		{[]string{"--durability", "disk"}, "needs the journal"},
		{[]string{"--rate", "fast"}, "--rate"},
		{[]string{"--no-such-flag"}, "no-such-flag"},
	} {
		_, stderr, exit := tollgate(t, append([]string{"demo"}, c.args...)...)
		if exit != exitUsage || !strings.Contains(stderr, c.want) {
			t.Errorf("demo %v: exit %d, %q, want %d and %q", c.args, exit, stderr, exitUsage, c.want)
		}
	}
	if _, stderr, exit := tollgate(t, "demo", "--flow", "no-such-file.csv"); exit != exitNegative ||
		!strings.Contains(stderr, "no-such-file.csv") {
		t.Errorf("a flow that is not there: exit %d, %q", exit, stderr)
	}
}
