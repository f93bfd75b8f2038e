package wire

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// goldenField matches the line of a golden file that shows a field with a value.
var goldenField = regexp.MustCompile(`# (\w+) = (-?\d+)$`)

// goldenValues returns the fields of a golden file as its comments state them.
func goldenValues(t *testing.T, name string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(goldenPath(name))
	if err != nil {
		t.Fatal(err)
	}
	_, block, ok := strings.Cut(string(text), "# version = 0\n")
	if !ok {
		t.Fatalf("%s is not of version 0", goldenPath(name))
	}
	out := map[string]string{}
	for line := range strings.Lines(block) {
		if m := goldenField.FindStringSubmatch(strings.TrimRight(line, "\n")); m != nil {
			out[m[1]] = m[2]
		}
	}
	return out
}

// TestVersion0Decodes reads frames that version 0 wrote: every field of theirs
// has the value their files state, and every field that came later is null.
func TestVersion0Decodes(t *testing.T) {
	c := loadContract(t)
	for _, s := range codecs() {
		var p Parser
		m, err := parseWhole(&p, readGolden(t, "v0/"+s.name))
		if err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		if m.Version != 0 {
			t.Errorf("%s: version %d, want 0", s.name, m.Version)
		}
		got := dump(s.decode(m))
		for field, want := range goldenValues(t, "v0/"+s.name) {
			if got[field] != want {
				t.Errorf("%s.%s is %s, version 0 wrote %s", s.name, field, got[field], want)
			}
		}
		for _, field := range c.since(s.name) {
			if got[field] != "0" {
				t.Errorf("%s.%s is %s, want its null value, 0", s.name, field, got[field])
			}
		}
	}
}

// since returns the fields that a message got after version 0.
func (c *contract) since(message string) []string {
	var out []string
	for i := range c.Messages {
		for _, f := range c.Messages[i].Fields {
			if c.Messages[i].Name == message && f.Since > 0 {
				out = append(out, f.Name)
			}
		}
	}
	return out
}

// TestVersion0IsTheBeginning: what was appended says so, and nothing else was.
func TestVersion0IsTheBeginning(t *testing.T) {
	c := loadContract(t)
	files, err := filepath.Glob(goldenPath("v0/*"))
	if err != nil || len(files) != len(codecs()) {
		t.Fatalf("%d golden files of version 0 for %d messages, %v", len(files), len(codecs()), err)
	}
	for _, s := range codecs() {
		older := firstBlockLength(t, s.name)
		var appended int
		for _, f := range nullsOf(s.template) {
			if f.offset >= older {
				appended++
			}
		}
		if want := len(c.since(s.name)); appended != want {
			t.Errorf("%s: %d fields lie behind the block of version 0, the schema names %d", s.name, appended, want)
		}
	}
}
