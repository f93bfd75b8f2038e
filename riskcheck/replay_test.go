package riskcheck_test

import (
	"flag"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"tollgate/internal/testseed"
	"tollgate/order"
	"tollgate/riskcheck"
	"tollgate/riskcheck/input"
)

// The recording can be kept, and one of another machine can be replayed.
var (
	recordFlag = flag.String("record", "", "file in which TestReplaysAgree keeps its recording")
	replayFlag = flag.String("replay", "", "recording that TestReplaysAgree replays instead of making one")
)

const (
	// recordedInputs is the length of a recording, which grows until everything
	// has happened in it, at most to recordedInputsMax.
	recordedInputs    = 30_000
	recordedInputsMax = 300_000
	// recordedSeed is the seed of an ordinary run.
	recordedSeed = 1
)

// TestReplaysAgree holds the engine to its invariant: state is a function of the
// inputs, and of nothing else, and package input to bringing every input back as it
// was. It records a random day, stores it, and replays it from the file on two fresh
// engines with other hash seeds, of which one is told of requests in advance; states
// and effects must be those of the recording, all along. With -replay the recording is
// one that another machine, or another architecture, has made.
func TestReplaysAgree(t *testing.T) {
	path := *replayFlag
	if path == "" {
		path = record(t)
	}
	r := readRecording(t, path)
	if len(r.Inputs) < recordedInputs || len(r.Trail) != len(r.Inputs)/milestoneEvery {
		t.Fatalf("%s has %d inputs and %d milestones, want %d inputs or more and a milestone every %d", path,
			len(r.Inputs), len(r.Trail), recordedInputs, milestoneEvery)
	}
	for hashSeed := range uint64(2) {
		p := newPlayer(t, hashSeed+1)
		for i := range r.Inputs {
			if next := i + 1; hashSeed == 1 && next < len(r.Inputs) && r.Inputs[next].Kind == input.KindRequest {
				expected := r.Inputs[next].input()
				p.engine.Expect(&expected.Request)
			}
			p.play(&r.Inputs[i])
		}
		compareTrails(t, r.Trail, p.trail)
		t.Logf("%s: seed %d: %v", runtime.GOARCH, r.Seed, p.trail[len(p.trail)-1])
	}
}

// record makes a recording and returns its file.
func record(t *testing.T) string {
	t.Helper()
	seed := testseed.Or(t, recordedSeed)
	f := newFirm(t, seed)
	for len(f.inputs) < recordedInputs || len(f.missing()) > 0 && len(f.inputs) < recordedInputsMax {
		for range milestoneEvery {
			f.step()
		}
	}
	for _, what := range f.missing() {
		t.Errorf("%s in %d inputs", what, len(f.inputs))
	}
	t.Logf("%d inputs, reasons given: %v", len(f.inputs), f.refused)
	path := *recordFlag
	if path == "" {
		path = filepath.Join(t.TempDir(), "recording")
	}
	r := &recording{Seed: seed, Inputs: f.inputs, Trail: f.player.trail}
	r.write(t, path)
	return path
}

// compareTrails names the first milestone at which two engines part.
func compareTrails(t *testing.T, want, got []milestone) {
	t.Helper()
	for i := range want {
		if i == len(got) || got[i] != want[i] {
			at := min(i, len(got))
			t.Fatalf("the replay parts within %d inputs\nrecorded: %v\nreplayed: %v", milestoneEvery, want[i], got[at:])
		}
	}
	if !slices.Equal(want, got) {
		t.Fatalf("the replay has %d milestones, want %d", len(got), len(want))
	}
}

// TestTicksWithoutEffectsNeedNoRecord replays a day as a journal may keep it: with
// engine time instead of the clock's, and without the ticks that had no effect. The
// states are the same after every input that is kept, and so is all that is said.
func TestTicksWithoutEffectsNeedNoRecord(t *testing.T) {
	f := newFirm(t, testseed.Or(t, recordedSeed))
	for len(f.inputs) < 5*milestoneEvery {
		f.step()
	}
	all, kept := newPlayer(t, 1), newPlayer(t, 2)
	leftOut := 0
	for i := range f.inputs {
		r := f.inputs[i]
		all.play(&r)
		if r.Kind == input.KindTick && len(all.engine.Effects()) == 0 {
			leftOut++
			continue
		}
		r.NowNs = all.engine.Now()
		kept.play(&r)
		if i%100 == 0 && kept.engine.StateHash() != all.engine.StateHash() {
			t.Fatalf("without %d ticks the state is another after %d inputs", leftOut, i+1)
		}
	}
	if all.said.Sum64() != kept.said.Sum64() {
		t.Error("without the ticks something else is said")
	}
	if leftOut == 0 {
		t.Error("no tick was without effects")
	}
}

// TestStateHashSeesEveryInput gives engines that are equal one more input each,
// and wants every one of them to leave a state of its own.
func TestStateHashSeesEveryInput(t *testing.T) {
	f := newFirm(t, recordedSeed)
	for len(f.inputs) < milestoneEvery {
		f.step()
	}
	states := map[uint64]string{}
	for name, in := range map[string]input.Input{
		"nothing":     {Kind: input.KindTick},
		"cash":        {Kind: input.KindCash, Account: 1, Cash: 777},
		"position":    {Kind: input.KindPosition, Account: 1, Instrument: 1, Qty: 777},
		"locate":      {Kind: input.KindLocate, Account: 1, Instrument: 1, Qty: 777},
		"rate":        {Kind: input.KindFxRate, Currency: riskcheck.CurrencyOf("EUR"), Rate: 777, SeenNs: f.now},
		"halt":        {Kind: input.KindMarketState, Instrument: 1, Market: order.MarketHalted},
		"restriction": {Kind: input.KindMarketState, Instrument: 1, Market: order.MarketHalted, ShortRestricted: true},
		"price": {
			Kind: input.KindPrice, Price: order.ReferencePrice{Time: f.now, Price: 777, Instrument: 1, Source: order.PriceSourceMid},
		},
		"limits":   {Kind: input.KindLimits, Limits: riskcheck.LimitSet{}},
		"kill":     {Kind: input.KindKill, Scope: order.Scope{Type: order.ScopeTrader, ID: 2, Class: 2}},
		"login":    {Kind: input.KindLogin, Login: riskcheck.Login{Session: 1, Client: 1, WantOutSeq: f.sessions[1].outSeq + 1}},
		"end":      {Kind: input.KindDisconnected, Session: 1, Connection: f.sessions[1].connection},
		"no venue": {Kind: input.KindVenueDown},
		"day":      {Kind: input.KindRollDay, Day: f.day + 9},
		"calendar": {Kind: input.KindRollCalendar, Calendar: 1, Day: f.calendar + 9},
		"time":     {Kind: input.KindTick},
	} {
		p := newPlayer(t, 0)
		for i := range f.inputs {
			p.play(&f.inputs[i])
		}
		now := f.now
		if name == "time" {
			now += 1e9
		}
		p.give(now, &in)
		state := p.engine.StateHash()
		if other, ok := states[state]; ok {
			t.Errorf("%s leaves the same state as %s", name, other)
		}
		states[state] = name
	}
}

// TestReplaysThatPartAreFound changes one input of a recording, and one number
// of its trail.
func TestReplaysThatPartAreFound(t *testing.T) {
	f := newFirm(t, recordedSeed)
	for len(f.inputs) < milestoneEvery {
		f.step()
	}
	p := newPlayer(t, 9)
	for i := range f.inputs[:milestoneEvery] {
		in := f.inputs[i].input()
		if in.Kind == input.KindPrice {
			in.Price.Price++
		}
		p.give(f.inputs[i].NowNs, &in)
	}
	if p.trail[0].State == f.player.trail[0].State {
		t.Error("other prices give the same state")
	}
	if p.trail[0].Said == f.player.trail[0].Said {
		t.Error("other prices give the same effects")
	}
}
