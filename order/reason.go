package order

import "strconv"

// Control numbers a risk control. The numbers are the controls' places in the
// order of evaluation, which is the order of the list below.
type Control uint8

// The controls of Tollgate. Numbers without a name here belong to controls
// that are still to come and are never given to another.
const (
	ControlNone         Control = 0
	ControlKillSwitch   Control = 1
	ControlSession      Control = 2
	ControlReference    Control = 3
	ControlPermission   Control = 4
	ControlOrderQty     Control = 5
	ControlNotional     Control = 6
	ControlCollar       Control = 7
	ControlMessageRate  Control = 11
	ControlOpenOrders   Control = 13
	ControlOpenNotional Control = 14
	ControlPosition     Control = 15
	ControlExposure     Control = 16
)

// Controls lists the controls in evaluation order.
var Controls = [...]Control{
	ControlKillSwitch, ControlSession, ControlReference, ControlPermission, ControlOrderQty, ControlNotional,
	ControlCollar, ControlMessageRate, ControlOpenOrders, ControlOpenNotional, ControlPosition, ControlExposure,
}

// String returns the control's name as regulators, reports and metrics use it.
func (c Control) String() string {
	switch c {
	case ControlNone:
		return "NONE"
	case ControlKillSwitch:
		return "KILL_SWITCH"
	case ControlSession:
		return "SESSION"
	case ControlReference:
		return "REFERENCE_DATA"
	case ControlPermission:
		return "PERMISSION"
	case ControlOrderQty:
		return "MAX_ORDER_QTY"
	case ControlNotional:
		return "MAX_ORDER_NOTIONAL"
	case ControlCollar:
		return "PRICE_COLLAR"
	case ControlMessageRate:
		return "MESSAGE_RATE"
	case ControlOpenOrders:
		return "OPEN_ORDERS"
	case ControlOpenNotional:
		return "OPEN_NOTIONAL"
	case ControlPosition:
		return "POSITION"
	case ControlExposure:
		return "EXPOSURE"
	}
	return "UNKNOWN"
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

	ReasonUnknownAccount         Reason = 400
	ReasonAccountNotInSession    Reason = 401
	ReasonUnknownTrader          Reason = 402
	ReasonTraderNotInAccount     Reason = 403
	ReasonInstrumentNotPermitted Reason = 404
	ReasonSideNotPermitted       Reason = 405

	ReasonMaxOrderQty Reason = 500

	ReasonMaxOrderNotional Reason = 600
	ReasonArithOverflow    Reason = 601 // a product or sum does not fit; never wrapped, never clamped
	ReasonFxRateMissing    Reason = 602 // account and instrument differ in currency and no rate is known

	ReasonPriceCollar      Reason = 700
	ReasonNoReferencePrice Reason = 701 // none known, or older than its limit

	ReasonMessageRate Reason = 1100

	ReasonOpenOrders Reason = 1300

	ReasonOpenNotional Reason = 1400

	ReasonPositionLong  Reason = 1500
	ReasonPositionShort Reason = 1501

	ReasonGrossExposure Reason = 1600
	ReasonNetExposure   Reason = 1601

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
	{ReasonUnknownAccount, "UNKNOWN_ACCOUNT", "the account is not in the reference data", false},
	{ReasonAccountNotInSession, "ACCOUNT_NOT_IN_SESSION", "the account does not belong to this session", false},
	{ReasonUnknownTrader, "UNKNOWN_TRADER", "the trader is not in the reference data", false},
	{ReasonTraderNotInAccount, "TRADER_NOT_IN_ACCOUNT", "the trader may not trade for this account", false},
	{ReasonInstrumentNotPermitted, "INSTRUMENT_NOT_PERMITTED", "a scope may not trade this instrument", false},
	{ReasonSideNotPermitted, "SIDE_NOT_PERMITTED", "a scope may not trade this instrument on this side", false},
	{ReasonMaxOrderQty, "MAX_ORDER_QTY", "OrderQty is above the largest order allowed", false},
	{ReasonMaxOrderNotional, "MAX_ORDER_NOTIONAL", "the order's value is above the largest allowed", false},
	{ReasonArithOverflow, "ARITH_OVERFLOW", "a value computed for the order does not fit", false},
	{ReasonFxRateMissing, "FX_RATE_MISSING", "no rate from the instrument's currency to the account's", true},
	{ReasonPriceCollar, "PRICE_COLLAR", "Price is too far beyond the reference price", false},
	{ReasonNoReferencePrice, "NO_REFERENCE_PRICE", "no reference price is known, or it is too old", true},
	{ReasonMessageRate, "MESSAGE_RATE", "too many orders and replaces in the window", true},
	{ReasonOpenOrders, "OPEN_ORDERS", "too many live orders", true},
	{ReasonOpenNotional, "OPEN_NOTIONAL", "the value of live orders would be too high", true},
	{ReasonPositionLong, "POSITION_LONG", "the worst-case long position would be too large", true},
	{ReasonPositionShort, "POSITION_SHORT", "the worst-case short position would be too large", true},
	{ReasonGrossExposure, "GROSS_EXPOSURE", "positions plus live orders would be worth too much", true},
	{ReasonNetExposure, "NET_EXPOSURE", "the worst-case net value would be too high", true},
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
