package main

import (
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"tollgate/internal/repolint"
	"tollgate/order"
	"tollgate/riskcheck"
)

// tree makes a tree of files from pairs of path and text.
func tree(pairs ...string) fstest.MapFS {
	files := fstest.MapFS{}
	for i := 0; i < len(pairs); i += 2 {
		files[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
	}
	return files
}

// repository is the tree this test stands in.
func repository(t *testing.T) (root string) {
	t.Helper()
	root, err := repolint.Root()
	if err != nil {
		t.Fatal(err)
	}
	return root
}

func TestProofsAreFoundInScriptsAndTests(t *testing.T) {
	proofs, err := findProofs(tree(
		"riskcheck/testdata/c01_a.txt", "# proves: OPEN_ORDERS, VENUE_TRUTH\n# C01: a cancel\n",
		"riskcheck/testdata/b.txt", "# B: says nothing\n",
		"riskcheck/testdata/include/inner.txt", "# proves: EXPOSURE\n",
		"order/x_test.go", "package order\n\n// TestX proves a thing.\n// proves: POSITION\nfunc TestX() {}\n",
		"order/y_test.go", "package order\n\nfunc TestY() { _ = \"// proves: SESSION\" }\n",
		"order/z.go", "package order\n\n// Z is no test.\n// proves: SESSION\nfunc Z() {}\n",
		"order/testdata/t_test.go", "not Go\n",
	))
	if err != nil {
		t.Fatal(err)
	}
	want := []proof{
		{"OPEN_ORDERS", "c01_a", "riskcheck/testdata/c01_a.txt"},
		{"VENUE_TRUTH", "c01_a", "riskcheck/testdata/c01_a.txt"},
		{"POSITION", "TestX", "order/x_test.go"},
	}
	if !slices.Equal(proofs, want) {
		t.Errorf("found %v, want %v", proofs, want)
	}
}

func TestProofsThatCannotBeMeantAreErrors(t *testing.T) {
	for name, c := range map[string]struct{ path, text, want string }{
		"unknown name":  {"riskcheck/testdata/a.txt", "# proves: POSITION, LUCK\n", `"LUCK" is no control`},
		"no name":       {"riskcheck/testdata/a.txt", "# proves:\n", `"" is no control`},
		"named twice":   {"riskcheck/testdata/a.txt", "# proves: POSITION, POSITION\n", "named twice"},
		"not the first": {"riskcheck/testdata/a.txt", "# A\n# proves: POSITION\n", "not the first"},
		"no test": {
			"order/x_test.go", "package order\n\n// help helps.\n// proves: POSITION\nfunc help() {}\n", "what is no test",
		},
		"unknown name of a test": {
			"order/x_test.go", "package order\n\n// proves: LUCK\nfunc TestX() {}\n", "order/x_test.go: TestX",
		},
	} {
		_, err := findProofs(tree(c.path, c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), c.path) {
			t.Errorf("%s: error is %v, want one that says %q and names %s", name, err, c.want, c.path)
		}
	}
}

// TestPageHasEveryField wants every text of the catalogue, every limit and every
// reason on the page, in the section of its control.
func TestPageHasEveryField(t *testing.T) {
	rules := riskcheck.Catalogue()
	proofs := []proof{
		{"BASKET", "c41_list", "riskcheck/testdata/c41_list.txt"}, {venueTruth, "c09_bust", "riskcheck/testdata/c09_bust.txt"},
	}
	sections := strings.Split(string(renderControls(rules, proofs)), "\n## ")
	if len(sections) != len(rules)+3 {
		t.Fatalf("%d sections, want %d", len(sections), len(rules)+3)
	}
	for i, r := range rules {
		texts := []string{
			r.Control.String(), r.Rule, r.Default, r.Messages, r.Window, r.Equality, r.Rejected, r.Reset, r.Scopes, r.Thresholds,
		}
		for _, l := range r.Limits {
			texts = append(texts, "`"+l.Kind.String()+"`", l.Says, l.Places.String())
		}
		for _, reason := range r.Reasons {
			texts = append(texts, reason.String(), reason.Text())
		}
		for _, text := range texts {
			if !strings.Contains(sections[i+1], text) {
				t.Errorf("the section of %v lacks %q", r.Control, text)
			}
		}
	}
	if !strings.Contains(sections[order.ControlBasket], "[c41_list](../riskcheck/testdata/c41_list.txt)") {
		t.Error("the section of BASKET lacks its proof")
	}
	if !strings.Contains(sections[len(rules)+1], "[c09_bust](../riskcheck/testdata/c09_bust.txt)") {
		t.Error("the section on the venue lacks its proof")
	}
	if !strings.Contains(sections[len(rules)+2], order.ReasonTokenUsed.String()) {
		t.Error("the last section lacks the adapter's reasons")
	}
}

// TestReasonNumbersShowRuns joins numbers that follow each other, and no others.
func TestReasonNumbersShowRuns(t *testing.T) {
	got := reasonNumbers([]order.Reason{100, 101, 102, 200, 310, 311})
	if want := "100–102, 200, 310–311"; got != want {
		t.Errorf("shown as %q, want %q", got, want)
	}
}

// TestRunNeedsBothFlags and says which is missing.
func TestRunNeedsBothFlags(t *testing.T) {
	if err := run("", "x.md"); err == nil || !strings.Contains(err.Error(), "-root") {
		t.Errorf("error is %v, want one about -root", err)
	}
	out := t.TempDir() + "/controls.md"
	if err := run(repository(t), out); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(out); err != nil || !strings.Contains(string(text), "# Controls") {
		t.Errorf("the page is %q (%v)", text, err)
	}
}
