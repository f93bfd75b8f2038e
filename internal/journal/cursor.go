package journal

import (
	"bytes"
	"io"
)

// cursor goes through the records of a directory, in order, and judges what is
// behind the last one.
type cursor struct {
	directory *directory
	buffer    []byte // the segment it is in
	segment   int    // index in directory.segments
	offset    int    // of the next record
	crc       uint32 // of the last record, or the segment's seed
	carried   uint32 // of the last record, or what the segment says of it
	sequence  uint64 // of the last record
	epoch     uint32 // of the last record, or of the segment's header
	reason    string // why there is no record at offset
	ended     bool
	tornBytes int // at the end: how many bytes from offset on hold what is no record
}

// newCursor returns a cursor in front of the first record of the segment that
// holds, or will hold, the given record.
func newCursor(d *directory, sequence uint64) (*cursor, error) {
	c := &cursor{directory: d}
	if len(d.segments) == 0 {
		if d.promised > 0 {
			return nil, d.corrupt("", 0, d.promised,
				"there is no segment, but the records up to %d have been promised", d.promised)
		}
		c.ended = true
		return c, nil
	}
	if first := d.segments[0].header.first; first > sequence {
		return nil, d.corrupt(d.segments[0].name, firstAt, sequence,
			"the journal begins with record %d, want at most %d: earlier segments are missing", first, sequence)
	}
	for c.segment+1 < len(d.segments) && d.segments[c.segment+1].header.first <= sequence {
		c.segment++
	}
	if d.segments[c.segment].name == spareName && c.segment > 0 {
		c.segment-- // whether a spare follows is for the segment before to say
	}
	h := &d.segments[c.segment].header
	c.sequence, c.carried = h.first-1, h.carried
	return c, c.enter()
}

// enter loads the cursor's segment.
func (c *cursor) enter() (err error) {
	s := &c.directory.segments[c.segment]
	if s.header.epoch < c.epoch {
		return c.directory.corrupt(s.name, headerEpochAt, s.header.first,
			"epoch is %d, want at least %d", s.header.epoch, c.epoch)
	}
	c.buffer, err = c.directory.load(s, c.buffer)
	c.offset, c.crc, c.epoch = HeaderBytes, s.header.seed(), s.header.epoch
	return err
}

// next returns the next record, whose payload is valid until the next call. The
// end is io.EOF; what is neither is a CorruptionError or an error of reading.
func (c *cursor) next() (Record, error) {
	for !c.ended {
		r, ok := c.take()
		if !ok && c.changed() {
			r, ok = c.take()
		}
		if ok {
			return r, nil
		}
		if err := c.cross(); err != nil {
			return Record{}, err
		}
	}
	return Record{}, io.EOF
}

// take takes the record at the offset, if there is one.
func (c *cursor) take() (Record, bool) {
	r, crc, reason := parse(c.buffer[c.offset:], c.crc, c.sequence+1, c.epoch)
	if reason != "" {
		c.reason = reason
		return r, false
	}
	c.offset = min(c.offset+paddedBytes(len(r.Payload)), len(c.buffer))
	c.crc, c.carried, c.sequence, c.epoch = crc, crc, r.Sequence, r.Epoch
	return r, true
}

// changed reads the segment again and says whether there is something else at
// the offset now: a record that was being written while it was read is whole when
// it is read once more.
func (c *cursor) changed() bool {
	if usedBytes(c.buffer[c.offset:]) == 0 {
		return false
	}
	was := bytes.Clone(c.buffer[c.offset:])
	again, err := c.directory.load(&c.directory.segments[c.segment], c.buffer)
	if err != nil {
		copy(c.buffer[c.offset:], was)
		return false
	}
	c.buffer = again
	return !bytes.Equal(was, c.buffer[c.offset:])
}

// cross goes on to the next segment, or judges the end.
func (c *cursor) cross() error {
	d, here := c.directory, &c.directory.segments[c.segment]
	used := usedBytes(c.buffer[c.offset:])
	if c.segment+1 == len(d.segments) {
		return c.end(used)
	}
	next := &d.segments[c.segment+1]
	if used == 0 && next.header.first == c.sequence+1 && next.header.carried == c.carried {
		c.segment++
		return c.enter()
	}
	if next.name == spareName {
		// The spare gets its name when everything before it is durable. Without
		// that, nothing before it has to be whole, and nothing in it counts.
		return c.end(used)
	}
	if used > 0 {
		return d.corrupt(here.name, int64(c.offset), c.sequence+1, "%s, and %s follows", c.reason, next.name)
	}
	return d.corrupt(next.name, firstAt, c.sequence+1, "segment begins with record %d after CRC %08x, want %d after %08x",
		next.header.first, next.header.carried, c.sequence+1, c.carried)
}

// end judges what is behind the last record: nothing, something torn that nobody
// was promised, or the remains of what somebody was.
func (c *cursor) end(used int) error {
	d, here := c.directory, &c.directory.segments[c.segment]
	if used == 0 {
		c.reason = "nothing follows"
	}
	if c.sequence < d.promised {
		return d.corrupt(here.name, int64(c.offset), c.sequence+1, "%s, but the records up to %d have been promised",
			c.reason, d.promised)
	}
	c.ended, c.tornBytes = true, used
	return io.EOF
}
