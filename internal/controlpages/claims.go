package main

import (
	"fmt"
	"go/ast"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"tollgate/order"
	"tollgate/riskcheck"
)

const (
	// casesTotal and incidentsTotal are how many corner cases and incidents
	// the page must show, each with a script of its own.
	casesTotal     = 65
	incidentsTotal = 13

	// clauseColumns is how many cells a row of a clause has: what, what it asks,
	// what answers it, what shows that.
	clauseColumns = 4
	// caseColumns is how many cells the row of a case has: its name, what
	// happens, its scripts.
	caseColumns = 3

	// outOfScope begins the third cell of a clause that Tollgate does not answer.
	outOfScope = "Out of scope"
)

var (
	quotedWord = regexp.MustCompile("`([^`]+)`")
	fileLink   = regexp.MustCompile(`\[([^\]]+)\]\(\.\./([^)#]+)\)`)
	caseName   = regexp.MustCompile(`^([CI])(\d+)$`)
	scriptCase = regexp.MustCompile(`^([ci])(\d+)_`)
)

// holdings is what a page can speak of.
type holdings struct {
	scripts   map[string]string          // path by name
	functions map[string]map[string]bool // names of tests by file
}

// takeStock lists the scripts and tests of the tree.
func takeStock(tree fs.FS) (*holdings, error) {
	paths, err := scriptPaths(tree)
	if err != nil {
		return nil, err
	}
	h := &holdings{scripts: map[string]string{}, functions: map[string]map[string]bool{}}
	for _, file := range paths {
		h.scripts[scriptName(file)] = file
	}
	err = eachTestFile(tree, func(file string, syntax *ast.File) error {
		h.functions[file] = map[string]bool{}
		for _, declaration := range syntax.Decls {
			if f, ok := declaration.(*ast.FuncDecl); ok && f.Recv == nil && testFunction.MatchString(f.Name.Name) {
				h.functions[file][f.Name.Name] = true
			}
		}
		return nil
	})
	return h, err
}

// checkClaims returns what a page says that is not so, by line.
func checkClaims(page string, h *holdings) []string {
	var problems []string
	cases := map[string]bool{}
	number := 0
	for line := range strings.Lines(page) {
		number++
		for _, problem := range lineProblems(strings.TrimSpace(line), h, cases) {
			problems = append(problems, fmt.Sprintf("line %d: %s", number, problem))
		}
	}
	return append(problems, missingCases(cases)...)
}

// lineProblems judges one line and remembers the case it is about.
func lineProblems(line string, h *holdings, cases map[string]bool) []string {
	problems := unknownWords(line)
	for _, link := range fileLink.FindAllStringSubmatch(line, -1) {
		problems = append(problems, h.linkProblem(link[1], link[2])...)
	}
	cells := tableCells(line)
	switch {
	case len(cells) == caseColumns && caseName.MatchString(cells[0]):
		if cases[cells[0]] {
			problems = append(problems, cells[0]+" has a second row")
		}
		cases[cells[0]] = true
		problems = append(problems, h.caseProblems(cells)...)
	case len(cells) == clauseColumns && !strings.HasPrefix(cells[2], "---"):
		problems = append(problems, clauseProblems(cells)...)
	}
	return problems
}

// tableCells returns the cells of a row of a table, nil for any other line.
func tableCells(line string) []string {
	if !strings.HasPrefix(line, "|") {
		return nil
	}
	cells := strings.Split(strings.Trim(line, "|"), "|")
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	return cells
}

// unknownWords wants every word in backquotes to be the name of something.
// Paths and names of Go packages are judged by repolint.
func unknownWords(line string) []string {
	var problems []string
	for _, match := range quotedWord.FindAllStringSubmatch(line, -1) {
		if word := match[1]; !strings.ContainsAny(word, "/.") && !isWord(word) {
			problems = append(problems, fmt.Sprintf("`%s` is no control, reason, limit, act or latch", word))
		}
	}
	return problems
}

// isWord reports whether a control, reason, limit, act or latch has the name.
func isWord(word string) bool {
	if _, ok := controlNamed(word); ok || word == "unlimited" {
		return true
	}
	for _, r := range order.Reasons() {
		if r.String() == word {
			return true
		}
	}
	for _, k := range riskcheck.LimitKinds() {
		if k.String() == word {
			return true
		}
	}
	for a := riskcheck.ActReject; a <= riskcheck.ActKill; a++ {
		if a.String() == word {
			return true
		}
	}
	for l := riskcheck.LatchLateTruth; l <= riskcheck.LatchConsecutiveRejects; l++ {
		if l.String() == word {
			return true
		}
	}
	return false
}

// linkProblem judges a link to a file of the tree by the name it shows.
func (h *holdings) linkProblem(name, file string) []string {
	switch {
	case path.Dir(file) == scriptsDir:
		if h.scripts[name] != file {
			return []string{fmt.Sprintf("there is no script %s at %s", name, file)}
		}
	case strings.HasSuffix(file, "_test.go"):
		if !h.functions[file][name] {
			return []string{fmt.Sprintf("there is no test %s in %s", name, file)}
		}
	}
	return nil
}

// clauseProblems wants a clause to have an answer and something that shows it,
// or to say that it is out of scope. The head of a table has neither.
func clauseProblems(cells []string) []string {
	shown := fileLink.MatchString(cells[3])
	switch {
	case cells[0] == "clause":
		return nil
	case strings.HasPrefix(cells[2], outOfScope):
		if shown {
			return []string{cells[0] + " is out of scope, and something shows it"}
		}
		return nil
	case !shown:
		return []string{fmt.Sprintf("nothing shows %s: want a script, a test or %q", cells[0], outOfScope)}
	}
	return nil
}

// caseProblems wants the row of a case to list exactly the scripts that are
// named after it, and one at least.
func (h *holdings) caseProblems(cells []string) []string {
	var listed []string
	for _, link := range fileLink.FindAllStringSubmatch(cells[2], -1) {
		listed = append(listed, link[1])
	}
	want := h.scriptsOf(cells[0])
	slices.Sort(listed)
	switch {
	case len(want) == 0:
		return []string{cells[0] + " has no script that is named after it"}
	case !slices.Equal(listed, want):
		return []string{fmt.Sprintf("%s lists the scripts %v, and those named after it are %v", cells[0], listed, want)}
	}
	return nil
}

// scriptsOf returns the names of the scripts of a case, sorted.
func (h *holdings) scriptsOf(name string) []string {
	var out []string
	for script := range h.scripts {
		if match := scriptCase.FindStringSubmatch(script); match != nil && sameCase(name, match) {
			out = append(out, script)
		}
	}
	slices.Sort(out)
	return out
}

// sameCase compares "I3" with the parts of "i03_...".
func sameCase(name string, script []string) bool {
	return name == caseID(strings.ToUpper(script[1]), script[2])
}

// caseID writes the name of a case as the page does: C07 and I3.
func caseID(letter, digits string) string {
	digits = strings.TrimLeft(digits, "0")
	if letter == "C" {
		return fmt.Sprintf("C%02s", digits)
	}
	return letter + digits
}

// missingCases lists the cases that have no row.
func missingCases(cases map[string]bool) []string {
	var problems []string
	for letter, total := range map[string]int{"C": casesTotal, "I": incidentsTotal} {
		for i := range total {
			if name := caseID(letter, fmt.Sprint(i+1)); !cases[name] {
				problems = append(problems, name+" has no row")
			}
		}
	}
	slices.Sort(problems)
	return problems
}
