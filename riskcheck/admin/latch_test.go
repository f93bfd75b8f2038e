package admin_test

import (
	"strings"
	"testing"

	"google.golang.org/grpc/codes"

	"tollgate/order"
	adminv1 "tollgate/proto/tollgate/admin/v1"
	"tollgate/riskcheck/admin/admintest"
)

// alerts opens a stream of alerts alone.
func alerts(t *testing.T, client adminv1.AdminServiceClient) adminv1.AdminService_WatchClient {
	t.Helper()
	return watch(t, client, &adminv1.WatchRequest{Kinds: []adminv1.EventKind{
		adminv1.EventKind_EVENT_KIND_ALERT, adminv1.EventKind_EVENT_KIND_COUNTERS,
	}})
}

// nextAlert returns the next alert of a stream, which must have the cause.
func nextAlert(t *testing.T, stream adminv1.AdminService_WatchClient, cause adminv1.AlertCause) *adminv1.AlertEvent {
	t.Helper()
	a := next(t, stream).GetAlert()
	if a.GetCause() != cause {
		t.Fatalf("alert is %v, want %s", a, cause)
	}
	return a
}

// TestUseIsToldOnItsWayUp fills a limit of four orders, which is told of at three
// and, as its act, refused at five.
func TestUseIsToldOnItsWayUp(t *testing.T) {
	p := admintest.New(t)
	service := p.Service()
	client, _ := serveService(t, service)
	stream := alerts(t, client)
	buy := admintest.Order{Instrument: amzn, Side: order.SideBuy, Qty: 1, Price: 200}
	for n := range 4 {
		wantReason(t, p, buy, order.ReasonNone)
		if told := p.Deliver(service); told != []int{0, 0, 1, 1}[n] {
			t.Errorf("order %d gave %d alerts, want one at the third and one at the fourth", n+1, told)
		}
	}
	wantReason(t, p, buy, order.ReasonOpenOrders)
	p.Deliver(service)
	watched := nextAlert(t, stream, adminv1.AlertCause_ALERT_CAUSE_WATCH)
	if watched.GetName() != "WATCH" || watched.GetText() != "openOrders is at 3 of 4" || watched.GetControl() != "OPEN_ORDERS" ||
		watched.GetKind() != "openOrders" || watched.GetValue() != "3" || watched.GetLimit() != "4" ||
		watched.GetScope().GetName() != "A-01" {
		t.Errorf("alert is %v, want 3 of 4 open orders of A-01", watched)
	}
	nextAlert(t, stream, adminv1.AlertCause_ALERT_CAUSE_WARN)
	act := nextAlert(t, stream, adminv1.AlertCause_ALERT_CAUSE_ACT)
	if act.GetText() != "a request was refused: openOrders is at 5 of 4" {
		t.Errorf("alert is %v, want the refusal", act)
	}
	exposure, err := client.GetExposure(soon(t), &adminv1.GetExposureRequest{Scope: accountScope("A-01", "")})
	if err != nil || exposure.GetScopes()[0].GetLimits()[0].GetRung() != adminv1.Rung_RUNG_WARN {
		t.Errorf("exposure is %v (%v), want openOrders on the rung warn", exposure, err)
	}
}

func TestALatchedScopeOnlyReducesUntilItsRelease(t *testing.T) {
	p := admintest.New(t)
	service := p.Service()
	client, _ := serveService(t, service)
	applied(t, client, "openOrders: 4", "openOrders: {limit: 1, act: reduceOnly}")
	stream := alerts(t, client)
	buy := admintest.Order{Instrument: amzn, Side: order.SideBuy, Qty: 1, Price: 200}
	p.Cancel(wantReason(t, p, buy, order.ReasonNone))
	wantReason(t, p, buy, order.ReasonNone)
	wantReason(t, p, buy, order.ReasonOpenOrders)
	wantReason(t, p, buy, order.ReasonReduceOnly)
	p.Deliver(service)
	nextAlert(t, stream, adminv1.AlertCause_ALERT_CAUSE_WARN)
	nextAlert(t, stream, adminv1.AlertCause_ALERT_CAUSE_ACT)
	latched := nextAlert(t, stream, adminv1.AlertCause_ALERT_CAUSE_LATCHED)
	if latched.GetLatch() != adminv1.Latch_LATCH_LIMIT || !strings.HasPrefix(latched.GetText(), "only reducing orders pass") {
		t.Errorf("alert is %v, want the latch of the limit", latched)
	}
	latches, err := client.ListLatches(soon(t), &adminv1.ListLatchesRequest{})
	if err != nil || len(latches.GetLatches()) != 1 {
		t.Fatalf("latches are %v (%v), want one", latches, err)
	}
	if l := latches.GetLatches()[0]; l.GetScope().GetName() != "A-01" || l.GetKind() != "openOrders" || l.GetValue() != "2" ||
		l.GetLimit() != "1" || l.GetTimeNs() == 0 {
		t.Errorf("latch is %v, want how it came", l)
	}
	exposure, err := client.GetExposure(soon(t), &adminv1.GetExposureRequest{Scope: accountScope("A-01", "")})
	if err != nil || len(exposure.GetScopes()[0].GetLatches()) != 1 {
		t.Errorf("exposure is %v (%v), want it to show the latch", exposure, err)
	}
	release := &adminv1.ReleaseRequest{
		Scope: accountScope("A-01", ""), Latch: adminv1.Latch_LATCH_LIMIT, Reason: "understood", Actor: "jane",
	}
	done, err := client.Release(soon(t), release)
	if err != nil || done.GetReleased().GetKind() != "openOrders" {
		t.Fatalf("releasing gives %v (%v), want the latch that was released", done, err)
	}
	wantReason(t, p, buy, order.ReasonOpenOrders)
	records := p.Audit()
	var actions []string
	for _, r := range records {
		actions = append(actions, r.Action+" by "+r.Actor)
	}
	if got := strings.Join(actions, ", "); got != "apply-limits by a, latch by tollgate, release by jane" {
		t.Errorf("audit is %s", got)
	}
	release.Latch = adminv1.Latch_LATCH_DAILY_LOSS
	_, err = client.Release(soon(t), release)
	wantCode(t, err, codes.FailedPrecondition, "release of account/A-01")
}

// TestALimitsActKills has a limit kill its account and looks at it before and
// after the process has delivered the alert.
func TestALimitsActKills(t *testing.T) {
	p := admintest.New(t)
	service := p.Service()
	client, _ := serveService(t, service)
	applied(t, client, "openOrders: 4", "openOrders: {limit: 1, act: kill}")
	buy := admintest.Order{Instrument: amzn, Side: order.SideBuy, Qty: 1, Price: 200}
	resting := wantReason(t, p, buy, order.ReasonNone)
	wantReason(t, p, buy, order.ReasonOpenOrders)
	wantReason(t, p, buy, order.ReasonKillSwitch)
	kills := func() *adminv1.KillEntry {
		resp, err := client.ListKills(soon(t), &adminv1.ListKillsRequest{})
		if err != nil || len(resp.GetKills()) != 1 {
			t.Fatalf("kills are %v (%v), want one", resp, err)
		}
		return resp.GetKills()[0]
	}
	if k := kills(); k.GetActor() != "tollgate" || k.GetFlat() || k.GetReason() != "a limit's act" {
		t.Errorf("kill is %v, want one by the engine", k)
	}
	p.Deliver(service)
	p.Cancel(resting)
	if k := kills(); !k.GetFlat() || k.GetReason() != "killed by a limit's act: openOrders is at 2 of 1" || k.GetTimeNs() == 0 {
		t.Errorf("kill is %v, want it flat, with its cause", k)
	}
	unkill := &adminv1.UnkillRequest{Scope: accountScope("A-01", ""), Reason: "fixed", Actor: "jane"}
	if _, err := client.Unkill(soon(t), unkill); err != nil {
		t.Fatal(err)
	}
	wantReason(t, p, buy, order.ReasonNone)
}

// TestAKillThatWasLiftedStaysLifted delivers the alert of a kill after somebody
// has lifted it.
func TestAKillThatWasLiftedStaysLifted(t *testing.T) {
	p := admintest.New(t)
	service := p.Service()
	client, _ := serveService(t, service)
	applied(t, client, "openOrders: 4", "openOrders: {limit: 0, act: kill}")
	wantReason(t, p, admintest.Order{Instrument: amzn, Side: order.SideBuy, Qty: 1, Price: 200}, order.ReasonOpenOrders)
	unkill := &adminv1.UnkillRequest{Scope: accountScope("A-01", ""), Reason: "fixed", Actor: "jane"}
	if _, err := client.Unkill(soon(t), unkill); err != nil {
		t.Fatal(err)
	}
	p.Deliver(service)
	if resp, err := client.ListKills(soon(t), &adminv1.ListKillsRequest{}); err != nil || len(resp.GetKills()) != 0 {
		t.Errorf("kills are %v (%v), want none", resp, err)
	}
}

func TestTheVenuesTruthIsTold(t *testing.T) {
	p := admintest.New(t)
	service := p.Service()
	client, _ := serveService(t, service)
	stream := alerts(t, client)
	sent := wantReason(t, p, admintest.Order{Instrument: amzn, Side: order.SideBuy, Qty: 600, Price: 200}, order.ReasonNone)
	p.Fill(sent, 600)
	p.Fill(sent, 50)
	p.Deliver(service)
	nextAlert(t, stream, adminv1.AlertCause_ALERT_CAUSE_WARN) // 600 of 600
	overfill := next(t, stream).GetAlert()
	if overfill.GetOrderId() != uint64(sent.OrderID) || overfill.GetScope().GetName() != "A-01" ||
		!strings.Contains(overfill.GetText(), "order ") {
		t.Errorf("alert is %v, want what the venue did with the order", overfill)
	}
	latched := nextAlert(t, stream, adminv1.AlertCause_ALERT_CAUSE_LATCHED)
	if latched.GetLatch() != adminv1.Latch_LATCH_LATE_TRUTH || latched.GetScope().GetInstrument() != "AMZN" {
		t.Errorf("alert is %v, want the account latched in AMZN", latched)
	}
	wantReason(t, p, admintest.Order{Instrument: amzn, Side: order.SideBuy, Qty: 1, Price: 200}, order.ReasonReduceOnly)
	wantReason(t, p, admintest.Order{Instrument: amzn, Side: order.SideSell, Qty: 1, Price: 200}, order.ReasonNone)
}

// TestTemporaryLimitsRevert raises a limit for an hour.
func TestTemporaryLimitsRevert(t *testing.T) {
	p := admintest.New(t)
	service := p.Service()
	client, _ := serveService(t, service)
	applied(t, client, "openOrders: 4", "openOrders: {limit: 6, until: 2026-01-05T15:30:00Z, then: 1}")
	stream := alerts(t, client)
	limits, err := client.GetLimits(soon(t), &adminv1.GetLimitsRequest{})
	if err != nil || limits.GetResourceVersion() != 2 {
		t.Fatalf("limits are %v (%v), want version 2", limits, err)
	}
	raised := limits.GetDocument()
	p.Pass(3600e9)
	p.Deliver(service)
	if a := nextAlert(t, stream, adminv1.AlertCause_ALERT_CAUSE_REVERTED); a.GetKind() != "openOrders" || a.GetLimit() != "1" {
		t.Errorf("alert is %v, want openOrders back at 1", a)
	}
	limits, err = client.GetLimits(soon(t), &adminv1.GetLimitsRequest{})
	if err != nil || limits.GetResourceVersion() != 3 || limits.GetAppliedBy().GetActor() != "tollgate" ||
		!strings.Contains(limits.GetDocument(), "openOrders: 1\n") {
		t.Fatalf("limits are %v (%v), want version 3 with the limit of before", limits, err)
	}
	request := &adminv1.ApplyLimitsRequest{Document: raised, Reason: "r", Actor: "a"}
	_, err = client.ApplyLimits(soon(t), request)
	wantCode(t, err, codes.InvalidArgument, "the document has 1 problems")
	later := strings.Replace(raised, "15:30:00Z", "23:30:00Z", 1)
	_, err = client.ApplyLimits(soon(t), &adminv1.ApplyLimitsRequest{Document: later, Reason: "r", Actor: "a"})
	wantCode(t, err, codes.Aborted, "version 3 is in force")
	old, err := client.GetLimits(soon(t), &adminv1.GetLimitsRequest{ResourceVersion: 2})
	if err != nil || old.GetDocument() != raised {
		t.Errorf("version 2 is %v (%v), want what was applied", old, err)
	}
}
