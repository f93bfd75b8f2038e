package wire

import (
	"bytes"
	"encoding/binary"
	"math"
	"reflect"
	"testing"

	"tollgate/order"
)

// patched returns a copy of a frame with two bytes at an offset replaced.
func patched(frame []byte, offset int, value uint16) []byte {
	out := bytes.Clone(frame)
	binary.LittleEndian.PutUint16(out[offset:], value)
	return out
}

// resized returns a copy of a frame whose block has another length: cut, or
// followed by bytes of 0xEE, with a tail behind the block.
func resized(frame []byte, length, tail int) []byte {
	block := append(bytes.Clone(frame[HeaderSize:]), bytes.Repeat([]byte{0xEE}, FrameMax)...)
	out := append(bytes.Clone(frame[:HeaderSize]), block[:length]...)
	out = append(out, bytes.Repeat([]byte{0xDD}, tail)...)
	binary.BigEndian.PutUint32(out, uint32(len(out)))
	binary.LittleEndian.PutUint16(out[blockLengthOffset:], uint16(length))
	return out
}

func TestParseRefuses(t *testing.T) {
	frame := AppendNewOrder(nil, &sampleOrder)
	turned := bytes.Clone(frame)
	turned[encodingOffset], turned[encodingOffset+1] = 0x5B, 0xE0
	for _, row := range []struct {
		name     string
		frame    []byte
		reason   SessionRejectReason
		value    uint64
		template uint16
	}{
		{"nothing", nil, SessionRejectFrameLength, 0, 0},
		{"half a header", frame[:HeaderSize-1], SessionRejectFrameLength, HeaderSize - 1, 0},
		{"not the stated length", frame[:len(frame)-1], SessionRejectFrameLength, uint64(len(frame) - 1), 0},
		{"encoding type", turned, SessionRejectEncoding, 0x5BE0, 0},
		{"schema", patched(frame, schemaOffset, 7019), SessionRejectSchema, 7019, TemplateNewOrder},
		{"template 0", patched(frame, templateOffset, 0), SessionRejectUnknownTemplate, 0, 0},
		{"template 24", patched(frame, templateOffset, 24), SessionRejectUnknownTemplate, 24, 24},
		{"template 65535", patched(frame, templateOffset, 65535), SessionRejectUnknownTemplate, 65535, 65535},
		{
			"block beyond the frame", patched(frame, blockLengthOffset, newOrderBlockLength+1),
			SessionRejectMalformed, newOrderBlockLength + 1, TemplateNewOrder,
		},
		{"block ends inside a field", resized(frame, 9, 0), SessionRejectMalformed, 9, TemplateNewOrder},
	} {
		m, err := new(Parser).Parse(row.frame)
		if m.Block != nil {
			t.Errorf("%s: Parse gave a message", row.name)
		}
		if fe := frameError(t, err, row.reason, row.value); fe.Template != row.template {
			t.Errorf("%s: template %d, want %d", row.name, fe.Template, row.template)
		}
	}
}

func TestParseTakesEveryKnownTemplateAndNoOther(t *testing.T) {
	known := map[uint16]bool{}
	for _, s := range codecs() {
		known[s.template] = true
	}
	frame := resized((&Logout{}).Append(nil), blockLengthMax, 0)
	for template := range math.MaxUint16 + 1 {
		_, err := new(Parser).Parse(patched(frame, templateOffset, uint16(template)))
		if (err == nil) != known[uint16(template)] {
			t.Errorf("template %d: known is %t, error is %v", template, known[uint16(template)], err)
		}
	}
}

// TestLongerBlocks: what a newer version appends, to the block or behind it,
// changes nothing.
func TestLongerBlocks(t *testing.T) {
	for _, s := range codecs() {
		frame := s.encode(nil, s.value)
		known := len(frame) - HeaderSize
		for _, longer := range [][]byte{
			resized(frame, known+1, 0), resized(frame, known+64, 0), resized(frame, known, 33),
			resized(frame, known+8, 8), resized(frame, FrameMax-HeaderSize, 0),
		} {
			var p Parser
			m, err := parseWhole(&p, patched(longer, versionOffset, 9))
			if err != nil {
				t.Fatalf("%s: %v", s.name, err)
			}
			if got := s.decode(m); m.Version != 9 || !reflect.DeepEqual(got, s.value) {
				t.Errorf("%s: version %d, decoded %+v, want %+v", s.name, m.Version, got, s.value)
			}
		}
	}
}

// TestShorterBlocks: a block that ends between two fields gives the others
// their null values, one that ends inside a field is refused. The parser's room
// is reused without a trace of the message before.
func TestShorterBlocks(t *testing.T) {
	rng := newRandom(t)
	var p Parser
	for _, s := range codecs() {
		frame := s.encode(nil, s.randomize(rng))
		nulls, block := nullsOf(s.template), frame[HeaderSize:]
		ends := map[int]int{0: 0}
		for i, f := range nulls {
			ends[f.offset+f.size] = i + 1
		}
		for n := range block {
			m, err := parseWhole(&p, resized(frame, n, 0))
			held, between := ends[n]
			if !between {
				frameError(t, err, SessionRejectMalformed, uint64(n))
				continue
			}
			if err != nil {
				t.Fatalf("%s cut to %d: %v", s.name, n, err)
			}
			checkPadded(t, s.name, m.Block, block[:n], nulls[held:])
		}
	}
}

// checkPadded compares a completed block with the bytes it was given and the
// null values of the fields it lacked, in the XML's own terms.
func checkPadded(t *testing.T, name string, got, held []byte, missing []nullField) {
	t.Helper()
	if !bytes.Equal(got[:len(held)], held) {
		t.Errorf("%s: the first %d bytes are %x, want %x", name, len(held), got[:len(held)], held)
	}
	for _, f := range missing {
		want := make([]byte, 8)
		binary.LittleEndian.PutUint64(want, f.bits)
		for i, b := range got[f.offset : f.offset+f.size] {
			if b != want[i%8] {
				t.Errorf("%s: byte %d of the field at %d is %#x, want %#x", name, i, f.offset, b, want[i%8])
			}
		}
	}
}

func TestNullValues(t *testing.T) {
	var p Parser
	m, err := parseWhole(&p, resized(AppendNewOrder(nil, &sampleOrder), 16, 0))
	if err != nil {
		t.Fatal(err)
	}
	got, want := order.Request{}, order.Request{
		Ref: sampleOrder.Ref, ClOrdID: sampleOrder.ClOrdID, Price: order.Null, StopPx: order.Null,
		OrderQty: order.Null, MsgType: order.MsgNewOrder,
	}
	if err := m.Request(&got); err != nil || got != want {
		t.Errorf("decoded %+v, %v\n   want %+v", got, err, want)
	}
	m, err = parseWhole(&p, resized((&Heartbeat{OutSeq: 5}).Append(nil), 0, 0))
	if err != nil {
		t.Fatal(err)
	}
	var beat Heartbeat
	if beat.Decode(m); beat != (Heartbeat{OutSeq: NullOutSeq}) {
		t.Errorf("decoded %+v, want a null OutSeq", beat)
	}
	m, err = parseWhole(&p, resized((&Hello{}).Append(nil), 0, 0))
	if err != nil {
		t.Fatal(err)
	}
	var hello Hello
	if hello.Decode(m); hello.Nonce != [16]byte(bytes.Repeat([]byte{0xFF}, 16)) {
		t.Errorf("nonce is %x, want nulls", hello.Nonce)
	}
}

func TestRequestAndAnswerRefuseOtherTemplates(t *testing.T) {
	for _, s := range codecs() {
		var p Parser
		m, err := parseWhole(&p, s.encode(nil, s.value))
		if err != nil {
			t.Fatal(err)
		}
		r, a := order.Request{Ref: 1}, order.Answer{Ref: 1}
		isRequest := s.template >= TemplateNewOrder && s.template <= TemplateMassCancel
		isAnswer := s.template >= TemplateExecutionReport && s.template <= TemplateCancelOnDisconnectReport
		if err := m.Request(&r); (err == nil) != isRequest || err != nil && r != (order.Request{Ref: 1}) {
			t.Errorf("%s: Request gave %+v, %v", s.name, r, err)
		}
		if err := m.Answer(&a); (err == nil) != isAnswer || err != nil && a != (order.Answer{Ref: 1}) {
			t.Errorf("%s: Answer gave %+v, %v", s.name, a, err)
		}
		session, outSeq := AnswerSession(m), AnswerOutSeq(m)
		if routed := isAnswer || s.template == TemplateHopTrace; routed != (session == 501) || routed != (outSeq != 0) {
			t.Errorf("%s: session %d, OutSeq %d", s.name, session, outSeq)
		}
	}
}

func TestAppendPanicsOnValuesOfNoMessage(t *testing.T) {
	for name, f := range map[string]func(){
		"request": func() { AppendRequest(nil, &order.Request{}) },
		"answer":  func() { AppendAnswer(nil, &order.Answer{}) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}
