package repolint

import (
	"fmt"
	"slices"
	"strings"
)

// Finding is one place that breaks a rule.
type Finding struct {
	Rule    string // name of the rule, in lower case with dashes
	Path    string // file or package, relative to the root
	Subject string // what in the file: a function, an import; free of line numbers
	Line    int    // 0: the file as a whole
	Text    string // what is wrong and what would be right
}

// String shows the finding the way compilers show errors.
func (f Finding) String() string {
	where := f.Path
	if f.Line > 0 {
		where = fmt.Sprintf("%s:%d", f.Path, f.Line)
	}
	return fmt.Sprintf("%s: %s: %s", where, f.Rule, f.Text)
}

// key identifies the finding in ratchet.txt, however lines move.
func (f Finding) key() string { return f.Rule + " " + f.Path + " " + f.Subject }

// applyRatchet removes the findings that ratchet tolerates. It returns those
// that are left, and the entries that tolerate nothing any more.
func applyRatchet(findings []Finding, ratchet []string) (left []Finding, stale []string) {
	used := map[string]bool{}
	for _, f := range findings {
		if slices.Contains(ratchet, f.key()) {
			used[f.key()] = true
			continue
		}
		left = append(left, f)
	}
	for _, entry := range ratchet {
		if !used[entry] {
			stale = append(stale, entry)
		}
	}
	return left, stale
}

// tableLines returns the lines of a text table without comments and blanks.
func tableLines(text string) []string {
	var lines []string
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}
