package admin

import (
	"context"
	"math"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"tollgate/order"
	adminv1 "tollgate/proto/tollgate/admin/v1"
	"tollgate/riskcheck"
)

func TestReaderRefusesMoreThanItsBound(t *testing.T) {
	r := newUsageReader()
	for id := range uint32(usagesMax + 1000) {
		r.want(order.Scope{Type: order.ScopeAccount, ID: id})
	}
	if len(r.wanted) != usagesMax+1 {
		t.Errorf("the reader holds %d scopes, want it to stop at %d", len(r.wanted), usagesMax+1)
	}
	if err := r.read(context.Background(), nil); status.Code(err) != codes.InvalidArgument {
		t.Errorf("error is %v, want the request refused before the loop is asked", err)
	}
}

func TestMeasureIsWhatTheControlJudges(t *testing.T) {
	u := reading{
		Usage: riskcheck.Usage{
			OpenOrders: 3, OpenBuyNotional: 50, OpenSellNotional: 80, GrossValue: 200, NetValue: -120,
			OpenBuyQty: 7, OpenSellQty: 2, FilledBuyQty: 10, FilledSellQty: 25,
		},
		day: riskcheck.DayUse{
			Messages: 11, OrdersAndCancels: 17, Orders: 10, Trades: 3, OrderedQty: 100, ExecutedQty: 200, Executed: 1000,
			MinuteAdded: 31, Profit: -40, Peak: 25, Executions: 9, Rejects: 2,
		},
		cash: riskcheck.AccountUse{Required: 90, Equity: 70},
	}
	for kind, want := range map[riskcheck.LimitKind]int64{
		riskcheck.LimitOpenOrders:    3,
		riskcheck.LimitOpenNotional:  130,
		riskcheck.LimitPositionLong:  7,
		riskcheck.LimitPositionShort: 17,
		riskcheck.LimitGrossExposure: 330,
		riskcheck.LimitNetExposure:   200,
		riskcheck.LimitMaxOrderQty:   0,

		riskcheck.LimitMessagesPerDay:         11,
		riskcheck.LimitOrdersAndCancelsPerDay: 17,
		riskcheck.LimitTurnoverPerDay:         1130,
		riskcheck.LimitTurnoverPerMinute:      31,
		riskcheck.LimitDailyLoss:              40,
		riskcheck.LimitDailyLossKill:          40,
		riskcheck.LimitDailyLossFromPeak:      65,
		riskcheck.LimitOrderToTrade:           23_334, // 10 ÷ 3 − 1, rounded up
		riskcheck.LimitOrderToTradeVolume:     0,
		riskcheck.LimitStrategyExecutions:     9,
		riskcheck.LimitConsecutiveRejects:     2,
		riskcheck.LimitCreditLine:             20,
	} {
		if got := measure(kind, &u); got != want {
			t.Errorf("%s measures %d, want %d", kind, got, want)
		}
	}
	u.GrossValue = math.MaxInt64 - 5
	if got := measure(riskcheck.LimitGrossExposure, &u); got != math.MaxInt64 {
		t.Errorf("a sum that does not fit is %d, want the largest number", got)
	}
	u.day.Orders, u.day.Trades = math.MaxInt64, 0
	if got := measure(riskcheck.LimitOrderToTrade, &u); got != math.MaxInt64 {
		t.Errorf("a ratio that does not fit is %d, want the largest number", got)
	}
}

// TestRungsOfALimit looks at a limit of 10, which is told of from 75% and 90%:
// at 8 and at 9, since thresholds are rounded up.
func TestRungsOfALimit(t *testing.T) {
	e := riskcheck.LimitEntry{Kind: riskcheck.LimitOpenOrders, Value: 10, Watch: 75, Warn: 90}
	for value, want := range map[int64]adminv1.Rung{
		7: adminv1.Rung_RUNG_BELOW, 8: adminv1.Rung_RUNG_WATCH, 9: adminv1.Rung_RUNG_WARN, 10: adminv1.Rung_RUNG_WARN,
		11: adminv1.Rung_RUNG_ACT,
	} {
		if got := rung(&e, use{value: value, known: true}); got != want {
			t.Errorf("%d of 10 is on rung %s, want %s", value, got, want)
		}
	}
	e.Warn = 0
	if got := rung(&e, use{value: 10, known: true}); got != adminv1.Rung_RUNG_WATCH {
		t.Errorf("without a warning all of it is on rung %s, want watch", got)
	}
	e.Value = order.Unlimited
	if got := rung(&e, use{value: math.MaxInt64 - 1, known: true}); got != adminv1.Rung_RUNG_BELOW {
		t.Errorf("without a limit the rung is %s, want below", got)
	}
	e.Kind = riskcheck.LimitOrderToTrade
	if got := rung(&e, use{value: 5, known: true}); got != adminv1.Rung_RUNG_UNSPECIFIED {
		t.Errorf("a kind without thresholds is on rung %s, want none", got)
	}
}

// TestOnlySomeScopesHaveAUse: a credit line binds accounts, executions without a
// release are counted of strategies.
func TestOnlySomeScopesHaveAUse(t *testing.T) {
	for _, c := range []struct {
		kind riskcheck.LimitKind
		typ  order.ScopeType
		want bool
	}{
		{riskcheck.LimitCreditLine, order.ScopeAccount, true},
		{riskcheck.LimitCreditLine, order.ScopeFirm, false},
		{riskcheck.LimitStrategyExecutions, order.ScopeStrategy, true},
		{riskcheck.LimitStrategyExecutions, order.ScopeFirm, false},
		{riskcheck.LimitOpenOrders, order.ScopeFirm, true},
		{riskcheck.LimitMaxOrderQty, order.ScopeFirm, false},
	} {
		if got := usable(c.kind, order.Scope{Type: c.typ, ID: 1}); got != c.want {
			t.Errorf("%s of a %s has a use: %v, want %v", c.kind, c.typ, got, c.want)
		}
	}
}

func TestShareOfALimit(t *testing.T) {
	for _, c := range []struct {
		used, limit int64
		want        int64 // -1: none
	}{
		{0, 100, 0},
		{1, 3, 3334},
		{100, 100, 10_000},
		{101, 100, 10_100},
		{1, 0, -1},
		{1, order.Unlimited, -1},
		{math.MaxInt64, 1, -1},
		{math.MaxInt64 - 1, math.MaxInt64 - 1, 10_000},
		{-1, 5, -1},
	} {
		got := int64(-1)
		if share := usedBps(c.used, c.limit); share != nil {
			got = *share
		}
		if got != c.want {
			t.Errorf("%d of %d is %d, want %d", c.used, c.limit, got, c.want)
		}
	}
}

func TestMeasuresHaveTheUnitOfTheirControl(t *testing.T) {
	for reason, want := range map[order.Reason]string{
		order.ReasonMaxOrderQty:   "1.5",
		order.ReasonPositionShort: "1.5",
		order.ReasonGrossExposure: "15000",
		order.ReasonPriceCollar:   "1.5",
		order.ReasonQtyLot:        "1.5",
		order.ReasonPriceTick:     "1.5",
		order.ReasonMessageRate:   "150000000",
		order.ReasonOpenOrders:    "150000000",

		order.ReasonQtyOutstanding:         "1.5",
		order.ReasonStopPx:                 "1.5",
		order.ReasonMaxParticipation:       "1.5",
		order.ReasonBuyingPower:            "15000",
		order.ReasonLocate:                 "1.5",
		order.ReasonShortSalePrice:         "1.5",
		order.ReasonTurnoverWindow:         "15000",
		order.ReasonDailyLossFromPeak:      "15000",
		order.ReasonOrderToTrade:           "15000",
		order.ReasonSelfMatch:              "1.5",
		order.ReasonConsecutiveRejects:     "150000000",
		order.ReasonRepeatedExecution:      "150000000",
		order.ReasonDuplicateOrder:         "150000000",
		order.ReasonBasket:                 "15000",
		order.ReasonInstrumentNotPermitted: "150000000",
	} {
		if got := FormatMeasure(reason, 150_000_000); got != want {
			t.Errorf("%s writes %q, want %q", reason, got, want)
		}
	}
	if got := FormatMeasure(order.ReasonOpenOrders, order.Unlimited); got != "unlimited" {
		t.Errorf("no limit is written %q", got)
	}
	if got := FormatMeasure(order.ReasonBasket, 512); got != "512" {
		t.Errorf("512 orders of a list are written %q", got)
	}
}

// TestUsesHaveTheUnitOfWhatIsMeasured: a collar is stated as a share and measures
// a price.
func TestUsesHaveTheUnitOfWhatIsMeasured(t *testing.T) {
	for kind, want := range map[riskcheck.LimitKind]string{
		riskcheck.LimitCollarBps:        "1.5",
		riskcheck.LimitParticipationBps: "1.5",
		riskcheck.LimitShortSelling:     "1.5",
		riskcheck.LimitSelfMatch:        "1.5",
		riskcheck.LimitPositionLong:     "1.5",
		riskcheck.LimitDailyLoss:        "15000",
		riskcheck.LimitOrderToTrade:     "15000",
		riskcheck.LimitOpenOrders:       "150000000",
		riskcheck.LimitPermission:       "150000000",
	} {
		if got := FormatUse(kind, 150_000_000); got != want {
			t.Errorf("%s writes %q, want %q", kind, got, want)
		}
	}
}
