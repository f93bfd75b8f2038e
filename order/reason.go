package order

import "strconv"

// Control numbers a risk control. The numbers are the controls' places in the
// order of evaluation, which is the order of the list below.
type Control uint8

// The controls of Tollgate.
const (
	ControlNone               Control = 0
	ControlKillSwitch         Control = 1
	ControlSession            Control = 2
	ControlReference          Control = 3
	ControlPermission         Control = 4
	ControlOrderQty           Control = 5
	ControlNotional           Control = 6
	ControlCollar             Control = 7
	ControlProtection         Control = 8
	ControlParticipation      Control = 9
	ControlDuplicate          Control = 10
	ControlMessageRate        Control = 11
	ControlRepeatedExecution  Control = 12
	ControlOpenOrders         Control = 13
	ControlOpenNotional       Control = 14
	ControlPosition           Control = 15
	ControlExposure           Control = 16
	ControlBuyingPower        Control = 17
	ControlShortSale          Control = 18
	ControlTurnover           Control = 19
	ControlLoss               Control = 20
	ControlOrderToTrade       Control = 21
	ControlSelfMatch          Control = 22
	ControlConsecutiveRejects Control = 23
	ControlBasket             Control = 24

	// ControlsMax is the number of the last control.
	ControlsMax = 24
)

// controlNames are the names of the controls, by number.
var controlNames = [ControlsMax + 1]string{
	"NONE", "KILL_SWITCH", "SESSION", "REFERENCE_DATA", "PERMISSION", "MAX_ORDER_QTY", "MAX_ORDER_NOTIONAL",
	"PRICE_COLLAR", "MARKET_ORDER_PROTECTION", "MAX_PARTICIPATION", "DUPLICATE_ORDER", "MESSAGE_RATE",
	"REPEATED_EXECUTION", "OPEN_ORDERS", "OPEN_NOTIONAL", "POSITION", "EXPOSURE", "BUYING_POWER", "SHORT_SALE",
	"DAILY_TURNOVER", "DAILY_LOSS", "ORDER_TO_TRADE", "SELF_MATCH", "CONSECUTIVE_REJECTS", "BASKET",
}

// Controls returns the controls in evaluation order.
func Controls() []Control {
	out := make([]Control, ControlsMax)
	for i := range out {
		out[i] = Control(i + 1)
	}
	return out
}

// String returns the control's name as regulators, reports and metrics use it.
func (c Control) String() string {
	if c > ControlsMax {
		return "UNKNOWN"
	}
	return controlNames[c]
}

// Reason says why a request was refused. The number is the control's number
// times one hundred plus a detail, so numbers rise in the order of evaluation;
// 9000 and above come from the adapter and the venue. A number is part of the
// wire format: it is never reused and never changes its meaning.
type Reason uint16

// The reasons. Each name is what reports, metrics and tests print.
const (
	ReasonNone Reason = 0

	ReasonKillSwitch Reason = 100 // a scope of the order is killed
	ReasonReduceOnly Reason = 101 // a scope of the order is latched to reducing orders

	ReasonVenueUnavailable   Reason = 200 // no link to the venue, or its history is not yet reconciled
	ReasonCapacity           Reason = 201 // a named bound of the engine is reached
	ReasonMalformed          Reason = 202 // a field has a value outside FIX's code set
	ReasonExpired            Reason = 203 // ValidUntil lies before the engine's clock
	ReasonDuplicateClOrdID   Reason = 204 // ClOrdID was used in this session and trading day
	ReasonUnknownOrder       Reason = 205 // OrigClOrdID names no order of this session
	ReasonTooLate            Reason = 206 // the order is already in a terminal state
	ReasonPendingRequests    Reason = 207 // too many requests for this order await the venue
	ReasonReplaceMismatch    Reason = 208 // a replace may not change account, instrument or side
	ReasonReplaceBelowCumQty Reason = 209 // OrderQty of a replace is not above what has been executed

	ReasonUnknownInstrument Reason = 300
	ReasonNotTradable       Reason = 301 // the instrument's session state takes no orders
	ReasonSide              Reason = 302 // the instrument does not take this side code
	ReasonOrdType           Reason = 303
	ReasonTimeInForce       Reason = 304
	ReasonQtyNotPositive    Reason = 305
	ReasonQtyLot            Reason = 306 // OrderQty is not a multiple of the lot
	ReasonQtyMin            Reason = 307
	ReasonQtyMax            Reason = 308
	ReasonPriceMissing      Reason = 309 // a limit order without a price
	ReasonPriceSign         Reason = 310 // zero or negative where the instrument does not allow it
	ReasonPriceTick         Reason = 311 // Price is not a multiple of the tick
	ReasonPriceLimits       Reason = 312 // outside the static limits of the day
	ReasonDisplayQty        Reason = 313 // DisplayQty is given but the instrument takes none
	ReasonStopPx            Reason = 314 // a stop without StopPx, another order with one, or a price on its wrong side
	ReasonQtyOutstanding    Reason = 315 // more than there is of the instrument

	ReasonUnknownAccount         Reason = 400
	ReasonAccountNotInSession    Reason = 401
	ReasonUnknownTrader          Reason = 402
	ReasonTraderNotInAccount     Reason = 403
	ReasonInstrumentNotPermitted Reason = 404
	ReasonSideNotPermitted       Reason = 405
	ReasonUnknownStrategy        Reason = 406

	ReasonMaxOrderQty Reason = 500

	ReasonMaxOrderNotional Reason = 600
	ReasonArithOverflow    Reason = 601 // a product or sum does not fit; never wrapped, never clamped
	ReasonFxRateMissing    Reason = 602 // account and instrument differ in currency and no rate is known

	ReasonPriceCollar      Reason = 700
	ReasonNoReferencePrice Reason = 701 // none known, or older than its limit

	ReasonMarketOrderProtection Reason = 800

	ReasonMaxParticipation Reason = 900
	ReasonADVMissing       Reason = 901 // the average daily volume of the instrument is not known

	ReasonDuplicateOrder Reason = 1000

	ReasonMessageRate Reason = 1100

	ReasonRepeatedExecution Reason = 1200

	ReasonOpenOrders Reason = 1300

	ReasonOpenNotional Reason = 1400

	ReasonPositionLong  Reason = 1500
	ReasonPositionShort Reason = 1501

	ReasonGrossExposure Reason = 1600
	ReasonNetExposure   Reason = 1601

	ReasonBuyingPower Reason = 1700

	ReasonShortSale      Reason = 1800 // a sell beyond the inventory that is not marked short
	ReasonShortSelling   Reason = 1801 // a scope may not sell short
	ReasonLocate         Reason = 1802 // no locate quantity is left
	ReasonShortSalePrice Reason = 1803 // the short sale restriction asks for a price above the reference

	ReasonDailyTurnover  Reason = 1900
	ReasonTurnoverWindow Reason = 1901

	ReasonDailyLoss         Reason = 2000
	ReasonDailyLossFromPeak Reason = 2001

	ReasonOrderToTrade       Reason = 2100
	ReasonOrderToTradeVolume Reason = 2101

	ReasonSelfMatch Reason = 2200

	ReasonConsecutiveRejects Reason = 2300

	ReasonBasket           Reason = 2400 // the list as a whole is over a limit
	ReasonBasketLeg        Reason = 2401 // another order of the list was refused
	ReasonBasketIncomplete Reason = 2402 // the list ended before its last order came

	ReasonVenueReject     Reason = 9000 // the venue refused, in its own words
	ReasonTokenMissing    Reason = 9001
	ReasonTokenAltered    Reason = 9002 // token or order bytes are not what the engine signed
	ReasonTokenEpoch      Reason = 9003 // signed in an earlier (or unknown) epoch
	ReasonTokenUsed       Reason = 9004
	ReasonTokenExpired    Reason = 9005
	ReasonValidUntil      Reason = 9006 // ValidUntil passed between verdict and venue
	ReasonKillFence       Reason = 9007 // a kill overtook the verdict on its way
	ReasonAdapterBacklog  Reason = 9008 // the adapter holds too many unacknowledged reports
	ReasonVenueUnknown    Reason = 9009 // the venue does not know the order
	ReasonVenueTooLate    Reason = 9010 // the order is no longer open at the venue
	ReasonVenueInstrument Reason = 9011 // the venue does not trade the instrument
)

// reasonInfo is one row of the catalogue below.
type reasonInfo struct {
	reason    Reason
	name      string
	text      string
	transient bool
}

// reasons is the catalogue, in order of evaluation.
var reasons = [...]reasonInfo{
	{ReasonNone, "NONE", "accepted", false},
	{ReasonKillSwitch, "KILL_SWITCH", "trading is stopped for a scope this order belongs to", false},
	{ReasonReduceOnly, "REDUCE_ONLY", "a scope of the order takes only orders that reduce a position", false},
	{ReasonVenueUnavailable, "VENUE_UNAVAILABLE", "the venue cannot be reached or is being reconciled", true},
	{ReasonCapacity, "CAPACITY", "a named bound of the engine is reached", true},
	{ReasonMalformed, "MALFORMED", "a field has a value outside its code set", false},
	{ReasonExpired, "EXPIRED", "ValidUntil had passed when the engine saw the request", false},
	{ReasonDuplicateClOrdID, "DUPLICATE_CL_ORD_ID", "ClOrdID was already used in this session today", false},
	{ReasonUnknownOrder, "UNKNOWN_ORDER", "OrigClOrdID names no order of this session", false},
	{ReasonTooLate, "TOO_LATE", "the order is already filled, canceled or rejected", false},
	{ReasonPendingRequests, "PENDING_REQUESTS", "too many requests for this order await the venue", true},
	{ReasonReplaceMismatch, "REPLACE_MISMATCH", "a replace may not change account, instrument, side or type", false},
	{ReasonReplaceBelowCumQty, "REPLACE_BELOW_CUM_QTY", "OrderQty is not above what has been executed", false},
	{ReasonUnknownInstrument, "UNKNOWN_INSTRUMENT", "the instrument is not in the reference data", false},
	{ReasonNotTradable, "NOT_TRADABLE", "the instrument takes no orders in its present state", true},
	{ReasonSide, "SIDE", "the instrument does not take this side", false},
	{ReasonOrdType, "ORD_TYPE", "the instrument does not take this order type", false},
	{ReasonTimeInForce, "TIME_IN_FORCE", "the instrument does not take this time in force", false},
	{ReasonQtyNotPositive, "QTY_NOT_POSITIVE", "OrderQty must be above zero", false},
	{ReasonQtyLot, "QTY_LOT", "OrderQty is not a multiple of the lot", false},
	{ReasonQtyMin, "QTY_MIN", "OrderQty is below the instrument's minimum", false},
	{ReasonQtyMax, "QTY_MAX", "OrderQty is above the instrument's maximum", false},
	{ReasonPriceMissing, "PRICE_MISSING", "a limit order needs a price, a market order must not have one", false},
	{ReasonPriceSign, "PRICE_SIGN", "the instrument does not allow a price of zero or below", false},
	{ReasonPriceTick, "PRICE_TICK", "Price is not a multiple of the tick", false},
	{ReasonPriceLimits, "PRICE_LIMITS", "Price is outside the static limits of the day", false},
	{ReasonDisplayQty, "DISPLAY_QTY", "the instrument does not take a DisplayQty", false},
	{ReasonStopPx, "STOP_PX", "StopPx is missing, not wanted, or on the wrong side of Price", false},
	{ReasonQtyOutstanding, "QTY_OUTSTANDING", "OrderQty is above what exists of the instrument", false},
	{ReasonUnknownAccount, "UNKNOWN_ACCOUNT", "the account is not in the reference data", false},
	{ReasonAccountNotInSession, "ACCOUNT_NOT_IN_SESSION", "the account does not belong to this session", false},
	{ReasonUnknownTrader, "UNKNOWN_TRADER", "the trader is not in the reference data", false},
	{ReasonTraderNotInAccount, "TRADER_NOT_IN_ACCOUNT", "the trader may not trade for this account", false},
	{ReasonInstrumentNotPermitted, "INSTRUMENT_NOT_PERMITTED", "a scope may not trade this instrument", false},
	{ReasonSideNotPermitted, "SIDE_NOT_PERMITTED", "a scope may not trade this instrument on this side", false},
	{ReasonUnknownStrategy, "UNKNOWN_STRATEGY", "the strategy is not in the reference data", false},
	{ReasonMaxOrderQty, "MAX_ORDER_QTY", "OrderQty is above the largest order allowed", false},
	{ReasonMaxOrderNotional, "MAX_ORDER_NOTIONAL", "the order's value is above the largest allowed", false},
	{ReasonArithOverflow, "ARITH_OVERFLOW", "a value computed for the order does not fit", false},
	{ReasonFxRateMissing, "FX_RATE_MISSING", "no rate from the instrument's currency to the account's", true},
	{ReasonPriceCollar, "PRICE_COLLAR", "Price is too far beyond the reference price", false},
	{ReasonNoReferencePrice, "NO_REFERENCE_PRICE", "no reference price is known, or it is too old", true},
	{ReasonMarketOrderProtection, "MARKET_ORDER_PROTECTION", "no scope states how a market order is protected", false},
	{ReasonMaxParticipation, "MAX_PARTICIPATION", "OrderQty is too large a part of the average daily volume", false},
	{ReasonADVMissing, "ADV_MISSING", "the average daily volume of the instrument is not known", false},
	{ReasonDuplicateOrder, "DUPLICATE_ORDER", "the same order was sent too often within the window", true},
	{ReasonMessageRate, "MESSAGE_RATE", "too many orders and replaces in the window", true},
	{ReasonRepeatedExecution, "REPEATED_EXECUTION", "the strategy has run too often without a person's release", false},
	{ReasonOpenOrders, "OPEN_ORDERS", "too many live orders", true},
	{ReasonOpenNotional, "OPEN_NOTIONAL", "the value of live orders would be too high", true},
	{ReasonPositionLong, "POSITION_LONG", "the worst-case long position would be too large", true},
	{ReasonPositionShort, "POSITION_SHORT", "the worst-case short position would be too large", true},
	{ReasonGrossExposure, "GROSS_EXPOSURE", "positions plus live orders would be worth too much", true},
	{ReasonNetExposure, "NET_EXPOSURE", "the worst-case net value would be too high", true},
	{ReasonBuyingPower, "BUYING_POWER", "the account lacks the cash or margin", true},
	{ReasonShortSale, "SHORT_SALE", "a sale of more than is held and not yet for sale must be marked short", true},
	{ReasonShortSelling, "SHORT_SELLING", "a scope may not sell short", false},
	{ReasonLocate, "LOCATE", "too little is located for this short sale", true},
	{ReasonShortSalePrice, "SHORT_SALE_PRICE", "under the short sale restriction Price must be above the reference", true},
	{ReasonDailyTurnover, "DAILY_TURNOVER", "executed and open value of the day would be too high", true},
	{ReasonTurnoverWindow, "TURNOVER_WINDOW", "the value ordered within a minute would be too high", true},
	{ReasonDailyLoss, "DAILY_LOSS", "the day's loss has reached its limit; only reducing orders pass", false},
	{ReasonDailyLossFromPeak, "DAILY_LOSS_FROM_PEAK", "the loss from the day's peak has reached its limit", false},
	{ReasonOrderToTrade, "ORDER_TO_TRADE", "too many orders for the number of trades", true},
	{ReasonOrderToTradeVolume, "ORDER_TO_TRADE_VOLUME", "too much ordered for the quantity traded", true},
	{ReasonSelfMatch, "SELF_MATCH", "the order could trade with another of the same group", true},
	{ReasonConsecutiveRejects, "CONSECUTIVE_REJECTS", "a scope was stopped after too many rejects in a row", false},
	{ReasonBasket, "BASKET", "the list as a whole is over a limit", false},
	{ReasonBasketLeg, "BASKET_LEG", "another order of the list was refused", false},
	{ReasonBasketIncomplete, "BASKET_INCOMPLETE", "the list ended before its last order came", false},
	{ReasonVenueReject, "VENUE_REJECT", "the venue refused the request", false},
	{ReasonTokenMissing, "TOKEN_MISSING", "the adapter saw an order without a verdict token", false},
	{ReasonTokenAltered, "TOKEN_ALTERED", "order and verdict token do not belong together", false},
	{ReasonTokenEpoch, "TOKEN_EPOCH", "the verdict token is of another epoch", false},
	{ReasonTokenUsed, "TOKEN_USED", "the verdict token was used before", false},
	{ReasonTokenExpired, "TOKEN_EXPIRED", "the verdict took too long to reach the adapter", true},
	{ReasonValidUntil, "VALID_UNTIL", "ValidUntil passed between the verdict and the venue", false},
	{ReasonKillFence, "KILL_FENCE", "a kill overtook the verdict on its way to the venue", false},
	{ReasonAdapterBacklog, "ADAPTER_BACKLOG", "the adapter holds too many unacknowledged reports", true},
	{ReasonVenueUnknown, "VENUE_UNKNOWN_ORDER", "the venue does not know the order", false},
	{ReasonVenueTooLate, "VENUE_TOO_LATE", "the order is no longer open at the venue", false},
	{ReasonVenueInstrument, "VENUE_INSTRUMENT", "the venue does not trade the instrument", false},
}

// Reasons returns every reason in evaluation order, ReasonNone first.
func Reasons() []Reason {
	out := make([]Reason, len(reasons))
	for i := range reasons {
		out[i] = reasons[i].reason
	}
	return out
}

func (r Reason) info() *reasonInfo {
	for i := range reasons {
		if reasons[i].reason == r {
			return &reasons[i]
		}
	}
	return nil
}

// Known reports whether r is in the catalogue.
func (r Reason) Known() bool { return r.info() != nil }

// String returns the reason's name. It is for people and reports, off the
// order path.
func (r Reason) String() string {
	if i := r.info(); i != nil {
		return i.name
	}
	return "REASON_" + strconv.Itoa(int(r))
}

// Text returns one sentence for a person.
func (r Reason) Text() string {
	if i := r.info(); i != nil {
		return i.text
	}
	return "unknown reason"
}

// Transient reports whether the same request may pass later without anybody
// changing a limit or the request.
func (r Reason) Transient() bool {
	i := r.info()
	return i != nil && i.transient
}

// Control returns the control that gives the reason; ControlNone for reasons
// of the adapter and the venue.
func (r Reason) Control() Control {
	if r >= ReasonVenueReject {
		return ControlNone
	}
	return Control(r / 100)
}
