package wire

import (
	"context"
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// javaTimeout bounds the run of the script below, a first download included.
const javaTimeout = 3 * time.Minute

// noJar is the script's exit status when the generator cannot be downloaded.
const noJar = 3

// TestJavaDecodesGolden lets decoders that the standard sbe-tool generates from
// the schema read every golden frame, those of version 0 included, and compares
// what they print with what this package reads.
func TestJavaDecodesGolden(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: runs a Java compiler")
	}
	for _, tool := range []string{"java", "javac", "mvn"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed", tool)
		}
	}
	got := runJava(t)
	for _, s := range codecs() {
		for _, version := range []string{"", "v0/"} {
			var p Parser
			m, err := parseWhole(&p, readGolden(t, version+s.name))
			if err != nil {
				t.Fatal(err)
			}
			compareWithJava(t, &s, version, dump(s.decode(m)), got[version+s.name])
		}
	}
	if want := 2 * len(codecs()); len(got) != want {
		t.Errorf("Java decoded %d frames of %d", len(got), want)
	}
}

// runJava runs proto/sbe/java/decode.sh and returns message → field → value.
func runJava(t *testing.T) map[string]map[string]string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), javaTimeout)
	defer cancel()
	args := []string{t.TempDir()}
	if data := foreignData(t); data != "" {
		args = append(args, filepath.Join(data, "schemas", "sbe.xsd"))
	}
	cmd := exec.CommandContext(ctx, filepath.FromSlash("../../proto/sbe/java/decode.sh"), args...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == noJar {
		t.Skip("sbe-tool is not cached and cannot be downloaded")
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	return parseJava(t, string(out))
}

// parseJava takes "message field=value" lines apart.
func parseJava(t *testing.T, text string) map[string]map[string]string {
	t.Helper()
	out := map[string]map[string]string{}
	for line := range strings.Lines(text) {
		message, assignment, ok := strings.Cut(strings.TrimSpace(line), " ")
		field, value, ok2 := strings.Cut(assignment, "=")
		if !ok || !ok2 {
			t.Fatalf("line %q: want message field=value", line)
		}
		if out[message] == nil {
			out[message] = map[string]string{}
		}
		out[message][field] = value
	}
	return out
}

// compareWithJava wants every field of the message from Java, with the value Go
// has read: the null value, if the version does not have the field.
func compareWithJava(t *testing.T, s *codec, version string, goValues, javaValues map[string]string) {
	t.Helper()
	if got, want := len(javaValues), len(nullsOf(s.template)); got != want {
		t.Errorf("%s%s: Java decoded %d fields of %d", version, s.name, got, want)
	}
	for field, value := range javaValues {
		if goValues[field] != value {
			t.Errorf("%s%s.%s: Java read %q, Go read %q", version, s.name, field, value, goValues[field])
		}
	}
}
