package journal_test

import (
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"tollgate/internal/journal"
	"tollgate/internal/journal/journaltest"
	"tollgate/internal/testseed"
)

// machineConfig is a journal on the machine's own disk.
func machineConfig(t testing.TB, level journal.Durability) journal.Config {
	return journal.Config{
		Directory: filepath.Join(t.TempDir(), "journal"), Durability: level,
		SegmentBytes: 4 << 20, ReserveBytes: 1, Fatal: func(err error) { t.Error(err) },
	}
}

// start opens a journal, replays it and begins the next epoch.
func start(t testing.TB, config journal.Config) *journal.Journal {
	t.Helper()
	j, err := journal.Open(config)
	if err == nil {
		err = j.Replay(func(journal.Record) error { return nil })
	}
	if err == nil {
		_, epoch := j.Last()
		err = j.Begin(epoch+1, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func mustClose(t testing.TB, j *journal.Journal) {
	t.Helper()
	if err := j.Close(); err != nil {
		t.Error(err)
	}
}

// TestValidateSaysEverything proves that a configuration that cannot be is
// refused, with everything that is wrong, and "replicated" above all.
func TestValidateSaysEverything(t *testing.T) {
	config := journal.Config{Durability: journal.Replicated, SegmentBytes: 1000}
	err := config.Validate()
	if err == nil {
		t.Fatal("accepted")
	}
	for _, want := range []string{"directory is empty", "does not exist yet", "1000 bytes", "no Fatal"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not say %q", err, want)
		}
	}
	if _, err := journal.Open(config); err == nil {
		t.Error("Open accepts what Validate refuses")
	}
	if err := (journal.Config{Directory: "d", Fatal: func(error) {}}).Validate(); err == nil {
		t.Error("no durability is accepted; want one to be chosen")
	}
}

// TestDurabilityNames proves that levels are read by the names they print.
func TestDurabilityNames(t *testing.T) {
	for _, level := range []journal.Durability{journal.Process, journal.Disk, journal.Replicated} {
		var read journal.Durability
		if err := read.UnmarshalText([]byte(level.String())); err != nil || read != level {
			t.Errorf("%q is read as %v, %v", level, read, err)
		}
	}
	var read journal.Durability
	if err := read.UnmarshalText([]byte("none")); err == nil {
		t.Error("\"none\" is a level, want an error")
	}
}

// TestSecondOpenerIsRefused proves that a directory has one writer, and that the
// error names the directory.
func TestSecondOpenerIsRefused(t *testing.T) {
	config := machineConfig(t, journal.Process)
	j := start(t, config)
	_, err := journal.Open(config)
	if !errors.Is(err, journal.ErrLocked) || !strings.Contains(err.Error(), config.Directory) {
		t.Errorf("second opener gets %v, want ErrLocked with the directory", err)
	}
	mustClose(t, j)
	mustClose(t, start(t, config))
}

// TestOrderOfCalls proves that nothing can be appended to a journal that was not
// replayed, and that an epoch is used once.
func TestOrderOfCalls(t *testing.T) {
	w := newWorld(testseed.New(t), journal.Disk)
	w.mustWhole(t, 3)
	j, err := journal.Open(w.config())
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Begin(9, 0); err == nil {
		t.Error("Begin without Replay is accepted")
	}
	planted := errors.New("planted")
	if err := j.Replay(func(journal.Record) error { return planted }); !errors.Is(err, planted) {
		t.Errorf("Replay gives %v, want the error of its function", err)
	}
	if err := j.Replay(func(journal.Record) error { return nil }); err == nil {
		t.Error("a second Replay is accepted")
	}
	mustClose(t, j)
	if j, err = w.recover(); err != nil {
		t.Fatal(err)
	}
	if err := j.Begin(1, 0); err == nil {
		t.Error("epoch 1 is accepted twice")
	}
	mustClose(t, j)
}

// TestAppendAllocatesNothing proves that both ways of appending, and the
// questions that the loop asks, leave the collector alone.
func TestAppendAllocatesNothing(t *testing.T) {
	j := start(t, machineConfig(t, journal.Process))
	defer mustClose(t, j)
	payload := make([]byte, 128)
	allocations := testing.AllocsPerRun(1000, func() {
		j.Append(1, 2, payload)
		copy(j.Reserve(len(payload)), payload)
		j.Commit(1, 2)
		j.Flush()
		if j.Full() || j.Low() || j.Durable() != j.Appended() {
			t.Fatal("a journal with room is full, or low, or behind")
		}
	})
	if allocations != 0 {
		t.Errorf("%v allocations for two records, want 0", allocations)
	}
}

// TestReserve proves that a reservation can be given up, that what was in it does
// not stay, and that the longest payload fits.
func TestReserve(t *testing.T) {
	w := newWorld(testseed.New(t), journal.Process)
	j := start(t, w.config())
	longest := (journal.SegmentBytesMin-journal.HeaderBytes)/4 - journal.RecordHeaderBytes
	for i := range j.Reserve(longest) {
		j.Reserve(longest)[i] = 0xff
	}
	for i := range 3 {
		payload := j.Reserve(longest)
		for k := range payload {
			payload[k] = byte(i + 1)
		}
		if i == 1 {
			payload = j.Reserve(7)
			copy(payload, "seventh")
		}
		j.Commit(uint16(i), 0)
	}
	for name, misuse := range map[string]func(){
		"Commit without Reserve": func() { j.Commit(0, 0) },
		"too long a payload":     func() { j.Reserve(longest + 1) },
	} {
		if !panics(misuse) {
			t.Errorf("%s is accepted", name)
		}
	}
	mustClose(t, j)
	lengths := []int{}
	reader, err := journal.OpenReader(w.disk, directory, 0)
	for err == nil {
		var r journal.Record
		if r, err = reader.Next(); err == nil {
			lengths = append(lengths, len(r.Payload))
		}
	}
	if want := []int{longest, 7, longest}; !errors.Is(err, io.EOF) || !slices.Equal(lengths, want) {
		t.Errorf("payloads of %v bytes and %v, want %v and the end", lengths, err, want)
	}
	if report, err := journal.Verify(w.disk, directory); err != nil || report.Tail.TornBytes != 0 {
		t.Errorf("a closed journal ends torn: %+v, %v", report.Tail, err)
	}
}

func panics(f func()) (panicked bool) {
	defer func() { panicked = recover() != nil }()
	f()
	return false
}

// TestFailureIsFinal proves that whichever operation of the flusher fails, Fatal is
// called once, Durable never moves again, the journal holds its caller back, and
// the next life finds everything that was durable.
func TestFailureIsFinal(t *testing.T) {
	seed := testseed.New(t)
	for _, level := range []journal.Durability{journal.Process, journal.Disk} {
		failures := 0
		for operation := 1; ; operation++ {
			w := newWorld(seed, level)
			w.saveShare = 1 << 30 // a snapshot that fails is not final
			j := start(t, w.config())
			w.journal = j
			w.disk.FailAt = w.disk.Operations() + operation
			err := w.live(j, 200)
			if w.fatal == 0 {
				w.disk.FailAt = 0
				mustClose(t, j)
				break
			}
			failures++
			w.failed(t, j, err)
		}
		if failures < 10 {
			t.Errorf("%s: %d operations failed, want 10 at least", level, failures)
		}
	}
}

// failed looks at a journal that has failed.
func (w *world) failed(t *testing.T, j *journal.Journal, err error) {
	t.Helper()
	durable := j.Durable()
	w.epochs = append(w.epochs, 1)
	sequence := j.Appended() + 1
	j.Append(typeOf(sequence), timeOf(sequence), payloadOf(sequence, 1))
	for range 3 {
		j.Turn()
	}
	if err == nil && !j.Full() || w.fatal != 1 || j.Durable() != durable {
		t.Fatalf("error %v, full %v, Fatal called %d times, durable %d, then %d",
			err, j.Full(), w.fatal, durable, j.Durable())
	}
	if err := j.Close(); !errors.Is(err, syscall.EIO) {
		t.Fatalf("Close gives %v, want the failure", err)
	}
	w.promised = durable
	w.disk.Restart(journaltest.LoseNothing)
	w.mustWhole(t, 10)
}

// TestSnapshotFailureIsHarmless proves that whichever operation of SaveSnapshot and
// Prune fails, the caller is told and the journal goes on.
func TestSnapshotFailureIsHarmless(t *testing.T) {
	seed := testseed.New(t)
	for operation := 1; ; operation++ {
		w := newWorld(seed, journal.Disk)
		j := start(t, w.config())
		w.journal = j
		if err := w.live(j, 200); err != nil {
			t.Fatal(err)
		}
		w.disk.FailAt = w.disk.Operations() + operation
		err := w.save(j)
		if err == nil && w.disk.Operations() < w.disk.FailAt {
			w.disk.FailAt = 0
			mustClose(t, j)
			break
		}
		if !errors.Is(err, syscall.EIO) || w.fatal != 0 {
			t.Fatalf("operation %d: error %v, and %d failures of the journal, want EIO and none", operation, err, w.fatal)
		}
		if err := w.live(j, 50); err != nil {
			t.Fatalf("operation %d: %v", operation, err)
		}
		mustClose(t, j)
		w.mustWhole(t, 10)
	}
}

// TestSegmentsMayGrow proves that another length of segments is for new ones: those
// that are there keep theirs, whichever is longer.
func TestSegmentsMayGrow(t *testing.T) {
	w := newWorld(testseed.New(t), journal.Process)
	next := uint64(1)
	for _, factor := range []int{1, 4, 2, 8, 1} {
		config := w.config()
		config.SegmentBytes *= factor
		j := start(t, config)
		for ; next%150 != 0; next++ {
			j.Append(typeOf(next), timeOf(next), payloadOf(next, 1))
			for j.Turn() {
				continue
			}
		}
		j.Append(typeOf(next), timeOf(next), payloadOf(next, 1))
		next++
		mustClose(t, j)
	}
	report, err := journal.Verify(w.disk, directory)
	lengths := map[int]bool{}
	for _, s := range report.Segments {
		lengths[s.Bytes] = true
	}
	if err != nil || report.LastSequence != next-1 || len(lengths) != 4 {
		t.Errorf("%d records in segments of %v bytes, %v; want %d in four lengths", report.LastSequence, lengths, err, next-1)
	}
}

// TestDiskFullIsForeseen proves that Low is said while there is still room, Full
// when there is none, that neither is a failure, and that both pass.
func TestDiskFullIsForeseen(t *testing.T) {
	w := newWorld(testseed.New(t), journal.Disk)
	w.saveShare = 1 << 30
	w.disk.CapacityBytes = 6 * journal.SegmentBytesMin
	config := w.config()
	config.ReserveBytes = 2 * journal.SegmentBytesMin
	j := start(t, config)
	w.journal = j
	appendUntil := func(what string, holds func() bool) (records int) {
		for ; !holds(); records++ {
			if records == 1000 {
				t.Fatalf("1000 records, and the journal is not %s", what)
			}
			sequence := j.Appended() + 1
			w.epochs = append(w.epochs, 1)
			j.Append(typeOf(sequence), timeOf(sequence), payloadOf(sequence, 1))
			w.waitASecond(j)
		}
		return records
	}
	untilLow := appendUntil("low", j.Low)
	whileLow := appendUntil("full", j.Full)
	if untilLow == 0 || whileLow < 50 {
		t.Errorf("low after %d records and full after %d more, want some and 50 at least", untilLow, whileLow)
	}
	w.disk.CapacityBytes *= 2
	for range 5 {
		w.waitASecond(j)
	}
	if j.Full() || j.Low() || w.fatal != 0 {
		t.Errorf("with a larger disk: full %v, low %v, %d failures", j.Full(), j.Low(), w.fatal)
	}
	if err := w.live(j, 50); err != nil {
		t.Error(err)
	}
	mustClose(t, j)
	w.mustWhole(t, 10)
}

// waitASecond lets the flusher work, and its clock go on far enough for it to look
// at the free space.
func (w *world) waitASecond(j *journal.Journal) {
	for range 4 {
		j.Turn()
	}
	w.clockNs += 1_000_000_000
	j.Turn()
}

// TestFullDiskWhileWriting proves that a disk that turns out to be full while a
// spare is written leaves nothing of it.
func TestFullDiskWhileWriting(t *testing.T) {
	w := newWorld(testseed.New(t), journal.Disk)
	j := start(t, w.config())
	w.journal = j
	w.disk.CapacityBytes = 2*journal.SegmentBytesMin + 100 // what there is, and a bit
	for !j.Full() {
		j.Append(1, 1, make([]byte, 100))
		j.Turn()
	}
	if !j.Low() || w.fatal != 0 {
		t.Errorf("low %v, %d failures, want low and none", j.Low(), w.fatal)
	}
	if !panics(func() {
		for range 1000 {
			j.Append(1, 1, make([]byte, 100))
		}
	}) {
		t.Error("a full journal takes a thousand records")
	}
}

// TestTornTailIsCut proves that what was promised to nobody is cut, and told of
// beforehand.
func TestTornTailIsCut(t *testing.T) {
	w := newWorld(testseed.New(t), journal.Disk)
	w.mustWhole(t, 10)
	report, err := journal.Verify(w.disk, directory)
	if err != nil || report.LastSequence != 10 || report.Tail.TornBytes != 0 {
		t.Fatalf("whole: %+v, %v", report, err)
	}
	name := path.Join(directory, report.Tail.File)
	content := w.disk.Content(name)
	copy(content[report.Tail.Offset+3:], "torn")
	w.disk.SetContent(name, content)
	if report, err = journal.Verify(w.disk, directory); err != nil || report.Tail.TornBytes != 7 {
		t.Errorf("torn: %+v, %v, want 7 torn bytes", report.Tail, err)
	}
	w.mustWhole(t, 10)
	if report, err = journal.Verify(w.disk, directory); err != nil || report.LastSequence != 20 || report.Tail.TornBytes != 0 {
		t.Errorf("cut: %+v, %v, want 20 records and a clean end", report, err)
	}
}

// TestSnapshotRules proves that a snapshot is refused if its record is not
// durable, that one that cannot be written leaves nothing, and that Prune waits
// for enough of them.
func TestSnapshotRules(t *testing.T) {
	w := newWorld(testseed.New(t), journal.Disk)
	j := start(t, w.config())
	w.journal = j
	defer mustClose(t, j)
	w.saveShare = 1 << 30
	if err := w.live(j, 200); err != nil {
		t.Fatal(err)
	}
	j.Append(1, 1, nil)
	nothing := func(io.Writer) error { return nil }
	if err := j.SaveSnapshot(j.Appended(), 0, nothing); err == nil {
		t.Error("a snapshot of a record that is not durable is accepted")
	}
	planted := errors.New("planted")
	if err := j.SaveSnapshot(5, 0, func(io.Writer) error { return planted }); !errors.Is(err, planted) {
		t.Errorf("SaveSnapshot gives %v, want the writer's error", err)
	}
	if names, _ := w.disk.List(directory); slices.ContainsFunc(names, func(name string) bool {
		return strings.Contains(name, "snapshot")
	}) {
		t.Errorf("a failed snapshot leaves %v", names)
	}
	if err := j.Prune(0); err == nil {
		t.Error("Prune that keeps nothing is accepted")
	}
	first := func() uint64 {
		report, err := journal.Verify(w.disk, directory)
		if err != nil {
			t.Fatal(err)
		}
		return report.FirstSequence
	}
	for i, sequence := range []uint64{150, 190} {
		if got := first(); got != 1 {
			t.Errorf("after %d snapshots the journal begins with record %d, want 1", i, got)
		}
		if err := errors.Join(j.SaveSnapshot(sequence, 0, nothing), j.Prune(2)); err != nil {
			t.Fatal(err)
		}
	}
	if got := first(); got == 1 || got > 151 {
		t.Errorf("after two snapshots the journal begins with record %d, want 2 to 151", got)
	}
}

// TestSnapshotIsDurable proves that a snapshot is there after a loss of power when
// SaveSnapshot has returned, at any level, and so are the records that it knows of.
func TestSnapshotIsDurable(t *testing.T) {
	for _, level := range []journal.Durability{journal.Process, journal.Disk} {
		w := newWorld(testseed.New(t), level)
		j := start(t, w.config())
		w.journal = j
		w.saveShare = 1 << 30
		err := w.live(j, 100)
		saved := j.Durable()
		if err == nil {
			err = w.save(j)
		}
		if err != nil {
			t.Fatal(err)
		}
		w.disk.Restart(journaltest.LoseUnsynced)
		report, err := journal.Verify(w.disk, directory)
		if err != nil || len(report.Snapshots) != 1 || report.Snapshots[0].Sequence != saved || report.LastSequence < saved {
			t.Errorf("%s: snapshots %+v and records up to %d, %v; want both up to %d",
				level, report.Snapshots, report.LastSequence, err, saved)
		}
	}
}

// TestLiveJournal proves on the machine's own disk, with the flusher's goroutine,
// that everything becomes durable, and that readers beside it see nothing but
// whole records, while segments roll and are pruned.
func TestLiveJournal(t *testing.T) {
	for _, level := range []journal.Durability{journal.Process, journal.Disk} {
		t.Run(level.String(), func(t *testing.T) { appendBesideReaders(t, level) })
	}
}

func appendBesideReaders(t *testing.T, level journal.Durability) {
	config := machineConfig(t, level)
	config.SegmentBytes = 64 << 10
	durable := make(chan struct{}, 1)
	config.Wake = func() {
		select {
		case durable <- struct{}{}:
		default:
		}
	}
	j := start(t, config)
	var ended atomic.Bool
	result := make(chan error)
	go func() { result <- readRepeatedly(config.Directory, &ended) }()
	const records = 10_000
	for j.Appended() < records {
		if j.Full() {
			j.Flush()
			continue
		}
		sequence := j.Appended() + 1
		j.Append(typeOf(sequence), timeOf(sequence), payloadOf(sequence, 1))
		if sequence%50 == 0 {
			j.Flush()
		}
	}
	j.Flush()
	for j.Durable() < records {
		<-durable
	}
	ended.Store(true)
	if err := <-result; err != nil {
		t.Error(err)
	}
	stats := j.Stats()
	mustClose(t, j)
	if stats.Records != records || stats.Segments < 10 || level == journal.Disk && stats.Groups == 0 {
		t.Errorf("stats are %+v", stats)
	}
	t.Logf("%d segments, %d groups of up to %d records", stats.Segments, stats.Groups, stats.GroupRecordsMax)
	report, err := journal.Verify(journal.Machine{}, config.Directory)
	if err != nil || report.LastSequence != records || report.Promised != records {
		t.Errorf("the journal ends with record %d, %d were promised, %v", report.LastSequence, report.Promised, err)
	}
}

// readRepeatedly reads a live journal again and again, and once more when it has
// ended.
func readRepeatedly(directory string, ended *atomic.Bool) error {
	for last := false; !last; {
		last = ended.Load()
		reader, err := journal.OpenReader(journal.Machine{}, directory, 0)
		for sequence := uint64(1); err == nil; sequence++ {
			var r journal.Record
			if r, err = reader.Next(); err == nil {
				err = sameRecord(r, sequence, 1)
			}
		}
		if !errors.Is(err, io.EOF) {
			return fmt.Errorf("reading beside the writer: %w", err)
		}
	}
	return nil
}

// TestLossIsByTheSeed proves that two disks with the same seed lose the same, so
// that a failing seed says everything.
func TestLossIsByTheSeed(t *testing.T) {
	seed := testseed.New(t)
	content := func() (all []string) {
		w := newWorld(seed, journal.Disk)
		w.disk.CrashAt = 60
		_, _ = w.whole(crashRecords)
		w.disk.Restart(journaltest.LoseSome)
		names, _ := w.disk.List(directory)
		for _, name := range names {
			all = append(all, name, string(w.disk.Content(path.Join(directory, name))))
		}
		return all
	}
	if !slices.Equal(content(), content()) {
		t.Error("the same seed leaves two different disks")
	}
}
