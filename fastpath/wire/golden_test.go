package wire

import (
	"bytes"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

var rewrite = flag.Bool("rewrite", false, "write testdata/*.hex anew from the samples")

// goldenPath returns the file that holds a message's golden bytes.
func goldenPath(name string) string { return filepath.Join("testdata", name+".hex") }

// readGolden returns the bytes of a golden file: hexadecimal digits, blanks
// without meaning, comments from # to the end of the line.
func readGolden(t testing.TB, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(goldenPath(name))
	if err != nil {
		t.Fatalf("%v (write it with: go test -run TestGolden -rewrite)", err)
	}
	b, err := decodeHex(string(text))
	if err != nil {
		t.Fatalf("%s: %v", goldenPath(name), err)
	}
	return b
}

func decodeHex(text string) ([]byte, error) {
	var digits strings.Builder
	for line := range strings.Lines(text) {
		code, _, _ := strings.Cut(line, "#")
		for _, word := range strings.Fields(code) {
			digits.WriteString(word)
		}
	}
	return hex.DecodeString(digits.String())
}

// renderGolden writes a frame field by field, with names and values.
func renderGolden(c *contract, s *codec, frame []byte) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s, template %d of schema %d version %d: one frame of %d bytes.\n",
		s.name, s.template, SchemaID, SchemaVersion, len(frame))
	b.WriteString("# The framing header is big-endian, the rest little-endian. Arrays are written as their bytes.\n\n")
	line := func(at []byte, name, value string) {
		fmt.Fprintf(&b, "%-18s # %s", hex.EncodeToString(at), name)
		if value != "" {
			fmt.Fprintf(&b, " = %s", value)
		}
		b.WriteByte('\n')
	}
	line(frame[frameLengthOffset:encodingOffset], "message length", fmt.Sprint(len(frame)))
	line(frame[encodingOffset:blockLengthOffset], "encoding type", "SBE 1.0 little-endian")
	line(frame[blockLengthOffset:templateOffset], "blockLength", fmt.Sprint(len(frame)-HeaderSize))
	line(frame[templateOffset:schemaOffset], "templateId", fmt.Sprint(s.template))
	line(frame[schemaOffset:versionOffset], "schemaId", fmt.Sprint(SchemaID))
	line(frame[versionOffset:HeaderSize], "version", fmt.Sprint(SchemaVersion))
	values, block := dump(s.value), frame[HeaderSize:]
	names := c.namesOf(s.name)
	for i, f := range nullsOf(s.template) {
		value := values[names[i]]
		if f.size > 8 {
			value = ""
		}
		line(block[f.offset:f.offset+f.size], names[i], value)
	}
	return b.String()
}

// namesOf returns the field names of the message of that name.
func (c *contract) namesOf(message string) []string {
	for i := range c.Messages {
		if c.Messages[i].Name == message {
			return c.fieldNames(&c.Messages[i])
		}
	}
	return nil
}

func TestGolden(t *testing.T) {
	c := loadContract(t)
	for _, s := range codecs() {
		t.Run(s.name, func(t *testing.T) {
			frame := s.encode(nil, s.value)
			if *rewrite {
				if err := os.WriteFile(goldenPath(s.name), []byte(renderGolden(c, &s, frame)), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			golden := readGolden(t, s.name)
			if !bytes.Equal(frame, golden) {
				t.Fatalf("encoded %x\n golden %x", frame, golden)
			}
			checkGoldenDecodes(t, &s, golden)
		})
	}
}

// checkGoldenDecodes decodes golden bytes into the sample's value, and encodes
// that again to the same bytes behind bytes that are already there.
func checkGoldenDecodes(t *testing.T, s *codec, golden []byte) {
	t.Helper()
	var p Parser
	m, err := parseWhole(&p, golden)
	if err != nil {
		t.Fatal(err)
	}
	if m.Template != s.template || m.Version != SchemaVersion {
		t.Errorf("template %d version %d, want %d version %d", m.Template, m.Version, s.template, SchemaVersion)
	}
	value := s.decode(m)
	if !reflect.DeepEqual(value, s.value) {
		t.Errorf("decoded %+v\n   want %+v", value, s.value)
	}
	dirty := append(bytes.Repeat([]byte{0xAA}, 3), bytes.Repeat([]byte{0x55}, FrameMax)...)
	again := s.encode(dirty[:3], value)
	if !bytes.Equal(again[:3], dirty[:3]) || !bytes.Equal(again[3:], golden) {
		t.Errorf("encoded again %x\n        golden %x", again[3:], golden)
	}
}

func TestGoldenHasNoStrayFiles(t *testing.T) {
	files, err := filepath.Glob(goldenPath("*"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != len(codecs()) {
		t.Errorf("%d golden files for %d messages", len(files), len(codecs()))
	}
}

// TestGoldenCutShort cuts every golden frame at every byte: Split waits, and
// Parse, given the piece as if it were a frame, refuses it.
func TestGoldenCutShort(t *testing.T) {
	for _, s := range codecs() {
		golden := readGolden(t, s.name)
		for n := range golden {
			if f, took, err := Split(golden[:n]); f != nil || took != 0 || err != nil {
				t.Fatalf("%s cut at %d: Split gave %d bytes, %d, %v", s.name, n, len(f), took, err)
			}
			if _, err := new(Parser).Parse(golden[:n]); err == nil {
				t.Fatalf("%s cut at %d: Parse took it", s.name, n)
			}
		}
	}
}

// TestGoldenSplitAnywhere feeds all golden frames as one stream that is cut in
// two at every byte, and a thousand copies in one piece: the frames are the
// same.
func TestGoldenSplitAnywhere(t *testing.T) {
	var stream []byte
	var frames [][]byte
	for _, s := range codecs() {
		golden := readGolden(t, s.name)
		frames = append(frames, golden)
		stream = append(stream, golden...)
	}
	for cut := range stream {
		var r reassembler
		r.feed(stream[:cut])
		r.feed(stream[cut:])
		r.check(t, frames, fmt.Sprintf("cut at %d", cut))
	}
	copies := 1000/len(frames) + 1
	var r reassembler
	r.feed(bytes.Repeat(stream, copies))
	var want [][]byte
	for range copies {
		want = append(want, frames...)
	}
	r.check(t, want, "in one piece")
}

// reassembler collects frames from pieces of a stream.
type reassembler struct {
	held   []byte
	frames [][]byte
	err    error
}

// feed takes a piece and all frames that it completes.
func (r *reassembler) feed(piece []byte) {
	r.held = append(r.held, piece...)
	for r.err == nil {
		f, n, err := Split(r.held)
		if r.err = err; f == nil {
			return
		}
		r.frames = append(r.frames, bytes.Clone(f))
		r.held = r.held[n:]
	}
}

func (r *reassembler) check(t *testing.T, want [][]byte, how string) {
	t.Helper()
	if r.err != nil || len(r.held) != 0 || len(r.frames) != len(want) {
		t.Fatalf("%s: %d frames of %d, %d bytes left, error %v", how, len(r.frames), len(want), len(r.held), r.err)
	}
	for i := range want {
		if !bytes.Equal(r.frames[i], want[i]) {
			t.Fatalf("%s: frame %d is %x, want %x", how, i, r.frames[i], want[i])
		}
	}
}
