package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tollgate/order"
	adminv1 "tollgate/proto/tollgate/admin/v1"
)

// alertBound is how long an alert may take to people (RTS 6 article 16).
const alertBound = 5 * time.Second

// TestABreachIsToldAndLatchesUntilARelease runs the whole chain with a limit whose
// act is reduceOnly: people are told in time, the next order is refused, a
// simulation says so without sending anything, and an officer's release lets the
// account trade again. Everything is in the audit file.
func TestABreachIsToldAndLatchesUntilARelease(t *testing.T) {
	limits := testLimits("100") + `    - scope: account/A
      openOrders: {limit: 1, watch: none, warn: none, act: reduceOnly}
`
	r := startChain(t, "unix", limits)
	stream, err := r.admin.Watch(t.Context(), &adminv1.WatchRequest{
		Kinds:           []adminv1.EventKind{adminv1.EventKind_EVENT_KIND_ALERT, adminv1.EventKind_EVENT_KIND_COUNTERS},
		CountersEveryMs: 1 << 30,
	})
	if err != nil {
		t.Fatal(err)
	}
	next := func() *adminv1.WatchResponse {
		event, err := stream.Recv()
		if err != nil {
			t.Fatal(err)
		}
		return event
	}
	next() // counters: the server follows the feed
	a := newTrader(t, r.dial(1), 1)
	one := func(want order.Reason) {
		t.Helper()
		ref := a.send(a.request(order.QtyOne))
		a.drain()
		if got := a.answers[ref][0].Decision.Reason; got != want {
			t.Fatalf("an order got %s, want %s", got, want)
		}
	}
	one(order.ReasonNone)
	one(order.ReasonOpenOrders)
	for _, want := range []adminv1.AlertCause{
		adminv1.AlertCause_ALERT_CAUSE_ACT, adminv1.AlertCause_ALERT_CAUSE_LATCHED,
	} {
		event := next()
		took := time.Duration(time.Now().UnixNano() - event.GetTimeNs())
		if got := event.GetAlert(); got.GetCause() != want || got.GetScope().GetName() != "A" || took > alertBound {
			t.Errorf("after %s alert %v, want %s of A within %s", took, got, want, alertBound)
		}
	}
	one(order.ReasonReduceOnly)
	simulate := []string{
		"simulate", "order", "--session", "SA", "--account", "A", "--trader", "T", "--instrument", "XYZ", "--side", "buy",
		"--qty", "1", "--price", "100",
	}
	if stdout, stderr, exit := r.ctl(simulate...); exit != exitNegative || !strings.Contains(stdout, "REFUSED: REDUCE_ONLY at account/A") {
		t.Errorf("simulation: exit %d, %q, %q; want it refused", exit, stdout, stderr)
	}
	if stdout, _, exit := r.ctl("get", "latches"); exit != 0 || !strings.Contains(stdout, "account/A") {
		t.Errorf("latches: exit %d, %q", exit, stdout)
	}
	if _, stderr, exit := r.ctl("release", "account", "A", "limit", "--reason", "understood"); exit != 0 {
		t.Errorf("release: exit %d, %s", exit, stderr)
	}
	one(order.ReasonOpenOrders)
	a.send(a.cancel(a.working[0]))
	a.drain()
	r.await("the order to be canceled", func() bool { return r.exposure("A").GetOpenOrders() == 0 })
	if _, stderr, exit := r.ctl("release", "account", "A", "limit", "--reason", "once more"); exit != 0 {
		t.Errorf("release: exit %d, %s", exit, stderr)
	}
	one(order.ReasonNone)
	a.checkAnswers()
	checkAudit(t, r)
}

// checkAudit looks for what people and the engine have done.
func checkAudit(t *testing.T, r *rig) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(filepath.Dir(r.VenueLogFile()), "audit.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"Action":"latch","Actor":"tollgate"`, `"Action":"release"`, `"Reason":"understood"`, `"Target":"account/A"`,
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the audit file lacks %s:\n%s", want, text)
		}
	}
}
