// Package journal keeps what the engine was told, in order, beyond the life of
// its process.
//
// One loop appends records to a mapped file, one goroutine makes them durable,
// and other processes read. A directory holds segments, each called by its first
// record, snapshots, each called by the last record it knows of, a spare segment
// and a lock.
//
// # Records
//
// A record is a header of 32 bytes, a payload, and zeros up to a multiple of 8.
// Its CRC-32C covers everything behind the CRC's field and is seeded by the CRC of
// the record before, with the length mixed in by exclusive or; the first of a
// segment is seeded by the segment's random id and the last CRC of the segment
// before. So a record verifies only where it was written, behind the records it
// was written behind. Sequence numbers are contiguous from 1, and epochs never
// fall. The length word is stored last: a process that is killed leaves a whole
// record or none, and no reader sees half of one.
//
// # Segments
//
// A segment is written with zeros and synced before its first record: an append
// can neither run into a full disk nor change a file's length. What follows the
// last record of a segment is zero, and reading goes on in the next one. A file
// system that never writes over what is there keeps no room by this, and is not
// for journals: use ext4 or XFS.
//
// A spare segment has no header. The writer takes it by storing one, with the
// magic word last, and appends at once; the flusher then syncs the segment before,
// syncs this one, gives it its name, syncs the directory, and notes it in the
// segment before as its successor. This is safe wherever it is cut off. Without a
// header, the spare holds nothing. With one, recovery takes it for the segment
// that it is and gives it its name. A segment that has its name proves that
// everything before it is durable, and a segment that has a successor proves that
// the successor must be there: if it is not, somebody has lost it.
//
// # Torn or corrupt
//
// What is behind the last record that verifies may have been torn by a crash, and
// then it must be cut, or damaged after it had been answered for, and then nobody
// may go on. The bytes do not tell: a group that is written when the power fails
// may have lost a sector in its middle, and a flipped bit in the last record looks
// the same. So the journal notes what has been promised. The mark in a segment's
// header, in a sector of its own, is the last record of which Durable has told. At
// Process the writer stores it with every record; at Disk the flusher stores it
// when a group has been synced, and it becomes durable with the next group, or
// after 20 ms without one. At Process, a full segment's mark goes on to the first
// record of the next one, which has no name yet. Recovery refuses to start, with a CorruptionError, if
//
//   - a record does not verify and a segment with a name follows,
//   - the records end before the greatest mark or the newest snapshot,
//   - a successor is missing, or a header or a file's length is wrong.
//
// Anything else that is behind the last good record was promised to nobody, even
// if good records are among it: a disk writes the sectors of a group in any order.
// Begin zeroes and syncs it before the first append.
//
// After the death of a process the page cache has everything, marks included, and
// no promised record can pass for a torn one. After a loss of power at Disk the
// mark may be one group old, for 20 ms at most: only a group that was answered
// within that time, and whose sectors the disk damaged although it had confirmed
// them, would be cut as torn. To close even this, every group would cost a second
// sync. After a loss of power at Process, records that were answered may be gone,
// as that level says; the marks then usually tell, and the journal refuses to
// start rather than go on with a past that others do not share. It is for people
// to decide that it may, with Cut.
//
// # Failure
//
// A sync that failed is never tried again, because the kernel takes the pages for
// written: Fatal is called once, and Durable stays where it is. A disk without
// room for the next spare segment is no failure. Low says so as long as there is
// something left to cancel orders with, and Full when there is not.
//
// Readers use read calls and no mapping, so that a file that somebody cuts short
// under them is an error and not a signal.
package journal
