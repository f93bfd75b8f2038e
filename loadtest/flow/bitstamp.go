package flow

import (
	"io"
	"math"

	"tollgate/order"
)

// bitstamp reads Bitstamp order logs.
type bitstamp struct {
	id, timestamp, price, volume, action, direction int
	live                                            map[uint64]order.Qty // open quantity by order
	paired                                          bool                 // the next row is the other half of a match
}

func isBitstamp(names map[string]int) bool {
	return hasAll(names, "id", "timestamp", "price", "volume", "action", "direction")
}

func newBitstamp(names map[string]int) *bitstamp {
	return &bitstamp{
		id: names["id"], timestamp: names["timestamp"], price: names["price"], volume: names["volume"],
		action: names["action"], direction: names["direction"], live: make(map[uint64]order.Qty),
	}
}

func (b *bitstamp) symbol() string { return "BTCUSD" }

// bitstampRow is one row, parsed.
type bitstampRow struct {
	timeNs int64
	order  uint64
	price  order.Price
	volume order.Qty
	action byte // the first letter: 'c'reated, c'h'anged, 'd'eleted
	side   order.Side
}

func (b *bitstamp) decode(r *rows, e *Event) error {
	var row bitstampRow
	if err := b.parse(r, &row); err != nil {
		return err
	}
	e.TimeNs, e.Order, e.Price, e.Side = row.timeNs, row.order, row.price, row.side
	paired := b.paired
	b.paired = false
	filled, isFill := b.fill(&row)
	switch {
	case paired:
		e.Kind, e.Qty = KindMatched, filled
	case isFill:
		return b.decodeFill(r, &row, e, filled)
	case row.action == 'c':
		e.Kind, e.Qty = KindNew, row.volume
	case row.action == 'h':
		e.Kind, e.Qty = KindModify, row.volume
	default:
		e.Kind, e.Qty = KindCancel, row.volume
	}
	return b.apply(r, &row)
}

// fill returns how much of the order the row says was executed, and whether it
// is an execution at all. Zero: executed, but of an order that is not known.
func (b *bitstamp) fill(row *bitstampRow) (order.Qty, bool) {
	open, known := b.live[row.order]
	switch {
	case row.action == 'd' && row.volume == 0:
		return open, true
	case row.action == 'h' && !known:
		return 0, true
	case row.action == 'h' && row.volume < open:
		return open - row.volume, true
	}
	return 0, false
}

// decodeFill looks at the next row to see whether it is the other half of the
// same match.
func (b *bitstamp) decodeFill(r *rows, row *bitstampRow, e *Event, filled order.Qty) error {
	e.Kind, e.Qty = KindExecute, filled
	if err := b.apply(r, row); err != nil {
		return err
	}
	err := r.next()
	if err == io.EOF {
		return nil
	}
	if err != nil {
		return err
	}
	r.unread()
	var other bitstampRow
	if err := b.parse(r, &other); err != nil {
		return err
	}
	if b.otherHalf(row, &other, filled) {
		e.Kind, b.paired = KindMatched, true
	}
	return nil
}

func (b *bitstamp) otherHalf(row, other *bitstampRow, filled order.Qty) bool {
	otherFilled, isFill := b.fill(other)
	if !isFill || filled == 0 || otherFilled == 0 || other.side == row.side || other.order == row.order {
		return false
	}
	difference := filled - otherFilled
	return difference <= matchToleranceUnits && -difference <= matchToleranceUnits
}

// apply keeps track of what is open.
func (b *bitstamp) apply(r *rows, row *bitstampRow) error {
	_, known := b.live[row.order]
	switch {
	case row.action == 'd':
		delete(b.live, row.order)
	case row.action == 'c' || known:
		if len(b.live) >= LiveOrdersMax {
			return tooManyLive(r)
		}
		b.live[row.order] = row.volume
	}
	return nil
}

func (b *bitstamp) parse(r *rows, row *bitstampRow) error {
	if last := max(b.id, b.timestamp, b.price, b.volume, b.action, b.direction); r.count <= last {
		return r.rowError("as many fields as the header has")
	}
	var ok bool
	if row.order, ok = parseUnsigned(r.fields[b.id]); !ok {
		return r.fieldError(b.id, "id", "an order number of digits")
	}
	ms, ok := parseUnsigned(r.fields[b.timestamp])
	if !ok || ms > math.MaxInt64/1_000_000 {
		return r.fieldError(b.timestamp, "timestamp", "milliseconds since 1970, like 1430438404518")
	}
	row.timeNs = int64(ms) * 1e6
	price, ok := parseScaled(r.fields[b.price], order.PriceDecimals, false)
	if !ok {
		return r.fieldError(b.price, "price", "a decimal price, like 236.47")
	}
	row.price = order.Price(price)
	volume, ok := parseUnsigned(r.fields[b.volume])
	if !ok || volume > math.MaxInt64 {
		return r.fieldError(b.volume, "volume", "a quantity in 10⁻⁸, like 200000000 for 2")
	}
	row.volume = order.Qty(volume)
	return b.parseWords(r, row)
}

func (b *bitstamp) parseWords(r *rows, row *bitstampRow) error {
	switch string(r.fields[b.action]) {
	case "created":
		row.action = 'c'
	case "changed":
		row.action = 'h'
	case "deleted":
		row.action = 'd'
	default:
		return r.fieldError(b.action, "action", "created, changed or deleted")
	}
	switch string(r.fields[b.direction]) {
	case "bid":
		row.side = order.SideBuy
	case "ask":
		row.side = order.SideSell
	default:
		return r.fieldError(b.direction, "direction", "bid or ask")
	}
	return nil
}
