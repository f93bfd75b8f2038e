package repolint

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// dependenciesPage gives the reason for every module.
const dependenciesPage = "docs/dependencies.md"

// The headings of dependenciesPage under which the modules stand.
const (
	headingDirect   = "Direct"
	headingTest     = "Tests only"
	headingIndirect = "Come along"
)

// moduleRow is a row of a table whose first cell is a module path in
// backquotes; moduleHeading is a heading above such a table.
var (
	moduleRow     = regexp.MustCompile("^\\| `([^`]+)` \\|(.*)\\|$")
	moduleHeading = regexp.MustCompile(`^## (.+)$`)
	requireLine   = regexp.MustCompile(`^(?:require\s+|\t)(\S+\.\S+) v\S+(\s+// indirect)?$`)
)

// documentedModules reads the modules of a page by heading. A row with an empty
// cell is an error: the reason is the point.
func documentedModules(page string) (map[string][]string, error) {
	modules := map[string][]string{}
	heading := ""
	for line := range strings.Lines(page) {
		line = strings.TrimSpace(line)
		if match := moduleHeading.FindStringSubmatch(line); match != nil {
			heading = match[1]
		}
		match := moduleRow.FindStringSubmatch(line)
		if match == nil {
			continue
		}
		for cell := range strings.SplitSeq(match[2], "|") {
			if strings.TrimSpace(cell) == "" {
				return nil, fmt.Errorf("%s: the row of %s has an empty cell", dependenciesPage, match[1])
			}
		}
		modules[heading] = append(modules[heading], match[1])
	}
	return modules, nil
}

// directModules returns the modules that a go.mod requires directly.
func directModules(mod string) []string {
	var modules []string
	for line := range strings.Lines(mod) {
		match := requireLine.FindStringSubmatch(strings.TrimRight(line, "\n"))
		if match != nil && match[2] == "" {
			modules = append(modules, match[1])
		}
	}
	return modules
}

// checkModules compares go.mod, and the modules linked into the binary, with
// the page that gives the reasons.
func checkModules(r *Repository, linked []string) ([]Finding, error) {
	documented, err := documentedModules(r.Files[dependenciesPage])
	if err != nil {
		return nil, err
	}
	direct := documented[headingDirect]
	inBinary := append(slices.Clone(direct), documented[headingIndirect]...)
	required := append(slices.Clone(direct), documented[headingTest]...)
	findings := compareSets("go.mod requires", directModules(r.Files["go.mod"]), required)
	return append(findings, compareSets("the binary links", linked, inBinary)...), nil
}

// compareSets reports what is in one of two sets only.
func compareSets(subject string, have, documented []string) []Finding {
	var findings []Finding
	for _, module := range missing(have, documented) {
		findings = append(findings, Finding{
			Rule: "modules", Path: dependenciesPage, Subject: module,
			Text: fmt.Sprintf("%s %s, which has no row here: say what it is for and why this one", subject, module),
		})
	}
	for _, module := range missing(documented, have) {
		findings = append(findings, Finding{
			Rule: "modules", Path: dependenciesPage, Subject: module,
			Text: fmt.Sprintf("%s is no longer what %s: remove its row", module, subject),
		})
	}
	return findings
}

// missing returns the elements of a that are not in b, in order.
func missing(a, b []string) []string {
	left := map[string]bool{}
	for _, element := range a {
		left[element] = !slices.Contains(b, element)
	}
	maps.DeleteFunc(left, func(_ string, gone bool) bool { return !gone })
	return slices.Sorted(maps.Keys(left))
}
