package riskcheck_test

import (
	"tollgate/order"
	"tollgate/riskcheck/input"
)

// firmOrder is an order as the venue has it.
type firmOrder struct {
	newest     order.Verdict // the last the venue was told, but for cancels
	awaiting   []order.Verdict
	executions []order.ExecID
	qty, cum   order.Qty
	ordType    order.OrdType // as the client sent it
	ended      bool
}

// take receives a verdict; one that is sent again means nothing.
func (f *firm) take(v *order.Verdict) {
	if f.seen[v.Token.Seq] {
		return
	}
	f.seen[v.Token.Seq] = true
	for i := len(f.orders) - 1; i >= 0; i-- {
		if o := f.orders[i]; o.newest.OrderID == v.OrderID {
			o.awaiting = append(o.awaiting, *v)
			if v.MsgType == order.MsgReplaceOrder {
				o.newest = *v
			}
			return
		}
	}
	f.orders = append(f.orders, &firmOrder{
		newest: *v, awaiting: []order.Verdict{*v}, qty: v.OrderQty, ordType: f.asSent(v),
	})
}

// asSent returns the type of the request that a verdict answers: a market order
// may go out as a limit order, and a stop as a stop-limit order.
func (f *firm) asSent(v *order.Verdict) order.OrdType {
	for i := len(f.inputs) - 1; i >= max(0, len(f.inputs)-600); i-- {
		if f.inputs[i].Kind != input.KindRequest {
			continue
		}
		in := f.inputs[i].input()
		if r := &in.Request; r.Session == v.Session && r.ClOrdID == v.ClOrdID {
			return r.OrdType
		}
	}
	return v.OrdType
}

// venueActs reports something about some order.
func (f *firm) venueActs() {
	if f.r.IntN(60) == 0 {
		f.repeatReport()
		return
	}
	var waiting *firmOrder
	for range 30 {
		if o := f.anyOrder(); o != nil && len(o.awaiting) > 0 {
			waiting = o
			break
		}
	}
	if waiting != nil && f.r.IntN(3) != 0 {
		f.answer(waiting)
		return
	}
	if o := f.anyOrder(); o != nil {
		f.unasked(o)
	}
}

// repeatReport sends the last report again: by its number, which means nothing,
// as a new report of the same execution, or with a gap before it.
func (f *firm) repeatReport() {
	if f.said.Kind == 0 {
		return
	}
	again := f.said
	switch f.r.IntN(3) {
	case 0:
		again.ReportSeq = f.nextReport
		f.nextReport++
	case 1:
		again.ReportSeq = f.nextReport + 1
	}
	f.give(input.Input{Kind: input.KindReport, Report: again})
}

// report sends a report about an order.
func (f *firm) report(o *firmOrder, r order.Report) {
	v := &o.newest
	f.exec++
	r.ReportSeq, r.ExecID, r.OrderID, r.TransactTime = f.nextReport, f.exec, v.OrderID, f.now
	if r.ClOrdID == 0 {
		r.ClOrdID = v.ClOrdID
	}
	r.Group, r.Session, r.Account, r.Trader, r.Instrument = v.Group, v.Session, v.Account, v.Trader, v.Instrument
	r.Strategy, r.Side, r.CumQty, r.LeavesQty = v.Strategy, v.Side, o.cum, max(0, o.qty-o.cum)
	if r.OrderQty == 0 {
		r.OrderQty = o.qty
	}
	if r.Price == 0 {
		r.Price = v.Price
	}
	if o.ended {
		r.LeavesQty = 0
	}
	f.nextReport++
	f.reports[r.Kind]++
	f.said = r
	f.give(input.Input{Kind: input.KindReport, Report: r})
}

// answer answers the oldest verdict the order has waiting.
func (f *firm) answer(o *firmOrder) {
	v := o.awaiting[0]
	o.awaiting = o.awaiting[1:]
	r := order.Report{Seq: v.Token.Seq, ClOrdID: v.ClOrdID}
	refused := f.r.IntN(8) == 0 || o.ended
	switch {
	case v.MsgType == order.MsgNewOrder && refused:
		r.Kind, r.Reason, o.ended = order.ReportRejected, order.ReasonVenueReject, true
	case v.MsgType == order.MsgNewOrder:
		r.Kind = order.ReportNew
	case v.MsgType == order.MsgReplaceOrder && (refused || v.OrderQty <= o.cum):
		r.Kind, r.Reason = order.ReportReplaceReject, order.ReasonVenueTooLate
	case v.MsgType == order.MsgReplaceOrder:
		r.Kind, o.qty = order.ReportReplaced, v.OrderQty
	case refused:
		r.Kind, r.Reason = order.ReportCancelReject, order.ReasonVenueTooLate
	default:
		r.Kind, o.ended = order.ReportCanceled, true
	}
	f.report(o, r)
}

// unasked is what a venue does by itself.
func (f *firm) unasked(o *firmOrder) {
	if o.ended && f.r.IntN(8) != 0 {
		return
	}
	switch dice := f.r.IntN(100); {
	case dice < 80:
		f.fill(o)
	case dice < 84:
		o.ended = true
		f.report(o, order.Report{Kind: order.ReportCanceled})
	case dice < 87:
		o.ended = true
		f.report(o, order.Report{Kind: order.ReportExpired})
	case dice < 91:
		o.qty = max(order.QtyOne, o.qty+order.Qty(f.r.IntN(9)-4)*order.QtyOne)
		f.report(o, order.Report{Kind: order.ReportRestated, OrderQty: o.qty})
	case dice < 92:
		f.strange()
	default:
		f.bust(o)
	}
}

// fill executes a part of an order, at times more than there is.
func (f *firm) fill(o *firmOrder) {
	qty := order.Qty(1+f.r.IntN(10)) * order.QtyOne
	if f.r.IntN(15) != 0 {
		qty = min(qty, o.qty-o.cum)
	}
	if qty <= 0 {
		return
	}
	o.cum += qty
	o.ended = o.ended || o.cum >= o.qty
	o.executions = append(o.executions, f.exec+1)
	f.report(o, order.Report{Kind: order.ReportTrade, LastQty: qty, LastPx: f.around(o.newest.Instrument, 60)})
}

// bust undoes or corrects an execution of an order, or one it never had.
func (f *firm) bust(o *firmOrder) {
	r := order.Report{Kind: order.ReportTradeCancel, ExecRefID: 1, LastQty: order.QtyOne, LastPx: firmSettlement}
	if n := len(o.executions); n > 0 {
		r.ExecRefID = o.executions[f.r.IntN(n)]
	}
	if f.r.IntN(2) == 0 {
		r.Kind = order.ReportTradeCorrect
		r.LastQty, r.LastPx = order.Qty(1+f.r.IntN(10))*order.QtyOne, f.around(o.newest.Instrument, 60)
		o.executions = append(o.executions, f.exec+1)
	}
	f.report(o, r)
}

// strange reports a trade of an order that nobody sent.
func (f *firm) strange() {
	ghost := &firmOrder{qty: 10 * order.QtyOne, cum: order.QtyOne, newest: order.Verdict{
		OrderID: 1 << 40, ClOrdID: 1, Group: 1, Session: 1, Account: order.AccountID(1 + f.r.IntN(firmAccounts)), Trader: 1,
		Instrument: f.instrument(), Side: order.SideBuy, Price: firmSettlement, OrderQty: 10 * order.QtyOne,
	}}
	f.report(ghost, order.Report{Kind: order.ReportTrade, LastQty: order.QtyOne, LastPx: firmSettlement})
}
