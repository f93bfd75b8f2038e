package journal_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"testing"

	"tollgate/internal/journal"
	"tollgate/internal/testseed"
)

// victimVariable tells a process of the tests that it is to append to the journal
// in the directory that the variable names, until it is killed.
const victimVariable = "TOLLGATE_JOURNAL_VICTIM"

const victimSegmentBytes = 256 << 10

// beVictim appends for ever and prints the number of every record of which
// Durable has told.
func beVictim(directory string) int {
	level := journal.Process
	if os.Getenv(victimVariable+"_DISK") != "" {
		level = journal.Disk
	}
	durable := make(chan struct{}, 1)
	j, err := journal.Open(journal.Config{
		Directory: directory, Durability: level, SegmentBytes: victimSegmentBytes, ReserveBytes: 1,
		Fatal: func(err error) { fmt.Fprintln(os.Stderr, err); os.Exit(1) },
		Wake: func() {
			select {
			case durable <- struct{}{}:
			default:
			}
		},
	})
	if err == nil {
		err = j.Replay(func(journal.Record) error { return nil })
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	_, before := j.Last()
	if err := j.Begin(before+1, 0); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	fmt.Println(j.Durable())
	for {
		for batch := 0; batch < 20 && !j.Full(); batch++ {
			sequence := j.Appended() + 1
			j.Append(typeOf(sequence), timeOf(sequence), payloadOf(sequence, before+1))
		}
		j.Flush()
		if j.Full() || j.Durable() < j.Appended() {
			<-durable
		}
		fmt.Println(j.Durable())
	}
}

// TestKilledProcess proves that kill -9 of the process that appends costs no
// record of which Durable had told, over many lives of one journal, and that
// nothing is in it but what was appended.
func TestKilledProcess(t *testing.T) {
	for _, disk := range []string{"", "yes"} {
		t.Run("disk="+disk, func(t *testing.T) { killRepeatedly(t, disk) })
	}
}

func killRepeatedly(t *testing.T, disk string) {
	random := rand.New(rand.NewPCG(testseed.New(t), 0))
	directory := t.TempDir()
	lives := 12
	if testing.Short() {
		lives = 3
	}
	for life := range lives {
		told := killOne(t, directory, disk, 1+random.IntN(200))
		report, err := journal.Verify(journal.Machine{}, directory)
		if err != nil {
			t.Fatalf("life %d: %v", life, err)
		}
		if report.LastSequence < told {
			t.Fatalf("life %d: the journal ends with record %d, and %d was told of", life, report.LastSequence, told)
		}
		checkRecords(t, directory)
	}
}

// killOne starts a process and kills it after it has printed so many lines. It
// returns the last number that it printed before it died.
func killOne(t *testing.T, directory, disk string, lines int) (told uint64) {
	t.Helper()
	victim := exec.Command(os.Args[0])
	victim.Env = append(os.Environ(), victimVariable+"="+directory, victimVariable+"_DISK="+disk)
	victim.Stderr = os.Stderr
	out, err := victim.StdoutPipe()
	if err == nil {
		err = victim.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	scanner := bufio.NewScanner(out)
	for n := 1; scanner.Scan(); n++ {
		number, err := strconv.ParseUint(scanner.Text(), 10, 64)
		if err != nil {
			break // the line that the process was writing when it died
		}
		told = number
		if n == lines {
			_ = victim.Process.Kill()
		}
	}
	_ = victim.Wait()
	return told
}

// checkRecords compares every record with what the victims append.
func checkRecords(t *testing.T, directory string) {
	t.Helper()
	reader, err := journal.OpenReader(journal.Machine{}, directory, 0)
	if err != nil {
		t.Fatal(err)
	}
	for last := uint64(1); ; last++ {
		r, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err == nil {
			err = sameRecord(r, last, r.Epoch)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}
