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
