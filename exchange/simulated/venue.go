package simulated

import (
	"tollgate/order"
)

// Venue is a matching engine with its books, its clock and its log. See the
// package comment for its rules.
type Venue struct {
	books      []book
	bookOf     []int32 // by InstrumentID; -1: no such instrument
	orders     orders
	expiries   expiries
	prices     prices
	log        log
	executions executions
	ending     []slot // room for the orders that a day's end expires
	reports    []order.Report
	now        int64
	execID     order.ExecID
	refusal    Refusal // of the request being worked on
}

// New builds a venue with empty books. It takes memory for all of cfg's bounds.
func New(cfg Config) (*Venue, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	v := &Venue{
		orders:     newOrders(cfg.OrdersMax, cfg.FinishedRetainedMax),
		expiries:   expiries{heap: make([]slot, 0, cfg.OrdersMax)},
		prices:     newPrices(len(cfg.Instruments), cfg.PriceIntervalNs),
		log:        newLog(cfg.RecordsRetainedMax, cfg.Observe),
		executions: newExecutions(cfg.ExecutionsRetainedMax),
		reports:    make([]order.Report, 0, reportsReserved),
		execID:     cfg.FirstExecID - 1,
	}
	v.addBooks(cfg.Instruments)
	return v, nil
}

func (v *Venue) addBooks(instruments []Instrument) {
	var highest order.InstrumentID
	for _, i := range instruments {
		highest = max(highest, i.ID)
	}
	v.bookOf = make([]int32, highest+1)
	for id := range v.bookOf {
		v.bookOf[id] = -1
	}
	for _, i := range instruments {
		v.bookOf[i.ID] = int32(len(v.books))
		v.books = append(v.books, newBook(i))
	}
}

// Submit works on one request at time now, ns since 1970 UTC; a time before an
// earlier one counts as the earlier one. What has come of it is in Reports. The
// token's Seq comes back in the report that answers the request.
func (v *Venue) Submit(now int64, d *order.Verdict) {
	v.begin(now)
	v.log.received(v.now, d)
	switch d.MsgType {
	case order.MsgNewOrder:
		v.enter(d)
	case order.MsgReplaceOrder:
		v.replace(d)
	case order.MsgCancelOrder:
		v.cancel(d)
	default:
		v.refuse(d, order.ReportRejected, RefusalMessage)
	}
	v.log.reported(v.now, v.reports, v.refusal)
}

// Advance moves the venue's time to now, ns since 1970 UTC, and expires orders.
// What has come of it is in Reports.
func (v *Venue) Advance(now int64) {
	v.begin(now)
	v.log.reported(v.now, v.reports, v.refusal)
}

// begin starts a new input: no reports yet, time moved, orders expired. An
// order lives up to and including its ValidUntil.
func (v *Venue) begin(now int64) {
	v.reports = v.reports[:0]
	v.refusal = RefusalNone
	v.now = max(v.now, now)
	for len(v.expiries.heap) > 0 && v.orders.slab[v.expiries.heap[0]].expiry < v.now {
		v.expire(v.expiries.heap[0])
	}
}

func (v *Venue) expire(at slot) {
	v.withdraw(at)
	v.end(at, order.ReportExpired, 0)
}

// Reports returns what has come of the last Submit or Advance, in order. The
// slice is valid until the next of them. ReportSeq is left zero: numbering
// reports is the adapter's.
func (v *Venue) Reports() []order.Report { return v.reports }

// Prices returns the last trades that are due at time now, ns since 1970 UTC:
// for each instrument at most one in Config.PriceIntervalNs. The slice is valid
// until the next call.
func (v *Venue) Prices(now int64) []order.ReferencePrice {
	return v.prices.take(v.books, now)
}

// RepeatPrices makes the last trade of every instrument due again, for somebody
// who has seen none of them.
func (v *Venue) RepeatPrices() {
	for i := range v.books {
		if v.books[i].price.hasTraded {
			v.prices.wait(&v.books[i].price, int32(i))
		}
	}
}

// ReplacesOpenQty reports whether OrderQty of a replace is what shall be open
// after it instead of the total. An instrument without a book has no replaces.
func (v *Venue) ReplacesOpenQty(id order.InstrumentID) bool {
	i := v.bookIndex(id)
	return i >= 0 && v.books[i].ReplaceOpenQty
}

// LiveOrders returns how many orders rest in the books or wait as stops.
func (v *Venue) LiveOrders() int { return v.orders.live }

// withdraw takes an order out of its queue, if it is in one.
func (v *Venue) withdraw(at slot) {
	o := &v.orders.slab[at]
	if o.inBook {
		v.books[o.book].queue(o).remove(v.orders.slab, at)
	}
}

// end reports that a live order which is in no book any more will not trade
// again, and finishes it.
func (v *Venue) end(at slot, kind order.ReportKind, seq uint64) {
	v.report(at, kind, seq).LeavesQty = 0
	v.orders.slab[at].canceled = true
	v.finish(at)
}

// finish makes a live order that is in no book any more a finished one. It may
// be forgotten at once: what there is to report must have been reported.
func (v *Venue) finish(at slot) {
	v.expiries.remove(v.orders.slab, at)
	v.orders.finish(at)
}

// report appends a report about the order in slot at, as it is now.
func (v *Venue) report(at slot, kind order.ReportKind, seq uint64) *order.Report {
	o := &v.orders.slab[at]
	v.execID++
	v.reports = append(v.reports, order.Report{
		Seq:          seq,
		OrderID:      o.id,
		ClOrdID:      o.clOrdID,
		ExecID:       v.execID,
		TransactTime: v.now,
		Price:        o.price,
		OrderQty:     o.orderQty,
		CumQty:       o.cumQty,
		LeavesQty:    o.leaves(),
		Group:        o.group,
		Session:      o.session,
		Account:      o.account,
		Trader:       o.trader,
		Instrument:   o.instrument,
		Strategy:     o.strategy,
		Kind:         kind,
		Side:         o.side,
	})
	return &v.reports[len(v.reports)-1]
}

// refuse appends a report that refuses request d and changes nothing. It says
// who asked from the request, and ClOrdID is the request's own.
func (v *Venue) refuse(d *order.Verdict, kind order.ReportKind, refusal Refusal) {
	v.refusal = refusal
	v.execID++
	v.reports = append(v.reports, order.Report{
		Seq:          d.Token.Seq,
		OrderID:      d.OrderID,
		ClOrdID:      d.ClOrdID,
		ExecID:       v.execID,
		TransactTime: v.now,
		Price:        d.Price,
		OrderQty:     d.OrderQty,
		Group:        d.Group,
		Session:      d.Session,
		Account:      d.Account,
		Trader:       d.Trader,
		Instrument:   d.Instrument,
		Strategy:     d.Strategy,
		Reason:       refusal.Reason(),
		Kind:         kind,
		Side:         d.Side,
	})
}
