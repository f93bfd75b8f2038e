package admin

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"tollgate/order"
	adminv1 "tollgate/proto/tollgate/admin/v1"
	"tollgate/riskcheck"
)

// remarkTimeout bounds the question to the loop when the engine has killed a
// scope by itself.
const remarkTimeout = 5 * time.Second

// remark keeps what people will ask for when they see an alert: since when and
// why a scope is latched or killed. What the engine does by itself gets an
// audit record like what people do.
func (s *Service) remark(ctx context.Context, e *Event) {
	switch e.Alert.Cause {
	case riskcheck.AlertLatched:
		s.mu.Lock()
		s.latches[latched{e.Scope, e.Alert.Latch}] = &latchRecord{alert: e.Alert, timeNs: e.TimeNs}
		s.mu.Unlock()
		s.audit(ctx, AuditRecord{
			Action: "latch", Actor: engineActor, Reason: alertText(&e.Alert), Target: s.describe(e.Scope),
			Detail: "latch " + e.Alert.Latch.String(), Outcome: "done",
		})
	case riskcheck.AlertKilled:
		s.remarkKill(ctx, e)
	}
}

// remarkKill remembers a kill that a limit's act has made, unless it was lifted
// before the alert came here.
func (s *Service) remarkKill(ctx context.Context, e *Event) {
	record := &killRecord{
		scope: e.Scope, actor: engineActor, reason: alertText(&e.Alert), timeNs: e.TimeNs, fenceID: e.FenceID,
	}
	record.auditID = s.audit(ctx, AuditRecord{
		Action: "kill", Actor: engineActor, Reason: record.reason, Target: s.describe(e.Scope), Outcome: "done",
	})
	ctx, cancel := context.WithTimeout(ctx, remarkTimeout)
	defer cancel()
	killed, err := s.killedNow(ctx)
	if err == nil && slices.Contains(killed, e.Scope) {
		s.setKill(record)
	}
	s.feed.Publish(Event{Kind: eventKill, TimeNs: e.TimeNs, killed: true, kill: record})
}

// alertMessage is the event of an alert.
func (s *Service) alertMessage(e *Event) *adminv1.AlertEvent {
	m := &adminv1.AlertEvent{Name: e.Name, Text: e.Text, Scope: s.scope(e.Scope)}
	a := &e.Alert
	if a.Cause == 0 {
		return m
	}
	m.Name, m.Text = strings.ToUpper(strings.ReplaceAll(a.Cause.String(), " ", "_")), alertText(a)
	m.Cause, m.Latch, m.OrderId = adminv1.AlertCause(a.Cause), adminv1.Latch(a.Latch), uint64(a.OrderID)
	if a.Kind != 0 {
		m.Control, m.Kind = a.Kind.Control().String(), a.Kind.String()
		m.Value, m.Limit = FormatUse(a.Kind, a.Value), FormatUse(a.Kind, a.Limit)
	}
	return m
}

// alertText says an alert in one sentence, without whose it is.
func alertText(a *riskcheck.Alert) string {
	switch a.Cause {
	case riskcheck.AlertWatch, riskcheck.AlertWarn:
		return measured(a)
	case riskcheck.AlertAct:
		return actText(a)
	case riskcheck.AlertLatched:
		if a.Kind != 0 {
			return latchText(a.Latch) + ": " + measured(a)
		}
		return latchText(a.Latch)
	case riskcheck.AlertKilled:
		return "killed by a limit's act: " + measured(a)
	case riskcheck.AlertReverted:
		return fmt.Sprintf("the temporary limit has ended: %s is %s", a.Kind, FormatUse(a.Kind, a.Limit))
	case riskcheck.AlertImplausiblePosition:
		return fmt.Sprintf("a position of %s was refused: only %s exist", order.Qty(a.Value), order.Qty(a.Limit))
	}
	return venueText(a)
}

// measured writes a limit and what it measures.
func measured(a *riskcheck.Alert) string {
	return fmt.Sprintf("%s is at %s of %s", a.Kind, FormatUse(a.Kind, a.Value), FormatUse(a.Kind, a.Limit))
}

// actText says that a limit did what it is for. Losses are found by prices,
// everything else by a request.
func actText(a *riskcheck.Alert) string {
	switch a.Kind {
	case riskcheck.LimitDailyLoss, riskcheck.LimitDailyLossFromPeak, riskcheck.LimitDailyLossKill:
		return measured(a)
	}
	return "a request was refused: " + measured(a)
}

// latchText says what a latch means.
func latchText(l riskcheck.Latch) string {
	const reduceOnly = "only reducing orders pass until a release, "
	const nothing = "nothing that increases passes until a release, "
	switch l {
	case riskcheck.LatchLateTruth:
		return reduceOnly + "since what the venue said exceeds a limit"
	case riskcheck.LatchLimit:
		return reduceOnly + "since a limit was breached whose act is reduceOnly"
	case riskcheck.LatchImplausiblePosition:
		return reduceOnly + "since a position was given that cannot be"
	case riskcheck.LatchLoss:
		return reduceOnly + "since the day's loss is beyond its limit"
	case riskcheck.LatchDrawdown:
		return reduceOnly + "since the loss from the day's peak is beyond its limit"
	case riskcheck.LatchRepeatedExecution:
		return nothing + "since a strategy has run too often by itself"
	case riskcheck.LatchConsecutiveRejects:
		return nothing + "since too many requests in a row were rejected"
	}
	return "latched"
}

// venueText says what the venue did.
func venueText(a *riskcheck.Alert) string {
	switch a.Cause {
	case riskcheck.AlertLateFill:
		return fmt.Sprintf("an execution of order %d, which had ended", a.OrderID)
	case riskcheck.AlertOverfill:
		return fmt.Sprintf("more of order %d was executed than ordered", a.OrderID)
	case riskcheck.AlertUnknownTrade:
		return fmt.Sprintf("an execution of order %d, which nobody knows", a.OrderID)
	case riskcheck.AlertTradeCancel:
		return fmt.Sprintf("the venue undid an execution of order %d", a.OrderID)
	case riskcheck.AlertTradeCorrect:
		return fmt.Sprintf("the venue changed an execution of order %d", a.OrderID)
	case riskcheck.AlertRestated:
		return fmt.Sprintf("the venue enlarged order %d by itself", a.OrderID)
	}
	return a.Cause.String()
}
