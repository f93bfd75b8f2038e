package flow

import (
	"io"
	"math"

	"tollgate/order"
)

const (
	// nullPrice marks an event without a price.
	nullPrice order.Price = order.Null
	// databentoNoPrice is how Databento writes an absent integer price.
	databentoNoPrice = math.MaxInt64
	// databentoSnapshot is the flag bit of rows that replay the standing book.
	databentoSnapshot = 1 << 5
)

// resting is an order as the recorded book has it.
type resting struct {
	price     order.Price
	open      order.Qty // what is still to be executed
	unremoved order.Qty // executed, but the row that removes it is still to come
	side      order.Side
}

// databento reads market-by-order rows. An execution comes as T (the
// aggressor), then one F for each resting order, then a C or M for each that
// takes the executed quantity off the book. The F says everything; the C or M
// is bookkeeping unless it takes off more.
type databento struct {
	time, instrument, action, side, price, size, order, flags int

	name       int // the symbol column, -1 if there is none
	symbolText string
	first      uint64 // the instrument the flow is about; 0 until the first row
	live       map[uint64]resting
}

func isDatabento(names map[string]int) bool {
	if !hasAll(names, "action", "side", "size", "order_id", "flags", "instrument_id") {
		return false
	}
	return (hasAll(names, "ts_recv") || hasAll(names, "ts_event")) &&
		(hasAll(names, "price") || hasAll(names, "price_1e9"))
}

func newDatabento(names map[string]int) *databento {
	return &databento{
		time: firstOf(names, "ts_recv", "ts_event"), instrument: names["instrument_id"], action: names["action"],
		side: names["side"], price: firstOf(names, "price_1e9", "price"), size: names["size"],
		order: names["order_id"], flags: names["flags"], name: firstOf(names, "symbol"),
		live: make(map[uint64]resting),
	}
}

// firstOf returns the index of the first name that is there, or -1.
func firstOf(names map[string]int, wanted ...string) int {
	for _, name := range wanted {
		if i, ok := names[name]; ok {
			return i
		}
	}
	return -1
}

func (d *databento) symbol() string { return d.symbolText }

func (d *databento) decode(r *rows, e *Event) error {
	last := max(d.time, d.instrument, d.action, d.side, d.price, d.size, d.order, d.flags, d.name)
	if r.count <= last {
		return r.rowError("as many fields as the header has")
	}
	var ok bool
	if e.TimeNs, ok = parseTime(r.fields[d.time]); !ok {
		return r.fieldError(d.time, "time", "nanoseconds since 1970, or RFC 3339 like 2025-07-17T07:05:09.035793433Z")
	}
	instrument, ok := parseUnsigned(r.fields[d.instrument])
	if !ok {
		return r.fieldError(d.instrument, "instrument_id", "a number")
	}
	if d.first == 0 {
		d.adopt(r, instrument)
	}
	if instrument != d.first {
		e.Kind = KindForeign
		return nil
	}
	return d.decodeOwn(r, e)
}

// adopt makes the instrument of the first row the one the flow is about.
func (d *databento) adopt(r *rows, instrument uint64) {
	d.first = instrument
	if d.name >= 0 {
		d.symbolText = string(r.fields[d.name])
	}
}

func (d *databento) decodeOwn(r *rows, e *Event) error {
	if err := d.parse(r, e); err != nil {
		return err
	}
	if len(r.fields[d.action]) != 1 {
		return d.actionError(r)
	}
	switch r.fields[d.action][0] {
	case 'A':
		return d.add(r, e)
	case 'C':
		d.remove(e)
	case 'M':
		return d.modify(r, e)
	case 'F':
		d.fill(e)
	case 'T':
		return d.trade(r, e)
	case 'R':
		clear(d.live)
		*e = Event{Kind: KindReset, TimeNs: e.TimeNs, Price: nullPrice, Opening: e.Opening}
	default:
		return d.actionError(r)
	}
	return nil
}

func (d *databento) actionError(r *rows) error {
	return r.fieldError(d.action, "action", "A add, C cancel, M modify, T trade, F fill or R reset")
}

// parse reads the fields every action has.
func (d *databento) parse(r *rows, e *Event) error {
	var ok bool
	if e.Order, ok = parseUnsigned(r.fields[d.order]); !ok {
		return r.fieldError(d.order, "order_id", "an order number of digits")
	}
	size, ok := parseUnsigned(r.fields[d.size])
	if !ok || size > math.MaxInt64/uint64(order.QtyOne) {
		return r.fieldError(d.size, "size", "a whole number")
	}
	e.Qty = order.Qty(size) * order.QtyOne
	flags, ok := parseUnsigned(r.fields[d.flags])
	if !ok || flags > math.MaxUint8 {
		return r.fieldError(d.flags, "flags", "a number from 0 to 255")
	}
	e.Opening = flags&databentoSnapshot != 0
	switch string(r.fields[d.side]) {
	case "B":
		e.Side = order.SideBuy
	case "A":
		e.Side = order.SideSell
	case "N":
	default:
		return r.fieldError(d.side, "side", "B bid, A ask or N none")
	}
	if e.Price, ok = databentoPrice(r.fields[d.price]); !ok {
		return r.fieldError(d.price, "price", "a price × 10⁹ as a whole number, like 4799000000000, or a decimal, like 5.51")
	}
	return nil
}

// databentoPrice reads either style; both must fit eight decimals. An absent
// price is null.
func databentoPrice(b []byte) (order.Price, bool) {
	if len(b) == 0 {
		return nullPrice, true
	}
	for _, c := range b {
		if c == '.' {
			v, ok := parseScaled(b, order.PriceDecimals, false)
			return order.Price(v), ok
		}
	}
	v, ok := parseSigned(b)
	if ok && v == databentoNoPrice {
		return nullPrice, true
	}
	return order.Price(v / 10), ok && v%10 == 0
}

// terms checks what an order that rests must have.
func (d *databento) terms(r *rows, e *Event) error {
	if e.Price == nullPrice {
		return r.fieldError(d.price, "price", "a price: the row puts an order on the book")
	}
	if e.Side == 0 {
		return r.fieldError(d.side, "side", "B bid or A ask: the row puts an order on the book")
	}
	if len(d.live) >= LiveOrdersMax {
		return tooManyLive(r)
	}
	return nil
}

func (d *databento) add(r *rows, e *Event) error {
	e.Kind = KindNew
	if err := d.terms(r, e); err != nil {
		return err
	}
	d.live[e.Order] = resting{price: e.Price, open: e.Qty, side: e.Side}
	return nil
}

// remove takes quantity off the book: first what executions have left to be
// removed, then, by the owner's will, the rest.
func (d *databento) remove(e *Event) {
	o, known := d.live[e.Order]
	if !known {
		e.Kind = KindCancel
		return
	}
	executed := min(e.Qty, o.unremoved)
	o.unremoved -= executed
	e.Qty -= executed
	switch {
	case e.Qty == 0:
		e.Kind = KindBookkeeping
	case e.Qty >= o.open:
		e.Kind = KindCancel
	default:
		e.Kind = KindReduce
	}
	o.open -= e.Qty
	d.keep(e.Order, o)
}

// keep stores an order as long as anything of it is open.
func (d *databento) keep(id uint64, o resting) {
	if o.open <= 0 {
		delete(d.live, id)
		return
	}
	d.live[id] = o
}

// modify changes an order. One that was executed whole and lives on has a
// hidden rest (an iceberg): what becomes visible now is a new order to
// everybody but its owner.
func (d *databento) modify(r *rows, e *Event) error {
	if err := d.terms(r, e); err != nil {
		return err
	}
	o, known := d.live[e.Order]
	switch {
	case known && o.open <= 0:
		e.Kind = KindNew
	case known && o.unremoved > 0 && o.price == e.Price && o.open == e.Qty:
		e.Kind = KindBookkeeping
	default:
		e.Kind = KindModify
	}
	d.live[e.Order] = resting{price: e.Price, open: e.Qty, side: e.Side}
	return nil
}

// fill executes a resting order. An order that is filled whole stays known
// until the row that removes it.
func (d *databento) fill(e *Event) {
	o, known := d.live[e.Order]
	if e.Side == 0 {
		e.Side = o.side
	}
	e.Kind = KindExecute
	if e.Side == 0 {
		e.Kind = KindUnplaced
	}
	if known {
		o.open -= e.Qty
		o.unremoved += e.Qty
		d.live[e.Order] = o
	}
}

// trade is the aggressor's half. Without a side and without a fill behind it
// the order it met was never shown.
func (d *databento) trade(r *rows, e *Event) error {
	e.Kind = KindTrade
	if e.Side != 0 {
		return nil
	}
	err := r.next()
	if err == io.EOF {
		e.Kind = KindHidden
		return nil
	}
	if err != nil {
		return err
	}
	r.unread()
	if r.count <= d.action || string(r.fields[d.action]) != "F" {
		e.Kind = KindHidden
	}
	return nil
}

// tooManyLive is the error of a flow with more live orders than the bound.
func tooManyLive(r *rows) error {
	return r.rowError("at most LiveOrdersMax orders live at one time: give a shorter piece of the flow")
}
