package server

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"tollgate/asynclog"
	"tollgate/fastpath/wire"
	"tollgate/order"
	"tollgate/riskcheck"
)

// restated puts other limits of account 1 in force, beside those of the firm.
func restated(n *network, entries ...riskcheck.LimitEntry) {
	n.t.Helper()
	err := drive(n, func(ctx context.Context) error {
		var refused error
		err := n.server.Do(ctx, func(e *riskcheck.Engine, now int64) {
			refused = e.ApplyLimits(now, &riskcheck.LimitSet{Entries: append(firmLimits(), entries...)})
		})
		if err == nil {
			err = refused
		}
		return err
	})
	if err != nil {
		n.t.Fatal(err)
	}
}

// account is the scope of account 1.
var account = order.Scope{Type: order.ScopeAccount, ID: 1}

// waiting takes every alert that waits.
func waiting(n *network) []Alert {
	var all []Alert
	var a Alert
	for n.server.Alerts().Pop(&a) {
		all = append(all, a)
	}
	return all
}

// causes writes the causes of alerts in one line.
func causes(all []Alert) string {
	var names []string
	for i := range all {
		names = append(names, all[i].Cause.String())
	}
	return strings.Join(names, ", ")
}

// TestEffectsAreCarriedOutOnce looks at the engine after an order was accepted:
// looking is no input, and what the order asked for must not be done again.
func TestEffectsAreCarriedOutOnce(t *testing.T) {
	n, p := connected(t)
	restated(n, riskcheck.LimitEntry{Scope: account, Kind: riskcheck.LimitOpenOrders, Value: 1, Watch: 100})
	p.check(1, 10)
	p.expect("verdict 1 new order 1")
	for range 2 {
		drive(n, func(ctx context.Context) error { return n.server.Do(ctx, func(*riskcheck.Engine, int64) {}) })
	}
	p.expect()
	if got := causes(waiting(n)); got != "watch" {
		t.Errorf("alerts are %q, want one at the order", got)
	}
}

func TestAlertsReachPeopleAndTheLog(t *testing.T) {
	n, p := connected(t)
	var text bytes.Buffer
	drainer, err := asynclog.New(asynclog.Config{Output: &text, Name: EventName})
	if err != nil {
		t.Fatal(err)
	}
	if n.server.cfg.Log, err = drainer.Log("engine"); err != nil {
		t.Fatal(err)
	}
	restated(n, riskcheck.LimitEntry{
		Scope: account, Kind: riskcheck.LimitOpenOrders, Value: 1, Act: riskcheck.ActReduceOnly,
	})
	p.check(1, 10)
	p.check(2, 10)
	p.expect("verdict 1 new order 1", "answer 1 ref 2 OPEN_ORDERS")
	select {
	case <-n.server.Alerted():
	default:
		t.Error("nobody was told that there are alerts")
	}
	all := waiting(n)
	if causes(all) != "act, latched" {
		t.Fatalf("alerts are %q, want the breach and the latch", causes(all))
	}
	if a := all[0]; a.Scope != account || a.Kind != riskcheck.LimitOpenOrders || a.Value != 2 || a.Limit != 1 || a.TimeNs == 0 {
		t.Errorf("alert is %+v, want 2 of 1 open orders of account 1", a)
	}
	p.report(1, order.ReportCanceled, &p.verdicts[0])
	trade := order.Report{
		ReportSeq: 2, OrderID: 1, ExecID: 7, Kind: order.ReportTrade, LastPx: 100 * order.PriceOne, LastQty: order.QtyOne,
		Session: 1, Account: 1, Trader: 1, Group: 1, Instrument: 1, Side: order.SideBuy,
	}
	p.send(wire.AppendVenueReport(nil, &trade, &order.Trace{}))
	if late := waiting(n); causes(late) != "late fill" || late[0].OrderID != 1 {
		t.Errorf("alerts are %+v, want the execution after the end of order 1", late)
	}
	if err := drainer.Close(); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"alert":"act openOrders","scope_type":"account","scope":1,"within":"","value":2,"limit":1`,
		`"alert":"latched openOrders latch limit","scope_type":"account","scope":1`,
		`"event":"order-alert"`, `"alert":"late fill"`, `"order":1`,
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the log lacks %s:\n%s", want, text.String())
		}
	}
	if n.server.counters.Alerts != 3 || n.server.counters.AlertsLost != 0 {
		t.Errorf("%d alerts are counted, %d lost; want 3 and none", n.server.counters.Alerts, n.server.counters.AlertsLost)
	}
}

// TestAKillByALimitNamesItsFence has a limit's act kill the account.
func TestAKillByALimitNamesItsFence(t *testing.T) {
	n, p := connected(t)
	restated(n, riskcheck.LimitEntry{Scope: account, Kind: riskcheck.LimitOpenOrders, Act: riskcheck.ActKill})
	p.check(1, 10)
	got := p.take()
	if len(p.fences) != 1 || len(got) != 2 {
		t.Fatalf("the adapter's gateway got %q, want an answer and a fence", got)
	}
	all := waiting(n)
	last := all[len(all)-1]
	if last.Cause != riskcheck.AlertKilled || last.Scope != account || last.FenceID != p.fences[0].FenceID {
		t.Errorf("alert is %+v, want the kill with fence %d", last, p.fences[0].FenceID)
	}
}

// TestAPriceCanBeALoss buys at 100 and lets the price fall.
func TestAPriceCanBeALoss(t *testing.T) {
	n, p := connected(t)
	restated(n, riskcheck.LimitEntry{
		Scope: account, Kind: riskcheck.LimitDailyLoss, Value: int64(50 * order.MoneyOne), Act: riskcheck.ActReduceOnly,
	})
	p.check(1, 10)
	trade := order.Report{
		ReportSeq: 1, OrderID: 1, ExecID: 7, Kind: order.ReportTrade, LastPx: 100 * order.PriceOne,
		LastQty: 10 * order.QtyOne, CumQty: 10 * order.QtyOne, Session: 1, Account: 1, Trader: 1, Group: 1, Instrument: 1,
		Side: order.SideBuy,
	}
	p.send(wire.AppendVenueReport(nil, &trade, &order.Trace{}))
	if got := waiting(n); len(got) != 0 {
		t.Fatalf("alerts are %+v before the price has fallen", got)
	}
	price := order.ReferencePrice{Time: 1, Price: 90 * order.PriceOne, Instrument: 1, Source: order.PriceSourceLast}
	p.send(wire.AppendReferencePrice(nil, &price))
	if got := causes(waiting(n)); got != "act, latched" {
		t.Errorf("alerts are %q, want the loss and its latch", got)
	}
}

// TestAlertsWithoutRoomAreCounted fills the ring.
func TestAlertsWithoutRoomAreCounted(t *testing.T) {
	n := newNetwork(t)
	f := riskcheck.Effect{Kind: riskcheck.EffectAlert, Alert: riskcheck.Alert{Cause: riskcheck.AlertWatch}}
	for range alertsMax + 3 {
		n.server.alert(&f)
	}
	if got := len(waiting(n)); got != alertsMax || n.server.counters.AlertsLost != 3 {
		t.Errorf("%d alerts wait and %d are lost, want %d and 3", got, n.server.counters.AlertsLost, alertsMax)
	}
}

func TestAlertsAreNamed(t *testing.T) {
	for _, c := range []struct {
		alert riskcheck.Alert
		want  string
	}{
		{riskcheck.Alert{Cause: riskcheck.AlertWarn, Kind: riskcheck.LimitGrossExposure}, "warn grossExposure"},
		{riskcheck.Alert{Cause: riskcheck.AlertLatched, Latch: riskcheck.LatchLateTruth}, "latched latch lateTruth"},
		{riskcheck.Alert{Cause: riskcheck.AlertOverfill}, "overfill"},
	} {
		if got := EventName(asynclog.FormatAlert, packAlert(&c.alert)); got != c.want {
			t.Errorf("%+v is named %q, want %q", c.alert, got, c.want)
		}
	}
}
