package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"tollgate/order"
)

// TestLoweredLimitTakesEffectExactly lowers a limit with the command an officer
// uses while orders flow. Every answer says under which limits it was decided,
// and every one must be what those limits ask for.
func TestLoweredLimitTakesEffectExactly(t *testing.T) {
	r := startChain(t, "tcp", testLimits("20"))
	a, b := newTrader(t, r.dial(1), 1), newTrader(t, r.dial(2), 2)
	lowered := filepath.Join(t.TempDir(), "lowered.yaml")
	if err := os.WriteFile(lowered, []byte(testLimits("12")), 0o644); err != nil {
		t.Fatal(err)
	}
	applied := make(chan struct{})
	go func() {
		defer close(applied)
		time.Sleep(200 * time.Millisecond)
		if _, stderr, exit := r.ctl("apply", "-f", lowered, "--version", "1", "--reason", "less risk before the close"); exit != 0 {
			t.Errorf("apply: exit %d: %s", exit, stderr)
		}
	}()
	var until time.Time
	run([]*trader{a, b}, func() bool {
		select {
		case <-applied:
			if until.IsZero() {
				until = time.Now().Add(200 * time.Millisecond)
			}
			return time.Now().Before(until)
		default:
			return true
		}
	})
	for _, tr := range []*trader{a, b} {
		tr.drain()
		tr.checkAnswers()
		checkByVersion(t, tr)
	}
}

// checkByVersion holds each verdict against the limits of its version: 20 in
// the first, 12 in the second. An acknowledgement carries the version at the
// acknowledgement, so an order of more than 12 may still be acknowledged just
// after the change; it was accepted before, which its reference number shows.
func checkByVersion(t *testing.T, tr *trader) {
	t.Helper()
	firstRefused := uint64(0)
	for ref := uint64(1); ref <= uint64(len(tr.asked)); ref++ {
		r, got := tr.asked[ref], tr.answers[ref][0]
		if r.MsgType != order.MsgNewOrder {
			continue
		}
		large := r.OrderQty > 12*order.QtyOne
		switch reason := got.Decision.Reason; {
		case reason == order.ReasonMaxOrderQty && large && got.ConfigVersion == 2:
			if firstRefused == 0 {
				firstRefused = ref
			}
		case reason != order.ReasonNone:
			t.Fatalf("order %d of %s was refused: %s under version %d", ref, r.OrderQty, reason, got.ConfigVersion)
		case large && firstRefused != 0:
			t.Fatalf("order %d of %s passed after order %d was refused", ref, r.OrderQty, firstRefused)
		}
	}
	if firstRefused == 0 {
		t.Errorf("account %d: the lowered limit refused nothing", tr.account)
	}
}
