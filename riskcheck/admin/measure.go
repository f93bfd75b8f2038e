package admin

import (
	"strconv"

	"tollgate/order"
)

// FormatMeasure writes the value or the limit of a decision in the unit of the
// control that gave the reason.
func FormatMeasure(reason order.Reason, v int64) string {
	if v == order.Unlimited {
		return "unlimited"
	}
	switch reason.Control() {
	case order.ControlOrderQty, order.ControlPosition:
		return order.Qty(v).String()
	case order.ControlNotional, order.ControlOpenNotional, order.ControlExposure:
		return order.Money(v).String()
	case order.ControlCollar:
		return order.Price(v).String()
	case order.ControlReference:
		return formatReference(reason, v)
	}
	return strconv.FormatInt(v, 10)
}

// formatReference writes the value of a reason about reference data.
func formatReference(reason order.Reason, v int64) string {
	switch reason {
	case order.ReasonQtyNotPositive, order.ReasonQtyLot, order.ReasonQtyMin, order.ReasonQtyMax, order.ReasonDisplayQty:
		return order.Qty(v).String()
	case order.ReasonPriceMissing, order.ReasonPriceSign, order.ReasonPriceTick, order.ReasonPriceLimits:
		return order.Price(v).String()
	}
	return strconv.FormatInt(v, 10)
}
