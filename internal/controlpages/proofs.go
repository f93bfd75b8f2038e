package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"tollgate/order"
)

// scriptsDir is where the scripts of the engine's rules are.
const scriptsDir = "riskcheck/testdata"

// provesMark is how a line begins that says which controls a test proves.
const provesMark = "proves:"

// venueTruth stands beside the controls for what the venue says happened.
const venueTruth = "VENUE_TRUTH"

// proof is one test that proves something about a control, or about venueTruth.
type proof struct {
	of   string // the control's name
	name string // of the script, without its ending, or of the function
	path string // of the file, relative to the root
}

// findProofs returns every proof of the tree, scripts first, each sort in the
// order of paths. The error names every line that cannot be understood.
func findProofs(tree fs.FS) ([]proof, error) {
	scripts, err := scriptProofs(tree)
	if err != nil {
		return nil, err
	}
	functions, err := functionProofs(tree)
	if err != nil {
		return nil, err
	}
	return append(scripts, functions...), nil
}

// scriptPaths returns the scripts of the tree in the order of their names.
func scriptPaths(tree fs.FS) ([]string, error) { return fs.Glob(tree, scriptsDir+"/*.txt") }

// scriptName is what a script is called in the documents.
func scriptName(file string) string { return strings.TrimSuffix(path.Base(file), ".txt") }

// scriptProofs reads the first lines of the scripts.
func scriptProofs(tree fs.FS) ([]proof, error) {
	paths, err := scriptPaths(tree)
	if err != nil {
		return nil, err
	}
	var found []proof
	for _, file := range paths {
		text, err := fs.ReadFile(tree, file)
		if err != nil {
			return nil, err
		}
		first, rest, _ := strings.Cut(string(text), "\n")
		if strings.Contains("\n"+rest, "\n# "+provesMark) {
			return nil, fmt.Errorf("%s: a line \"# %s\" that is not the first: there is one, at the top", file, provesMark)
		}
		names, marked := strings.CutPrefix(first, "# "+provesMark)
		if !marked {
			continue
		}
		proved, err := parseNames(names)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		for _, of := range proved {
			found = append(found, proof{of, scriptName(file), file})
		}
	}
	return found, nil
}

// parseNames reads "NAME[, NAME...]", each a control or venueTruth.
func parseNames(names string) ([]string, error) {
	var out []string
	for name := range strings.SplitSeq(names, ",") {
		name = strings.TrimSpace(name)
		if _, ok := controlNamed(name); !ok && name != venueTruth {
			return nil, fmt.Errorf("%q is no control, want one of %v or %s", name, order.Controls(), venueTruth)
		}
		if slices.Contains(out, name) {
			return nil, fmt.Errorf("%s is named twice", name)
		}
		out = append(out, name)
	}
	return out, nil
}

// controlNamed returns the control of a name.
func controlNamed(name string) (order.Control, bool) {
	for _, c := range order.Controls() {
		if c.String() == name {
			return c, true
		}
	}
	return order.ControlNone, false
}

// testFunction is what the go command runs by name.
var testFunction = regexp.MustCompile(`^(Test|Benchmark|Fuzz)([^a-z]|$)`)

// functionProofs reads the comments of all test files.
func functionProofs(tree fs.FS) ([]proof, error) {
	var found []proof
	err := eachTestFile(tree, func(file string, syntax *ast.File) error {
		for _, declaration := range syntax.Decls {
			f, ok := declaration.(*ast.FuncDecl)
			if !ok || f.Doc == nil {
				continue
			}
			proved, err := commentNames(f)
			if err != nil {
				return fmt.Errorf("%s: %s: %w", file, f.Name.Name, err)
			}
			for _, of := range proved {
				found = append(found, proof{of, f.Name.Name, file})
			}
		}
		return nil
	})
	return found, err
}

// commentNames returns what the comment of a function says it proves.
func commentNames(f *ast.FuncDecl) ([]string, error) {
	var out []string
	for _, line := range f.Doc.List {
		names, marked := strings.CutPrefix(line.Text, "// "+provesMark)
		if !marked {
			continue
		}
		if f.Recv != nil || !testFunction.MatchString(f.Name.Name) {
			return nil, fmt.Errorf("\"%s\" above what is no test, benchmark or fuzz target", provesMark)
		}
		proved, err := parseNames(names)
		if err != nil {
			return nil, err
		}
		out = append(out, proved...)
	}
	return out, nil
}

// eachTestFile gives visit every Go test file of the tree, by path.
func eachTestFile(tree fs.FS, visit func(file string, syntax *ast.File) error) error {
	fset := token.NewFileSet()
	return fs.WalkDir(tree, ".", func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && skipped(file):
			return fs.SkipDir
		case entry.IsDir() || !strings.HasSuffix(file, "_test.go"):
			return nil
		}
		text, err := fs.ReadFile(tree, file)
		if err != nil {
			return err
		}
		syntax, err := parser.ParseFile(fset, file, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		return visit(file, syntax)
	})
}

// skipped reports whether a folder holds nothing that is compiled.
func skipped(dir string) bool {
	base := path.Base(dir)
	return dir != "." && strings.HasPrefix(base, ".") || base == "testdata" || base == "node_modules" || base == "bin"
}
