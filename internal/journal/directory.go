package journal

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Names of the files in a journal's directory. Segments and snapshots are called
// by a sequence number of 20 digits.
const (
	lockName       = "lock"
	spareName      = "spare"
	segmentSuffix  = ".journal"
	snapshotSuffix = ".snapshot"
	unnamedSuffix  = ".unnamed" // a snapshot that is not complete
	nameDigits     = 20
)

// segmentName returns the name of the segment whose first record has the given
// sequence.
func segmentName(first uint64) string { return fmt.Sprintf("%020d%s", first, segmentSuffix) }

// snapshotName returns the name of the snapshot after the given record.
func snapshotName(sequence uint64) string { return fmt.Sprintf("%020d%s", sequence, snapshotSuffix) }

// numberOf returns the number in a name with the suffix.
func numberOf(name, suffix string) (number uint64, ok bool) {
	digits, found := strings.CutSuffix(name, suffix)
	if !found || len(digits) != nameDigits {
		return 0, false
	}
	number, err := strconv.ParseUint(digits, 10, 64)
	return number, err == nil
}

// directory is what a journal's directory holds, as far as names and headers
// tell. Its segments follow each other; only the last one may be a spare that was
// taken and has not got its name yet.
type directory struct {
	files     FS
	path      string
	segments  []listed
	snapshots []uint64 // ascending
	leftovers []string // an unused spare, unfinished snapshots
	promised  uint64   // every record up to this one has been promised
	epoch     uint32   // of the newest segment's header
}

// listed is a segment of a directory.
type listed struct {
	name   string
	header header
}

// in returns the path of a file of the directory.
func (d *directory) in(name string) string { return filepath.Join(d.path, name) }

// corrupt returns the error about a file of the directory.
func (d *directory) corrupt(name string, offset int64, sequence uint64, format string, arguments ...any) error {
	return &CorruptionError{d.in(name), offset, sequence, fmt.Sprintf(format, arguments...)}
}

// readDirectory lists a directory and reads the headers of its segments.
func readDirectory(files FS, path string) (*directory, error) {
	d := &directory{files: files, path: path}
	names, err := files.List(path)
	if err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	slices.Sort(names) // by sequence, too: all numbers have the same length
	for _, name := range names {
		if first, ok := numberOf(name, segmentSuffix); ok {
			if err := d.addSegment(name, first); err != nil {
				return nil, err
			}
		} else if sequence, ok := numberOf(name, snapshotSuffix); ok {
			d.snapshots = append(d.snapshots, sequence)
			d.promised = max(d.promised, sequence)
		} else if strings.HasSuffix(name, unnamedSuffix) {
			d.leftovers = append(d.leftovers, name)
		}
	}
	if last := len(d.segments) - 1; last >= 0 && d.segments[last].header.successor != 0 {
		return nil, d.corrupt(d.segments[last].name, successorAt, d.segments[last].header.successor,
			"the segment that follows is missing: want %s", segmentName(d.segments[last].header.successor))
	}
	if slices.Contains(names, spareName) {
		return d, d.addSpare()
	}
	return d, nil
}

// addSegment reads a segment that has its name and compares it with the one
// before.
func (d *directory) addSegment(name string, first uint64) error {
	page, fileBytes, err := d.readPage(name)
	if err != nil {
		return err
	}
	h, offset, reason := readHeader(page, fileBytes)
	if reason != "" {
		return d.corrupt(name, offset, first, "%s", reason)
	}
	if h.first != first {
		return d.corrupt(name, firstAt, first, "header says that the first record is %d, want %d", h.first, first)
	}
	if n := len(d.segments); n > 0 {
		before := &d.segments[n-1]
		if successor := before.header.successor; successor != 0 && successor != first {
			return d.corrupt(before.name, successorAt, successor, "the next segment is %s, want %s",
				name, segmentName(successor))
		}
	}
	return d.add(name, h)
}

// addSpare looks whether the spare has been taken. One that was not, or not
// wholly, is left over; if it has a mark all the same, promised records are lost,
// and the end of the journal is going to show that.
func (d *directory) addSpare() error {
	page, fileBytes, err := d.readPage(spareName)
	if err != nil {
		return err
	}
	h, _, reason := readHeader(page, fileBytes)
	if reason != "" {
		d.promised = max(d.promised, h.mark)
		d.leftovers = append(d.leftovers, spareName)
		return nil
	}
	return d.add(spareName, h)
}

// add appends a segment.
func (d *directory) add(name string, h header) error {
	if h.epoch < d.epoch {
		return d.corrupt(name, headerEpochAt, h.first, "epoch is %d, want at least %d", h.epoch, d.epoch)
	}
	d.epoch = h.epoch
	d.promised = max(d.promised, h.mark)
	d.segments = append(d.segments, listed{name, h})
	return nil
}

// readPage reads the first page of a file; what the file has not is zero.
func (d *directory) readPage(name string) (page []byte, fileBytes int64, err error) {
	file, err := d.files.OpenRead(d.in(name))
	if err != nil {
		return nil, 0, fmt.Errorf("journal: %w", err)
	}
	page = make([]byte, HeaderBytes)
	fileBytes, err = file.Size()
	if err == nil {
		_, err = file.ReadAt(page, 0)
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return nil, 0, fmt.Errorf("journal: reading %s: %w", d.in(name), err)
	}
	return page, fileBytes, nil
}

// load reads a whole segment into the buffer, which it lengthens if need be. A
// spare may have got its name since it was listed, and another one may be called
// the spare now.
func (d *directory) load(s *listed, buffer []byte) ([]byte, error) {
	named := segmentName(s.header.first)
	names := []string{s.name}
	if s.name == spareName {
		names = []string{named, spareName, named}
	}
	var err error
	for _, name := range names {
		if buffer, err = d.loadFrom(name, s.header.bytes, buffer); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if bytes.Equal(buffer[idAt:idAt+len(s.header.id)], s.header.id[:]) {
			return buffer, nil
		}
		err = d.corrupt(name, idAt, s.header.first, "segment has another id than when it was listed, %x", s.header.id)
	}
	return nil, err
}

// loadFrom reads a file of that many bytes.
func (d *directory) loadFrom(name string, fileBytes int, buffer []byte) ([]byte, error) {
	file, err := d.files.OpenRead(d.in(name))
	if err != nil {
		return buffer, fmt.Errorf("journal: %w", err)
	}
	buffer = slices.Grow(buffer[:0], fileBytes)[:fileBytes]
	n, err := file.ReadAt(buffer, 0)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return buffer, fmt.Errorf("journal: reading %s: %w", d.in(name), err)
	}
	if n < len(buffer) {
		return buffer, d.corrupt(name, int64(n), 0, "file has %d bytes, want %d", n, len(buffer))
	}
	return buffer, nil
}
