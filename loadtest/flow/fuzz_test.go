package flow_test

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"tollgate/loadtest/flow"
)

// readAll reads whatever it is given: it must end with EOF or an error that
// names a place, every event must be of a known kind, and two readings must
// agree.
func readAll(t *testing.T, data []byte) {
	first, firstErr := collect(data)
	second, secondErr := collect(data)
	if len(first) != len(second) || (firstErr == nil) != (secondErr == nil) {
		t.Fatalf("two readings differ: %d events, %v and %d events, %v", len(first), firstErr, len(second), secondErr)
	}
	var counts flow.Counts
	for i := range first {
		if first[i] != second[i] {
			t.Fatalf("event %d differs between two readings", i)
		}
		if first[i].Kind.String() == "invalid" || first[i].Qty < 0 || i > 0 && first[i].TimeNs < first[i-1].TimeNs {
			t.Fatalf("event %d is impossible: %+v", i, first[i])
		}
		counts[first[i].Kind]++
	}
	if counts.Total() != uint64(len(first)) {
		t.Fatalf("counts give %d, want %d", counts.Total(), len(first))
	}
	var row *flow.RowError
	if errors.As(firstErr, &row) && (row.Line < 1 || row.Want == "") {
		t.Fatalf("an error without a place: %+v", row)
	}
}

func collect(data []byte) ([]flow.Event, error) {
	r, err := flow.NewReader(bytes.NewReader(data), "fuzz.csv")
	if err != nil {
		return nil, err
	}
	var events []flow.Event
	var e flow.Event
	for {
		err := r.Next(&e)
		if err == io.EOF {
			return events, nil
		}
		if err != nil {
			return events, err
		}
		events = append(events, e)
	}
}

// seedWith adds the vectors of the formats' tests whose name starts so.
func seedWith(f *testing.F, prefix string) {
	for _, c := range formatCases {
		if bytes.HasPrefix([]byte(c.name), []byte(prefix)) {
			_, rows, _ := bytes.Cut([]byte(c.text), []byte("\n"))
			f.Add(rows)
		}
	}
}

func FuzzLobster(f *testing.F) {
	seedWith(f, "lobster")
	f.Fuzz(func(t *testing.T, rows []byte) {
		readAll(t, rows)
		readAll(t, append([]byte(lobsterHeader), rows...))
	})
}

func FuzzDatabento(f *testing.F) {
	seedWith(f, "databento")
	f.Fuzz(func(t *testing.T, rows []byte) {
		readAll(t, append([]byte(databentoRaw), rows...))
		readAll(t, append([]byte(databentoPlain), rows...))
	})
}

func FuzzBitstamp(f *testing.F) {
	seedWith(f, "bitstamp")
	f.Fuzz(func(t *testing.T, rows []byte) { readAll(t, append([]byte(bitstampHeader), rows...)) })
}
