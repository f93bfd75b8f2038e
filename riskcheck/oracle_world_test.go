package riskcheck_test

import (
	"math/big"

	"tollgate/order"
)

// The oracle is a second, deliberately dumb answer to the question the engine
// answers. It keeps lists of everything that ever happened and sums them again
// at every question, in big integers, without remembering any result. It was
// written from the published rules of the controls.

// world is the reference data as the oracle and the scripts hold it.
type world struct {
	firm        uint32
	currency    string
	groups      []order.GroupID
	accounts    []accountRow
	traders     []traderRow
	sessions    []sessionRow
	instruments []instrumentRow
}

type accountRow struct {
	id       order.AccountID
	group    order.GroupID
	currency string
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
	currency              string
	tick                  order.Price
	lot, minQty, maxQty   order.Qty
	multiplier            order.Multiplier
	settlement, low, high order.Price
	maxAgeNs              int64
	tradable              bool
	zeroPrice, negPrice   bool
	ordTypes              []order.OrdType
	timesInForce          []order.TimeInForce
	sides                 []order.Side
}

// limitRow is one stated limit.
type limitRow struct {
	scope order.Scope
	kind  limitName
	value int64
}

// limitName is the name of a limit as scripts write it.
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
	if s.Instrument != 0 && w.instrument(s.Instrument) == nil {
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
	}
	return false
}

// nodes lists every scope of the reference data without an instrument.
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
	instrument order.InstrumentID
}

// within reports whether the identity belongs to the scope of the firm's tree.
func (id identity) within(s order.Scope) bool {
	if s.Instrument != 0 && s.Instrument != id.instrument {
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
	}
	return false
}

// scopes lists the ten scopes that apply, widest first, each without and with
// the instrument.
func (id identity) scopes(firm uint32) []order.Scope {
	var out []order.Scope
	for _, s := range []order.Scope{
		{Type: order.ScopeFirm, ID: firm},
		{Type: order.ScopeGroup, ID: uint32(id.group)},
		{Type: order.ScopeAccount, ID: uint32(id.account)},
		{Type: order.ScopeTrader, ID: uint32(id.trader)},
		{Type: order.ScopeSession, ID: uint32(id.session)},
	} {
		out = append(out, s)
		s.Instrument = id.instrument
		out = append(out, s)
	}
	return out
}

func num(v int64) *big.Int { return big.NewInt(v) }

func plus(parts ...*big.Int) *big.Int {
	out := new(big.Int)
	for _, p := range parts {
		out.Add(out, p)
	}
	return out
}

func minus(a, b *big.Int) *big.Int { return new(big.Int).Sub(a, b) }

func times(parts ...*big.Int) *big.Int {
	out := num(1)
	for _, p := range parts {
		out.Mul(out, p)
	}
	return out
}

func negated(a *big.Int) *big.Int { return new(big.Int).Neg(a) }

func magnitude(a *big.Int) *big.Int { return new(big.Int).Abs(a) }

// floorZero returns max(0, a).
func floorZero(a *big.Int) *big.Int {
	if a.Sign() < 0 {
		return new(big.Int)
	}
	return a
}

func larger(a, b *big.Int) *big.Int {
	if a.Cmp(b) >= 0 {
		return a
	}
	return b
}

// notionalOf is |price| × qty × multiplier in Money, rounded up.
func notionalOf(price order.Price, qty *big.Int, mult order.Multiplier) *big.Int {
	product := times(magnitude(num(int64(price))), qty, num(int64(mult)))
	scale := num(1e16)
	quotient, rest := new(big.Int).QuoRem(product, scale, new(big.Int))
	if rest.Sign() != 0 {
		quotient.Add(quotient, num(1))
	}
	return quotient
}
