package flow

import (
	"math"

	"tollgate/order"
)

// lobster reads LOBSTER message files. It needs no memory of orders: every row
// names the order, its side and the size it is about.
type lobster struct{}

// The fields of a row, in order. Later files carry a seventh that is not used.
const (
	lobsterTime = iota
	lobsterType
	lobsterOrder
	lobsterSize
	lobsterPrice
	lobsterDirection
	lobsterFields
)

// lobsterKinds maps the type column.
var lobsterKinds = [...]Kind{
	1: KindNew, 2: KindReduce, 3: KindCancel, 4: KindExecute, 5: KindHidden, 6: KindHidden, 7: KindHalt,
}

func isLobsterHeader(names map[string]int) bool {
	return hasAll(names, "time", "type", "size", "price", "direction")
}

// isLobsterRow reports whether a first row has what a LOBSTER row has: six
// numbers, of which the second is a type.
func isLobsterRow(r *rows) bool {
	if r.count < lobsterFields {
		return false
	}
	for i := range lobsterFields {
		if _, ok := parseScaled(r.fields[i], 9, true); !ok {
			return false
		}
	}
	_, ok := lobsterKind(r.fields[lobsterType])
	return ok
}

func lobsterKind(b []byte) (Kind, bool) {
	v, ok := parseUnsigned(b)
	if !ok || v == 0 || v >= uint64(len(lobsterKinds)) {
		return 0, false
	}
	return lobsterKinds[v], true
}

func (lobster) symbol() string { return "" }

func (lobster) decode(r *rows, e *Event) error {
	if r.count < lobsterFields {
		return r.rowError("six fields: time,type,order,size,price,direction")
	}
	var ok bool
	if e.TimeNs, ok = parseScaled(r.fields[lobsterTime], 9, true); !ok || e.TimeNs < 0 {
		return r.fieldError(lobsterTime, "time", "seconds after midnight, like 34200.01746")
	}
	if e.Kind, ok = lobsterKind(r.fields[lobsterType]); !ok {
		return r.fieldError(lobsterType, "type", "1 new, 2 partial cancel, 3 delete, 4 execution, 5 hidden execution, "+
			"6 cross trade or 7 halt")
	}
	if e.Order, ok = parseUnsigned(r.fields[lobsterOrder]); !ok {
		return r.fieldError(lobsterOrder, "order", "an order number of digits")
	}
	if e.Kind == KindHalt {
		return nil
	}
	return lobsterTerms(r, e)
}

// lobsterTerms reads size, price and side.
func lobsterTerms(r *rows, e *Event) error {
	size, ok := parseUnsigned(r.fields[lobsterSize])
	if !ok || size > math.MaxInt64/uint64(order.QtyOne) {
		return r.fieldError(lobsterSize, "size", "a number of shares")
	}
	e.Qty = order.Qty(size) * order.QtyOne
	price, ok := parseSigned(r.fields[lobsterPrice])
	scaled, fits := scale(price, 4)
	if !ok || !fits {
		return r.fieldError(lobsterPrice, "price", "dollars × 10,000 as a whole number, like 2238200")
	}
	e.Price = order.Price(scaled)
	switch string(r.fields[lobsterDirection]) {
	case "1":
		e.Side = order.SideBuy
	case "-1":
		e.Side = order.SideSell
	default:
		return r.fieldError(lobsterDirection, "direction", "1 (buy) or -1 (sell)")
	}
	return nil
}
