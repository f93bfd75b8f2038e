package driver_test

import (
	"context"
	"fmt"

	"tollgate/loadtest/driver"
	"tollgate/loadtest/flow"
	"tollgate/loadtest/pace"
	"tollgate/loadtest/request"
	"tollgate/order"
)

// Example plays a short generated day through an echo, as fast as answers
// allow. Against a chain it would be driver.Run with Config.Sessions.
func Example() {
	day, err := flow.Load(flow.NewGenerator(flow.GeneratorConfig{Seed: 1, EventsMax: 2_000}), 0)
	if err != nil {
		panic(err)
	}
	accounts, takers, traders := []order.AccountID{1, 2}, []order.AccountID{3}, []order.TraderID{1}
	outcome, err := driver.RunOn(context.Background(), driver.Config{
		Day: day,
		Mapping: request.Config{
			Instrument: 1, Makers: request.Spread(1, accounts, traders), Takers: request.Spread(1, takers, traders),
		},
		Pace: pace.Config{Mode: pace.ModeMax}, Requests: 1_500, WarmUp: 100,
	}, []driver.Connection{driver.NewEcho(driver.EchoConfig{})})
	if err != nil {
		panic(err)
	}
	outcome.Result.Reconciled = true // an echo has no engine to disagree with
	outcome.Judge()
	fmt.Println(outcome.Result.Orders.Answered, outcome.Result.LatencyUs["full_chain"].Count, outcome.Result.Valid)
	// Output: 1500 1400 true
}
