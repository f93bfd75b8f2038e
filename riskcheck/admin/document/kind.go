package document

import (
	"tollgate/order"
	"tollgate/riskcheck"
)

// standing says where a kind of limit may stand.
type standing uint8

const (
	anywhere    standing = 0 // any scope, whole or narrowed to an instrument or a class
	wholeScope  standing = 1 // any scope, without an instrument or class
	sessionOnly standing = 2 // a session, without an instrument or class
	narrowed    standing = 3 // any scope, with an instrument or class only
	listed      standing = 4 // by the lists of a scope, not as a field
)

// kindInfo is one row of the table below.
type kindInfo struct {
	kind     riskcheck.LimitKind
	unit     unit
	standing standing
}

// kinds is how documents write each kind of limit, in the order they are
// written. The fields have the names of riskcheck.LimitKind.
var kinds = [...]kindInfo{
	{riskcheck.LimitPermission, unitPermission, wholeScope},
	{riskcheck.LimitPermitListed, unitSides, listed},
	{riskcheck.LimitMaxOrderQty, unitQty, anywhere},
	{riskcheck.LimitMaxOrderNotional, unitMoney, anywhere},
	{riskcheck.LimitCollarBps, unitBps, anywhere},
	{riskcheck.LimitCollarTicks, unitCount, anywhere},
	{riskcheck.LimitCollarAbs, unitPrice, anywhere},
	{riskcheck.LimitCollarFarBps, unitBps, anywhere},
	{riskcheck.LimitMarketProtectionBps, unitBps, anywhere},
	{riskcheck.LimitMarketProtectionTicks, unitCount, anywhere},
	{riskcheck.LimitParticipationBps, unitVolume, anywhere},
	{riskcheck.LimitDuplicateOrders, unitDuplicates, anywhere},
	{riskcheck.LimitDuplicateWindow, unitMinute, anywhere},
	{riskcheck.LimitMessagesPerSecond, unitRate, wholeScope},
	{riskcheck.LimitMessagesPerMinute, unitRate, wholeScope},
	{riskcheck.LimitMessagesPerDay, unitCount, wholeScope},
	{riskcheck.LimitOrdersAndCancelsPerSecond, unitRate, wholeScope},
	{riskcheck.LimitOrdersAndCancelsPerDay, unitCount, wholeScope},
	{riskcheck.LimitMessagesCutPerSecond, unitRate, sessionOnly},
	{riskcheck.LimitCancelsPerSecond, unitRate, sessionOnly},
	{riskcheck.LimitCancelsCutPerSecond, unitRate, sessionOnly},
	{riskcheck.LimitStrategyExecutions, unitCount, anywhere},
	{riskcheck.LimitOpenOrders, unitCount, anywhere},
	{riskcheck.LimitOpenNotional, unitMoney, anywhere},
	{riskcheck.LimitPositionLong, unitQty, anywhere},
	{riskcheck.LimitPositionShort, unitQty, anywhere},
	{riskcheck.LimitGrossExposure, unitMoney, anywhere},
	{riskcheck.LimitNetExposure, unitMoney, anywhere},
	{riskcheck.LimitCreditLine, unitMoney, anywhere},
	{riskcheck.LimitShortSelling, unitShortSelling, anywhere},
	{riskcheck.LimitTurnoverPerDay, unitMoney, anywhere},
	{riskcheck.LimitTurnoverPerMinute, unitMoney, anywhere},
	{riskcheck.LimitDailyLoss, unitMoney, wholeScope},
	{riskcheck.LimitDailyLossFromPeak, unitMoney, wholeScope},
	{riskcheck.LimitDailyLossKill, unitMoney, wholeScope},
	{riskcheck.LimitOrderToTrade, unitRatio, anywhere},
	{riskcheck.LimitOrderToTradeVolume, unitRatio, narrowed},
	{riskcheck.LimitOrderToTradeMinimum, unitCount, anywhere},
	{riskcheck.LimitSelfMatch, unitSelfMatch, anywhere},
	{riskcheck.LimitConsecutiveRejects, unitRejects, wholeScope},
	{riskcheck.LimitConsecutiveRejectsWindow, unitDuration, wholeScope},
	{riskcheck.LimitBasketOrders, unitCount, anywhere},
	{riskcheck.LimitBasketNotional, unitMoney, anywhere},
}

// The thresholds of a limit that says nothing of its own.
const (
	watchDefault uint8 = 75
	warnDefault  uint8 = 90
)

// info returns the row of a kind, nil if there is none.
func info(kind riskcheck.LimitKind) *kindInfo {
	for i := range kinds {
		if kinds[i].kind == kind {
			return &kinds[i]
		}
	}
	return nil
}

// kindOrder is the place of a kind in a document.
func kindOrder(kind riskcheck.LimitKind) int {
	for i := range kinds {
		if kinds[i].kind == kind {
			return i
		}
	}
	return len(kinds)
}

// stated returns the limit that a bare value states at a scope: with the
// thresholds and the act that hold unless the limit says otherwise. A loss can
// only be acted upon, since no single request makes it.
func (k *kindInfo) stated(scope order.Scope, value int64) riskcheck.LimitEntry {
	e := riskcheck.LimitEntry{Scope: scope, Kind: k.kind, Value: value}
	if k.kind.HasRungs() {
		e.Watch, e.Warn = watchDefault, warnDefault
	}
	if k.kind == riskcheck.LimitDailyLoss || k.kind == riskcheck.LimitDailyLossFromPeak {
		e.Act = riskcheck.ActReduceOnly
	}
	return e
}

// FormatValue writes the value of a limit as documents do.
func FormatValue(kind riskcheck.LimitKind, value int64) string {
	if k := info(kind); k != nil {
		return formatValue(k.unit, value)
	}
	return formatValue(unitCount, value)
}

// permitList is one of the lists of a scope: of instruments, or of classes.
type permitList struct {
	field   string
	sides   int64
	classes bool
}

var permitLists = [...]permitList{
	{"permitListed", riskcheck.PermitBuy | riskcheck.PermitSell, false},
	{"permitListedBuy", riskcheck.PermitBuy, false},
	{"permitListedSell", riskcheck.PermitSell, false},
	{"permitListedClasses", riskcheck.PermitBuy | riskcheck.PermitSell, true},
	{"permitListedClassesBuy", riskcheck.PermitBuy, true},
	{"permitListedClassesSell", riskcheck.PermitSell, true},
}

// limitFields are the fields of an entry of spec.limits.
var limitFields = func() []string {
	fields := []string{"scope", "instrument", "class"}
	for i := range kinds {
		if kinds[i].standing != listed {
			fields = append(fields, kinds[i].kind.String())
		}
	}
	for i := range permitLists {
		fields = append(fields, permitLists[i].field)
	}
	return fields
}()
