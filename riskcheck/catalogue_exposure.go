package riskcheck

import "tollgate/order"

// saysOnlyIfMore is how the controls of exposure see requests.
const saysOnlyIfMore = "Judges new orders by all they ask for, and replaces by what they would add to the " +
	"reservation; a replace that adds nothing passes. Cancels are never judged. "

// saysLiveOnly is what the controls of exposure count.
const saysLiveOnly = "Refused requests reserve nothing. An order counts from its acceptance, long before the venue " +
	"acknowledges it, until the venue says that it has ended."

// exposureRules are the controls that look at what the order would do to what a
// scope has open, holds, has lost or has sent.
var exposureRules = []ControlRule{
	{
		Control:  order.ControlOpenOrders,
		Rule:     "The number of live orders, this one included, is at most the limit.",
		Default:  "Refused if no scope states openOrders.",
		Messages: "Judges new orders. Replaces and cancels pass.",
		Window:   "None: what is live now.",
		Equality: "The order that makes the count equal to the limit passes.",
		Rejected: saysLiveOnly,
		Reset:    "An order leaves the count when it has ended. The day roll changes nothing.",
		Scopes:   saysLeastHeadroom, Thresholds: saysFullLadder,
		Limits:  []LimitRule{{Kind: LimitOpenOrders, Says: "Live orders.", Places: placesAll, Rungs: true}},
		Reasons: []order.Reason{order.ReasonOpenOrders},
	},
	{
		Control: order.ControlOpenNotional,
		Rule: "The reserved value of live orders, buys and sells added, is at most the limit. A reservation is the worst " +
			"of all versions of an order that the venue may still hold.",
		Default:  "Refused if no scope states openNotional.",
		Messages: saysOnlyIfMore + "No order passes for reducing a position.",
		Window:   "None: what is live now.",
		Equality: "A value equal to the limit passes. Values are rounded up.",
		Rejected: saysLiveOnly,
		Reset:    "Fills and the end of orders release what was reserved, exactly. The day roll changes nothing.",
		Scopes: saysLeastHeadroom + " Accounts are in their own currency, all others in the firm's, at the rates of the " +
			"order's acceptance.",
		Thresholds: saysFullLadder,
		Limits: []LimitRule{
			{Kind: LimitOpenNotional, Says: "The value of live orders, money.", Places: placesAll, Rungs: true},
		},
		Reasons: []order.Reason{order.ReasonOpenNotional},
	},
	{
		Control: order.ControlPosition,
		Rule: "The worst case of the order's side is at most the limit: long is the position above zero plus open buys, " +
			"short its mirror image. Buys and sells are never netted against each other.",
		Default: "A buy is refused if no scope states positionLong, a sell if none states positionShort.",
		Messages: saysOnlyIfMore + "An order that only reduces the position, after all that is open on its side, passes at " +
			"that scope.",
		Window:   "None: the position and what is open now.",
		Equality: "A worst case equal to the limit passes. The part of an order that would cross zero is an increase.",
		Rejected: saysLiveOnly,
		Reset:    "Fills, busts, corrections and positions from outside move it. The day roll changes nothing.",
		Scopes: saysLeastHeadroom + " A limit at a whole scope binds each instrument by itself; at a class the sum of the " +
			"class.",
		Thresholds: saysFullLadder,
		Limits: []LimitRule{
			{Kind: LimitPositionLong, Says: "The worst-case long position, a quantity.", Places: placesAll, Rungs: true},
			{Kind: LimitPositionShort, Says: "The worst-case short position, a quantity.", Places: placesAll, Rungs: true},
		},
		Reasons: []order.Reason{order.ReasonPositionLong, order.ReasonPositionShort},
	},
	{
		Control: order.ControlExposure,
		Rule: "Gross, the values of all positions without sign plus the value of live orders, and net, the worst case of " +
			"the order's side with positions netted, are at most their limits. Positions are valued at the reference price.",
		Default: "Refused if no scope states grossExposure, and then if none states netExposure.",
		Messages: saysOnlyIfMore + "Gross passes what only reduces the instrument's position at that scope, net what only " +
			"reduces the net value there.",
		Window: "None: positions and prices now.",
		Equality: "A value equal to the limit passes. Where a position has no value, or a sum does not fit, only reducing " +
			"orders pass.",
		Rejected: saysLiveOnly,
		Reset:    "Fills, prices and rates move it. The day roll changes nothing.",
		Scopes:   saysLeastHeadroom, Thresholds: saysFullLadder,
		Limits: []LimitRule{
			{Kind: LimitGrossExposure, Says: "Gross exposure, money.", Places: placesAll, Rungs: true},
			{Kind: LimitNetExposure, Says: "Worst-case net exposure of a side, money.", Places: placesAll, Rungs: true},
		},
		Reasons: []order.Reason{order.ReasonGrossExposure, order.ReasonNetExposure},
	},
	{
		Control: order.ControlBuyingPower,
		Rule: "What the account's positions and live orders require, margin and fees over all its instruments, is at most " +
			"its equity plus the credit line. Equity is cash plus profit and loss since the cash was set, less fees.",
		Default: "Refused if no scope states creditLine. Cash that was never set is zero. Where a position " +
			"has no value, only reducing orders pass.",
		Messages: saysOnlyIfMore + "An order that does not raise the margin its instrument requires passes, whatever its " +
			"fee.",
		Window:   "From the last setting of the account's cash.",
		Equality: "A requirement equal to equity plus line passes. Margin and fees are rounded up.",
		Rejected: saysLiveOnly,
		Reset:    "Setting the account's cash begins anew. The day roll changes nothing.",
		Scopes: saysSmallestBound + " Equity and requirement are the account's, and every line is compared in its " +
			"currency. The lower end of equity plus line is shown as zero.",
		Thresholds: saysActOnly,
		Limits: []LimitRule{
			{
				Kind: LimitCreditLine, Says: "How far the requirement may exceed the account's equity, money.",
				Places: placesAll,
			},
		},
		Reasons: []order.Reason{order.ReasonBuyingPower},
	},
	{
		Control: order.ControlShortSale,
		Rule: "A sale that is not marked short is covered by what the account holds and has not yet offered. A sale marked " +
			"short needs the right to sell short and, where that asks for locates, a located quantity that is left; while " +
			"the restriction is on, a limit above the reference price. Short-exempt is spared the price test alone.",
		Default:  "Every sale is refused if no scope states shortSelling.",
		Messages: saysOnlyIfMore + "Judges sales only, and the price test every replace of a sale marked short.",
		Window:   "Located quantity is used from the firm's day roll on: what is open and what was executed.",
		Equality: "A sale of exactly what is left, held or located, passes. Under the restriction a price equal to the " +
			"reference is refused.",
		Rejected:   "Refused requests use no locate. The end of an order gives back what it has not executed.",
		Reset:      "The day roll of the instrument clears what was executed short; a locate holds until it is set anew.",
		Scopes:     saysSmallestBound + " Holdings and locates are those of the account in the instrument.",
		Thresholds: saysActOnly,
		Limits: []LimitRule{
			{
				Kind: LimitShortSelling, Says: "Whether short sales are forbidden, need a locate, or are unlimited: free.",
				Places: placesAll,
			},
		},
		Reasons: []order.Reason{
			order.ReasonShortSale, order.ReasonShortSelling, order.ReasonLocate, order.ReasonShortSalePrice,
		},
	},
	{
		Control: order.ControlTurnover,
		Rule: "Executed value of the day plus the value of live orders is at most turnoverPerDay; what accepted requests " +
			"have added to reserved value within a minute is at most turnoverPerMinute.",
		Default:  "Refused if no scope states either limit.",
		Messages: saysOnlyIfMore + "No order passes for reducing a position.",
		Window: "The day runs from roll to roll. The minute is the current second of the engine's clock and the 59 before " +
			"it, from when the scope first states a finite limit.",
		Equality: "A sum equal to the limit passes. Values are rounded up.",
		Rejected: saysLiveOnly + " What was added within the minute stays added when the order ends.",
		Reset: "The day roll clears what was executed, for an instrument with a calendar of its own that calendar's, and " +
			"of a class its instruments' shares; live orders are counted anew.",
		Scopes: saysLeastHeadroom, Thresholds: saysFullLadder,
		Limits: []LimitRule{
			{Kind: LimitTurnoverPerDay, Says: "Executed and open value of the day, money.", Places: placesAll, Rungs: true},
			{Kind: LimitTurnoverPerMinute, Says: "Value ordered within a minute, money.", Places: placesAll, Rungs: true},
		},
		Reasons: []order.Reason{order.ReasonDailyTurnover, order.ReasonTurnoverWindow},
	},
	{
		Control: order.ControlLoss,
		Rule: "A scope whose loss of the day, realised and unrealised, is above dailyLoss, or whose fall from the day's " +
			"peak is above dailyLossFromPeak, is latched to reducing orders; above dailyLossKill it is killed.",
		Default: "Refused if no scope states dailyLoss or dailyLossFromPeak. dailyLossKill is optional.",
		Messages: "Judges the loss after every fill, bust, price, rate, limit and day roll; new orders and replaces by the " +
			"latch. A request that only reduces the instrument's position passes.",
		Window: "From roll to roll. The peak is the largest profit since the roll, at least zero.",
		Equality: "A loss equal to the limit is within it. Fills are rounded against the client. While a position has no " +
			"value nothing is judged.",
		Rejected: saysNoCount,
		Reset: "The day roll begins profit and peak anew. A latch or kill stays until a person releases it, and comes back " +
			"while the loss is still above the limit.",
		Scopes: "Every level, strategy too, for all instruments. Each is latched by its own loss; of " +
			"those that stop an order the one with the least headroom is named.",
		Thresholds: "Watch and warn in percent, judged whenever the loss is. Act: reduceOnly, which is also what reject " +
			"means here, or kill; dailyLossKill has none of them.",
		Limits: []LimitRule{
			{Kind: LimitDailyLoss, Says: "The loss of the day that latches, money.", Places: PlaceWhole, Rungs: true},
			{
				Kind: LimitDailyLossFromPeak, Says: "The loss from the day's peak that latches, money.",
				Places: PlaceWhole, Rungs: true,
			},
			{Kind: LimitDailyLossKill, Says: "The loss of the day that kills, money, optional.", Places: PlaceWhole},
		},
		Reasons: []order.Reason{order.ReasonDailyLoss, order.ReasonDailyLossFromPeak},
	},
	{
		Control: order.ControlOrderToTrade,
		Rule: "Accepted requests divided by trades, less one, is at most the limit, in number and, for an instrument or " +
			"class, in quantity; judged once there are more requests than orderToTradeMinimum.",
		Default: "Refused if no scope states orderToTrade. The volume ratio is optional and an unstated minimum is zero.",
		Messages: "Judges and counts new orders and replaces, this one included. Trades are booked executions less busts; " +
			"a bust takes its execution back, a correction changes the quantity alone.",
		Window: "From roll to roll.",
		Equality: "A ratio equal to the limit passes. No trade counts as one, no executed quantity as the smallest unit. " +
			"The value shown is rounded up.",
		Rejected: "Not counted.",
		Reset: "The firm's day roll; for an instrument with a calendar of its own that calendar's, at scopes of the " +
			"instrument; of a class its instruments' shares.",
		Scopes: saysLeastHeadroom + " The minimum is the one stated at the same scope.", Thresholds: saysActOnly,
		Limits: []LimitRule{
			{Kind: LimitOrderToTrade, Says: "The ratio in number, in 1/10,000.", Places: placesAll},
			{Kind: LimitOrderToTradeVolume, Says: "The ratio in quantity, in 1/10,000.", Places: PlaceClass | PlaceInstrument},
			{Kind: LimitOrderToTradeMinimum, Says: "Requests up to which neither is judged.", Places: placesAll},
		},
		Reasons: []order.Reason{order.ReasonOrderToTrade, order.ReasonOrderToTradeVolume},
	},
	{
		Control: order.ControlSelfMatch,
		Rule: "The order cannot trade with a live order of the same self-match group in the instrument, each of those " +
			"taken at the most aggressive version the venue may hold. The policy refuses the new order, or cancels those " +
			"that rest and lets it pass.",
		Default:  "Refused if no scope states selfMatch. An account without a self-match group is one by itself.",
		Messages: "Judges new orders and replaces at the price that is sent; a replace does not meet the order it replaces.",
		Window:   "None: what is live now.",
		Equality: "Equal prices meet. A market order without protection meets everything on the other side. Stops and " +
			"stop-limits that are live meet nothing.",
		Rejected: "A refused order meets nobody and cancels nobody.",
		Reset:    saysNoReset,
		Scopes: saysSmallestBound + " So of reject, cancel and unlimited the strictest stated holds. The group is a " +
			"property of accounts.",
		Thresholds: saysActOnly,
		Limits: []LimitRule{
			{
				Kind: LimitSelfMatch, Says: "The policy: reject the new order, cancel the resting ones, or unlimited: allowed.",
				Places: placesAll,
			},
		},
		Reasons: []order.Reason{order.ReasonSelfMatch},
	},
	{
		Control: order.ControlConsecutiveRejects,
		Rule: "A scope that has the stated number of rejects within the window, without the venue taking anything from it " +
			"between them, is latched: it takes no new order and no replace that increases.",
		Default: "Refused if no scope states consecutiveRejects. A window that its scope does not state is one second.",
		Messages: "Judges new orders and replaces. Counts refusals of both, by Tollgate and by the venue, but those of " +
			"KILL_SWITCH, REPEATED_EXECUTION and this control, VENUE_UNAVAILABLE, CAPACITY and the adapter's.",
		Window:   "Sliding and exact over the last rejects, from when the scope first states a finite number.",
		Equality: "The reject that makes the count equal to the number latches. A reject as old as the window has left it.",
		Rejected: "They are what is counted, at every level of the request that is known.",
		Reset: "The count is zero again when the venue acknowledges an order or a replace, or reports an execution; an " +
			"acceptance by Tollgate alone does not do it. A latch ends only by a person's release, which clears the count too.",
		Scopes:     "Every level, strategy too, for all instruments. Each counts and latches for itself.",
		Thresholds: "No watch or warn: the number is the threshold, and the latch the act.",
		Limits: []LimitRule{
			{
				Kind: LimitConsecutiveRejects, Says: "Rejects in a row that latch, 1 to 1,024, or unlimited.",
				Places: PlaceWhole,
			},
			{Kind: LimitConsecutiveRejectsWindow, Says: "The window, a time.", Places: PlaceWhole},
		},
		Reasons: []order.Reason{order.ReasonConsecutiveRejects},
	},
	{
		Control: order.ControlBasket,
		Rule: "A list of new orders is held until its last leg has come and judged at one moment: number and value of the " +
			"whole list, then every leg through all other controls with the legs before it counted. One refusal refuses " +
			"all.",
		Default:  "A list is refused if no scope of a leg states basketOrders, or none basketNotional. Other orders pass.",
		Messages: "Judges new orders that name a list, 1 to 512 legs, one after the other in their session.",
		Window:   "From the first leg to the last. Any other request, a login or a disconnect ends the list unfinished.",
		Equality: "A number or value equal to the bound passes. The value is the sum in the firm's currency, each leg " +
			"rounded up. The leg that makes it too large to be counted is refused for that.",
		Rejected: "A refused list leaves nothing reserved and nothing counted. The leg at fault has its own reason, the " +
			"others say that another leg was refused.",
		Reset:      "A list ends with its last leg, or is refused when something else comes first.",
		Scopes:     saysSmallestBound + " Every leg's bounds hold for the whole list.",
		Thresholds: saysActOnly,
		Limits: []LimitRule{
			{Kind: LimitBasketOrders, Says: "Orders of one list.", Places: placesAll},
			{Kind: LimitBasketNotional, Says: "Value of all orders of one list, money.", Places: placesAll},
		},
		Reasons: []order.Reason{order.ReasonBasket, order.ReasonBasketLeg, order.ReasonBasketIncomplete},
	},
}
