package flow

import (
	"math"
	"time"
)

// parseUnsigned reads an unsigned decimal number of digits alone.
func parseUnsigned(b []byte) (uint64, bool) {
	if len(b) == 0 || len(b) > 20 {
		return 0, false
	}
	var v uint64
	for _, c := range b {
		if c < '0' || c > '9' {
			return 0, false
		}
		d := uint64(c - '0')
		if v > (math.MaxUint64-d)/10 {
			return 0, false
		}
		v = v*10 + d
	}
	return v, true
}

// parseSigned reads an optionally negative whole number.
func parseSigned(b []byte) (int64, bool) {
	negative := len(b) > 0 && b[0] == '-'
	if negative {
		b = b[1:]
	}
	v, ok := parseUnsigned(b)
	if !ok || v > math.MaxInt64 {
		return 0, false
	}
	if negative {
		return -int64(v), true
	}
	return int64(v), true
}

// parseScaled reads an optionally negative decimal into an integer with the
// given number of decimals. Further decimals must be zero unless truncate is
// set.
func parseScaled(b []byte, decimals int, truncate bool) (int64, bool) {
	negative := len(b) > 0 && b[0] == '-'
	if negative {
		b = b[1:]
	}
	v, ok := parseMagnitude(b, decimals, truncate)
	if negative {
		v = -v
	}
	return v, ok
}

func parseMagnitude(b []byte, decimals int, truncate bool) (int64, bool) {
	var v int64
	point, digits, kept := false, 0, 0
	for _, c := range b {
		if c == '.' && !point {
			point = true
			continue
		}
		if c < '0' || c > '9' {
			return 0, false
		}
		digits++
		if point && kept == decimals {
			if c != '0' && !truncate {
				return 0, false
			}
			continue
		}
		if point {
			kept++
		}
		if v > (math.MaxInt64-int64(c-'0'))/10 {
			return 0, false
		}
		v = v*10 + int64(c-'0')
	}
	scaled, ok := scale(v, decimals-kept)
	return scaled, ok && digits > 0
}

// scale returns v × 10^exponent and whether it fits.
func scale(v int64, exponent int) (int64, bool) {
	for range exponent {
		if v > math.MaxInt64/10 || v < -math.MaxInt64/10 {
			return 0, false
		}
		v *= 10
	}
	return v, true
}

// parseTime reads nanoseconds since 1970 UTC, or RFC 3339 with up to nine
// decimals.
func parseTime(b []byte) (int64, bool) {
	if v, ok := parseUnsigned(b); ok {
		return int64(v), v <= math.MaxInt64
	}
	t, err := time.Parse(time.RFC3339Nano, string(b))
	if err != nil || t.Year() < 1970 || t.Year() > 2261 {
		return 0, false
	}
	return t.UnixNano(), true
}
