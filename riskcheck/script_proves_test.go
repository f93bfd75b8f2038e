package riskcheck_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tollgate/order"
)

// provesMark begins the first line of every script: the controls it is about.
const provesMark = "# proves: "

// venueTruth stands beside the controls for what the venue says happened.
const venueTruth = "VENUE_TRUTH"

// TestScriptsSayWhatTheyProve reads the first line of every script. It names
// controls that exist, in the order of evaluation, each control is proved by some
// script, and a script named after a control proves that one.
func TestScriptsSayWhatTheyProve(t *testing.T) {
	var known []string
	for _, c := range order.Controls() {
		known = append(known, c.String())
	}
	known = append(known, venueTruth)
	proved := map[string]bool{}
	for _, path := range scriptPaths(t) {
		names, err := provedBy(path)
		if err != nil {
			t.Error(err)
			continue
		}
		last := len(known)
		for _, name := range slices.Backward(names) {
			at := slices.Index(known, name)
			if at < 0 || at >= last {
				t.Errorf("%s: %q is no control, or not in the order of evaluation; want some of %v", path, name, known)
				break
			}
			last = at
			proved[name] = true
		}
		var number order.Control
		base := filepath.Base(path)
		if n, _ := fmt.Sscanf(base, "control_%02d_", &number); n == 1 && !slices.Contains(names, number.String()) {
			t.Errorf("%s does not prove %v", path, number)
		}
	}
	for _, name := range known {
		if !proved[name] {
			t.Errorf("no script proves %s", name)
		}
	}
}

// TestScriptsCoverEveryCase demands a script for every corner case, incident and
// control of the catalogue. A file's name says which one it is.
func TestScriptsCoverEveryCase(t *testing.T) {
	for kind, last := range map[string]int{"c": 65, "i": 13, "control_": order.ControlsMax} {
		for number := 1; number <= last; number++ {
			pattern := fmt.Sprintf("testdata/%s%02d_*.txt", kind, number)
			if found, err := filepath.Glob(pattern); err != nil || len(found) == 0 {
				t.Errorf("there is no script %s (%v)", pattern, err)
			}
		}
	}
}

// provedBy returns the names in the first line of a script. A sentence for people
// must follow it.
func provedBy(path string) ([]string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	lines := strings.SplitN(string(text), "\n", 3)
	names, found := strings.CutPrefix(lines[0], provesMark)
	if !found || len(lines) < 3 || !strings.HasPrefix(lines[1], "# ") {
		return nil, fmt.Errorf("%s does not begin with %q and names of controls, then a sentence for people", path,
			provesMark)
	}
	return strings.Split(names, ", "), nil
}
