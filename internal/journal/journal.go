package journal

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"sync"
	"sync/atomic"
)

// Journal is the one writer's end of a journal. It is opened, replayed, begun,
// appended to and closed, in this order. Methods belong to the loop that owns it,
// unless they say that anybody may call them.
type Journal struct {
	config Config
	lock   io.Closer

	found    *directory // as it was at Open
	snapshot *Snapshot  // where Replay begins
	damaged  []error    // what is wrong with newer snapshots
	end      *cursor    // behind the last record, after Replay
	begunAt  uint64     // the last record before Begin
	begun    bool

	writer

	// What writer and flusher tell each other.
	spare         atomic.Pointer[segment] // ready for the writer
	retired       atomic.Pointer[segment] // full, for the flusher
	appendedBytes atomic.Uint64           // stored before appended
	appended      atomic.Uint64
	durableBytes  atomic.Uint64 // stored before durable
	durable       atomic.Uint64
	low           atomic.Bool
	failed        atomic.Bool
	asleep        atomic.Bool
	wake          chan struct{}
	stop          chan struct{}
	stopped       chan struct{}

	flusher

	snapshots sync.Mutex // held while snapshots are written or removed
	counters  counters
}

// Open locks the directory, looks at what is in it and finds the newest snapshot
// that verifies. It changes nothing. If another process has the journal open, the
// error wraps ErrLocked; if what is there is damaged, it is a CorruptionError.
func Open(config Config) (*Journal, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	j := &Journal{config: config.withDefaults()}
	if err := j.config.FS.MakeDirectory(j.config.Directory); err != nil {
		return nil, fmt.Errorf("journal: making the directory: %w", err)
	}
	lock, err := lockDirectory(j.config.FS, j.config.Directory)
	if err != nil {
		return nil, err
	}
	j.lock = lock
	if err := j.look(); err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	return j, nil
}

// lockDirectory takes the lock that whoever changes a journal holds.
func lockDirectory(files FS, path string) (io.Closer, error) {
	lock, err := files.Lock(filepath.Join(path, lockName))
	if errors.Is(err, ErrLocked) {
		return nil, fmt.Errorf("journal: directory %s is in use, want one that nobody else has open: %w", path, err)
	}
	if err != nil {
		return nil, fmt.Errorf("journal: locking the directory: %w", err)
	}
	return lock, nil
}

// look reads the directory and picks the snapshot.
func (j *Journal) look() (err error) {
	if j.found, err = readDirectory(j.config.FS, j.config.Directory); err != nil {
		return err
	}
	for i := len(j.found.snapshots) - 1; i >= 0; i-- {
		snapshot, err := verifySnapshot(j.config.FS, j.config.Directory, snapshotName(j.found.snapshots[i]))
		if err == nil {
			j.snapshot = snapshot
			return nil
		}
		j.damaged = append(j.damaged, err)
	}
	return nil
}

// path returns the path of a file of the journal.
func (j *Journal) path(name string) string {
	return filepath.Join(j.config.Directory, name)
}

// Snapshot returns the newest snapshot that verifies, from before Begin. Replay
// goes on behind it; without one it begins with the first record.
func (j *Journal) Snapshot() (snapshot *Snapshot, ok bool) { return j.snapshot, j.snapshot != nil }

// Damaged returns what is wrong with snapshots that are newer than the one that
// is used. Nothing is lost by them, but somebody should know.
func (j *Journal) Damaged() []error { return j.damaged }

// Replay gives every record behind the snapshot to apply, in order, and judges
// the end of the journal. The error is a CorruptionError if records are damaged or
// missing that may have been promised, or that of apply. It can be called once.
func (j *Journal) Replay(apply func(Record) error) error {
	if j.found == nil {
		return errors.New("journal: replayed twice, want Replay once after Open")
	}
	after := uint64(0)
	if j.snapshot != nil {
		after = j.snapshot.Sequence
	}
	end, err := newCursor(j.found, after+1)
	j.found = nil
	if err != nil {
		return err
	}
	for {
		r, err := end.next()
		if errors.Is(err, io.EOF) {
			j.end = end
			return nil
		}
		if err != nil {
			return err
		}
		if r.Sequence <= after {
			continue
		}
		if err := apply(r); err != nil {
			return fmt.Errorf("journal: replaying record %d: %w", r.Sequence, err)
		}
	}
}

// Last returns the number and the epoch of the last record that Replay found,
// and at least the epoch of the newest segment; 0 and 0 for a new journal.
func (j *Journal) Last() (sequence uint64, epoch uint32) {
	if j.end == nil {
		return 0, 0
	}
	return j.end.sequence, max(j.end.epoch, j.end.directory.epoch)
}

// Stats returns the counters. Anybody may call it.
func (j *Journal) Stats() Stats { return j.counters.stats(j) }

// Close makes everything durable, at any level, and gives the directory free. The
// loop that appends has ended. The error is the one Fatal got, if it was called.
func (j *Journal) Close() error {
	if j.stop != nil {
		close(j.stop)
		<-j.stopped
	}
	var err error
	if j.begun {
		err = j.settle()
	}
	for _, s := range []*segment{j.active, j.full, j.retired.Load(), j.spare.Load()} {
		if s != nil {
			err = errors.Join(err, s.release())
		}
	}
	if j.fresh != nil {
		err = errors.Join(err, j.fresh.file.Close())
	}
	return errors.Join(err, j.lock.Close())
}

// settle is the flusher's last turn: whatever was appended is synced, and the
// mark with it.
func (j *Journal) settle() error {
	j.Turn()
	if !j.failed.Load() {
		if err := j.syncing.file.Sync(); err != nil {
			j.fail(fmt.Errorf("syncing the last segment: %w", err))
		}
	}
	return j.failure
}
