package ctl

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	adminv1 "tollgate/proto/tollgate/admin/v1"
)

// eventKinds are the kinds of events by the names used in commands.
var eventKinds = map[string]adminv1.EventKind{
	"decisions": adminv1.EventKind_EVENT_KIND_DECISION,
	"counters":  adminv1.EventKind_EVENT_KIND_COUNTERS,
	"limits":    adminv1.EventKind_EVENT_KIND_LIMITS,
	"kills":     adminv1.EventKind_EVENT_KIND_KILL,
	"sessions":  adminv1.EventKind_EVENT_KIND_SESSION,
	"venue":     adminv1.EventKind_EVENT_KIND_VENUE,
	"alerts":    adminv1.EventKind_EVENT_KIND_ALERT,
	"changes":   adminv1.EventKind_EVENT_KIND_CHANGE,
}

const kindsWanted = "decisions, counters, limits, kills, sessions, venue, alerts or changes"

func (op *operator) tailCommand() *cobra.Command {
	var kinds []string
	var rejects bool
	var events uint64
	cmd := &cobra.Command{
		Use:   "tail",
		Short: "follow decisions, limit changes, kills, sessions, alerts and what people set",
		Long:  "Every line is one event; with -o json one JSON object. It runs until it is interrupted.",
		Args:  exactly(0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			request := &adminv1.WatchRequest{OnlyRejects: rejects}
			for _, kind := range kinds {
				if eventKinds[kind] == 0 {
					return usagef("kind %q, want %s", kind, kindsWanted)
				}
				request.Kinds = append(request.Kinds, eventKinds[kind])
			}
			return op.follow(cmd, request, events)
		},
	}
	flags := cmd.Flags()
	usual := []string{"decisions", "limits", "kills", "sessions", "venue", "alerts", "changes"}
	flags.StringSliceVar(&kinds, "kinds", usual, "what to follow: "+kindsWanted)
	completeWords(cmd, "kinds", append(usual, "counters"))
	flags.BoolVar(&rejects, "rejects", false, "of decisions only those that reject")
	flags.Uint64Var(&events, "events", 0, "end after so many events (0: never)")
	return cmd
}

// follow prints events until ctx ends or enough were printed.
func (op *operator) follow(cmd *cobra.Command, request *adminv1.WatchRequest, events uint64) error {
	client, done, err := op.connect()
	if err != nil {
		return err
	}
	defer done()
	ctx, cancel := context.WithCancel(cmd.Context())
	defer cancel()
	stream, err := client.Watch(ctx, request)
	if err != nil {
		return op.answered(err)
	}
	for printed := uint64(0); events == 0 || printed < events; printed++ {
		event, err := stream.Recv()
		if status.Code(err) == codes.Canceled {
			return nil
		}
		if err != nil {
			return op.answered(err)
		}
		if err := op.printEvent(cmd.OutOrStdout(), event); err != nil {
			return err
		}
	}
	return nil
}

// printEvent prints one event.
func (op *operator) printEvent(w io.Writer, event *adminv1.WatchResponse) error {
	if op.output == formatTable {
		at := time.Unix(0, event.GetTimeNs()).UTC().Format("15:04:05.000000")
		_, err := fmt.Fprintf(w, "%s  %s\n", at, eventText(event))
		return err
	}
	text, err := marshal(event)
	if err != nil {
		return err
	}
	if op.output == formatYAML {
		if _, err := io.WriteString(w, "---\n"); err != nil {
			return err
		}
		return printYAML(w, text)
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

// eventText writes an event in one line.
func eventText(event *adminv1.WatchResponse) string {
	switch e := event.GetEvent().(type) {
	case *adminv1.WatchResponse_Decision:
		return decisionText(e.Decision)
	case *adminv1.WatchResponse_Counters:
		return countersText(e.Counters)
	case *adminv1.WatchResponse_Limits:
		return limitsText(e.Limits)
	case *adminv1.WatchResponse_Kill:
		return killText(e.Kill)
	case *adminv1.WatchResponse_Session:
		return sessionText(e.Session)
	case *adminv1.WatchResponse_Venue:
		return "venue     " + strings.ToLower(strings.TrimPrefix(e.Venue.GetState().String(), "VENUE_STATE_"))
	case *adminv1.WatchResponse_Alert:
		return alertText(e.Alert)
	case *adminv1.WatchResponse_Change:
		return changeText(e.Change)
	case *adminv1.WatchResponse_Missed:
		return "missed    " + plural(e.Missed.GetEvents(), "event", "events") + ": this client reads too slowly"
	}
	return "an event of a kind that this client does not know"
}

func countersText(c *adminv1.Counters) string {
	return fmt.Sprintf("counters  %s requests, %s accepted, %s rejected, %s reports",
		count(c.GetRequests()), count(c.GetAccepted()), count(c.GetRejected()), count(c.GetReports()))
}

func limitsText(l *adminv1.LimitsEvent) string {
	by := l.GetAppliedBy()
	return fmt.Sprintf("limits    version %d by %s: %s (%s)", l.GetResourceVersion(), by.GetActor(), by.GetReason(),
		plural(uint64(len(l.GetChanges())), "change", "changes"))
}

func killText(k *adminv1.KillEvent) string {
	what := "UNKILL    "
	if k.GetKilled() {
		what = "KILL      "
	}
	kill := k.GetKill()
	return what + scopePhrase(kill.GetScope()) + " by " + kill.GetActor() + ": " + kill.GetReason()
}

func alertText(a *adminv1.AlertEvent) string {
	subject := a.GetName()
	if a.GetScope() != nil {
		subject += " " + scopePhrase(a.GetScope())
	}
	return "ALERT     " + subject + ": " + a.GetText()
}

func changeText(c *adminv1.ChangeEvent) string {
	return fmt.Sprintf("change    %s %s by %s: %s (%s)", c.GetAction(), c.GetTarget(), c.GetActor(), c.GetDetail(),
		c.GetReason())
}

func sessionText(s *adminv1.SessionEvent) string {
	if s.GetConnected() {
		return fmt.Sprintf("session   %s is connected (connection %d)", s.GetSession(), s.GetConnection())
	}
	return strings.TrimRight(fmt.Sprintf("session   %s is gone %s", s.GetSession(), s.GetCause()), " ")
}

func decisionText(d *adminv1.DecisionEvent) string {
	var b strings.Builder
	b.WriteString("accepted  ")
	if !d.GetAccepted() {
		b.Reset()
		b.WriteString("REJECTED  ")
	}
	fmt.Fprintf(&b, "%s %s/%s %s", d.GetRequest(), d.GetSession(), d.GetAccount(), d.GetInstrument())
	if d.GetQty() != "" {
		fmt.Fprintf(&b, " %s %s @ %s", d.GetSide(), grouped(d.GetQty()), grouped(or(d.GetPrice(), "market")))
	}
	if d.GetAccepted() {
		return b.String()
	}
	fmt.Fprintf(&b, "  %s", d.GetReason())
	if d.GetScope() != nil {
		fmt.Fprintf(&b, " at %s: %s, limit %s", scopePhrase(d.GetScope()), grouped(d.GetValue()), grouped(d.GetLimit()))
	}
	return b.String()
}
