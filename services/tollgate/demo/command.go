package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"tollgate/loadtest/pace"
)

// options are the command's flags.
type options struct {
	flow       string
	link       string
	rate       string
	orders     uint64
	warmUp     uint64
	durability string
	json       string
	data       string
	seed       uint64
	keep       bool
}

// ErrInvalid says that the run is over and its result does not count.
var ErrInvalid = errors.New("the result is INVALID")

// UsageError is a flag whose value cannot work.
type UsageError struct{ Text string }

func (e UsageError) Error() string { return e.Text }

// New returns the demo command.
func New() *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "start the whole chain here, run order flow through it, print the result",
		Long: `demo starts exchange, riskcheck and gateway as separate processes on this machine, sends order
flow through them from four client sessions, and prints verdicts by reason, latency per hop, and
whether the engine's positions are what the trades add up to. Without --flow it makes a day of its own from a seed.

While it runs, everything works as in production: "tollgate ctl" changes limits and pulls the kill switch.`,
		Example: `  tollgate demo
  tollgate demo --flow lobster_AMZN.csv.gz --rate max --link tcp --json result.json
  tollgate demo --flow lobster_AMZN.csv.gz --rate 'recorded*60' --keep`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.validate(); err != nil {
				return err
			}
			ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			return run(ctx, &o, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.flow, "flow", "", "order flow `FILE`: LOBSTER, Databento MBO or Bitstamp, plain or gzip")
	f.StringVar(&o.link, "link", "unix", "how the processes are linked: unix or tcp")
	f.StringVar(&o.rate, "rate", "5000", "requests per `second`, max, recorded, or recorded*N to play N times as fast")
	f.Uint64Var(&o.orders, "orders", 0, "stop after `N` requests; 0: the flow once")
	f.Uint64Var(&o.warmUp, "warm-up", 1000, "do not measure the first `N` requests")
	f.StringVar(&o.durability, "durability", "none", "what survives a process: none, until there is a journal")
	f.StringVar(&o.json, "json", "", "write the result to `FILE`")
	f.StringVar(&o.data, "data", "", "keep configuration and logs in `DIR`; default: a temporary one, removed at the end")
	f.Uint64Var(&o.seed, "seed", 1, "of the day that is made when there is no --flow")
	f.BoolVar(&o.keep, "keep", false, "leave the chain running after the flow, until interrupted")
	return cmd
}

// validate returns what is wrong with the flags.
func (o *options) validate() error {
	var errs []error
	fail := func(format string, args ...any) { errs = append(errs, UsageError{fmt.Sprintf(format, args...)}) }
	switch o.link {
	case "unix", "tcp":
	case "shm":
		fail("--link shm: shared memory links are not in this version; want unix or tcp")
	default:
		fail("--link %q: want unix or tcp", o.link)
	}
	switch o.durability {
	case "none":
	case "process", "disk", "replicated":
		fail("--durability %s needs the journal, which this version does not have; want none", o.durability)
	default:
		fail("--durability %q: want none", o.durability)
	}
	if _, err := pace.Parse(o.rate); err != nil {
		fail("--rate: %v", err)
	}
	return errors.Join(errs...)
}

// run runs the demo.
func run(ctx context.Context, o *options, stdout, stderr io.Writer) error {
	folder, remove, err := dataFolder(o.data)
	if err != nil {
		return err
	}
	defer remove()
	d := &demonstration{options: o, stdout: stdout, stderr: stderr}
	return d.run(ctx, folder)
}

// dataFolder returns the folder of the run and what removes it again.
func dataFolder(path string) (string, func(), error) {
	if path != "" {
		return path, func() {}, os.MkdirAll(path, 0o755)
	}
	folder, err := os.MkdirTemp("", "tollgate-demo-")
	return folder, func() { os.RemoveAll(folder) }, err //nolint:errcheck // a temporary folder
}
