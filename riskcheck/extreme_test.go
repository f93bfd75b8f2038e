package riskcheck_test

import (
	"testing"

	"tollgate/order"
	"tollgate/riskcheck"
)

// TestPositionThatDoesNotFit has the venue report more than a position can be.
// Nothing passes for reducing what nobody knows, and nothing counts as held.
func TestPositionThatDoesNotFit(t *testing.T) {
	for name, fills := range map[string][]order.Side{
		"long": {order.SideBuy, order.SideBuy}, "short": {order.SideSell, order.SideSell},
		"short by one more": {order.SideSell, order.SideBuy, order.SideSell},
	} {
		t.Run(name, func(t *testing.T) {
			e := newEdge(t, nil,
				riskcheck.LimitEntry{Scope: edgeAccount, Kind: riskcheck.LimitPositionLong, Value: 5},
				riskcheck.LimitEntry{Scope: edgeAccount, Kind: riskcheck.LimitPositionShort, Value: 5},
				riskcheck.LimitEntry{Scope: edgeFirm, Kind: riskcheck.LimitShortSelling, Value: riskcheck.ShortForbidden})
			for i, side := range fills {
				qty := order.Qty(order.Unlimited)
				if len(fills) == 3 && i == 1 {
					e.say(order.Report{Kind: order.ReportTradeCancel, OrderID: 900, Side: side, LastQty: 1, LastPx: 1})
					continue
				}
				if len(fills) == 3 && i == 2 {
					qty = 0
				}
				e.say(order.Report{Kind: order.ReportTrade, OrderID: order.OrderID(1000 + i), Side: side, LastQty: qty, LastPx: 1})
			}
			if err := e.engine.Release(e.now, edgeAccount, riskcheck.LatchLateTruth); err != nil {
				t.Fatal(err)
			}
			e.refused(e.order(order.SideBuy, 1, 1), order.ReasonArithOverflow)
			e.refused(e.order(order.SideSell, 1, 1), order.ReasonArithOverflow)
		})
	}
}

// TestFillsOfALifetimeMayNotFit trades back and forth more than a quantity can be,
// without ever holding much: the position is known all the time.
func TestFillsOfALifetimeMayNotFit(t *testing.T) {
	e := newEdge(t, nil, riskcheck.LimitEntry{Scope: edgeAccount, Kind: riskcheck.LimitPositionLong, Value: 5})
	for i := range 6 {
		side := order.SideBuy
		if i%2 == 1 {
			side = order.SideSell
		}
		e.say(order.Report{
			Kind: order.ReportTrade, OrderID: order.OrderID(1000 + i), Side: side, LastQty: order.Unlimited / 2, LastPx: 1,
		})
	}
	if err := e.engine.Release(e.now, edgeAccount, riskcheck.LatchLateTruth); err != nil {
		t.Fatal(err)
	}
	e.accepted(e.order(order.SideBuy, 5, 1))
	e.refused(e.order(order.SideBuy, 1, 1), order.ReasonPositionLong)
}

// TestClassThatDoesNotFit has more open in a class than a quantity can be, though
// each of its instruments fits.
func TestClassThatDoesNotFit(t *testing.T) {
	const most = order.Qty(order.Unlimited)
	class := riskcheck.LimitEntry{
		Scope: order.Scope{Type: order.ScopeAccount, ID: 1, Class: 1}, Kind: riskcheck.LimitPositionLong, Value: 5,
	}
	buy := func(e *edge, instrument order.InstrumentID, qty order.Qty) *order.Request {
		r := e.order(order.SideBuy, qty, 1)
		r.Instrument = instrument
		return r
	}
	t.Run("a class that is limited", func(t *testing.T) {
		unlimited := class
		unlimited.Value = order.Unlimited
		e := newEdge(t, nil, unlimited)
		e.accepted(buy(e, 1, most))
		e.refused(buy(e, 2, 1), order.ReasonArithOverflow)
	})
	t.Run("a class that is limited later", func(t *testing.T) {
		e := newEdge(t, nil)
		e.accepted(buy(e, 1, most))
		e.accepted(buy(e, 2, most))
		e.limit(class)
		e.refused(buy(e, 2, 1), order.ReasonArithOverflow)
	})
	t.Run("a class of which an order ends", func(t *testing.T) {
		e := newEdge(t, nil)
		id := e.accepted(buy(e, 1, most))
		e.accepted(buy(e, 2, most))
		e.limit(class)
		e.say(order.Report{Kind: order.ReportCanceled, OrderID: id})
		if _, reason := e.send(buy(e, 1, 1)); reason == order.ReasonNone {
			t.Error("an order passes while the class has more open than its limit")
		}
	})
	t.Run("a class that states something else first", func(t *testing.T) {
		other := class
		other.Kind = riskcheck.LimitOpenOrders
		e := newEdge(t, nil, other)
		e.accepted(buy(e, 1, most))
		e.refused(buy(e, 2, most), order.ReasonArithOverflow)
	})
}

// TestPositionFromOutsideDoesNotFit sets positions that fit each account and not
// the firm: the second is refused, and nothing is lost.
func TestPositionFromOutsideDoesNotFit(t *testing.T) {
	const most = order.Qty(order.Unlimited)
	e := newEdge(t, nil, riskcheck.LimitEntry{Scope: edgeFirm, Kind: riskcheck.LimitPositionLong, Value: order.Unlimited})
	if err := e.engine.SetPosition(e.now, 1, 1, most); err != nil {
		t.Fatal(err)
	}
	if err := e.engine.SetPosition(e.now, 2, 1, 1); err == nil {
		t.Error("the firm holds more than there can be")
	}
	if err := e.engine.SetPosition(e.now, 1, 1, 0); err != nil {
		t.Fatal(err)
	}
	if err := e.engine.SetPosition(e.now, 2, 1, -most); err != nil {
		t.Fatal(err)
	}
	if err := e.engine.SetPosition(e.now, 2, 1, 0); err != nil {
		t.Fatal(err)
	}
	e.accepted(e.order(order.SideBuy, 1, 1))
}

// TestTruthThatDoesNotFit has the venue make of orders what nobody can count: it is
// told, and nothing is let in on top of it.
func TestTruthThatDoesNotFit(t *testing.T) {
	const most = order.Qty(order.Unlimited)
	restate := func(e *edge, kind order.ReportKind, id order.OrderID, qty order.Qty, price order.Price) {
		e.say(order.Report{Kind: kind, OrderID: id, OrderQty: qty, Price: price})
	}
	for name, absurd := range map[string]func(*edge, order.OrderID){
		"value of one order": func(e *edge, id order.OrderID) { restate(e, order.ReportRestated, id, most, order.Unlimited) },
		"value of one replaced": func(e *edge, id order.OrderID) {
			restate(e, order.ReportReplaced, id, most, order.Unlimited)
		},
		"quantity of two": func(e *edge, id order.OrderID) {
			restate(e, order.ReportRestated, e.accepted(e.order(order.SideBuy, 1, 1)), most-1, 1)
			restate(e, order.ReportRestated, id, most, 1)
		},
		"value of two": func(e *edge, id order.OrderID) {
			other := e.order(order.SideSell, 1, 1)
			other.Instrument = 2
			restate(e, order.ReportRestated, e.accepted(other), order.QtyOne, order.Unlimited/2)
			restate(e, order.ReportRestated, id, 20_000*order.QtyOne, order.Unlimited/2)
		},
	} {
		t.Run(name, func(t *testing.T) {
			firmNotional := riskcheck.LimitEntry{Scope: edgeFirm, Kind: riskcheck.LimitOpenNotional, Value: order.Unlimited - 1}
			e := newEdge(t, nil, firmNotional)
			id := e.accepted(e.order(order.SideBuy, 1, 1))
			absurd(e, id)
			if causes := e.alerts(); len(causes) != 3 || causes[0] != riskcheck.AlertRestated {
				t.Errorf("alerts %v, want that the order is restated, and two latches", causes)
			}
			e.refused(e.order(order.SideBuy, 1, 1), order.ReasonReduceOnly)
			other := e.order(order.SideBuy, 1, 1)
			other.Account = 2
			e.refused(other, order.ReasonReduceOnly)
			e.say(order.Report{Kind: order.ReportCanceled, OrderID: id})
			if n := e.engine.OpenOrders(edgeFirm); n > 1 {
				t.Errorf("%d orders are open", n)
			}
			u, _ := e.engine.Usage(order.Scope{Type: order.ScopeFirm, ID: 1, Instrument: 1})
			if u.OpenBuyQty < 0 || u.OpenBuyNotional < 0 {
				t.Errorf("less than nothing is open: %s, %s", u.OpenBuyQty, u.OpenBuyNotional)
			}
		})
	}
}

// TestOpenOfAClassThatDoesNotFit opens in two instruments what no number can hold
// together: the class, of which nobody states anything, says the largest quantity there
// is.
func TestOpenOfAClassThatDoesNotFit(t *testing.T) {
	e := newEdge(t, nil)
	class := order.Scope{Type: order.ScopeFirm, ID: 1, Class: 1}
	for id, want := range []order.Qty{order.Unlimited - 1, order.Unlimited} {
		r := e.order(order.SideBuy, order.Unlimited-1, 1)
		r.Instrument = order.InstrumentID(id + 1)
		e.accepted(r)
		if u, _ := e.engine.Usage(class); u.OpenBuyQty != want || u.OpenSellQty != 0 {
			t.Errorf("after %d orders %s are open to buy and %s to sell, want %s and 0", id+1, u.OpenBuyQty, u.OpenSellQty,
				want)
		}
	}
}

// TestOrderedQtyComesBack has a list refused where what was ordered does not fit: when
// the list is taken back the day's quantity is what it was before.
func TestOrderedQtyComesBack(t *testing.T) {
	e := newEdge(t, nil)
	id := e.accepted(e.order(order.SideBuy, order.Unlimited-1, 1))
	e.say(order.Report{Kind: order.ReportCanceled, OrderID: id})
	for leg, qty := range []order.Qty{order.QtyOne, order.QtyOne, 0} {
		r := e.order(order.SideBuy, qty, 1)
		r.Basket, r.BasketLegs = 7, 3
		if _, reason := e.send(r); leg == 2 && reason == order.ReasonNone {
			t.Error("a list with an order for nothing was accepted")
		}
	}
	u, _ := e.engine.DayUse(order.Scope{Type: order.ScopeFirm, ID: 1, Instrument: 1})
	if u.OrderedQty != order.Unlimited-1 {
		t.Errorf("%s were ordered, want %s", u.OrderedQty, order.Qty(order.Unlimited-1))
	}
}

// TestReplaceRaisesAccountOnly replaces orders by what they are, after the account's
// currency has lost nearly all it was worth: the value rises in the account's
// currency alone, and has to fit there.
func TestReplaceRaisesAccountOnly(t *testing.T) {
	e := newEdge(t, nil)
	eur := riskcheck.CurrencyOf("EUR")
	ref := edgeReference()
	ref.Accounts = append(ref.Accounts, riskcheck.Account{ID: 3, Group: 1, Currency: eur})
	ref.Traders[0].Accounts = append(ref.Traders[0].Accounts, 3)
	ref.Sessions[0].Accounts = append(ref.Sessions[0].Accounts, 3)
	if err := e.engine.ApplyReference(e.now, ref); err != nil {
		t.Fatal(err)
	}
	rate := func(r order.FxRate) {
		if err := e.engine.SetFxRate(e.now, eur, r, e.now); err != nil {
			t.Fatal(err)
		}
	}
	change := func(of *order.Request) *order.Request {
		r := *of
		e.clOrdID++
		r.MsgType, r.OrigClOrdID, r.ClOrdID = order.MsgReplaceOrder, of.ClOrdID, e.clOrdID
		return &r
	}
	var orders []*order.Request
	rate(order.FxRateOne)
	for range 2 {
		r := e.order(order.SideBuy, order.QtyOne, 9_000_000*order.PriceOne)
		r.Account = 3
		e.accepted(r)
		orders = append(orders, r)
	}
	rate(1)
	e.accepted(change(orders[0]))
	e.refused(change(orders[1]), order.ReasonArithOverflow)
}

// TestLossThatDoesNotFit loses more than money can say, by itself or from a peak: it
// is beyond every limit all the same.
func TestLossThatDoesNotFit(t *testing.T) {
	const qty, px = 10_000 * order.QtyOne, 50_000_000_000 * order.PriceOne // 5·10¹⁴, more than half of what fits
	for name, kind := range map[string]riskcheck.LimitKind{
		"loss": riskcheck.LimitDailyLoss, "drawdown": riskcheck.LimitDailyLossFromPeak, "kill": riskcheck.LimitDailyLossKill,
	} {
		t.Run(name, func(t *testing.T) {
			e := newEdge(t, nil, riskcheck.LimitEntry{Scope: edgeAccount, Kind: kind, Value: order.Unlimited - 1})
			id := order.OrderID(1000)
			trade := func(side order.Side, px order.Price) {
				id++
				e.say(order.Report{Kind: order.ReportTrade, OrderID: id, Side: side, LastQty: qty, LastPx: px})
			}
			trade(order.SideSell, px)
			trade(order.SideBuy, 1) // a peak
			rounds := 2
			if kind != riskcheck.LimitDailyLossFromPeak {
				rounds = 4
			}
			for range rounds {
				trade(order.SideBuy, px)
				trade(order.SideSell, 1)
			}
			if len(e.engine.Latched()) == 0 && len(e.engine.Killed()) == 0 {
				u, _ := e.engine.DayUse(edgeAccount)
				t.Errorf("nothing is latched: profit %s (%v), peak %s", u.Profit, u.Valued, u.Peak)
			}
		})
	}
}

// TestMinuteThatDoesNotFit orders more within a minute than money can say, while no
// limit is stated. A limit stated then finds the minute full, until it is over.
func TestMinuteThatDoesNotFit(t *testing.T) {
	perMinute := riskcheck.LimitEntry{
		Scope: edgeAccount, Kind: riskcheck.LimitTurnoverPerMinute, Value: int64(100 * order.MoneyOne),
	}
	e := newEdge(t, nil, perMinute)
	e.limit()
	for range 3 {
		id := e.accepted(e.order(order.SideBuy, 10_000*order.QtyOne, 50_000_000_000*order.PriceOne))
		e.say(order.Report{Kind: order.ReportCanceled, OrderID: id})
		e.now += 1e9
	}
	e.limit(perMinute)
	for range 58 {
		if _, reason := e.send(e.order(order.SideBuy, order.QtyOne, order.PriceOne)); reason == order.ReasonNone {
			t.Fatal("an order passes while the minute is full")
		}
		e.now += 1e9
	}
	e.now += 3e9
	e.accepted(e.order(order.SideBuy, order.QtyOne, order.PriceOne))
}
