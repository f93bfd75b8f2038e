package riskcheck_test

import (
	"encoding/binary"
	"encoding/gob"
	"fmt"
	"hash"
	"hash/fnv"
	"os"
	"testing"

	"tollgate/riskcheck"
	"tollgate/riskcheck/input"
)

// storedInput is one input of an engine.
type storedInput struct {
	NowNs   int64
	Kind    input.Kind
	Payload []byte
}

// storeInput stores an input that an engine is given at a time.
func storeInput(nowNs int64, in *input.Input) storedInput {
	return storedInput{NowNs: nowNs, Kind: in.Kind, Payload: in.Append(nil)}
}

// input returns what is stored.
func (r *storedInput) input() (in input.Input) {
	if err := in.Decode(r.Kind, r.Payload); err != nil {
		panic(err) // a recording is made by storeInput
	}
	return in
}

// recordedNamesMax is how many ClOrdIDs of a day find room: few enough to run out
// of it at times.
const recordedNamesMax = 1024

// milestoneEvery is after how many inputs an engine's state is noted.
const milestoneEvery = 1000

// milestone is where an engine is after so many inputs.
type milestone struct {
	Inputs int
	State  uint64 // riskcheck.Engine.StateHash
	Said   uint64 // hash of all that it returned, and of every effect and answer
}

func (m milestone) String() string {
	return fmt.Sprintf("%6d inputs: state %016x, effects %016x", m.Inputs, m.State, m.Said)
}

// player gives inputs to an engine and notes what becomes of it.
type player struct {
	engine *riskcheck.Engine
	stored input.Player
	said   hash.Hash64
	done   int
	trail  []milestone
}

// newPlayer returns a player with a fresh engine. The hash seed must not matter.
func newPlayer(t *testing.T, hashSeed uint64) *player {
	t.Helper()
	config := smallConfig()
	config.HashSeed, config.ClOrdIDsMax = hashSeed, recordedNamesMax
	engine, err := riskcheck.New(config)
	if err != nil {
		t.Fatal(err)
	}
	return &player{engine: engine, said: fnv.New64a()}
}

// give gives the engine its next input and returns what the engine returned.
func (p *player) give(nowNs int64, in *input.Input) input.Outcome {
	out := in.Give(p.engine, nowNs)
	p.hear(in.Kind, out)
	return out
}

// play gives the engine its next input as it is stored.
func (p *player) play(r *storedInput) {
	out, err := p.stored.Give(p.engine, r.NowNs, r.Kind, r.Payload)
	if err != nil {
		panic(err) // a recording is made by storeInput
	}
	p.hear(r.Kind, out)
}

// asked returns what an input has asked for. That a client holds its answers asks for
// nothing: the effects there are then belong to the input before, and their answers
// may be gone.
func (p *player) asked(kind input.Kind) []riskcheck.Effect {
	if kind == input.KindAckAnswers {
		return nil
	}
	return p.engine.Effects()
}

// hear notes what the engine has returned and what it asks for.
func (p *player) hear(kind input.Kind, out input.Outcome) {
	if out != (input.Outcome{}) {
		p.note([]byte(fmt.Sprint(out)))
	}
	effects := p.asked(kind)
	for i := range effects {
		p.note(&effects[i])
		if f := &effects[i]; f.Kind == riskcheck.EffectAnswer {
			p.note(p.engine.Answer(f.Session, f.OutSeq))
		}
	}
	p.done++
	if p.done%milestoneEvery == 0 {
		p.trail = append(p.trail, milestone{p.done, p.engine.StateHash(), p.said.Sum64()})
	}
}

// note adds to the hash of what the engine said.
func (p *player) note(what any) {
	if err := binary.Write(p.said, binary.LittleEndian, what); err != nil {
		panic(err) // only for types that are not of fixed size
	}
}

// recording is a sequence of inputs and where an engine was on its way through
// them.
type recording struct {
	Seed   uint64
	Inputs []storedInput
	Trail  []milestone
}

// write stores the recording in a file.
func (r *recording) write(t *testing.T, path string) {
	t.Helper()
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := gob.NewEncoder(file).Encode(r); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
}

// readRecording reads what write has stored.
func readRecording(t *testing.T, path string) *recording {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	r := &recording{}
	if err := gob.NewDecoder(file).Decode(r); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return r
}
