package riskcheck

import "tollgate/order"

// levelsMax is the number of levels of an order that names a strategy.
const levelsMax = order.ScopeLevels + 1

// A request has up to three holders of limits at every level: the level over all
// instruments, over the instrument's class, and the instrument by itself. They
// are numbered in the order in which they are considered: level × 3 + one of
// these.
const (
	wholeHolder = iota
	classHolder
	instrumentHolder

	holdersPerLevel
	holdersMax = levelsMax * holdersPerLevel
)

// Positions of levels in a path, and of the amounts of money that are kept in
// two currencies.
const (
	firmLevel = iota
	groupLevel
	accountLevel
	traderLevel
	sessionLevel
	strategyLevel

	firmMoney    = 0 // in the firm's currency
	accountMoney = 1 // in the account's
	currencies   = 2
)

// moneyOf returns which of the two currencies a holder counts in.
func moneyOf(at int) int {
	if at/holdersPerLevel == accountLevel {
		return accountMoney
	}
	return firmMoney
}

// amounts is one amount in both currencies.
type amounts [currencies]order.Money

// book is what a holder uses of its limits now.
//
// Invariant: openOrders, openBuy, openSell and the open quantities are the sums
// over the live orders of the holder of what each has stored as its reservation.
// Quantities stay zero in holders over all instruments: they do not add up.
type book struct {
	openBuy     order.Money
	openSell    order.Money
	openBuyQty  order.Qty
	openSellQty order.Qty
	position    order.Qty // net
	openOrders  int32
	profile     int32 // what the holder states, see profile
	latched     uint8 // set of latches
	told        uint8 // limits of which a rung has been told, see rungs
	killed      bool
	lost        bool // the position did not fit once, and is not known any more
	unvalued    bool // of a cell: its position has no value
	below       bool // of a cell: the mark was negative when the position was valued
}

// latchedFor reports whether a latch is in force.
func (b *book) latchedFor(l Latch) bool { return b.latched&(1<<l) != 0 }

// dayCount is what a holder has used since the day roll. Quantities stay zero in
// holders over all instruments.
type dayCount struct {
	executed order.Money // value executed, see tally
	ordered  order.Qty   // quantity of accepted requests, see tally
	traded   order.Qty   // quantity executed, see tally
	orders   int32       // accepted new and replace requests
	trades   int32       // executions
	minute   int32       // see minuteSums; noIndex: not counted

	executedHigh, orderedHigh, tradedHigh int8
}

// aggregate is what positions in several instruments are worth.
//
// Invariant: gross and net are the sums of |value| and value over the holder's
// cells, and unpriced counts its cells without a value.
type aggregate struct {
	gross    wide
	net      wide
	unpriced int
}

// node is one holder over all instruments: the firm, a group, an account, a
// trader, a session or a strategy. What a check reads stands first.
type node struct {
	book
	aggregate
	dayCount
	dayUsed    int64 // accepted new and replace requests since the day roll
	bothUsed   int64 // those and cancels
	second     window
	both       window
	minuteRate window
	rejects    window
	ahead      int32 // orders of a list under judgement, counted and not yet stamped
	account    int32 // accountRows; noIndex for other levels
	executions int64 // accepted new orders of a strategy since its release
	cash       wide  // what fills have paid and received
	worth      wide  // Σ worth of the node's cells
	dayBase    wide  // profit at the day roll
	peak       order.Money
	scope      order.Scope
}

// cell is one node's share in one instrument: the part that every check reads.
type cell struct {
	book
	value order.Money // signed value of the position at the mark; 0 if it has none
	dayCount
	hold   order.Money // what BUYING_POWER holds, in accounts only
	margin order.Money // the part of hold that is no fee
	short  int32       // shorts; noIndex: no short sales here yet

	holdLost bool // what BUYING_POWER would hold does not fit
}

// cellDetail is the part of a cell that is needed when something is executed or
// valued.
type cellDetail struct {
	filledBuy  order.Qty
	filledSell order.Qty
	carried    order.Qty // position brought in from outside
	brought    order.Qty // carried in while the position had no value
	node       int32
	instrument int32
	next       int32 // next cell of the same instrument, noIndex at the end
	class      int32 // the class cell of the same node; noIndex: none
}

// classCell is one node's share in one class of instruments. There is one where
// something is said about the class at that level; everywhere else the class is
// the sum of its instruments, and nobody keeps it.
//
// Invariant: everything in it that is used is the sum over the node's cells in
// instruments of the class.
type classCell struct {
	book
	aggregate
	dayCount
	node  int32
	class int32
}

// short is what an account has sold short of an instrument, and may.
type short struct {
	located  order.Qty
	open     order.Qty // reserved by live orders marked short
	executed order.Qty // since the day roll, see tally

	executedHigh int8
}

// holder is a holder of limits at one level of a path.
type holder struct {
	*book
	day *dayCount
}

// holders are those of a path, by number; without a book where there is none.
type holders [holdersMax]holder

// noIndex stands for an absent index.
const noIndex int32 = -1

// path is where the orders of one (session, account, trader, strategy) in one
// instrument count: a node, a cell and, where there is one, a class cell at every
// level. noIndex stands where a level is missing.
type path struct {
	nodes      [levelsMax]int32
	cells      [levelsMax]int32
	classes    [levelsMax]int32
	instrument int32
}

// route is a resolved path and what it was resolved from.
type route struct {
	sessionID    order.SessionID
	account      order.AccountID
	trader       order.TraderID
	strategy     order.StrategyID
	instrumentID order.InstrumentID
	version      uint32
	terms        int32 // what follows from limits, kills and latches, see terms
	session      int32
	accounts     int32 // accountRows
	selfBook     int32
	path
	_ [12]byte // two lines of memory
}

// bound is one stated limit and which holder states it.
type bound struct {
	value int64
	at    int32
}

// noBound is what nobody states.
var noBound = bound{value: unstated, at: -1}

// tighten keeps the smaller of two bounds; the earlier, wider one wins a tie.
func (b *bound) tighten(value int64, at int) {
	if value != unstated && (b.value == unstated || value < b.value) {
		b.value, b.at = value, int32(at)
	}
}

// terms is everything about a route that follows from limits, kills and latches
// and does not change from order to order. Many routes share one.
type terms struct {
	maxQty             bound
	maxNotional        bound // of holders in the firm's currency
	maxNotionalAccount bound // of holders in the account's
	collarBps          bound
	collarTicks        bound
	collarAbs          bound
	collarFar          bound
	protectionBps      bound
	protectionTicks    bound
	participation      bound
	duplicates         bound
	executions         bound
	credit             bound
	short              bound
	selfMatch          bound
	basketOrders       bound
	basketNotional     bound
	duplicateWindow    int64
	permission         [2]refusal // outcome for buys and sells
	stated             [statedKinds]uint32
	reduceOnly         uint32       // holders that take reducing orders only
	lossLatched        uint32       // holders latched by DAILY_LOSS
	blocked            uint32       // holders stopped by CONSECUTIVE_REJECTS
	unresolved         order.Reason // why reference data no longer has the path
	strategyLatched    bool
	killedAt           int32 // widest killed holder; -1: none
}

// refusal is an outcome that is known before the order is.
type refusal struct {
	reason order.Reason
	at     int32
}

// The kinds of limits that are judged at every holder that states them; the
// index into terms.stated.
const (
	statedSecond = iota
	statedMinute
	statedDay
	statedBothSecond
	statedBothDay
	statedOpenOrders
	statedOpenNotional
	statedLong
	statedShort
	statedGross
	statedNet
	statedTurnoverDay
	statedTurnoverMinute
	statedLoss
	statedDrawdown
	statedOTR
	statedOTRVolume
	statedRejects

	statedKinds
)

// statedKind says which limit each of them is.
var statedKind = [statedKinds]LimitKind{
	LimitMessagesPerSecond, LimitMessagesPerMinute, LimitMessagesPerDay, LimitOrdersAndCancelsPerSecond,
	LimitOrdersAndCancelsPerDay, LimitOpenOrders, LimitOpenNotional, LimitPositionLong, LimitPositionShort,
	LimitGrossExposure, LimitNetExposure, LimitTurnoverPerDay, LimitTurnoverPerMinute, LimitDailyLoss,
	LimitDailyLossFromPeak, LimitOrderToTrade, LimitOrderToTradeVolume, LimitConsecutiveRejects,
}

// sideIndex returns the index of a side in pairs of buy and sell.
func sideIndex(s order.Side) int {
	if s.IsBuy() {
		return 0
	}
	return 1
}
