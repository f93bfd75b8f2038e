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
	reports     []order.Report
	execID      order.ExecID
	now         int64
	arrivals    int
}

type modelOrder struct {
	order.Verdict
	cumQty  order.Qty
	arrival int // place in time priority
	live    bool
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
		first.live = false
		m.say(first, order.Report{Kind: order.ReportExpired})
	}
}

// say completes and appends a report about an order as it is now.
func (m *model) say(o *modelOrder, r order.Report) {
	m.execID++
	r.OrderID, r.ClOrdID, r.ExecID, r.TransactTime = o.OrderID, o.ClOrdID, m.execID, m.now
	r.Price, r.OrderQty, r.CumQty = o.Price, o.OrderQty, o.cumQty
	if o.live {
		r.LeavesQty = o.OrderQty - o.cumQty
	}
	r.Group, r.Session, r.Account, r.Trader = o.Group, o.Session, o.Account, o.Trader
	r.Instrument, r.Side = o.Instrument, o.Side
	m.reports = append(m.reports, r)
}

func (m *model) refuse(d order.Verdict, o *modelOrder, kind order.ReportKind, reason order.Reason) {
	m.execID++
	r := order.Report{
		Seq: d.Token.Seq, OrderID: d.OrderID, ClOrdID: d.ClOrdID, ExecID: m.execID, TransactTime: m.now,
		Price: d.Price, OrderQty: d.OrderQty, Group: d.Group, Session: d.Session, Account: d.Account,
		Trader: d.Trader, Instrument: d.Instrument, Reason: reason, Kind: kind, Side: d.Side,
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
	good := d.OrderQty > 0 && d.OrderQty%m.instruments[i].Lot == 0 && d.DisplayQty == 0
	if d.TimeInForce == order.TimeInForceGTD {
		good = good && d.ValidUntil != 0 && d.ValidUntil >= m.now
	}
	if d.OrdType == order.OrdTypeLimit {
		good = good && d.Price != order.Null && d.Price%m.instruments[i].Tick == 0
	}
	return good
}

func (m *model) enter(d order.Verdict) {
	known := slices.ContainsFunc(m.instruments, func(i Instrument) bool { return i.ID == d.Instrument })
	if !known {
		m.refuse(d, nil, order.ReportRejected, order.ReasonVenueInstrument)
		return
	}
	typeIsGood := d.OrdType == order.OrdTypeLimit || d.OrdType == order.OrdTypeMarket
	if d.OrderID == 0 || m.find(d.OrderID) != nil || m.liveCount() == m.ordersMax || !d.Side.Valid() ||
		!typeIsGood || !d.TimeInForce.Valid() || !m.termsAreGood(d) {
		m.refuse(d, nil, order.ReportRejected, order.ReasonVenueReject)
		return
	}
	m.arrivals++
	m.all = append(m.all, modelOrder{Verdict: d, arrival: m.arrivals, live: true})
	o := &m.all[len(m.all)-1]
	m.say(o, order.Report{Kind: order.ReportNew, Seq: d.Token.Seq})
	m.work(o)
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
	mayRest := o.OrdType == order.OrdTypeLimit &&
		o.TimeInForce != order.TimeInForceIOC && o.TimeInForce != order.TimeInForceFOK
	switch {
	case o.cumQty == o.OrderQty:
		o.live = false
	case !mayRest:
		o.live = false
		m.say(o, order.Report{Kind: order.ReportCanceled})
	}
}

func (m *model) trade(maker, taker *modelOrder) {
	quantity := min(maker.OrderQty-maker.cumQty, taker.OrderQty-taker.cumQty)
	maker.cumQty += quantity
	taker.cumQty += quantity
	for _, o := range []*modelOrder{maker, taker} {
		m.say(o, order.Report{Kind: order.ReportTrade, LastQty: quantity, LastPx: maker.Price})
	}
	if maker.cumQty == maker.OrderQty {
		maker.live = false
	}
}

// meets reports whether o could trade with the resting order r.
func meets(o, r *modelOrder) bool {
	if !r.live || r == o || r.Instrument != o.Instrument || r.Side.IsBuy() == o.Side.IsBuy() {
		return false
	}
	if o.OrdType == order.OrdTypeMarket {
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
	same := d.Session == o.Session && d.Account == o.Account && d.Trader == o.Trader &&
		d.Instrument == o.Instrument && d.Side == o.Side && d.OrdType == o.OrdType && d.TimeInForce == o.TimeInForce
	if !same || !m.termsAreGood(d) || d.OrderQty < o.cumQty {
		m.refuse(d, o, order.ReportReplaceReject, order.ReasonVenueReject)
		return
	}
	stays := d.Price == o.Price && d.OrderQty <= o.OrderQty
	o.ClOrdID, o.Price, o.OrderQty, o.ValidUntil = d.ClOrdID, d.Price, d.OrderQty, d.ValidUntil
	m.say(o, order.Report{Kind: order.ReportReplaced, Seq: d.Token.Seq})
	if !stays {
		m.arrivals++
		o.arrival = m.arrivals
	}
	m.work(o)
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
	o.live = false
	m.say(o, order.Report{Kind: order.ReportCanceled, Seq: d.Token.Seq})
}
