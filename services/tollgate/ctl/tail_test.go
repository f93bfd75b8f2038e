package ctl_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"tollgate/order"
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
			s.service.Feed().Publish(event)
		}
	}
}
