package journal_test

import (
	"errors"
	"testing"

	"tollgate/internal/journal"
	"tollgate/internal/journal/journaltest"
	"tollgate/internal/testseed"
)

// losses are what a crash may cost.
var losses = []journaltest.Loss{journaltest.LoseNothing, journaltest.LoseUnsynced, journaltest.LoseSome}

const crashRecords = 300

// TestEveryCrashPointAtDisk proves that a journal survives a crash before every
// operation that changes the disk, whatever part of the unsynced data is lost, and
// a second crash while it recovers: what was durable is there, in order, and
// nothing else than what was appended.
func TestEveryCrashPointAtDisk(t *testing.T) {
	seed := testseed.New(t)
	points := crashPoints(t, seed, journal.Disk)
	crashes := 0
	for point := 1; point <= points; point += stride(t, 7) {
		for _, loss := range losses {
			w := newWorld(seed, journal.Disk)
			w.disk.CrashAt = point
			if crashed, err := w.whole(crashRecords); !crashed || err != nil {
				t.Fatalf("operation %d: crashed %v, error %v", point, crashed, err)
			}
			crashes += crashAgain(t, w, loss, point)
		}
	}
	t.Logf("%d operations, %d crashes", points, crashes)
}

// crashAgain recovers, with another crash on the way, and lives on.
func crashAgain(t *testing.T, w *world, loss journaltest.Loss, point int) (crashes int) {
	t.Helper()
	w.disk.Restart(loss)
	w.disk.CrashAt = w.disk.Operations() + 1 + w.random.IntN(30)
	crashed, err := w.whole(10)
	if err != nil {
		t.Fatalf("crash before operation %d, loss %d: %v", point, loss, err)
	}
	crashes = 1
	if crashed {
		crashes++
		w.disk.Restart(losses[w.random.IntN(len(losses))])
	}
	w.disk.CrashAt = 0
	for range 2 {
		if _, err := w.whole(20); err != nil {
			t.Fatalf("crash before operation %d, loss %d, and another in recovery: %v", point, loss, err)
		}
	}
	return crashes
}

// crashPoints returns how many operations a life has that does not crash.
func crashPoints(t *testing.T, seed uint64, level journal.Durability) int {
	t.Helper()
	w := newWorld(seed, level)
	w.mustWhole(t, crashRecords)
	return w.disk.Operations()
}

// stride returns how many points a short test moves on by.
func stride(t *testing.T, short int) int {
	t.Helper()
	if testing.Short() {
		return short
	}
	return 1
}

// TestEveryCrashPointInRecovery proves the same of recovery after the death of a
// process, when nothing that it left has to be on the disk yet: the power fails
// before every operation of Begin, and right after it.
func TestEveryCrashPointInRecovery(t *testing.T) {
	seed := testseed.New(t)
	crashes := 0
	w := newWorld(seed, journal.Disk)
	w.mustWhole(t, recoveryRecords)
	for point := 1; point <= w.disk.Operations(); point += stride(t, 5) {
		for operation := 1; crashInRecovery(t, seed, point, operation); operation++ {
			crashes++
		}
	}
	t.Logf("%d crashes", crashes)
}

const recoveryRecords = 150

// crashInRecovery lets a process die at the point, and the power fail before an
// operation of the recovery after it or, if there are fewer, at its end. It says
// which.
func crashInRecovery(t *testing.T, seed uint64, point, operation int) (crashed bool) {
	t.Helper()
	w := newWorld(seed, journal.Disk)
	w.disk.CrashAt = point
	if crashed, err := w.whole(recoveryRecords); !crashed || err != nil {
		t.Fatalf("operation %d: crashed %v, error %v", point, crashed, err)
	}
	w.disk.Restart(journaltest.LoseNothing)
	w.disk.CrashAt = w.disk.Operations() + operation
	crashed, err := attempt(func() error {
		_, err := w.reborn()
		return err
	})
	for range 2 {
		w.disk.Restart(losses[1+w.random.IntN(2)])
		if err == nil {
			_, err = w.whole(20)
		}
	}
	if err != nil {
		t.Fatalf("death before operation %d, and a loss of power in the recovery before operation %d: %v", point, operation, err)
	}
	return crashed
}

// TestEveryCrashPointAtProcess proves that at Process the death of the process
// costs not one appended record, and that a loss of power is either survived or
// refused, and never makes another past.
func TestEveryCrashPointAtProcess(t *testing.T) {
	seed := testseed.New(t)
	points := crashPoints(t, seed, journal.Process)
	refused := 0
	for point := 1; point <= points; point += stride(t, 7) {
		for _, loss := range losses {
			w := newWorld(seed, journal.Process)
			w.disk.CrashAt = point
			if crashed, err := w.whole(crashRecords); !crashed || err != nil {
				t.Fatalf("operation %d: crashed %v, error %v", point, crashed, err)
			}
			if loss == journaltest.LoseNothing {
				crashAgainByDeath(t, w, point)
				continue
			}
			w.disk.Restart(loss)
			w.promised = 0
			_, err := w.whole(20)
			if corruption := (*journal.CorruptionError)(nil); errors.As(err, &corruption) {
				refused++
				w.cut(t)
			} else if err != nil {
				t.Fatalf("power lost before operation %d, loss %d: %v", point, loss, err)
			}
		}
	}
	t.Logf("%d operations, %d losses of power refused", points, refused)
}

// cut gives up what is lost, with a crash on the way, and lives on.
func (w *world) cut(t *testing.T) {
	t.Helper()
	lost := uint64(0)
	w.disk.CrashAt = w.disk.Operations() + 1 + w.random.IntN(8)
	for {
		crashed, err := attempt(func() (err error) {
			lost, err = journal.Cut(w.disk, directory)
			return err
		})
		if err != nil {
			t.Fatalf("cutting: %v", err)
		}
		if !crashed {
			break
		}
		w.disk.Restart(losses[w.random.IntN(len(losses))])
	}
	w.disk.CrashAt = 0
	if _, err := w.whole(20); err != nil {
		t.Fatalf("%d records were cut, and then: %v", lost, err)
	}
	if lost, err := journal.Cut(w.disk, directory); lost != 0 || err != nil {
		t.Fatalf("Cut takes %d records of a whole journal, %v", lost, err)
	}
}

// crashAgainByDeath recovers with another death on the way.
func crashAgainByDeath(t *testing.T, w *world, point int) {
	t.Helper()
	w.promised = uint64(len(w.epochs))
	w.disk.Restart(journaltest.LoseNothing)
	w.disk.CrashAt = w.disk.Operations() + 1 + w.random.IntN(12)
	if _, err := w.whole(10); err != nil {
		t.Fatalf("death before operation %d: %v", point, err)
	}
	w.disk.Restart(journaltest.LoseNothing)
	if _, err := w.whole(20); err != nil {
		t.Fatalf("death before operation %d and another in recovery: %v", point, err)
	}
}

// TestLyingDiskIsNoticed proves that the crash points would find a journal that
// forgot to sync its files or its directory.
func TestLyingDiskIsNoticed(t *testing.T) {
	seed := testseed.New(t)
	lies := map[string]func(*journaltest.Disk){
		"files":     func(d *journaltest.Disk) { d.LieOnSync = true },
		"directory": func(d *journaltest.Disk) { d.LieOnSyncDirectory = true },
	}
	points := crashPoints(t, seed, journal.Disk)
	for name, lie := range lies {
		noticed := 0
		for point := 1; point <= points; point += 7 {
			w := newWorld(seed, journal.Disk)
			lie(w.disk)
			w.disk.CrashAt = point
			_, _ = w.whole(crashRecords)
			w.disk.Restart(journaltest.LoseUnsynced)
			if _, err := w.recover(); err != nil {
				noticed++
			}
		}
		if noticed == 0 {
			t.Errorf("syncs of %s do nothing, and no crash shows it", name)
		}
	}
}
