package simulated

import (
	"math/big"
	"slices"

	"tollgate/order"
)

// model is the venue's rules once more, as plainly as possible: one list of all
// orders ever entered, searched from end to end for every question.
type model struct {
	instruments []Instrument
	ordersMax   int
	all         []modelOrder
	executions  []modelExecution
	last        map[order.InstrumentID]order.Price // of instruments that have traded
	reports     []order.Report
	execID      order.ExecID
	now         int64
	arrivals    int
}

type modelOrder struct {
	order.Verdict
	cumQty  order.Qty
	shown   order.Qty // what others see of it while it rests
	arrival int       // place in time priority
	live    bool
	ended   bool // it was canceled or has expired
	waiting bool // a stop whose price was not reached
}

// modelExecution is a trade as one side of it was told.
type modelExecution struct {
	order.Report
	other  order.ExecID
	undone bool
}

func (m *model) submit(now int64, d order.Verdict) []order.Report {
	m.advance(now)
	switch d.MsgType {
	case order.MsgNewOrder:
		m.enter(d)
	case order.MsgReplaceOrder:
		m.replace(d)
	case order.MsgCancelOrder:
		m.cancel(d)
	default:
		m.refuse(d, nil, order.ReportRejected, order.ReasonVenueReject)
	}
	return m.reports
}

func (m *model) advance(now int64) []order.Report {
	m.reports = nil
	m.now = max(m.now, now)
	for {
		var first *modelOrder
		for i := range m.all {
			o := &m.all[i]
			due := o.live && o.TimeInForce == order.TimeInForceGTD && o.ValidUntil < m.now
			if due && (first == nil || o.ValidUntil < first.ValidUntil ||
				o.ValidUntil == first.ValidUntil && o.OrderID < first.OrderID) {
				first = o
			}
		}
		if first == nil {
			return m.reports
		}
		m.end(first, order.ReportExpired, 0)
	}
}

func (m *model) end(o *modelOrder, kind order.ReportKind, seq uint64) {
	o.live, o.ended = false, true
	m.say(o, order.Report{Kind: kind, Seq: seq})
}

// say completes and appends a report about an order as it is now.
func (m *model) say(o *modelOrder, r order.Report) {
	m.execID++
	r.OrderID, r.ClOrdID, r.ExecID, r.TransactTime = o.OrderID, o.ClOrdID, m.execID, m.now
	r.Price, r.OrderQty, r.CumQty = o.Price, o.OrderQty, o.cumQty
	if o.live {
		r.LeavesQty = max(0, o.OrderQty-o.cumQty)
	}
	r.Group, r.Session, r.Account, r.Trader = o.Group, o.Session, o.Account, o.Trader
	r.Instrument, r.Side, r.Strategy = o.Instrument, o.Side, o.Strategy
	m.reports = append(m.reports, r)
}

func (m *model) refuse(d order.Verdict, o *modelOrder, kind order.ReportKind, reason order.Reason) {
	m.execID++
	r := order.Report{
		Seq: d.Token.Seq, OrderID: d.OrderID, ClOrdID: d.ClOrdID, ExecID: m.execID, TransactTime: m.now,
		Price: d.Price, OrderQty: d.OrderQty, Group: d.Group, Session: d.Session, Account: d.Account,
		Trader: d.Trader, Instrument: d.Instrument, Strategy: d.Strategy, Reason: reason, Kind: kind, Side: d.Side,
	}
	if o != nil {
		r.Price, r.OrderQty, r.CumQty = o.Price, o.OrderQty, o.cumQty
		if o.live {
			r.LeavesQty = o.OrderQty - o.cumQty
		}
	}
	m.reports = append(m.reports, r)
}

func (m *model) find(id order.OrderID) *modelOrder {
	for i := range m.all {
		if m.all[i].OrderID == id {
			return &m.all[i]
		}
	}
	return nil
}

func (m *model) liveCount() int {
	n := 0
	for i := range m.all {
		if m.all[i].live {
			n++
		}
	}
	return n
}

func (m *model) termsAreGood(d order.Verdict) bool {
	i := slices.IndexFunc(m.instruments, func(i Instrument) bool { return i.ID == d.Instrument })
	lot, tick := m.instruments[i].Lot, m.instruments[i].Tick
	good := d.OrderQty > 0 && d.OrderQty%lot == 0
	if d.DisplayQty != order.Null {
		good = good && d.DisplayQty >= 0 && d.DisplayQty <= d.OrderQty && d.DisplayQty%lot == 0
	}
	if d.TimeInForce == order.TimeInForceGTD {
		good = good && d.ValidUntil != 0 && d.ValidUntil >= m.now
	}
	switch d.OrdType {
	case order.OrdTypeLimit, order.OrdTypeStopLimit:
		good = good && d.Price != order.Null && d.Price%tick == 0
	default:
		good = good && (d.Price == order.Null || d.Price%tick == 0)
	}
	if isStopOrder(d.OrdType) {
		good = good && d.StopPx != order.Null && d.StopPx%tick == 0
	}
	return good
}

func isStopOrder(t order.OrdType) bool { return t == order.OrdTypeStop || t == order.OrdTypeStopLimit }

func (m *model) enter(d order.Verdict) {
	known := slices.ContainsFunc(m.instruments, func(i Instrument) bool { return i.ID == d.Instrument })
	if !known {
		m.refuse(d, nil, order.ReportRejected, order.ReasonVenueInstrument)
		return
	}
	if d.OrderID == 0 || m.find(d.OrderID) != nil || m.liveCount() == m.ordersMax || !d.Side.Valid() ||
		!d.OrdType.Valid() || !d.TimeInForce.Valid() || !m.termsAreGood(d) {
		m.refuse(d, nil, order.ReportRejected, order.ReasonVenueReject)
		return
	}
	m.arrivals++
	if d.DisplayQty == order.Null {
		d.DisplayQty = 0
	}
	m.all = append(m.all, modelOrder{Verdict: d, arrival: m.arrivals, live: true, waiting: isStopOrder(d.OrdType)})
	o := &m.all[len(m.all)-1]
	m.say(o, order.Report{Kind: order.ReportNew, Seq: d.Token.Seq})
	m.begin(o)
}

// begin starts an order, and then every stop that this elects: the one that the
// price passed first, buys before sells, and of one price the one that came first.
func (m *model) begin(o *modelOrder) {
	for o != nil {
		if o.waiting && (m.reached(o) || o.cumQty == o.OrderQty) {
			o.waiting = false
			m.queueAnew(o)
		}
		if !o.waiting {
			m.work(o)
		}
		o = nil
		for i := range m.all {
			if s := &m.all[i]; s.live && s.waiting && m.reached(s) && (o == nil || electedBefore(s, o)) {
				o = s
			}
		}
	}
}

func (m *model) reached(o *modelOrder) bool {
	last, traded := m.last[o.Instrument]
	if o.Side.IsBuy() {
		return traded && last >= o.StopPx
	}
	return traded && last <= o.StopPx
}

func electedBefore(a, b *modelOrder) bool {
	switch {
	case a.Side.IsBuy() != b.Side.IsBuy():
		return a.Side.IsBuy()
	case a.StopPx != b.StopPx:
		return (a.StopPx < b.StopPx) == a.Side.IsBuy()
	}
	return a.arrival < b.arrival
}

// work lets an order trade and decides what becomes of it.
func (m *model) work(o *modelOrder) {
	if o.TimeInForce != order.TimeInForceFOK || m.reaches(o) {
		for o.cumQty < o.OrderQty {
			maker := m.bestAgainst(o)
			if maker == nil {
				break
			}
			m.trade(maker, o)
		}
	}
	mayRest := (o.OrdType == order.OrdTypeLimit || o.OrdType == order.OrdTypeStopLimit) &&
		o.TimeInForce != order.TimeInForceIOC && o.TimeInForce != order.TimeInForceFOK
	switch {
	case o.cumQty == o.OrderQty:
		o.live = false
	case !mayRest:
		m.end(o, order.ReportCanceled, 0)
	case o.shown == 0 || o.shown > o.OrderQty-o.cumQty:
		o.shown = o.shows()
	}
}

// shows returns what an order can show of what is open.
func (o *modelOrder) shows() order.Qty {
	if o.DisplayQty == 0 {
		return o.OrderQty - o.cumQty
	}
	return min(o.DisplayQty, o.OrderQty-o.cumQty)
}

func (m *model) trade(maker, taker *modelOrder) {
	quantity := min(maker.shown, taker.OrderQty-taker.cumQty)
	maker.cumQty += quantity
	taker.cumQty += quantity
	maker.shown -= quantity
	for i, o := range []*modelOrder{maker, taker} {
		m.say(o, order.Report{Kind: order.ReportTrade, LastQty: quantity, LastPx: maker.Price})
		m.remember([]order.ExecID{m.execID + 1, m.execID - 1}[i])
	}
	m.last[maker.Instrument] = maker.Price
	if maker.cumQty == maker.OrderQty {
		maker.live = false
	} else if maker.shown == 0 {
		maker.shown = maker.shows()
		m.arrivals++
		maker.arrival = m.arrivals
	}
}

// remember keeps the last report as an execution.
func (m *model) remember(other order.ExecID) {
	m.executions = append(m.executions, modelExecution{Report: m.reports[len(m.reports)-1], other: other})
}

// meets reports whether o could trade with the resting order r.
func meets(o, r *modelOrder) bool {
	if !r.live || r.waiting || r == o || r.Instrument != o.Instrument || r.Side.IsBuy() == o.Side.IsBuy() {
		return false
	}
	if o.Price == order.Null {
		return true
	}
	if o.Side.IsBuy() {
		return r.Price <= o.Price
	}
	return r.Price >= o.Price
}

// reaches reports whether all of o could trade at once.
func (m *model) reaches(o *modelOrder) bool {
	sum := new(big.Int)
	for i := range m.all {
		if meets(o, &m.all[i]) {
			sum.Add(sum, big.NewInt(int64(m.all[i].OrderQty-m.all[i].cumQty)))
		}
	}
	return sum.Cmp(big.NewInt(int64(o.OrderQty-o.cumQty))) >= 0
}

func (m *model) bestAgainst(o *modelOrder) *modelOrder {
	var best *modelOrder
	for i := range m.all {
		r := &m.all[i]
		if meets(o, r) && (best == nil || goesBefore(r, best)) {
			best = r
		}
	}
	return best
}

// goesBefore compares two orders of one side by price, then time.
func goesBefore(a, b *modelOrder) bool {
	if a.Price == b.Price {
		return a.arrival < b.arrival
	}
	return (a.Price > b.Price) == a.Side.IsBuy()
}

func (m *model) replace(d order.Verdict) {
	o := m.find(d.OrderID)
	if o == nil {
		m.refuse(d, nil, order.ReportReplaceReject, order.ReasonVenueUnknown)
		return
	}
	if !o.live {
		m.refuse(d, o, order.ReportReplaceReject, order.ReasonVenueTooLate)
		return
	}
	sameType := d.OrdType == o.OrdType || o.waiting && isStopOrder(d.OrdType)
	same := d.Session == o.Session && d.Account == o.Account && d.Trader == o.Trader &&
		d.Instrument == o.Instrument && d.Side == o.Side && sameType && d.TimeInForce == o.TimeInForce
	if !same || !m.termsAreGood(d) {
		m.refuse(d, o, order.ReportReplaceReject, order.ReasonVenueReject)
		return
	}
	total := new(big.Int).SetInt64(int64(d.OrderQty))
	if m.replacesOpenQty(d.Instrument) {
		total.Add(total, big.NewInt(int64(o.cumQty)))
	}
	if !total.IsInt64() || order.Qty(total.Int64()) < o.cumQty {
		m.refuse(d, o, order.ReportReplaceReject, order.ReasonVenueReject)
		return
	}
	m.change(o, d, order.Qty(total.Int64()))
}

func (m *model) replacesOpenQty(id order.InstrumentID) bool {
	i := slices.IndexFunc(m.instruments, func(i Instrument) bool { return i.ID == id })
	return m.instruments[i].ReplaceOpenQty
}

// change carries out a replace.
func (m *model) change(o *modelOrder, d order.Verdict, total order.Qty) {
	if d.DisplayQty == order.Null {
		d.DisplayQty = 0
	}
	stays := total <= o.OrderQty && d.DisplayQty == o.DisplayQty
	if o.waiting {
		stays = stays && d.StopPx == o.StopPx
		o.StopPx = d.StopPx
	} else {
		stays = stays && d.Price == o.Price
	}
	o.ClOrdID, o.Price, o.OrderQty, o.ValidUntil, o.DisplayQty = d.ClOrdID, d.Price, total, d.ValidUntil, d.DisplayQty
	o.OrdType = d.OrdType
	m.say(o, order.Report{Kind: order.ReportReplaced, Seq: d.Token.Seq})
	if !stays {
		m.queueAnew(o)
	}
	o.shown = min(o.shown, o.shows())
	if o.DisplayQty == 0 {
		o.shown = o.shows()
	}
	m.begin(o)
}

// queueAnew puts an order behind all others, showing nothing yet.
func (m *model) queueAnew(o *modelOrder) {
	m.arrivals++
	o.arrival, o.shown = m.arrivals, 0
}

func (m *model) cancel(d order.Verdict) {
	o := m.find(d.OrderID)
	if o == nil {
		m.refuse(d, nil, order.ReportCancelReject, order.ReasonVenueUnknown)
		return
	}
	if !o.live {
		m.refuse(d, o, order.ReportCancelReject, order.ReasonVenueTooLate)
		return
	}
	m.end(o, order.ReportCanceled, d.Token.Seq)
}
