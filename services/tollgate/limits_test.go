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
// the first, 12 in the second; and in one session no order is judged under
// older limits than the one before it.
func checkByVersion(t *testing.T, tr *trader) {
	t.Helper()
	newest, refused := uint64(0), 0
	for ref := uint64(1); ref <= uint64(len(tr.asked)); ref++ {
		r, got := tr.asked[ref], tr.answers[ref][0]
		if r.MsgType != order.MsgNewOrder {
			continue
		}
		if got.ConfigVersion < newest {
			t.Fatalf("order %d was judged under version %d, an earlier one under %d", ref, got.ConfigVersion, newest)
		}
		newest = got.ConfigVersion
		want := order.ReasonNone
		if newest == 2 && r.OrderQty > 12*order.QtyOne {
			want = order.ReasonMaxOrderQty
			refused++
		}
		if got.Decision.Reason != want {
			t.Fatalf("order %d of %s under version %d: %s, want %s", ref, r.OrderQty, newest, got.Decision.Reason, want)
		}
	}
	if refused == 0 {
		t.Errorf("account %d: the lowered limit refused nothing", tr.account)
	}
}
