package main

import (
	"testing"
	"time"

	"tollgate/exchange/simulated"
	"tollgate/order"
	"tollgate/services/tollgate/chain"
)

// TestGatewayKilledDuringARun kills the gateway with SIGKILL while orders flow
// and starts another: the clients log in again by themselves, every request has
// exactly one final answer, no order reached the venue twice, and the engine's
// open orders are the venue's.
func TestGatewayKilledDuringARun(t *testing.T) {
	for _, link := range []string{"unix", "tcp"} {
		t.Run(link, func(t *testing.T) { killGateway(t, link) })
	}
}

func killGateway(t *testing.T, link string) {
	r := startChain(t, link, testLimits("unlimited"))
	a, b := newTrader(t, r.dial(1), 1), newTrader(t, r.dial(2), 2)
	traders := []*trader{a, b}
	keepGoing := func() {
		until := time.Now().Add(150 * time.Millisecond)
		run(traders, func() bool { return time.Now().Before(until) })
	}
	for range 3 {
		keepGoing()
		if err := r.Kill(chain.Gateway); err != nil {
			t.Fatal(err)
		}
		if err := r.StartRole(chain.Gateway); err != nil {
			t.Fatal(err)
		}
		keepGoing()
	}
	for _, tr := range traders {
		tr.drain()
		tr.checkAnswers()
		if n := tr.client.Counters().Logins; n < 4 {
			t.Errorf("account %d logged in %d times, want 4", tr.account, n)
		}
	}
	open := r.exposure("A").GetOpenOrders() + r.exposure("B").GetOpenOrders()
	path := r.VenueLogFile()
	r.stop()
	log := venueLog(t, path)
	checkOnce(t, log)
	if at := openAtVenue(log); uint64(at) != open {
		t.Errorf("the engine has %d open orders, the venue %d", open, at)
	}
}

// checkOnce: the venue received each engine sequence number once.
func checkOnce(t *testing.T, log []simulated.Record) {
	t.Helper()
	seen := map[uint64]bool{}
	for i := range log {
		if log[i].Kind != simulated.RecordReceived {
			continue
		}
		if seq := log[i].Verdict.Token.Seq; seen[seq] {
			t.Fatalf("the venue received request %d twice", seq)
		} else {
			seen[seq] = true
		}
	}
}

// openAtVenue counts the orders that the venue's reports leave open.
func openAtVenue(log []simulated.Record) int {
	open := map[order.OrderID]bool{}
	for i := range log {
		if log[i].Kind != simulated.RecordReported {
			continue
		}
		switch rep := &log[i].Report; rep.Kind {
		case order.ReportNew:
			open[rep.OrderID] = true
		case order.ReportCanceled, order.ReportExpired:
			delete(open, rep.OrderID)
		case order.ReportTrade:
			if rep.LeavesQty == 0 {
				delete(open, rep.OrderID)
			}
		}
	}
	return len(open)
}
