package riskcheck

import "tollgate/order"

// EffectKind says what the loop around the engine has to do.
type EffectKind uint8

// The effects of an input.
const (
	// EffectVerdict: send Verdict towards the venue.
	EffectVerdict EffectKind = 1
	// EffectAnswer: answer OutSeq of Session is in its stream; deliver it.
	EffectAnswer EffectKind = 2
	// EffectGap: the request was not applied; Ref is the one expected.
	EffectGap EffectKind = 3
	// EffectDuplicate: request Ref was processed before; OutSeq is its answer, or
	// zero if it has none yet or lies too far back.
	EffectDuplicate EffectKind = 4
	// EffectStale: a request of an unknown session or an old connection was
	// dropped.
	EffectStale EffectKind = 5
	// EffectDisconnect: cut the session's connection, Reason says why.
	EffectDisconnect EffectKind = 6
	// EffectWarn: tell the session that it is close to being cut.
	EffectWarn EffectKind = 7
	// EffectFence: have the adapter void every verdict in Scope with a sequence
	// number below BelowSeq, and confirm FenceID.
	EffectFence EffectKind = 8
	// EffectReportsFrom: a venue report is missing; ask for Ref and on.
	EffectReportsFrom EffectKind = 9
	// EffectAlert: tell people what Alert says. Scope is whose it is.
	EffectAlert EffectKind = 10
)

// AlertCause says what an alert is about.
type AlertCause uint8

// The causes of alerts. Those up to AlertImplausiblePosition are told to people
// who own the limits within 5 s (RTS 6 article 16); they leave with the effects of
// the input that caused them.
const (
	AlertWatch               AlertCause = 1  // use has reached the watch percentage of Kind
	AlertWarn                AlertCause = 2  // use has reached the warn percentage of Kind
	AlertAct                 AlertCause = 3  // a request was refused by Kind, or a loss is beyond it
	AlertLatched             AlertCause = 4  // the scope is latched; Latch says why
	AlertLateFill            AlertCause = 5  // an execution of an order that had ended
	AlertOverfill            AlertCause = 6  // more was executed than ordered
	AlertUnknownTrade        AlertCause = 7  // an execution of an order nobody knows
	AlertTradeCancel         AlertCause = 8  // the venue undid an execution
	AlertTradeCorrect        AlertCause = 9  // the venue changed an execution
	AlertRestated            AlertCause = 10 // the venue enlarged an order by itself
	AlertImplausiblePosition AlertCause = 11 // a position above what exists was refused
	AlertReverted            AlertCause = 12 // a temporary limit has ended
	AlertKilled              AlertCause = 13 // a limit's act has killed the scope
)

func (c AlertCause) String() string {
	names := [...]string{
		"none", "watch", "warn", "act", "latched", "late fill", "overfill", "unknown trade", "trade cancel",
		"trade correct", "restated", "implausible position", "reverted", "killed",
	}
	if int(c) >= len(names) {
		return "unknown"
	}
	return names[c]
}

// Latch is why a scope is latched. A latched scope stays so until Release.
type Latch uint8

// The latches.
const (
	LatchLateTruth           Latch = 1 // reduce-only: the venue's truth exceeded a limit
	LatchLimit               Latch = 2 // reduce-only: a limit whose act is reduceOnly was breached
	LatchImplausiblePosition Latch = 3 // reduce-only
	LatchLoss                Latch = 4 // reduce-only: DAILY_LOSS
	LatchDrawdown            Latch = 5 // reduce-only: DAILY_LOSS from the peak
	LatchRepeatedExecution   Latch = 6 // nothing that increases
	LatchConsecutiveRejects  Latch = 7 // nothing that increases
	latches                        = 8
)

var latchNames = [latches]string{
	"none", "lateTruth", "limit", "implausiblePosition", "dailyLoss", "dailyLossFromPeak", "repeatedExecution",
	"consecutiveRejects",
}

func (l Latch) String() string {
	if l >= latches {
		return "unknown"
	}
	return latchNames[l]
}

// Alert is what an EffectAlert says. Numbers that do not belong to a cause are
// zero.
type Alert struct {
	Value   int64 // in the unit of Kind
	Limit   int64
	OrderID order.OrderID
	Kind    LimitKind
	Cause   AlertCause
	Latch   Latch
}

// Effect is one thing the last input asks for. Verdict means something in an
// EffectVerdict only; other fields that a kind does not name are zero.
type Effect struct {
	Verdict    order.Verdict
	Ref        uint64
	OutSeq     uint64
	FenceID    uint64
	BelowSeq   uint64
	Alert      Alert
	Scope      order.Scope
	Session    order.SessionID
	Connection order.ConnectionID
	Reason     order.Reason
	Kind       EffectKind
}
