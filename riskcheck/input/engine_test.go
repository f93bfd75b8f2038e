package input

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"tollgate/internal/testseed"
	"tollgate/order"
	"tollgate/riskcheck"
)

// sampleEngine returns a small engine that knows the firm of the samples, and its
// session 7 logged in. Limits are so that orders pass.
func sampleEngine(t testing.TB) *riskcheck.Engine {
	t.Helper()
	c := riskcheck.DefaultConfig()
	c.Epoch = 3
	c.TokenKey = order.NewTokenKey([order.TokenKeySize]byte{7, 1, 0, 1})
	c.OrdersMax, c.ClOrdIDsMax, c.RoutesMax, c.CellsMax = 1<<8, 1<<9, 1<<8, 1<<8
	c.ExecutionsMax, c.StampsMax, c.RecentOrdersMax, c.AnswersRetained = 1<<8, 1<<12, 1<<8, 1<<10
	e, err := riskcheck.New(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range opening() {
		if out := in.Give(e, sampleNs); out.Refused != nil || out.Login.Denied != 0 {
			t.Fatalf("%s: %+v", &in, out)
		}
	}
	return e
}

// opening is what a day begins with: everything is stated, and nothing binds.
func opening() []Input {
	limits := riskcheck.LimitSet{}
	firm := order.Scope{Type: order.ScopeFirm, ID: 1}
	for _, control := range riskcheck.Catalogue() {
		for _, rule := range control.Limits {
			l := riskcheck.LimitEntry{Scope: firm, Kind: rule.Kind, Value: order.Unlimited}
			switch {
			case rule.SessionOnly || rule.Places&riskcheck.PlaceWhole == 0:
				continue
			case rule.Kind == riskcheck.LimitPermission:
				l.Value = riskcheck.PermitDeny
			case rule.Kind == riskcheck.LimitDuplicateWindow || rule.Kind == riskcheck.LimitConsecutiveRejectsWindow:
				l.Value = 1e9
			}
			limits.Entries = append(limits.Entries, l)
		}
	}
	return []Input{
		{Kind: KindReference, Reference: sampleReference()},
		{Kind: KindLimits, Limits: limits},
		{Kind: KindVenueUp, Instance: 5, NextReport: 1},
		{Kind: KindPrice, Price: order.ReferencePrice{
			Time: sampleNs, Price: 101 * order.PriceOne, Instrument: 3, Source: order.PriceSourceLast,
		}},
		{Kind: KindCash, Account: 9, Cash: 1e12},
		{Kind: KindLogin, Login: riskcheck.Login{Session: 7, Client: 21, WantOutSeq: 1}},
	}
}

// newOrder is the order with which the sample engine's session goes on.
func newOrder(ref uint64) order.Request {
	r := samples()[0].Request
	r.Ref, r.ClOrdID, r.Connection = ref, order.ClOrdID(ref), 1
	return r
}

// TestOutcomes plays what engines return and refuse: an outcome carries it.
func TestOutcomes(t *testing.T) {
	e := sampleEngine(t)
	var p Player
	play := func(in Input) Outcome {
		t.Helper()
		out, err := p.Give(e, sampleNs, in.Kind, in.Append(nil))
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	play(Input{Kind: KindRequest, Request: newOrder(1)})
	if effects := e.Effects(); len(effects) == 0 || effects[0].Kind != riskcheck.EffectVerdict {
		t.Fatalf("the order was not accepted: %+v", effects)
	}
	login := Input{Kind: KindLogin, Login: riskcheck.Login{Session: 7, Client: 21, WantOutSeq: 1}}
	if out := play(login); !out.Login.OK || out.Login.Connection != 2 || out.Login.NextRef != 2 {
		t.Errorf("a login: %+v", out)
	}
	login.Login.Client++
	if out := play(login); out.Login.Denied != riskcheck.LoginUnknownSession {
		t.Errorf("a login of another client: %+v", out)
	}
	firm := order.Scope{Type: order.ScopeFirm, ID: 1}
	if out := play(Input{Kind: KindKill, Scope: firm}); out.Kill != (riskcheck.KillResult{FenceID: 1, Canceling: 1}) {
		t.Errorf("a kill: %+v", out)
	}
	if out := play(Input{Kind: KindUnkill, Scope: firm}); out.Refused != nil {
		t.Errorf("an unkill: %+v", out)
	}
	if out := play(Input{Kind: KindUnkill, Scope: firm}); out.Refused == nil {
		t.Error("an unkill of what is not killed is not refused")
	}
	if out := play(Input{Kind: KindVenueUp, Instance: 5, NextReport: 1}); !out.VenueUp {
		t.Errorf("the venue comes back: %+v", out)
	}
	if out := play(Input{Kind: KindVenueUp, Instance: 6, NextReport: 9}); out.VenueUp {
		t.Errorf("a venue with another past is taken: %+v", out)
	}
}

// call calls the method of the engine that the kind is for, without package input.
func call(e *riskcheck.Engine, nowNs int64, in *Input) (out Outcome) {
	var method reflect.Value
	for name, kind := range kindOfMethod {
		if kind == in.Kind {
			method = reflect.ValueOf(e).MethodByName(name)
		}
	}
	var arguments []reflect.Value
	if in.Kind != KindAckAnswers {
		arguments = append(arguments, reflect.ValueOf(nowNs))
	}
	for _, part := range partsOf(in) {
		v := reflect.ValueOf(part)
		if v.Type() == reflect.TypeFor[*By]() || v.Type() == reflect.TypeFor[*riskcheck.Sizes]() {
			continue // not the engine's
		}
		if method.Type().In(len(arguments)) != v.Type() {
			v = v.Elem()
		}
		arguments = append(arguments, v)
	}
	for _, result := range method.Call(arguments) {
		switch v := result.Interface().(type) {
		case riskcheck.LoginResult:
			out.Login = v
		case riskcheck.KillResult:
			out.Kill = v
		case bool:
			out.VenueUp = v
		case error:
			out.Refused = v
		}
	}
	return out
}

// TestWildInputs gives two engines the same inputs, one of them by the method and the
// other from their bytes: some wholly random, some plausible but for one field. Both
// return the same, ask for as much and are in the same state, and nothing panics.
func TestWildInputs(t *testing.T) {
	r := rand.New(rand.NewPCG(testseed.New(t), 7103))
	direct, stored := sampleEngine(t), sampleEngine(t)
	var p Player
	seen := map[riskcheck.EffectKind]bool{}
	now := int64(sampleNs)
	for i := range 20_000 {
		in := wild(r, direct)
		now += r.Int64N(1e8) - 1e7
		want := call(direct, now, &in)
		got, err := p.Give(stored, now, in.Kind, in.Append(nil))
		if err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(got) != fmt.Sprint(want) || !slices.Equal(stored.Effects(), direct.Effects()) {
			t.Fatalf("input %d, %s: from bytes %+v %+v\ndirectly %+v %+v", i, &in, got, stored.Effects(), want, direct.Effects())
		}
		for _, f := range direct.Effects() {
			seen[f.Kind] = true
		}
		if i%500 == 0 && stored.StateHash() != direct.StateHash() {
			t.Fatalf("after input %d, %s, the states are not the same", i, &in)
		}
	}
	for _, kind := range []riskcheck.EffectKind{
		riskcheck.EffectVerdict, riskcheck.EffectAnswer, riskcheck.EffectFence, riskcheck.EffectAlert,
	} {
		if !seen[kind] {
			t.Errorf("no effect of kind %d was asked for", kind)
		}
	}
}

// wild draws an input: seven in eight are one that the firm could have, half of these
// with one part drawn anew.
func wild(r *rand.Rand, e *riskcheck.Engine) Input {
	if r.IntN(8) == 0 {
		return random(r, Kinds()[r.IntN(kinds-1)])
	}
	day := append(samples(), opening()...)
	in := day[r.IntN(len(day))]
	session := e.Sessions()[0]
	switch in.Kind {
	case KindRequest:
		in.Request.Ref, in.Request.Connection = session.NextRef, session.Connection
		in.Request.ClOrdID = order.ClOrdID(r.Uint64N(500))
	case KindReport:
		in.Report.ReportSeq, in.Report.OrderID = e.NextReport(), order.OrderID(e.Seq()-min(e.Seq(), r.Uint64N(9)))
		in.Report.Seq, in.Report.Kind = uint64(in.Report.OrderID), order.ReportKind(1+r.IntN(11))
	case KindLogin:
		in.Login.WantOutSeq = session.NextOutSeq
	case KindVenueUp:
		in.Instance, in.NextReport = 5, e.NextReport()
	case KindRollDay, KindRollCalendar:
		in.Day += uint32(r.IntN(100))
	case KindUnkill:
		if killed := e.Killed(); len(killed) > 0 {
			in.Scope = killed[r.IntN(len(killed))]
		}
	case KindRelease:
		if latched := e.Latched(); len(latched) > 0 {
			one := latched[r.IntN(len(latched))]
			in.Scope, in.Latch = one.Scope, one.Latch
		}
	}
	if parts := partsOf(&in); len(parts) > 0 && r.IntN(2) == 0 {
		v := reflect.ValueOf(parts[r.IntN(len(parts))]).Elem()
		if v.Kind() == reflect.Struct {
			v = v.Field(r.IntN(v.NumField()))
		}
		fill(r, v)
	}
	return in
}

// TestNoAllocation counts what is allocated for the inputs that come with orders:
// to encode them, to decode them and to give them to an engine.
func TestNoAllocation(t *testing.T) {
	e := sampleEngine(t)
	room := make([]byte, 0, ReportBytes)
	var p Player
	for _, in := range samples() {
		if in.Kind.Commanded() {
			continue
		}
		payload := in.Append(nil)
		for name, act := range map[string]func(){
			"append": func() { room = in.Append(room[:0]) },
			"give":   func() { _, _ = p.Give(e, sampleNs, in.Kind, payload) },
		} {
			if n := testing.AllocsPerRun(200, act); n != 0 {
				t.Errorf("%s: %s allocates %v times", in.Kind, name, n)
			}
		}
	}
	kill := Input{Kind: KindKill, By: By{"ann", "half day"}, Scope: order.Scope{Type: order.ScopeFirm, ID: 1}}
	if n := testing.AllocsPerRun(200, func() { room = kill.Append(room[:0]) }); n != 0 {
		t.Errorf("a kill allocates %v times where there is room", n)
	}
}

// storedHead is the size of what stands before each payload of FuzzGive: its kind,
// how much later than the last it came, and its length.
const storedHead = 5

// appendStored appends an input in the form in which FuzzGive takes it.
func appendStored(b []byte, in *Input) []byte {
	payload := in.Append(nil)
	b = append(b, byte(in.Kind), byte(in.Kind>>8), 1)
	b = binary.LittleEndian.AppendUint16(b, uint16(len(payload)))
	return append(b, payload...)
}

// FuzzGive gives whatever bytes to an engine as a day of inputs: nothing ends in a
// panic, what is refused is malformed, and what is taken is the only form of what it
// says.
func FuzzGive(f *testing.F) {
	var day []byte
	for _, in := range samples() {
		f.Add(appendStored(nil, &in))
		day = appendStored(day, &in)
	}
	f.Add(day)
	request := Input{Kind: KindRequest, Request: newOrder(1)}
	report := samples()[3]
	report.Report.ReportSeq, report.Report.Seq, report.Report.OrderID = 1, 1, 1
	f.Add(appendStored(appendStored(nil, &request), &report))
	f.Fuzz(func(t *testing.T, day []byte) {
		var e *riskcheck.Engine // made when there is something to give it
		now := int64(sampleNs)
		for len(day) >= storedHead {
			kind := Kind(binary.LittleEndian.Uint16(day))
			now += int64(int8(day[2])) * 1e8
			n := min(int(binary.LittleEndian.Uint16(day[3:])), len(day)-storedHead)
			payload := day[storedHead : storedHead+n]
			day = day[storedHead+n:]
			in, ok := wellFormed(t, kind, payload)
			if !ok {
				continue
			}
			if e == nil {
				e = sampleEngine(t)
			}
			in.Give(e, now)
		}
		if e != nil {
			e.StateHash()
		}
	})
}

// wellFormed decodes a payload and describes it, and wants that both take or refuse
// it.
func wellFormed(t *testing.T, kind Kind, payload []byte) (in Input, ok bool) {
	t.Helper()
	err := in.Decode(kind, payload)
	text, describeErr := Describe(kind, payload)
	if (err == nil) != (describeErr == nil) || err != nil && !errors.Is(err, ErrMalformed) {
		t.Fatalf("%s: decoded with %v, described as %q with %v", kind, err, text, describeErr)
	}
	if err != nil {
		return in, false
	}
	if again := in.Append(nil); !bytes.Equal(again, payload) {
		t.Fatalf("%s: %x encodes again as %x", kind, payload, again)
	}
	return in, true
}
