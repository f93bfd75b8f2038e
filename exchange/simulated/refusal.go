package simulated

import "tollgate/order"

// Refusal is the venue's own word for why it refused a request. It stands in
// the venue's log; the report carries the reason it belongs to.
type Refusal uint8

// The refusals.
const (
	RefusalNone           Refusal = iota
	RefusalMessage                // neither a new order, a replace nor a cancel
	RefusalInstrument             // the venue has no such book
	RefusalOrderID                // zero, or the name of an order the venue knows already
	RefusalCapacity               // Config.OrdersMax live orders
	RefusalSide                   // not one of FIX's side codes
	RefusalOrdType                // not one of FIX's codes that Tollgate knows
	RefusalTimeInForce            // not one of the codes, or GTD without ValidUntil
	RefusalQty                    // not above zero, or more in total than fits
	RefusalLot                    // not a multiple of the lot
	RefusalPrice                  // a limit or stop-limit order without a price
	RefusalStopPx                 // a stop without StopPx
	RefusalTick                   // not a multiple of the tick
	RefusalDisplayQty             // not from 0 to OrderQty, or not a multiple of the lot
	RefusalExpired                // GTD with a ValidUntil that has passed
	RefusalUnknownOrder           // OrderID names no order the venue remembers
	RefusalTooLate                // the order is filled, canceled or expired
	RefusalMismatch               // a replace of what cannot be replaced
	RefusalQtyBelowCumQty         // a replace to less than has been executed
)

var refusalNames = [...]string{
	RefusalNone:           "none",
	RefusalMessage:        "message",
	RefusalInstrument:     "instrument",
	RefusalOrderID:        "order-id",
	RefusalCapacity:       "capacity",
	RefusalSide:           "side",
	RefusalOrdType:        "ord-type",
	RefusalTimeInForce:    "time-in-force",
	RefusalQty:            "qty",
	RefusalLot:            "lot",
	RefusalPrice:          "price",
	RefusalStopPx:         "stop-px",
	RefusalTick:           "tick",
	RefusalDisplayQty:     "display-qty",
	RefusalExpired:        "expired",
	RefusalUnknownOrder:   "unknown-order",
	RefusalTooLate:        "too-late",
	RefusalMismatch:       "mismatch",
	RefusalQtyBelowCumQty: "qty-below-cum-qty",
}

// String returns the word that stands in the log.
func (r Refusal) String() string {
	if int(r) < len(refusalNames) {
		return refusalNames[r]
	}
	return "unknown"
}

// Reason returns the reason a report of this refusal carries.
func (r Refusal) Reason() order.Reason {
	switch r {
	case RefusalNone:
		return order.ReasonNone
	case RefusalInstrument:
		return order.ReasonVenueInstrument
	case RefusalUnknownOrder:
		return order.ReasonVenueUnknown
	case RefusalTooLate:
		return order.ReasonVenueTooLate
	}
	return order.ReasonVenueReject
}
