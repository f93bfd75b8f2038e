package main

import (
	"testing"
	"time"

	"tollgate/exchange/simulated"
	"tollgate/order"
)

// TestKillSwitchDuringARun pulls the kill switch for account A with the command
// an officer uses, while orders of A and B flow: nothing of A reaches the venue
// after the command has returned, its open orders are canceled, its cancels
// pass, B does not notice, and only a reason brings A back.
func TestKillSwitchDuringARun(t *testing.T) {
	r := startChain(t, "unix", testLimits("unlimited"))
	a, b := newTrader(t, r.dial(1), 1), newTrader(t, r.dial(2), 2)
	traders := []*trader{a, b}

	killed := make(chan int64, 1)
	go func() {
		time.Sleep(300 * time.Millisecond)
		_, stderr, exit := r.ctl("kill", "account", "A", "--reason", "runaway strategy")
		if exit != 0 {
			t.Errorf("kill: exit %d: %s", exit, stderr)
		}
		killed <- time.Now().UnixNano()
	}()
	var killedNs int64
	run(traders, func() bool {
		select {
		case killedNs = <-killed:
			return false
		default:
			return true
		}
	})
	before := len(b.answers)
	until := time.Now().Add(300 * time.Millisecond)
	run(traders, func() bool { return time.Now().Before(until) })
	for _, tr := range traders {
		tr.drain()
		tr.checkAnswers()
	}
	if len(b.answers) == before {
		t.Error("account B got no answers after the kill")
	}
	checkKilled(t, a)
	checkUntouched(t, b)

	r.await("every order of A to be canceled", func() bool { return r.exposure("A").GetOpenOrders() == 0 })
	if n := r.exposure("B").GetOpenOrders(); n == 0 {
		t.Error("account B lost its orders")
	}
	checkUnkill(t, r, a)
	path := r.VenueLogFile()
	r.stop()
	checkVenue(t, venueLog(t, path), killedNs)
}

// checkKilled: orders of A were refused for the kill, its cancels never.
func checkKilled(t *testing.T, a *trader) {
	t.Helper()
	refused := 0
	for ref, answers := range a.answers {
		if answers[0].Decision.Reason != order.ReasonKillSwitch {
			continue
		}
		refused++
		if m := a.asked[ref].MsgType; m == order.MsgCancelOrder {
			t.Errorf("cancel %d was refused by the kill switch", ref)
		}
	}
	if refused == 0 {
		t.Error("no order of A was refused after the kill")
	}
}

// checkUntouched: every new order of B was accepted.
func checkUntouched(t *testing.T, b *trader) {
	t.Helper()
	for ref, answers := range b.answers {
		if reason := answers[0].Decision.Reason; b.asked[ref].MsgType == order.MsgNewOrder && reason != order.ReasonNone {
			t.Fatalf("order %d of B was refused: %s", ref, reason)
		}
	}
}

// checkUnkill: it takes a reason, and afterwards A trades.
func checkUnkill(t *testing.T, r *rig, a *trader) {
	t.Helper()
	if _, stderr, exit := r.ctl("unkill", "account", "A"); exit != 2 {
		t.Errorf("unkill without a reason: exit %d, want 2: %s", exit, stderr)
	}
	if _, stderr, exit := r.ctl("unkill", "account", "A", "--reason", "strategy fixed"); exit != 0 {
		t.Fatalf("unkill: exit %d: %s", exit, stderr)
	}
	ref := a.send(a.request(order.QtyOne))
	a.drain()
	if got := a.answers[ref][0]; got.ExecType != order.ExecTypeNew {
		t.Errorf("an order of A after unkill: %s, %s", got.ExecType, got.Decision.Reason)
	}
}

// checkVenue: between the kill and the unkill the venue received no order of A
// but cancels. The order sent after the unkill is the last of A and excepted.
func checkVenue(t *testing.T, log []simulated.Record, killedNs int64) {
	t.Helper()
	before, after := 0, 0
	for i := range log {
		rec := &log[i]
		if rec.Kind != simulated.RecordReceived || rec.Verdict.Account != 1 || rec.Verdict.MsgType == order.MsgCancelOrder {
			continue
		}
		if rec.Time <= killedNs {
			before++
		} else {
			after++
		}
	}
	if before == 0 || after != 1 {
		t.Errorf("the venue received %d orders of A before the kill returned and %d after, want some and 1 (after unkill)",
			before, after)
	}
}
