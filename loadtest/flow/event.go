package flow

import "tollgate/order"

// Kind says what an Event is about.
type Kind uint8

// The kinds of events. A client sends something for the first five only.
const (
	KindNew         Kind = 1  // an order enters
	KindCancel      Kind = 2  // an order is deleted
	KindReduce      Kind = 3  // an order becomes smaller by Qty and keeps its place
	KindModify      Kind = 4  // an order gets Price and the open quantity Qty
	KindExecute     Kind = 5  // a resting order is executed for Qty by an order that is not shown
	KindMatched     Kind = 6  // one side of an execution between two orders of the flow
	KindTrade       Kind = 7  // the aggressor's side of executions that follow
	KindHidden      Kind = 8  // an execution against an order that was never shown
	KindHalt        Kind = 9  // trading stopped or resumed
	KindReset       Kind = 10 // the book was cleared
	KindBookkeeping Kind = 11 // a removal that repeats what executions already said
	KindUnplaced    Kind = 12 // an execution of an unknown order on an unknown side
	KindForeign     Kind = 13 // a row about another instrument

	// kindCount is one above the highest kind.
	kindCount = 14
)

// Sent reports whether a client sends something for events of this kind.
func (k Kind) Sent() bool { return k >= KindNew && k <= KindExecute }

// String returns the kind's name as reports print it.
func (k Kind) String() string {
	if int(k) < len(kindNames) && kindNames[k] != "" {
		return kindNames[k]
	}
	return "invalid"
}

var kindNames = [kindCount]string{
	KindNew: "new", KindCancel: "cancel", KindReduce: "reduce", KindModify: "modify", KindExecute: "execute",
	KindMatched: "matched", KindTrade: "trade", KindHidden: "hidden", KindHalt: "halt", KindReset: "reset",
	KindBookkeeping: "bookkeeping", KindUnplaced: "unplaced", KindForeign: "foreign",
}

// Event is one row of recorded order flow in the words of this module.
type Event struct {
	TimeNs  int64       // since 1970 UTC, or since midnight where the file says only that; never falls
	Order   uint64      // the venue's name for the order; 0 where there is none
	Price   order.Price // order.Null where there is none
	Qty     order.Qty   // see Kind; 0 where the file does not say
	Kind    Kind
	Side    order.Side // the order's own side; 0 where it is not known
	Opening bool       // part of the book as it stood when the recording began
}

// Source gives events in order. Next returns io.EOF after the last one.
type Source interface {
	Next(e *Event) error
}

// Counts holds how many events there were of each kind.
type Counts [kindCount]uint64

// Of returns the count of one kind.
func (c *Counts) Of(k Kind) uint64 { return c[k] }

// Total returns the count of all events, which for a file is its rows.
func (c *Counts) Total() uint64 {
	var sum uint64
	for _, n := range c {
		sum += n
	}
	return sum
}

// Sent returns the count of events for which a client sends something.
func (c *Counts) Sent() uint64 {
	var sum uint64
	for k := range kindCount {
		if Kind(k).Sent() {
			sum += c[k]
		}
	}
	return sum
}
