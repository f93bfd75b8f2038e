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
)

// Effect is one thing the last input asks for. Fields that a kind does not
// name are zero.
type Effect struct {
	Verdict    order.Verdict
	Ref        uint64
	OutSeq     uint64
	FenceID    uint64
	BelowSeq   uint64
	Scope      order.Scope
	Session    order.SessionID
	Connection order.ConnectionID
	Reason     order.Reason
	Kind       EffectKind
}
