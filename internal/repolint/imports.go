package repolint

import (
	_ "embed"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
)

//go:embed imports.txt
var importsTable string

// importRow says what the packages of one row may import.
type importRow struct {
	packages []string // rows of this module
	modules  []string
}

// parseImports reads the table of imports.txt.
func parseImports(text string) (map[string]importRow, error) {
	rows := map[string]importRow{}
	for _, line := range tableLines(text) {
		name, rest, found := strings.Cut(line, ":")
		name = strings.TrimSpace(name)
		if _, twice := rows[name]; twice || !found {
			return nil, fmt.Errorf("import table: %q: want one row \"package : packages | modules\" for each package", line)
		}
		packages, modules, _ := strings.Cut(rest, "|")
		rows[name] = importRow{packages: strings.Fields(packages), modules: strings.Fields(modules)}
	}
	for name, row := range rows {
		for _, allowed := range row.packages {
			if _, ok := rows[allowed]; !ok {
				return nil, fmt.Errorf("import table: row %q names %q, which has no row", name, allowed)
			}
		}
	}
	return rows, nil
}

// rowOf returns the name of the row that a package obeys, or "".
func rowOf(rows map[string]importRow, dir string) string {
	for ; dir != "."; dir = path.Dir(dir) {
		if _, ok := rows[dir]; ok {
			return dir
		}
	}
	return ""
}

// checkImports compares every import with the table.
func checkImports(r *Repository, table string) ([]Finding, error) {
	rows, err := parseImports(table)
	if err != nil {
		return nil, err
	}
	var findings []Finding
	for _, s := range r.Sources {
		row := rowOf(rows, s.Dir())
		if row == "" {
			findings = append(findings, Finding{
				Rule: "imports", Path: s.Path, Subject: s.Dir(),
				Text: fmt.Sprintf("package %q has no row in imports.txt", s.Dir()),
			})
			continue
		}
		for _, spec := range s.Syntax.Imports {
			target, err := strconv.Unquote(spec.Path.Value)
			if err != nil || importAllowed(rows, row, target, s.Test) {
				continue
			}
			findings = append(findings, Finding{
				Rule: "imports", Path: s.Path, Subject: target, Line: r.line(spec.Pos()),
				Text: fmt.Sprintf("%q may not import %q: see row %q of imports.txt", s.Dir(), target, row),
			})
		}
	}
	return findings, nil
}

// importAllowed reports whether the row allows the import of target.
func importAllowed(rows map[string]importRow, row, target string, test bool) bool {
	if dir, local := strings.CutPrefix(target, modulePath+"/"); local {
		to := rowOf(rows, dir)
		return test || to != "" && (to == row || slices.Contains(rows[row].packages, to))
	}
	if first, _, _ := strings.Cut(target, "/"); !strings.Contains(first, ".") {
		return true
	}
	if inModules(rows[row].modules, target) {
		return true
	}
	return test && inModules(rows["tests"].modules, target)
}

// inModules reports whether an import path lies in one of the modules.
func inModules(modules []string, target string) bool {
	return slices.ContainsFunc(modules, func(m string) bool {
		return target == m || strings.HasPrefix(target, m+"/")
	})
}
