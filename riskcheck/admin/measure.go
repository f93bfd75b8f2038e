package admin

import (
	"strconv"

	"tollgate/order"
	"tollgate/riskcheck"
	"tollgate/riskcheck/admin/document"
)

// FormatMeasure writes the value or the limit of a decision in the unit of what
// the reason is about.
func FormatMeasure(reason order.Reason, v int64) string {
	if v == order.Unlimited {
		return "unlimited"
	}
	switch unitOf(reason, v) {
	case measuresQty:
		return order.Qty(v).String()
	case measuresMoney:
		return order.Money(v).String()
	case measuresPrice:
		return order.Price(v).String()
	case measuresRatio:
		return order.Money(v).String() // four decimals, like money
	}
	return strconv.FormatInt(v, 10)
}

// measures is the unit of what a control measures.
type measures uint8

const (
	measuresCount measures = 0
	measuresQty   measures = 1
	measuresMoney measures = 2
	measuresPrice measures = 3
	measuresRatio measures = 4 // 10⁻⁴
)

// controlMeasures are the units of the controls that have only one.
var controlMeasures = [order.ControlsMax + 1]measures{
	order.ControlOrderQty: measuresQty, order.ControlNotional: measuresMoney, order.ControlCollar: measuresPrice,
	order.ControlProtection: measuresPrice, order.ControlParticipation: measuresQty,
	order.ControlOpenNotional: measuresMoney, order.ControlPosition: measuresQty,
	order.ControlExposure: measuresMoney, order.ControlBuyingPower: measuresMoney, order.ControlShortSale: measuresQty,
	order.ControlTurnover: measuresMoney, order.ControlLoss: measuresMoney, order.ControlOrderToTrade: measuresRatio,
	order.ControlSelfMatch: measuresPrice,
}

// basketOrdersMax is the largest number of orders of a list.
const basketOrdersMax = 512

// unitOf returns the unit of a value. BASKET counts orders or adds up money and
// has one reason for both: a value of money as small as a number of orders would
// be five cents.
func unitOf(reason order.Reason, v int64) measures {
	switch reason {
	case order.ReasonQtyNotPositive, order.ReasonQtyLot, order.ReasonQtyMin, order.ReasonQtyMax,
		order.ReasonDisplayQty, order.ReasonQtyOutstanding:
		return measuresQty
	case order.ReasonPriceMissing, order.ReasonPriceSign, order.ReasonPriceTick, order.ReasonPriceLimits,
		order.ReasonStopPx, order.ReasonShortSalePrice:
		return measuresPrice
	case order.ReasonBasket:
		if v > basketOrdersMax {
			return measuresMoney
		}
		return measuresCount
	}
	return controlMeasures[reason.Control()]
}

// FormatUse writes what a limit of a kind measures. That is the unit of the
// limit itself, but for limits that are shares or rules.
func FormatUse(kind riskcheck.LimitKind, v int64) string {
	switch kind {
	case riskcheck.LimitCollarBps, riskcheck.LimitCollarTicks, riskcheck.LimitCollarAbs, riskcheck.LimitCollarFarBps,
		riskcheck.LimitMarketProtectionBps, riskcheck.LimitMarketProtectionTicks, riskcheck.LimitSelfMatch:
		return FormatMeasure(order.ReasonPriceCollar, v)
	case riskcheck.LimitParticipationBps, riskcheck.LimitShortSelling:
		return FormatMeasure(order.ReasonMaxOrderQty, v)
	case riskcheck.LimitPermission, riskcheck.LimitPermitListed:
		return strconv.FormatInt(v, 10)
	}
	return document.FormatValue(kind, v)
}
