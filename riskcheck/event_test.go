package riskcheck_test

import (
	"fmt"
	"strconv"
	"strings"

	"tollgate/order"
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
}

// roll holds the names people use for identifiers.
type roll struct {
	groups, accounts, traders, sessions, instruments map[string]uint32
	firm                                             string
}

func newRoll() *roll {
	return &roll{
		groups: map[string]uint32{}, accounts: map[string]uint32{}, traders: map[string]uint32{},
		sessions: map[string]uint32{}, instruments: map[string]uint32{}, firm: "F",
	}
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
		fmt.Fprintf(&b, " %v %v %s %v %s %v", v.Side, v.OrderQty, n.instrument(v.Instrument), v.OrdType,
			at(v.Price), v.TimeInForce)
	}
	fmt.Fprintf(&b, " for %s/%s/%s", n.session(v.Session), n.account(v.Account), n.trader(v.Trader))
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
	if a.ExecType == order.ExecTypeTrade {
		fmt.Fprintf(b, " %v @ %v", a.LastQty, a.LastPx)
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
	case order.ControlOrderQty, order.ControlPosition:
		return fmt.Sprintf("%s: %v, limit %v", text, order.Qty(d.Value), order.Qty(d.Limit))
	case order.ControlNotional, order.ControlOpenNotional, order.ControlExposure:
		return fmt.Sprintf("%s: %v, limit %v", text, order.Money(d.Value), order.Money(d.Limit))
	case order.ControlCollar:
		return fmt.Sprintf("%s: %v, limit %v", text, order.Price(d.Value), order.Price(d.Limit))
	case order.ControlMessageRate, order.ControlOpenOrders:
		return fmt.Sprintf("%s: %d, limit %d", text, d.Value, d.Limit)
	}
	return text
}

// unstated says that no scope stated a limit, for the controls that need one.
func unstated(d order.Decision) string {
	switch d.Reason {
	case order.ReasonInstrumentNotPermitted, order.ReasonMaxOrderQty, order.ReasonMaxOrderNotional,
		order.ReasonPriceCollar, order.ReasonMessageRate, order.ReasonOpenOrders, order.ReasonOpenNotional,
		order.ReasonPositionLong, order.ReasonPositionShort, order.ReasonGrossExposure, order.ReasonNetExposure:
		return " (no limit stated)"
	}
	return ""
}

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
