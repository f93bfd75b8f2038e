package riskcheck_test

import (
	"fmt"
	"strconv"
	"strings"

	"tollgate/order"
	"tollgate/riskcheck"
)

// eventKind is what the engine asks the loop around it to do.
type eventKind string

const (
	eventVerdict     eventKind = "verdict"
	eventAnswer      eventKind = "answer"
	eventGap         eventKind = "gap"
	eventDuplicate   eventKind = "duplicate"
	eventStale       eventKind = "stale"
	eventDisconnect  eventKind = "disconnect"
	eventWarn        eventKind = "warn"
	eventFence       eventKind = "fence"
	eventReportsFrom eventKind = "reports-from"
	eventAlert       eventKind = "alert"
)

// event is one effect, of the engine or of the oracle.
type event struct {
	kind       eventKind
	session    order.SessionID
	connection order.ConnectionID
	ref        uint64
	outSeq     uint64
	fence      uint64
	belowSeq   uint64
	reason     order.Reason
	scope      order.Scope
	verdict    order.Verdict
	answer     order.Answer
	alert      riskcheck.Alert
}

// essence is an event without what its kind does not name.
func (e event) essence() event {
	out := event{kind: e.kind}
	switch e.kind {
	case eventVerdict:
		out.verdict = e.verdict
	case eventAnswer:
		out.session, out.outSeq, out.answer = e.session, e.outSeq, said(e.answer)
	case eventFence:
		out.scope, out.fence, out.belowSeq = e.scope, e.fence, e.belowSeq
	case eventReportsFrom:
		out.ref = e.ref
	default:
		out.session, out.connection, out.ref, out.outSeq, out.reason = e.session, e.connection, e.ref, e.outSeq, e.reason
	}
	return out
}

// said is an answer without what its frame does not carry, or nobody fixed.
func said(a order.Answer) order.Answer {
	switch a.ExecType {
	case order.ExecTypeTradeCancel, order.ExecTypeTradeCorrect:
	case order.ExecTypeTrade:
		a.ExecRefID = 0
	default:
		a.ExecRefID, a.LastPx = 0, order.Null // nothing traded
	}
	if a.Kind != order.AnswerExecution {
		a.Price, a.OrderQty, a.LeavesQty = order.Null, 0, 0
	} else {
		a.MsgType = 0
	}
	if a.Kind == order.AnswerCancelReject {
		a.Account, a.Trader, a.Instrument, a.Side = 0, 0, 0, 0
		if a.OrderID == 0 {
			a.OrdStatus = 0
		}
	}
	asked := a.Kind == order.AnswerExecution && a.Ref != 0
	switch {
	case asked && (a.ExecType == order.ExecTypeReplaced || a.ExecType == order.ExecTypeCanceled):
	case a.Kind == order.AnswerCancelReject:
	default:
		a.OrigClOrdID = 0
	}
	d := &a.Decision
	switch {
	case d.Reason == order.ReasonQtyOutstanding || d.Reason == order.ReasonStopPx:
	case d.Reason.Control() <= order.ControlReference, d.Reason == order.ReasonArithOverflow,
		d.Scope.Type == order.ScopeNone && d.Reason < order.ReasonMarketOrderProtection,
		d.Scope.Type == order.ScopeNone && d.Reason >= order.ReasonOpenOrders && d.Reason < order.ReasonBuyingPower,
		d.Scope.Type == order.ScopeNone && d.Reason == order.ReasonMessageRate:
		d.Value, d.Limit = 0, 0
	}
	return a
}

// roll holds the names people use for identifiers.
type roll struct {
	groups, accounts, traders, sessions, strategies, instruments, classes, calendars map[string]uint32
	firm                                                                             string
}

func newRoll() *roll {
	n := &roll{firm: "F"}
	for _, names := range []*map[string]uint32{
		&n.groups, &n.accounts, &n.traders, &n.sessions, &n.strategies, &n.instruments, &n.classes, &n.calendars,
	} {
		*names = map[string]uint32{}
	}
	return n
}

// nameIn finds the name of an identifier; one without a name is a number.
func nameIn(m map[string]uint32, id uint32) string {
	for name, known := range m {
		if known == id {
			return name
		}
	}
	return "#" + strconv.FormatUint(uint64(id), 10)
}

func (n *roll) instrument(id order.InstrumentID) string { return nameIn(n.instruments, uint32(id)) }
func (n *roll) account(id order.AccountID) string       { return nameIn(n.accounts, uint32(id)) }
func (n *roll) trader(id order.TraderID) string         { return nameIn(n.traders, uint32(id)) }
func (n *roll) session(id order.SessionID) string       { return nameIn(n.sessions, uint32(id)) }

// scope writes "account A", "account A/X" for one instrument or "account A%ES"
// for a class of them.
func (n *roll) scope(s order.Scope) string {
	var name string
	switch s.Type {
	case order.ScopeNone:
		return "none"
	case order.ScopeFirm:
		name = n.firm
	case order.ScopeGroup:
		name = nameIn(n.groups, s.ID)
	case order.ScopeAccount:
		name = nameIn(n.accounts, s.ID)
	case order.ScopeTrader:
		name = nameIn(n.traders, s.ID)
	case order.ScopeSession:
		name = nameIn(n.sessions, s.ID)
	case order.ScopeStrategy:
		name = nameIn(n.strategies, s.ID)
	}
	if s.Class != 0 {
		name += "%" + nameIn(n.classes, uint32(s.Class))
	}
	if s.Instrument != 0 {
		name += "/" + n.instrument(s.Instrument)
	}
	return s.Type.String() + " " + name
}

// render writes one event as scripts show it.
func (n *roll) render(e *event) string {
	switch e.kind {
	case eventVerdict:
		return n.renderVerdict(&e.verdict)
	case eventAnswer:
		return n.renderAnswer(&e.answer)
	case eventGap:
		return fmt.Sprintf("%s gap: ref %d is expected", n.session(e.session), e.ref)
	case eventDuplicate:
		if e.outSeq == 0 {
			return fmt.Sprintf("%s duplicate: ref %d has no answer yet", n.session(e.session), e.ref)
		}
		return fmt.Sprintf("%s duplicate: ref %d was answered by %d", n.session(e.session), e.ref, e.outSeq)
	case eventStale:
		return fmt.Sprintf("%s stale: dropped", n.session(e.session))
	case eventDisconnect:
		return fmt.Sprintf("%s disconnect %v", n.session(e.session), e.reason)
	case eventWarn:
		return fmt.Sprintf("%s warned", n.session(e.session))
	case eventFence:
		return fmt.Sprintf("fence %d: verdicts of %s below %d are void", e.fence, n.scope(e.scope), e.belowSeq)
	case eventReportsFrom:
		return fmt.Sprintf("venue: report %d is missing", e.ref)
	case eventAlert:
		return n.renderAlert(e)
	}
	return "unknown event " + string(e.kind)
}

func (n *roll) renderVerdict(v *order.Verdict) string {
	var b strings.Builder
	fmt.Fprintf(&b, "to venue %d: %v order %d clordid %d", v.Token.Seq, v.MsgType, v.OrderID, v.ClOrdID)
	if v.MsgType != order.MsgNewOrder {
		fmt.Fprintf(&b, " orig %d", v.OrigClOrdID)
	}
	if v.MsgType != order.MsgCancelOrder {
		fmt.Fprintf(&b, " %v %v %s %v %s", v.Side, v.OrderQty, n.instrument(v.Instrument), v.OrdType, at(v.Price))
		if v.StopPx != order.Null {
			fmt.Fprintf(&b, " stop %v", v.StopPx)
		}
		if v.DisplayQty != 0 {
			fmt.Fprintf(&b, " display %v", v.DisplayQty)
		}
		fmt.Fprintf(&b, " %v", v.TimeInForce)
	}
	fmt.Fprintf(&b, " for %s/%s/%s", n.session(v.Session), n.account(v.Account), n.trader(v.Trader))
	if v.Strategy != 0 {
		fmt.Fprintf(&b, " by %s", nameIn(n.strategies, uint32(v.Strategy)))
	}
	if v.ValidUntil != 0 {
		fmt.Fprintf(&b, " until %s", clockText(v.ValidUntil))
	}
	return b.String()
}

func at(p order.Price) string {
	if p == order.Null {
		return "@ market"
	}
	return "@ " + p.String()
}

func (n *roll) renderAnswer(a *order.Answer) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s answer %d", n.session(a.Session), a.OutSeq)
	if a.Ref != 0 {
		fmt.Fprintf(&b, " to ref %d", a.Ref)
	}
	b.WriteString(": ")
	switch a.Kind {
	case order.AnswerExecution:
		n.renderExecution(&b, a)
	case order.AnswerCancelReject:
		n.renderCancelReject(&b, a)
	case order.AnswerMassCancel:
		fmt.Fprintf(&b, "mass cancel %d of %d orders", a.ClOrdID, a.Affected)
	case order.AnswerCanceledOnEnd:
		fmt.Fprintf(&b, "canceled on disconnect, %d orders", a.Affected)
	}
	return b.String()
}

func (n *roll) renderExecution(b *strings.Builder, a *order.Answer) {
	if a.ExecType == order.ExecTypeRejected && a.OrderID == 0 {
		fmt.Fprintf(b, "reject clordid %d %s", a.ClOrdID, n.decision(a.Decision))
		return
	}
	fmt.Fprintf(b, "%v", a.ExecType)
	switch a.ExecType {
	case order.ExecTypeTrade, order.ExecTypeTradeCorrect, order.ExecTypeTradeCancel:
		fmt.Fprintf(b, " %v @ %v", a.LastQty, a.LastPx)
	}
	if a.ExecRefID != 0 {
		fmt.Fprintf(b, " of execution %d", a.ExecRefID)
	}
	fmt.Fprintf(b, " order %d clordid %d", a.OrderID, a.ClOrdID)
	if a.Ref != 0 && (a.ExecType == order.ExecTypeReplaced || a.ExecType == order.ExecTypeCanceled) {
		fmt.Fprintf(b, " orig %d", a.OrigClOrdID)
	}
	fmt.Fprintf(b, " %v %v of %v %s %s leaves %v", a.OrdStatus, a.CumQty, a.OrderQty, n.instrument(a.Instrument),
		at(a.Price), a.LeavesQty)
	if a.Decision.Reason != order.ReasonNone {
		fmt.Fprintf(b, " because %v", a.Decision.Reason)
	}
}

func (n *roll) renderCancelReject(b *strings.Builder, a *order.Answer) {
	fmt.Fprintf(b, "%v refused clordid %d orig %d", a.MsgType, a.ClOrdID, a.OrigClOrdID)
	if a.OrderID != 0 {
		fmt.Fprintf(b, " order %d %v", a.OrderID, a.OrdStatus)
	}
	b.WriteString(" " + n.decision(a.Decision))
}

// decision writes reason, deciding scope and the numbers, in the unit of the
// control. Numbers that no limit stands behind are left out.
func (n *roll) decision(d order.Decision) string {
	text := d.Reason.String()
	if d.Scope.Type == order.ScopeNone {
		return text + unstated(d)
	}
	text += " at " + n.scope(d.Scope)
	switch d.Reason.Control() {
	case order.ControlOrderQty, order.ControlPosition, order.ControlParticipation, order.ControlShortSale:
		return fmt.Sprintf("%s: %v, limit %v", text, order.Qty(d.Value), order.Qty(d.Limit))
	case order.ControlNotional, order.ControlOpenNotional, order.ControlExposure, order.ControlBuyingPower,
		order.ControlTurnover, order.ControlLoss, order.ControlOrderToTrade: // a ratio has four decimals too
		return fmt.Sprintf("%s: %v, limit %v", text, order.Money(d.Value), order.Money(d.Limit))
	case order.ControlCollar, order.ControlSelfMatch:
		return fmt.Sprintf("%s: %v, limit %v", text, order.Price(d.Value), order.Price(d.Limit))
	case order.ControlMessageRate, order.ControlOpenOrders, order.ControlDuplicate, order.ControlRepeatedExecution,
		order.ControlConsecutiveRejects, order.ControlBasket:
		return fmt.Sprintf("%s: %d, limit %d", text, d.Value, d.Limit)
	}
	return text
}

// unstated says what is behind a decision without a scope: that no scope stated a
// limit, for the controls that need one, or numbers of the order itself.
func unstated(d order.Decision) string {
	switch d.Reason {
	case order.ReasonInstrumentNotPermitted, order.ReasonMaxOrderQty, order.ReasonMaxOrderNotional,
		order.ReasonPriceCollar, order.ReasonMarketOrderProtection, order.ReasonMaxParticipation,
		order.ReasonDuplicateOrder, order.ReasonMessageRate, order.ReasonRepeatedExecution, order.ReasonOpenOrders,
		order.ReasonOpenNotional, order.ReasonPositionLong, order.ReasonPositionShort, order.ReasonGrossExposure,
		order.ReasonNetExposure, order.ReasonBuyingPower, order.ReasonShortSale, order.ReasonDailyTurnover,
		order.ReasonDailyLoss, order.ReasonOrderToTrade, order.ReasonSelfMatch, order.ReasonConsecutiveRejects,
		order.ReasonBasket:
		return " (no limit stated)"
	case order.ReasonQtyOutstanding:
		return fmt.Sprintf(": %v of %v", order.Qty(d.Value), order.Qty(d.Limit))
	case order.ReasonShortSalePrice:
		return fmt.Sprintf(": %v, reference %v", order.Price(d.Value), order.Price(d.Limit))
	case order.ReasonStopPx:
		if d.Limit != 0 {
			return fmt.Sprintf(": %v, stop %v", order.Price(d.Value), order.Price(d.Limit))
		}
	}
	return ""
}

// renderAlert writes what people are told.
func (n *roll) renderAlert(e *event) string {
	a, scope := &e.alert, n.scope(e.scope)
	switch a.Cause {
	case riskcheck.AlertWatch, riskcheck.AlertWarn, riskcheck.AlertAct:
		return fmt.Sprintf("alert %v at %s: %v %s of %s", a.Cause, scope, a.Kind, inUnitOf(a.Kind, a.Value),
			inUnitOf(a.Kind, a.Limit))
	case riskcheck.AlertLatched:
		return fmt.Sprintf("alert latched %s: %v", scope, a.Latch)
	case riskcheck.AlertKilled:
		return fmt.Sprintf("alert killed %s: %v", scope, a.Kind)
	case riskcheck.AlertReverted:
		return fmt.Sprintf("alert reverted at %s: %v %s", scope, a.Kind, inUnitOf(a.Kind, a.Limit))
	case riskcheck.AlertImplausiblePosition:
		return fmt.Sprintf("alert %v at %s: %v of %v", a.Cause, scope, order.Qty(a.Value), order.Qty(a.Limit))
	}
	return fmt.Sprintf("alert %v order %d at %s", a.Cause, a.OrderID, scope)
}

// inUnitOf writes a number in the unit of a kind of limit.
func inUnitOf(kind riskcheck.LimitKind, value int64) string {
	if value == order.Unlimited {
		return "unlimited"
	}
	switch kind {
	case riskcheck.LimitMaxOrderQty, riskcheck.LimitPositionLong, riskcheck.LimitPositionShort,
		riskcheck.LimitParticipationBps:
		return order.Qty(value).String()
	case riskcheck.LimitMaxOrderNotional, riskcheck.LimitOpenNotional, riskcheck.LimitGrossExposure,
		riskcheck.LimitNetExposure, riskcheck.LimitCreditLine, riskcheck.LimitTurnoverPerDay,
		riskcheck.LimitTurnoverPerMinute, riskcheck.LimitDailyLoss, riskcheck.LimitDailyLossFromPeak,
		riskcheck.LimitDailyLossKill, riskcheck.LimitBasketNotional, riskcheck.LimitOrderToTrade,
		riskcheck.LimitOrderToTradeVolume:
		return order.Money(value).String()
	case riskcheck.LimitCollarBps, riskcheck.LimitCollarTicks, riskcheck.LimitCollarAbs, riskcheck.LimitCollarFarBps,
		riskcheck.LimitSelfMatch:
		return order.Price(value).String()
	case riskcheck.LimitShortSelling:
		return order.Qty(value).String()
	}
	return strconv.FormatInt(value, 10)
}

// decimal writes a number.
func decimal(n uint32) string { return strconv.FormatUint(uint64(n), 10) }

// clockText writes a time as seconds since the start of the script's day.
func clockText(ns int64) string {
	sign := ""
	d := ns - dayStart
	if d < 0 {
		sign, d = "-", -d
	}
	whole := fmt.Sprintf("%s%d.%09d", sign, d/1e9, d%1e9)
	return strings.TrimSuffix(strings.TrimRight(whole, "0"), ".") + "s"
}

// dayStart is when every test's day begins, ns since 1970 UTC.
const dayStart int64 = 1_800_000_000_000_000_000
