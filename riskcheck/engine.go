package riskcheck

import (
	"unsafe"

	"tollgate/order"
)

// Engine decides. It belongs to one loop; no method may be called concurrently.
type Engine struct {
	config Config
	now    int64  // engine time: the largest time any input carried
	seq    uint64 // sequence number of the last processed request
	day    uint32 // trading day of the firm; 0: none said yet

	effects []Effect
	alerts  []Effect // to be appended when the input is done

	configVersion uint64 // counts changes of limits
	routeVersion  uint32 // moves whenever terms may change
	termsVersion  uint32 // the routeVersion all terms below belong to

	firm        Firm
	groups      table // GroupID → node
	accounts    table // AccountID → accounts row
	traders     table // TraderID → traders row
	sessions    table // SessionID → sessions row
	strategies  table // StrategyID → strategies row
	classes     table // ClassID → classes row
	instruments table // InstrumentID → instruments row
	membership  table // who belongs to whom, see memberKey

	accountRows    []accountRow
	traderRows     []traderRow
	sessionRows    []sessionRow
	strategyRows   []strategyRow
	classRows      []classRow
	instrumentRows []instrumentRow
	rates          []rateRow
	calendarDays   []calendarDay

	nodes      []node
	cells      []cell
	details    []cellDetail // of cells, by the same numbers
	classCells []classCell
	shorts     []short
	minutes    []minuteSums
	cellIndex  table // node and instrument → cell
	classIndex table // node and class → class cell
	routes     []route
	routeIndex index
	terms      []terms
	termsIndex table // hash of terms → terms
	profiles   []profile
	profileAt  map[profile]int32 // off the order path only
	reverts    []revert          // temporary limits, the next to end first
	selfBooks  []selfBook
	selfIndex  table // self-match group and instrument → selfBook
	rungs      table // holder and kind → the rung told last
	stamps     stampPool

	orders   orderStore
	orderAt  index // by OrderID
	clOrdIDs table // session and ClOrdID → generation and order, see clOrdKey
	executed executions
	recent   recentOrders
	pool     chunkPool

	lastConnection order.ConnectionID
	lastFence      uint64
	venue          venueState

	scratch  candidate
	expected [2]expectation // the one that comes first stands first
	redrive  []redriven
	crossed  []int32 // resting orders a request would meet
	judged   []int32 // nodes whose losses are to be judged

	judgingBasket bool
	basketRungs   []toldRung // rungs told while a list is judged, to be taken back if it fails
	basketCrossed []crossing
	basketOrders  []int32
	basketRecent  []bool // whether each leg was kept for DUPLICATE_ORDER
}

// accountRow, traderRow and the like are the engine's side of reference data. A
// row that the newest reference data no longer has is not known.
type accountRow struct {
	Account
	cash     order.Money // as SetCash has said
	cashBase wide        // profit when it did
	fees     wide        // since then
	required wide        // Σ hold over the account's cells
	holdLost int         // cells whose hold does not fit
	node     int32
	group    int32
	rate     int32 // row of its currency
	known    bool
}

type traderRow struct {
	id    order.TraderID
	node  int32
	known bool
}

type strategyRow struct {
	id    order.StrategyID
	node  int32
	known bool
}

type classRow struct {
	id      order.ClassID
	members []int32 // instruments
	known   bool
}

// calendarDay is the trading day of one calendar.
type calendarDay struct {
	calendar order.CalendarID
	day      uint32
}

type instrumentRow struct {
	Instrument
	prices          [order.PriceSourceSettlement]pricePoint // by source, last first
	given           pricePoint                              // newest price of any source
	lastFill        pricePoint                              // of the newest fill
	mark            order.Price                             // positions are valued at it, if marked
	marked          bool
	known           bool
	shortRestricted bool
	state           order.MarketState
	firstCell       int32
	class           int32 // row; noIndex: none
	rate            int32 // row of its currency
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
func New(config Config) (*Engine, error) { return newEngine(config, classCellsMax, rungsMax) }

// newEngine is New with bounds for what is no configuration.
func newEngine(config Config, classCellsMax, rungsMax int) (*Engine, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	seed := config.HashSeed
	e := &Engine{
		config:       config,
		effects:      make([]Effect, 0, 64),
		alerts:       make([]Effect, 0, 16),
		routeVersion: 1,
		cells:        make([]cell, 0, config.CellsMax),
		details:      make([]cellDetail, 0, config.CellsMax),
		cellIndex:    newTable(config.CellsMax, seed),
		classCells:   make([]classCell, 0, classCellsMax),
		classIndex:   newTable(classCellsMax, seed),
		routes:       make([]route, 0, config.RoutesMax),
		routeIndex:   newIndex(config.RoutesMax),
		terms:        make([]terms, 0, config.RoutesMax),
		termsIndex:   newTable(config.RoutesMax, seed),
		profiles:     []profile{emptyProfile()},
		profileAt:    map[profile]int32{emptyProfile(): 0},
		shorts:       make([]short, 0, config.CellsMax),
		selfBooks:    make([]selfBook, 0, config.RoutesMax),
		selfIndex:    newTable(config.RoutesMax, seed),
		rungs:        newTable(rungsMax, seed),
		stamps:       newStampPool(config.StampsMax),
		orders:       newOrderStore(config.OrdersMax),
		orderAt:      newIndex(config.OrdersMax),
		clOrdIDs:     newTable(config.ClOrdIDsMax, seed),
		executed:     newExecutions(config.ExecutionsMax, seed),
		recent:       newRecentOrders(config.RecentOrdersMax, seed),
		crossed:      make([]int32, 0, 64),
	}
	for _, t := range [...]*table{
		&e.groups, &e.accounts, &e.traders, &e.sessions, &e.strategies, &e.classes, &e.instruments, &e.membership,
	} {
		*t = newTable(1, seed)
	}
	e.prepare()
	return e, nil
}

// prepare gets the memory of the large tables ready.
func (e *Engine) prepare() {
	prepare(&e.config, e.orders.orders)
	advise(&e.config, e.orders.requests) // mostly never used
	prepare(&e.config, e.cells[:cap(e.cells)])
	prepare(&e.config, e.details[:cap(e.details)])
	prepare(&e.config, e.routes[:cap(e.routes)])
	prepare(&e.config, e.selfBooks[:cap(e.selfBooks)])
	prepare(&e.config, e.routeIndex.slots)
	prepare(&e.config, e.orderAt.slots)
	prepare(&e.config, e.executed.index.slots)
	prepare(&e.config, e.stamps.stamps)
	prepare(&e.config, e.recent.ring)
	prepare(&e.config, e.recent.heads)
	prepare(&e.config, e.executed.ring)
	for _, t := range [...]*table{&e.cellIndex, &e.selfIndex, &e.clOrdIDs} {
		prepare(&e.config, t.slots)
	}
	if !e.config.Pretouch {
		return
	}
	for range answerChunksPretouched {
		c := new(chunk)
		clear(c[:])
		e.pool.give(c)
	}
}

// prepare lets whoever runs the engine advise on the memory of a table that holds
// nothing yet, and writes to every page of it if the configuration says so.
func prepare[T any](config *Config, s []T) {
	advise(config, s)
	if config.Pretouch {
		clear(s)
	}
}

// advise lets whoever runs the engine advise on the memory of a table.
func advise[T any](config *Config, s []T) {
	if config.Advise != nil && len(s) > 0 {
		size := len(s) * int(unsafe.Sizeof(s[0]))
		config.Advise(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), size))
	}
}

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
	e.effects, e.alerts = e.effects[:0], e.alerts[:0]
	if len(e.reverts) > 0 && e.reverts[0].until <= e.now {
		e.revertLimits()
	}
}

// finish ends an input: what people are told comes after everything else.
func (e *Engine) finish() {
	e.fetchExpected()
	e.effects = append(e.effects, e.alerts...)
	e.alerts = e.alerts[:0]
}

// emit appends an effect and returns it for the caller to fill in. What is large
// is cleared only where it belongs to the kind.
func (e *Engine) emit(kind EffectKind) *Effect {
	n := len(e.effects)
	if n == cap(e.effects) {
		e.effects = append(e.effects, Effect{})
	}
	e.effects = e.effects[:n+1]
	f := &e.effects[n]
	f.Ref, f.OutSeq, f.FenceID, f.BelowSeq, f.Scope = 0, 0, 0, 0, order.Scope{}
	f.Session, f.Connection, f.Reason, f.Kind, f.Alert = 0, 0, 0, kind, Alert{}
	if kind == EffectVerdict {
		f.Verdict = order.Verdict{}
	}
	return f
}

// answer appends an entry to a session's stream and tells the loop.
func (e *Engine) answer(s *sessionRow, kind order.AnswerKind) *order.Answer {
	a := s.stream.append(&e.pool)
	a.Kind = kind
	a.Session = s.ID
	a.TransactTime = e.now
	a.ConfigVersion = e.configVersion
	e.fetchExpected()
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
// engine may forget them. It is an input like any other, though it asks for nothing: a
// login that wants an answer which is forgotten is denied.
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
	e.finish()
}

func abs(m order.Money) order.Money {
	if m < 0 {
		return -m
	}
	return m
}
