package journal_test

import (
	"runtime"
	"testing"

	"tollgate/internal/journal"
)

// BenchmarkAppend measures what one record with 128 bytes of payload costs the loop
// at Process. Waiting for the disk to take new segments does not count: the
// benchmark fills them faster than any engine.
func BenchmarkAppend(b *testing.B) {
	config := machineConfig(b, journal.Process)
	config.SegmentBytes = journal.DefaultSegmentBytes
	j := start(b, config)
	defer mustClose(b, j)
	payload := make([]byte, 128)
	b.ReportAllocs()
	b.ResetTimer()
	for b.Loop() {
		if j.Full() {
			b.StopTimer()
			for j.Full() {
				j.Flush()
				runtime.Gosched()
			}
			b.StartTimer()
		}
		j.Append(1, 2, payload)
		j.Flush()
	}
}

// BenchmarkReplay measures reading one record back, as recovery does.
func BenchmarkReplay(b *testing.B) {
	config := machineConfig(b, journal.Process)
	config.SegmentBytes = journal.DefaultSegmentBytes
	j := start(b, config)
	payload := make([]byte, 128)
	const records = 390_000 // a segment
	for range records {
		j.Append(1, 2, payload)
	}
	mustClose(b, j)
	for b.Loop() {
		j, err := journal.Open(config)
		if err == nil {
			err = j.Replay(func(journal.Record) error { return nil })
		}
		if err != nil {
			b.Fatal(err)
		}
		mustClose(b, j)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/records, "ns/record")
}
