package repolint

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// modulePath is the module path of the repository.
const modulePath = "tollgate"

// Repository is the text of the tree, with the Go files parsed.
type Repository struct {
	Files   map[string]string // by path, relative to the root, with slashes
	Data    map[string]bool   // files of testdata folders, which exist but are not read
	Sources []*Source         // the Go files, by path
	Fset    *token.FileSet
}

// Source is one Go file.
type Source struct {
	Path      string
	Text      string
	Syntax    *ast.File
	Test      bool
	Generated bool
}

// Dir returns the folder of the file, which is its package's path in the
// module.
func (s *Source) Dir() string { return path.Dir(s.Path) }

// Root finds the folder of go.mod at or above the working directory.
func Root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("no go.mod at or above the working directory")
		}
		dir = parent
	}
}

// Load reads the tree below root: every text file that is neither a test's
// data nor downloaded or built. Of a test's data it knows the names alone.
func Load(root string) (*Repository, error) {
	files, data := map[string]string{}, map[string]bool{}
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		if entry.IsDir() {
			return enter(filepath.ToSlash(relative))
		}
		if !entry.Type().IsRegular() || entry.Name() == ".git" { // in a further work tree it is a file
			return nil
		}
		if isData(filepath.ToSlash(relative)) {
			data[filepath.ToSlash(relative)] = true
			return nil
		}
		text, err := os.ReadFile(name)
		if err == nil && !strings.ContainsRune(string(text), 0) {
			files[filepath.ToSlash(relative)] = string(text)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("reading the tree: %w", err)
	}
	r, err := Parse(files)
	if err == nil {
		r.Data = data
	}
	return r, err
}

// isData reports whether a file is a test's data.
func isData(name string) bool { return slices.Contains(strings.Split(name, "/"), "testdata") }

// enter returns fs.SkipDir for folders that are not part of the repository's
// own text.
func enter(dir string) error {
	switch path.Base(dir) {
	case "node_modules", "bin", "dist":
		return fs.SkipDir
	}
	if dir != "." && dir != ".ci" && strings.HasPrefix(path.Base(dir), ".") {
		return fs.SkipDir
	}
	return nil
}

// Parse makes a Repository of files by path. A Go file that does not parse is
// an error.
func Parse(files map[string]string) (*Repository, error) {
	r := &Repository{Files: files, Fset: token.NewFileSet()}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if path.Ext(name) != ".go" {
			continue
		}
		syntax, err := parser.ParseFile(r.Fset, name, files[name], parser.ParseComments)
		if err != nil {
			return nil, err
		}
		r.Sources = append(r.Sources, &Source{
			Path:      name,
			Text:      files[name],
			Syntax:    syntax,
			Test:      strings.HasSuffix(name, "_test.go"),
			Generated: ast.IsGenerated(syntax),
		})
	}
	return r, nil
}

// line returns the line of a position.
func (r *Repository) line(pos token.Pos) int { return r.Fset.Position(pos).Line }

// packages returns the sources by folder.
func (r *Repository) packages() map[string][]*Source {
	byDir := map[string][]*Source{}
	for _, s := range r.Sources {
		byDir[s.Dir()] = append(byDir[s.Dir()], s)
	}
	return byDir
}

// exists reports whether a file, or a folder with files in it, has the path.
func (r *Repository) exists(name string) bool {
	name = path.Clean(name)
	if _, ok := r.Files[name]; ok || r.Data[name] || name == "." {
		return true
	}
	for file := range r.Files {
		if strings.HasPrefix(file, name+"/") {
			return true
		}
	}
	for file := range r.Data {
		if strings.HasPrefix(file, name+"/") {
			return true
		}
	}
	return false
}
