package riskcheck

import "tollgate/order"

// Usage is what a scope uses of its limits at one moment. Over all instruments the
// quantities are zero: quantities of different instruments do not add up. Those of a
// class do; what is open in one and does not fit is the largest quantity there is.
// FilledBuyQty, FilledSellQty and CarriedQty are of the engine's whole life and may
// wrap around; Net is right all the same.
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
	CarriedQty       order.Qty // brought in from outside, see SetPosition
	// Overflown: a position has no value that fits Money, or the sums do not.
	// While that lasts the scope takes only orders that reduce a position, and
	// the values here do not count.
	Overflown bool
}

// Net returns the position.
func (u *Usage) Net() order.Qty { return u.CarriedQty + u.FilledBuyQty - u.FilledSellQty }

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
	at, err := e.find(scope)
	if err != nil {
		return Usage{}, false
	}
	b, _, v := e.look(at)
	u := b.usage(v)
	var parts []int32 // instruments
	switch {
	case at.instrument != noIndex:
		parts = []int32{at.instrument}
	case at.class != noIndex:
		parts = e.classRows[at.class].members
	}
	for _, i := range parts {
		if c, ok := e.cellIndex.get(key{uint64(at.node), uint64(i)}); ok {
			cl, d := &e.cells[c], &e.details[c]
			u.OpenBuyQty = addSaturating(u.OpenBuyQty, cl.openBuyQty)
			u.OpenSellQty = addSaturating(u.OpenSellQty, cl.openSellQty)
			u.FilledBuyQty += d.filledBuy
			u.FilledSellQty += d.filledSell
			u.CarriedQty += d.carried
		}
	}
	return u, true
}

// look returns what the holder of a place uses, nothing if there is none yet, and
// what its positions are worth.
func (e *Engine) look(at place) (*book, *dayCount, valuation) {
	switch {
	case at.instrument != noIndex:
		if i, ok := e.cellIndex.get(key{uint64(at.node), uint64(at.instrument)}); ok {
			c := &e.cells[i]
			return &c.book, &c.dayCount, c.valuation()
		}
		return &book{}, &dayCount{minute: noIndex}, valuation{ok: true}
	case at.class != noIndex:
		if i, ok := e.classIndex.get(key{uint64(at.node), uint64(at.class)}); ok {
			c := &e.classCells[i]
			return &c.book, &c.dayCount, c.valuation()
		}
		c := classCell{node: at.node, class: at.class, dayCount: dayCount{minute: noIndex}}
		e.addUp(&c)
		return &c.book, &c.dayCount, c.valuation()
	}
	n := &e.nodes[at.node]
	return &n.book, &n.dayCount, n.valuation()
}

func (b *book) usage(v valuation) Usage {
	return Usage{
		OpenOrders: int64(b.openOrders), OpenBuyNotional: b.openBuy, OpenSellNotional: b.openSell,
		GrossValue: v.gross, NetValue: v.net, Overflown: !v.ok,
	}
}

// DayUse is what a scope has used of limits that count over time.
type DayUse struct {
	Messages         int64       // accepted new and replace requests since the roll
	OrdersAndCancels int64       // those and cancels since the roll
	Executions       int64       // accepted new orders of a strategy since its release
	Rejects          int64       // in a row, as far as they are kept
	Orders           int64       // accepted new and replace requests since the roll
	Trades           int64       // executions since the roll
	OrderedQty       order.Qty   // with an instrument or class
	ExecutedQty      order.Qty   // with an instrument or class
	Executed         order.Money // value executed since the roll
	MinuteAdded      order.Money // what counts for turnoverPerMinute now
	Profit           order.Money // since the roll; over all instruments only
	Peak             order.Money // its highest since the roll
	Valued           bool        // Profit is known
}

// DayUse returns what a scope has used since the day roll, and false for a scope
// that does not exist. It is for the control plane.
func (e *Engine) DayUse(scope order.Scope) (DayUse, bool) {
	at, err := e.find(scope)
	if err != nil {
		return DayUse{}, false
	}
	_, d, _ := e.look(at)
	u := DayUse{
		Orders: int64(d.orders), Trades: int64(max(0, d.trades)), OrderedQty: d.orderedSum(),
		ExecutedQty: d.tradedSum(), Executed: d.executedSum(),
	}
	if d.minute != noIndex {
		m := e.minutes[d.minute]
		m.at(e.now / secondNs)
		u.MinuteAdded = m.total
	}
	if at.instrument == noIndex && at.class == noIndex {
		n := &e.nodes[at.node]
		u.OrderedQty, u.ExecutedQty = 0, 0
		u.Messages, u.OrdersAndCancels, u.Executions, u.Rejects = n.dayUsed, n.bothUsed, n.executions, int64(n.rejects.held)
		u.Profit, u.Valued = n.dayProfit()
		u.Peak = n.peak
	}
	return u, true
}

// AccountUse is BUYING_POWER of one account, in its currency.
type AccountUse struct {
	Cash     order.Money // as SetCash has said
	Equity   order.Money // cash with everything fills have brought since
	Required order.Money // by orders and positions; saturates
	Valued   bool        // every position has a value, so that Equity is known
}

// AccountUse returns an account's cash and margin, and false for an account that
// does not exist. It is for the control plane.
func (e *Engine) AccountUse(account order.AccountID) (AccountUse, bool) {
	i, ok := e.accounts.get(idKey(uint64(account)))
	if !ok {
		return AccountUse{}, false
	}
	a := &e.accountRows[i]
	u := AccountUse{Cash: a.cash}
	var okEquity, okRequired bool
	u.Equity, okEquity = e.equity(a)
	if u.Required, okRequired = a.required.money(); !okRequired {
		u.Required = order.Unlimited
	}
	u.Valued = okEquity && e.nodes[a.node].unpriced == 0 && a.holdLost == 0
	return u, true
}

// Locate returns how much an account may sell short of an instrument, and how
// much it has offered and sold short since the day roll. It is for the control
// plane.
func (e *Engine) Locate(account order.AccountID, instrument order.InstrumentID) (located, shorted order.Qty) {
	at, err := e.find(order.Scope{Type: order.ScopeAccount, ID: uint32(account), Instrument: instrument})
	if err != nil {
		return 0, 0
	}
	i, ok := e.cellIndex.get(key{uint64(at.node), uint64(at.instrument)})
	if !ok || e.cells[i].short == noIndex {
		return 0, 0
	}
	s := &e.shorts[e.cells[i].short]
	return s.located, addSaturating(s.open, s.executedSum())
}

// LatchedScope is one latch that is in force.
type LatchedScope struct {
	Scope order.Scope
	Latch Latch
}

// Latched returns every latch in force, the firm's first. It is for the control
// plane.
func (e *Engine) Latched() []LatchedScope {
	var out []LatchedScope
	e.eachHolder(func(scope order.Scope, b *book) {
		for l := LatchLateTruth; l < latches; l++ {
			if b.latchedFor(l) {
				out = append(out, LatchedScope{scope, l})
			}
		}
	})
	return out
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
	i, ok := e.instruments.get(idKey(uint64(instrument)))
	if !ok {
		return order.Null, false
	}
	return e.referencePrice(&e.instrumentRows[i])
}
