package main

import (
	"testing"
	"time"

	"tollgate/gateway/client"
	"tollgate/order"
)

// trader keeps orders flowing over one session and remembers every answer.
type trader struct {
	t       *testing.T
	client  *client.Client
	account order.AccountID
	perTurn int // requests sent before answers are looked for

	next    order.ClOrdID
	working []order.ClOrdID // acknowledged and not yet canceled
	asked   map[uint64]order.Request
	answers map[uint64][]order.Answer // final ones, by ref
	lastNs  int64                     // when the last answer came
}

func newTrader(t *testing.T, c *client.Client, account order.AccountID) *trader {
	return &trader{
		t: t, client: c, account: account, perTurn: 4,
		asked: map[uint64]order.Request{}, answers: map[uint64][]order.Answer{},
	}
}

// Answer implements client.Handler.
func (tr *trader) Answer(a *order.Answer) {
	tr.lastNs = time.Now().UnixNano()
	if a.Ref != 0 {
		tr.answers[a.Ref] = append(tr.answers[a.Ref], *a)
	}
	if a.ExecType == order.ExecTypeNew {
		tr.working = append(tr.working, a.ClOrdID)
	}
}

// Trace implements client.Handler.
func (tr *trader) Trace(order.SessionID, uint64, *order.Trace) {}

// Event implements client.Handler.
func (tr *trader) Event(client.Event) {}

// request returns a resting buy order of some quantity.
func (tr *trader) request(qty order.Qty) order.Request {
	tr.next++
	return order.Request{
		MsgType: order.MsgNewOrder, ClOrdID: tr.next, Account: tr.account, Trader: 1, Instrument: 1,
		Side: order.SideBuy, OrdType: order.OrdTypeLimit, TimeInForce: order.TimeInForceDay,
		Price: order.Price(9000+int64(tr.next)%100) * order.PriceOne / 100, StopPx: order.Null, OrderQty: qty,
	}
}

// cancel returns the cancel of a working order.
func (tr *trader) cancel(orig order.ClOrdID) order.Request {
	tr.next++
	return order.Request{
		MsgType: order.MsgCancelOrder, ClOrdID: tr.next, OrigClOrdID: orig, Account: tr.account, Instrument: 1,
		Side: order.SideBuy, Price: order.Null, StopPx: order.Null,
	}
}

// send sends a request and remembers it.
func (tr *trader) send(r order.Request) uint64 {
	ref, err := tr.client.Send(&r)
	if err != nil {
		tr.t.Errorf("account %d: send: %v", tr.account, err)
	}
	tr.asked[ref] = r
	return ref
}

// turn sends some orders, cancels some old ones, and takes what has come in.
func (tr *trader) turn() {
	for range tr.perTurn {
		tr.send(tr.request(order.Qty(1+int64(tr.next)%20) * order.QtyOne))
	}
	for len(tr.working) > 50 {
		tr.send(tr.cancel(tr.working[0]))
		tr.working = tr.working[1:]
	}
	tr.poll()
}

func (tr *trader) poll() {
	if err := tr.client.Flush(); err != nil {
		tr.t.Errorf("account %d: flush: %v", tr.account, err)
	}
	if _, err := tr.client.Poll(tr); err != nil {
		tr.t.Errorf("account %d: poll: %v", tr.account, err)
	}
}

// wait gives the core away until something has come, or a moment.
func (tr *trader) wait() { tr.client.Wait(time.Millisecond) }

// drain waits until every request has its final answer.
func (tr *trader) drain() {
	tr.t.Helper()
	for deadline := time.Now().Add(20 * time.Second); tr.client.Unanswered() > 0; tr.poll() {
		tr.wait()
		if time.Now().After(deadline) {
			tr.t.Fatalf("account %d: %d requests have no answer", tr.account, tr.client.Unanswered())
		}
	}
}

// checkAnswers checks that each request has exactly one final answer.
func (tr *trader) checkAnswers() {
	tr.t.Helper()
	for ref := range tr.asked {
		if n := len(tr.answers[ref]); n != 1 {
			tr.t.Fatalf("account %d: request %d has %d final answers", tr.account, ref, n)
		}
	}
}

// run keeps several traders going, each for as long as its condition holds.
func run(traders []*trader, going func() bool) {
	for going() {
		for _, tr := range traders {
			tr.turn()
		}
		time.Sleep(200 * time.Microsecond)
	}
}
