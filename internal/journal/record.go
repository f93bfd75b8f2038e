package journal

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"sync/atomic"
	"unsafe"
)

// Offsets in a record's header. All numbers are little-endian.
const (
	lengthAt   = 0  // u32: header and payload, without padding
	crcAt      = 4  // u32
	sequenceAt = 8  // u64
	timeAt     = 16 // i64: ns since 1970 UTC
	epochAt    = 24 // u32
	typeAt     = 28 // u16
	flagsAt    = 30 // u16: 0
)

// recordAlignment is what records begin at a multiple of.
const recordAlignment = 8

// castagnoli is the polynomial of every CRC here; processors have it built in.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Record is one entry of a journal.
type Record struct {
	// Sequence is 1 for the first record and one more for each that follows.
	Sequence uint64

	// TimeNs is what the writer gave, in ns since 1970 UTC.
	TimeNs int64

	// Epoch is the life of the engine that wrote the record. It never falls.
	Epoch uint32

	// Type is the writer's word for what the payload is.
	Type uint16

	// Payload is valid only until the next record is asked for.
	Payload []byte
}

// paddedBytes returns the room that a record with that many bytes of payload
// takes.
func paddedBytes(payloadBytes int) int {
	return (RecordHeaderBytes + payloadBytes + recordAlignment - 1) &^ (recordAlignment - 1)
}

// chain returns the CRC of a record that is given without its padding. It covers
// everything after the CRC's own field and is seeded by the CRC of the record
// before, with the length mixed in.
func chain(seed uint32, record []byte) uint32 {
	return crc32.Update(seed^uint32(len(record)), castagnoli, record[sequenceAt:])
}

// seal fills in the header of a record whose payload is in place, all but the
// length, and returns its CRC.
func seal(record []byte, seed uint32, r *Record) uint32 {
	binary.LittleEndian.PutUint64(record[sequenceAt:], r.Sequence)
	binary.LittleEndian.PutUint64(record[timeAt:], uint64(r.TimeNs))
	binary.LittleEndian.PutUint32(record[epochAt:], r.Epoch)
	binary.LittleEndian.PutUint16(record[typeAt:], r.Type)
	binary.LittleEndian.PutUint16(record[flagsAt:], 0)
	crc := chain(seed, record)
	binary.LittleEndian.PutUint32(record[crcAt:], crc)
	return crc
}

// parse reads the record at the beginning of the bytes, which reach to the end of
// the segment. What it must be is given by the record before it. The reason is ""
// or says why this is not that record.
func parse(bytes []byte, seed uint32, sequence uint64, epochMin uint32) (r Record, crc uint32, reason string) {
	if len(bytes) < RecordHeaderBytes {
		return r, 0, "the segment ends here"
	}
	length := binary.LittleEndian.Uint32(bytes[lengthAt:])
	if length < RecordHeaderBytes || length > RecordHeaderBytes+PayloadBytesMax || int(length) > len(bytes) {
		return r, 0, fmt.Sprintf("length is %d, want %d to %d within %d bytes",
			length, RecordHeaderBytes, RecordHeaderBytes+PayloadBytesMax, len(bytes))
	}
	record := bytes[:length]
	crc = binary.LittleEndian.Uint32(record[crcAt:])
	if want := chain(seed, record); crc != want {
		return r, 0, fmt.Sprintf("CRC is %08x, want %08x", crc, want)
	}
	padding := bytes[length:min(len(bytes), paddedBytes(int(length)-RecordHeaderBytes))]
	r = Record{
		Sequence: binary.LittleEndian.Uint64(record[sequenceAt:]),
		TimeNs:   int64(binary.LittleEndian.Uint64(record[timeAt:])),
		Epoch:    binary.LittleEndian.Uint32(record[epochAt:]),
		Type:     binary.LittleEndian.Uint16(record[typeAt:]),
		Payload:  record[RecordHeaderBytes:length:length],
	}
	switch flags := binary.LittleEndian.Uint16(record[flagsAt:]); {
	case r.Sequence != sequence:
		return r, 0, fmt.Sprintf("sequence is %d, want %d", r.Sequence, sequence)
	case r.Epoch < epochMin:
		return r, 0, fmt.Sprintf("epoch is %d, want at least %d", r.Epoch, epochMin)
	case flags != 0:
		return r, 0, fmt.Sprintf("flags are %#x, want 0", flags)
	case usedBytes(padding) != 0:
		return r, 0, "padding is not zero"
	}
	return r, crc, ""
}

// usedBytes returns how many bytes there are up to the last one that is not
// zero.
func usedBytes(bytes []byte) int {
	n := len(bytes)
	for n >= 8 && binary.LittleEndian.Uint64(bytes[n-8:]) == 0 {
		n -= 8
	}
	for n > 0 && bytes[n-1] == 0 {
		n--
	}
	return n
}

// storeUint32 stores a word after everything that was stored before it. Words of
// files are little-endian, as are the machines this runs on.
func storeUint32(bytes []byte, value uint32) {
	atomic.StoreUint32((*uint32)(unsafe.Pointer(&bytes[0])), value)
}

// storeUint64 is storeUint32 for eight bytes.
func storeUint64(bytes []byte, value uint64) {
	atomic.StoreUint64((*uint64)(unsafe.Pointer(&bytes[0])), value)
}
