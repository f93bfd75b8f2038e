package journal_test

import (
	"errors"
	"io"
	"testing"

	"tollgate/internal/journal"
	"tollgate/internal/journal/journaltest"
)

// FuzzReader proves that whatever is in the files of a directory, reading it ends
// in records with contiguous numbers, or in an error, and never in a panic.
func FuzzReader(f *testing.F) {
	w := newWorld(1, journal.Disk)
	if _, err := w.whole(120); err != nil {
		f.Fatal(err)
	}
	names, _ := w.disk.List(directory)
	for _, name := range names {
		content := w.disk.Content(directory + "/" + name)
		f.Add(content, []byte{}, content)
		f.Add(content, content, []byte{})
	}
	f.Fuzz(func(t *testing.T, segment, spare, snapshot []byte) {
		disk := journaltest.New(1)
		disk.SetContent(directory+"/00000000000000000001.journal", segment)
		disk.SetContent(directory+"/spare", spare)
		disk.SetContent(directory+"/00000000000000000001.snapshot", snapshot)
		if _, err := journal.Verify(disk, directory); err != nil {
			requireCorruption(t, err)
		}
		reader, err := journal.OpenReader(disk, directory, 0)
		for sequence := uint64(1); err == nil; sequence++ {
			var r journal.Record
			if r, err = reader.Next(); err == nil && r.Sequence != sequence {
				t.Fatalf("record %d comes as number %d", r.Sequence, sequence)
			}
		}
		if !errors.Is(err, io.EOF) {
			requireCorruption(t, err)
		}
	})
}

func requireCorruption(t *testing.T, err error) {
	t.Helper()
	if corruption := (*journal.CorruptionError)(nil); !errors.As(err, &corruption) {
		t.Fatalf("%v, want a CorruptionError", err)
	}
}
