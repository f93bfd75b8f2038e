package wire

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"reflect"
	"testing"

	"tollgate/order"
)

// TestRoundTrip: every field of every message, set to anything, survives.
func TestRoundTrip(t *testing.T) {
	rng := newRandom(t)
	for _, s := range codecs() {
		for range 200 {
			value := s.randomize(rng)
			frame := s.encode(nil, value)
			var p Parser
			m, err := parseWhole(&p, frame)
			if err != nil {
				t.Fatalf("%s: %v", s.name, err)
			}
			got := s.decode(m)
			if !reflect.DeepEqual(got, value) {
				t.Fatalf("%s: decoded %+v\n want %+v", s.name, got, value)
			}
			if again := s.encode(nil, got); !bytes.Equal(again, frame) {
				t.Fatalf("%s: encoded again %x\n want %x", s.name, again, frame)
			}
		}
	}
}

// TestFieldsDoNotTouch: changing one field changes its own bytes only.
func TestFieldsDoNotTouch(t *testing.T) {
	rng, c := newRandom(t), loadContract(t)
	for _, s := range codecs() {
		value := s.randomize(rng)
		before := s.encode(nil, value)[HeaderSize:]
		names := c.namesOf(s.name)
		for i, f := range nullsOf(s.template) {
			for _, l := range leaves(reflect.ValueOf(value).Elem(), "") {
				if l.name != names[i] {
					continue
				}
				old := reflect.New(l.value.Type()).Elem()
				old.Set(l.value)
				l.value.SetZero()
				after := s.encode(nil, value)[HeaderSize:]
				l.value.Set(old)
				checkOnlyField(t, s.name+"."+l.name, before, after, f)
			}
		}
	}
}

func checkOnlyField(t *testing.T, name string, before, after []byte, f nullField) {
	t.Helper()
	for at := range before {
		inside := at >= f.offset && at < f.offset+f.size
		if before[at] != after[at] && !inside {
			t.Errorf("%s: byte %d changed, the field is at %d", name, at, f.offset)
		}
	}
	if bytes.Equal(before, after) {
		t.Errorf("%s: setting it to zero changed no byte", name)
	}
}

func TestStamps(t *testing.T) {
	for _, row := range []struct {
		stamp  func(Frame, int64)
		sample string
		set    func(*order.Trace)
	}{
		{StampVerdict, "Verdict", func(tr *order.Trace) { tr.GatewayVerdict = 42 }},
		{StampReport, "VenueReport", func(tr *order.Trace) { tr.GatewayReport = 42 }},
		{StampHopTrace, "HopTrace", func(tr *order.Trace) { tr.GatewayAnswer = 42 }},
	} {
		for _, s := range codecs() {
			if s.name != row.sample {
				continue
			}
			frame := s.encode(nil, s.value)
			row.stamp(frame, 42)
			row.set(reflect.ValueOf(s.value).Elem().FieldByName("Trace").Addr().Interface().(*order.Trace))
			if want := s.encode(nil, s.value); !bytes.Equal(frame, want) {
				t.Errorf("%s: stamped %x\n   want %x", s.name, frame, want)
			}
			checkShortUnstamped(t, s.name, row.stamp, frame)
		}
	}
}

// checkShortUnstamped: a frame of an older version without the trace, and a
// torn one, are left alone.
func checkShortUnstamped(t *testing.T, name string, stamp func(Frame, int64), frame []byte) {
	t.Helper()
	short := resized(frame, 8, 100)
	before := bytes.Clone(short)
	stamp(short, 43)
	torn := bytes.Clone(frame[:HeaderSize+8])
	stamp(torn, 43)
	if !bytes.Equal(short, before) || !bytes.Equal(torn, frame[:HeaderSize+8]) {
		t.Errorf("%s: a short frame was stamped", name)
	}
}

func TestLoginMAC(t *testing.T) {
	key, nonce := []byte("a key of any length"), [16]byte{1, 2, 3}
	login := Login{WantOutSeq: 1, Client: 2, Session: 3, KeepaliveMs: 4, CancelOnDisconnectMs: 5, Flags: 6}
	frame := login.Append(nil)
	mac := hmac.New(sha256.New, key)
	mac.Write(nonce[:])
	mac.Write(frame[HeaderSize : len(frame)-sha256.Size])
	want := LoginMAC(key, nonce, &login)
	if !hmac.Equal(want[:], mac.Sum(nil)) {
		t.Fatalf("mac is %x, want %x", want, mac.Sum(nil))
	}
	login.Mac = want
	if LoginMAC(key, nonce, &login) != want {
		t.Error("the mac depends on the mac")
	}
	for _, l := range leaves(reflect.ValueOf(&login).Elem(), "") {
		if l.name == "Mac" {
			continue
		}
		old := reflect.New(l.value.Type()).Elem()
		old.Set(l.value)
		l.randomize(newRandom(t))
		if LoginMAC(key, nonce, &login) == want {
			t.Errorf("the mac does not cover %s", l.name)
		}
		l.value.Set(old)
	}
	if LoginMAC(key, [16]byte{1, 2, 4}, &login) == want || LoginMAC([]byte("another key"), nonce, &login) == want {
		t.Error("the mac does not depend on the server's nonce and the key")
	}
}

// TestHotPathAllocatesNothing covers everything done per message.
func TestHotPathAllocatesNothing(t *testing.T) {
	buf := make([]byte, 0, FrameMax)
	var p Parser
	for _, s := range codecs() {
		if n := testing.AllocsPerRun(100, func() { buf = s.encode(buf[:0], s.value) }); n != 0 {
			t.Errorf("encoding %s allocates %v times", s.name, n)
		}
		frame := s.encode(nil, s.value)
		short := resized(frame, 0, 0)
		if n := testing.AllocsPerRun(100, func() { mustParse(&p, frame); mustParse(&p, short) }); n != 0 {
			t.Errorf("parsing %s allocates %v times", s.name, n)
		}
	}
	var r order.Request
	var v order.Verdict
	var report order.Report
	var a order.Answer
	var trace order.Trace
	var price order.ReferencePrice
	frames := [][]byte{
		AppendCheck(nil, &r, &trace), AppendVerdict(nil, &v, &trace), AppendVenueReport(nil, &report, &trace),
		AppendAnswer(nil, &order.Answer{Kind: order.AnswerExecution}), AppendNewOrder(nil, &sampleOrder),
		AppendReferencePrice(nil, &price), AppendHopTrace(nil, 1, 2, &trace),
	}
	decode := func() {
		mustParse(&p, frames[0]).Check(&r, &trace)
		mustParse(&p, frames[1]).Verdict(&v, &trace)
		mustParse(&p, frames[2]).VenueReport(&report, &trace)
		m := mustParse(&p, frames[3])
		must(m.Answer(&a))
		r.Session, r.Ref = AnswerSession(m), AnswerOutSeq(m)
		must(mustParse(&p, frames[4]).Request(&r))
		mustParse(&p, frames[5]).ReferencePrice(&price)
		mustParse(&p, frames[6]).HopTrace(&trace)
		StampVerdict(frames[1], 1)
		StampReport(frames[2], 1)
		StampHopTrace(frames[6], 1)
	}
	if n := testing.AllocsPerRun(100, decode); n != 0 {
		t.Errorf("decoding allocates %v times", n)
	}
}

func mustParse(p *Parser, buf []byte) Message {
	f, _, err := Split(buf)
	must(err)
	m, err := p.Parse(f)
	must(err)
	return m
}
