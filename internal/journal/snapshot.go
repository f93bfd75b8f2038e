package journal

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
)

// snapshotMagic begins every snapshot; read as text it says what the file is.
const snapshotMagic = 0x50414E534C4C4F54 // "TOLLSNAP"

// A snapshot is a header, blocks, and a trailer that looks like an empty block.
// Every CRC is seeded by the one before. All numbers are little-endian.
const (
	snapshotVersionAt  = 8  // u32, after the magic
	snapshotCRCAt      = 12 // u32: of the magic, the version and the sequence
	snapshotSequenceAt = 16 // u64
	snapshotHeader     = 24

	blockCRCAt  = 4 // u32, after the length
	blockHeader = 8

	trailerSequenceAt = 8  // u64
	trailerHashAt     = 16 // u64
	trailerBytesAt    = 24 // u64: of all blocks together
	trailerEnd        = 32
)

// Snapshot is a state that was saved, as one that verifies is known.
type Snapshot struct {
	// Name is the file's name within the journal's directory.
	Name string `json:"name"`

	// Sequence is the last record that the state knows of.
	Sequence uint64 `json:"sequence"`

	// Hash is the state's, as the writer gave it.
	Hash uint64 `json:"hash"`

	// Bytes is the length of what was written.
	Bytes uint64 `json:"bytes"`

	files     FS
	directory string
}

// Open returns the saved bytes. What it gives has been verified, block by block;
// io.EOF comes after the trailer, and damage is a CorruptionError.
func (s *Snapshot) Open() (io.ReadCloser, error) {
	return openSnapshot(s.files, s.directory, s.Name)
}

// SaveSnapshot writes the state after the given record, which must be durable.
// The hash is the state's own. The file has its name only after it has been read
// back. Anybody may call it; the engine goes on meanwhile. An error leaves the
// journal as it was.
func (j *Journal) SaveSnapshot(sequence, hash uint64, write func(io.Writer) error) error {
	if durable := j.Durable(); sequence > durable {
		return fmt.Errorf("journal: snapshot of record %d, want one that is durable: %d at most", sequence, durable)
	}
	j.snapshots.Lock()
	defer j.snapshots.Unlock()
	name := snapshotName(sequence)
	unnamed := name + unnamedSuffix
	err := j.writeSnapshot(unnamed, sequence, hash, write)
	if err == nil {
		err = j.readBack(unnamed, sequence, hash)
	}
	if err == nil {
		err = j.syncRecords()
	}
	if err == nil {
		err = j.config.FS.Rename(j.path(unnamed), j.path(name))
	}
	if err != nil {
		// What cannot be removed either is a leftover, and goes with the next Begin.
		_ = j.config.FS.Remove(j.path(unnamed))
		return fmt.Errorf("journal: saving %s: %w", name, err)
	}
	return j.config.FS.SyncDirectory(j.config.Directory)
}

// syncRecords makes sure that no snapshot outlives a record that it knows of. At
// Disk that is so. At Process nothing but the flusher's rolls has synced records:
// what may not be on the disk is in the last two segments, of which one may be the
// spare. If that gets its name meanwhile, the flusher has synced it.
func (j *Journal) syncRecords() error {
	if !j.atProcess {
		return nil
	}
	d, err := readLive(j.config.FS, j.config.Directory)
	if err != nil {
		return err
	}
	for _, s := range d.segments[max(0, len(d.segments)-2):] {
		file, err := d.files.Open(d.in(s.name))
		if s.name == spareName && errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if err := errors.Join(file.Sync(), file.Close()); err != nil {
			return err
		}
	}
	return d.files.SyncDirectory(d.path)
}

// writeSnapshot writes and syncs a new file.
func (j *Journal) writeSnapshot(name string, sequence, hash uint64, write func(io.Writer) error) error {
	file, err := j.config.FS.Create(j.path(name))
	if err != nil {
		return err
	}
	w := &snapshotWriter{file: file}
	err = w.begin(sequence)
	if err == nil {
		err = write(w)
	}
	if err == nil {
		err = w.finish(sequence, hash)
	}
	if err == nil {
		err = file.Sync()
	}
	return errors.Join(err, file.Close())
}

// readBack verifies what has been written.
func (j *Journal) readBack(name string, sequence, hash uint64) error {
	s, err := verifySnapshot(j.config.FS, j.config.Directory, name)
	if err != nil {
		return err
	}
	if s.Sequence != sequence || s.Hash != hash {
		return fmt.Errorf("read back sequence %d and hash %016x, want %d and %016x", s.Sequence, s.Hash, sequence, hash)
	}
	return nil
}

// snapshotWriter cuts what is written into blocks.
type snapshotWriter struct {
	file   File
	offset int64
	crc    uint32
	bytes  uint64
	block  []byte // header and content of the block that is being filled
}

// begin writes the header.
func (w *snapshotWriter) begin(sequence uint64) error {
	var header [snapshotHeader]byte
	binary.LittleEndian.PutUint64(header[:], snapshotMagic)
	binary.LittleEndian.PutUint32(header[snapshotVersionAt:], formatVersion)
	binary.LittleEndian.PutUint64(header[snapshotSequenceAt:], sequence)
	w.crc = snapshotHeaderCRC(header[:])
	binary.LittleEndian.PutUint32(header[snapshotCRCAt:], w.crc)
	w.block = make([]byte, blockHeader, blockHeader+snapshotBlockBytes)
	return w.put(header[:])
}

// snapshotHeaderCRC returns the CRC of a header's other fields.
func snapshotHeaderCRC(header []byte) uint32 {
	crc := crc32.Update(0, castagnoli, header[:snapshotCRCAt])
	return crc32.Update(crc, castagnoli, header[snapshotSequenceAt:snapshotHeader])
}

// Write implements io.Writer.
func (w *snapshotWriter) Write(bytes []byte) (n int, err error) {
	for n < len(bytes) {
		part := bytes[n:min(len(bytes), n+cap(w.block)-len(w.block))]
		w.block = append(w.block, part...)
		n += len(part)
		if len(w.block) < cap(w.block) {
			continue
		}
		if err := w.flush(); err != nil {
			return n, err
		}
	}
	return n, nil
}

// flush writes the block.
func (w *snapshotWriter) flush() error {
	content := w.block[blockHeader:]
	if len(content) == 0 {
		return nil
	}
	w.crc = crc32.Update(w.crc^uint32(len(content)), castagnoli, content)
	binary.LittleEndian.PutUint32(w.block, uint32(len(content)))
	binary.LittleEndian.PutUint32(w.block[blockCRCAt:], w.crc)
	w.bytes += uint64(len(content))
	err := w.put(w.block)
	w.block = w.block[:blockHeader]
	return err
}

// finish writes the last block and the trailer.
func (w *snapshotWriter) finish(sequence, hash uint64) error {
	if err := w.flush(); err != nil {
		return err
	}
	var trailer [trailerEnd]byte
	binary.LittleEndian.PutUint64(trailer[trailerSequenceAt:], sequence)
	binary.LittleEndian.PutUint64(trailer[trailerHashAt:], hash)
	binary.LittleEndian.PutUint64(trailer[trailerBytesAt:], w.bytes)
	crc := crc32.Update(w.crc, castagnoli, trailer[blockHeader:])
	binary.LittleEndian.PutUint32(trailer[blockCRCAt:], crc)
	return w.put(trailer[:])
}

// put writes behind what was written before.
func (w *snapshotWriter) put(bytes []byte) error {
	_, err := w.file.WriteAt(bytes, w.offset)
	w.offset += int64(len(bytes))
	return err
}
