package riskcheck_test

import (
	"math/big"

	"tollgate/order"
)

// Numbers of the oracle have no bounds: whether something fits is a question it
// asks, and never an accident.

// The scales of the units as big integers.
var (
	one       = big.NewInt(1)
	percent   = big.NewInt(100)
	basisUnit = big.NewInt(10_000)
	rateUnit  = big.NewInt(int64(order.FxRateOne))
	moneyUnit = big.NewInt(1e16) // price × quantity × multiplier in Money
	largest   = big.NewInt(order.Unlimited)
	smallest  = big.NewInt(order.Null)
)

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

// down is ⌊a/b⌋ for b above zero.
func down(a, b *big.Int) *big.Int {
	quotient, rest := new(big.Int).QuoRem(a, b, new(big.Int))
	if rest.Sign() < 0 {
		quotient.Sub(quotient, one)
	}
	return quotient
}

// up is ⌈a/b⌉ for b above zero.
func up(a, b *big.Int) *big.Int {
	quotient, rest := new(big.Int).QuoRem(a, b, new(big.Int))
	if rest.Sign() > 0 {
		quotient.Add(quotient, one)
	}
	return quotient
}

// saturated is the nearest int64.
func saturated(a *big.Int) int64 {
	switch {
	case a.IsInt64():
		return a.Int64()
	case a.Sign() < 0:
		return smallest.Int64()
	}
	return largest.Int64()
}

// notionalOf is |price| × qty × multiplier in Money, rounded up.
func notionalOf(price order.Price, qty *big.Int, mult order.Multiplier) *big.Int {
	return up(times(magnitude(num(int64(price))), qty, num(int64(mult))), moneyUnit)
}

// rates are what a unit of an instrument's currency is worth in the firm's
// currency and in the account's, in FxRate.
type rates struct{ firm, account *big.Int }

// par is the rate of a currency to itself, twice.
func par() rates { return rates{rateUnit, rateUnit} }

// exchanged is an amount in another currency, rounded up.
func exchanged(amount, rate *big.Int) *big.Int { return up(times(amount, rate), rateUnit) }

// inBoth are one amount in the firm's currency and in the account's.
type inBoth struct{ firm, account *big.Int }

func (a inBoth) fit() bool { return a.firm.IsInt64() && a.account.IsInt64() }

// at is the amount in the currency of a scope's money.
func (a inBoth) at(s order.Scope) *big.Int {
	if s.Type == order.ScopeAccount {
		return a.account
	}
	return a.firm
}

// nothing is no amount.
func nothing() inBoth { return inBoth{new(big.Int), new(big.Int)} }

func (a inBoth) minus(b inBoth) inBoth {
	return inBoth{minus(a.firm, b.firm), minus(a.account, b.account)}
}

// worth is what |price| × qty × multiplier comes to in both currencies.
func (r rates) worth(price order.Price, qty *big.Int, mult order.Multiplier) inBoth {
	own := notionalOf(price, qty, mult)
	return inBoth{exchanged(own, r.firm), exchanged(own, r.account)}
}
