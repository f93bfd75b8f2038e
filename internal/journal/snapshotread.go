package journal

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strings"
)

// snapshotReader gives the content of a snapshot, each block after it has been
// verified.
type snapshotReader struct {
	found   *directory // for errors
	file    File
	size    int64
	offset  int64
	crc     uint32
	block   []byte // what has not been given yet
	buffer  [snapshotBlockBytes]byte
	ended   bool
	about   Snapshot
	failure error
}

// openSnapshot opens a snapshot and reads its header.
func openSnapshot(files FS, path, name string) (*snapshotReader, error) {
	d := &directory{files: files, path: path}
	file, err := files.OpenRead(d.in(name))
	if err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	r := &snapshotReader{found: d, file: file, about: Snapshot{Name: name, files: files, directory: path}}
	if r.size, err = file.Size(); err == nil {
		err = r.readHeader()
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return r, nil
}

// verifySnapshot reads a whole snapshot.
func verifySnapshot(files FS, path, name string) (*Snapshot, error) {
	r, err := openSnapshot(files, path, name)
	if err != nil {
		return nil, err
	}
	for err == nil && !r.ended {
		err = r.readBlock()
	}
	if err = errors.Join(err, r.Close()); err != nil {
		return nil, err
	}
	return &r.about, nil
}

// corrupt returns the error about the byte at the offset.
func (r *snapshotReader) corrupt(format string, arguments ...any) error {
	return r.found.corrupt(r.about.Name, r.offset, 0, format, arguments...)
}

// fill reads bytes at the offset, all of them.
func (r *snapshotReader) fill(bytes []byte) error {
	if r.size-r.offset < int64(len(bytes)) {
		return r.corrupt("file has %d bytes, want at least %d", r.size, r.offset+int64(len(bytes)))
	}
	if _, err := r.file.ReadAt(bytes, r.offset); err != nil {
		return fmt.Errorf("journal: reading %s: %w", r.found.in(r.about.Name), err)
	}
	return nil
}

func (r *snapshotReader) readHeader() error {
	var header [snapshotHeader]byte
	if err := r.fill(header[:]); err != nil {
		return err
	}
	r.about.Sequence = binary.LittleEndian.Uint64(header[snapshotSequenceAt:])
	r.crc = binary.LittleEndian.Uint32(header[snapshotCRCAt:])
	magic := binary.LittleEndian.Uint64(header[:])
	version := binary.LittleEndian.Uint32(header[snapshotVersionAt:])
	named, _ := numberOf(strings.TrimSuffix(r.about.Name, unnamedSuffix), snapshotSuffix)
	switch want := snapshotHeaderCRC(header[:]); {
	case magic != snapshotMagic:
		return r.corrupt("magic is %016x, want %016x", magic, uint64(snapshotMagic))
	case r.crc != want:
		return r.corrupt("CRC of the header is %08x, want %08x", r.crc, want)
	case version != formatVersion:
		return r.corrupt("format version is %d, want %d", version, formatVersion)
	case r.about.Sequence != named:
		return r.corrupt("header says record %d, want %d", r.about.Sequence, named)
	}
	r.offset = snapshotHeader
	return nil
}

// readBlock reads and verifies the next block, or the trailer.
func (r *snapshotReader) readBlock() error {
	var header [blockHeader]byte
	if err := r.fill(header[:]); err != nil {
		return err
	}
	length := binary.LittleEndian.Uint32(header[:])
	crc := binary.LittleEndian.Uint32(header[blockCRCAt:])
	if length == 0 {
		return r.readTrailer(crc)
	}
	if length > snapshotBlockBytes {
		return r.corrupt("block has %d bytes, want at most %d", length, snapshotBlockBytes)
	}
	r.offset += blockHeader
	content := r.buffer[:length]
	if err := r.fill(content); err != nil {
		return err
	}
	if want := crc32.Update(r.crc^length, castagnoli, content); crc != want {
		return r.corrupt("CRC of the block is %08x, want %08x", crc, want)
	}
	r.offset += int64(length)
	r.crc, r.block = crc, content
	r.about.Bytes += uint64(length)
	return nil
}

// readTrailer verifies the trailer, and that nothing follows.
func (r *snapshotReader) readTrailer(crc uint32) error {
	var trailer [trailerEnd]byte
	if err := r.fill(trailer[:]); err != nil {
		return err
	}
	r.about.Hash = binary.LittleEndian.Uint64(trailer[trailerHashAt:])
	sequence := binary.LittleEndian.Uint64(trailer[trailerSequenceAt:])
	total := binary.LittleEndian.Uint64(trailer[trailerBytesAt:])
	switch want := crc32.Update(r.crc, castagnoli, trailer[blockHeader:]); {
	case crc != want:
		return r.corrupt("CRC of the trailer is %08x, want %08x", crc, want)
	case sequence != r.about.Sequence:
		return r.corrupt("trailer says record %d, want %d", sequence, r.about.Sequence)
	case total != r.about.Bytes:
		return r.corrupt("trailer says %d bytes, want %d", total, r.about.Bytes)
	case r.size != r.offset+trailerEnd:
		return r.corrupt("file has %d bytes, want %d", r.size, r.offset+trailerEnd)
	}
	r.ended = true
	return nil
}

// Read implements io.Reader.
func (r *snapshotReader) Read(bytes []byte) (int, error) {
	for len(r.block) == 0 {
		if r.failure == nil && r.ended {
			r.failure = io.EOF
		}
		if r.failure != nil {
			return 0, r.failure
		}
		r.failure = r.readBlock()
	}
	n := copy(bytes, r.block)
	r.block = r.block[n:]
	return n, nil
}

// Close implements io.Closer.
func (r *snapshotReader) Close() error { return r.file.Close() }
