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
// inputs, and of nothing else. It records a random day, stores it, and replays it
// from the file on two fresh engines with other hash seeds, of which one is told of
// requests in advance; states and effects must be those of the recording, all along. With -replay the recording is one
// that another machine, or another architecture, has made.
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
			if next := i + 1; hashSeed == 1 && next < len(r.Inputs) && r.Inputs[next].Kind == inputRequest {
				p.engine.Expect(r.Inputs[next].Request)
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

// TestStateHashSeesEveryInput gives engines that are equal one more input each,
// and wants every one of them to leave a state of its own.
func TestStateHashSeesEveryInput(t *testing.T) {
	f := newFirm(t, recordedSeed)
	for len(f.inputs) < milestoneEvery {
		f.step()
	}
	states := map[uint64]string{}
	for name, in := range map[string]recordedInput{
		"nothing":     {Kind: inputTick},
		"cash":        {Kind: inputCash, Account: 1, Amount: 777},
		"position":    {Kind: inputPosition, Account: 1, Instrument: 1, Amount: 777},
		"locate":      {Kind: inputLocate, Account: 1, Instrument: 1, Amount: 777},
		"rate":        {Kind: inputFxRate, Currency: riskcheck.CurrencyOf("EUR"), Amount: 777, Seen: f.now},
		"halt":        {Kind: inputMarketState, Instrument: 1, Market: order.MarketHalted},
		"restriction": {Kind: inputMarketState, Instrument: 1, Market: order.MarketHalted, Restricted: true},
		"price": {
			Kind: inputPrice, Price: &order.ReferencePrice{Time: f.now, Price: 777, Instrument: 1, Source: order.PriceSourceMid},
		},
		"limits":   {Kind: inputLimits, Limits: &riskcheck.LimitSet{}},
		"kill":     {Kind: inputKill, Scope: order.Scope{Type: order.ScopeTrader, ID: 2, Class: 2}},
		"login":    {Kind: inputLogin, Login: &riskcheck.Login{Session: 1, Client: 1, WantOutSeq: f.sessions[1].outSeq + 1}},
		"end":      {Kind: inputDisconnected, Session: 1, Number: uint64(f.sessions[1].connection)},
		"no venue": {Kind: inputVenueDown},
		"day":      {Kind: inputRollDay, Number: uint64(f.day + 9)},
		"calendar": {Kind: inputRollCalendar, Calendar: 1, Number: uint64(f.calendar + 9)},
		"time":     {Kind: inputTick, Now: f.now + 1e9},
	} {
		p := newPlayer(t, 0)
		for i := range f.inputs {
			p.play(&f.inputs[i])
		}
		in.Now = max(in.Now, f.now)
		p.play(&in)
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
		in := f.inputs[i]
		if in.Kind == inputPrice {
			changed := *in.Price
			changed.Price++
			in.Price = &changed
		}
		p.play(&in)
	}
	if p.trail[0].State == f.player.trail[0].State {
		t.Error("other prices give the same state")
	}
	if p.trail[0].Said == f.player.trail[0].Said {
		t.Error("other prices give the same effects")
	}
}
