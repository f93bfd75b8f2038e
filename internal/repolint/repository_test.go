package repolint

import (
	"cmp"
	_ "embed"
	"go/types"
	"slices"
	"testing"
)

//go:embed ratchet.txt
var ratchetText string

// load reads the tree this test stands in.
func load(t *testing.T) (root string, r *Repository) {
	t.Helper()
	root, err := Root()
	if err != nil {
		t.Fatal(err)
	}
	r, err = Load(root)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Sources) == 0 {
		t.Fatal("the tree has no Go files")
	}
	return root, r
}

// must fails the test on an error of a rule that could not be applied.
func must(t *testing.T, findings []Finding, err error) []Finding {
	t.Helper()
	if err != nil {
		t.Error(err)
	}
	return findings
}

// TestRepositoryKeepsItsRules applies every rule to the tree.
func TestRepositoryKeepsItsRules(t *testing.T) {
	root, r := load(t)
	standard, err := standardPackages(root)
	if err != nil {
		t.Fatal(err)
	}
	findings := checkSizes(r)
	findings = append(findings, checkNames(r)...)
	findings = append(findings, checkPackageComments(r)...)
	findings = append(findings, checkInit(r)...)
	findings = append(findings, checkLeftovers(r)...)
	findings = append(findings, checkMachinePaths(r)...)
	findings = append(findings, checkEvents(r)...)
	findings = append(findings, checkMarkdown(r, standard)...)
	findings = append(findings, checkCommands(r)...)
	findings = append(findings, checkExamples(r)...)

	more, err := checkImports(r, importsTable)
	findings = append(findings, must(t, more, err)...)
	more, err = checkHot(r, hotTable, hotImporter(t, root))
	findings = append(findings, must(t, more, err)...)
	more, err = checkLinked(r, root)
	findings = append(findings, must(t, more, err)...)

	report(t, findings)
}

// hotImporter resolves the imports of the packages whose types are checked.
func hotImporter(t *testing.T, root string) types.Importer {
	t.Helper()
	importer, err := exportImporter(root, "./riskcheck")
	if err != nil {
		t.Fatal(err)
	}
	return importer
}

// checkLinked compares the modules of the binary with the documents.
func checkLinked(r *Repository, root string) ([]Finding, error) {
	linked, err := linkedModules(root, "./services/tollgate")
	if err != nil {
		return nil, err
	}
	return checkModules(r, linked)
}

// report fails for what the ratchet does not tolerate, and for what it
// tolerates without need.
func report(t *testing.T, findings []Finding) {
	t.Helper()
	slices.SortFunc(findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Rule, b.Rule))
	})
	ratchet := tableLines(ratchetText)
	left, stale := applyRatchet(findings, ratchet)
	for _, f := range left {
		t.Error(f)
	}
	for _, entry := range stale {
		t.Errorf("ratchet.txt: %q tolerates nothing any more: remove it", entry)
	}
	if len(ratchet) != ratchetEntriesMax {
		t.Errorf("ratchet.txt has %d entries and limits.go says %d: the number may only fall",
			len(ratchet), ratchetEntriesMax)
	}
}
