package journal

import (
	"math/bits"
	"sync/atomic"
)

// SyncBuckets is the number of buckets of Stats.SyncNs.
const SyncBuckets = 40

// counters are written by the flusher.
type counters struct {
	segments        atomic.Uint64
	groups          atomic.Uint64
	groupRecordsMax atomic.Uint64
	syncNsSum       atomic.Uint64
	syncNsMax       atomic.Uint64
	syncNs          [SyncBuckets]atomic.Uint64
}

// Stats says what a journal has done since Begin.
type Stats struct {
	Records         uint64 `json:"records"`           // appended
	RecordBytes     uint64 `json:"record_bytes"`      // with headers and padding
	Segments        uint64 `json:"segments"`          // filled
	Groups          uint64 `json:"groups"`            // synced together, at Disk
	GroupRecordsMax uint64 `json:"group_records_max"` // of the largest group
	SyncNsSum       uint64 `json:"sync_ns_sum"`       // time of all groups' syncs, in ns
	SyncNsMax       uint64 `json:"sync_ns_max"`       // of the slowest, in ns

	// SyncNs counts syncs by time: bucket i those of less than 2^i ns, and not
	// less than half of that; the last one those of any longer time.
	SyncNs [SyncBuckets]uint64 `json:"sync_ns"`
}

// addGroup counts a group and the time of its sync.
func (c *counters) addGroup(records uint64, syncNs int64) {
	ns := uint64(max(syncNs, 0))
	c.groups.Add(1)
	c.groupRecordsMax.Store(max(c.groupRecordsMax.Load(), records))
	c.syncNsSum.Add(ns)
	c.syncNsMax.Store(max(c.syncNsMax.Load(), ns))
	c.syncNs[min(bits.Len64(ns), SyncBuckets-1)].Add(1)
}

// stats returns the counters of a journal.
func (c *counters) stats(j *Journal) Stats {
	s := Stats{
		Records:         j.appended.Load() - j.begunAt,
		RecordBytes:     j.appendedBytes.Load(),
		Segments:        c.segments.Load(),
		Groups:          c.groups.Load(),
		GroupRecordsMax: c.groupRecordsMax.Load(),
		SyncNsSum:       c.syncNsSum.Load(),
		SyncNsMax:       c.syncNsMax.Load(),
	}
	for i := range s.SyncNs {
		s.SyncNs[i] = c.syncNs[i].Load()
	}
	return s
}
