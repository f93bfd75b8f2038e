package admin_test

import (
	"context"
	"testing"
	"time"

	"google.golang.org/grpc/codes"

	"tollgate/order"
	adminv1 "tollgate/proto/tollgate/admin/v1"
	"tollgate/riskcheck/admin"
	"tollgate/riskcheck/admin/admintest"
)

func TestKillStopsTradingUntilUnkill(t *testing.T) {
	p := admintest.New(t)
	client, _ := serve(t, p)
	ctx := soon(t)
	resting := p.Send(admintest.Order{Instrument: amzn, Side: order.SideBuy, Qty: 5, Price: 200})
	done, err := client.Kill(ctx, &adminv1.KillRequest{Scope: accountScope("A-01", ""), Reason: "runaway", Actor: "joe"})
	if err != nil {
		t.Fatal(err)
	}
	kill := done.GetKill()
	if done.GetCancelsSent() != 1 || kill.GetFence() != adminv1.FenceState_FENCE_STATE_CONFIRMED || kill.GetLiveOrders() != 1 ||
		kill.GetFlat() || done.GetAlreadyKilled() || kill.GetReason() != "runaway" {
		t.Errorf("kill is %v, want one cancel under way, fence confirmed, not flat", done)
	}
	if sent := p.Send(admintest.Order{Instrument: amzn, Side: order.SideBuy, Qty: 1, Price: 200}); sent.Reason != order.ReasonKillSwitch {
		t.Errorf("an order of the killed account got %s, want KILL_SWITCH", sent.Reason)
	}
	p.Cancel(resting)
	kills, err := client.ListKills(ctx, &adminv1.ListKillsRequest{})
	if err != nil || len(kills.GetKills()) != 1 || !kills.GetKills()[0].GetFlat() {
		t.Errorf("kills are %v (%v), want one that is flat", kills, err)
	}
	again, err := client.Kill(ctx, &adminv1.KillRequest{Scope: accountScope("A-01", ""), Reason: "sure", Actor: "joe"})
	if err != nil || !again.GetAlreadyKilled() {
		t.Errorf("killing again gives %v (%v), want it done once more", again, err)
	}
	lifted, err := client.Unkill(ctx, &adminv1.UnkillRequest{Scope: accountScope("A-01", ""), Reason: "fixed", Actor: "jim"})
	if err != nil || lifted.GetLifted().GetReason() != "sure" {
		t.Fatalf("unkill gives %v (%v), want the kill that was lifted", lifted, err)
	}
	if sent := p.Send(admintest.Order{Instrument: amzn, Side: order.SideBuy, Qty: 1, Price: 200}); sent.Reason != order.ReasonNone {
		t.Errorf("an order after unkill got %s, want it accepted", sent.Reason)
	}
}

func TestKillOfOneInstrumentLeavesTheOthers(t *testing.T) {
	p := admintest.New(t)
	client, _ := serve(t, p)
	request := &adminv1.KillRequest{Scope: accountScope("A-01", "AMZN"), Reason: "halt", Actor: "joe"}
	if _, err := client.Kill(soon(t), request); err != nil {
		t.Fatal(err)
	}
	if sent := p.Send(admintest.Order{Instrument: amzn, Side: order.SideBuy, Qty: 1, Price: 200}); sent.Reason != order.ReasonKillSwitch {
		t.Errorf("AMZN got %s, want KILL_SWITCH", sent.Reason)
	}
	if sent := p.Send(admintest.Order{Instrument: esz6, Side: order.SideBuy, Qty: 1, Price: 5000}); sent.Reason != order.ReasonNone {
		t.Errorf("ESZ6 got %s, want it accepted", sent.Reason)
	}
}

func TestKillWithoutAdapterSaysSo(t *testing.T) {
	p := admintest.New(t)
	client, _ := serve(t, p)
	p.SetFence(admin.FenceNoAdapter)
	done, err := client.Kill(soon(t), &adminv1.KillRequest{Scope: accountScope("A-02", ""), Reason: "r", Actor: "a"})
	if err != nil || done.GetKill().GetFence() != adminv1.FenceState_FENCE_STATE_NO_ADAPTER || done.GetKill().GetFlat() {
		t.Errorf("kill is %v (%v), want no adapter, and not flat though no order is live", done, err)
	}
}

func TestKillAnswersBeforeItsDeadlineWhenTheAdapterDoesNot(t *testing.T) {
	p := admintest.New(t)
	client, _ := serve(t, p)
	p.SetFence(admin.FencePending)
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	done, err := client.Kill(ctx, &adminv1.KillRequest{Scope: accountScope("A-01", ""), Reason: "r", Actor: "a"})
	if err != nil || done.GetKill().GetFence() != adminv1.FenceState_FENCE_STATE_PENDING {
		t.Fatalf("kill is %v (%v), want it pending", done, err)
	}
	if sent := p.Send(admintest.Order{Instrument: amzn, Side: order.SideBuy, Qty: 1, Price: 200}); sent.Reason != order.ReasonKillSwitch {
		t.Errorf("an order got %s, want KILL_SWITCH while the fence is pending", sent.Reason)
	}
}

// TestKillSurvivesItsClient gives the request up while the adapter is silent:
// the kill must be in force and listed.
func TestKillSurvivesItsClient(t *testing.T) {
	p := admintest.New(t)
	client, _ := serve(t, p)
	p.SetFence(admin.FencePending)
	ctx, cancel := context.WithCancel(soon(t))
	ended := make(chan error, 1)
	before := p.Turns()
	go func() {
		_, err := client.Kill(ctx, &adminv1.KillRequest{Scope: accountScope("A-01", ""), Reason: "r", Actor: "a"})
		ended <- err
	}()
	for p.Turns() == before {
		time.Sleep(time.Millisecond)
	}
	cancel()
	wantCode(t, <-ended, codes.Canceled, "")
	kills, err := client.ListKills(soon(t), &adminv1.ListKillsRequest{})
	if err != nil || len(kills.GetKills()) != 1 || kills.GetKills()[0].GetFence() != adminv1.FenceState_FENCE_STATE_PENDING {
		t.Errorf("kills are %v (%v), want the one whose client left, pending", kills, err)
	}
}

// TestPendingKillBlocksNoOther kills one scope whose fence is never confirmed
// and, while that waits, another.
func TestPendingKillBlocksNoOther(t *testing.T) {
	p := admintest.New(t)
	client, _ := serve(t, p)
	p.SetFence(admin.FencePending)
	first := make(chan error, 1)
	before := p.Turns()
	ctx, cancel := context.WithTimeout(context.Background(), 4*time.Second)
	defer cancel()
	go func() {
		_, err := client.Kill(ctx, &adminv1.KillRequest{Scope: accountScope("A-01", ""), Reason: "r", Actor: "a"})
		first <- err
	}()
	for p.Turns() == before {
		time.Sleep(time.Millisecond)
	}
	p.SetFence(admin.FenceConfirmed)
	if _, err := client.Kill(soon(t), &adminv1.KillRequest{Scope: accountScope("B-01", ""), Reason: "r", Actor: "a"}); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-first:
		t.Errorf("the first kill ended first (%v), want it to wait for its fence", err)
	default:
	}
	if err := <-first; err != nil {
		t.Error(err)
	}
}

func TestExposureNamesTheKillsThatCoverAScope(t *testing.T) {
	p := admintest.New(t)
	client, _ := serve(t, p)
	ctx := soon(t)
	group := &adminv1.Scope{Type: adminv1.ScopeType_SCOPE_TYPE_GROUP, Name: "G1"}
	if _, err := client.Kill(ctx, &adminv1.KillRequest{Scope: group, Reason: "desk", Actor: "a"}); err != nil {
		t.Fatal(err)
	}
	resp, err := client.GetExposure(ctx, &adminv1.GetExposureRequest{})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]int{"ACME": 0, "G1": 1, "G2": 0, "A-01": 1, "A-02": 1, "B-01": 0}
	for _, m := range resp.GetScopes() {
		if len(m.GetKills()) != want[m.GetScope().GetName()] {
			t.Errorf("%s is covered by %d kills, want %d", m.GetScope().GetName(), len(m.GetKills()), want[m.GetScope().GetName()])
		}
	}
}
