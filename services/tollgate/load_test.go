package main

import (
	"context"
	"testing"
	"time"

	"tollgate/gateway/client"
	"tollgate/loadtest/driver"
	"tollgate/loadtest/flow"
	"tollgate/loadtest/ledger"
	"tollgate/loadtest/pace"
	"tollgate/loadtest/request"
	"tollgate/order"
	"tollgate/services/tollgate/chain"
)

// TestGatewayKilledUnderLoad kills the gateway several times while a load
// generator keeps thousands of requests a second going, trades included: every
// request has exactly one final answer, the streams have no holes, the engine's
// positions are what the trades add up to, and the venue took no request twice.
func TestGatewayKilledUnderLoad(t *testing.T) {
	r := startChain(t, "tcp", testLimits("unlimited"))
	day, err := flow.Load(flow.NewGenerator(flow.GeneratorConfig{Seed: 3, EventsMax: 20_000, FirstPrice: 100 * order.PriceOne}), 0)
	if err != nil {
		t.Fatal(err)
	}
	killed := make(chan error, 1)
	ctx, stop := context.WithCancel(t.Context())
	go func() { killed <- killRepeatedly(ctx, r) }()
	outcome, err := driver.Run(t.Context(), driver.Config{
		Sessions: r.sessions(), Day: day, Pace: pace.Config{Mode: pace.ModeRate, RatePerSecond: 8_000},
		Mapping: request.Config{
			Instrument: 1,
			Makers:     []request.Party{{Session: 0, Account: 1, Trader: 1}, {Session: 1, Account: 2, Trader: 1}},
		},
	})
	stop()
	if err != nil {
		t.Fatal(err)
	}
	if err := <-killed; err != nil {
		t.Fatal(err)
	}
	checkOutcome(t, r, outcome)
	path := r.VenueLogFile()
	r.stop()
	checkOnce(t, venueLog(t, path))
}

// killRepeatedly kills the gateway and starts another, until ctx ends.
func killRepeatedly(ctx context.Context, r *rig) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(400 * time.Millisecond):
		}
		if err := r.Kill(chain.Gateway); err != nil {
			return err
		}
		if err := r.StartRole(chain.Gateway); err != nil {
			return err
		}
	}
}

// sessions configures a client for each session of the test's firm.
func (r *rig) sessions() []client.Config {
	network, address := r.Clients()
	var out []client.Config
	for number := 1; number <= 2; number++ {
		out = append(out, client.Config{
			Network: network, Address: address, Client: uint32(number), Session: order.SessionID(number), Key: r.Key(number),
		})
	}
	return out
}

func checkOutcome(t *testing.T, r *rig, o *driver.Outcome) {
	t.Helper()
	orders := &o.Result.Orders
	t.Logf("%d requests, %d trades' accounts, %d connections lost", orders.Sent, len(o.Positions), o.Disconnects)
	if orders.Unanswered != 0 || orders.Duplicates != 0 || o.Evidence.StreamGaps != 0 || o.Evidence.Strays != 0 {
		t.Errorf("orders %+v, evidence %+v", *orders, o.Evidence)
	}
	if o.Disconnects < 2 {
		t.Errorf("%d connections were lost, want at least 2: nothing was killed", o.Disconnects)
	}
	for number, account := range []string{"A", "B"} {
		engine := order.Qty(0)
		for _, in := range r.exposure(account).GetInstruments() {
			q, err := order.ParseQty(in.GetNetPosition())
			if err != nil {
				t.Fatal(err)
			}
			engine += q
		}
		p := o.Positions[ledger.PositionKey{Account: order.AccountID(number + 1), Instrument: 1}]
		if engine != p.Net() {
			t.Errorf("account %s: the engine's position is %s, the trades add up to %s", account, engine, p.Net())
		}
	}
}
