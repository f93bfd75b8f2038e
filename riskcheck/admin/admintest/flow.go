package admintest

import (
	"tollgate/order"
	"tollgate/riskcheck"
)

// Order is a limit order of session S1, account A-01, trader T1.
type Order struct {
	Instrument order.InstrumentID
	Side       order.Side
	Qty        int64 // whole units
	Price      int64 // whole units of the currency
	OrderID    order.OrderID
	Strategy   order.StrategyID
	Reason     order.Reason
}

// Send sends a new order and has the venue take it. It returns the order with
// the engine's decision.
func (p *Plant) Send(o Order) Order {
	p.mu.Lock()
	defer p.mu.Unlock()
	const session = order.SessionID(31)
	p.refs[session]++
	p.nowNs++
	request := order.Request{
		Ref: p.refs[session], ClOrdID: order.ClOrdID(p.refs[session]), MsgType: order.MsgNewOrder,
		Session: session, Connection: p.conns[session], Account: 11, Trader: 21, Instrument: o.Instrument,
		Side: o.Side, OrdType: order.OrdTypeLimit, TimeInForce: order.TimeInForceDay,
		Price: order.Price(o.Price) * order.PriceOne, StopPx: order.Null, OrderQty: order.Qty(o.Qty) * order.QtyOne,
		Strategy: o.Strategy,
	}
	p.engine.Request(p.nowNs, &request)
	for _, effect := range p.engine.Effects() {
		switch effect.Kind {
		case riskcheck.EffectVerdict:
			o.OrderID = effect.Verdict.OrderID
		case riskcheck.EffectAnswer:
			o.Reason = p.engine.Answer(session, effect.OutSeq).Decision.Reason
		}
	}
	p.collect()
	if o.OrderID != 0 {
		p.report(&o, order.Report{Kind: order.ReportNew, Seq: uint64(o.OrderID)})
	}
	return o
}

// Fill has the venue execute some of an order at its price.
func (p *Plant) Fill(o Order, qty int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.report(&o, order.Report{
		Kind: order.ReportTrade, LastQty: order.Qty(qty) * order.QtyOne, LastPx: order.Price(o.Price) * order.PriceOne,
	})
}

// Cancel has the venue cancel the rest of an order unasked.
func (p *Plant) Cancel(o Order) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.report(&o, order.Report{Kind: order.ReportCanceled})
}

// report gives the engine the next report of the venue.
func (p *Plant) report(o *Order, r order.Report) {
	p.reports++
	p.nowNs++
	r.ReportSeq, r.ExecID, r.OrderID = p.reports, order.ExecID(p.reports), o.OrderID
	r.Session, r.Account, r.Trader, r.Group = 31, 11, 21, 1
	r.Strategy = o.Strategy
	r.Instrument, r.Side, r.TransactTime = o.Instrument, o.Side, p.nowNs
	p.engine.Report(p.nowNs, &r)
	p.collect()
}
