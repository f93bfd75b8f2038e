package journal

import "fmt"

// Prune removes all but the newest snapshots that verify, keep of them, and the
// segments that lie wholly before the oldest it keeps. As long as there are fewer,
// it removes nothing. Anybody may call it.
//
// Removing goes on in small durable steps, snapshots first and then segments, the
// oldest first: wherever it is cut off, every snapshot that is left has the
// records behind it, and no segment is missing between two others.
func (j *Journal) Prune(keep int) error {
	if keep < 1 {
		return fmt.Errorf("journal: prune keeps %d snapshots, want at least 1", keep)
	}
	j.snapshots.Lock()
	defer j.snapshots.Unlock()
	d, err := readLive(j.config.FS, j.config.Directory)
	if err != nil {
		return err
	}
	kept, found := j.oldestKept(d, keep)
	if !found {
		return nil
	}
	for _, sequence := range d.snapshots {
		if sequence < kept {
			if err := j.remove(snapshotName(sequence)); err != nil {
				return err
			}
		}
	}
	for i := 0; i+1 < len(d.segments); i++ {
		next := &d.segments[i+1]
		if next.name == spareName || next.header.first > kept+1 {
			return nil
		}
		if err := j.remove(d.segments[i].name); err != nil {
			return err
		}
	}
	return nil
}

// oldestKept returns the sequence of the oldest of the newest snapshots that
// verify, if there are enough of them.
func (j *Journal) oldestKept(d *directory, keep int) (sequence uint64, found bool) {
	for i := len(d.snapshots) - 1; i >= 0; i-- {
		if _, err := verifySnapshot(d.files, d.path, snapshotName(d.snapshots[i])); err != nil {
			continue
		}
		if keep--; keep == 0 {
			return d.snapshots[i], true
		}
	}
	return 0, false
}

// remove removes a file for good.
func (j *Journal) remove(name string) error {
	err := j.config.FS.Remove(j.path(name))
	if err == nil {
		err = j.config.FS.SyncDirectory(j.config.Directory)
	}
	if err != nil {
		return fmt.Errorf("journal: pruning: %w", err)
	}
	return nil
}
