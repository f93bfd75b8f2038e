package request

import (
	"errors"

	"tollgate/loadtest/flow"
	"tollgate/order"
)

// ErrTooManyLive says that LiveOrdersMax is reached.
var ErrTooManyLive = errors.New("request: the flow holds more live orders than LiveOrdersMax")

// Slot names an order the mapper keeps track of. It stays harmless after the
// order is gone. Zero names none.
type Slot struct {
	index      uint32 // one above the place in Mapper.orders
	generation uint32
}

// Outgoing is a request and where it goes.
type Outgoing struct {
	Request order.Request
	Session int  // index of the session
	Slot    Slot // for Accepted
}

// Counts counts what the mapper has met beyond plain requests.
type Counts struct {
	UnknownOrders     uint64 // cancels and changes of orders that rested before the flow began: sent
	UnknownExecutions uint64 // executions of such orders: not sent
	AfterRefusal      uint64 // events of orders that were refused at entry: not sent
	Replaced          uint64 // an order's number came again while it was live: the old one is forgotten
}

// tracked is one live order.
type tracked struct {
	key        uint64
	accepted   order.ClOrdID // last ClOrdID known to be accepted, at first the order's own
	price      order.Price
	open       order.Qty // still to be executed, by the recording
	executed   order.Qty // by the recording
	party      uint32    // index in Config.Makers
	generation uint32
	side       order.Side
	live       bool
	refused    bool // the new order was refused; nobody sends more for it
}

// Mapper turns events into requests. It allocates only while the number of live
// orders grows beyond what it ever was.
type Mapper struct {
	cfg    Config
	takers []Party
	orders []tracked
	free   []uint32
	byKey  map[uint64]uint32
	nextID []order.ClOrdID // by session
	salt   uint64          // makes order numbers of different days differ
	closed uint32          // how far Close has come
	counts Counts
	err    error
}

// NewMapper returns a mapper that has seen nothing.
func NewMapper(cfg Config) (*Mapper, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	if cfg.TimeInForce == 0 {
		cfg.TimeInForce = order.TimeInForceDay
	}
	m := &Mapper{
		cfg: cfg, takers: cfg.Takers,
		orders: make([]tracked, 0, liveOrdersExpected),
		free:   make([]uint32, 0, liveOrdersExpected),
		byKey:  make(map[uint64]uint32, liveOrdersExpected),
		nextID: make([]order.ClOrdID, cfg.sessionCount()),
	}
	if len(m.takers) == 0 {
		m.takers = cfg.Makers
	}
	for i := range m.nextID {
		m.nextID[i] = 1
	}
	return m, nil
}

// Sessions returns how many sessions the parties use.
func (m *Mapper) Sessions() int { return len(m.nextID) }

// StartAt makes id the next ClOrdID of a session that has been used before.
func (m *Mapper) StartAt(session int, id order.ClOrdID) { m.nextID[session] = id }

// Counts returns what was counted so far.
func (m *Mapper) Counts() Counts { return m.counts }

// Live returns how many orders rest by the recording.
func (m *Mapper) Live() int { return len(m.byKey) }

// Err returns ErrTooManyLive once the bound was hit; such orders are sent, but
// their later events are those of unknown orders.
func (m *Mapper) Err() error { return m.err }

// Map fills out with the request that e asks for. It returns false if a client
// sends nothing for it.
func (m *Mapper) Map(e *flow.Event, out *Outgoing) bool {
	switch e.Kind {
	case flow.KindNew:
		m.enter(e, out)
	case flow.KindCancel:
		return m.cancel(e, out)
	case flow.KindReduce, flow.KindModify:
		return m.change(e, out)
	case flow.KindExecute:
		return m.execute(e, out)
	case flow.KindMatched:
		m.book(e)
		return false
	default:
		return false
	}
	return true
}

// Accepted tells that the request with this ClOrdID was accepted for the order
// of the slot.
func (m *Mapper) Accepted(s Slot, id order.ClOrdID) {
	if o := m.tracked(s); o != nil {
		o.accepted = id
	}
}

// Refused tells that the new order of the slot was refused. Like its owner, the
// mapper then sends nothing more for it.
func (m *Mapper) Refused(s Slot) {
	if o := m.tracked(s); o != nil {
		o.refused = true
	}
}

// tracked returns the order of a slot, or nil if it is gone.
func (m *Mapper) tracked(s Slot) *tracked {
	if s.index == 0 {
		return nil
	}
	if o := &m.orders[s.index-1]; o.live && o.generation == s.generation {
		return o
	}
	return nil
}

// Close fills out with the cancel of one order that still rests, and forgets
// it; false when none is left. It is the end of a day.
func (m *Mapper) Close(out *Outgoing) bool {
	for ; int(m.closed) < len(m.orders); m.closed++ {
		o := &m.orders[m.closed]
		if o.live && m.withdraw(m.closed, out) {
			return true
		}
	}
	return false
}

// withdraw forgets an order and fills out with its cancel; false if it was
// refused, so that there is nothing to cancel.
func (m *Mapper) withdraw(index uint32, out *Outgoing) bool {
	o := &m.orders[index]
	m.forget(index)
	if o.refused {
		return false
	}
	m.begin(out, o.party, order.MsgCancelOrder, o.side)
	out.Request.OrigClOrdID = o.accepted
	return true
}

// NextDay makes the order numbers of the events to come different from all
// before, so that the same day can be played again.
func (m *Mapper) NextDay() {
	m.salt += 0x9e3779b97f4a7c15
	m.closed = 0
}

// key returns the mapper's own name for an order of the present day.
func (m *Mapper) key(e *flow.Event) uint64 { return mix(e.Order ^ m.salt) }

// mix is the finaliser of SplitMix64: a permutation of all 64-bit numbers.
func mix(v uint64) uint64 {
	v = (v ^ v>>30) * 0xbf58476d1ce4e5b9
	v = (v ^ v>>27) * 0x94d049bb133111eb
	return v ^ v>>31
}

// maker chooses who an order belongs to.
func (m *Mapper) maker(key uint64) uint32 { return uint32(key % uint64(len(m.cfg.Makers))) }

// begin fills in what every request of a maker has.
func (m *Mapper) begin(out *Outgoing, party uint32, kind order.MsgType, side order.Side) {
	m.beginFor(out, &m.cfg.Makers[party], kind, side)
}

func (m *Mapper) beginFor(out *Outgoing, p *Party, kind order.MsgType, side order.Side) {
	*out = Outgoing{Session: p.Session}
	r := &out.Request
	r.MsgType, r.Side, r.Instrument = kind, side, m.cfg.Instrument
	r.Account, r.Trader, r.Strategy = p.Account, p.Trader, p.Strategy
	r.ClOrdID = m.nextID[p.Session]
	r.StopPx = order.Null
	r.Price = order.Null
	m.nextID[p.Session]++
}

// limit fills in the terms of a limit order.
func limit(r *order.Request, price order.Price, total order.Qty, timeInForce order.TimeInForce) {
	r.Price, r.OrderQty, r.OrdType, r.TimeInForce = price, total, order.OrdTypeLimit, timeInForce
}

func (m *Mapper) enter(e *flow.Event, out *Outgoing) {
	key := m.key(e)
	if old, known := m.byKey[key]; known {
		m.counts.Replaced++
		m.forget(old)
	}
	party := m.maker(key)
	m.begin(out, party, order.MsgNewOrder, e.Side)
	limit(&out.Request, e.Price, e.Qty, m.cfg.TimeInForce)
	out.Slot = m.remember(tracked{
		key: key, accepted: out.Request.ClOrdID, price: e.Price, open: e.Qty, party: party, side: e.Side, live: true,
	})
}

func (m *Mapper) cancel(e *flow.Event, out *Outgoing) bool {
	key := m.key(e)
	index, known := m.byKey[key]
	if !known {
		m.unknown(e, key, order.MsgCancelOrder, out)
		return true
	}
	if m.withdraw(index, out) {
		return true
	}
	m.counts.AfterRefusal++
	return false
}

// unknown fills in a cancel or replace of an order that rested before the flow
// began. Its OrigClOrdID has the top bit set, which no own ClOrdID ever has.
func (m *Mapper) unknown(e *flow.Event, key uint64, kind order.MsgType, out *Outgoing) {
	m.counts.UnknownOrders++
	side := e.Side
	if side == 0 {
		side = order.SideBuy
	}
	m.begin(out, m.maker(key), kind, side)
	out.Request.OrigClOrdID = order.ClOrdID(key | 1<<63)
	if kind == order.MsgReplaceOrder {
		limit(&out.Request, e.Price, e.Qty, m.cfg.TimeInForce)
	}
}

// change replaces an order by what the event leaves of it; nothing left is a
// cancel.
func (m *Mapper) change(e *flow.Event, out *Outgoing) bool {
	key := m.key(e)
	index, known := m.byKey[key]
	if !known {
		m.unknown(e, key, order.MsgReplaceOrder, out)
		return true
	}
	o := &m.orders[index]
	if e.Kind == flow.KindReduce {
		o.open -= e.Qty
	} else {
		o.open, o.price = e.Qty, e.Price
	}
	if o.open <= 0 {
		return m.cancel(e, out)
	}
	if o.refused {
		m.counts.AfterRefusal++
		return false
	}
	m.begin(out, o.party, order.MsgReplaceOrder, o.side)
	out.Request.OrigClOrdID = o.accepted
	limit(&out.Request, o.price, o.executed+o.open, m.cfg.TimeInForce)
	out.Slot = Slot{index: index + 1, generation: o.generation}
	return true
}

// execute sends the order that the recording does not show, if what it met in
// the recording rests at the venue as well.
func (m *Mapper) execute(e *flow.Event, out *Outgoing) bool {
	index, known := m.byKey[m.key(e)]
	switch {
	case !known:
		m.counts.UnknownExecutions++
		return false
	case m.orders[index].refused:
		m.counts.AfterRefusal++
		m.book(e)
		return false
	}
	m.book(e)
	opposite := order.SideBuy
	if e.Side.IsBuy() {
		opposite = order.SideSell
	}
	taker := &m.takers[mix(e.Order+uint64(e.TimeNs))%uint64(len(m.takers))]
	m.beginFor(out, taker, order.MsgNewOrder, opposite)
	limit(&out.Request, e.Price, e.Qty, order.TimeInForceIOC)
	return true
}

// book counts an execution of an order.
func (m *Mapper) book(e *flow.Event) {
	index, known := m.byKey[m.key(e)]
	if !known {
		return
	}
	o := &m.orders[index]
	o.open -= e.Qty
	o.executed += e.Qty
	if o.open <= 0 {
		m.forget(index)
	}
}

// remember gives an order a slot.
func (m *Mapper) remember(o tracked) Slot {
	if len(m.byKey) >= LiveOrdersMax {
		m.err = ErrTooManyLive
		return Slot{}
	}
	index := uint32(len(m.orders))
	if last := len(m.free) - 1; last >= 0 {
		index = m.free[last]
		m.free = m.free[:last]
		o.generation = m.orders[index].generation
		m.orders[index] = o
	} else {
		m.orders = append(m.orders, o)
	}
	m.byKey[o.key] = index
	return Slot{index: index + 1, generation: o.generation}
}

// forget ends an order's slot; later news about it find nobody.
func (m *Mapper) forget(index uint32) {
	o := &m.orders[index]
	delete(m.byKey, o.key)
	o.live = false
	o.generation++
	m.free = append(m.free, index)
}

// Tag packs the slot into one number.
func (s Slot) Tag() uint64 { return uint64(s.index)<<32 | uint64(s.generation) }

// SlotOf unpacks a Tag.
func SlotOf(tag uint64) Slot { return Slot{index: uint32(tag >> 32), generation: uint32(tag)} }
