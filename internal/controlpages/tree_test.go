package main

import (
	"os"
	"path/filepath"
	"testing"

	"tollgate/order"
)

// TestEveryControlIsProved wants a test for every control, and for what the
// venue says.
func TestEveryControlIsProved(t *testing.T) {
	proofs, err := findProofs(os.DirFS(repository(t)))
	if err != nil {
		t.Fatal(err)
	}
	names := []string{venueTruth}
	for _, c := range order.Controls() {
		names = append(names, c.String())
	}
	for _, name := range names {
		if len(proofsOf(proofs, name)) == 0 {
			t.Errorf("nothing proves %s: want a script or test that says \"%s %s\"", name, provesMark, name)
		}
	}
}

// TestRegulationIsTrue holds docs/regulation.md to what there is.
func TestRegulationIsTrue(t *testing.T) {
	root := repository(t)
	h, err := takeStock(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(root, "docs", "regulation.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range checkClaims(string(page), h) {
		t.Errorf("docs/regulation.md: %s", problem)
	}
}
