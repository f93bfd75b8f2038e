package gateway

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"tollgate/fastpath"
	"tollgate/gateway"
	"tollgate/services/tollgate/configfile"
	"tollgate/services/tollgate/process"
)

// New returns the gateway command.
func New() *cobra.Command {
	cfg := defaults()
	cmd := &cobra.Command{
		Use:   "gateway --config FILE",
		Short: "take clients' orders to the engine and accepted ones to the venue",
	}
	return process.Command(cmd, &cfg, cfg.check, func(ctx context.Context) error { return run(ctx, &cfg) })
}

// run serves until ctx ends.
func run(ctx context.Context, cfg *File) error {
	keys, err := configfile.ClientKeys(cfg.Keys)
	if err != nil {
		return fmt.Errorf("keys: %w", err)
	}
	drainer, err := cfg.Drainer("gateway", gateway.EventName)
	if err != nil {
		return err
	}
	defer drainer.Close()
	log, err := drainer.Log("gateway")
	if err != nil {
		return err
	}
	settings := cfg.gateway()
	g, err := gateway.New(settings, keys, log)
	if err != nil {
		return err
	}
	loop, err := fastpath.New(settings.LoopConfig(cfg.Loop("gateway")), g)
	if err != nil {
		return err
	}
	if err := g.Attach(loop); err != nil {
		return err
	}
	meter := process.NewMeter("gateway", cfg.StatsFile)
	err = g.Run(ctx, loop)
	return errors.Join(err, meter.Close())
}

// gateway returns the settings of the gateway itself.
func (f *File) gateway() gateway.Config {
	out := gateway.Config{
		Risk:           endpoint(f.Riskcheck),
		Venue:          endpoint(f.Exchange),
		ConnectionsMax: f.Connections,
		RetryAfterMs:   uint32(f.RetryAfter.Ns() / 1e6),
		DrainMs:        uint32(f.Drain.Ns() / 1e6),
	}
	for _, a := range f.Clients {
		out.Clients = append(out.Clients, endpoint(a))
	}
	return out
}

func endpoint(a configfile.Address) gateway.Endpoint {
	return gateway.Endpoint{Network: a.Network, Address: a.Path}
}
