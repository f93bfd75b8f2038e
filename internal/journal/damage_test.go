package journal_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"path"
	"testing"

	"tollgate/internal/journal"
	"tollgate/internal/journal/journaltest"
	"tollgate/internal/testseed"
)

// damages are the ways in which the tests damage a file's content. Those that
// change nothing give false.
var damages = map[string]func(random *rand.Rand, content []byte) (damaged []byte, changed bool){
	"bit flip": func(random *rand.Rand, content []byte) ([]byte, bool) {
		content[random.IntN(len(content))] ^= 1 << random.IntN(8)
		return content, true
	},
	"truncation": func(random *rand.Rand, content []byte) ([]byte, bool) {
		return content[:random.IntN(len(content))], true
	},
	"zeroed sector": func(random *rand.Rand, content []byte) ([]byte, bool) {
		return content, overwrite(random, content, func() byte { return 0 })
	},
	"garbage sector": func(random *rand.Rand, content []byte) ([]byte, bool) {
		return content, overwrite(random, content, func() byte { return byte(random.Uint32()) })
	},
}

// overwrite writes a sector and says whether anything has changed.
func overwrite(random *rand.Rand, content []byte, value func() byte) (changed bool) {
	at := random.IntN((len(content)+journaltest.SectorBytes-1)/journaltest.SectorBytes) * journaltest.SectorBytes
	for i := at; i < min(at+journaltest.SectorBytes, len(content)); i++ {
		was := content[i]
		content[i] = value()
		changed = changed || content[i] != was
	}
	return changed
}

// TestDamageIsNeverAccepted proves that damage anywhere in a journal is either
// found or harmless: every record that was promised is there unaltered, or
// recovery refuses to start. Harmless are the zeros behind the last record, the
// marks, and what a second copy makes up for: snapshots. Journals are left by
// Close, and by a death that no sync came before.
func TestDamageIsNeverAccepted(t *testing.T) {
	seed := testseed.New(t)
	perKind := 3000
	if testing.Short() {
		perKind = 200
	}
	for _, level := range []journal.Durability{journal.Process, journal.Disk} {
		for name, damage := range damages {
			w := newWorld(seed+uint64(level), level)
			w.die(t)
			found := 0
			for range perKind {
				found += w.damage(t, name, damage)
			}
			t.Logf("%s, %s: %d times, %d refused", level, name, perKind, found)
			if found == 0 || found == perKind {
				t.Errorf("%s, %s: %d of %d were refused, want some", level, name, found, perKind)
			}
		}
	}
}

// die leaves a journal with segments and snapshots whose last life ended without
// Close, and the one before with it.
func (w *world) die(t *testing.T) {
	t.Helper()
	w.mustWhole(t, 200)
	j, err := w.recover()
	if err == nil {
		err = w.begin(j)
	}
	if err == nil {
		err = w.live(j, 100)
	}
	if err != nil {
		t.Fatalf("a life without faults: %v", err)
	}
	w.disk.Restart(journaltest.LoseNothing)
}

// damage damages one file, looks what happens, and repairs it. It returns 1 if
// the damage was refused.
func (w *world) damage(t *testing.T, kind string, damage func(*rand.Rand, []byte) ([]byte, bool)) int {
	t.Helper()
	names, _ := w.disk.List(directory)
	name := path.Join(directory, names[w.random.IntN(len(names))])
	content := w.disk.Content(name)
	if len(content) == 0 {
		return 0
	}
	// Half of the damage is done where there is something, and not in zeros.
	used := len(content)
	if w.random.IntN(2) == 0 {
		used = max(1, len(bytes.TrimRight(content, "\x00")))
	}
	damaged, changed := damage(w.random, bytes.Clone(content[:used]))
	if !changed {
		return 0
	}
	if len(damaged) == used {
		damaged = append(damaged, content[used:]...)
	}
	w.disk.SetContent(name, damaged)
	defer w.disk.SetContent(name, content)
	epochs := w.epochs
	defer func() { w.epochs = epochs }()
	w.checkReader(t, kind, name)
	j, err := w.recover()
	if err == nil {
		_ = j.Close()
		return 0
	}
	requireCorruption(t, err)
	return 1
}

// checkReader proves the same of whoever only reads.
func (w *world) checkReader(t *testing.T, kind, name string) {
	t.Helper()
	reader, err := journal.OpenReader(w.disk, directory, 0)
	last, started := uint64(0), false
	for err == nil {
		var r journal.Record
		if r, err = reader.Next(); err != nil {
			break
		}
		if !started {
			last, started = r.Sequence-1, true
		}
		last++
		err = w.checkRecord(r, last)
	}
	if corruption := (*journal.CorruptionError)(nil); errors.As(err, &corruption) {
		return
	}
	if !errors.Is(err, io.EOF) || last < w.promised {
		t.Fatalf("%s in %s: reading ends with record %d of %d and %v", kind, name, last, w.promised, err)
	}
}

// TestRecoveredRecordsArePromised proves that a record that was not durable when
// its process died, and was replayed by the next one, can be answered for from
// then on: damage to it is no torn end any more.
func TestRecoveredRecordsArePromised(t *testing.T) {
	w := newWorld(testseed.New(t), journal.Disk)
	j := start(t, w.config())
	for sequence := uint64(1); sequence <= 3; sequence++ {
		w.epochs = append(w.epochs, 1)
		j.Append(typeOf(sequence), timeOf(sequence), payloadOf(sequence, 1))
	}
	w.disk.Restart(journaltest.LoseNothing)
	j, err := w.recover()
	if err == nil {
		err = w.begin(j)
	}
	if err != nil || j.Durable() != 3 {
		t.Fatalf("recovered: %v, durable up to %d, want 3", err, j.Durable())
	}
	w.disk.Restart(journaltest.LoseUnsynced)
	report, err := journal.Verify(w.disk, directory)
	if err != nil || report.LastSequence != 3 {
		t.Fatalf("after a loss of power: record %d is the last, %v; want 3", report.LastSequence, err)
	}
	name := path.Join(directory, report.Tail.File)
	content := w.disk.Content(name)
	content[report.Tail.Offset-journal.RecordHeaderBytes] ^= 1
	w.disk.SetContent(name, content)
	_, err = w.recover()
	requireCorruption(t, err)
}

// TestMissingFileIsNoticed proves that no segment can disappear: neither the
// newest nor the oldest nor one between.
func TestMissingFileIsNoticed(t *testing.T) {
	w := newWorld(testseed.New(t), journal.Process)
	w.saveShare = 1 << 30
	w.die(t)
	report, err := journal.Verify(w.disk, directory)
	if err != nil || len(report.Segments) < 3 {
		t.Fatalf("a whole journal: %d segments, %v", len(report.Segments), err)
	}
	for _, s := range report.Segments {
		name := path.Join(directory, s.Name)
		content := w.disk.Content(name)
		w.disk.Delete(name)
		epochs := w.epochs
		_, err := w.recover()
		requireCorruption(t, err)
		w.epochs = epochs
		w.disk.Restart(journaltest.LoseNothing)
		w.disk.SetContent(name, content)
	}
}

// TestForeignRecordsAreRefused proves that records verify only where they were
// written: those of another journal do not, though they have the right numbers and
// are whole.
func TestForeignRecordsAreRefused(t *testing.T) {
	seed := testseed.New(t)
	name := path.Join(directory, "00000000000000000001.journal")
	other := newWorld(seed, journal.Disk)
	other.mustWhole(t, 0)
	other.mustWhole(t, 20) // the same numbers in epoch 2
	w := newWorld(seed+1, journal.Disk)
	w.mustWhole(t, 20)
	content := append(w.disk.Content(name)[:journal.HeaderBytes], other.disk.Content(name)[journal.HeaderBytes:]...)
	w.disk.SetContent(name, content)
	_, err := w.recover()
	requireCorruption(t, err)
}

// TestOlderSnapshotIsUsed proves that a damaged snapshot costs nothing but time,
// and is told of.
func TestOlderSnapshotIsUsed(t *testing.T) {
	w := newWorld(testseed.New(t), journal.Disk)
	w.die(t)
	report, err := journal.Verify(w.disk, directory)
	if err != nil || len(report.Snapshots) < 2 {
		t.Fatalf("a whole journal: %d snapshots, %v", len(report.Snapshots), err)
	}
	newest := path.Join(directory, report.Snapshots[len(report.Snapshots)-1].Name)
	content := w.disk.Content(newest)
	content[len(content)-1] ^= 1
	w.disk.SetContent(newest, content)
	j, err := w.recover()
	if err != nil {
		t.Fatalf("newest snapshot damaged: %v", err)
	}
	snapshot, _ := j.Snapshot()
	if want := report.Snapshots[len(report.Snapshots)-2].Sequence; snapshot.Sequence != want || len(j.Damaged()) != 1 {
		t.Errorf("snapshot %d is used, and %v is reported, want %d and one", snapshot.Sequence, j.Damaged(), want)
	}
	report, err = journal.Verify(w.disk, directory)
	if err != nil || report.Snapshots[len(report.Snapshots)-1].Problem == "" {
		t.Errorf("the damaged snapshot is not in the report: %+v, %v", report.Snapshots, err)
	}
	// Prune does not count it either: the older one is all there is.
	if err := errors.Join(w.begin(j), j.Prune(2), j.Prune(1), j.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err = w.recover(); err != nil {
		t.Errorf("after Prune: %v", err)
	}
}

// flicker is a disk on which every segment is read while its last record is being
// written: the first time, some of it is not there yet.
type flicker struct {
	*journaltest.Disk
	reads map[string]int
}

func (f *flicker) OpenRead(name string) (journal.File, error) {
	file, err := f.Disk.OpenRead(name)
	return &flickeringFile{file, f, name}, err
}

type flickeringFile struct {
	journal.File
	disk *flicker
	name string
}

func (f *flickeringFile) ReadAt(content []byte, offset int64) (int, error) {
	n, err := f.File.ReadAt(content, offset)
	if len(content) > journal.HeaderBytes {
		f.disk.reads[f.name]++
		if f.disk.reads[f.name] == 1 {
			content[len(bytes.TrimRight(content, "\x00"))-1] = 0
		}
	}
	return n, err
}

// TestRecordOnItsWay proves that a reader that meets a record while it is being
// written takes it for neither torn nor corrupt.
func TestRecordOnItsWay(t *testing.T) {
	w := newWorld(testseed.New(t), journal.Process)
	w.mustWhole(t, 20)
	disk := &flicker{w.disk, map[string]int{}}
	report, err := journal.Verify(disk, directory)
	if err != nil || report.LastSequence != 20 || report.Tail.TornBytes != 0 {
		t.Errorf("record %d is the last, %d bytes are torn, %v; want 20 and none",
			report.LastSequence, report.Tail.TornBytes, err)
	}
}
