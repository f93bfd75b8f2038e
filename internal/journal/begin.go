package journal

import (
	"errors"
	"fmt"
)

// Begin makes the journal ready for appending, after Replay: a torn end is cut,
// what was replayed is made durable, a spare segment is made, and the flusher
// starts. The epoch must be above every one that the journal has seen. It is
// durable with the first record that is. The time, in ns since 1970 UTC, goes into
// the header of a first segment.
func (j *Journal) Begin(epoch uint32, nowNs int64) error {
	if j.end == nil || j.begun {
		return errors.New("journal: Begin without a complete Replay, or twice; want Open, Replay, Begin")
	}
	last, seen := j.Last()
	if epoch <= seen {
		return fmt.Errorf("journal: epoch is %d, want more than %d, which the journal has seen", epoch, seen)
	}
	j.epoch, j.timeNs = epoch, nowNs
	j.sequence, j.begunAt = last, last
	j.appended.Store(last)
	j.durable.Store(last)
	j.payloadBytesMax = payloadBytesMax(j.config.SegmentBytes)
	j.atProcess = j.config.Durability == Process
	j.reserved = nothingReserved
	if err := j.prepareFiles(); err != nil {
		return fmt.Errorf("journal: beginning epoch %d in %s: %w", epoch, j.config.Directory, err)
	}
	j.syncing, j.begun = j.active, true
	if !j.config.Manual {
		j.wake, j.stop, j.stopped = make(chan struct{}, 1), make(chan struct{}), make(chan struct{})
		go j.run()
	}
	return nil
}

// prepareFiles leaves a segment to append to and, if the disk has room, a spare.
func (j *Journal) prepareFiles() error {
	if err := j.removeLeftovers(); err != nil {
		return err
	}
	open := j.openFirst
	if len(j.end.directory.segments) > 0 {
		open = j.openLast
	}
	if err := open(); err != nil {
		return err
	}
	return j.prepareWholly()
}

// removeLeftovers removes what nobody was promised anything of. It is gone for
// good before other files get the same names; and the names that recovery went by
// are there for good, which the process that gave them may not have lived to see.
func (j *Journal) removeLeftovers() error {
	d := j.end.directory
	names := d.leftovers
	for _, s := range d.segments[min(j.end.segment+1, len(d.segments)):] {
		names = append(names, s.name)
	}
	for _, name := range names {
		if err := d.files.Remove(d.in(name)); err != nil {
			return err
		}
	}
	return d.files.SyncDirectory(d.path)
}

// openFirst makes the first segment of a new journal.
func (j *Journal) openFirst() error {
	if err := j.prepareWholly(); err != nil {
		return err
	}
	j.active = j.spare.Swap(nil)
	if j.active == nil {
		return fmt.Errorf("the disk has not the %d bytes of a first segment", j.config.SegmentBytes)
	}
	j.start(j.active)
	return j.settleName(j.active)
}

// openLast goes on behind the last record.
func (j *Journal) openLast() error {
	d := j.end.directory
	last := &d.segments[j.end.segment]
	s, err := d.mapSegment(last)
	if err != nil {
		return err
	}
	j.active = s
	j.offset, j.crc, j.carried = j.end.offset, j.end.crc, j.end.carried
	clear(s.mapping[j.offset : j.offset+j.end.tornBytes])
	if err := s.file.Sync(); err != nil {
		return err
	}
	if err := j.linkBefore(s, last.name == spareName); err != nil {
		return err
	}
	// The mark may not reach the disk before the records it speaks of.
	s.promise(j.end.sequence)
	return s.file.Sync()
}

// mapSegment maps a segment that has been verified.
func (d *directory) mapSegment(l *listed) (*segment, error) {
	file, err := d.files.Open(d.in(l.name))
	if err != nil {
		return nil, err
	}
	mapping, err := file.Map(l.header.bytes)
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &segment{header: l.header, file: file, mapping: mapping}, nil
}

// linkBefore does what the flusher would have done at the roll to this segment,
// had the process lived: see retire.
func (j *Journal) linkBefore(s *segment, unnamed bool) error {
	d := j.end.directory
	var before *segment
	if j.end.segment > 0 {
		var err error
		if before, err = d.mapSegment(&d.segments[j.end.segment-1]); err != nil {
			return err
		}
		defer func() { _ = before.release() }()
		if err := before.file.Sync(); err != nil {
			return err
		}
	}
	if unnamed {
		if err := j.settleName(s); err != nil {
			return err
		}
	}
	if before == nil {
		return nil
	}
	return before.setSuccessor(s.header.first)
}
