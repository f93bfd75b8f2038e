package wire

import (
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"testing"
)

// header returns the six bytes of a framing header.
func header(length uint32, encoding uint16) []byte {
	b := binary.BigEndian.AppendUint32(nil, length)
	return binary.BigEndian.AppendUint16(b, encoding)
}

// frameError returns err as a *FrameError with the wanted reason and value.
func frameError(t *testing.T, err error, reason SessionRejectReason, value uint64) *FrameError {
	t.Helper()
	var fe *FrameError
	if !errors.As(err, &fe) {
		t.Fatalf("error is %v, want a *FrameError", err)
	}
	if fe.Reason != reason || fe.Value != value {
		t.Errorf("error is %v with value %d, want %v with value %d", fe.Reason, fe.Value, reason, value)
	}
	return fe
}

func TestSplitRefusesLengths(t *testing.T) {
	for _, length := range []uint32{
		0, 1, framingSize, HeaderSize - 1, FrameMax + 1, 1 << 16, math.MaxInt32, math.MaxUint32,
	} {
		whole := append(header(length, 0), make([]byte, 2*FrameMax)...)
		for _, buf := range [][]byte{whole[:encodingOffset], whole[:framingSize], whole} {
			f, n, err := Split(buf)
			if f != nil || n != 0 {
				t.Errorf("length %d: Split gave %d bytes", length, n)
			}
			frameError(t, err, SessionRejectFrameLength, uint64(length))
		}
	}
}

func TestSplitTakesLengths(t *testing.T) {
	for _, length := range []int{HeaderSize, HeaderSize + 1, FrameMax - 1, FrameMax} {
		buf := append(header(uint32(length), encodingType), make([]byte, length)...)
		f, n, err := Split(buf)
		if err != nil || n != length || len(f) != length || cap(f) != length {
			t.Errorf("length %d: Split gave %d bytes, capacity %d, %d, %v", length, len(f), cap(f), n, err)
		}
	}
}

func TestSplitRefusesEncodingBeforeTheFrameIsWhole(t *testing.T) {
	for _, encoding := range []uint16{0, 0x50EB, 0xEB51, 0x5BE0, 0xFFFF} {
		f, _, err := Split(header(FrameMax, encoding))
		if f != nil {
			t.Errorf("encoding %#04x: Split gave a frame", encoding)
		}
		frameError(t, err, SessionRejectEncoding, uint64(encoding))
	}
}

func TestSplitWaits(t *testing.T) {
	whole := (&LinkHeartbeat{Time: 1}).Append(nil)
	for _, buf := range [][]byte{nil, {}, whole[:1], whole[:4], whole[:6], whole[:len(whole)-1]} {
		if f, n, err := Split(buf); f != nil || n != 0 || err != nil {
			t.Errorf("%d bytes: Split gave %d bytes, %d, %v", len(buf), len(f), n, err)
		}
	}
}

func TestFrameErrorSaysWhatWouldBeRight(t *testing.T) {
	for _, row := range []struct {
		err  FrameError
		want []string
	}{
		{FrameError{Reason: SessionRejectFrameLength, Value: 5000}, []string{"5000", "14", "4096"}},
		{FrameError{Reason: SessionRejectEncoding, Value: 0x5BE0}, []string{"0x5be0", "0xeb50"}},
		{FrameError{Reason: SessionRejectSchema, Value: 1}, []string{"schema id is 1", "7018"}},
		{FrameError{Reason: SessionRejectUnknownTemplate, Value: 999}, []string{"999", "7018"}},
		{FrameError{Reason: SessionRejectMalformed, Template: 20, Value: 3}, []string{"block length 3", "template 20"}},
	} {
		for _, part := range row.want {
			if !strings.Contains(row.err.Error(), part) {
				t.Errorf("%q does not contain %q", row.err.Error(), part)
			}
		}
	}
}

func TestAppendGrowsOnlyWhenItMust(t *testing.T) {
	beat := LinkHeartbeat{Time: 1}
	exact := make([]byte, 1, 1+HeaderSize+linkHeartbeatBlockLength)
	if got := beat.Append(exact); &got[0] != &exact[0] {
		t.Error("a frame that fits the capacity was written elsewhere")
	}
	tight := make([]byte, 1, HeaderSize+linkHeartbeatBlockLength)
	tight[0] = 0xCC
	got := beat.Append(tight)
	if got[0] != 0xCC || len(got) != 1+HeaderSize+linkHeartbeatBlockLength {
		t.Errorf("growing gave %x", got)
	}
}
