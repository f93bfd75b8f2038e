package order

import "testing"

// stableReasons pins the numbers that are on the wire and in stored records. A
// line may be added; none may change.
var stableReasons = map[Reason]string{
	0: "NONE", 100: "KILL_SWITCH",
	200: "VENUE_UNAVAILABLE", 201: "CAPACITY", 202: "MALFORMED", 203: "EXPIRED", 204: "DUPLICATE_CL_ORD_ID",
	205: "UNKNOWN_ORDER", 206: "TOO_LATE", 207: "PENDING_REQUESTS", 208: "REPLACE_MISMATCH", 209: "REPLACE_BELOW_CUM_QTY",
	300: "UNKNOWN_INSTRUMENT", 301: "NOT_TRADABLE", 302: "SIDE", 303: "ORD_TYPE", 304: "TIME_IN_FORCE",
	305: "QTY_NOT_POSITIVE", 306: "QTY_LOT", 307: "QTY_MIN", 308: "QTY_MAX", 309: "PRICE_MISSING", 310: "PRICE_SIGN",
	311: "PRICE_TICK", 312: "PRICE_LIMITS", 313: "DISPLAY_QTY",
	400: "UNKNOWN_ACCOUNT", 401: "ACCOUNT_NOT_IN_SESSION", 402: "UNKNOWN_TRADER", 403: "TRADER_NOT_IN_ACCOUNT",
	404: "INSTRUMENT_NOT_PERMITTED", 405: "SIDE_NOT_PERMITTED",
	500: "MAX_ORDER_QTY", 600: "MAX_ORDER_NOTIONAL", 601: "ARITH_OVERFLOW", 602: "FX_RATE_MISSING",
	700: "PRICE_COLLAR", 701: "NO_REFERENCE_PRICE", 1100: "MESSAGE_RATE", 1300: "OPEN_ORDERS", 1400: "OPEN_NOTIONAL",
	1500: "POSITION_LONG", 1501: "POSITION_SHORT", 1600: "GROSS_EXPOSURE", 1601: "NET_EXPOSURE",
	9000: "VENUE_REJECT", 9001: "TOKEN_MISSING", 9002: "TOKEN_ALTERED", 9003: "TOKEN_EPOCH", 9004: "TOKEN_USED",
	9005: "TOKEN_EXPIRED", 9006: "VALID_UNTIL", 9007: "KILL_FENCE", 9008: "ADAPTER_BACKLOG",
	9009: "VENUE_UNKNOWN_ORDER", 9010: "VENUE_TOO_LATE", 9011: "VENUE_INSTRUMENT",
}

func TestReasonNumbersAreStable(t *testing.T) {
	if got := Reasons(); len(got) != len(stableReasons) {
		t.Errorf("%d reasons in the catalogue, %d pinned", len(got), len(stableReasons))
	}
	for r, name := range stableReasons {
		if r.String() != name {
			t.Errorf("reason %d is %s, must stay %s", r, r, name)
		}
	}
}

func TestReasonsAreListedInOrderOfEvaluation(t *testing.T) {
	for i, r := range Reasons() {
		if i > 0 && r <= Reasons()[i-1] {
			t.Errorf("%s (%d) is listed after %s (%d)", r, r, Reasons()[i-1], Reasons()[i-1])
		}
		if r.Text() == "" || !r.Known() {
			t.Errorf("%s has no text", r)
		}
	}
}

func TestEveryReasonBelongsToAControl(t *testing.T) {
	listed := map[Control]bool{}
	for i, c := range Controls {
		if i > 0 && c <= Controls[i-1] {
			t.Errorf("%s is listed out of order", c)
		}
		listed[c] = true
	}
	used := map[Control]bool{}
	for _, r := range Reasons()[1:] {
		if c := r.Control(); r < ReasonVenueReject && !listed[c] {
			t.Errorf("%s belongs to control %d, which is not listed", r, c)
		} else {
			used[c] = true
		}
	}
	for c := range listed {
		if !used[c] {
			t.Errorf("%s has no reason", c)
		}
	}
}

func TestUnknownReasonStillPrints(t *testing.T) {
	r := Reason(4321)
	if r.Known() || r.Transient() || r.String() != "REASON_4321" || r.Text() != "unknown reason" {
		t.Errorf("unknown reason: %s, %q", r, r.Text())
	}
}

func TestHeadroomSaturates(t *testing.T) {
	for _, c := range []struct{ value, limit, want int64 }{
		{10, 15, 5},
		{15, 10, -5},
		{-5, Unlimited, Unlimited},
		{Unlimited, -5, Null + 1},
	} {
		d := Decision{Value: c.value, Limit: c.limit}
		if got := d.Headroom(); got != c.want {
			t.Errorf("headroom of %d under %d is %d, want %d", c.value, c.limit, got, c.want)
		}
	}
}
