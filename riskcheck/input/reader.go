package input

import "encoding/binary"

// reader reads a payload field by field. After the first fault it holds the error
// and gives zeros.
type reader struct {
	kind    Kind
	payload []byte
	at      int
	err     error
}

// read returns a reader that stands behind the version.
func read(kind Kind, payload []byte) reader {
	r := reader{kind: kind, payload: payload}
	if v := r.byte(); r.err == nil && v != version {
		r.err = wrongVersion(kind, v)
	}
	return r
}

// finish returns the first fault; bytes behind the last field are one.
func (r *reader) finish() error {
	if r.err == nil && r.at != len(r.payload) {
		r.err = malformed(r.kind, r.at, "%d bytes follow the last field, want none", len(r.payload)-r.at)
	}
	return r.err
}

// take returns the next n bytes, nil after a fault.
func (r *reader) take(n int) []byte {
	if r.err != nil {
		return nil
	}
	if n > len(r.payload)-r.at {
		r.err = malformed(r.kind, r.at, "%d bytes are left, want at least %d", len(r.payload)-r.at, n)
		return nil
	}
	b := r.payload[r.at : r.at+n]
	r.at += n
	return b
}

func (r *reader) byte() byte {
	if b := r.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (r *reader) uint16() uint16 {
	if b := r.take(2); b != nil {
		return binary.LittleEndian.Uint16(b)
	}
	return 0
}

func (r *reader) uint32() uint32 {
	if b := r.take(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (r *reader) uint64() uint64 {
	if b := r.take(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

func (r *reader) int64() int64 { return int64(r.uint64()) }

// flags reads a set of bits, of which those outside known are never written.
func (r *reader) flags(known byte) byte {
	v := r.byte()
	if r.err == nil && v&^known != 0 {
		r.err = malformed(r.kind, r.at-1, "flags %#b, want none but %#b", v, known)
	}
	return v
}

// text reads an author or a reason.
func (r *reader) text() string {
	n := int(r.uint16())
	if r.err == nil && n > textBytesMax {
		r.err = malformed(r.kind, r.at-2, "a text of %d bytes, want at most %d", n, textBytesMax)
	}
	return string(r.take(n))
}

// rows reads how many rows follow, each of at least rowBytes. A number for which
// there are not enough bytes is a fault, before anything is made for it.
func (r *reader) rows(rowBytes int) int {
	n := int(r.uint32())
	if left := len(r.payload) - r.at; r.err == nil && n > left/rowBytes {
		r.err = malformed(r.kind, r.at-4, "%d rows of at least %d bytes, but %d bytes are left", n, rowBytes, left)
	}
	if r.err != nil {
		return 0
	}
	return n
}

// list reads numbers of 32 bits, nil for none.
func list[N ~uint32](r *reader) []N {
	n := r.rows(4)
	if n == 0 {
		return nil
	}
	out := make([]N, n)
	for i := range out {
		out[i] = N(r.uint32())
	}
	return out
}

// appendList appends numbers of 32 bits.
func appendList[N ~uint32](b []byte, list []N) []byte {
	b = binary.LittleEndian.AppendUint32(b, uint32(len(list)))
	for _, v := range list {
		b = binary.LittleEndian.AppendUint32(b, uint32(v))
	}
	return b
}

// appendBool appends a set of one bit.
func appendBool(b []byte, v bool) []byte {
	if v {
		return append(b, 1)
	}
	return append(b, 0)
}
