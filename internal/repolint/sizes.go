package repolint

import (
	"fmt"
	"go/ast"
	"path"
	"strings"
	"unicode/utf8"
)

// checkSizes holds functions, files and lines to the bounds of limits.go.
// Generated files have none.
func checkSizes(r *Repository) []Finding {
	var findings []Finding
	for _, s := range r.Sources {
		if s.Generated {
			continue
		}
		functionMax, fileMax := functionLinesMax, fileLinesMax
		if s.Test {
			functionMax, fileMax = testFunctionLinesMax, testFileLinesMax
		}
		findings = append(findings, longFunctions(r, s, functionMax)...)
		if lines := strings.Count(s.Text, "\n"); lines > fileMax {
			findings = append(findings, Finding{
				Rule: "file-lines", Path: s.Path,
				Text: fmt.Sprintf("%d lines, want at most %d: split it by subject", lines, fileMax),
			})
		}
	}
	return append(findings, longLines(r)...)
}

func longFunctions(r *Repository, s *Source, linesMax int) []Finding {
	var findings []Finding
	for _, declaration := range s.Syntax.Decls {
		f, ok := declaration.(*ast.FuncDecl)
		if !ok {
			continue
		}
		if lines := r.line(f.End()) - r.line(f.Pos()) + 1; lines > linesMax {
			findings = append(findings, Finding{
				Rule: "function-lines", Path: s.Path, Subject: f.Name.Name, Line: r.line(f.Pos()),
				Text: fmt.Sprintf("%s has %d lines, want at most %d", f.Name.Name, lines, linesMax),
			})
		}
	}
	return findings
}

// longLines looks at everything written by hand that is read as text. Tables
// and links of Markdown cannot be broken and are left alone.
func longLines(r *Repository) []Finding {
	generated := map[string]bool{}
	for _, s := range r.Sources {
		generated[s.Path] = s.Generated
	}
	var findings []Finding
	for name, text := range r.Files {
		columnsMax := lineBound(name)
		if generated[name] || columnsMax == 0 {
			continue
		}
		number := 0
		for line := range strings.Lines(text) {
			number++
			columns := utf8.RuneCountInString(strings.TrimRight(line, "\r\n"))
			if columns <= columnsMax || path.Ext(name) == ".md" && strings.ContainsAny(line, "|(") {
				continue
			}
			findings = append(findings, Finding{
				Rule: "line-columns", Path: name, Subject: strings.TrimSpace(line), Line: number,
				Text: fmt.Sprintf("%d columns, want at most %d", columns, columnsMax),
			})
		}
	}
	return findings
}

// lineBound returns how long the lines of a file may be; 0 means any length.
func lineBound(name string) int {
	switch path.Ext(name) {
	case ".go", ".proto", ".md":
		if strings.HasSuffix(name, "_test.go") {
			return testLineColumnsMax
		}
		return lineColumnsMax
	}
	return 0
}
