package journal

import (
	"errors"
	"fmt"
	"io"
)

// Cut makes a journal end with its last good record, whatever had been promised
// beyond it, and returns how many records are lost. It is what people do after a
// loss of power at Process, when they have made sure of what venues and clients
// know: no program may decide it. A journal cannot be cut while it is in use, nor
// where more segments follow, nor before a snapshot, which no loss of power comes
// to. If Cut is interrupted, the journal still refuses to start, or is cut.
func Cut(files FS, path string) (lost uint64, err error) {
	lock, err := lockDirectory(files, path)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	d, err := readDirectory(files, path)
	if err != nil || len(d.segments) == 0 {
		return 0, err
	}
	promised := d.promised
	d.promised = 0
	if n := len(d.snapshots); n > 0 {
		d.promised = d.snapshots[n-1]
	}
	end, err := newCursor(d, d.segments[0].header.first)
	for err == nil {
		_, err = end.next()
	}
	if !errors.Is(err, io.EOF) {
		return 0, err
	}
	if promised <= end.sequence {
		return 0, nil
	}
	if err := end.cut(); err != nil {
		return 0, fmt.Errorf("journal: cutting %s behind record %d: %w", path, end.sequence, err)
	}
	return promised - end.sequence, nil
}

// cut takes back what was promised beyond the last record: a spare that does not
// follow, and then the marks.
func (c *cursor) cut() error {
	d := c.directory
	names := d.leftovers
	for _, s := range d.segments[c.segment+1:] {
		names = append(names, s.name)
	}
	for _, name := range names {
		if err := d.files.Remove(d.in(name)); err != nil {
			return err
		}
	}
	if err := d.files.SyncDirectory(d.path); err != nil {
		return err
	}
	for i := range d.segments[:c.segment+1] {
		if err := d.lowerMark(&d.segments[i], c.sequence); err != nil {
			return err
		}
	}
	return nil
}

// lowerMark takes a segment's mark back to the given record, if it is above.
func (d *directory) lowerMark(l *listed, sequence uint64) error {
	if l.header.mark <= sequence {
		return nil
	}
	s, err := d.mapSegment(l)
	if err != nil {
		return err
	}
	s.promise(sequence)
	return errors.Join(s.file.Sync(), s.release())
}
