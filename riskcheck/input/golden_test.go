package input

import (
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
)

var rewrite = flag.Bool("rewrite", false, "write testdata/golden.txt anew from the samples")

// goldenPath holds the bytes of every sample, and what people are told of it.
const goldenPath = "testdata/golden.txt"

// renderGolden writes the samples: for each a comment that describes it, then its
// kind and bytes.
func renderGolden() string {
	var b strings.Builder
	b.WriteString("# Inputs as they are stored. Bytes that stand here never change: journals hold them.\n")
	for _, in := range samples() {
		fmt.Fprintf(&b, "\n# %s\n%d %s\n", in.String(), in.Kind, hex.EncodeToString(in.Append(nil)))
	}
	return b.String()
}

// TestGolden compares the samples, byte by byte and word by word, with those that
// were written when their kinds were made, and decodes these.
func TestGolden(t *testing.T) {
	if *rewrite {
		if err := os.WriteFile(goldenPath, []byte(renderGolden()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(goldenPath)
	if err != nil {
		t.Fatalf("%v (write it with: go test -run TestGolden -rewrite)", err)
	}
	want, got := strings.Split(string(text), "\n"), strings.Split(renderGolden(), "\n")
	for i := range min(len(want), len(got)) {
		if want[i] != got[i] {
			t.Errorf("%s:%d: samples give\n%s\nwant\n%s", goldenPath, i+1, got[i], want[i])
		}
	}
	if len(want) != len(got) {
		t.Errorf("%s has %d lines, the samples give %d", goldenPath, len(want), len(got))
	}
	decodeGolden(t, want)
}

// decodeGolden decodes stored lines into the samples, of which every kind has one.
func decodeGolden(t *testing.T, lines []string) {
	t.Helper()
	seen := map[Kind]bool{}
	left := samples()
	for _, line := range lines {
		var kind Kind
		var payload []byte
		if n, _ := fmt.Sscanf(line, "%d %x", &kind, &payload); n != 2 {
			continue
		}
		if len(left) == 0 {
			t.Fatalf("%s has more inputs than there are samples", goldenPath)
		}
		var in Input
		if err := in.Decode(kind, payload); err != nil || !reflect.DeepEqual(in, left[0]) {
			t.Errorf("%s decodes as %+v (%v)\nwant %+v", line, in, err, left[0])
		}
		seen[kind], left = true, left[1:]
	}
	if len(left) > 0 {
		t.Errorf("%s lacks %d inputs, the first is %s", goldenPath, len(left), &left[0])
	}
	for _, kind := range Kinds() {
		if !seen[kind] {
			t.Errorf("%s has no %s", goldenPath, kind)
		}
	}
}

// TestSubjects says what the samples are about.
func TestSubjects(t *testing.T) {
	want := map[string]Subject{
		"request 12": {ClOrdID: 5, Session: 7, Account: 9}, "request 13": {ClOrdID: 6, OrigClOrdID: 5, Session: 7, Account: 9},
		"request 14": {Session: 7}, "report 31": {OrderID: 40, ClOrdID: 5, Session: 7, Account: 9},
		"report 32": {OrderID: 40, ClOrdID: 5, Session: 7}, "login 0": {Session: 7}, "disconnected 0": {Session: 7},
		"ack-answers 0": {Session: 7}, "kill 0": {Account: 9}, "release 0": {Account: 9}, "cash 0": {Account: 9},
		"position 0": {Account: 9}, "locate 0": {Account: 9},
	}
	for _, in := range samples() {
		name := fmt.Sprintf("%s %d", in.Kind, max(in.Request.Ref, in.Report.ReportSeq))
		if got := in.Subject(); got != want[name] {
			t.Errorf("%s is about %+v, want %+v", name, got, want[name])
		}
	}
	session := Input{Kind: KindKill, Scope: sampleLimits().Entries[3].Scope}
	if got := session.Subject(); got != (Subject{Session: 7}) {
		t.Errorf("the kill of a session is about %+v", got)
	}
}
