package admin

import (
	"context"
	"math"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"tollgate/order"
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
	u := riskcheck.Usage{
		OpenOrders: 3, OpenBuyNotional: 50, OpenSellNotional: 80, GrossValue: 200, NetValue: -120,
		OpenBuyQty: 7, OpenSellQty: 2, FilledBuyQty: 10, FilledSellQty: 25,
	}
	for kind, want := range map[riskcheck.LimitKind]int64{
		riskcheck.LimitOpenOrders:    3,
		riskcheck.LimitOpenNotional:  130,
		riskcheck.LimitPositionLong:  7,
		riskcheck.LimitPositionShort: 17,
		riskcheck.LimitGrossExposure: 330,
		riskcheck.LimitNetExposure:   200,
		riskcheck.LimitMaxOrderQty:   0,
	} {
		if got := measure(kind, &u); got != want {
			t.Errorf("%s measures %d, want %d", kind, got, want)
		}
	}
	u.GrossValue = math.MaxInt64 - 5
	if got := measure(riskcheck.LimitGrossExposure, &u); got != math.MaxInt64 {
		t.Errorf("a sum that does not fit is %d, want the largest number", got)
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
	} {
		if got := FormatMeasure(reason, 150_000_000); got != want {
			t.Errorf("%s writes %q, want %q", reason, got, want)
		}
	}
	if got := FormatMeasure(order.ReasonOpenOrders, order.Unlimited); got != "unlimited" {
		t.Errorf("no limit is written %q", got)
	}
}
