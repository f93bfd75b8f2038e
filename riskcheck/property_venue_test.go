package riskcheck_test

import (
	"math/rand/v2"

	"tollgate/order"
)

// venueModel is a small venue with moods: it answers what it was sent, mostly
// in order, and does the unpleasant things venues do.
type venueModel struct {
	r       *rand.Rand
	orders  []*venueOrder
	seen    map[uint64]bool
	next    uint64
	exec    order.ExecID
	history []order.Report
	unknown []order.Report // executions of orders nobody knows
}

type venueOrder struct {
	verdict order.Verdict
	qty     order.Qty
	cum     order.Qty
	alive   bool
	queue   []order.Verdict
	trades  []venueTrade
}

// venueTrade is one execution as the venue knows it.
type venueTrade struct {
	exec order.ExecID
	qty  order.Qty
	px   order.Price
}

func newVenueModel(r *rand.Rand) *venueModel {
	return &venueModel{r: r, seen: map[uint64]bool{}, next: 1}
}

// take receives a verdict; one it has seen before means nothing.
func (v *venueModel) take(d order.Verdict) {
	if v.seen[d.Token.Seq] {
		return
	}
	v.seen[d.Token.Seq] = true
	for _, o := range v.orders {
		if o.verdict.OrderID == d.OrderID {
			o.queue = append(o.queue, d)
			return
		}
	}
	v.orders = append(v.orders, &venueOrder{
		verdict: d, qty: d.OrderQty, queue: []order.Verdict{d}, alive: v.r.IntN(10) == 0,
	})
}

// lose drops what was sent but not read when the link broke.
func (v *venueModel) lose() {
	for _, o := range v.orders {
		for len(o.queue) > 0 && v.r.IntN(2) == 0 {
			last := o.queue[len(o.queue)-1]
			if last.MsgType == order.MsgNewOrder {
				break
			}
			delete(v.seen, last.Token.Seq)
			o.queue = o.queue[:len(o.queue)-1]
		}
	}
}

// report numbers a report and fills in whose order it is about.
func (v *venueModel) report(o *venueOrder, r order.Report) *order.Report {
	d := &o.verdict
	r.ReportSeq, r.OrderID, r.ClOrdID = v.next, d.OrderID, d.ClOrdID
	r.Group, r.Session, r.Account, r.Trader = d.Group, d.Session, d.Account, d.Trader
	r.Instrument, r.Side, r.Strategy, r.CumQty = d.Instrument, d.Side, d.Strategy, o.cum
	r.OrderQty, r.Price = o.qty, d.Price
	if o.alive {
		r.LeavesQty = max(0, o.qty-o.cum)
	}
	v.next++
	v.exec++
	if r.ExecID == 0 {
		r.ExecID = v.exec
	}
	v.history = append(v.history, r)
	return &r
}

// act lets the venue say something; nil if it has nothing to say.
func (v *venueModel) act() *order.Report {
	if len(v.orders) == 0 {
		return nil
	}
	switch dice := v.r.IntN(200); {
	case dice < 4:
		return v.unknownTrade()
	case dice < 8 && len(v.history) > 0:
		again := v.history[v.r.IntN(len(v.history))]
		return &again
	case dice < 10:
		return &order.Report{Kind: order.ReportTrade, ReportSeq: v.next + 1 + v.r.Uint64N(3), OrderID: 1}
	case dice < 13 && len(v.history) > 0:
		return v.stutter()
	}
	o := v.orders[v.r.IntN(len(v.orders))]
	for range 6 {
		if o.alive || len(o.queue) > 0 {
			break
		}
		o = v.orders[len(v.orders)-1-v.r.IntN(min(len(v.orders), 40))]
	}
	if len(o.queue) > 0 && (!o.alive || v.r.IntN(10) < 7) {
		return v.answerNext(o)
	}
	return v.spontaneous(o)
}

// stutter says something again that was said before, as if it were new.
func (v *venueModel) stutter() *order.Report {
	again := v.history[v.r.IntN(len(v.history))]
	again.ReportSeq = v.next
	v.next++
	switch v.r.IntN(10) {
	case 0:
		again.Kind = 99
	case 1:
		v.exec++
		again.Kind, again.ExecID, again.Reason = order.ReportTrade, v.exec, order.ReasonNone
		again.LastQty = []order.Qty{0, -order.QtyOne, order.Null}[v.r.IntN(3)]
	}
	v.history = append(v.history, again)
	return &again
}

// answerNext answers the oldest thing an order waits for, now and then a later.
func (v *venueModel) answerNext(o *venueOrder) *order.Report {
	k := 0
	if o.queue[0].MsgType != order.MsgNewOrder && v.r.IntN(10) == 0 {
		k = v.r.IntN(len(o.queue))
	}
	d := o.queue[k]
	o.queue = append(append([]order.Verdict{}, o.queue[:k]...), o.queue[k+1:]...)
	switch d.MsgType {
	case order.MsgNewOrder:
		return v.answerNew(o, d)
	case order.MsgReplaceOrder:
		return v.answerReplace(o, d)
	}
	return v.answerCancel(o, d)
}

func (v *venueModel) answerNew(o *venueOrder, d order.Verdict) *order.Report {
	if o.cum == 0 && v.r.IntN(12) == 0 {
		o.alive = false
		return v.report(o, order.Report{Kind: order.ReportRejected, Seq: d.Token.Seq, Reason: v.refusal()})
	}
	o.alive = o.cum < o.qty
	return v.report(o, order.Report{Kind: order.ReportNew, Seq: d.Token.Seq})
}

// refusal is why the adapter or the venue refuses something.
func (v *venueModel) refusal() order.Reason {
	reasons := []order.Reason{
		order.ReasonVenueReject, order.ReasonVenueTooLate, order.ReasonTokenMissing, order.ReasonTokenExpired,
		order.ReasonKillFence, order.ReasonAdapterBacklog, order.ReasonVenueUnknown, order.ReasonVenueInstrument,
	}
	return reasons[v.r.IntN(len(reasons))]
}

func (v *venueModel) answerReplace(o *venueOrder, d order.Verdict) *order.Report {
	filled := o.cum > 0 && o.cum >= o.qty && v.r.IntN(3) == 0
	if !o.alive && !filled || v.r.IntN(8) == 0 {
		return v.report(o, order.Report{
			Kind: order.ReportReplaceReject, Seq: d.Token.Seq, Reason: v.refusal(),
		})
	}
	o.qty, o.verdict.Price, o.verdict.ClOrdID = d.OrderQty, d.Price, d.ClOrdID
	if d.Instrument == instrumentForeign && v.r.IntN(2) == 0 {
		o.qty += o.cum // it takes the quantity for what is to be open
	}
	if v.r.IntN(15) == 0 {
		o.qty = max(o.qty+order.Qty(v.r.IntN(11)-5)*order.QtyOne, order.QtyOne) // the venue makes something else of it
	}
	o.alive = o.cum < o.qty
	r := v.report(o, order.Report{Kind: order.ReportReplaced, Seq: d.Token.Seq})
	switch v.r.IntN(20) {
	case 0:
		if r.Price != order.Null {
			r.Price += order.PriceOne // ... and of its price
		}
	case 1:
		o.qty = d.OrderQty
		o.alive = o.cum < o.qty
		r.OrderQty = []order.Qty{0, -order.QtyOne, order.Null}[v.r.IntN(3)] // or does not say
	}
	return r
}

func (v *venueModel) answerCancel(o *venueOrder, d order.Verdict) *order.Report {
	if !o.alive || v.r.IntN(8) == 0 {
		return v.report(o, order.Report{
			Kind: order.ReportCancelReject, Seq: d.Token.Seq, Reason: order.ReasonVenueTooLate,
		})
	}
	o.alive = false
	return v.report(o, order.Report{Kind: order.ReportCanceled, Seq: d.Token.Seq})
}

// spontaneous is what happens to an order without anybody asking.
func (v *venueModel) spontaneous(o *venueOrder) *order.Report {
	dice := v.r.IntN(100)
	switch {
	case !o.alive && (o.cum == 0 || dice > 20):
		return nil
	case len(o.trades) > 0 && dice < 4:
		return v.trade(o, 0, o.trades[len(o.trades)-1].exec)
	case len(o.trades) > 0 && dice < 8:
		return v.changeTrade(o)
	case dice < 10:
		return v.restate(o)
	case o.alive && dice < 15:
		o.alive = false
		return v.report(o, order.Report{Kind: order.ReportCanceled, Reason: order.ReasonVenueReject})
	case o.alive && dice < 18:
		o.alive = false
		return v.report(o, order.Report{Kind: order.ReportExpired})
	}
	leaves := min(int64(max(o.qty-o.cum, order.QtyOne)/order.QtyOne), 60)
	qty := leaves
	if dice < 70 {
		qty = 1 + v.r.Int64N(max(leaves, 1))
	}
	if dice > 96 {
		qty += 1 + v.r.Int64N(5)
	}
	return v.trade(o, order.Qty(max(qty, 1))*order.QtyOne, 0)
}

// trade executes part of an order; with an ExecID it repeats an old execution
// in a new report.
func (v *venueModel) trade(o *venueOrder, qty order.Qty, repeated order.ExecID) *order.Report {
	px := o.verdict.Price
	if px == order.Null || px > 10_000*order.PriceOne || px < -10_000*order.PriceOne {
		px = 100 * order.PriceOne
	}
	o.cum += qty
	if o.cum >= o.qty {
		o.alive = false
	}
	if repeated == 0 {
		o.trades = append(o.trades, venueTrade{v.exec + 1, max(qty, order.QtyOne), px})
	}
	return v.report(o, order.Report{
		Kind: order.ReportTrade, LastQty: max(qty, order.QtyOne), LastPx: px, ExecID: repeated,
	})
}

// changeTrade undoes or corrects an execution, now and then one that is gone or
// that nobody has heard of.
func (v *venueModel) changeTrade(o *venueOrder) *order.Report {
	k := v.r.IntN(len(o.trades))
	was := o.trades[k]
	r := order.Report{
		Kind: order.ReportTradeCancel, ExecRefID: was.exec, LastQty: was.qty, LastPx: was.px,
	}
	if v.r.IntN(5) < 2 {
		r.Kind = order.ReportTradeCorrect
		r.LastQty = max(order.QtyOne, was.qty+order.Qty(v.r.IntN(7)-3)*order.QtyOne)
		r.LastPx += order.Price(v.r.IntN(5)-2) * order.PriceOne
	}
	switch v.r.IntN(16) {
	case 0:
		r.ExecRefID = 7_000_000 + order.ExecID(v.r.IntN(9))
	case 1:
		r.LastQty = []order.Qty{0, -order.QtyOne, order.Null}[v.r.IntN(3)]
	case 2:
		r.ExecRefID, r.LastQty = 7_000_000, 0
	}
	o.cum = max(0, o.cum-was.qty)
	if v.r.IntN(6) != 0 { // a venue may forget what it has undone
		o.trades = append(append([]venueTrade{}, o.trades[:k]...), o.trades[k+1:]...)
	}
	if r.Kind == order.ReportTradeCorrect && r.LastQty > 0 {
		o.cum += r.LastQty
		o.trades = append(o.trades, venueTrade{v.exec + 1, r.LastQty, r.LastPx})
	}
	if o.alive && o.cum >= o.qty {
		o.alive = false
	}
	return v.report(o, r)
}

// restate changes an order by itself.
func (v *venueModel) restate(o *venueOrder) *order.Report {
	filled := o.cum > 0 && o.cum >= o.qty
	o.qty = max(o.qty+order.Qty(v.r.IntN(21)-8)*order.QtyOne, order.QtyOne)
	o.alive = (o.alive || filled) && o.cum < o.qty
	r := v.report(o, order.Report{Kind: order.ReportRestated})
	switch v.r.IntN(6) {
	case 0:
		if r.Price != order.Null {
			r.Price += order.Price(v.r.IntN(5)-2) * order.PriceOne
		}
	case 1:
		r.Price = order.Null
	case 2:
		r.OrderQty = []order.Qty{0, -order.QtyOne, order.Null}[v.r.IntN(3)]
	}
	return r
}

// unknownTrade is an execution of an order the engine has never seen, or the end
// of one.
func (v *venueModel) unknownTrade() *order.Report {
	if n := len(v.unknown); n > 0 && v.r.IntN(3) == 0 {
		return v.changeUnknown(v.unknown[v.r.IntN(n)])
	}
	account := 1 + v.r.IntN(3)
	o := &venueOrder{qty: order.Qty(9+v.r.IntN(2)) * order.QtyOne, cum: 9 * order.QtyOne, alive: true}
	o.verdict = order.Verdict{
		OrderID: 1<<40 + order.OrderID(v.r.IntN(3)), ClOrdID: 5, Group: order.GroupID((account + 1) / 2),
		Account: order.AccountID(account), Trader: order.TraderID(1 + v.r.IntN(2)),
		Session: order.SessionID(1 + v.r.IntN(3)), Strategy: order.StrategyID(v.r.IntN(3)),
		Instrument: order.InstrumentID(1 + v.r.IntN(3)), Side: allSides[v.r.IntN(len(allSides))], Price: 7 * order.PriceOne,
	}
	r := v.report(o, order.Report{Kind: order.ReportTrade, LastQty: 9 * order.QtyOne, LastPx: 7 * order.PriceOne})
	v.unknown = append(v.unknown, *r)
	return r
}

// changeUnknown undoes or corrects an execution of an order the engine has never
// seen.
func (v *venueModel) changeUnknown(was order.Report) *order.Report {
	r := was
	r.Kind = []order.ReportKind{order.ReportTradeCancel, order.ReportTradeCorrect}[v.r.IntN(2)]
	v.exec++
	r.ExecRefID, r.ExecID, r.ReportSeq = was.ExecID, v.exec, v.next
	if r.LastQty = order.Qty(5+v.r.IntN(9)) * order.QtyOne; v.r.IntN(6) == 0 {
		r.ExecRefID = 7_000_000
	}
	v.next++
	v.history = append(v.history, r)
	if r.Kind == order.ReportTradeCorrect {
		v.unknown = append(v.unknown, r)
	}
	return &r
}

// settle answers everything that is open and ends what is alive, also what only
// the other side believes to be.
func (v *venueModel) settle(believed func(order.OrderID) bool) *order.Report {
	for _, o := range v.orders {
		if len(o.queue) > 0 {
			return v.answerNext(o)
		}
	}
	for _, o := range v.orders {
		if o.alive || believed(o.verdict.OrderID) {
			o.alive = false
			return v.report(o, order.Report{Kind: order.ReportCanceled})
		}
	}
	return nil
}
