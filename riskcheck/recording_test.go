package riskcheck_test

import (
	"encoding/binary"
	"encoding/gob"
	"fmt"
	"hash"
	"hash/fnv"
	"os"
	"testing"

	"tollgate/order"
	"tollgate/riskcheck"
)

// inputKind says which method of the engine a recorded input is for.
type inputKind uint8

const (
	inputRequest inputKind = iota + 1
	inputReport
	inputPrice
	inputTick
	inputLogin
	inputDisconnected
	inputAck
	inputVenueUp
	inputVenueDown
	inputReference
	inputLimits
	inputKill
	inputUnkill
	inputRelease
	inputCash
	inputPosition
	inputLocate
	inputFxRate
	inputMarketState
	inputRollDay
	inputRollCalendar
	inputKinds
)

// recordedInput is one input of an engine. Fields that a kind does not use are
// zero, and so take no room in a file.
type recordedInput struct {
	Now        int64
	Kind       inputKind
	Request    *order.Request
	Report     *order.Report
	Price      *order.ReferencePrice
	Login      *riskcheck.Login
	Reference  *riskcheck.Reference
	Limits     *riskcheck.LimitSet
	Scope      order.Scope
	Latch      riskcheck.Latch
	Currency   riskcheck.Currency
	Market     order.MarketState
	Restricted bool
	Account    order.AccountID
	Instrument order.InstrumentID
	Session    order.SessionID
	Calendar   order.CalendarID
	Number     uint64 // connection, venue instance, day, answer
	Next       uint64 // venue up: the next report
	Amount     int64
	Seen       int64
}

// give gives the input to an engine and returns what the engine returned, as
// text.
func (in *recordedInput) give(e *riskcheck.Engine) string {
	switch in.Kind {
	case inputRequest:
		e.Request(in.Now, in.Request)
	case inputReport:
		e.Report(in.Now, in.Report)
	case inputPrice:
		e.Price(in.Now, in.Price)
	case inputTick:
		e.Tick(in.Now)
	case inputLogin:
		return fmt.Sprint(e.Login(in.Now, *in.Login))
	case inputDisconnected:
		e.Disconnected(in.Now, in.Session, order.ConnectionID(in.Number))
	case inputAck:
		e.AckAnswers(in.Session, in.Number)
	case inputVenueUp:
		return fmt.Sprint(e.VenueUp(in.Now, in.Number, in.Next))
	case inputVenueDown:
		e.VenueDown(in.Now)
	case inputKill:
		result, err := e.Kill(in.Now, in.Scope)
		return fmt.Sprint(result, err)
	default:
		return fmt.Sprint(in.set(e))
	}
	return ""
}

// set gives the inputs that set state and can be refused.
func (in *recordedInput) set(e *riskcheck.Engine) error {
	switch in.Kind {
	case inputReference:
		return e.ApplyReference(in.Now, in.Reference)
	case inputLimits:
		return e.ApplyLimits(in.Now, in.Limits)
	case inputUnkill:
		return e.Unkill(in.Now, in.Scope)
	case inputRelease:
		return e.Release(in.Now, in.Scope, in.Latch)
	case inputCash:
		return e.SetCash(in.Now, in.Account, order.Money(in.Amount))
	case inputPosition:
		return e.SetPosition(in.Now, in.Account, in.Instrument, order.Qty(in.Amount))
	case inputLocate:
		return e.SetLocate(in.Now, in.Account, in.Instrument, order.Qty(in.Amount))
	case inputFxRate:
		return e.SetFxRate(in.Now, in.Currency, order.FxRate(in.Amount), in.Seen)
	case inputMarketState:
		return e.SetMarketState(in.Now, in.Instrument, in.Market, in.Restricted)
	case inputRollDay:
		return e.RollDay(in.Now, uint32(in.Number))
	case inputRollCalendar:
		return e.RollCalendar(in.Now, in.Calendar, uint32(in.Number))
	}
	panic(fmt.Sprintf("input kind %d", in.Kind))
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

// play gives the engine its next input and returns what it returned.
func (p *player) play(in *recordedInput) string {
	returned := in.give(p.engine)
	p.note([]byte(returned))
	effects := p.engine.Effects()
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
	return returned
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
	Inputs []recordedInput
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
