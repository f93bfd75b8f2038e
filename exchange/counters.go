package exchange

import "tollgate/order"

// AdapterCounters counts what an adapter has decided since its start.
type AdapterCounters struct {
	NewOrders       uint64 // given to the venue
	Replaces        uint64 // given to the venue
	Cancels         uint64 // with an authentic token
	CancelsUnsigned uint64 // without one
	Reports         uint64 // numbered
	Fences          uint64 // put in force

	// Dropped without effect, a hint at most.
	TokenMissing   uint64
	TokenAltered   uint64
	TokenEpoch     uint64
	TokenUsed      uint64
	Malformed      uint64 // neither a new order, a replace nor a cancel
	UnknownOrder   uint64 // unsigned cancels of orders that do not live
	BacklogDropped uint64 // the report log was at its bound

	// Refused by a report.
	TokenExpired   uint64
	ValidUntil     uint64
	KillFence      uint64
	BacklogRefused uint64
	Exhausted      uint64 // replaces to no more than has been executed, where the open quantity is replaced
}

func (c *AdapterCounters) submitted(kind order.MsgType) {
	switch kind {
	case order.MsgNewOrder:
		c.NewOrders++
	case order.MsgReplaceOrder:
		c.Replaces++
	}
}

func (c *AdapterCounters) count(o Outcome) {
	if o.Refused {
		c.refused(o.Reason)
	} else {
		c.dropped(o.Reason)
	}
}

func (c *AdapterCounters) dropped(reason order.Reason) {
	switch reason {
	case order.ReasonTokenMissing:
		c.TokenMissing++
	case order.ReasonTokenAltered:
		c.TokenAltered++
	case order.ReasonTokenEpoch:
		c.TokenEpoch++
	case order.ReasonTokenUsed:
		c.TokenUsed++
	case order.ReasonMalformed:
		c.Malformed++
	case order.ReasonVenueUnknown:
		c.UnknownOrder++
	case order.ReasonAdapterBacklog:
		c.BacklogDropped++
	}
}

func (c *AdapterCounters) refused(reason order.Reason) {
	switch reason {
	case order.ReasonTokenExpired:
		c.TokenExpired++
	case order.ReasonValidUntil:
		c.ValidUntil++
	case order.ReasonKillFence:
		c.KillFence++
	case order.ReasonAdapterBacklog:
		c.BacklogRefused++
	case order.ReasonVenueReject:
		c.Exhausted++
	}
}

// Counters returns what the adapter has counted.
func (a *Adapter) Counters() AdapterCounters { return a.counters }
