package repolint

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strconv"
	"strings"
)

//go:embed hot.txt
var hotTable string

// The first words of the rows of hot.txt.
const (
	zoneEngine = "engine"
	zonePath   = "path"
	allowWord  = "allow"
)

// bannedImports says for each zone what may not be imported, and what is done
// instead.
var bannedImports = map[string]map[string]string{
	zoneEngine: {
		"bufio":        "input and output belong to riskcheck/server",
		"context":      "the engine is synchronous and cannot be canceled half-way",
		"fmt":          "give an order.Reason and its numbers; text is made off the loop",
		"io":           "input and output belong to riskcheck/server",
		"log":          "riskcheck/server appends asynclog events",
		"log/slog":     "riskcheck/server appends asynclog events",
		"math/rand":    "state must be a function of the inputs",
		"math/rand/v2": "state must be a function of the inputs",
		"net":          "input and output belong to riskcheck/server",
		"os":           "input and output belong to riskcheck/server",
		"reflect":      "write the cases out",
		"sync":         "the engine has one writer and needs no lock",
		"sync/atomic":  "the engine has one writer and needs no atomics",
		"time":         "time is an argument, in ns since 1970 UTC",
	},
	zonePath: {
		"fmt":      "return a typed error or append an asynclog event; text is made off the loop",
		"log":      "append an asynclog event",
		"log/slog": "append an asynclog event",
		"reflect":  "write the cases out",
	},
}

// hotRules is hot.txt as read.
type hotRules struct {
	patterns [][2]string     // zone, pattern
	allowed  map[string]bool // by hotKey
}

// hotKey names what an allow row allows.
func hotKey(file, subject string) string { return file + " " + subject }

// parseHot reads the table of hot.txt.
func parseHot(table string) (*hotRules, error) {
	rules := &hotRules{allowed: map[string]bool{}}
	for _, line := range tableLines(table) {
		words := strings.Fields(line)
		switch {
		case len(words) == 2 && (words[0] == zoneEngine || words[0] == zonePath):
			rules.patterns = append(rules.patterns, [2]string{words[0], words[1]})
		case len(words) > 3 && words[0] == allowWord:
			rules.allowed[hotKey(words[1], words[2])] = true
		default:
			return nil, fmt.Errorf("hot.txt: %q: want \"engine|path pattern\" or \"allow file what reason\"", line)
		}
	}
	return rules, nil
}

// zones returns the zone of every hot file, and the patterns without a file.
func (h *hotRules) zones(r *Repository) (zones map[string]string, stale []string, err error) {
	zones = map[string]string{}
	for _, row := range h.patterns {
		matched := false
		for _, s := range r.Sources {
			match, err := path.Match(row[1], s.Path)
			if err != nil {
				return nil, nil, fmt.Errorf("hot.txt: %q: %w", row[1], err)
			}
			if match && !s.Test && !s.Generated {
				zones[s.Path] = row[0]
				matched = true
			}
		}
		if !matched {
			stale = append(stale, row[1])
		}
	}
	return zones, stale, nil
}

// checkHot looks for banned imports, calls and constructs in hot files. Rows of
// hot.txt that match or allow nothing are findings too.
func checkHot(r *Repository, table string, importer types.Importer) ([]Finding, error) {
	rules, err := parseHot(table)
	if err != nil {
		return nil, err
	}
	zones, stale, err := rules.zones(r)
	if err != nil {
		return nil, err
	}
	var findings []Finding
	for _, sources := range r.packages() {
		hot := &hotPackage{repository: r, zones: zones}
		hot.check(sources, importer)
		findings = append(findings, hot.findings...)
	}
	needed := map[string]bool{}
	findings = slices.DeleteFunc(findings, func(f Finding) bool {
		needed[hotKey(f.Path, f.Subject)] = true
		return rules.allowed[hotKey(f.Path, f.Subject)]
	})
	for key := range rules.allowed {
		if !needed[key] {
			stale = append(stale, key)
		}
	}
	for _, row := range stale {
		findings = append(findings, Finding{
			Rule: "hot", Path: "internal/repolint/hot.txt", Subject: row,
			Text: fmt.Sprintf("row %q has no effect any more: remove it", row),
		})
	}
	return findings, nil
}

// hotPackage collects the findings of one package.
type hotPackage struct {
	repository *Repository
	zones      map[string]string
	info       *types.Info
	source     *Source
	findings   []Finding
}

func (h *hotPackage) check(sources []*Source, importer types.Importer) {
	for _, s := range sources {
		h.source = s
		switch h.zones[s.Path] {
		case zonePath:
			h.checkImports(bannedImports[zonePath])
			ast.Inspect(s.Syntax, h.visitPath)
		case zoneEngine:
			if h.info == nil {
				h.info = typeInfo(h.repository.Fset, sources, importer)
			}
			h.checkImports(bannedImports[zoneEngine])
			ast.Inspect(s.Syntax, h.visitEngine)
		}
	}
}

// typeInfo checks the types of a package's own files. What cannot be resolved
// stays untyped; the compiler is the one to complain about it.
func typeInfo(fset *token.FileSet, sources []*Source, importer types.Importer) *types.Info {
	var files []*ast.File
	for _, s := range sources {
		if !s.Test {
			files = append(files, s.Syntax)
		}
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	cfg := types.Config{Importer: importer, Error: func(error) {}}
	// The error is the first of those already passed to Error.
	_, _ = cfg.Check(sources[0].Dir(), fset, files, info)
	return info
}

func (h *hotPackage) checkImports(banned map[string]string) {
	for _, spec := range h.source.Syntax.Imports {
		name, err := strconv.Unquote(spec.Path.Value)
		if instead := banned[name]; err == nil && instead != "" {
			h.report(spec, name, fmt.Sprintf("import of %q in a hot file: %s", name, instead))
		}
	}
}

func (h *hotPackage) report(node ast.Node, subject, text string) {
	h.findings = append(h.findings, Finding{
		Rule: "hot", Path: h.source.Path, Subject: subject, Line: h.repository.line(node.Pos()), Text: text,
	})
}

// visitPath finds what a file that moves bytes may not do.
func (h *hotPackage) visitPath(node ast.Node) bool {
	if call, ok := node.(*ast.CallExpr); ok && isSelector(call.Fun, "time", "Now") {
		h.report(node, "time.Now", "time.Now in a hot file: use the batch clock of the loop")
	}
	return true
}

// visitEngine finds what a file that decides may not do.
func (h *hotPackage) visitEngine(node ast.Node) bool {
	switch n := node.(type) {
	case *ast.GoStmt:
		h.report(n, "go", "go statement in the engine: it has one writer")
	case *ast.DeferStmt:
		h.report(n, "defer", "defer in the engine: write the last step where it belongs")
	case *ast.ChanType, *ast.SendStmt, *ast.SelectStmt:
		h.report(n, "chan", "channel in the engine: inputs are arguments, outputs are effects")
	case *ast.RangeStmt:
		if t := h.info.TypeOf(n.X); t != nil && isMap(t) {
			h.report(n, "range", "iteration over a map in the engine: its order differs from run to run; walk a slice")
		}
	case ast.Expr:
		if t := h.info.TypeOf(n); t != nil && isFloat(t) {
			h.report(n, "float", "floating point in the engine: use order's fixed-point units and math/bits")
			return false
		}
	}
	return true
}

// isSelector reports whether e is pkg.name.
func isSelector(e ast.Expr, pkg, name string) bool {
	selector, ok := e.(*ast.SelectorExpr)
	if !ok || selector.Sel.Name != name {
		return false
	}
	ident, ok := selector.X.(*ast.Ident)
	return ok && ident.Name == pkg
}

func isMap(t types.Type) bool {
	_, ok := t.Underlying().(*types.Map)
	return ok
}

// isFloat reports whether t computes in floating point. Untyped constants do
// not: the compiler turns them into whatever they are assigned to.
func isFloat(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&(types.IsFloat|types.IsComplex) != 0 && basic.Info()&types.IsUntyped == 0
}
