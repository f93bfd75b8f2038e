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

	// LimitMarketProtectionBps says how far from the reference price a market order
	// may trade, in 1/10,000: it is sent as a limit order at that price.
	LimitMarketProtectionBps LimitKind = 21
	// LimitMarketProtectionTicks says the same in ticks of the instrument.
	LimitMarketProtectionTicks LimitKind = 22
	// LimitParticipationBps bounds OrderQty in 1/10,000 of the instrument's average
	// daily volume.
	LimitParticipationBps LimitKind = 23
	// LimitDuplicateOrders bounds how many identical new orders may be accepted
	// within LimitDuplicateWindow; at most duplicatesMax, or unlimited.
	LimitDuplicateOrders LimitKind = 24
	// LimitDuplicateWindow is that window, ns, at most a minute; a second if no
	// scope states one. The longest stated counts.
	LimitDuplicateWindow LimitKind = 25
	// LimitOrdersAndCancelsPerSecond bounds accepted new and replace requests
	// together with cancels in any second. Cancels count and are never refused.
	LimitOrdersAndCancelsPerSecond LimitKind = 26
	// LimitOrdersAndCancelsPerDay bounds them since the last day roll.
	LimitOrdersAndCancelsPerDay LimitKind = 27
	// LimitStrategyExecutions bounds how many orders of a strategy are accepted
	// without a person's release.
	LimitStrategyExecutions LimitKind = 28
	// LimitCreditLine is how far an account's required cash and margin may exceed
	// its equity (order.Money).
	LimitCreditLine LimitKind = 29
	// LimitShortSelling is ShortForbidden, ShortLocate, or unlimited: free.
	LimitShortSelling LimitKind = 30
	// LimitTurnoverPerDay bounds executed plus open value since the last day roll
	// (order.Money).
	LimitTurnoverPerDay LimitKind = 31
	// LimitTurnoverPerMinute bounds what accepted requests add to open value within
	// a minute of whole seconds (order.Money).
	LimitTurnoverPerMinute LimitKind = 32
	// LimitDailyLoss bounds the loss of the day, realised and unrealised
	// (order.Money). Beyond it the scope is latched to reducing orders.
	LimitDailyLoss LimitKind = 33
	// LimitDailyLossFromPeak bounds the loss from the day's peak likewise.
	LimitDailyLossFromPeak LimitKind = 34
	// LimitDailyLossKill is the optional loss of the day that kills the scope.
	LimitDailyLossKill LimitKind = 35
	// LimitOrderToTrade bounds orders ÷ trades − 1 in number, in 1/10,000.
	LimitOrderToTrade LimitKind = 36
	// LimitOrderToTradeVolume bounds it in quantity, for one instrument or class.
	LimitOrderToTradeVolume LimitKind = 37
	// LimitOrderToTradeMinimum is the number of orders up to which neither is judged.
	LimitOrderToTradeMinimum LimitKind = 38
	// LimitSelfMatch is SelfMatchReject, SelfMatchCancel, or unlimited: allowed.
	LimitSelfMatch LimitKind = 39
	// LimitConsecutiveRejects is the number of rejects in a row, within
	// LimitConsecutiveRejectsWindow, that stops the scope.
	LimitConsecutiveRejects LimitKind = 40
	// LimitConsecutiveRejectsWindow is that window, ns; a second if unstated.
	LimitConsecutiveRejectsWindow LimitKind = 41
	// LimitBasketOrders bounds the orders of one list.
	LimitBasketOrders LimitKind = 42
	// LimitBasketNotional bounds the value of all orders of one list (order.Money).
	LimitBasketNotional LimitKind = 43

	limitKinds = 44
)

// Values of LimitPermission and LimitPermitListed.
const (
	PermitAllowOnly int64 = 1 // only what is listed
	PermitDeny      int64 = 2 // everything but what is listed

	PermitBuy  int64 = 1
	PermitSell int64 = 2
)

// Values of LimitShortSelling and LimitSelfMatch; order.Unlimited stands for no
// restriction in both.
const (
	ShortForbidden int64 = 0 // only what is held can be sold
	ShortLocate    int64 = 1 // a short sale needs a located quantity

	SelfMatchReject int64 = 1 // the new order is refused
	SelfMatchCancel int64 = 2 // the resting order is canceled first
)

// LimitAct is what a breach does to the scope that states the limit, beside the
// refusal of the request.
type LimitAct uint8

// The acts.
const (
	ActReject     LimitAct = 0 // nothing more
	ActReduceOnly LimitAct = 1 // latched: only reducing orders until a release
	ActKill       LimitAct = 2 // the scope is killed
)

func (a LimitAct) String() string {
	switch a {
	case ActReject:
		return "reject"
	case ActReduceOnly:
		return "reduceOnly"
	case ActKill:
		return "kill"
	}
	return "unknown"
}

// limitNames are the names of limits files, in the order of the kinds.
var limitNames = [limitKinds]string{
	"", "maxOrderQty", "maxOrderNotional", "collarBps", "collarTicks", "collarAbs", "collarFarBps",
	"messagesPerSecond", "messagesPerMinute", "messagesPerDay", "messagesCutPerSecond", "cancelsPerSecond",
	"cancelsCutPerSecond", "openOrders", "openNotional", "positionLong", "positionShort", "grossExposure",
	"netExposure", "permission", "permitListed", "marketProtectionBps", "marketProtectionTicks", "participationBps",
	"duplicateOrders", "duplicateWindow", "ordersAndCancelsPerSecond", "ordersAndCancelsPerDay", "strategyExecutions",
	"creditLine", "shortSelling", "turnoverPerDay", "turnoverPerMinute", "dailyLoss", "dailyLossFromPeak",
	"dailyLossKill", "orderToTrade", "orderToTradeVolume", "orderToTradeMinimum", "selfMatch", "consecutiveRejects",
	"consecutiveRejectsWindow", "basketOrders", "basketNotional",
}

// String returns the kind's name as limits files spell it.
func (k LimitKind) String() string {
	if k == 0 || k >= limitKinds {
		return "unknown"
	}
	return limitNames[k]
}

// limitControls are the controls the kinds belong to.
var limitControls = [limitKinds]order.Control{
	LimitMaxOrderQty: order.ControlOrderQty, LimitMaxOrderNotional: order.ControlNotional,
	LimitCollarBps: order.ControlCollar, LimitCollarTicks: order.ControlCollar, LimitCollarAbs: order.ControlCollar,
	LimitCollarFarBps: order.ControlCollar, LimitMessagesPerSecond: order.ControlMessageRate,
	LimitMessagesPerMinute: order.ControlMessageRate, LimitMessagesPerDay: order.ControlMessageRate,
	LimitMessagesCutPerSecond: order.ControlMessageRate, LimitCancelsPerSecond: order.ControlMessageRate,
	LimitCancelsCutPerSecond: order.ControlMessageRate, LimitOpenOrders: order.ControlOpenOrders,
	LimitOpenNotional: order.ControlOpenNotional, LimitPositionLong: order.ControlPosition,
	LimitPositionShort: order.ControlPosition, LimitGrossExposure: order.ControlExposure,
	LimitNetExposure: order.ControlExposure, LimitPermission: order.ControlPermission,
	LimitPermitListed: order.ControlPermission, LimitMarketProtectionBps: order.ControlProtection,
	LimitMarketProtectionTicks: order.ControlProtection, LimitParticipationBps: order.ControlParticipation,
	LimitDuplicateOrders: order.ControlDuplicate, LimitDuplicateWindow: order.ControlDuplicate,
	LimitOrdersAndCancelsPerSecond: order.ControlMessageRate, LimitOrdersAndCancelsPerDay: order.ControlMessageRate,
	LimitStrategyExecutions: order.ControlRepeatedExecution, LimitCreditLine: order.ControlBuyingPower,
	LimitShortSelling: order.ControlShortSale, LimitTurnoverPerDay: order.ControlTurnover,
	LimitTurnoverPerMinute: order.ControlTurnover, LimitDailyLoss: order.ControlLoss,
	LimitDailyLossFromPeak: order.ControlLoss, LimitDailyLossKill: order.ControlLoss,
	LimitOrderToTrade: order.ControlOrderToTrade, LimitOrderToTradeVolume: order.ControlOrderToTrade,
	LimitOrderToTradeMinimum: order.ControlOrderToTrade, LimitSelfMatch: order.ControlSelfMatch,
	LimitConsecutiveRejects:       order.ControlConsecutiveRejects,
	LimitConsecutiveRejectsWindow: order.ControlConsecutiveRejects, LimitBasketOrders: order.ControlBasket,
	LimitBasketNotional: order.ControlBasket,
}

// Control returns the control the kind belongs to.
func (k LimitKind) Control() order.Control {
	if k >= limitKinds {
		return order.ControlNone
	}
	return limitControls[k]
}

// LimitKinds returns every kind, in the order of their numbers.
func LimitKinds() []LimitKind {
	out := make([]LimitKind, limitKinds-1)
	for i := range out {
		out[i] = LimitKind(i + 1)
	}
	return out
}

// LimitEntry is one limit at one scope.
type LimitEntry struct {
	Scope order.Scope
	Value int64
	// Until is the engine time, ns since 1970 UTC, from which Then holds instead of
	// Value; 0: Value holds until another set is applied. Then must not be above
	// Value: a raise reverts by itself, nothing is loosened by itself.
	Until int64
	Then  int64
	Kind  LimitKind
	// Watch and Warn are the percentages of the limit, 1 to 100, at which use of it
	// is told; 0: not told. Act is what a breach does beside the refusal.
	Watch uint8
	Warn  uint8
	Act   LimitAct
}

// LimitSet is all limits of the firm. It replaces the set in force as a whole;
// what it does not state is not limited at that scope, and what no scope that
// applies to an order states is blocked.
type LimitSet struct{ Entries []LimitEntry }

// perSession reports whether the kind can stand at session scopes only.
func (k LimitKind) perSession() bool {
	return k == LimitMessagesCutPerSecond || k == LimitCancelsPerSecond || k == LimitCancelsCutPerSecond
}

// wholeScope reports whether the kind can only stand without an instrument and
// class.
func (k LimitKind) wholeScope() bool {
	switch k {
	case LimitPermission, LimitOrdersAndCancelsPerSecond, LimitOrdersAndCancelsPerDay, LimitDailyLoss,
		LimitDailyLossFromPeak, LimitDailyLossKill, LimitConsecutiveRejects, LimitConsecutiveRejectsWindow:
		return true
	}
	return k >= LimitMessagesPerSecond && k <= LimitCancelsCutPerSecond
}

// partScope reports whether the kind can only stand with an instrument or class.
func (k LimitKind) partScope() bool { return k == LimitPermitListed || k == LimitOrderToTradeVolume }
