package repolint

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestLoadReadsWhatIsWrittenByHand leaves out data of tests, of which it knows
// the names, downloads, what is built, hidden folders and binary files.
func TestLoadReadsWhatIsWrittenByHand(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{
		"go.mod", "README.md", "order/a.go", ".ci/run", "order/testdata/b.go", "node_modules/c.md", ".git/config", "bin/x",
	} {
		write(t, filepath.Join(root, name), "package a\n")
	}
	write(t, filepath.Join(root, "proto/.git"), "gitdir: elsewhere\n")
	write(t, filepath.Join(root, "proto/baseline.binpb"), "\x00\x01")
	r, err := Load(root)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{".ci/run", "README.md", "go.mod", "order/a.go"}
	if got := slices.Sorted(maps.Keys(r.Files)); !slices.Equal(got, want) {
		t.Errorf("read %q, want %q", got, want)
	}
	if got := slices.Sorted(maps.Keys(r.Data)); !slices.Equal(got, []string{"order/testdata/b.go"}) {
		t.Errorf("knows the data %q, want order/testdata/b.go alone", got)
	}
	for name, want := range map[string]bool{
		"order/testdata/b.go": true, "order/testdata": true, "order/a.go": true, "order/testdata/c.go": false, "bin/x": false,
	} {
		if r.exists(name) != want {
			t.Errorf("%s exists: %v, want %v", name, !want, want)
		}
	}
	if len(r.Sources) != 1 || r.Sources[0].Dir() != "order" {
		t.Errorf("%d Go files, want order/a.go alone", len(r.Sources))
	}
}

func TestRootIsTheFolderOfTheModule(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	if root, err := Root(); err == nil {
		t.Errorf("found the root %q in an empty folder", root)
	}
	write(t, filepath.Join(dir, "go.mod"), "module tollgate\n")
	write(t, filepath.Join(dir, "a", "b", "c.go"), "package b\n")
	t.Chdir(filepath.Join(dir, "a", "b"))
	if root, err := Root(); err != nil || root != dir {
		t.Errorf("the root is %q (%v), want %q", root, err, dir)
	}
}

// write makes a file and the folders above it.
func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
