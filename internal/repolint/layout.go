package repolint

import (
	"fmt"
	"go/ast"
	"path"
	"regexp"
	"slices"
	"strings"
)

// vagueNames are names of folders that say nothing about what is in them.
var vagueNames = []string{
	"base", "cmd", "common", "helper", "helpers", "misc", "pkg", "shared", "util", "utils",
}

// checkNames refuses vague folder names.
func checkNames(r *Repository) []Finding {
	var findings []Finding
	for dir := range r.packages() {
		for _, element := range strings.Split(dir, "/") {
			if slices.Contains(vagueNames, element) {
				findings = append(findings, Finding{
					Rule: "names", Path: dir, Subject: element,
					Text: fmt.Sprintf("folder name %q says nothing: name the thing that is in it", element),
				})
			}
		}
	}
	return findings
}

// checkPackageComments wants exactly one package comment for each package, and
// that it begins the way godoc expects.
func checkPackageComments(r *Repository) []Finding {
	var findings []Finding
	for dir, sources := range r.packages() {
		var commented []*Source
		for _, s := range sources {
			if s.Syntax.Doc != nil && !s.Generated {
				commented = append(commented, s)
			}
		}
		generated := slices.ContainsFunc(sources, func(s *Source) bool { return s.Generated })
		if len(commented) == 0 && generated {
			continue
		}
		if text := packageCommentProblem(commented); text != "" {
			findings = append(findings, Finding{Rule: "package-comment", Path: dir, Text: text})
		}
	}
	return findings
}

func packageCommentProblem(commented []*Source) string {
	if len(commented) != 1 {
		return fmt.Sprintf("%d package comments, want one", len(commented))
	}
	s := commented[0]
	want := "Package " + s.Syntax.Name.Name + " "
	if s.Syntax.Name.Name == "main" {
		want = "Command "
	}
	if !strings.HasPrefix(s.Syntax.Doc.Text(), want) {
		return fmt.Sprintf("the package comment in %s does not begin with %q", path.Base(s.Path), want)
	}
	return ""
}

// checkInit refuses init functions: what a package needs is passed to it, and
// what it offers is called by name.
func checkInit(r *Repository) []Finding {
	var findings []Finding
	for _, s := range r.Sources {
		for _, declaration := range s.Syntax.Decls {
			f, ok := declaration.(*ast.FuncDecl)
			if ok && f.Recv == nil && f.Name.Name == "init" && !s.Generated {
				findings = append(findings, Finding{
					Rule: "init", Path: s.Path, Subject: "init", Line: r.line(f.Pos()),
					Text: "func init: build the value where it is used",
				})
			}
		}
	}
	return findings
}

// leftoverWords finds marks of unfinished work. The pattern is put together so
// that it does not find itself.
var leftoverWords = regexp.MustCompile(`\b(TO` + `DO|FIX` + `ME|XX` + `X)\b`)

// checkLeftovers refuses parked work in any text of the tree.
func checkLeftovers(r *Repository) []Finding {
	return matchLines(r, "leftover", leftoverWords, "%s: finish it or leave it out")
}

// machinePath finds folders of one machine in texts and string literals.
var machinePath = regexp.MustCompile("(?:^|[\\s\"'`=(:])(/(?:home|root|work|tmp)/[\\w.-]*)")

// checkMachinePaths refuses folders of one machine outside tests.
func checkMachinePaths(r *Repository) []Finding {
	return matchLines(r, "machine-path", machinePath, "%s exists on one machine only: take it from the configuration")
}

// matchLines reports every line that the pattern finds outside test files,
// generated files and checksums.
func matchLines(r *Repository, rule string, pattern *regexp.Regexp, text string) []Finding {
	skip := map[string]bool{}
	for _, s := range r.Sources {
		skip[s.Path] = s.Test || s.Generated
	}
	var findings []Finding
	for name, content := range r.Files {
		if skip[name] || path.Base(name) == "go.sum" {
			continue
		}
		number := 0
		for line := range strings.Lines(content) {
			number++
			match := pattern.FindStringSubmatch(line)
			if match == nil {
				continue
			}
			found := match[len(match)-1]
			findings = append(findings, Finding{
				Rule: rule, Path: name, Subject: found, Line: number, Text: fmt.Sprintf(text, found),
			})
		}
	}
	return findings
}
