package riskcheck_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tollgate/order"
)

// rewriteFlag writes what the scripts print now into the scripts. The
// difference is what there is to review.
var rewriteFlag = flag.Bool("rewrite", false, "rewrite the expectations of testdata/*.txt")

// arrow begins every line a script expects.
const arrow = "  → "

// TestScripts runs every script under testdata on the engine and, in lock-step,
// on the oracle, and compares what can be observed with what the script
// expects. Every reason of the engine is produced by some script.
func TestScripts(t *testing.T) {
	counts := map[order.Reason]int{}
	for _, path := range scriptPaths(t) {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txt"), func(t *testing.T) { runScript(t, path, counts) })
	}
	for _, r := range order.Reasons() {
		if r >= order.ReasonKillSwitch && r < order.ReasonVenueReject && counts[r] == 0 && !t.Failed() && unfiltered() {
			t.Errorf("no script produces %v", r)
		}
	}
}

func scriptPaths(t *testing.T) []string {
	t.Helper()
	paths, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no scripts under testdata (%v)", err)
	}
	return paths
}

// unfiltered reports whether all scripts are being run.
func unfiltered() bool {
	run := flag.Lookup("test.run")
	return run == nil || !strings.Contains(run.Value.String(), "/")
}

func runScript(t *testing.T, path string, counts map[order.Reason]int) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s := newScript(t, counts)
	got := s.run(string(text))
	if s.failed {
		return
	}
	if *rewriteFlag {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got != string(text) {
		t.Errorf("%s differs:\n%s\n(-rewrite takes over what happened)", path, difference(string(text), got))
	}
}

// difference shows the lines around the first place where two texts part.
func difference(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	at := 0
	for at < len(w) && at < len(g) && w[at] == g[at] {
		at++
	}
	part := func(lines []string, from int) string {
		from = min(max(from, 0), len(lines))
		return strings.Join(lines[from:min(from+6, len(lines))], "\n")
	}
	return fmt.Sprintf("line %d\nwant:\n%s\ngot:\n%s", at+1, part(w, at-3), part(g, at-3))
}

// script interprets one file: a day at a small firm, told line by line.
type script struct {
	*duel
	described  world // as the script's lines say it, in force or not yet
	limitRows  []limitRow
	staleWorld bool // reference data was written but not applied yet
	staleRows  bool // limits were written but not applied yet
	settledAt  int  // how many lines there are up to the last one that sets something
	selfMatch  map[string]uint32
	refs       map[order.SessionID]uint64
	clients    map[order.SessionID]uint32
	links      map[order.SessionID]order.ConnectionID
	requests   map[string]order.Verdict        // by ClOrdID, the newest verdict that carries it
	own        map[order.OrderID]order.Verdict // the newest cancel nobody asked for by ref
	report     uint64
	exec       order.ExecID
	lastReport order.Report
	executed   map[order.ExecID]executed
	out        []string
}

func newScript(t *testing.T, counts map[order.Reason]int) *script {
	t.Helper()
	s := &script{
		duel: newDuel(t, wide, newRoll(), counts), refs: map[order.SessionID]uint64{},
		clients: map[order.SessionID]uint32{}, links: map[order.SessionID]order.ConnectionID{},
		requests: map[string]order.Verdict{}, own: map[order.OrderID]order.Verdict{}, report: 1, exec: 100,
		selfMatch: map[string]uint32{}, executed: map[order.ExecID]executed{},
	}
	s.described = world{firm: 1, currency: "USD", fxMaxAgeNs: order.Unlimited}
	return s
}

// run returns the script with what happened after every line.
func (s *script) run(text string) string {
	for _, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		if strings.HasPrefix(line, arrow) {
			continue
		}
		s.out = append(s.out, line)
		command, _, _ := strings.Cut(line, "# ")
		if strings.TrimSpace(command) == "" {
			continue
		}
		if err := s.do(strings.Fields(command)); err != nil {
			s.t.Fatalf("%q: %v", line, err)
		}
		if s.failed {
			break
		}
	}
	return strings.Join(s.out, "\n") + "\n"
}

// say adds a line to what happened.
func (s *script) say(format string, args ...any) {
	s.out = append(s.out, arrow+fmt.Sprintf(format, args...))
}

// do carries out one line.
func (s *script) do(words []string) error {
	head := words[0]
	if setup, ok := setups[head]; ok {
		s.staleWorld, s.settledAt = true, len(s.out)
		return setup(s, newPhrase(words[1:]))
	}
	switch head {
	case "capacity":
		return s.capacityLine(newPhrase(words[1:]))
	case "include":
		return s.include(words[1])
	case "limit":
		s.staleRows, s.settledAt = true, len(s.out)
		return s.limitLine(newPhrase(words[1:]))
	}
	s.bringInForce()
	if act, ok := acts[head]; ok {
		return act(s, newPhrase(words[1:]))
	}
	if name, found := strings.CutSuffix(head, ":"); found {
		return s.sessionLine(name, newPhrase(words[1:]))
	}
	return fmt.Errorf("unknown command %q", head)
}

// capacityLine: capacity [clordids N] [orders N] [routes N], before anything else
func (s *script) capacityLine(p *phrase) error {
	b := wide
	for key, bound := range map[string]*int{"clordids": &b.clOrdIDs, "orders": &b.orders, "routes": &b.routes} {
		if v, ok := p.value(key); ok {
			*bound = int(p.number(v))
		}
	}
	s.duel = newDuel(s.t, b, s.roll, s.counts)
	return p.end()
}

// bringInForce applies reference data and limits that were written. What the
// engine refuses is forgotten. What comes of it stands under the last of those
// lines, and not under the one that is about to be carried out.
func (s *script) bringInForce() {
	rest := append([]string{}, s.out[min(s.settledAt, len(s.out)):]...)
	s.out = s.out[:len(s.out)-len(rest)]
	if s.staleWorld {
		s.staleWorld = false
		if err := s.applyWorld(s.described); err != nil {
			s.say("the reference data is refused")
			s.described = s.world
		} else {
			s.tellAny()
		}
	}
	if s.staleRows {
		s.staleRows = false
		if err := s.applyLimits(append([]limitRow{}, s.limitRows...)); err != nil {
			s.say("the limits are refused")
			s.limitRows = append([]limitRow{}, s.limits...)
		} else {
			s.tellAny()
		}
	}
	s.out = append(s.out, rest...)
}

// include runs another file without printing it.
func (s *script) include(name string) error {
	text, err := os.ReadFile(filepath.Join("testdata", "include", name))
	if err != nil {
		return err
	}
	told := len(s.out)
	defer func() { s.out = s.out[:told] }()
	for _, line := range strings.Split(string(text), "\n") {
		command, _, _ := strings.Cut(line, "# ")
		if fields := strings.Fields(command); len(fields) > 0 {
			if err := s.do(fields); err != nil {
				return fmt.Errorf("%s: %q: %w", name, line, err)
			}
		}
	}
	s.bringInForce()
	return nil
}

// tell prints the effects of the last input, or that there are none.
func (s *script) tell() {
	if len(s.engine.Effects()) == 0 {
		s.say("nothing")
	}
	s.tellAny()
}

// tellAny prints the effects of the last input and remembers what was sent.
func (s *script) tellAny() {
	events := engineEvents(s.engine, testKey())
	for i := range events {
		e := &events[i]
		s.say("%s", s.roll.render(e))
		if e.kind != eventVerdict {
			continue
		}
		if e.verdict.MsgType == order.MsgCancelOrder && e.verdict.ClOrdID == 0 {
			s.own[e.verdict.OrderID] = e.verdict
			continue
		}
		s.requests[fmt.Sprint(e.verdict.ClOrdID)] = e.verdict
	}
}
