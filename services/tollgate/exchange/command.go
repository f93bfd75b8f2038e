package exchange

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"tollgate/exchange"
	"tollgate/exchange/simulated"
	"tollgate/riskcheck/admin/document"
	"tollgate/services/tollgate/configfile"
	"tollgate/services/tollgate/process"
)

// New returns the exchange command.
func New() *cobra.Command {
	cfg := defaults()
	cmd := &cobra.Command{
		Use:   "exchange --config FILE",
		Short: "check every order's verdict token and trade it at the simulated venue",
	}
	return process.Command(cmd, &cfg, cfg.check, func(ctx context.Context) error { return run(ctx, &cfg) })
}

// run serves until ctx ends.
func run(ctx context.Context, cfg *File) error {
	settings, err := cfg.exchange()
	if err != nil {
		return err
	}
	drainer, err := cfg.Drainer("exchange", exchange.EventName)
	if err != nil {
		return err
	}
	defer drainer.Close()
	if settings.Events, err = drainer.Log("exchange"); err != nil {
		return err
	}
	srv, err := exchange.NewServer(settings, cfg.Loop("exchange"))
	if err != nil {
		return err
	}
	meter := process.NewMeter("exchange", cfg.StatsFile)
	err = runServer(ctx, srv, cfg.Operator)
	return errors.Join(err, meter.Close())
}

// runServer serves until ctx ends, and takes an operator's commands meanwhile if
// there is a path for them.
func runServer(ctx context.Context, srv *exchange.Server, path string) error {
	if path == "" {
		return srv.Run(ctx)
	}
	operator, err := openOperator(path, srv)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	served := make(chan struct{})
	go func() {
		defer close(served)
		operator.serve(ctx)
	}()
	err = srv.Run(ctx)
	stop()
	<-served
	return err
}

// exchange returns the settings of the exchange itself.
func (f *File) exchange() (exchange.Config, error) {
	key, err := configfile.TokenKey(f.TokenKey)
	if err != nil {
		return exchange.Config{}, fmt.Errorf("tokenKey: %w", err)
	}
	text, err := os.ReadFile(f.Reference)
	if err != nil {
		return exchange.Config{}, fmt.Errorf("reference: %w", err)
	}
	reference, err := document.ParseReference(f.Reference, text)
	if err != nil {
		return exchange.Config{}, err
	}
	cfg := exchange.DefaultConfig()
	cfg.Adapter.TokenKey, cfg.Adapter.OrdersMax = key, f.Orders
	cfg.Venue.OrdersMax, cfg.VenueLogPath = f.Orders, f.VenueLog
	for _, a := range f.Listen {
		cfg.Listen = append(cfg.Listen, exchange.Endpoint{Network: a.Network, Address: a.Path})
	}
	for i := range reference.Data.Instruments {
		in := &reference.Data.Instruments[i]
		cfg.Venue.Instruments = append(cfg.Venue.Instruments, simulated.Instrument{
			ID: in.ID, Tick: in.Tick, Lot: in.Lot, ReplaceOpenQty: in.ReplaceOpenQty,
		})
	}
	return cfg, nil
}
