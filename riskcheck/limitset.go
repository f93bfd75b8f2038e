package riskcheck

import "tollgate/order"

// LimitKind says what a limit bounds. The numbers are part of stored limits
// and never change their meaning.
type LimitKind uint8

// The kinds of limits.
const (
	// LimitMaxOrderQty bounds OrderQty of one order (order.Qty).
	LimitMaxOrderQty LimitKind = 1
	// LimitMaxOrderNotional bounds the value of one order (order.Money).
	LimitMaxOrderNotional LimitKind = 2
	// LimitCollarBps is the collar in 1/10,000 of the reference price.
	LimitCollarBps LimitKind = 3
	// LimitCollarTicks is the collar in ticks of the instrument.
	LimitCollarTicks LimitKind = 4
	// LimitCollarAbs is the collar in order.Price.
	LimitCollarAbs LimitKind = 5
	// LimitCollarFarBps is the optional sanity band on the passive side.
	LimitCollarFarBps LimitKind = 6
	// LimitMessagesPerSecond bounds accepted new and replace requests in any
	// second, exactly, counted from when the scope first stated a finite value.
	// A refusal names the limit plus one as its value. Instrument 0 only, like all
	// message rates.
	LimitMessagesPerSecond LimitKind = 7
	// LimitMessagesPerMinute bounds them in any minute, exactly.
	LimitMessagesPerMinute LimitKind = 8
	// LimitMessagesPerDay bounds them since the last day roll.
	LimitMessagesPerDay LimitKind = 9
	// LimitMessagesCutPerSecond is the optional second limit of a session: new
	// and replace requests, rejected ones too. Above it the session is cut.
	LimitMessagesCutPerSecond LimitKind = 10
	// LimitCancelsPerSecond is the optional cancel rate of a session above which
	// it is warned. Cancels are never refused for it.
	LimitCancelsPerSecond LimitKind = 11
	// LimitCancelsCutPerSecond is the optional cancel rate above which the
	// session is cut, after its cancels were passed on.
	LimitCancelsCutPerSecond LimitKind = 12
	// LimitOpenOrders bounds the count of live orders.
	LimitOpenOrders LimitKind = 13
	// LimitOpenNotional bounds the reserved value of live orders (order.Money).
	LimitOpenNotional LimitKind = 14
	// LimitPositionLong bounds the worst-case long position of an instrument
	// (order.Qty). At Instrument 0 it holds for each instrument by itself.
	LimitPositionLong LimitKind = 15
	// LimitPositionShort bounds the worst-case short position likewise.
	LimitPositionShort LimitKind = 16
	// LimitGrossExposure bounds Σ|position value| + open notional (order.Money).
	LimitGrossExposure LimitKind = 17
	// LimitNetExposure bounds the worst-case net value per side (order.Money).
	LimitNetExposure LimitKind = 18
	// LimitPermission says how the scope's list of instruments is meant:
	// PermitAllowOnly or PermitDeny. Instrument 0 only.
	LimitPermission LimitKind = 19
	// LimitPermitListed puts an instrument on the scope's list for the sides in
	// the value (PermitBuy, PermitSell). With an instrument only.
	LimitPermitListed LimitKind = 20

	limitKinds = 21
)

// Values of LimitPermission and LimitPermitListed.
const (
	PermitAllowOnly int64 = 1 // only what is listed
	PermitDeny      int64 = 2 // everything but what is listed

	PermitBuy  int64 = 1
	PermitSell int64 = 2
)

// limitNames are the names of limits files, in the order of the kinds.
var limitNames = [limitKinds]string{
	"", "maxOrderQty", "maxOrderNotional", "collarBps", "collarTicks", "collarAbs", "collarFarBps",
	"messagesPerSecond", "messagesPerMinute", "messagesPerDay", "messagesCutPerSecond", "cancelsPerSecond",
	"cancelsCutPerSecond", "openOrders", "openNotional", "positionLong", "positionShort", "grossExposure",
	"netExposure", "permission", "permitListed",
}

// String returns the kind's name as limits files spell it.
func (k LimitKind) String() string {
	if k == 0 || k >= limitKinds {
		return "unknown"
	}
	return limitNames[k]
}

// Control returns the control the kind belongs to.
func (k LimitKind) Control() order.Control {
	switch k {
	case LimitMaxOrderQty:
		return order.ControlOrderQty
	case LimitMaxOrderNotional:
		return order.ControlNotional
	case LimitCollarBps, LimitCollarTicks, LimitCollarAbs, LimitCollarFarBps:
		return order.ControlCollar
	case LimitMessagesPerSecond, LimitMessagesPerMinute, LimitMessagesPerDay, LimitMessagesCutPerSecond,
		LimitCancelsPerSecond, LimitCancelsCutPerSecond:
		return order.ControlMessageRate
	case LimitOpenOrders:
		return order.ControlOpenOrders
	case LimitOpenNotional:
		return order.ControlOpenNotional
	case LimitPositionLong, LimitPositionShort:
		return order.ControlPosition
	case LimitGrossExposure, LimitNetExposure:
		return order.ControlExposure
	case LimitPermission, LimitPermitListed:
		return order.ControlPermission
	}
	return order.ControlNone
}

// LimitEntry is one limit at one scope.
type LimitEntry struct {
	Scope order.Scope
	Kind  LimitKind
	Value int64
}

// LimitSet is all limits of the firm. It replaces the set in force as a whole;
// what it does not state is not limited at that scope, and what no scope that
// applies to an order states is blocked.
type LimitSet struct{ Entries []LimitEntry }

// perSession reports whether the kind can stand at session scopes only.
func (k LimitKind) perSession() bool {
	return k == LimitMessagesCutPerSecond || k == LimitCancelsPerSecond || k == LimitCancelsCutPerSecond
}

// wholeScope reports whether the kind can only stand without an instrument.
func (k LimitKind) wholeScope() bool {
	return k >= LimitMessagesPerSecond && k <= LimitCancelsCutPerSecond || k == LimitPermission
}
