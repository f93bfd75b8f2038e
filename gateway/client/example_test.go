package client_test

import (
	"context"
	"fmt"
	"log"

	"tollgate/gateway/client"
	"tollgate/order"
)

var (
	ctx = context.Background()
	key = make([]byte, 32) // the client's secret, from a file
)

// Example sends an order and waits for its final answer.
func Example() {
	c, err := client.Dial(ctx, client.Config{
		Network: "tcp", Address: "127.0.0.1:7001", Client: 1, Session: 1, Key: key, Adopt: true,
	})
	if err != nil {
		log.Panic(err)
	}
	defer c.Close()
	answer, err := c.Do(ctx, &order.Request{
		MsgType: order.MsgNewOrder, ClOrdID: 1, Account: 1, Trader: 1, Instrument: 1, Side: order.SideBuy,
		OrdType: order.OrdTypeLimit, TimeInForce: order.TimeInForceDay, Price: 101 * order.PriceOne,
		StopPx: order.Null, OrderQty: 5 * order.QtyOne,
	})
	if err != nil {
		log.Panic(err)
	}
	fmt.Println(answer.ExecType, answer.OrdStatus, answer.Decision.Reason)
}

// ExampleClient_DoList sends two orders that are judged together: both pass or
// none does.
func ExampleClient_DoList() {
	c, err := client.Dial(ctx, client.Config{
		Network: "tcp", Address: "127.0.0.1:7001", Client: 1, Session: 1, Key: key, Adopt: true,
	})
	if err != nil {
		log.Panic(err)
	}
	defer c.Close()
	leg := order.Request{
		Account: 1, Trader: 1, Strategy: 3, OrdType: order.OrdTypeLimit, TimeInForce: order.TimeInForceIOC,
		StopPx: order.Null, OrderQty: 5 * order.QtyOne,
	}
	near, far := leg, leg
	near.ClOrdID, near.Instrument, near.Side, near.Price = 1, 1, order.SideBuy, 101*order.PriceOne
	far.ClOrdID, far.Instrument, far.Side, far.Price = 2, 2, order.SideSell, 103*order.PriceOne
	answers, err := c.DoList(ctx, 1, []order.Request{near, far})
	if err != nil {
		log.Panic(err)
	}
	for i := range answers {
		fmt.Println(answers[i].ClOrdID, answers[i].OrdStatus, answers[i].Decision.Reason)
	}
}

// ExampleClient_NewOrder sends a stop order of a strategy that shows a tenth of
// its quantity once it trades.
func ExampleClient_NewOrder() {
	c, err := client.Dial(ctx, client.Config{
		Network: "tcp", Address: "127.0.0.1:7001", Client: 1, Session: 1, Key: key, Adopt: true,
	})
	if err != nil {
		log.Panic(err)
	}
	defer c.Close()
	ref, err := c.NewOrder(&order.Request{
		ClOrdID: 1, Account: 1, Trader: 1, Instrument: 1, Strategy: 3, Side: order.SideSell,
		OrdType: order.OrdTypeStopLimit, TimeInForce: order.TimeInForceGTC, StopPx: 95 * order.PriceOne,
		Price: 94 * order.PriceOne, OrderQty: 50 * order.QtyOne, DisplayQty: 5 * order.QtyOne,
	})
	if err != nil {
		log.Panic(err)
	}
	fmt.Println("request", ref)
}
