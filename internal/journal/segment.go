package journal

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
)

// segmentMagic begins every segment; read as text it says what the file is.
const segmentMagic = 0x4C4E524A4C4C4F54 // "TOLLJRNL"

// formatVersion is the version of segments and snapshots.
const formatVersion = 1

// Offsets in a segment's header. The first part has a CRC and never changes. The
// two words of the second part change, and are in a sector of their own.
const (
	magicAt        = 0  // u64
	versionAt      = 8  // u32
	headerEpochAt  = 12 // u32: of the engine that began the segment
	idAt           = 16 // 16 random bytes
	firstAt        = 32 // u64: sequence of the first record
	createdAt      = 40 // i64: time of the first record, ns since 1970 UTC
	segmentBytesAt = 48 // u64: length of the file
	carriedAt      = 56 // u32: CRC of the last record of the segment before
	headerCRCAt    = 60 // u32: of the 60 bytes before
	fixedBytes     = 64

	markAt      = 512 // u64: every record up to this one has been promised
	successorAt = 520 // u64: first sequence of the next segment, once that has its name
	wordsEnd    = 528
)

// header is a segment's header.
type header struct {
	id        [16]byte
	epoch     uint32
	first     uint64
	createdNs int64
	bytes     int
	carried   uint32
	mark      uint64
	successor uint64
}

// seed returns what the CRC of the segment's first record is seeded with: no
// record of another segment, nor of another past, verifies here.
func (h *header) seed() uint32 {
	return crc32.Update(h.carried, castagnoli, h.id[:])
}

// write stores the header into a mapping whose header is zero. The magic word
// comes last, so that whoever is killed on the way leaves no segment.
func (h *header) write(page []byte) {
	var fixed [fixedBytes]byte
	binary.LittleEndian.PutUint64(fixed[magicAt:], segmentMagic)
	binary.LittleEndian.PutUint32(fixed[versionAt:], formatVersion)
	binary.LittleEndian.PutUint32(fixed[headerEpochAt:], h.epoch)
	copy(fixed[idAt:], h.id[:])
	binary.LittleEndian.PutUint64(fixed[firstAt:], h.first)
	binary.LittleEndian.PutUint64(fixed[createdAt:], uint64(h.createdNs))
	binary.LittleEndian.PutUint64(fixed[segmentBytesAt:], uint64(h.bytes))
	binary.LittleEndian.PutUint32(fixed[carriedAt:], h.carried)
	crc := crc32.Update(0, castagnoli, fixed[:headerCRCAt])
	binary.LittleEndian.PutUint32(fixed[headerCRCAt:], crc)
	copy(page[versionAt:], fixed[versionAt:])
	storeUint64(page[magicAt:], segmentMagic)
}

// readHeader reads a header. The reason is "" or says what is wrong with it, and
// where; the words that change are read in any case.
func readHeader(page []byte, fileBytes int64) (h header, offset int64, reason string) {
	h.mark = binary.LittleEndian.Uint64(page[markAt:])
	h.successor = binary.LittleEndian.Uint64(page[successorAt:])
	if magic := binary.LittleEndian.Uint64(page[magicAt:]); magic != segmentMagic {
		return h, magicAt, fmt.Sprintf("magic is %016x, want %016x", magic, uint64(segmentMagic))
	}
	crc := binary.LittleEndian.Uint32(page[headerCRCAt:])
	if want := crc32.Update(0, castagnoli, page[:headerCRCAt]); crc != want {
		return h, headerCRCAt, fmt.Sprintf("CRC of the header is %08x, want %08x", crc, want)
	}
	if version := binary.LittleEndian.Uint32(page[versionAt:]); version != formatVersion {
		return h, versionAt, fmt.Sprintf("format version is %d, want %d", version, formatVersion)
	}
	h.epoch = binary.LittleEndian.Uint32(page[headerEpochAt:])
	copy(h.id[:], page[idAt:])
	h.first = binary.LittleEndian.Uint64(page[firstAt:])
	h.createdNs = int64(binary.LittleEndian.Uint64(page[createdAt:]))
	h.bytes = int(binary.LittleEndian.Uint64(page[segmentBytesAt:]))
	h.carried = binary.LittleEndian.Uint32(page[carriedAt:])
	switch {
	case usedBytes(page[fixedBytes:markAt]) != 0:
		return h, fixedBytes, "unused bytes of the header are not zero"
	case usedBytes(page[wordsEnd:HeaderBytes]) != 0:
		return h, wordsEnd, "unused bytes of the header are not zero"
	case int64(h.bytes) != fileBytes:
		return h, segmentBytesAt, fmt.Sprintf("file has %d bytes, want %d", fileBytes, h.bytes)
	case h.bytes < SegmentBytesMin || h.bytes > SegmentBytesMax || h.bytes%HeaderBytes != 0:
		return h, segmentBytesAt, fmt.Sprintf("segment has %d bytes, want a multiple of %d from %d to %d",
			h.bytes, HeaderBytes, SegmentBytesMin, SegmentBytesMax)
	}
	return h, 0, ""
}

// segment is one that is mapped for appending.
type segment struct {
	header  header
	file    File
	mapping []byte

	// next is the segment that the writer took when this one was full. The writer
	// sets it before it hands the segment to the flusher.
	next *segment
}

// promise raises the mark: everything up to the sequence has been promised.
func (s *segment) promise(sequence uint64) { storeUint64(s.mapping[markAt:], sequence) }

// release ends the mapping and closes the file.
func (s *segment) release() error {
	return errors.Join(s.file.Unmap(s.mapping), s.file.Close())
}
