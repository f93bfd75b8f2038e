package journal

import (
	"errors"
	"fmt"
	"io"
	"slices"
)

// Reader goes through the records of a journal that may be in use. It needs no
// lock, changes nothing and sees at least what was there when it was opened. A
// segment that is pruned meanwhile is an error.
type Reader struct {
	cursor   *cursor
	sequence uint64 // where it begins
}

// OpenReader returns a reader in front of the given record; 0 means the first one
// that the directory holds.
func OpenReader(files FS, directory string, sequence uint64) (*Reader, error) {
	d, err := readLive(files, directory)
	if err != nil {
		return nil, err
	}
	from := sequence
	if from == 0 && len(d.segments) > 0 {
		from = d.segments[0].header.first
	}
	c, err := newCursor(d, from)
	if err != nil {
		return nil, err
	}
	return &Reader{c, sequence}, nil
}

// Next returns the next record, whose payload is valid until the next call; the
// end is io.EOF, and damage is a CorruptionError.
func (r *Reader) Next() (Record, error) {
	for {
		record, err := r.cursor.next()
		if err != nil || record.Sequence >= r.sequence {
			return record, err
		}
	}
}

// readLive reads a directory that may change meanwhile: what was found counts only
// if the directory is still the same after it.
func readLive(files FS, path string) (*directory, error) {
	for range liveAttemptsMax {
		before, err := files.List(path)
		if err != nil {
			return nil, fmt.Errorf("journal: %w", err)
		}
		d, readErr := readDirectory(files, path)
		after, err := files.List(path)
		if err != nil {
			return nil, fmt.Errorf("journal: %w", err)
		}
		slices.Sort(before)
		slices.Sort(after)
		if slices.Equal(before, after) {
			return d, readErr
		}
	}
	return nil, fmt.Errorf("journal: %s has changed %d times while it was read, want a quieter one", path, liveAttemptsMax)
}

// Report says what is in a journal.
type Report struct {
	Directory     string            `json:"directory"`
	Segments      []SegmentReport   `json:"segments"`
	Snapshots     []SnapshotReport  `json:"snapshots"`
	FirstSequence uint64            `json:"first_sequence"` // 0 if there is no record
	LastSequence  uint64            `json:"last_sequence"`
	Promised      uint64            `json:"promised"` // every record up to this one must be there
	FirstEpoch    uint32            `json:"first_epoch"`
	LastEpoch     uint32            `json:"last_epoch"`
	Records       uint64            `json:"records"`
	RecordsByType map[uint16]uint64 `json:"records_by_type"`
	Tail          TailReport        `json:"tail"`
}

// SegmentReport says what is in a segment.
type SegmentReport struct {
	Name          string `json:"name"`
	FirstSequence uint64 `json:"first_sequence"` // whether or not there is a record yet
	Epoch         uint32 `json:"epoch"`          // of the engine that began it
	CreatedNs     int64  `json:"created_ns"`     // ns since 1970 UTC
	Bytes         int    `json:"bytes"`
	Records       uint64 `json:"records"`
}

// SnapshotReport says what is in a snapshot, or why it cannot be used.
type SnapshotReport struct {
	Snapshot
	Problem string `json:"problem,omitempty"`
}

// TailReport says what is behind the last record.
type TailReport struct {
	File   string `json:"file"`
	Offset int    `json:"offset"`

	// TornBytes is how many bytes from the offset on hold what is no record, and
	// has never been promised to anybody. The next Begin cuts it. In a directory
	// in use it may be a record on its way.
	TornBytes int `json:"torn_bytes"`

	// Reason says why it is none.
	Reason string `json:"reason"`
}

// Verify reads everything in a directory, which may be in use, and changes
// nothing. If records are damaged or missing, the error is a CorruptionError and
// the report says how far it got. A damaged snapshot is in the report alone.
func Verify(files FS, directory string) (Report, error) {
	report := Report{Directory: directory, RecordsByType: map[uint16]uint64{}}
	reader, err := OpenReader(files, directory, 0)
	if err != nil {
		return report, err
	}
	c := reader.cursor
	for _, sequence := range c.directory.snapshots {
		report.Snapshots = append(report.Snapshots, reportSnapshot(files, directory, sequence))
	}
	for _, s := range c.directory.segments {
		report.Segments = append(report.Segments, SegmentReport{
			Name: s.name, FirstSequence: s.header.first, Epoch: s.header.epoch,
			CreatedNs: s.header.createdNs, Bytes: s.header.bytes,
		})
	}
	report.Promised = c.directory.promised
	for {
		r, err := reader.Next()
		if errors.Is(err, io.EOF) {
			report.addTail(c)
			return report, nil
		}
		if err != nil {
			return report, err
		}
		report.add(r, c.segment)
	}
}

// reportSnapshot verifies a snapshot.
func reportSnapshot(files FS, directory string, sequence uint64) SnapshotReport {
	snapshot, err := verifySnapshot(files, directory, snapshotName(sequence))
	if err != nil {
		return SnapshotReport{Snapshot{Name: snapshotName(sequence), Sequence: sequence}, err.Error()}
	}
	return SnapshotReport{Snapshot: *snapshot}
}

// add counts a record.
func (r *Report) add(record Record, segment int) {
	if r.Records == 0 {
		r.FirstSequence, r.FirstEpoch = record.Sequence, record.Epoch
	}
	r.LastSequence, r.LastEpoch = record.Sequence, record.Epoch
	r.Records++
	r.RecordsByType[record.Type]++
	r.Segments[segment].Records++
}

// addTail says what is behind the last record. Segments behind it, which were
// never promised, do not count.
func (r *Report) addTail(c *cursor) {
	if len(c.directory.segments) == 0 {
		return
	}
	r.Segments = r.Segments[:c.segment+1]
	r.Tail = TailReport{c.directory.segments[c.segment].name, c.offset, c.tornBytes, c.reason}
}
