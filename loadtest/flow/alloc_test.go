package flow_test

import (
	"fmt"
	"strings"
	"testing"

	"tollgate/loadtest/flow"
)

// longText makes a LOBSTER text whose orders come and go.
func longText(rows int) string {
	var text strings.Builder
	for i := range rows {
		fmt.Fprintf(&text, "%d.5,%d,%d,100,10000,1\n", i, 1+2*(i%2), i/2)
	}
	return text.String()
}

func TestReadingDoesNotAllocate(t *testing.T) {
	r, err := flow.NewReader(strings.NewReader(longText(3000)), "x")
	if err != nil {
		t.Fatal(err)
	}
	var e flow.Event
	allocations := testing.AllocsPerRun(2000, func() {
		if err := r.Next(&e); err != nil {
			t.Fatal(err)
		}
	})
	if allocations != 0 {
		t.Errorf("%v allocations a row, want none", allocations)
	}
}

func BenchmarkReadLobster(b *testing.B) {
	text := longText(10_000)
	var e flow.Event
	r, err := flow.NewReader(strings.NewReader(text), "x")
	for b.Loop() {
		if err == nil {
			err = r.Next(&e)
		}
		if err != nil {
			r, err = flow.NewReader(strings.NewReader(text), "x")
		}
	}
}
