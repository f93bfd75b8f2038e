package riskcheck

import "tollgate/order"

// Engine decides. It belongs to one loop; no method may be called concurrently.
type Engine struct {
	config Config
	now    int64  // engine time: the largest time any input carried
	seq    uint64 // sequence number of the last processed request

	effects []Effect

	configVersion uint64 // counts applied limit sets
	routeVersion  uint64 // moves whenever a route's derived part may change

	firm        Firm
	groups      table // GroupID → node
	accounts    table // AccountID → accounts row
	traders     table // TraderID → traders row
	sessions    table // SessionID → sessions row
	instruments table // InstrumentID → instruments row
	membership  table // who belongs to whom, see memberKey

	accountRows    []accountRow
	traderRows     []traderRow
	sessionRows    []sessionRow
	instrumentRows []instrumentRow

	nodes      []node
	cells      []cell
	cellIndex  table // node and instrument → cell
	routes     []route
	routeIndex table // session, account, trader and instrument → route

	orders   orderStore
	orderAt  table // OrderID → order
	clOrdIDs table // session and ClOrdID → generation and order, see clOrdKey
	executed executions
	pool     chunkPool

	lastConnection order.ConnectionID
	lastFence      uint64
	venue          venueState

	scratch candidate
	redrive []redriven
}

// accountRow, traderRow and sessionRow are the engine's side of reference data.
// A row that the newest reference data no longer has is not known.
type accountRow struct {
	Account
	node  int32
	group int32
	known bool
}

type traderRow struct {
	id    order.TraderID
	node  int32
	known bool
}

type instrumentRow struct {
	Instrument
	prices    [order.PriceSourceSettlement]pricePoint // by source, last first
	given     pricePoint                              // newest price of any source
	lastFill  pricePoint                              // of the newest fill
	mark      order.Price                             // positions are valued at it, if marked
	marked    bool
	firstCell int32
	known     bool
}

// bestMark returns the price positions are valued at: the newest price given,
// else the settlement, else the price of the newest fill.
func (in *instrumentRow) bestMark() (order.Price, bool) {
	switch {
	case in.given.time != 0:
		return in.given.price, true
	case in.Settlement != order.Null:
		return in.Settlement, true
	}
	return in.lastFill.price, in.lastFill.time != 0
}

// pricePoint is the newest price of one source; time 0: none.
type pricePoint struct {
	price order.Price
	time  int64
}

// New returns an engine without reference data: it rejects everything until
// ApplyReference and ApplyLimits.
func New(config Config) (*Engine, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	seed := config.HashSeed
	e := &Engine{
		config:       config,
		effects:      make([]Effect, 0, 64),
		routeVersion: 1,
		cells:        make([]cell, 0, config.CellsMax),
		cellIndex:    newTable(config.CellsMax, seed),
		routes:       make([]route, 0, config.RoutesMax),
		routeIndex:   newTable(config.RoutesMax, seed),
		orders:       newOrderStore(config.OrdersMax),
		orderAt:      newTable(config.OrdersMax, seed),
		clOrdIDs:     newTable(config.ClOrdIDsMax, seed),
		executed:     newExecutions(config.ExecutionsMax, seed),
	}
	for _, t := range [...]*table{&e.groups, &e.accounts, &e.traders, &e.sessions, &e.instruments, &e.membership} {
		*t = newTable(1, seed)
	}
	if config.Pretouch {
		e.pretouch()
	}
	return e, nil
}

// pretouch writes to every page of the large tables.
func (e *Engine) pretouch() {
	touch(e.orders.orders)
	touch(e.cells[:cap(e.cells)])
	touch(e.routes[:cap(e.routes)])
	for _, t := range [...]*table{&e.cellIndex, &e.routeIndex, &e.orderAt, &e.clOrdIDs, &e.executed.index} {
		touch(t.slots)
	}
	touch(e.executed.ring)
	for range answerChunksPretouched {
		c := new(chunk)
		touch(c[:])
		e.pool.give(c)
	}
}

// touch writes zeros over a slice that holds nothing yet.
func touch[T any](s []T) { clear(s) }

// Effects returns what the last input asks for, in order. The slice is valid
// until the next input.
func (e *Engine) Effects() []Effect { return e.effects }

// ConfigVersion returns the number of limit sets applied so far.
func (e *Engine) ConfigVersion() uint64 { return e.configVersion }

// Epoch returns the engine's incarnation.
func (e *Engine) Epoch() uint64 { return e.config.Epoch }

// Seq returns the sequence number of the last request processed.
func (e *Engine) Seq() uint64 { return e.seq }

// Now returns engine time, ns since 1970 UTC.
func (e *Engine) Now() int64 { return e.now }

// begin starts an input: time moves on, never back, and the effects of the
// last input are forgotten.
func (e *Engine) begin(now int64) {
	if now > e.now {
		e.now = now
	}
	e.effects = e.effects[:0]
}

// emit appends an effect and returns it for the caller to fill in.
func (e *Engine) emit(kind EffectKind) *Effect {
	e.effects = append(e.effects, Effect{Kind: kind})
	return &e.effects[len(e.effects)-1]
}

// answer appends an entry to a session's stream and tells the loop.
func (e *Engine) answer(s *sessionRow, kind order.AnswerKind) *order.Answer {
	a := s.stream.append(&e.pool)
	a.Kind = kind
	a.Session = s.ID
	a.TransactTime = e.now
	a.ConfigVersion = e.configVersion
	f := e.emit(EffectAnswer)
	f.Session, f.Connection, f.OutSeq = s.ID, s.connection, a.OutSeq
	return a
}

// Answer returns one entry of a session's stream, nil if it is not (or no
// longer) there. The entry must not be changed.
func (e *Engine) Answer(session order.SessionID, outSeq uint64) *order.Answer {
	if s := e.session(session); s != nil {
		return s.stream.at(outSeq)
	}
	return nil
}

// AckAnswers tells that the client holds all answers up to outSeq, so that the
// engine may forget them. It is not an input that decides anything.
func (e *Engine) AckAnswers(session order.SessionID, outSeq uint64) {
	if s := e.session(session); s != nil {
		s.stream.ack(outSeq, &e.pool)
	}
}

// Tick lets time pass: grace windows of cancel-on-disconnect end.
func (e *Engine) Tick(now int64) {
	e.begin(now)
	for i := range e.sessionRows {
		s := &e.sessionRows[i]
		if s.cancelAt != 0 && e.now >= s.cancelAt {
			s.cancelAt = 0
			e.cancelOnDisconnect(s)
		}
	}
}

// Price takes one step of an instrument's price. Positions are valued at the
// newest price of any source from here on. A Null price takes back what its
// source has said: collars go to the next rung, positions keep their value.
// Prices of unknown instruments and sources are ignored.
func (e *Engine) Price(now int64, p *order.ReferencePrice) {
	e.begin(now)
	row, ok := e.instruments.get(key{uint64(p.Instrument), 0})
	if !ok || p.Source < order.PriceSourceLast || p.Source > order.PriceSourceSettlement {
		return
	}
	in := &e.instrumentRows[row]
	if p.Price == order.Null {
		in.prices[p.Source-1] = pricePoint{}
		return
	}
	seen := max(1, min(p.Time, e.now)) // a source whose clock is ahead gains nothing
	in.prices[p.Source-1] = pricePoint{p.Price, seen}
	in.given = pricePoint{p.Price, seen}
	e.remark(in)
}

// remark values every position in an instrument anew if its mark has changed.
func (e *Engine) remark(in *instrumentRow) {
	mark, marked := in.bestMark()
	if mark == in.mark && marked == in.marked {
		return
	}
	in.mark, in.marked = mark, marked
	for i := in.firstCell; i != noIndex; i = e.cells[i].next {
		e.value(&e.cells[i], in)
	}
}

// value recomputes the value of one position and what its node makes of it.
func (e *Engine) value(c *cell, in *instrumentRow) {
	n := &e.nodes[c.node]
	value, ok := positionValue(c.position(), in)
	if c.lost || !ok {
		value, ok = 0, false
	}
	if c.unvalued && ok {
		n.unvalued--
	} else if !c.unvalued && !ok {
		n.unvalued++
	}
	n.gross.add(abs(value) - abs(c.value))
	n.net.subtract(c.value)
	n.net.add(value)
	c.value, c.unvalued = value, !ok
}

// positionValue returns the signed value of a position at the instrument's
// mark, rounded away from zero, and whether it has one that fits.
func positionValue(position order.Qty, in *instrumentRow) (order.Money, bool) {
	if position == 0 {
		return 0, true
	}
	size := position
	if size < 0 {
		size = -size
	}
	v, ok := order.Notional(in.mark, size, in.Multiplier)
	if position < 0 {
		v = -v
	}
	return v, ok && in.marked
}

func abs(m order.Money) order.Money {
	if m < 0 {
		return -m
	}
	return m
}
