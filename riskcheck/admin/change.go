package admin

import (
	"context"
	"fmt"
	"strings"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	adminv1 "tollgate/proto/tollgate/admin/v1"
	"tollgate/riskcheck"
)

// engineActor is who audit records and events name for what the engine has done
// by itself: a limit's act, a latch, the end of a temporary limit.
const engineActor = "tollgate"

// change is one command of a person to the engine, other than limits and kills.
type change struct {
	action string // as in the audit record
	target string
	detail string // what was and what is; set before the engine is asked, or by run
	actor  string
	reason string
}

// command has the engine carry out a change between two batches, in one step,
// writes the audit record and tells watchers. run returns why the engine
// refused.
func (s *Service) command(ctx context.Context, c *change, run func(e *riskcheck.Engine, nowNs int64) error,
) (auditID uint64, err error) {
	if err := accountable(c.reason, c.actor); err != nil {
		return 0, err
	}
	var refused error
	err = unavailable(s.loop.Do(ctx, func(e *riskcheck.Engine, nowNs int64) { refused = run(e, nowNs) }))
	if err == nil && refused != nil {
		err = status.Errorf(codes.FailedPrecondition, "%s of %s: the engine refused it: %s", c.action, c.target, refused)
	}
	record := AuditRecord{
		Action: c.action, Actor: c.actor, Reason: c.reason, Target: c.target, Detail: c.detail, Outcome: outcome(err),
	}
	record.ID = s.audit(ctx, record)
	if err != nil {
		return 0, err
	}
	s.feed.Publish(Event{Kind: eventChange, TimeNs: s.hooks.NowNs(), change: &record})
	return record.ID, nil
}

// changeMessage is the event of a change.
func changeMessage(r *AuditRecord) *adminv1.ChangeEvent {
	return &adminv1.ChangeEvent{
		Action: r.Action, Target: r.Target, Detail: r.Detail, Actor: r.Actor, Reason: r.Reason, AuditId: r.ID,
	}
}

// decimal reads a number of a request.
func decimal[N ~int64](field, text, want string, parse func(string) (N, error)) (N, error) {
	v, err := parse(text)
	if err != nil {
		return 0, invalid(field, "%q, want %s", text, want)
	}
	return v, nil
}

// What numbers of requests look like.
const (
	qtyWanted   = "a quantity such as 100 or 0.001 with at most 8 decimals"
	moneyWanted = "an amount such as 250000 or 99.95 with at most 4 decimals"
	priceWanted = "a price such as 10.25 with at most 8 decimals"
	rateWanted  = "a rate above zero such as 1.0825 with at most 8 decimals"
)

// oneOf names the members of a set in a sentence.
func oneOf[V fmt.Stringer](values []V) string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = v.String()
	}
	return "one of: " + strings.Join(texts, ", ")
}
