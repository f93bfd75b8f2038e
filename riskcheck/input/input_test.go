package input

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tollgate/internal/testseed"
	"tollgate/riskcheck"
)

// kindOfMethod says which kind the methods of the engine have that take an input.
var kindOfMethod = map[string]Kind{
	"Request": KindRequest, "Report": KindReport, "Price": KindPrice, "Tick": KindTick, "Login": KindLogin,
	"Disconnected": KindDisconnected, "AckAnswers": KindAckAnswers, "VenueUp": KindVenueUp, "VenueDown": KindVenueDown,
	"Start":          KindStart,
	"ApplyReference": KindReference, "ApplyLimits": KindLimits, "Kill": KindKill, "Unkill": KindUnkill,
	"Release": KindRelease, "SetCash": KindCash, "SetPosition": KindPosition, "SetLocate": KindLocate,
	"SetFxRate": KindFxRate, "SetMarketState": KindMarketState, "RollDay": KindRollDay, "RollCalendar": KindRollCalendar,
}

// methodsThatChangeNothing are all others.
var methodsThatChangeNothing = []string{
	"AccountUse", "Answer", "ConfigVersion", "Day", "DayUse", "Due", "Effects", "Epoch", "Expect", "Footprint", "Killed", "Latched",
	"LiveOrders", "Locate", "NextReport", "Now", "OpenOrders", "Order", "ReferencePrice", "Seq", "Sessions", "Simulate",
	"StateHash", "Usage", "VenueIsUp", "WriteSnapshot",
}

// TestEveryInputOfTheEngineHasAKind goes through the methods of the engine: each
// has a kind or is known to change nothing, and each kind has a method.
func TestEveryInputOfTheEngineHasAKind(t *testing.T) {
	engine := reflect.TypeFor[*riskcheck.Engine]()
	var kinds []Kind
	for i := range engine.NumMethod() {
		name := engine.Method(i).Name
		kind, takesInput := kindOfMethod[name]
		if takesInput == slices.Contains(methodsThatChangeNothing, name) {
			t.Errorf("Engine.%s: want a kind, or a place in the list of methods that change nothing", name)
		}
		if takesInput {
			kinds = append(kinds, kind)
		}
	}
	slices.Sort(kinds)
	if !slices.Equal(kinds, Kinds()) {
		t.Errorf("the engine has methods for the kinds %v, want each of %v once", kinds, Kinds())
	}
	for _, name := range methodsThatChangeNothing {
		if _, ok := engine.MethodByName(name); !ok {
			t.Errorf("Engine.%s is in the list of methods that change nothing, and there is no such method", name)
		}
	}
}

// TestKinds holds the names of the kinds apart, and the bounds of what is a kind.
func TestKinds(t *testing.T) {
	seen := map[string]bool{"": true}
	for _, kind := range Kinds() {
		if seen[kind.String()] || !kind.Known() || kind > KindsMax {
			t.Errorf("kind %d is named %q: want a name of its own, and a number up to %d", kind, kind, KindsMax)
		}
		seen[kind.String()] = true
	}
	for _, kind := range []Kind{0, kinds, 65_535} {
		if kind.Known() || kind.Commanded() || !strings.HasPrefix(kind.String(), "unknown") {
			t.Errorf("kind %d is %q and known", kind, kind)
		}
	}
}

// TestRoundTrip encodes random inputs of every kind behind other bytes and decodes
// them into an Input that was used before: what comes back is what was given.
func TestRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(testseed.New(t), 7101))
	used := map[Kind]*Input{}
	for range 500 {
		for _, kind := range Kinds() {
			if used[kind] == nil {
				used[kind] = new(Input)
			}
			in, got := random(r, kind), used[kind]
			payload := in.Append([]byte("before"))
			if !bytes.HasPrefix(payload, []byte("before")) {
				t.Fatalf("%s: what stood before is %q", kind, payload[:6])
			}
			payload = payload[6:]
			if err := got.Decode(kind, payload); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, &in) {
				t.Fatalf("%s: decoded %+v\n   want %+v", kind, got, &in)
			}
			if again := got.Append(nil); !bytes.Equal(again, payload) {
				t.Fatalf("%s: encoded again %x\n        want %x", kind, again, payload)
			}
			checkWords(t, &in, payload)
		}
	}
}

// checkWords wants that what is said of a payload is one line, and the same as of
// the input.
func checkWords(t *testing.T, in *Input, payload []byte) {
	t.Helper()
	text, err := Describe(in.Kind, payload)
	if err != nil || text != in.String() || strings.ContainsAny(text, "\r\n") {
		t.Errorf("%s: described as %q (%v), want the line %q", in.Kind, text, err, in)
	}
	if subject, err := About(in.Kind, payload); err != nil || subject != in.Subject() {
		t.Errorf("%s: about %+v (%v), want %+v", in.Kind, subject, err, in.Subject())
	}
}

// TestEveryFieldHasAKind fails if Input has a field that no kind carries.
func TestEveryFieldHasAKind(t *testing.T) {
	r := rand.New(rand.NewPCG(testseed.New(t), 7102))
	carried := map[string]bool{"Kind": true}
	for range 100 {
		for _, kind := range Kinds() {
			in := random(r, kind)
			for v, i := reflect.ValueOf(in), 0; i < v.NumField(); i++ {
				carried[v.Type().Field(i).Name] = carried[v.Type().Field(i).Name] || !v.Field(i).IsZero()
			}
		}
	}
	for field := range reflect.TypeFor[Input]().Fields() {
		if !carried[field.Name] {
			t.Errorf("no kind carries Input.%s", field.Name)
		}
	}
}

// TestDamageIsRefused cuts every sample short at each byte, makes it longer, and
// changes each of its bits: what is not refused is another input, in its only form.
// Every refusal names the kind and the byte.
func TestDamageIsRefused(t *testing.T) {
	for _, in := range samples() {
		payload := in.Append(nil)
		for n := range payload {
			mustRefuse(t, in.Kind, payload[:n])
		}
		mustRefuse(t, in.Kind, append(bytes.Clone(payload), 0))
		for bit := range 8 * len(payload) {
			damaged := bytes.Clone(payload)
			damaged[bit/8] ^= 1 << (bit % 8)
			var other Input
			if err := other.Decode(in.Kind, damaged); err != nil {
				mustRefuse(t, in.Kind, damaged)
				continue
			}
			if again := other.Append(nil); !bytes.Equal(again, damaged) {
				t.Errorf("%s: %x decodes and encodes again as %x", in.Kind, damaged, again)
			}
		}
	}
	for _, kind := range []Kind{0, kinds, KindsMax, 65_535} {
		mustRefuse(t, kind, []byte{version})
	}
}

func mustRefuse(t *testing.T, kind Kind, payload []byte) {
	t.Helper()
	_, err := Describe(kind, payload)
	if !errors.Is(err, ErrMalformed) || !strings.Contains(err.Error(), kind.String()+" at byte ") {
		t.Errorf("%s: %x ends in %v, want that it is malformed, and where", kind, payload, err)
	}
	if _, err := About(kind, payload); !errors.Is(err, ErrMalformed) {
		t.Errorf("%s: what %x is about ends in %v", kind, payload, err)
	}
	if out, err := new(Player).Give(nil, 1, kind, payload); !errors.Is(err, ErrMalformed) || out != (Outcome{}) {
		t.Errorf("%s: %x is given to an engine: %+v, %v", kind, payload, out, err)
	}
}

// TestFaultsAreNamed holds errors to what they are for: each says what stands there
// and what would be right.
func TestFaultsAreNamed(t *testing.T) {
	by := []byte{version, 0, 0, 0, 0}
	request := AppendRequest(nil, &samples()[0].Request)
	with := func(b []byte, at int, v byte) []byte {
		b = bytes.Clone(b)
		b[at] = v
		return b
	}
	for _, c := range []struct {
		kind    Kind
		payload []byte
		want    string
	}{
		{KindRequest, request[:111], "request at byte 111: the payload has 111 bytes, want 112"},
		{KindRequest, with(request, 0, 2), "request at byte 0: version 2, want 1"},
		{KindRequest, with(request, 5, 9), "request at byte 5: a byte without meaning is not zero, want zero"},
		{KindTick, nil, "tick at byte 0: 0 bytes are left, want at least 1"},
		{KindTick, []byte{3}, "tick at byte 0: version 3, want 1"},
		{KindTick, []byte{1, 1, 1}, "tick at byte 1: 2 bytes follow the last field, want none"},
		{KindCash, []byte{1, 1, 4}, "cash at byte 1: a text of 1025 bytes, want at most 1024"},
		{KindLimits, append(bytes.Clone(by), 255, 255, 255, 255), "limits at byte 5: 4294967295 rows of at least 41 bytes"},
		{
			KindLimits, append(append(bytes.Clone(by), 2, 0, 0, 0), make([]byte, 81)...),
			"limits at byte 5: 2 rows of at least 41 bytes, but 81 bytes are left",
		},
		{KindMarketState, append(bytes.Clone(by), 1, 0, 0, 0, 0, 2), "market-state at byte 10: flags 0b10, want none but 0b1"},
		{99, request, "unknown kind 99 at byte 0: want a kind from 1 to 22"},
	} {
		if _, err := About(c.kind, c.payload); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q in it", c.kind, err, c.want)
		}
	}
}

// TestLongTextsAreCut gives an author and a reason that are too long: the record is
// made all the same, with what there is room for.
func TestLongTextsAreCut(t *testing.T) {
	long := strings.Repeat("x", 70_000)
	var in Input
	if err := in.Decode(KindRollDay, AppendRollDay(nil, By{long, long}, 3)); err != nil {
		t.Fatal(err)
	}
	if want := (By{long[:textBytesMax], long[:textBytesMax]}); in.By != want || in.Day != 3 {
		t.Errorf("day %d by an author of %d and a reason of %d bytes, want 3 by %d and %d", in.Day, len(in.By.Author),
			len(in.By.Reason), textBytesMax, textBytesMax)
	}
}

// TestUnknownKindsPanic gives and encodes an input of no kind, which only a caller's
// mistake can make.
func TestUnknownKindsPanic(t *testing.T) {
	for name, act := range map[string]func(in *Input){
		"append": func(in *Input) { in.Append(nil) },
		"give":   func(in *Input) { in.Give(nil, 1) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("it is taken")
				}
			}()
			act(&Input{Kind: kinds})
		})
	}
}

// TestDecodedDataIsNew decodes two sets of reference data and of limits into the
// same Input: the first stay what they are, since an engine keeps them.
func TestDecodedDataIsNew(t *testing.T) {
	var in Input
	decode := func(of Input) {
		if err := in.Decode(of.Kind, of.Append(nil)); err != nil {
			t.Fatal(err)
		}
	}
	other := sampleReference()
	other.Traders[0].Accounts[0]++
	otherLimits := sampleLimits()
	otherLimits.Entries[0].Value = 1
	decode(Input{Kind: KindReference, Reference: sampleReference()})
	decode(Input{Kind: KindLimits, Limits: sampleLimits()})
	kept, keptLimits := in.Reference, in.Limits
	decode(Input{Kind: KindReference, Reference: other})
	decode(Input{Kind: KindLimits, Limits: otherLimits})
	if !reflect.DeepEqual(kept, sampleReference()) || !reflect.DeepEqual(keptLimits, sampleLimits()) {
		t.Errorf("what was decoded has become %+v and %+v", kept, keptLimits)
	}
}
