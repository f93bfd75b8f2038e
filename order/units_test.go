package order

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"tollgate/internal/testseed"
)

// bigNotional is the rule in arithmetic that cannot overflow.
func bigNotional(p Price, q Qty, m Multiplier) *big.Int {
	v := new(big.Int).Abs(big.NewInt(int64(p)))
	v.Mul(v, big.NewInt(int64(q))).Mul(v, big.NewInt(int64(m)))
	scale := big.NewInt(notionalScale)
	rest := new(big.Int)
	v.QuoRem(v, scale, rest)
	if rest.Sign() != 0 {
		v.Add(v, big.NewInt(1))
	}
	return v
}

func checkNotional(t *testing.T, p Price, q Qty, m Multiplier) {
	t.Helper()
	want := bigNotional(p, q, m)
	got, ok := Notional(p, q, m)
	if fits := want.IsInt64(); ok != fits || ok && int64(got) != want.Int64() {
		t.Fatalf("Notional(%d, %d, %d) = %d, %v, want %s", p, q, m, got, ok, want)
	}
}

func TestNotionalAgreesWithBigIntegers(t *testing.T) {
	r := rand.New(rand.NewPCG(testseed.New(t), 1))
	edges := []int64{0, 1, -1, 99_999_999, 1e8, 1e12, math.MaxInt32, math.MaxInt64, math.MinInt64 + 1, math.MinInt64}
	for range 200_000 {
		pick := func() int64 {
			if r.IntN(8) == 0 {
				return edges[r.IntN(len(edges))]
			}
			return int64(r.Uint64()) >> r.IntN(64)
		}
		q, m := pick(), pick()
		if q < 0 || m < 0 {
			if _, ok := Notional(Price(pick()), Qty(q), Multiplier(m)); ok {
				t.Fatalf("Notional took quantity %d, multiplier %d", q, m)
			}
			continue
		}
		checkNotional(t, Price(pick()), Qty(q), Multiplier(m))
	}
}

func TestNotionalRoundsAgainstTheClient(t *testing.T) {
	for _, c := range []struct {
		price Price
		qty   Qty
		mult  Multiplier
		want  Money
	}{
		{10 * PriceOne, 3 * QtyOne, MultiplierOne, 30 * MoneyOne},
		{-10 * PriceOne, 3 * QtyOne, MultiplierOne, 30 * MoneyOne},            // gross: by size
		{1, 1, MultiplierOne, 1},                                              // the smallest trade still costs the smallest unit
		{4799 * PriceOne, 2 * QtyOne, 50 * MultiplierOne, 479_900 * MoneyOne}, // two ES
		{0, 5 * QtyOne, MultiplierOne, 0},
	} {
		if got, ok := Notional(c.price, c.qty, c.mult); !ok || got != c.want {
			t.Errorf("Notional(%s, %s, %s) = %s, %v, want %s", c.price, c.qty, c.mult, got, ok, c.want)
		}
	}
}

func TestDecimalsRoundTrip(t *testing.T) {
	for _, s := range []string{"0", "1", "-1", "0.00000001", "-37.63", "92233720368.54775807", "-92233720368.54775807"} {
		p, err := ParsePrice(s)
		if err != nil || p.String() != s {
			t.Errorf("ParsePrice(%q) = %s, %v", s, p, err)
		}
	}
	if p, err := ParsePrice("5.500000000"); err != nil || p != 5*PriceOne+PriceOne/2 {
		t.Errorf("trailing zeros beyond the eighth decimal: %s, %v", p, err)
	}
}

func TestDecimalsRefuseWhatIsNotExact(t *testing.T) {
	for _, s := range []string{"", "-", ".", "1.123456789", "1e5", "1,5", "--1", "1-1", "1.2.3", " 1", "92233720368.54775808", "0x10"} {
		if v, err := ParsePrice(s); !errors.Is(err, ErrDecimal) {
			t.Errorf("ParsePrice(%q) = %s, %v, want an error", s, v, err)
		}
	}
}

func FuzzParsePrice(f *testing.F) {
	f.Add("12.5")
	f.Add("-0.00000001")
	f.Fuzz(func(t *testing.T, s string) {
		p, err := ParsePrice(s)
		if err != nil {
			return
		}
		if back, err := ParsePrice(p.String()); err != nil || back != p {
			t.Fatalf("%q → %d → %q → %d, %v", s, p, p.String(), back, err)
		}
	})
}

func TestAddReportsOverflow(t *testing.T) {
	for _, c := range []struct {
		a, b Money
		ok   bool
	}{
		{math.MaxInt64, 1, false},
		{math.MinInt64, -1, false},
		{math.MaxInt64, -1, true},
		{math.MaxInt64 - 1, 1, true},
		{math.MinInt64, math.MaxInt64, true},
	} {
		if s, ok := AddMoney(c.a, c.b); ok != c.ok || ok && s != c.a+c.b {
			t.Errorf("AddMoney(%d, %d) = %d, %v", c.a, c.b, s, ok)
		}
		if _, ok := AddQty(Qty(c.a), Qty(c.b)); ok != c.ok {
			t.Errorf("AddQty(%d, %d) = %v", c.a, c.b, ok)
		}
	}
}

func TestArithmeticAllocatesNothing(t *testing.T) {
	if n := testing.AllocsPerRun(100, func() {
		if _, ok := Notional(1234567890, 987654321, 500000); !ok {
			t.Fatal("does not fit")
		}
	}); n != 0 {
		t.Fatalf("Notional allocates %v times", n)
	}
}
