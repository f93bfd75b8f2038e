package riskcheck

import "tollgate/order"

// Usage is what a scope uses of its limits at one moment. With Instrument 0
// the quantities are zero: quantities of different instruments do not add up.
type Usage struct {
	OpenOrders       int64
	OpenBuyNotional  order.Money // reserved by live buy orders
	OpenSellNotional order.Money // reserved by live sell orders
	GrossValue       order.Money // Σ |position value|
	NetValue         order.Money // Σ position value
	OpenBuyQty       order.Qty
	OpenSellQty      order.Qty
	FilledBuyQty     order.Qty
	FilledSellQty    order.Qty
	// Overflown: a position has no value that fits Money, or the sums do not.
	// While that lasts the scope takes only orders that reduce a position, and
	// the values here do not count.
	Overflown bool
}

// Net returns the position.
func (u *Usage) Net() order.Qty { return u.FilledBuyQty - u.FilledSellQty }

// Login is a session's wish to be connected, already authenticated by the
// gateway.
type Login struct {
	WantOutSeq           uint64 // first answer the client lacks; those before it may be forgotten
	CancelOnDisconnectNs int64  // grace window; 0: off
	Session              order.SessionID
	Client               uint32
}

// LoginDenied says why a login failed.
type LoginDenied uint8

// Reasons for a denied login.
const (
	LoginUnknownSession    LoginDenied = 1 // or it belongs to another client
	LoginOutSeqUnavailable LoginDenied = 2 // WantOutSeq is no longer, or not yet, in the stream
	LoginWindow            LoginDenied = 3 // the cancel-on-disconnect window is too long
)

// LoginResult answers a Login.
type LoginResult struct {
	NextRef      uint64 // the request expected next
	NextOutSeq   uint64 // the answer that will come next
	OldestOutSeq uint64 // the oldest answer that can still be replayed
	Connection   order.ConnectionID
	Denied       LoginDenied // zero when OK
	OK           bool
}

// KillResult says what a kill has set in motion.
type KillResult struct {
	FenceID   uint64 // the adapter confirms this fence
	Canceling int    // live orders for which a cancel was sent
}

// Usage returns what a scope uses now; the zero Usage for a scope that has had
// no orders, and false for one that does not exist. It is for the control
// plane.
func (e *Engine) Usage(scope order.Scope) (Usage, bool) {
	n, instrument, err := e.find(scope)
	if err != nil {
		return Usage{}, false
	}
	if instrument == noIndex {
		nd := &e.nodes[n]
		return nd.usage(nd.valuation()), true
	}
	i, ok := e.cellIndex.get(key{uint64(n), uint64(instrument)})
	if !ok {
		return Usage{}, true
	}
	c := &e.cells[i]
	u := c.usage(c.valuation())
	u.OpenBuyQty, u.OpenSellQty = c.openBuyQty, c.openSellQty
	u.FilledBuyQty, u.FilledSellQty = c.filledBuy, c.filledSell
	return u, true
}

func (b *book) usage(v valuation) Usage {
	return Usage{
		OpenOrders: b.openOrders, OpenBuyNotional: b.openBuy, OpenSellNotional: b.openSell,
		GrossValue: v.gross, NetValue: v.net, Overflown: !v.ok,
	}
}

// SessionState is what the engine knows of a session.
type SessionState struct {
	ID         order.SessionID
	Client     uint32
	Connection order.ConnectionID
	NextRef    uint64
	NextOutSeq uint64
	LiveOrders int
	Connected  bool
	Known      bool // still in the reference data
}

// Sessions returns the state of every session. It is for the control plane.
func (e *Engine) Sessions() []SessionState {
	out := make([]SessionState, len(e.sessionRows))
	for i := range e.sessionRows {
		s := &e.sessionRows[i]
		out[i] = SessionState{
			ID: s.ID, Client: s.Client, Connection: s.connection, NextRef: s.nextRef, NextOutSeq: s.stream.next,
			LiveOrders: int(e.nodes[s.node].openOrders), Connected: s.connected, Known: s.known,
		}
	}
	return out
}

// OpenOrders returns how many live orders a scope has.
func (e *Engine) OpenOrders(scope order.Scope) int64 {
	u, _ := e.Usage(scope)
	return u.OpenOrders
}

// ReferencePrice returns the price a collar would use now, and whether there is
// one that is young enough.
func (e *Engine) ReferencePrice(instrument order.InstrumentID) (order.Price, bool) {
	i, ok := e.instruments.get(key{uint64(instrument), 0})
	if !ok {
		return order.Null, false
	}
	return e.referencePrice(&e.instrumentRows[i])
}
