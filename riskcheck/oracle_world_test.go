package riskcheck_test

import (
	"tollgate/order"
	"tollgate/riskcheck"
)

// The oracle is a second, deliberately dumb answer to the question the engine
// answers. It keeps lists of everything that ever happened and sums them again
// at every question, in big integers, without remembering any result. It was
// written from the published rules of the controls.

// world is the reference data as the oracle and the scripts hold it.
type world struct {
	firm        uint32
	currency    string
	fxMaxAgeNs  int64
	groups      []order.GroupID
	accounts    []accountRow
	traders     []traderRow
	sessions    []sessionRow
	strategies  []order.StrategyID
	classes     []order.ClassID
	instruments []instrumentRow
}

type accountRow struct {
	id        order.AccountID
	group     order.GroupID
	currency  string
	selfMatch order.SelfMatchID // 0: the account by itself
}

type traderRow struct {
	id       order.TraderID
	accounts []order.AccountID
}

type sessionRow struct {
	id       order.SessionID
	client   uint32
	accounts []order.AccountID
}

type instrumentRow struct {
	id                    order.InstrumentID
	class                 order.ClassID    // 0: none
	calendar              order.CalendarID // 0: the firm's
	currency              string
	tick                  order.Price
	lot, minQty, maxQty   order.Qty
	multiplier            order.Multiplier
	settlement, low, high order.Price
	maxAgeNs              int64
	adv, outstanding      order.Qty // 0: not known, no bound
	marginBps, feeBps     int64
	tradable              bool
	zeroPrice, negPrice   bool
	display               bool // takes orders that show a part of their quantity
	replaceOpen           bool // the venue takes a replace's quantity as what is open
	ordTypes              []order.OrdType
	timesInForce          []order.TimeInForce
	sides                 []order.Side
}

// limitRow is one stated limit. From the time until on, 0 for never, then holds
// instead of value.
type limitRow struct {
	scope       order.Scope
	kind        limitName
	value       int64
	until, then int64
	watch, warn uint8
	act         riskcheck.LimitAct
}

// limitAt is a limit without anything beside its value.
func limitAt(s order.Scope, kind limitName, value int64) limitRow {
	return limitRow{scope: s, kind: kind, value: value}
}

// limitName is the name of a limit as scripts write it: as in limits files, with
// hyphens.
type limitName string

const (
	limitMaxOrderQty      limitName = "max-order-qty"
	limitMaxOrderNotional limitName = "max-order-notional"
	limitCollarBps        limitName = "collar-bps"
	limitCollarTicks      limitName = "collar-ticks"
	limitCollarAbs        limitName = "collar-abs"
	limitCollarFarBps     limitName = "collar-far-bps"
	limitPerSecond        limitName = "messages-per-second"
	limitPerMinute        limitName = "messages-per-minute"
	limitPerDay           limitName = "messages-per-day"
	limitCutPerSecond     limitName = "messages-cut-per-second"
	limitCancelsPerSecond limitName = "cancels-per-second"
	limitCancelsCut       limitName = "cancels-cut-per-second"
	limitOpenOrders       limitName = "open-orders"
	limitOpenNotional     limitName = "open-notional"
	limitPositionLong     limitName = "position-long"
	limitPositionShort    limitName = "position-short"
	limitGross            limitName = "gross-exposure"
	limitNet              limitName = "net-exposure"
	limitPermission       limitName = "permission"
	limitListed           limitName = "permit-listed"

	limitProtectionBps   limitName = "market-protection-bps"
	limitProtectionTicks limitName = "market-protection-ticks"
	limitParticipation   limitName = "participation-bps"
	limitDuplicates      limitName = "duplicate-orders"
	limitDuplicateWindow limitName = "duplicate-window"
	limitBothPerSecond   limitName = "orders-and-cancels-per-second"
	limitBothPerDay      limitName = "orders-and-cancels-per-day"
	limitExecutions      limitName = "strategy-executions"
	limitCredit          limitName = "credit-line"
	limitShort           limitName = "short-selling"
	limitTurnoverDay     limitName = "turnover-per-day"
	limitTurnoverMinute  limitName = "turnover-per-minute"
	limitLoss            limitName = "daily-loss"
	limitDrawdown        limitName = "daily-loss-from-peak"
	limitLossKill        limitName = "daily-loss-kill"
	limitOTR             limitName = "order-to-trade"
	limitOTRVolume       limitName = "order-to-trade-volume"
	limitOTRMinimum      limitName = "order-to-trade-minimum"
	limitSelfMatch       limitName = "self-match"
	limitRejects         limitName = "consecutive-rejects"
	limitRejectsWindow   limitName = "consecutive-rejects-window"
	limitBasketOrders    limitName = "basket-orders"
	limitBasketNotional  limitName = "basket-notional"
)

// Values of limitPermission and bits of limitListed.
const (
	permitAllowOnly = 1
	permitDeny      = 2
	listedBuy       = 1
	listedSell      = 2
)

func (w *world) account(id order.AccountID) *accountRow {
	for i := range w.accounts {
		if w.accounts[i].id == id {
			return &w.accounts[i]
		}
	}
	return nil
}

func (w *world) trader(id order.TraderID) *traderRow {
	for i := range w.traders {
		if w.traders[i].id == id {
			return &w.traders[i]
		}
	}
	return nil
}

func (w *world) session(id order.SessionID) *sessionRow {
	for i := range w.sessions {
		if w.sessions[i].id == id {
			return &w.sessions[i]
		}
	}
	return nil
}

func (w *world) instrument(id order.InstrumentID) *instrumentRow {
	for i := range w.instruments {
		if w.instruments[i].id == id {
			return &w.instruments[i]
		}
	}
	return nil
}

// knows reports whether every part of a scope is in the reference data.
func (w *world) knows(s order.Scope) bool {
	switch {
	case s.Instrument != 0 && s.Class != 0,
		s.Instrument != 0 && w.instrument(s.Instrument) == nil,
		s.Class != 0 && !in(s.Class, w.classes):
		return false
	}
	switch s.Type {
	case order.ScopeFirm:
		return s.ID == w.firm
	case order.ScopeGroup:
		return in(order.GroupID(s.ID), w.groups)
	case order.ScopeAccount:
		return w.account(order.AccountID(s.ID)) != nil
	case order.ScopeTrader:
		return w.trader(order.TraderID(s.ID)) != nil
	case order.ScopeSession:
		return w.session(order.SessionID(s.ID)) != nil
	case order.ScopeStrategy:
		return in(order.StrategyID(s.ID), w.strategies)
	}
	return false
}

// nodes lists every scope of the reference data without an instrument or class,
// the widest first.
func (w *world) nodes() []order.Scope {
	out := []order.Scope{{Type: order.ScopeFirm, ID: w.firm}}
	for _, g := range w.groups {
		out = append(out, order.Scope{Type: order.ScopeGroup, ID: uint32(g)})
	}
	for i := range w.accounts {
		out = append(out, order.Scope{Type: order.ScopeAccount, ID: uint32(w.accounts[i].id)})
	}
	for i := range w.traders {
		out = append(out, order.Scope{Type: order.ScopeTrader, ID: uint32(w.traders[i].id)})
	}
	for i := range w.sessions {
		out = append(out, order.Scope{Type: order.ScopeSession, ID: uint32(w.sessions[i].id)})
	}
	for _, s := range w.strategies {
		out = append(out, order.Scope{Type: order.ScopeStrategy, ID: uint32(s)})
	}
	return out
}

// holders lists every scope of the reference data: each node for all
// instruments, for each class and for each instrument.
func (w *world) holders() []order.Scope {
	var out []order.Scope
	for _, s := range w.nodes() {
		out = append(out, s)
		for _, c := range w.classes {
			out = append(out, order.Scope{Type: s.Type, ID: s.ID, Class: c})
		}
		for i := range w.instruments {
			out = append(out, order.Scope{Type: s.Type, ID: s.ID, Instrument: w.instruments[i].id})
		}
	}
	return out
}

func in[T comparable](x T, list []T) bool {
	for _, y := range list {
		if x == y {
			return true
		}
	}
	return false
}

// identity says who stands behind an order or a fill.
type identity struct {
	group      order.GroupID
	account    order.AccountID
	trader     order.TraderID
	session    order.SessionID
	strategy   order.StrategyID // 0: none
	instrument order.InstrumentID
	class      order.ClassID // of the instrument; 0: none
}

// classOf is the class of an instrument; 0: none, or nobody knows the instrument.
func (w *world) classOf(id order.InstrumentID) order.ClassID {
	if i := w.instrument(id); i != nil {
		return i.class
	}
	return 0
}

// identityOf says who stands behind an accepted request.
func (w *world) identityOf(v *order.Verdict) identity {
	return identity{
		group: v.Group, account: v.Account, trader: v.Trader, session: v.Session, strategy: v.Strategy,
		instrument: v.Instrument, class: w.classOf(v.Instrument),
	}
}

// within reports whether the identity belongs to the scope of the firm's tree.
func (id identity) within(s order.Scope) bool {
	if s.Instrument != 0 && s.Instrument != id.instrument || s.Class != 0 && s.Class != id.class {
		return false
	}
	switch s.Type {
	case order.ScopeFirm:
		return true
	case order.ScopeGroup:
		return s.ID == uint32(id.group)
	case order.ScopeAccount:
		return s.ID == uint32(id.account)
	case order.ScopeTrader:
		return s.ID == uint32(id.trader)
	case order.ScopeSession:
		return s.ID == uint32(id.session)
	case order.ScopeStrategy:
		return s.ID == uint32(id.strategy)
	}
	return false
}

// levels lists the five or six scopes that apply, widest first, for all
// instruments.
func (id identity) levels(firm uint32) []order.Scope {
	out := []order.Scope{
		{Type: order.ScopeFirm, ID: firm},
		{Type: order.ScopeGroup, ID: uint32(id.group)},
		{Type: order.ScopeAccount, ID: uint32(id.account)},
		{Type: order.ScopeTrader, ID: uint32(id.trader)},
		{Type: order.ScopeSession, ID: uint32(id.session)},
	}
	if id.strategy != 0 {
		out = append(out, order.Scope{Type: order.ScopeStrategy, ID: uint32(id.strategy)})
	}
	return out
}

// scopes lists every holder that applies, in the order of consideration: widest
// first, each for all instruments, for the class if there is one, and for the
// instrument.
func (id identity) scopes(firm uint32) []order.Scope {
	var out []order.Scope
	for _, s := range id.levels(firm) {
		out = append(out, s)
		if id.class != 0 {
			out = append(out, order.Scope{Type: s.Type, ID: s.ID, Class: id.class})
		}
		out = append(out, order.Scope{Type: s.Type, ID: s.ID, Instrument: id.instrument})
	}
	return out
}
