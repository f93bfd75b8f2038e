package exchange

import (
	"context"
	"os"
	"runtime"
	"sync/atomic"
	"time"

	"tollgate/exchange/simulated"
	"tollgate/fastpath"
)

// recorderPause is how long the recorder sleeps when there is nothing to write.
const recorderPause = time.Millisecond

// recorder writes the venue's log to a file, on a goroutine of its own. The
// loop hands it records through a ring.
type recorder struct {
	file     *os.File
	writer   *simulated.LogWriter
	queue    *fastpath.Ring[simulated.Record]
	finished atomic.Bool
}

// openRecorder appends to the file at path.
func openRecorder(path string) (*recorder, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	return &recorder{
		file:   file,
		writer: simulated.NewLogWriter(file),
		queue:  fastpath.NewRing[simulated.Record](recordsQueued),
	}, nil
}

// abandon closes the file of a recorder that was never run. r may be nil.
func (r *recorder) abandon() {
	if r != nil {
		_ = r.file.Close() // nothing was written
	}
}

// take queues a record. It is the loop's end of the ring, and waits when the
// ring is full: the log must be complete.
func (r *recorder) take(record *simulated.Record) {
	for !r.queue.Push(*record) {
		runtime.Gosched()
	}
}

// finish makes run return when all records are written. The loop has ended.
func (r *recorder) finish() { r.finished.Store(true) }

// run writes records until finish. After a failure it calls stop, goes on
// taking records so that the loop can end, and returns the failure.
func (r *recorder) run(stop context.CancelFunc) error {
	var failure error
	for {
		finished := r.finished.Load() // before the ring is emptied for the last time
		if failure == nil {
			failure = r.writeQueued()
		}
		if failure != nil {
			stop()
			r.discardQueued()
		}
		if finished {
			break
		}
		time.Sleep(recorderPause)
	}
	if err := r.file.Close(); failure == nil {
		failure = err
	}
	return failure
}

// writeQueued writes all records that are queued and hands them to the kernel.
func (r *recorder) writeQueued() error {
	var record simulated.Record
	for r.queue.Pop(&record) {
		if err := r.writer.Write(&record); err != nil {
			return err
		}
	}
	return r.writer.Flush()
}

func (r *recorder) discardQueued() {
	var record simulated.Record
	for r.queue.Pop(&record) {
	}
}
