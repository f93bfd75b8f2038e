package exchange

import "tollgate/order"

// Venue is what an adapter needs of a venue. All calls come from one goroutine
// and none may block; times are ns since 1970 UTC.
type Venue interface {
	// Submit gives the venue a new order, a replace or a cancel. The report that
	// answers it carries the token's Seq, all others Seq 0. OrderQty of a replace is
	// what ReplacesOpenQty says.
	Submit(now int64, v *order.Verdict)

	// ReplacesOpenQty declares what OrderQty of a replace means for an instrument:
	// what shall be open once the replace is carried out (CME without in-flight
	// mitigation, tag 9768), or, if false, the total, what has been executed
	// included (FIX). The adapter translates.
	ReplacesOpenQty(id order.InstrumentID) bool

	// Advance lets the venue do what is due at a time.
	Advance(now int64)

	// Reports returns what has come of the last Submit or Advance, in order and
	// with ReportSeq zero. OrderQty is the order's total, whatever its replaces
	// mean. ExecIDs of an order rise, but for a report that is said again. The slice
	// is valid until the next Submit or Advance.
	Reports() []order.Report

	// Prices returns the reference prices that are due. The slice is valid until
	// the next call.
	Prices(now int64) []order.ReferencePrice

	// RepeatPrices makes the newest price of every instrument due again.
	RepeatPrices()
}
