package asynclog

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"go.uber.org/zap"

	"tollgate/order"
)

// longIntervalMs keeps the ticker out of tests that drain by Close.
const longIntervalMs = DrainIntervalMsMax

// entries parses JSON lines.
func entries(t *testing.T, text string) []map[string]any {
	t.Helper()
	var all []map[string]any
	for line := range strings.Lines(text) {
		var entry map[string]any
		decoder := json.NewDecoder(strings.NewReader(line))
		decoder.UseNumber()
		if err := decoder.Decode(&entry); err != nil {
			t.Fatalf("line %q: %v", line, err)
		}
		all = append(all, entry)
	}
	return all
}

// written runs appends on a fresh Log, closes the Drainer and returns what was
// written.
func written(t *testing.T, cfg Config, appends func(l *Log)) string {
	t.Helper()
	var text bytes.Buffer
	cfg.Output, cfg.DrainIntervalMs = &text, longIntervalMs
	d, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	l, err := d.Log("main")
	if err != nil {
		t.Fatal(err)
	}
	appends(l)
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// TestEveryCodeIsRendered appends each event with distinct arguments and finds
// every field of the catalogue in the entry.
func TestEveryCodeIsRendered(t *testing.T) {
	names := func(f Format, value uint64) string { return fmt.Sprintf("name-%d-%d", f, value) }
	text := written(t, Config{Process: "riskcheck", Name: names}, func(l *Log) {
		for _, c := range Codes() {
			l.Append(c, 1_700_000_000_000_000_001, 101, 102, 103, 104, 105, 106)
		}
	})
	all := entries(t, text)
	if len(all) != len(Codes()) {
		t.Fatalf("%d entries for %d events", len(all), len(Codes()))
	}
	for i, c := range Codes() {
		d, entry := Define(c), all[i]
		for key, want := range map[string]string{
			"event": d.Name, "level": d.Severity.String(), "process": "riskcheck", "loop": "main",
			"code": fmt.Sprint(uint16(c)), "time": "2023-11-14T22:13:20.000000001Z",
		} {
			if got := fmt.Sprint(entry[key]); got != want {
				t.Errorf("%v: %s is %q, want %q", c, key, got, want)
			}
		}
		if audit := entry["audit"] == true; audit != d.Audit {
			t.Errorf("%v: audit %v, want %v", c, audit, d.Audit)
		}
		arg := uint64(101)
		for _, f := range d.Fields {
			if got := fmt.Sprint(entry[f.Name]); got != wantField(f, arg) {
				t.Errorf("%v: %s is %q, want %q", c, f.Name, got, wantField(f, arg))
			}
			arg += uint64(f.Format.args())
		}
	}
}

// wantField is what a field shows in TestEveryCodeIsRendered.
func wantField(f Field, arg uint64) string {
	switch f.Format {
	case FormatUint, FormatInt:
		return fmt.Sprint(arg)
	case FormatWithin:
		return fmt.Sprintf("instrument %d", arg)
	case FormatHex:
		return fmt.Sprintf("%016x", arg)
	case FormatReason:
		return order.Reason(arg).String()
	case FormatScope:
		return order.ScopeType(arg).String()
	case FormatErrno:
		return errnoText(arg)
	case FormatText:
		return string([]byte{byte(arg), byte(arg + 1), byte(arg + 2)})
	}
	return fmt.Sprintf("name-%d-%d", f.Format, arg)
}

// TestWhatAScopeIsNarrowedToIsNamed packs and names each form, and a number
// below zero.
func TestWhatAScopeIsNarrowedToIsNamed(t *testing.T) {
	for _, c := range []struct {
		instrument order.InstrumentID
		class      order.ClassID
		want       string
	}{{0, 0, ""}, {101, 0, "instrument 101"}, {0, 7, "class 7"}, {1<<32 - 1, 0, "instrument 4294967295"}} {
		text := written(t, Config{Process: "riskcheck"}, func(l *Log) {
			l.Append(CodeAlert, 1, 1, 2, 3, PackWithin(c.instrument, c.class), ^uint64(4), 6)
		})
		entry := entries(t, text)[0]
		if entry["within"] != c.want || fmt.Sprint(entry["value"]) != "-5" {
			t.Errorf("within is %q, value %v; want %q and -5", entry["within"], entry["value"], c.want)
		}
	}
}

func TestNumbersWithoutANameStayNumbers(t *testing.T) {
	text := written(t, Config{}, func(l *Log) { l.Append(CodeSessionClosed, 1, 7, 8, 9) })
	if got := fmt.Sprint(entries(t, text)[0]["reason"]); got != "9" {
		t.Fatalf("reason is %q, want 9", got)
	}
}

func TestUnknownCodeIsWrittenWithItsArguments(t *testing.T) {
	text := written(t, Config{}, func(l *Log) { l.Append(999, 1, 255) })
	entry := entries(t, text)[0]
	if entry["event"] != "event-999" || entry["level"] != "error" || entry["a"] != "00000000000000ff" {
		t.Fatalf("entry is %v", entry)
	}
}

func TestOrderIsKept(t *testing.T) {
	text := written(t, Config{RingEvents: 1024}, func(l *Log) {
		for i := range uint64(500) {
			l.Append(CodeVenueUp, int64(i), 0, i)
		}
	})
	all := entries(t, text)
	if len(all) != 500 {
		t.Fatalf("%d entries of 500", len(all))
	}
	for i, entry := range all {
		if got := fmt.Sprint(entry["next_report_seq"]); got != fmt.Sprint(i) {
			t.Fatalf("entry %d is event %s", i, got)
		}
	}
}

// TestDroppedEventsAreReported finds kept and lost events together in the log.
func TestDroppedEventsAreReported(t *testing.T) {
	text := written(t, Config{RingEvents: 16}, func(l *Log) {
		for i := range int64(20) {
			l.Append(CodeMalformedFrame, i)
		}
		for i := range int64(3) {
			l.Append(CodeKilled, 100+i)
		}
	})
	all := entries(t, text)
	last := all[len(all)-1]
	if len(all) != 16+1 || last["event"] != "events-dropped" {
		t.Fatalf("%d entries, the last is %v", len(all), last)
	}
	if fmt.Sprint(last["events"]) != "6" || fmt.Sprint(last["audit_events"]) != "1" {
		t.Fatalf("reported %v and %v audit events, want 6 and 1", last["events"], last["audit_events"])
	}
	if last["time"] != "1970-01-01T00:00:00.000000101Z" {
		t.Fatalf("reported at %v, want the time of the last event kept", last["time"])
	}
}

func TestLevelIsDecidedInTheDrainer(t *testing.T) {
	text := written(t, Config{Level: SeverityError}, func(l *Log) {
		l.Append(CodeVenueUp, 1)
		l.Append(CodeLinkDown, 2)
		l.Append(CodeVenueDown, 3)
	})
	all := entries(t, text)
	if len(all) != 1 || all[0]["event"] != "venue-down" {
		t.Fatalf("entries are %v", all)
	}
}

func TestConsoleEncodingIsForPeople(t *testing.T) {
	text := written(t, Config{Process: "gateway", Encoding: EncodingConsole}, func(l *Log) {
		a, b, c := PackText("10.0.0.1:7001")
		l.Append(CodeLinkDown, 0, 4, 2, 104, a, b, c)
	})
	for _, want := range []string{
		"1970-01-01T00:00:00Z\twarn\tgateway\tlink-down\t", `"remote": "10.0.0.1:7001"`, "connection reset by peer",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q does not contain %q", text, want)
		}
	}
}

// signalingBuffer tells when something was written.
type signalingBuffer struct{ wrote chan string }

func (s *signalingBuffer) Write(p []byte) (int, error) {
	s.wrote <- string(p)
	return len(p), nil
}

func TestDrainerWritesWithoutBeingAsked(t *testing.T) {
	output := &signalingBuffer{wrote: make(chan string, 16)}
	d, err := New(Config{Output: output, DrainIntervalMs: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	l, err := d.Log("main")
	if err != nil {
		t.Fatal(err)
	}
	l.Append(CodeVenueUp, 1, 2, 3)
	select {
	case text := <-output.wrote:
		if !strings.Contains(text, "venue-up") {
			t.Fatalf("wrote %q", text)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("nothing was written")
	}
}

// TestStormInOneLogLeavesTheOthersTheirTurn lets one loop append an event for
// every one of its events that is rendered.
func TestStormInOneLogLeavesTheOthersTheirTurn(t *testing.T) {
	var text bytes.Buffer
	var storm *Log
	rendered := 0
	name := func(Format, uint64) string {
		rendered++
		storm.Append(CodeLinkDown, 1)
		return ""
	}
	d, err := New(Config{Output: &text, Name: name, DrainIntervalMs: longIntervalMs, RingEvents: RingEventsMin})
	if err != nil {
		t.Fatal(err)
	}
	storm, err = d.Log("storm")
	if err != nil {
		t.Fatal(err)
	}
	quiet, err := d.Log("quiet")
	if err != nil {
		t.Fatal(err)
	}
	storm.Append(CodeLinkDown, 1)
	quiet.Append(CodeVenueUp, 2)
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if rendered != RingEventsMin || !strings.Contains(text.String(), "venue-up") {
		t.Fatalf("rendered %d events of the storm, want %d; wrote %s", rendered, RingEventsMin, &text)
	}
}

// brokenOutput fails as long as err is set.
type brokenOutput struct {
	err  error
	text bytes.Buffer
}

func (b *brokenOutput) Write(p []byte) (int, error) {
	if b.err != nil {
		return 0, b.err
	}
	return b.text.Write(p)
}

func TestBrokenOutputIsTriedAgainAndReported(t *testing.T) {
	broken := &brokenOutput{err: errors.New("disk full")}
	d, err := New(Config{Output: broken, DrainIntervalMs: longIntervalMs})
	if err != nil {
		t.Fatal(err)
	}
	d.Logger().Info("lost")
	if err := d.out.Sync(); !errors.Is(err, broken.err) {
		t.Fatalf("sync returned %v", err)
	}
	broken.err = nil
	d.Logger().Info("kept", zap.String("key", "value"))
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	all := entries(t, broken.text.String())
	if len(all) != 1 || all[0]["event"] != "kept" || all[0]["key"] != "value" {
		t.Fatalf("entries are %v", all)
	}
}

func TestCloseReturnsTheErrorOfTheOutput(t *testing.T) {
	broken := &brokenOutput{err: errors.New("disk full")}
	d, err := New(Config{Output: broken, DrainIntervalMs: longIntervalMs})
	if err != nil {
		t.Fatal(err)
	}
	d.Logger().Info("lost")
	for range 2 {
		if err := d.Close(); !errors.Is(err, broken.err) {
			t.Fatalf("close returned %v", err)
		}
	}
}

func TestClosedOrFullDrainerMakesNoLog(t *testing.T) {
	d, err := New(Config{Output: &bytes.Buffer{}, RingEvents: RingEventsMin})
	if err != nil {
		t.Fatal(err)
	}
	for range LogsMax {
		if _, err := d.Log("loop"); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := d.Log("one-too-many"); err == nil || !strings.Contains(err.Error(), "one-too-many") {
		t.Fatalf("log beyond the bound: %v", err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Log("late"); err == nil || !strings.Contains(err.Error(), "closed") {
		t.Fatalf("log of a closed drainer: %v", err)
	}
}

func TestValidateNamesEveryProblem(t *testing.T) {
	cfg := Config{Encoding: "xml", Level: 9, RingEvents: 1000, DrainIntervalMs: -1}
	err := cfg.Validate()
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{`"xml"`, "level 9", "1000 events", "-1 ms"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not name %q", err, want)
		}
	}
	if _, newErr := New(cfg); newErr == nil || newErr.Error() != err.Error() {
		t.Errorf("New returned %v", newErr)
	}
	if err := (Config{}).Validate(); err != nil {
		t.Errorf("the zero configuration: %v", err)
	}
}
