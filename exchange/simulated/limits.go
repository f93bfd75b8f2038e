package simulated

import "tollgate/order"

const (
	// InstrumentIDMax is the largest instrument identifier: identifiers are
	// dense and index a table.
	InstrumentIDMax order.InstrumentID = 1 << 20

	// OrdersMax is the most live orders a venue can be configured for.
	OrdersMax = 1 << 24

	// FinishedRetainedMax is the most finished orders a venue can be configured
	// to remember, so that late requests are told "too late", not "unknown".
	FinishedRetainedMax = 1 << 24

	// ExecutionsRetainedMax is the most executions a venue can be configured to
	// remember.
	ExecutionsRetainedMax = 1 << 24

	// RecordsRetainedMax is the longest log a venue can be configured to hold.
	RecordsRetainedMax = 1 << 24
)

// Bounds of a venue whose configuration says nothing else.
const (
	defaultOrdersMax             = 1 << 17
	defaultFinishedRetainedMax   = 1 << 14
	defaultExecutionsRetainedMax = 1 << 12
	defaultRecordsRetainedMax    = 1 << 12
	defaultPriceIntervalNs       = 1_000_000

	// levelsReserved is the room a side of a book has before it first grows.
	levelsReserved = 64

	// reportsReserved is the room for the reports of one request before the
	// buffer first grows.
	reportsReserved = 256

	// nearLevels is how many levels from the touch are searched one by one
	// before the search halves: most orders arrive and leave there.
	nearLevels = 4
)
