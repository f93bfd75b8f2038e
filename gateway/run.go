package gateway

import (
	"context"
	"fmt"
	"time"

	"tollgate/fastpath"
)

// Outbound bounds of the links to the engine and the exchange. Either of them
// may stand still for its whole silence time under full load and is not cut
// for that; a client's bound is the loop's default.
const (
	neighbourBytesMax  = 64 << 20
	neighbourFramesMax = 1 << 19
)

// LoopConfig completes the settings of the loop a gateway runs on: the bounds
// of its kinds of links. Fields that base has set are kept, but for
// ConnectionsMax, which follows from c, and a TickNs too long for the
// heartbeats of the links to the neighbours.
func (c Config) LoopConfig(base fastpath.Config) fastpath.Config {
	neighbour := fastpath.Outbound{BytesMax: neighbourBytesMax, FramesMax: neighbourFramesMax}
	bounds := map[fastpath.Kind]fastpath.Outbound{KindRisk: neighbour, KindVenue: neighbour}
	for kind, o := range base.Outbound {
		bounds[kind] = o
	}
	base.Outbound = bounds
	base.ConnectionsMax = c.withDefaults().ConnectionsMax + connectionsSpare
	base.TickNs = min(base.TickNs, tickMaxNs)
	if base.Name == "" {
		base.Name = "gateway"
	}
	return base
}

// Attach opens the listeners and starts to dial the neighbours on the loop that
// runs g.
func (g *Gateway) Attach(lp *fastpath.Loop) error {
	for _, e := range g.cfg.Clients {
		if err := lp.Listen(KindClient, e.Network, e.Address); err != nil {
			return fmt.Errorf("gateway: listen for clients at %s %s: %w", e.Network, e.Address, err)
		}
	}
	if err := lp.Dial(KindRisk, g.cfg.Risk.Network, g.cfg.Risk.Address); err != nil {
		return fmt.Errorf("gateway: dial riskcheck at %s %s: %w", g.cfg.Risk.Network, g.cfg.Risk.Address, err)
	}
	if err := lp.Dial(KindVenue, g.cfg.Venue.Network, g.cfg.Venue.Address); err != nil {
		return fmt.Errorf("gateway: dial exchange at %s %s: %w", g.cfg.Venue.Network, g.cfg.Venue.Address, err)
	}
	return nil
}

// Run runs g on lp until ctx is cancelled; then clients are told that the
// gateway is draining, their connections end, and the loop stops. Attach must
// have been called. The error is the loop's.
func (g *Gateway) Run(ctx context.Context, lp *fastpath.Loop) error {
	loopCtx, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- lp.Run(loopCtx) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	g.Drain(lp)
	g.awaitDrained()
	stop()
	return <-ended
}

// awaitDrained waits until no client is connected, at most DrainMs.
func (g *Gateway) awaitDrained() {
	timer := time.NewTimer(time.Duration(g.cfg.DrainMs) * time.Millisecond)
	defer timer.Stop()
	select {
	case <-g.drained:
	case <-timer.C:
	}
}

// Drain makes the gateway send its clients away and take no new ones. Any
// goroutine may call it.
func (g *Gateway) Drain(lp *fastpath.Loop) {
	g.drainAsked.Store(true)
	lp.Wake()
}
