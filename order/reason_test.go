package order

import "testing"

// stableReasons pins the numbers that are on the wire and in stored records. A
// line may be added; none may change.
var stableReasons = map[Reason]string{
	0: "NONE", 100: "KILL_SWITCH", 101: "REDUCE_ONLY",
	200: "VENUE_UNAVAILABLE", 201: "CAPACITY", 202: "MALFORMED", 203: "EXPIRED", 204: "DUPLICATE_CL_ORD_ID",
	205: "UNKNOWN_ORDER", 206: "TOO_LATE", 207: "PENDING_REQUESTS", 208: "REPLACE_MISMATCH", 209: "REPLACE_BELOW_CUM_QTY",
	300: "UNKNOWN_INSTRUMENT", 301: "NOT_TRADABLE", 302: "SIDE", 303: "ORD_TYPE", 304: "TIME_IN_FORCE",
	305: "QTY_NOT_POSITIVE", 306: "QTY_LOT", 307: "QTY_MIN", 308: "QTY_MAX", 309: "PRICE_MISSING", 310: "PRICE_SIGN",
	311: "PRICE_TICK", 312: "PRICE_LIMITS", 313: "DISPLAY_QTY", 314: "STOP_PX",
	315: "QTY_OUTSTANDING",
	400: "UNKNOWN_ACCOUNT", 401: "ACCOUNT_NOT_IN_SESSION", 402: "UNKNOWN_TRADER", 403: "TRADER_NOT_IN_ACCOUNT",
	404: "INSTRUMENT_NOT_PERMITTED", 405: "SIDE_NOT_PERMITTED", 406: "UNKNOWN_STRATEGY",
	500: "MAX_ORDER_QTY", 600: "MAX_ORDER_NOTIONAL", 601: "ARITH_OVERFLOW", 602: "FX_RATE_MISSING",
	700: "PRICE_COLLAR", 701: "NO_REFERENCE_PRICE", 800: "MARKET_ORDER_PROTECTION", 900: "MAX_PARTICIPATION",
	901: "ADV_MISSING", 1000: "DUPLICATE_ORDER", 1100: "MESSAGE_RATE", 1200: "REPEATED_EXECUTION", 1300: "OPEN_ORDERS", 1400: "OPEN_NOTIONAL",
	1500: "POSITION_LONG", 1501: "POSITION_SHORT", 1600: "GROSS_EXPOSURE", 1601: "NET_EXPOSURE",
	1700: "BUYING_POWER", 1800: "SHORT_SALE", 1801: "SHORT_SELLING", 1802: "LOCATE", 1803: "SHORT_SALE_PRICE",
	1900: "DAILY_TURNOVER", 1901: "TURNOVER_WINDOW", 2000: "DAILY_LOSS", 2001: "DAILY_LOSS_FROM_PEAK",
	2100: "ORDER_TO_TRADE", 2101: "ORDER_TO_TRADE_VOLUME", 2200: "SELF_MATCH", 2300: "CONSECUTIVE_REJECTS",
	2400: "BASKET", 2401: "BASKET_LEG", 2402: "BASKET_INCOMPLETE",
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
	for i, c := range Controls() {
		if int(c) != i+1 || c.String() == "UNKNOWN" {
			t.Errorf("control %d is listed as %d, %s", i+1, c, c)
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
