package wire

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
)

// FuzzRoundTrip: fields → bytes → fields, for any message and any values.
func FuzzRoundTrip(f *testing.F) {
	all := codecs()
	for i := range all {
		f.Add(uint64(i), uint8(i))
	}
	f.Fuzz(func(t *testing.T, seed uint64, which uint8) {
		s := all[int(which)%len(all)]
		value := s.randomize(rand.New(rand.NewPCG(seed, 1)))
		var p Parser
		m, err := parseWhole(&p, s.encode(nil, value))
		if err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		if got := s.decode(m); !reflect.DeepEqual(got, value) {
			t.Fatalf("%s: decoded %+v\n want %+v", s.name, got, value)
		}
	})
}

// FuzzSplitAnywhere: any bytes give the same frames and the same error however
// they arrive.
func FuzzSplitAnywhere(f *testing.F) {
	var stream []byte
	for _, s := range codecs() {
		stream = s.encode(stream, s.value)
	}
	f.Add(stream, uint16(1), uint16(100))
	f.Add(stream[:50], uint16(13), uint16(14))
	f.Add(append(bytes.Clone(stream[:46]), header(13, encodingType)...), uint16(47), uint16(48))
	f.Fuzz(func(t *testing.T, stream []byte, a, b uint16) {
		var whole, pieces reassembler
		whole.feed(stream)
		first := min(int(a), int(b), len(stream))
		second := min(max(int(a), int(b)), len(stream))
		pieces.feed(stream[:first])
		pieces.feed(stream[first:second])
		pieces.feed(stream[second:])
		pieces.sameAs(t, &whole)
	})
}

// sameAs compares with another reassembler; what is held may differ behind an
// error, for bytes after it are not read.
func (r *reassembler) sameAs(t *testing.T, want *reassembler) {
	t.Helper()
	if !reflect.DeepEqual(r.frames, want.frames) || fmt.Sprint(r.err) != fmt.Sprint(want.err) {
		t.Fatalf("%d frames and error %v, in one piece %d and %v", len(r.frames), r.err, len(want.frames), want.err)
	}
	if r.err == nil && !bytes.Equal(r.held, want.held) {
		t.Fatalf("%d bytes left, in one piece %d", len(r.held), len(want.held))
	}
}

// FuzzTruncate: a block cut anywhere is completed or refused, and what comes
// out can be decoded and encoded again.
func FuzzTruncate(f *testing.F) {
	all := codecs()
	for i := range all {
		f.Add(uint8(i), uint16(i*3), uint8(i))
	}
	f.Fuzz(func(t *testing.T, which uint8, length uint16, tail uint8) {
		s := all[int(which)%len(all)]
		kept := int(length) % (FrameMax - HeaderSize - math.MaxUint8)
		frame := resized(s.encode(nil, s.value), kept, int(tail))
		var p Parser
		m, err := parseWhole(&p, frame)
		if err != nil {
			var atEnd bool
			for _, field := range nullsOf(s.template) {
				atEnd = atEnd || field.offset == kept
			}
			if atEnd {
				t.Fatalf("%s cut before a field at %d: %v", s.name, kept, err)
			}
			return
		}
		if len(m.Block) < blockLength(s.template) {
			t.Fatalf("%s: block of %d bytes, want %d", s.name, len(m.Block), blockLength(s.template))
		}
		checkDecodable(t, &s, m)
	})
}

// FuzzParse: any bytes are a message or an error, and a message can be decoded
// and encoded again to its block.
func FuzzParse(f *testing.F) {
	byTemplate := map[uint16]codec{}
	for _, s := range codecs() {
		byTemplate[s.template] = s
		frame := s.encode(nil, s.value)
		f.Add(frame)
		f.Add(resized(frame, 0, 3))
		f.Add(patched(frame, templateOffset, 99))
		f.Add(readGolden(f, "v0/"+s.name))
	}
	f.Fuzz(func(t *testing.T, buf []byte) {
		frame, n, err := Split(buf)
		if err != nil || frame == nil {
			if n != 0 || frame != nil {
				t.Fatalf("Split gave %d bytes and %d with error %v", len(frame), n, err)
			}
			return
		}
		var p Parser
		m, err := p.Parse(frame)
		if err != nil {
			return
		}
		s, ok := byTemplate[m.Template]
		if !ok {
			t.Fatalf("Parse took template %d", m.Template)
		}
		checkDecodable(t, &s, m)
	})
}

// checkDecodable decodes and encodes a message, which gives its block again but
// for a truth value that was neither yes nor no.
func checkDecodable(t *testing.T, s *codec, m Message) {
	t.Helper()
	want := bytes.Clone(m.Block[:blockLength(s.template)])
	if s.template == TemplateVenueState && want[venueStateUpOffset] != boolTrue {
		want[venueStateUpOffset] = 0
	}
	if got := s.encode(nil, s.decode(m))[HeaderSize:]; !bytes.Equal(got, want) {
		t.Fatalf("%s: block %x became %x", s.name, want, got)
	}
}
