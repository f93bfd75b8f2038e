package asynclog

import (
	"unsafe"

	"tollgate/order"
)

// Event is one record of a Log: what happened, when, and up to six numbers
// whose meaning the catalogue gives. It is one cache line and holds no
// pointers, so that a ring of events is nothing the collector looks into.
type Event struct {
	TimeNs int64 // ns since 1970 UTC, the batch clock of the loop
	Args   [argsMax]uint64
	Code   Code
	_      [6]byte
}

// eventBytes is the size of an Event. The two declarations below hold it to
// one cache line.
const eventBytes = 64

var (
	_ [eventBytes - unsafe.Sizeof(Event{})]byte
	_ [unsafe.Sizeof(Event{}) - eventBytes]byte
)

// PackText packs the first TextBytes bytes of s into the three arguments of a
// FormatText field. Longer texts are cut. It allocates nothing and may be
// called from any loop.
func PackText(s string) (a, b, c uint64) {
	return packWord(s, 0), packWord(s, 8), packWord(s, 16)
}

// PackWithin packs what a scope is narrowed to, an instrument or a class, into
// the argument of a FormatWithin field. It may be called from any loop.
func PackWithin(instrument order.InstrumentID, class order.ClassID) uint64 {
	return uint64(class)<<32 | uint64(instrument)
}

// packWord returns the eight bytes of s from offset on, little-endian, padded
// with zero bytes.
func packWord(s string, offset int) uint64 {
	var w uint64
	for i := offset; i < len(s) && i < offset+8; i++ {
		w |= uint64(s[i]) << (8 * (i - offset))
	}
	return w
}

// unpackText gives back what PackText packed, without the padding.
func unpackText(words []uint64) string {
	text := make([]byte, 0, TextBytes)
	for _, w := range words {
		for ; w != 0; w >>= 8 {
			text = append(text, byte(w))
		}
	}
	return string(text)
}
