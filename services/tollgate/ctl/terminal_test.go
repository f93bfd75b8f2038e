package ctl

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"
)

// terminal opens a pseudo terminal: what is written to keys is typed, what is
// printed to screen is shown.
func terminal(t *testing.T) (keys, screen *os.File) {
	t.Helper()
	keys, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("no pseudo terminal: %v", err)
	}
	t.Cleanup(func() { _ = keys.Close() })
	if err := unix.IoctlSetPointerInt(int(keys.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(int(keys.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	screen, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo terminal: %v", err)
	}
	t.Cleanup(func() { _ = screen.Close() })
	return keys, screen
}

func TestConfirmAsksOnATerminal(t *testing.T) {
	for _, c := range []struct {
		typed string
		code  int
	}{{"y\n", ExitDone}, {"YES\n", ExitDone}, {"n\n", ExitNegative}, {"\n", ExitNegative}, {"yeah\n", ExitNegative}} {
		keys, screen := terminal(t)
		if _, err := keys.WriteString(c.typed); err != nil {
			t.Fatal(err)
		}
		var asked, said bytes.Buffer
		cmd := &cobra.Command{}
		cmd.SetIn(screen)
		cmd.SetErr(&asked)
		code := Finish((&operator{}).confirm(cmd, "Stop trading in firm?"), &said)
		if code != c.code || asked.String() != "Stop trading in firm? [y/N] " {
			t.Errorf("after %q the exit code is %d, asked %q; want %d", c.typed, code, asked.String(), c.code)
		}
		if (said.String() == "tollgate ctl: nothing was changed\n") != (c.code != ExitDone) {
			t.Errorf("after %q the command says %q", c.typed, said.String())
		}
	}
}

func TestConfirmNeedsATerminalOrYes(t *testing.T) {
	cmd := &cobra.Command{}
	cmd.SetIn(strings.NewReader("y\n"))
	if code := Finish((&operator{}).confirm(cmd, "?"), new(bytes.Buffer)); code != ExitUsage {
		t.Errorf("exit code without a terminal is %d, want %d", code, ExitUsage)
	}
	if err := (&operator{yes: true}).confirm(cmd, "?"); err != nil {
		t.Errorf("--yes gives %v, want no question", err)
	}
}

func TestColourOnlyOnATerminalThatWantsIt(t *testing.T) {
	_, screen := terminal(t)
	t.Setenv("TERM", "xterm")
	t.Setenv("NO_COLOR", "")
	if !colour(screen) {
		t.Error("a terminal gets no colour")
	}
	if colour(new(bytes.Buffer)) {
		t.Error("a pipe gets colour")
	}
	t.Setenv("NO_COLOR", "1")
	if colour(screen) {
		t.Error("NO_COLOR is not obeyed")
	}
	if got := toned(cell{text: "KILLED", tone: red}, true); got != "\x1b[31mKILLED\x1b[0m" {
		t.Errorf("a toned cell is %q", got)
	}
}

func TestGroupedLeavesTextAlone(t *testing.T) {
	for text, want := range map[string]string{
		"0": "0", "999": "999", "1000": "1,000", "-1234567.8901": "-1,234,567.8901", "123456": "123,456",
		"unlimited": "unlimited", "500bps": "500bps", "": "", "-": "-", "1e6": "1e6", "A-01": "A-01",
	} {
		if got := grouped(text); got != want {
			t.Errorf("grouped(%q) is %q, want %q", text, got, want)
		}
	}
}
