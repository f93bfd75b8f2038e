package journal

// nothingReserved says that there is no payload to commit.
const nothingReserved = -1

// writer is what only the loop that appends knows of.
type writer struct {
	active          *segment
	full            *segment // the one before, until active has a record
	offset          int      // of the next record in active
	reserved        int      // bytes of payload given out by Reserve, or nothingReserved
	crc             uint32   // seed of the next record
	carried         uint32   // CRC of the last record
	sequence        uint64   // of the last record
	timeNs          int64    // of the last record
	epoch           uint32
	payloadBytesMax int
	atProcess       bool
	_               [64]byte // the flusher writes elsewhere
}

// Append adds one record and returns its sequence number. The time is in ns since
// 1970 UTC. At Process the record is durable when Append returns; at Disk, when
// Durable says so. Append allocates nothing, makes no system call, takes no lock
// and never waits.
//
// The caller has looked at Full: between two looks it appends at most half a
// segment, headers and padding included. A payload above PayloadBytesMax or a
// quarter of a segment, and a record there is no room for, end the process:
// whoever loses records may not go on.
func (j *Journal) Append(recordType uint16, timeNs int64, payload []byte) (sequence uint64) {
	copy(j.Reserve(len(payload)), payload)
	return j.Commit(recordType, timeNs)
}

// Reserve returns room for a payload of exactly that many bytes, inside the
// mapping, and Commit makes it a record. What it holds is not specified. A
// reservation that is not committed is given up by the next one. The bounds are
// those of Append.
func (j *Journal) Reserve(payloadBytes int) []byte {
	if j.reserved > 0 {
		clear(j.payload())
	}
	if payloadBytes < 0 || payloadBytes > j.payloadBytesMax {
		panic("journal: a payload is longer than a record can be")
	}
	if j.offset+paddedBytes(payloadBytes) > len(j.active.mapping) {
		j.roll()
	}
	j.reserved = payloadBytes
	return j.payload()
}

// payload returns the room that is reserved.
func (j *Journal) payload() []byte {
	start := j.offset + RecordHeaderBytes
	return j.active.mapping[start : start+j.reserved : start+j.reserved]
}

// Commit makes the reserved payload a record and returns its sequence number: see
// Append.
func (j *Journal) Commit(recordType uint16, timeNs int64) (sequence uint64) {
	if j.reserved < 0 {
		panic("journal: Commit without Reserve")
	}
	length := RecordHeaderBytes + j.reserved
	record := j.active.mapping[j.offset : j.offset+length]
	j.sequence++
	j.timeNs = timeNs
	r := Record{Sequence: j.sequence, TimeNs: timeNs, Epoch: j.epoch, Type: recordType}
	j.crc = seal(record, j.crc, &r)
	j.carried = j.crc
	storeUint32(record[lengthAt:], uint32(length))
	room := paddedBytes(j.reserved)
	j.offset += room
	j.reserved = nothingReserved
	j.publish(uint64(room))
	return j.sequence
}

// publish tells everybody of the record that was written last. At Process it is
// promised by that.
func (j *Journal) publish(bytes uint64) {
	j.appendedBytes.Store(j.appendedBytes.Load() + bytes)
	if j.full != nil {
		j.handOver()
	}
	if j.atProcess {
		j.active.promise(j.sequence)
		if !j.failed.Load() {
			j.durable.Store(j.sequence)
		}
	}
	j.appended.Store(j.sequence)
}

// handOver gives the full segment to the flusher. At Process the record that was
// written last is promised in the full segment as well: the one that it is in has
// no name yet, and might get lost without anybody knowing that it was there.
func (j *Journal) handOver() {
	if j.atProcess {
		j.full.promise(j.sequence)
	}
	j.retired.Store(j.full)
	j.full = nil
}

// roll goes on in the spare segment. The flusher has done with the segment before
// the full one, or there would be no spare.
func (j *Journal) roll() {
	next := j.spare.Swap(nil)
	if next == nil {
		panic("journal: no room for a record: its writer did not ask Full")
	}
	j.start(next)
	j.full, j.active = j.active, next
	j.full.next = next
}

// start makes the spare a segment, by its header.
func (j *Journal) start(s *segment) {
	s.header.epoch = j.epoch
	s.header.first = j.sequence + 1
	s.header.createdNs = j.timeNs
	s.header.bytes = len(s.mapping)
	s.header.carried = j.carried
	s.header.write(s.mapping)
	j.offset, j.crc = HeaderBytes, s.header.seed()
}

// Appended returns the sequence number of the last record. Anybody may call it.
func (j *Journal) Appended() uint64 { return j.appended.Load() }

// Durable returns the sequence number up to which all records have the configured
// durability. It never falls, and after a failure it stays. Anybody may call it.
func (j *Journal) Durable() uint64 { return j.durable.Load() }

// Full says that the caller must not append now: too much is not durable yet, or
// the segment is half full and there is no spare one, or the journal has failed.
// It passes, unless the disk is full or the journal has failed.
func (j *Journal) Full() bool {
	if j.failed.Load() {
		return true
	}
	if j.spare.Load() == nil && len(j.active.mapping)-j.offset < j.config.SegmentBytes/roomShare {
		return true
	}
	if j.atProcess {
		return false
	}
	return j.appended.Load()-j.durable.Load() >= j.config.UndurableRecordsMax ||
		j.appendedBytes.Load()-j.durableBytes.Load() >= j.config.UndurableBytesMax
}

// Low says that the disk is running out of space: the caller should take nothing
// but what reduces risk. Anybody may call it.
func (j *Journal) Low() bool { return j.low.Load() }

// Flush wakes the flusher, if it sleeps and there is something to do for it. The
// loop calls it when it has done a batch, and whenever it finds the journal Full.
func (j *Journal) Flush() {
	if !j.asleep.Load() || j.atProcess && j.retired.Load() == nil {
		return
	}
	if j.asleep.Swap(false) {
		j.wake <- struct{}{}
	}
}
