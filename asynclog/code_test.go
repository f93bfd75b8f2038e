package asynclog

import (
	"regexp"
	"strings"
	"testing"
	"unicode"
)

// TestCatalogueIsComplete holds every entry of the catalogue to its rules.
func TestCatalogueIsComplete(t *testing.T) {
	name := regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)
	key := regexp.MustCompile(`^[a-z]+(_[a-z]+)*$`)
	seen := map[string]Code{}
	for _, c := range Codes() {
		d := Define(c)
		if d.Code != c || !name.MatchString(d.Name) || seen[d.Name] != 0 {
			t.Errorf("code %d: entry of code %d with name %q, also the name of %d", c, d.Code, d.Name, seen[d.Name])
		}
		seen[d.Name] = c
		if d.Severity.String() == "unknown" || d.Args() > argsMax || len(d.Fields) == 0 {
			t.Errorf("%v: severity %d, %d arguments", c, d.Severity, d.Args())
		}
		if !strings.HasSuffix(d.Text, ".") || !unicode.IsUpper(rune(d.Text[0])) {
			t.Errorf("%v: text %q is not a sentence", c, d.Text)
		}
		for _, f := range d.Fields {
			if !key.MatchString(f.Name) || f.Format == 0 || f.Format >= formatEnd {
				t.Errorf("%v: field %q of format %d", c, f.Name, f.Format)
			}
		}
	}
}

func TestUnknownCodesHaveNoDefinition(t *testing.T) {
	for _, c := range []Code{0, codeEnd, 65535} {
		if Define(c) != nil || c.Audit() || !strings.HasPrefix(c.String(), "event-") {
			t.Errorf("code %d: defined %v, audit %v, name %q", c, Define(c) != nil, c.Audit(), c)
		}
	}
}

func FuzzPackText(f *testing.F) {
	f.Add("")
	f.Add("10.0.0.1:7001")
	f.Add("[fe80::1234:5678:9abc:def0%eth0]:65535")
	f.Add("a\x00b")
	f.Fuzz(func(t *testing.T, s string) {
		a, b, c := PackText(s)
		want := strings.TrimRight(s[:min(len(s), TextBytes)], "\x00")
		got := unpackText([]uint64{a, b, c})
		if strings.Contains(want, "\x00") {
			want, got = strings.ReplaceAll(want, "\x00", ""), strings.ReplaceAll(got, "\x00", "")
		}
		if got != want {
			t.Fatalf("packed %q, got back %q", want, got)
		}
	})
}
