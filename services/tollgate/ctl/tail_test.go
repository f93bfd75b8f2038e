package ctl_test

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"tollgate/order"
	"tollgate/riskcheck"
	"tollgate/riskcheck/admin"
	"tollgate/riskcheck/admin/admintest"
)

// TestTailPrintsOneLineForEachEvent publishes until the command has seen as
// many events as it was asked to print.
func TestTailPrintsOneLineForEachEvent(t *testing.T) {
	account := order.Scope{Type: order.ScopeAccount, ID: 11, Instrument: 101}
	request := order.Request{
		MsgType: order.MsgNewOrder, Session: 31, Account: 11, Trader: 21, Instrument: 101,
		Side: order.SideBuy, OrderQty: 7000 * order.QtyOne, Price: order.Null,
	}
	for _, c := range []struct {
		name  string
		event admin.Event
		flags []string
		want  string
	}{
		{"reject", admin.Event{Kind: admin.EventDecision, Request: request, Decision: order.Decision{
			Reason: order.ReasonPositionLong, Value: int64(7000 * order.QtyOne), Limit: int64(600 * order.QtyOne), Scope: account,
		}}, nil, "REJECTED  new S1/A-01 AMZN buy 7,000 @ market  POSITION_LONG at account/A-01 × AMZN: 7,000, limit 600"},
		{"accept", admin.Event{Kind: admin.EventDecision, Request: request}, nil, "accepted  new S1/A-01 AMZN buy 7,000 @ market"},
		{
			"session",
			admin.Event{Kind: admin.EventSession, Request: order.Request{Session: 32, Connection: 4}, Connected: true},
			nil,
			"session   S2 is connected (connection 4)",
		},
		{
			"gone",
			admin.Event{Kind: admin.EventSession, Request: order.Request{Session: 32}, Cause: "(silence)"},
			nil,
			"session   S2 is gone (silence)",
		},
		{"venue", admin.Event{Kind: admin.EventVenue}, nil, "venue     down"},
		{
			"alert",
			admin.Event{Kind: admin.EventAlert, Name: "CAPACITY", Text: "order table is full", Scope: account},
			nil,
			"ALERT     CAPACITY account/A-01 × AMZN: order table is full",
		},
		{
			"alert of the engine",
			admin.Event{
				Kind: admin.EventAlert, Scope: order.Scope{Type: order.ScopeStrategy, ID: 41, Class: 7},
				Alert: riskcheck.Alert{
					Cause: riskcheck.AlertWarn, Kind: riskcheck.LimitTurnoverPerDay, Value: 9_500 * int64(order.MoneyOne),
					Limit: 10_000 * int64(order.MoneyOne),
				},
			},
			nil,
			"ALERT     WARN strategy/vwap × class shares: turnoverPerDay is at 9500 of 10000",
		},
		{
			"only alerts",
			admin.Event{Kind: admin.EventAlert, Alert: riskcheck.Alert{Cause: riskcheck.AlertLateFill, OrderID: 7}, Scope: account},
			[]string{"--kinds", "alerts", "-o", "json"},
			`"cause":"ALERT_CAUSE_LATE_FILL","control":"","kind":"","value":"","limit":"","order_id":"7"`,
		},
		{"json", admin.Event{Kind: admin.EventVenue}, []string{"-o", "json"}, `"venue":{"state":"VENUE_STATE_DOWN"}`},
	} {
		t.Run(c.name, func(t *testing.T) { tailOnce(t, c.event, c.flags, c.want) })
	}
}

// tailOnce runs tail for one event.
func tailOnce(t *testing.T, event admin.Event, flags []string, want string) {
	s := newScript(t)
	event.TimeNs = admintest.StartNs
	ended := make(chan string)
	go func() {
		var stdout, stderr bytes.Buffer
		code := run(t, append([]string{"tail", "--events", "1"}, flags...), "", &stdout, &stderr)
		if code != 0 || stderr.Len() > 0 {
			t.Errorf("exit code %d, messages %q; want 0 and none", code, stderr.String())
		}
		ended <- stdout.String()
	}()
	for {
		select {
		case got := <-ended:
			if !strings.Contains(got, want) || strings.Count(got, "\n") != 1 {
				t.Errorf("tail printed %q, want one line with %q", got, want)
			}
			return
		case <-time.After(time.Millisecond):
			s.service.Publish(context.Background(), event)
		}
	}
}
