package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"tollgate/gateway/client"
	"tollgate/loadtest/driver"
	"tollgate/loadtest/flow"
	"tollgate/loadtest/pace"
	"tollgate/loadtest/result"
	"tollgate/order"
	"tollgate/services/tollgate/chain"
	"tollgate/services/tollgate/process"
)

// demonstration is one run of the demo.
type demonstration struct {
	*options
	stdout, stderr io.Writer

	day   *flow.Day
	firm  *firm
	chain *chain.Chain
	admin *control

	latched string // at the end of the flow
}

// run loads the flow, runs the chain around it and reports.
func (d *demonstration) run(ctx context.Context, folder string) (err error) {
	if d.day, err = d.load(); err != nil {
		return err
	}
	d.firm = newFirm(&d.day.Meta)
	if folder, err = filepath.Abs(folder); err != nil {
		return err
	}
	if d.chain, err = d.newChain(folder); err != nil {
		return err
	}
	if err = d.chain.Start(); err == nil {
		err = d.work(ctx)
	}
	return errors.Join(err, d.chain.Stop())
}

// newChain makes a chain for the firm.
func (d *demonstration) newChain(folder string) (*chain.Chain, error) {
	reference, limits, err := d.firm.documents()
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return chain.New(chain.Config{
		Folder: folder, Link: d.link, Executable: self, Reference: reference, Limits: limits, Clients: sessionCount,
	})
}

// load reads the flow, or makes one.
func (d *demonstration) load() (*flow.Day, error) {
	if d.flow != "" {
		return flow.LoadFile(d.flow, 0)
	}
	return flow.Load(flow.NewGenerator(flow.GeneratorConfig{Seed: d.seed}), 0)
}

// work drives the running chain and reports.
func (d *demonstration) work(ctx context.Context) error {
	var err error
	if d.admin, err = dialAdmin(d.chain.Admin()); err != nil {
		return err
	}
	defer d.admin.conn.Close()
	if err := d.admin.ready(ctx, d.chain.Ended()); err != nil {
		return err
	}
	if err := d.admin.fund(ctx, d.firm); err != nil {
		return err
	}
	fmt.Fprintf(d.stderr, "the chain is up over %s; while it runs, try: tollgate ctl --server %s get exposure\n",
		d.link, d.chain.Admin())
	outcome, before, err := d.drive(ctx)
	if err != nil {
		return err
	}
	if err := d.complete(ctx, outcome, before); err != nil {
		return err
	}
	if err := d.report(outcome); err != nil {
		return err
	}
	if d.keep {
		fmt.Fprintf(d.stderr, "the chain keeps running; end it with Ctrl-C\n")
		select {
		case <-ctx.Done():
		case err := <-d.chain.Ended():
			return err
		}
	}
	if !outcome.Result.Valid {
		return ErrInvalid
	}
	return nil
}

// drive sends the flow. A process that ends meanwhile ends the run.
func (d *demonstration) drive(ctx context.Context) (*driver.Outcome, *figures, error) {
	before, err := d.measure(ctx)
	if err != nil {
		return nil, nil, err
	}
	driving, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() {
		select {
		case err := <-d.chain.Ended():
			cancel(err)
		case <-driving.Done():
		}
	}()
	progress := result.NewProgress(os.Stderr)
	schedule, err := pace.Parse(d.rate)
	if err != nil {
		return nil, nil, err
	}
	outcome, err := driver.Run(driving, driver.Config{
		Sessions: d.sessions(), Day: d.day, Mapping: d.firm.parties(), Pace: schedule,
		Requests: d.orders, WarmUp: d.warmUpWithin(),
		Progress: func(done, total, inFlight uint64) { progress.Show(time.Now(), done, total, inFlight) },
	})
	progress.Done()
	if cause := context.Cause(driving); cause != nil && ctx.Err() == nil {
		return nil, nil, cause
	}
	return outcome, before, err
}

// warmUpWithin keeps the warm-up to at most a tenth of a short run.
func (d *demonstration) warmUpWithin() uint64 {
	total := d.orders
	if total == 0 {
		total = d.day.Meta.Counts.Sent()
	}
	return min(d.warmUp, total/10)
}

func (d *demonstration) sessions() []client.Config {
	out := make([]client.Config, sessionCount)
	network, address := d.chain.Clients()
	for i := range out {
		out[i] = client.Config{
			Network: network, Address: address,
			Client: uint32(i + 1), Session: order.SessionID(i + 1), Key: d.chain.Key(i + 1), Traces: true,
		}
	}
	return out
}

// figures are the processes' figures at one moment.
type figures struct {
	chain map[string]process.Stats
	own   *result.Usage
}

func (d *demonstration) measure(ctx context.Context) (*figures, error) {
	stats, err := d.chain.Stats(ctx)
	return &figures{stats, result.ReadUsage()}, err
}

// complete adds what only the demo knows to the result, and judges it.
func (d *demonstration) complete(ctx context.Context, outcome *driver.Outcome, before *figures) error {
	ctx = context.WithoutCancel(ctx)
	after, err := d.measure(ctx)
	if err != nil {
		return err
	}
	r := outcome.Result
	r.Link, r.Durability, r.ConfigSHA = d.link, d.durability, d.chain.SHA()
	if d.flow == "" {
		r.Seed = d.seed
	}
	if r.Processes, err = d.processes(before, after, outcome.Counts.Sent); err != nil {
		return err
	}
	differences, err := d.admin.reconcile(ctx, outcome.Positions)
	if err != nil {
		return err
	}
	r.Reconciled = len(differences) == 0
	for _, one := range differences {
		fmt.Fprintln(d.stderr, "not reconciled:", one)
	}
	if r.Utilisation, err = d.admin.utilisation(ctx); err != nil {
		return err
	}
	if d.latched, err = d.admin.latched(ctx); err != nil {
		return err
	}
	outcome.Judge()
	return nil
}

// processes describes every process between two readings.
func (d *demonstration) processes(before, after *figures, orders uint64) ([]result.Process, error) {
	own, err := after.own.Since(before.own, "client", orders)
	if err != nil {
		return nil, err
	}
	out := []result.Process{own}
	for i := len(chain.Roles) - 1; i >= 0; i-- {
		role := chain.Roles[i]
		b, a := before.chain[role], after.chain[role]
		p, err := result.ProcessOf(role, a.PID)
		if err != nil {
			return nil, err
		}
		p.CPUSeconds = a.CPUSeconds - b.CPUSeconds
		p.GCCycles = uint64(a.GCCycles - b.GCCycles)
		p.GCMaxPauseUs = a.GCMaxPauseUs
		if orders > 0 {
			p.AllocsPerOrder = float64(a.Mallocs-b.Mallocs) / float64(orders)
		}
		out = append(out, p)
	}
	return out, nil
}

// report prints the result and writes it where it was asked for.
func (d *demonstration) report(outcome *driver.Outcome) error {
	page := result.Page{
		Title: "Tollgate demo: " + d.title(), Notes: d.notes(outcome), Tips: d.tips(),
	}
	if file, ok := d.stdout.(*os.File); ok {
		page = page.Fit(file)
	}
	if err := page.Write(d.stdout, outcome.Result); err != nil {
		return err
	}
	if d.json == "" {
		return nil
	}
	name, err := outcome.Result.WriteFile(d.json)
	if err == nil {
		fmt.Fprintln(d.stderr, "result written to", name)
	}
	return err
}

func (d *demonstration) title() string {
	if d.flow == "" {
		return fmt.Sprintf("a generated day of %s, seed %d", d.firm.Symbol, d.seed)
	}
	return fmt.Sprintf("%s (%s, %s)", filepath.Base(d.flow), d.day.Meta.Format, d.firm.Symbol)
}

// notes says what became of every row of the flow.
func (d *demonstration) notes(outcome *driver.Outcome) []string {
	m := &d.day.Meta
	var kinds []string
	for kind := flow.KindNew; int(kind) < len(m.Counts); kind++ {
		if n := m.Counts.Of(kind); n > 0 {
			kinds = append(kinds, fmt.Sprintf("%s %d", kind, n))
		}
	}
	notes := []string{
		fmt.Sprintf("flow: %d rows, of which %d are sent: %s", m.Counts.Total(), m.Counts.Sent(), strings.Join(kinds, ", ")),
	}
	if m.Opening > 0 {
		notes = append(notes, fmt.Sprintf("opening book: %d orders, sent before the measurement", m.Opening))
	}
	if n := outcome.Flow.UnknownOrders; n > 0 {
		notes = append(notes, fmt.Sprintf("%d requests name orders from before the recording: sent, and answered", n))
	}
	if n := outcome.Flow.UnknownExecutions; n > 0 {
		notes = append(notes, fmt.Sprintf("%d executions are of such orders: counted, not sent", n))
	}
	if d.latched != "" {
		notes = append(notes, "latched until somebody releases it: "+d.latched)
	}
	lag, chain := outcome.Result.LatencyUs["generator_lag"], outcome.Result.LatencyUs["full_chain"]
	if lag.P99 > chain.P50/10 {
		notes = append(notes, fmt.Sprintf(
			"the generator shares the machine: it was late by %.0f µs at p99; latencies below include that", lag.P99))
	}
	if outcome.Disconnects > 0 {
		notes = append(notes, strconv.FormatUint(outcome.Disconnects, 10)+" connections were lost and made again")
	}
	return notes
}

// tips says what to try next.
func (d *demonstration) tips() []string {
	server := d.chain.Admin()
	return []string{
		"tollgate demo --keep            leave the chain running, then in another terminal:",
		"tollgate ctl --server " + server + " get exposure",
		"tollgate ctl --server " + server + " describe account A",
		"tollgate ctl --server " + server + " kill account A --reason 'fat finger'",
		"tollgate ctl --server " + server + " get limits -o yaml > limits.yaml   edit, then: ctl diff -f, ctl apply -f",
	}
}
