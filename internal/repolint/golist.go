package repolint

import (
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// goList runs `go list` in root and returns its lines.
func goList(root string, args ...string) ([]string, error) {
	command := exec.Command("go", append([]string{"list"}, args...)...)
	command.Dir = root
	output, err := command.Output()
	if err != nil {
		if exit, ok := err.(*exec.ExitError); ok {
			return nil, fmt.Errorf("go list %s: %w\n%s", strings.Join(args, " "), err, exit.Stderr)
		}
		return nil, fmt.Errorf("go list %s: %w", strings.Join(args, " "), err)
	}
	return strings.Fields(string(output)), nil
}

// linkedModules returns the modules other than this one that a package is
// linked from.
func linkedModules(root, target string) ([]string, error) {
	lines, err := goList(root, "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", target)
	if err != nil {
		return nil, err
	}
	slices.Sort(lines)
	lines = slices.Compact(lines)
	return slices.DeleteFunc(lines, func(m string) bool { return m == modulePath }), nil
}

// exportImporter returns an importer that reads the compiler's export data of
// what the packages import.
func exportImporter(root string, packages ...string) (types.Importer, error) {
	args := append([]string{"-e", "-export", "-deps", "-f", "{{.ImportPath}}={{.Export}}"}, packages...)
	lines, err := goList(root, args...)
	if err != nil {
		return nil, err
	}
	exports := map[string]string{}
	for _, line := range lines {
		name, file, _ := strings.Cut(line, "=")
		exports[name] = file
	}
	open := func(name string) (io.ReadCloser, error) { return os.Open(exports[name]) }
	return importer.ForCompiler(token.NewFileSet(), "gc", open), nil
}

// standardPackages returns a function that knows the standard library.
func standardPackages(root string) (func(importPath string) bool, error) {
	lines, err := goList(root, "std")
	if err != nil {
		return nil, err
	}
	standard := map[string]bool{}
	for _, line := range lines {
		standard[line] = true
	}
	return func(importPath string) bool { return standard[importPath] }, nil
}
