package riskcheck

import (
	"slices"

	"tollgate/order"
)

// ControlRule says in words what one control does, the same words in documents
// and tools. Every text is one or more whole sentences.
type ControlRule struct {
	Control    order.Control
	Rule       string // what passes
	Default    string // what happens where nobody states anything
	Messages   string // which requests it judges, and which it counts
	Window     string // over which time it counts
	Equality   string // what happens exactly at the limit, and how is rounded
	Rejected   string // what becomes of refused requests in its counts
	Reset      string // what ends or clears what it counts or holds
	Scopes     string // whose limits and counts they are, and which of several decides
	Thresholds string // watch, warn and act
	Limits     []LimitRule
	Reasons    []order.Reason
}

// LimitRule says in words what one kind of limit bounds and where it can stand.
type LimitRule struct {
	Kind        LimitKind
	Says        string // what the value means, with its unit
	Places      Places
	SessionOnly bool // a session can state it, no other level
	Rungs       bool // it can have watch and warn percentages
}

// Places says at which holders of a level a limit can stand.
type Places uint8

// The places.
const (
	PlaceWhole      Places = 1 << iota // all instruments together
	PlaceClass                         // one class of instruments
	PlaceInstrument                    // one instrument

	placesAll = PlaceWhole | PlaceClass | PlaceInstrument
)

func (p Places) String() string {
	switch p {
	case PlaceWhole:
		return "whole"
	case PlaceClass | PlaceInstrument:
		return "class, instrument"
	case placesAll:
		return "whole, class, instrument"
	}
	return "unknown"
}

// Catalogue returns the rules of all controls in the order of evaluation, for
// documents and tools. The rules are for reading.
func Catalogue() []ControlRule {
	return slices.Concat(orderRules, exposureRules)
}

// Sentences that several rules share.
const (
	saysNewAndReplace = "Judges new orders and replaces, a replace by its new values. Cancels are never judged."
	saysNoWindow      = "None: every request is judged by itself."
	saysNoCount       = "Nothing is counted, so refused requests leave nothing behind."
	saysNoReset       = "There is nothing to reset."
	saysSmallestBound = "Every level, strategy too. The smallest value that any scope of the order states decides; " +
		"of equal ones the widest scope's."
	saysLeastHeadroom = "Every level, strategy too. Every scope that states a limit is judged by what it holds itself; " +
		"of those breached the one with the least headroom is named, of equal ones the widest."

	saysNoThresholds   = "None: there is no limit to come near to."
	saysActOnly        = "No watch or warn. Act: reject, reduceOnly or kill."
	saysFullLadder     = "Watch and warn in percent of the limit. Act: reject, reduceOnly or kill."
	saysDecidingLadder = "Watch and warn in percent, of the limit that decides only. Act: reject, reduceOnly or kill."
)

// orderRules are the controls that look at the order, its sender and how often
// he sends.
var orderRules = []ControlRule{
	{
		Control: order.ControlKillSwitch,
		Rule: "A killed scope takes no new order and no replace that asks for more; its open orders are canceled and " +
			"verdicts on their way are void at the adapter. A scope latched to reduce-only takes only what reduces " +
			"the position it holds.",
		Default: "Nothing is killed and nothing is latched.",
		Messages: "Judges new orders, and replaces that increase. Cancels and mass cancels always pass. The latch is not " +
			"asked where account, trader, strategy or instrument is unknown or not permitted: that refuses by itself.",
		Window: "None: a state that lasts.",
		Equality: "A reduction may bring a position to exactly zero, after everything already open on its side; what " +
			"would cross zero is an increase. A quantity of zero or less is never a reduction.",
		Rejected: "Not counted by CONSECUTIVE_REJECTS. The ClOrdID stays unused.",
		Reset:    "Lifted by a person only, with a reason; no timer and no day roll lifts it.",
		Scopes: "Every level, strategy too; whole, class or instrument. The widest killed scope of the order is named, " +
			"then the widest latched one.",
		Thresholds: "None of its own: it is what the acts reduceOnly and kill of other controls do to a scope.",
		Reasons:    []order.Reason{order.ReasonKillSwitch, order.ReasonReduceOnly},
	},
	{
		Control: order.ControlSession,
		Rule: "The venue can be reached and its history is reconciled; the request is well-formed, in time and finds " +
			"room; its ClOrdID is new. A replace names a live order with fewer than four replaces under way, keeps " +
			"account, trader, instrument, side, type and time in force, and asks for more than has been executed.",
		Default: "Always on; there is nothing to state.",
		Messages: "Judges new orders and replaces; cancels by ValidUntil, the order they name and the cancels under way. " +
			"A request out of order, or of an old connection, is not judged at all: it gets a hint and changes nothing.",
		Window: "ClOrdIDs are remembered for the trading day. ValidUntil is held against the engine's clock.",
		Equality: "A request whose ValidUntil is the engine's time passes. A replace to exactly what has been executed " +
			"is refused.",
		Rejected: "A ClOrdID is used up once it was found new, also if something later refuses the request. A request " +
			"that is refused before that leaves it unused.",
		Reset:      "The firm's day roll forgets all ClOrdIDs but those that name live orders.",
		Scopes:     "The session alone; CAPACITY is about bounds of the whole engine.",
		Thresholds: saysNoThresholds,
		Reasons: []order.Reason{
			order.ReasonVenueUnavailable, order.ReasonCapacity, order.ReasonMalformed, order.ReasonExpired,
			order.ReasonDuplicateClOrdID, order.ReasonUnknownOrder, order.ReasonTooLate, order.ReasonPendingRequests,
			order.ReasonReplaceMismatch, order.ReasonReplaceBelowCumQty,
		},
	},
	{
		Control: order.ControlReference,
		Rule: "The instrument is known and takes orders in its market's state; it takes the side, the type and the time " +
			"in force; OrderQty fits its lot, minimum, maximum and what exists of it; Price and StopPx are there exactly " +
			"if the type wants them and fit sign, tick and the static limits of the day; a DisplayQty fits the order.",
		Default: "An instrument nobody described is unknown and refused. Static limits and the quantity in existence do " +
			"not bind where they are not given; the maximum quantity must be written.",
		Messages: saysNewAndReplace,
		Window:   "None: the market state and the static limits of the moment count.",
		Equality: "Exactly the minimum, the maximum, a static limit or all that exists passes. Lots and ticks divide " +
			"without a rest. A stop-limit may have a Price equal to its StopPx.",
		Rejected:   saysNoCount,
		Reset:      "Reference data and market states hold until they are given anew.",
		Scopes:     "The instrument's reference data alone; no scope states a limit.",
		Thresholds: saysNoThresholds,
		Reasons: []order.Reason{
			order.ReasonUnknownInstrument, order.ReasonNotTradable, order.ReasonSide, order.ReasonOrdType,
			order.ReasonTimeInForce, order.ReasonQtyNotPositive, order.ReasonQtyLot, order.ReasonQtyMin,
			order.ReasonQtyMax, order.ReasonPriceMissing, order.ReasonPriceSign, order.ReasonPriceTick,
			order.ReasonPriceLimits, order.ReasonDisplayQty, order.ReasonStopPx, order.ReasonQtyOutstanding,
		},
	},
	{
		Control: order.ControlPermission,
		Rule: "The account is known and belongs to the session, the trader is known and may trade for the account, a " +
			"strategy that is named is known, and every scope that states a permission lets the instrument be traded " +
			"on this side: allow-only lets what is listed, deny all but what is listed.",
		Default:  "Refused if no scope states a permission. A scope that states none asks for none.",
		Messages: saysNewAndReplace,
		Window:   saysNoWindow,
		Equality: "A list speaks of buying and selling; the short sides are sells. What the class and what the instrument " +
			"is listed for add up.",
		Rejected:   saysNoCount,
		Reset:      "Limits and reference data hold until they are changed.",
		Scopes:     "Every level, strategy too. Each must let the order pass; the widest that does not is named.",
		Thresholds: saysActOnly,
		Limits: []LimitRule{
			{Kind: LimitPermission, Says: "Whether the list is allow-only or deny.", Places: PlaceWhole},
			{
				Kind: LimitPermitListed, Says: "The sides for which the instrument or class is on the list.",
				Places: PlaceClass | PlaceInstrument,
			},
		},
		Reasons: []order.Reason{
			order.ReasonUnknownAccount, order.ReasonAccountNotInSession, order.ReasonUnknownTrader,
			order.ReasonTraderNotInAccount, order.ReasonInstrumentNotPermitted, order.ReasonSideNotPermitted,
			order.ReasonUnknownStrategy,
		},
	},
	{
		Control:    order.ControlOrderQty,
		Rule:       "OrderQty, always the total of the order, is at most the bound.",
		Default:    "Refused if no scope states maxOrderQty.",
		Messages:   saysNewAndReplace + " What is hidden of an iceberg counts.",
		Window:     saysNoWindow,
		Equality:   "OrderQty equal to the bound passes.",
		Rejected:   saysNoCount,
		Reset:      saysNoReset,
		Scopes:     saysSmallestBound,
		Thresholds: saysDecidingLadder,
		Limits: []LimitRule{
			{Kind: LimitMaxOrderQty, Says: "The largest OrderQty, a quantity.", Places: placesAll, Rungs: true},
		},
		Reasons: []order.Reason{order.ReasonMaxOrderQty},
	},
	{
		Control: order.ControlNotional,
		Rule: "The order's value, its worst price without sign × OrderQty × multiplier at the rates of the moment, is at " +
			"most the bound. The worst price of a limit or stop-limit order is its Price; of a market order the edge of " +
			"its protection, or else of its collar; a stop is valued the same way around its StopPx.",
		Default: "Refused if no scope states maxOrderNotional; also if a rate that is needed is unknown or older than the " +
			"firm allows, or if a market order finds no reference price.",
		Messages: saysNewAndReplace,
		Window:   saysNoWindow,
		Equality: "A value equal to the bound passes. Values and conversions are rounded up. What does not fit is refused, " +
			"never wrapped and never clamped.",
		Rejected: saysNoCount,
		Reset:    saysNoReset,
		Scopes: "Every level, strategy too. Accounts compare in their own currency, all others in the firm's; in each " +
			"currency the smallest stated value binds, and of those breached the one with the least headroom is named.",
		Thresholds: saysDecidingLadder,
		Limits: []LimitRule{
			{Kind: LimitMaxOrderNotional, Says: "The largest value of one order, money.", Places: placesAll, Rungs: true},
		},
		Reasons: []order.Reason{
			order.ReasonMaxOrderNotional, order.ReasonArithOverflow, order.ReasonFxRateMissing,
		},
	},
	{
		Control: order.ControlCollar,
		Rule: "A bid is not above the reference price, and an offer not below it, by more than the narrowest band; a far " +
			"band bounds the other side. The reference is the best rung that is known and young enough: open last, mid, " +
			"indicative, settlement; pre-open indicative, settlement; auction indicative, last, settlement. A stop-limit " +
			"is held against its StopPx instead.",
		Default: "Refused if no scope states a near band; a far band alone is none. Where a finite band is stated and no " +
			"reference is known, refused for that. A reference older than the instrument allows is not known; a " +
			"settlement price has no age.",
		Messages: "Judges limit and stop-limit orders, new and replaced. A market order needs a reference if a finite " +
			"band is stated and passes then; a stop passes.",
		Window:     "None: the reference of the moment counts.",
		Equality:   "A price on the edge passes. Bands are compared exactly, without rounding.",
		Rejected:   saysNoCount,
		Reset:      "The market's state and the next price change the reference.",
		Scopes:     saysSmallestBound + " Bands in different units are compared as distances.",
		Thresholds: saysActOnly,
		Limits: []LimitRule{
			{Kind: LimitCollarBps, Says: "The near band in 1/10,000 of the reference price.", Places: placesAll},
			{Kind: LimitCollarTicks, Says: "The near band in ticks.", Places: placesAll},
			{Kind: LimitCollarAbs, Says: "The near band, a price difference.", Places: placesAll},
			{Kind: LimitCollarFarBps, Says: "The far band in 1/10,000 of the reference price, optional.", Places: placesAll},
		},
		Reasons: []order.Reason{order.ReasonPriceCollar, order.ReasonNoReferencePrice},
	},
	{
		Control: order.ControlProtection,
		Rule: "A market order is sent as a limit order, and a stop as a stop-limit order, at the narrowest protection " +
			"from the reference price or from StopPx. Unlimited sends it as it is.",
		Default:  "A market or stop order is refused if no scope states a protection; other types need none.",
		Messages: "Judges market and stop orders, new and replaced. Other types pass.",
		Window:   "None: the reference of the moment counts.",
		Equality: "The price sent is rounded towards the reference to a whole tick, then moved into the static limits of " +
			"the day; a sign the instrument does not take becomes one tick.",
		Rejected:   saysNoCount,
		Reset:      saysNoReset,
		Scopes:     saysSmallestBound,
		Thresholds: saysActOnly,
		Limits: []LimitRule{
			{
				Kind: LimitMarketProtectionBps, Says: "The protection in 1/10,000 of the reference price or StopPx.",
				Places: placesAll,
			},
			{Kind: LimitMarketProtectionTicks, Says: "The protection in ticks.", Places: placesAll},
		},
		Reasons: []order.Reason{order.ReasonMarketOrderProtection},
	},
	{
		Control: order.ControlParticipation,
		Rule:    "OrderQty is at most the bound's part of the instrument's average daily volume.",
		Default: "Refused if no scope states participationBps; also if the bound is finite and the instrument's average " +
			"daily volume is not known.",
		Messages: saysNewAndReplace,
		Window:   "None: the average daily volume is reference data.",
		Equality: "Exactly the part passes; OrderQty × 10,000 is compared with bound × volume in 128 bits. The limit shown " +
			"is rounded down.",
		Rejected:   saysNoCount,
		Reset:      saysNoReset,
		Scopes:     saysSmallestBound,
		Thresholds: saysDecidingLadder,
		Limits: []LimitRule{
			{
				Kind: LimitParticipationBps, Says: "The largest OrderQty in 1/10,000 of the average daily volume.",
				Places: placesAll, Rungs: true,
			},
		},
		Reasons: []order.Reason{order.ReasonMaxParticipation, order.ReasonADVMissing},
	},
	{
		Control: order.ControlDuplicate,
		Rule: "Of new orders that agree in account, instrument, side, type, Price, StopPx and OrderQty, at most the bound " +
			"are accepted within the window.",
		Default: "Refused if no scope states duplicateOrders. A window nobody states is one second.",
		Messages: "Judges and counts new orders, as the client sent them and whichever session they came by. Replaces are " +
			"neither judged nor counted.",
		Window: "Sliding and exact: each accepted order counts for the longest window that a scope of the order states, " +
			"at most a minute.",
		Equality:   "The order that makes the count equal to the bound passes. An order as old as the window has left it.",
		Rejected:   "Not counted.",
		Reset:      "Time alone. The day roll changes nothing.",
		Scopes:     saysSmallestBound + " What is counted is the account's.",
		Thresholds: saysActOnly,
		Limits: []LimitRule{
			{
				Kind: LimitDuplicateOrders, Says: "How many identical new orders may be accepted, 1 to 64 or unlimited.",
				Places: placesAll,
			},
			{Kind: LimitDuplicateWindow, Says: "The window, a time of at most a minute.", Places: placesAll},
		},
		Reasons: []order.Reason{order.ReasonDuplicateOrder},
	},
	{
		Control: order.ControlMessageRate,
		Rule: "Accepted new orders and replaces stay within each scope's limits for a second, a minute and the day, and " +
			"together with cancels within those for orders and cancels. A session that sends new orders and replaces, " +
			"refused ones too, faster than messagesCutPerSecond is cut; one that cancels faster than cancelsPerSecond is " +
			"warned, and than cancelsCutPerSecond cut after its cancels were passed on.",
		Default: "Refused if no scope states messagesPerSecond, messagesPerMinute or messagesPerDay. The other kinds are " +
			"optional.",
		Messages: "Refuses new orders and replaces. Counts those accepted; for orders and cancels also each cancel of one " +
			"order that was passed on, not mass cancels. A cancel is never refused for a rate.",
		Window: "Second and minute slide and are exact over the last stamps, from when the scope first states a finite " +
			"limit. The day runs from roll to roll.",
		Equality: "The message that makes the count equal to the limit passes. A message as old as the window has left " +
			"it. The value shown is the limit plus one, for the day the count.",
		Rejected: "Not counted, so a sender who backs off recovers. messagesCutPerSecond alone counts them.",
		Reset:    "Windows by time alone; the day's counts by the firm's day roll.",
		Scopes: "Every level, strategy too, for all instruments; the cutting and warning rates at sessions. Of the limits " +
			"breached the one with the least headroom is named, of equal ones the widest scope's.",
		Thresholds: "Watch and warn in percent for messagesPerSecond, messagesPerMinute and messagesPerDay. Act: reject, " +
			"reduceOnly or kill.",
		Limits: []LimitRule{
			{Kind: LimitMessagesPerSecond, Says: "New orders and replaces in a second.", Places: PlaceWhole, Rungs: true},
			{Kind: LimitMessagesPerMinute, Says: "New orders and replaces in a minute.", Places: PlaceWhole, Rungs: true},
			{Kind: LimitMessagesPerDay, Says: "New orders and replaces in the day.", Places: PlaceWhole, Rungs: true},
			{
				Kind: LimitMessagesCutPerSecond, Says: "New orders and replaces in a second, refused ones too; cuts.",
				Places: PlaceWhole, SessionOnly: true,
			},
			{
				Kind: LimitCancelsPerSecond, Says: "Cancels in a second; warns.",
				Places: PlaceWhole, SessionOnly: true,
			},
			{
				Kind: LimitCancelsCutPerSecond, Says: "Cancels in a second; cuts.",
				Places: PlaceWhole, SessionOnly: true,
			},
			{Kind: LimitOrdersAndCancelsPerSecond, Says: "New orders, replaces and cancels in a second.", Places: PlaceWhole},
			{Kind: LimitOrdersAndCancelsPerDay, Says: "New orders, replaces and cancels in the day.", Places: PlaceWhole},
		},
		Reasons: []order.Reason{order.ReasonMessageRate},
	},
	{
		Control: order.ControlRepeatedExecution,
		Rule: "A strategy has at most the bound of orders accepted since a person last released it; the next one latches " +
			"it, and a latched strategy takes no new order and no replace that increases.",
		Default:  "Refused for an order that names a strategy if no scope states strategyExecutions.",
		Messages: "Judges new orders that name a strategy, and replaces of a latched one. Counts accepted new orders.",
		Window:   "None: from release to release.",
		Equality: "The order that makes the count equal to the bound passes; the next is refused and latches.",
		Rejected: "Not counted, also not by CONSECUTIVE_REJECTS.",
		Reset: "Release of the strategy by a person ends the latch and sets the count to zero. No timer and no day roll " +
			"does.",
		Scopes:     saysSmallestBound + " What is counted and latched is the strategy.",
		Thresholds: saysDecidingLadder,
		Limits: []LimitRule{
			{
				Kind: LimitStrategyExecutions, Says: "Orders of a strategy without a person's release.",
				Places: placesAll, Rungs: true,
			},
		},
		Reasons: []order.Reason{order.ReasonRepeatedExecution},
	},
}
