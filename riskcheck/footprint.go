package riskcheck

import "unsafe"

// Footprint is the memory things take in an engine, in bytes, their places in
// tables included. Tables are of the configured sizes from the start; this is what
// of them is in use.
type Footprint struct {
	// Account is what an account takes that trades nothing yet.
	Account int
	// AccountInstrument is what an account takes for every instrument it trades,
	// with one trader and session and no strategy: its route and its cell.
	AccountInstrument int
	// Order is what an order takes, open or remembered, with its ClOrdID and its
	// place in the memory of DUPLICATE_ORDER.
	Order int
	// Pending is what a replace or cancel takes that awaits the venue.
	Pending int
	// Execution is what an execution takes that is remembered.
	Execution int
	// Profile is what a set of limits takes that no other scope states alike.
	Profile int
}

// Footprint returns what things take. Stamps of message rates come on top, eight
// bytes for each message that still counts, and what a scope adds within a minute,
// where that is limited.
func (e *Engine) Footprint() Footprint {
	place := 2 * int(unsafe.Sizeof(slot{})) // a table is half full, as is an index
	number := 2 * int(unsafe.Sizeof(e.orderAt.slots[0]))
	return Footprint{
		Account: int(unsafe.Sizeof(node{})+unsafe.Sizeof(accountRow{})) + place,
		AccountInstrument: int(unsafe.Sizeof(route{})+unsafe.Sizeof(cell{})+unsafe.Sizeof(cellDetail{})+
			unsafe.Sizeof(selfBook{})) + 2*place + number,
		Order: int(unsafe.Sizeof(liveOrder{})+unsafe.Sizeof(recentOrder{})) + place + number +
			2*int(unsafe.Sizeof(recentHead{})),
		Pending:   int(unsafe.Sizeof(pending{})),
		Execution: int(unsafe.Sizeof(execution{})) + number,
		Profile:   int(unsafe.Sizeof(profile{})),
	}
}
