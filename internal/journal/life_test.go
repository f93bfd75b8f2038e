package journal_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"testing"

	"tollgate/internal/journal"
	"tollgate/internal/journal/journaltest"
)

// directory is where journals are on simulated disks.
const directory = "/journal"

// payloadOf returns what a record of the tests holds: anybody who knows its
// number and its epoch can tell.
func payloadOf(sequence uint64, epoch uint32) []byte {
	random := rand.New(rand.NewPCG(sequence, uint64(epoch)))
	payload := make([]byte, random.IntN(400))
	for i := range payload {
		payload[i] = byte(random.Uint32())
	}
	return payload
}

func typeOf(sequence uint64) uint16 { return uint16(sequence % 5) }

func timeOf(sequence uint64) int64 { return int64(sequence) * 1000 }

// hashOf is the state of the tests: what all epochs up to a record come to.
func hashOf(epochs []uint32) uint64 {
	hash := fnv.New64a()
	_ = binary.Write(hash, binary.LittleEndian, epochs)
	return hash.Sum64()
}

// world is a journal on a simulated disk together with what must be in it.
type world struct {
	disk     *journaltest.Disk
	random   *rand.Rand
	level    journal.Durability
	clockNs  int64
	epochs   []uint32 // of each record that was appended, in order
	promised uint64   // the last that somebody could have been answered for
	fatal    int
	journal  *journal.Journal

	// saveShare is one over the share of records after which a snapshot is taken.
	saveShare int
}

func newWorld(seed uint64, level journal.Durability) *world {
	return &world{disk: journaltest.New(seed), random: rand.New(rand.NewPCG(seed, 1)), level: level, saveShare: 40}
}

func (w *world) config() journal.Config {
	return journal.Config{
		Directory: directory, Durability: w.level, SegmentBytes: journal.SegmentBytesMin,
		UndurableRecordsMax: 40, ReserveBytes: 1, Manual: true, FS: w.disk,
		Random: rand.NewChaCha8([32]byte{byte(w.random.Uint32())}),
		Fatal:  func(error) { w.fatal++ },
		Wake: func() {
			if w.journal != nil {
				w.promised = w.journal.Durable()
			}
		},
		ClockNs: func() int64 {
			w.clockNs += 2_000_000
			return w.clockNs
		},
	}
}

// recover opens and replays the journal and compares it with what must be in it.
// Records beyond the end are forgotten, as their engine is.
func (w *world) recover() (*journal.Journal, error) {
	j, err := journal.Open(w.config())
	if err != nil {
		return nil, err
	}
	last, err := w.checkSnapshot(j)
	if err == nil {
		err = j.Replay(func(r journal.Record) error {
			last++
			return w.checkRecord(r, last)
		})
	}
	if err == nil && last < w.promised {
		err = fmt.Errorf("the journal ends with record %d, and %d were promised", last, w.promised)
	}
	if err != nil {
		return nil, errors.Join(err, j.Close())
	}
	w.epochs = w.epochs[:last]
	w.journal = j
	return j, nil
}

func (w *world) checkRecord(r journal.Record, sequence uint64) error {
	if r.Sequence != sequence || sequence > uint64(len(w.epochs)) {
		return fmt.Errorf("record %d comes as number %d of %d", r.Sequence, sequence, len(w.epochs))
	}
	return sameRecord(r, sequence, w.epochs[sequence-1])
}

// sameRecord compares a record with what the tests append under that number.
func sameRecord(r journal.Record, sequence uint64, epoch uint32) error {
	if r.Sequence != sequence || r.Epoch != epoch || r.Type != typeOf(sequence) || r.TimeNs != timeOf(sequence) ||
		!bytes.Equal(r.Payload, payloadOf(sequence, epoch)) {
		return fmt.Errorf("record %d of epoch %d is not what was appended: %+v", sequence, epoch, r)
	}
	return nil
}

// checkSnapshot reads the snapshot that recovery begins with and returns its
// record.
func (w *world) checkSnapshot(j *journal.Journal) (sequence uint64, err error) {
	snapshot, ok := j.Snapshot()
	if !ok {
		return 0, nil
	}
	if snapshot.Sequence > uint64(len(w.epochs)) {
		return 0, fmt.Errorf("snapshot of record %d, and %d were appended", snapshot.Sequence, len(w.epochs))
	}
	reader, err := snapshot.Open()
	if err != nil {
		return 0, err
	}
	content, err := io.ReadAll(reader)
	if err = errors.Join(err, reader.Close()); err != nil {
		return 0, err
	}
	want := w.epochs[:snapshot.Sequence]
	if snapshot.Hash != hashOf(want) || !bytes.Equal(content, stateOf(want)) {
		return 0, fmt.Errorf("snapshot of record %d is not what was saved", snapshot.Sequence)
	}
	return snapshot.Sequence, nil
}

// stateOf is what a snapshot holds; now and then it takes more than a block.
func stateOf(epochs []uint32) []byte {
	state := binary.LittleEndian.AppendUint64(nil, hashOf(epochs))
	if len(epochs)%3 == 0 {
		state = append(state, bytes.Repeat([]byte{7}, 70<<10)...)
	}
	return state
}

// begin starts the next epoch.
func (w *world) begin(j *journal.Journal) error {
	_, epoch := j.Last()
	if err := j.Begin(epoch+1, timeOf(j.Appended())); err != nil {
		return err
	}
	w.promised = max(w.promised, j.Durable())
	return nil
}

// live appends, syncs, snapshots and prunes at random.
func (w *world) live(j *journal.Journal, records int) error {
	_, before := j.Last()
	for range records {
		for turns := 0; j.Full(); turns++ {
			j.Turn()
			if w.fatal > 0 || turns > 10 {
				return fmt.Errorf("journal is full after %d turns and %d failures", turns, w.fatal)
			}
		}
		sequence := j.Appended() + 1
		if got := w.append(j, sequence, before+1); got != sequence {
			return fmt.Errorf("appended as %d, want %d", got, sequence)
		}
		w.promised = j.Durable()
		if w.random.IntN(3) == 0 {
			j.Turn()
		}
		if w.random.IntN(w.saveShare) == 0 {
			if err := w.save(j); err != nil {
				return err
			}
		}
	}
	return nil
}

// append appends in one way or the other. The flusher may work between Reserve and
// Commit, whatever Reserve has done.
func (w *world) append(j *journal.Journal, sequence uint64, epoch uint32) uint64 {
	payload := payloadOf(sequence, epoch)
	if w.random.IntN(2) == 0 {
		w.epochs = append(w.epochs, epoch)
		return j.Append(typeOf(sequence), timeOf(sequence), payload)
	}
	room := j.Reserve(len(payload))
	if w.random.IntN(2) == 0 {
		j.Turn()
	}
	copy(room, payload)
	w.epochs = append(w.epochs, epoch)
	return j.Commit(typeOf(sequence), timeOf(sequence))
}

// save takes a snapshot of what is durable, and prunes.
func (w *world) save(j *journal.Journal) error {
	state := w.epochs[:j.Durable()]
	err := j.SaveSnapshot(j.Durable(), hashOf(state), func(out io.Writer) error {
		_, err := out.Write(stateOf(state))
		return err
	})
	if err != nil {
		return err
	}
	return j.Prune(2)
}

// whole is one life from recovery to Close. The result says whether the disk
// crashed on the way.
func (w *world) whole(records int) (crashed bool, err error) {
	return attempt(func() error {
		j, err := w.reborn()
		if err != nil {
			return err
		}
		if err := w.live(j, records); err != nil {
			return err
		}
		return j.Close()
	})
}

// reborn is a life up to where it can append.
func (w *world) reborn() (*journal.Journal, error) {
	j, err := w.recover()
	if err != nil {
		return nil, err
	}
	return j, w.begin(j)
}

// attempt does something in which the disk may crash, and says whether it did.
func attempt(do func() error) (crashed bool, err error) {
	defer func() {
		if r := recover(); r != nil {
			if _, crashed = r.(journaltest.Crash); !crashed {
				panic(r)
			}
		}
	}()
	return false, do()
}

// mustWhole is whole where nothing crashes.
func (w *world) mustWhole(t *testing.T, records int) {
	t.Helper()
	if crashed, err := w.whole(records); crashed || err != nil {
		t.Fatalf("a life without faults: crashed %v, error %v", crashed, err)
	}
	w.promised = uint64(len(w.epochs))
}
