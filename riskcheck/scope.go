package riskcheck

import "tollgate/order"

// book is what a node or a cell uses of its limits.
//
// Invariant: openOrders, openBuy and openSell are the sums over the live orders
// of the scope of what each has stored as its reservation.
type book struct {
	openOrders int64
	openBuy    order.Money
	openSell   order.Money
}

// statements are the limits one scope states, by kind; unstated where it says
// nothing.
type statements [limitKinds]int64

func (s *statements) clear() {
	for i := range s {
		s[i] = unstated
	}
}

// stated reports whether the scope says anything of kind.
func (s *statements) stated(kind LimitKind) bool { return s[kind] != unstated }

// node is one holder of limits: the firm, a group, an account, a trader or a
// session, over all instruments.
//
// Invariant: gross and net are the sums of |value| and value over the node's
// cells, and unvalued counts its cells without a value.
type node struct {
	book
	gross    wide
	net      wide
	unvalued int
	limits   statements
	second   window
	minute   window
	dayUsed  int64 // accepted new and replace requests since the last day roll
	scope    order.Scope
	killed   bool
}

// cell is one node's share in one instrument.
//
// Invariant: openBuyQty and openSellQty are sums of stored reservations;
// filledBuy and filledSell only ever grow within a day.
type cell struct {
	book
	limits      statements
	filledBuy   order.Qty
	filledSell  order.Qty
	openBuyQty  order.Qty
	openSellQty order.Qty
	value       order.Money // signed value of the position at the mark; 0 if it has none
	node        int32
	instrument  int32
	next        int32 // next cell of the same instrument, noIndex at the end
	killed      bool
	unvalued    bool // the value of the position does not fit Money, or has no mark
	lost        bool // a sum of fills did not fit: the position is not known any more
}

// noIndex stands for an absent index.
const noIndex int32 = -1

// position returns the net position.
func (c *cell) position() order.Qty { return c.filledBuy - c.filledSell }

// bound is one stated limit and the scope that states it.
type bound struct {
	value int64
	scope order.Scope
}

// tighten keeps the smaller of two bounds; the earlier, wider one wins a tie.
func (b *bound) tighten(value int64, scope order.Scope) {
	if value != unstated && (b.value == unstated || value < b.value) {
		b.value, b.scope = value, scope
	}
}

// route is the resolved path of one (session, account, trader, instrument).
// Everything in it but the indexes is derived from limits and kills, and is
// derived again when routeVersion has moved on.
type route struct {
	version    uint64
	nodes      [order.ScopeLevels]int32
	cells      [order.ScopeLevels]int32
	instrument int32
	session    int32
	account    order.AccountID
	trader     order.TraderID

	maxQty      bound
	maxNotional bound
	collarBps   bound
	collarTicks bound
	collarAbs   bound
	collarFar   bound
	killedAt    order.Scope       // widest killed scope; ScopeNone: none
	permission  [2]order.Decision // outcome for buys and sells
	unresolved  order.Reason      // why reference data no longer has the path
	absent      absence
	currencyOK  bool
}

// absence is the set of controls that no scope of a route states.
type absence uint16

// The controls of a route that can be absent.
const (
	absentCollar absence = 1 << iota
	absentRate
	absentOpenOrders
	absentOpenNotional
	absentLong
	absentShort
	absentGross
	absentNet
)

// side returns the index of a side in pairs of buy and sell.
func sideIndex(s order.Side) int {
	if s.IsBuy() {
		return 0
	}
	return 1
}
