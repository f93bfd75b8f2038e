package order

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"strings"
)

// Price is a price per unit in 10⁻⁸ of the instrument's currency. It may be
// zero or negative where the instrument says so.
type Price int64

// Qty is a quantity in 10⁻⁸ of the instrument's unit.
type Qty int64

// Money is an amount in 10⁻⁴ of the account's currency. Usage is always
// rounded up, against the client.
type Money int64

// FxRate is an exchange rate in 10⁻⁸: units of one currency for a unit of
// another. It is above zero.
type FxRate int64

// FxRateOne is the rate of a currency to itself.
const FxRateOne FxRate = 1e8

// Scales of the three units.
const (
	PriceDecimals = 8
	QtyDecimals   = 8
	MoneyDecimals = 4

	PriceOne Price = 1e8
	QtyOne   Qty   = 1e8
	MoneyOne Money = 1e4
)

// Null stands for an absent Price or Qty on the wire (the SBE null of int64).
const Null = math.MinInt64

// Unlimited is a limit that never binds. It must be written out: a limit that
// nobody stated is zero, and blocks.
const Unlimited = math.MaxInt64

// Multiplier is an instrument's contract multiplier in 10⁻⁴ (ES: 50 → 500000).
// Four decimals are what keeps price × quantity × multiplier within 128 bits
// whenever the product fits Money.
type Multiplier int64

// MultiplierOne is a multiplier of 1.
const MultiplierOne Multiplier = 1e4

// notionalScale divides price (10⁻⁸) × quantity (10⁻⁸) × multiplier (10⁻⁴) down
// to money (10⁻⁴): 10^(8+8+4-4).
const notionalScale = 1e16

// Notional returns |price| × qty × multiplier rounded up to the next unit of
// Money, and whether the result fits. qty and mult must not be negative. A
// result that does not fit is for the caller to reject, never to clamp.
func Notional(price Price, qty Qty, mult Multiplier) (Money, bool) {
	m, rest, ok := notional(price, qty, mult)
	if rest && ok {
		m++
	}
	return m, ok && m >= 0
}

// NotionalDown is Notional rounded down: what a client receives.
func NotionalDown(price Price, qty Qty, mult Multiplier) (Money, bool) {
	m, _, ok := notional(price, qty, mult)
	return m, ok
}

// notional returns the quotient, whether there is a rest, and whether the quotient
// fits.
func notional(price Price, qty Qty, mult Multiplier) (Money, bool, bool) {
	if qty < 0 || mult < 0 {
		return 0, false, false
	}
	p := uint64(price)
	if price < 0 {
		p = -p
	}
	hi, lo := bits.Mul64(p, uint64(qty))
	return scaleNotional(hi, lo, uint64(mult))
}

// scaleNotional divides hi:lo × mult by notionalScale: the quotient, whether there
// is a rest, and whether the quotient fits.
func scaleNotional(hi, lo, mult uint64) (Money, bool, bool) {
	c, lo := bits.Mul64(lo, mult)
	over, hi := bits.Mul64(hi, mult)
	hi, carry := bits.Add64(hi, c, 0)
	if over != 0 || carry != 0 || hi >= notionalScale {
		return 0, false, false
	}
	q, r := bits.Div64(hi, lo, notionalScale)
	return Money(q), r != 0, q <= math.MaxInt64
}

// AddMoney returns a+b and whether the sum fits.
func AddMoney(a, b Money) (Money, bool) {
	s := a + b
	return s, (a^s)&(b^s) >= 0
}

// AddQty returns a+b and whether the sum fits.
func AddQty(a, b Qty) (Qty, bool) {
	s := a + b
	return s, (a^s)&(b^s) >= 0
}

// ErrDecimal is wrapped by every error of the parsers below.
var ErrDecimal = errors.New("not a decimal number")

// ParsePrice reads a decimal with at most eight decimals.
func ParsePrice(s string) (Price, error) {
	v, err := parseDecimal(s, PriceDecimals)
	return Price(v), err
}

// ParseQty reads a decimal with at most eight decimals.
func ParseQty(s string) (Qty, error) {
	v, err := parseDecimal(s, QtyDecimals)
	return Qty(v), err
}

// ParseMoney reads a decimal with at most four decimals.
func ParseMoney(s string) (Money, error) {
	v, err := parseDecimal(s, MoneyDecimals)
	return Money(v), err
}

// ParseFxRate reads a decimal with at most eight decimals.
func ParseFxRate(s string) (FxRate, error) {
	v, err := parseDecimal(s, PriceDecimals)
	return FxRate(v), err
}

// ParseMultiplier reads a decimal with at most four decimals.
func ParseMultiplier(s string) (Multiplier, error) {
	v, err := parseDecimal(s, MoneyDecimals)
	return Multiplier(v), err
}

func (p Price) String() string      { return formatDecimal(int64(p), PriceDecimals) }
func (q Qty) String() string        { return formatDecimal(int64(q), QtyDecimals) }
func (m Money) String() string      { return formatDecimal(int64(m), MoneyDecimals) }
func (r FxRate) String() string     { return formatDecimal(int64(r), PriceDecimals) }
func (m Multiplier) String() string { return formatDecimal(int64(m), MoneyDecimals) }

// parseDecimal reads an optionally signed decimal into an integer of the given
// number of decimals, exactly: more decimals than that, and anything that does
// not fit, is an error.
func parseDecimal(s string, decimals int) (int64, error) {
	digits, neg := strings.CutPrefix(s, "-")
	whole, frac, _ := strings.Cut(digits, ".")
	trimmed := strings.TrimRight(frac, "0")
	if whole+frac == "" || len(trimmed) > decimals {
		return 0, fmt.Errorf("%w: %q (want at most %d decimals)", ErrDecimal, s, decimals)
	}
	var v uint64
	for _, part := range []string{whole, trimmed, strings.Repeat("0", decimals-len(trimmed))} {
		for _, c := range []byte(part) {
			if c < '0' || c > '9' {
				return 0, fmt.Errorf("%w: %q", ErrDecimal, s)
			}
			hi, lo := bits.Mul64(v, 10)
			v = lo + uint64(c-'0')
			if hi != 0 || v > math.MaxInt64 {
				return 0, fmt.Errorf("%w: %q (too large)", ErrDecimal, s)
			}
		}
	}
	if neg {
		return -int64(v), nil
	}
	return int64(v), nil
}

// formatDecimal writes v with its decimals, without trailing zeros.
func formatDecimal(v int64, decimals int) string {
	if v == Null {
		return "null"
	}
	u, sign := uint64(v), ""
	if v < 0 {
		u, sign = -u, "-"
	}
	s := fmt.Sprintf("%0*d", decimals+1, u)
	whole, frac := s[:len(s)-decimals], strings.TrimRight(s[len(s)-decimals:], "0")
	if frac == "" {
		return sign + whole
	}
	return sign + whole + "." + frac
}
