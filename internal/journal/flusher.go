package journal

import (
	"errors"
	"fmt"
	"io"
	"syscall"
	"time"
)

// flusher is what only the flusher knows of.
type flusher struct {
	syncing       *segment // the one that groups are synced in
	fresh         *segment // a spare that is being written
	offered       *segment // the spare, until it has a name of its own
	freshBytes    int      // how much of it is written
	zeros         []byte
	markDue       bool  // the last mark is not synced
	markDueNs     int64 // when it is synced without a group
	spaceCheckNs  int64 // when to look at the disk's free space again
	spaceForSpare bool
	failure       error
}

// run is the flusher's goroutine. It works as long as there is work and then
// sleeps until it is woken or something is due.
func (j *Journal) run() {
	defer close(j.stopped)
	timer := time.NewTimer(spaceCheckNs)
	defer timer.Stop()
	for {
		if j.Turn() {
			continue
		}
		j.asleep.Store(true)
		if j.pending() && j.asleep.Swap(false) {
			continue
		}
		wait := int64(spaceCheckNs)
		if j.markDue {
			wait = markDelayNs
		}
		timer.Reset(time.Duration(wait))
		select {
		case <-j.stop:
			return
		case <-j.wake:
		case <-timer.C:
			if !j.asleep.Swap(false) {
				<-j.wake // somebody has decided to wake the flusher
			}
		}
	}
}

// pending says whether there is work that the writer made.
func (j *Journal) pending() bool {
	return !j.failed.Load() && (j.retired.Load() != nil || j.appended.Load() > j.durable.Load())
}

// Turn does the flusher's work once: it syncs what has been appended, finishes a
// roll, and writes a part of a spare segment. It says whether there is more to do
// at once. Only the flusher calls it, or the owner of a Manual journal.
func (j *Journal) Turn() (more bool) {
	if j.failed.Load() {
		return false
	}
	more, err := j.turn()
	if err != nil {
		j.fail(err)
		return false
	}
	return more
}

func (j *Journal) turn() (more bool, err error) {
	bytes := j.appendedBytes.Load()
	appended := j.appended.Load()
	// The writer hands over a full segment before it publishes a record of the
	// next one: whatever has been appended by now is in the segments seen here.
	if full := j.retired.Load(); full != nil {
		if err := j.retire(full); err != nil {
			return false, fmt.Errorf("rolling to the segment of record %d: %w", full.next.header.first, err)
		}
	}
	if appended > j.durable.Load() {
		if err := j.syncGroup(appended, bytes); err != nil {
			return false, fmt.Errorf("syncing the records %d to %d: %w", j.durable.Load()+1, appended, err)
		}
	}
	if err := j.syncMark(); err != nil {
		return false, fmt.Errorf("syncing the mark of record %d: %w", appended, err)
	}
	preparing, err := j.prepare()
	return preparing || j.pending(), err
}

// syncGroup makes everything up to the record durable and says so: in the
// segment's header, for recovery, and then to whoever waits.
func (j *Journal) syncGroup(appended, bytes uint64) error {
	startNs := j.config.ClockNs()
	if err := j.syncing.file.Sync(); err != nil {
		return err
	}
	endNs := j.config.ClockNs()
	j.counters.addGroup(appended-j.durable.Load(), endNs-startNs)
	j.syncing.promise(appended)
	j.markDue, j.markDueNs = true, endNs+markDelayNs
	j.durableBytes.Store(bytes)
	j.durable.Store(appended)
	j.config.Wake()
	return nil
}

// syncMark syncs the last group's mark, which otherwise becomes durable with the
// next group, once it is clear that no group comes soon.
func (j *Journal) syncMark() error {
	if !j.markDue || j.config.ClockNs() < j.markDueNs {
		return nil
	}
	j.markDue = false
	return j.syncing.file.Sync()
}

// retire finishes a roll. The order is what recovery relies on: a segment has its
// name only if everything before it is durable, and it is named as a successor
// only if it has its name.
func (j *Journal) retire(full *segment) error {
	next := full.next
	if err := full.file.Sync(); err != nil {
		return err
	}
	if err := j.settleName(next); err != nil {
		return err
	}
	if err := full.setSuccessor(next.header.first); err != nil {
		return err
	}
	j.syncing = next
	j.retired.Store(nil)
	j.counters.segments.Add(1)
	return full.release()
}

// settleName syncs a spare that has its header and gives it its name.
func (j *Journal) settleName(s *segment) error {
	if err := s.file.Sync(); err != nil {
		return err
	}
	if err := j.config.FS.Rename(j.path(spareName), j.path(segmentName(s.header.first))); err != nil {
		return err
	}
	j.offered = nil
	return j.config.FS.SyncDirectory(j.config.Directory)
}

// setSuccessor notes which segment follows, durably.
func (s *segment) setSuccessor(first uint64) error {
	storeUint64(s.mapping[successorAt:], first)
	return s.file.Sync()
}

// prepareWholly makes a spare, unless the disk has no room.
func (j *Journal) prepareWholly() error {
	for {
		more, err := j.prepare()
		if err != nil || !more {
			return err
		}
	}
}

// prepare does a part of the work on the next spare segment and says whether
// there is more. A disk without room for it is no failure: Low and Full say so
// before anything is lost.
func (j *Journal) prepare() (more bool, err error) {
	if err := j.checkSpace(); err != nil {
		return false, err
	}
	if j.offered != nil || !j.spaceForSpare {
		return false, nil
	}
	if j.fresh == nil {
		err = j.createFresh()
	} else {
		err = j.writeFresh()
	}
	if errors.Is(err, syscall.ENOSPC) {
		return false, j.giveUpFresh()
	}
	if err != nil {
		return false, fmt.Errorf("writing a spare segment: %w", err)
	}
	return j.offered == nil, nil
}

// checkSpace looks at the free space on the disk from time to time.
func (j *Journal) checkSpace() error {
	nowNs := j.config.ClockNs()
	if nowNs < j.spaceCheckNs {
		return nil
	}
	freeBytes, err := j.config.FS.FreeBytes(j.config.Directory)
	if err != nil {
		return err
	}
	segmentBytes := uint64(j.config.SegmentBytes)
	j.spaceForSpare = j.fresh != nil || freeBytes >= segmentBytes
	j.low.Store(freeBytes < segmentBytes+j.config.ReserveBytes)
	j.spaceCheckNs = nowNs + spaceCheckNs
	return nil
}

// createFresh begins a spare segment.
func (j *Journal) createFresh() error {
	file, err := j.config.FS.Create(j.path(spareName))
	if err != nil {
		return err
	}
	j.fresh, j.freshBytes = &segment{file: file}, 0
	if _, err = io.ReadFull(j.config.Random, j.fresh.header.id[:]); err != nil {
		return fmt.Errorf("id of a segment: %w", err)
	}
	return nil
}

// writeFresh writes and syncs another part of the spare. Only what is written can
// be stored to later: a mapping of blocks that the disk does not have would kill
// the process. When it is complete the writer may have it.
func (j *Journal) writeFresh() error {
	if j.zeros == nil {
		j.zeros = make([]byte, min(zeroChunkBytes, j.config.SegmentBytes))
	}
	part := j.zeros[:min(len(j.zeros), j.config.SegmentBytes-j.freshBytes)]
	if _, err := j.fresh.file.WriteAt(part, int64(j.freshBytes)); err != nil {
		return err
	}
	if err := j.fresh.file.Sync(); err != nil {
		return err
	}
	j.freshBytes += len(part)
	if j.freshBytes < j.config.SegmentBytes {
		return nil
	}
	mapping, err := j.fresh.file.Map(j.config.SegmentBytes)
	if err != nil {
		return err
	}
	j.fresh.mapping = mapping
	j.offered, j.fresh = j.fresh, nil
	j.spare.Store(j.offered)
	if j.begun {
		j.config.Wake()
	}
	return nil
}

// giveUpFresh removes a spare that the disk had no room for, until the next look
// at the free space.
func (j *Journal) giveUpFresh() error {
	j.low.Store(true)
	j.spaceForSpare = false
	j.spaceCheckNs = j.config.ClockNs() + spaceCheckNs
	if j.fresh == nil {
		return nil
	}
	err := j.fresh.file.Close()
	j.fresh = nil
	return errors.Join(err, j.config.FS.Remove(j.path(spareName)))
}

// fail ends the journal: nothing becomes durable from here on.
func (j *Journal) fail(err error) {
	j.failure = fmt.Errorf("journal %s has failed, and what is not durable may be lost: %w", j.config.Directory, err)
	j.failed.Store(true)
	j.config.Fatal(j.failure)
}
