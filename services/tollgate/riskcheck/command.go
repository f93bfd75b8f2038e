package riskcheck

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"os"
	"time"

	"github.com/spf13/cobra"

	"tollgate/asynclog"
	"tollgate/riskcheck"
	"tollgate/riskcheck/admin"
	"tollgate/riskcheck/admin/document"
	"tollgate/riskcheck/server"
	"tollgate/services/tollgate/configfile"
	"tollgate/services/tollgate/process"
)

// startTimeout bounds the time from the loop's start to limits in force.
const startTimeout = 30 * time.Second

// New returns the riskcheck command.
func New() *cobra.Command {
	cfg := defaults()
	cmd := &cobra.Command{
		Use:   "riskcheck --config FILE",
		Short: "decide every order against every limit that applies",
	}
	return process.Command(cmd, &cfg, cfg.check, func(ctx context.Context) error { return run(ctx, &cfg) })
}

// documents are the files read once at start.
type documents struct {
	reference *document.Reference
	limits    *document.Limits
}

// run serves until ctx ends.
func run(ctx context.Context, cfg *File) error {
	docs, err := readDocuments(cfg)
	if err != nil {
		return err
	}
	drainer, err := cfg.Drainer("riskcheck", server.EventName)
	if err != nil {
		return err
	}
	defer drainer.Close()
	srv, err := newServer(cfg, drainer)
	if err != nil {
		return err
	}
	audit, err := openAudit(cfg.Audit, drainer.Logger())
	if err != nil {
		return err
	}
	defer audit.close()
	meter := process.NewMeter("riskcheck", cfg.StatsFile)
	err = serve(ctx, cfg, srv, docs, audit)
	return errors.Join(err, meter.Close())
}

// serve runs the loop and the control plane, and ends both when either ends.
func serve(ctx context.Context, cfg *File, srv *server.Server, docs documents, audit *auditFile) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	loop := make(chan error, 1)
	go func() {
		defer stop()
		loop <- srv.Run(ctx)
	}()
	err := serveAdmin(ctx, cfg, srv, docs, audit)
	stop()
	return errors.Join(<-loop, err)
}

// serveAdmin puts reference data and limits in force and serves the control
// plane until ctx ends.
func serveAdmin(ctx context.Context, cfg *File, srv *server.Server, docs documents, audit *auditFile) error {
	select {
	case <-srv.Ready():
	case <-ctx.Done():
		return nil
	}
	listener, err := net.Listen(cfg.Admin.Network, cfg.Admin.Path)
	if err != nil {
		return fmt.Errorf("admin listener: %w", err)
	}
	started, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	service, err := admin.New(started, admin.Config{
		Loop: srv, Hooks: hooks(srv, audit), Reference: docs.reference, Limits: docs.limits,
	})
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	go publish(ctx, srv, service)
	grpcServer := admin.NewServer(service, admin.ServerConfig{Reflection: cfg.Reflection})
	context.AfterFunc(ctx, grpcServer.Stop)
	return grpcServer.Serve(listener)
}

// newServer builds the engine and the loop around it.
func newServer(cfg *File, drainer *asynclog.Drainer) (*server.Server, error) {
	key, err := configfile.TokenKey(cfg.TokenKey)
	if err != nil {
		return nil, fmt.Errorf("tokenKey: %w", err)
	}
	engineCfg := riskcheck.DefaultConfig()
	cfg.Bounds.apply(&engineCfg)
	engineCfg.TokenKey = key
	// Without a journal to hold the last epoch, the wall clock makes sure that a
	// restarted engine has a higher one.
	engineCfg.Epoch = uint64(time.Now().UnixNano())
	engineCfg.HashSeed, engineCfg.Pretouch, engineCfg.Advise = random(), true, process.AdviseLargePages
	if cfg.TokenLifetime != 0 {
		engineCfg.TokenLifetimeNs = cfg.TokenLifetime.Ns()
	}
	engine, err := riskcheck.New(engineCfg)
	if err != nil {
		return nil, err
	}
	log, err := drainer.Log("engine")
	if err != nil {
		return nil, err
	}
	return server.New(server.Config{
		Network: cfg.Listen.Network, Address: cfg.Listen.Path, Instance: random(),
		Loop: cfg.Loop("engine"), Log: log,
	}, engine)
}

// apply overrides the defaults with what the file states.
func (b *BoundsFile) apply(c *riskcheck.Config) {
	for _, bound := range []struct {
		from int
		to   *int
	}{
		{b.Orders, &c.OrdersMax},
		{b.ClOrdIDs, &c.ClOrdIDsMax},
		{b.Routes, &c.RoutesMax},
		{b.Cells, &c.CellsMax},
		{b.Answers, &c.AnswersRetained},
		{b.Executions, &c.ExecutionsMax},
		{b.Stamps, &c.StampsMax},
		{b.Recent, &c.RecentOrdersMax},
	} {
		if bound.from != 0 {
			*bound.to = bound.from
		}
	}
}

// readDocuments reads reference data and limits.
func readDocuments(cfg *File) (documents, error) {
	text, err := os.ReadFile(cfg.Reference)
	if err != nil {
		return documents{}, fmt.Errorf("reference: %w", err)
	}
	var docs documents
	if docs.reference, err = document.ParseReference(cfg.Reference, text); err != nil {
		return documents{}, err
	}
	if cfg.Limits == "" {
		return docs, nil
	}
	if text, err = os.ReadFile(cfg.Limits); err != nil {
		return documents{}, fmt.Errorf("limits: %w", err)
	}
	docs.limits, err = document.ParseLimits(cfg.Limits, text, docs.reference.Names)
	return docs, err
}

func random() uint64 {
	var b [8]byte
	rand.Read(b[:]) //nolint:errcheck // never fails, by its contract
	return binary.LittleEndian.Uint64(b[:])
}
