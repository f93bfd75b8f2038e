package riskcheck

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// transcript carries values between memory and the bytes of a snapshot, in one
// direction or the other: what is written and what is read is described once, so
// that the two cannot differ. Numbers are little-endian and of their own width.
//
// After the first error nothing is carried any more: what is read is zero then.
// Whoever reads into something that grows looks at err before each step, so that no
// number in a damaged snapshot can ask for more memory than there are bytes to it.
type transcript struct {
	from io.Reader // nil when writing
	to   io.Writer // nil when reading

	buffer []byte
	at     int    // next byte of the buffer
	end    int    // up to where the buffer can be used
	passed int64  // bytes before the buffer
	part   string // what is being carried, for errors
	err    error
}

func newTranscript(from io.Reader, to io.Writer) transcript {
	t := transcript{from: from, to: to, buffer: make([]byte, snapshotBufferBytes)}
	if to != nil {
		t.end = len(t.buffer)
	}
	return t
}

func (t *transcript) reading() bool { return t.from != nil }

// next returns the place of the next n bytes, eight at most.
func (t *transcript) next(n int) []byte {
	if t.end-t.at < n {
		t.turn(n)
	}
	t.at += n
	return t.buffer[t.at-n:]
}

// turn makes room for the next n bytes, or gets them. After an error there are zeros
// to be had without end, and what is written goes nowhere.
func (t *transcript) turn(n int) {
	switch {
	case t.err != nil:
	case t.reading():
		t.fill(n)
	default:
		t.flush()
	}
	if t.err != nil {
		clear(t.buffer[:n])
		t.at, t.end = 0, 0
	}
}

// flush hands the buffer to the writer.
func (t *transcript) flush() {
	_, err := t.to.Write(t.buffer[:t.at])
	t.passed += int64(t.at)
	t.at = 0
	if err != nil {
		t.err = fmt.Errorf("riskcheck: the snapshot cannot be written: %w", err)
	}
}

// fill gets more bytes from the reader, n at least.
func (t *transcript) fill(n int) {
	rest := copy(t.buffer, t.buffer[t.at:t.end])
	t.passed += int64(t.at)
	got, err := io.ReadAtLeast(t.from, t.buffer[rest:], n-rest)
	t.at, t.end = 0, rest+got
	switch {
	case err == nil:
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		t.fail("the snapshot ends at byte %d", t.passed+int64(t.end))
	default:
		t.fail("it cannot be read: %w", err)
	}
}

// finish hands the rest to the writer, or sees that nothing is left to be read.
func (t *transcript) finish() {
	switch {
	case t.err != nil:
	case !t.reading():
		t.flush()
	case t.at == t.end:
		n, err := io.ReadFull(t.from, t.buffer)
		t.at, t.end = 0, n
		if n == 0 && !errors.Is(err, io.EOF) {
			t.fail("it cannot be read: %w", err)
		}
	}
	if t.reading() && t.err == nil && t.at < t.end {
		t.fail("the snapshot is over, and more bytes follow")
	}
}

// fail ends the reading of a snapshot that cannot be right.
func (t *transcript) fail(format string, args ...any) {
	if t.err == nil {
		at := t.passed + int64(t.at)
		t.err = fmt.Errorf("riskcheck: snapshot, %s, before byte %d: %w", t.part, at, fmt.Errorf(format, args...))
		t.end = 0
	}
}

// words carries numbers of eight bytes.
func words[T ~int64 | ~uint64 | ~int](t *transcript, vs ...*T) {
	for _, v := range vs {
		p := t.next(8)
		if t.reading() {
			*v = T(binary.LittleEndian.Uint64(p))
		} else {
			binary.LittleEndian.PutUint64(p, uint64(*v))
		}
	}
}

// series carries a row of numbers of eight bytes.
func series[T ~int64](t *transcript, vs []T) {
	for i := range vs {
		words(t, &vs[i])
	}
}

// halves carries numbers of four bytes.
func halves[T ~int32 | ~uint32](t *transcript, vs ...*T) {
	for _, v := range vs {
		p := t.next(4)
		if t.reading() {
			*v = T(binary.LittleEndian.Uint32(p))
		} else {
			binary.LittleEndian.PutUint32(p, uint32(*v))
		}
	}
}

// quarter carries a number of two bytes.
func quarter[T ~uint16](t *transcript, v *T) {
	p := t.next(2)
	if t.reading() {
		*v = T(binary.LittleEndian.Uint16(p))
	} else {
		binary.LittleEndian.PutUint16(p, uint16(*v))
	}
}

// octets carries numbers of one byte.
func octets[T ~uint8 | ~int8](t *transcript, vs ...*T) {
	for _, v := range vs {
		p := t.next(1)
		if t.reading() {
			*v = T(p[0])
		} else {
			p[0] = uint8(*v)
		}
	}
}

// flags carries what is true or false.
func (t *transcript) flags(vs ...*bool) {
	for _, v := range vs {
		b := uint8(0)
		if *v {
			b = 1
		}
		octets(t, &b)
		if b > 1 {
			t.fail("flag %d, want 0 or 1", b)
		}
		*v = b == 1
	}
}

// index carries the number of one of count things.
func (t *transcript) index(v *int32, count int, what string) {
	halves(t, v)
	if t.reading() && (*v < 0 || int(*v) >= count) {
		t.fail("%s %d of %d", what, *v, count)
		*v = 0
	}
}

// count carries how many there are of something, at most most.
func (t *transcript) count(n, most int, what string) int {
	v := uint32(n)
	halves(t, &v)
	if t.reading() && int64(v) > int64(most) {
		t.fail("%d %s, want at most %d", v, what, most)
		return 0
	}
	return int(v)
}

// rows carries a list, row by row.
func rows[T any](t *transcript, list *[]T, most int, what string, row func(*T)) {
	n := t.count(len(*list), most, what)
	for i := 0; i < n && t.err == nil; i++ {
		if t.reading() {
			var zero T
			*list = append(*list, zero)
		}
		row(&(*list)[i])
	}
}
