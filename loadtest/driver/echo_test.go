package driver

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"tollgate/gateway/client"
	"tollgate/loadtest/flow"
	"tollgate/loadtest/pace"
	"tollgate/loadtest/request"
	"tollgate/order"
)

// virtual is a clock that moves only when it is read or waited for, so that
// runs repeat exactly.
type virtual struct{ nowNs int64 }

func (v *virtual) read() int64 {
	v.nowNs += 50
	return v.nowNs
}

func (v *virtual) idle() { v.nowNs += 1_000 }

// echoes returns echoes that live on a virtual clock.
func echoes(v *virtual, n int, cfg EchoConfig) []Connection {
	connections := make([]Connection, n)
	for i := range connections {
		e := NewEcho(cfg)
		e.clock = v.read
		connections[i] = e
	}
	return connections
}

// generated is a day without a file.
func generated(t testing.TB, events uint64) *flow.Day {
	t.Helper()
	day, err := flow.Load(flow.NewGenerator(flow.GeneratorConfig{Seed: 4, EventsMax: events}), 0)
	if err != nil {
		t.Fatal(err)
	}
	return day
}

// config is a run of two sessions on a virtual clock.
func config(t testing.TB, v *virtual) Config {
	accounts, takers := []order.AccountID{1, 2, 3, 4}, []order.AccountID{11, 12}
	traders := []order.TraderID{1}
	return Config{
		Day: generated(t, 5_000),
		Mapping: request.Config{
			Instrument: 1, Makers: request.Spread(2, accounts, traders), Takers: request.Spread(2, takers, traders),
		},
		clock: v.read, idle: v.idle,
	}
}

func mustRun(t testing.TB, cfg Config, connections []Connection) *Outcome {
	t.Helper()
	o, err := RunOn(context.Background(), cfg, connections)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func TestEveryRequestIsAccountedFor(t *testing.T) {
	v := &virtual{}
	cfg := config(t, v)
	o := mustRun(t, cfg, echoes(v, 2, EchoConfig{ResponseNs: 20_000}))
	sendable := cfg.Day.Meta.Counts.Sent()
	got := o.Result.Orders
	if got.Sent != sendable-o.Flow.UnknownExecutions || got.Answered != got.Sent || got.Accepted != got.Sent {
		t.Errorf("orders are %+v, want %d of each", got, sendable-o.Flow.UnknownExecutions)
	}
	if got.Unanswered+got.Duplicates+got.Rejected != 0 || o.Measured != got.Sent {
		t.Errorf("orders are %+v, measured %d", got, o.Measured)
	}
	full := o.Result.LatencyUs["full_chain"]
	if full.Count != int64(got.Sent) || full.P50 < 20 || full.P50 > 40 {
		t.Errorf("full chain is %+v, want about 20 µs", full)
	}
	o.Result.Reconciled = true
	o.Judge()
	if !o.Result.Valid {
		t.Errorf("invalid because %v", o.Result.InvalidBecause)
	}
}

// TestPositionsAreWhatTakersBought: an echo fills every immediate-or-cancel
// order, so positions must equal the day's executions.
func TestPositionsAreWhatTakersBought(t *testing.T) {
	v := &virtual{}
	cfg := config(t, v)
	o := mustRun(t, cfg, echoes(v, 2, EchoConfig{}))
	var want, got order.Qty
	var trades uint64
	for i := range cfg.Day.Events {
		if e := &cfg.Day.Events[i]; e.Kind == flow.KindExecute {
			want += e.Qty
			trades++
		}
	}
	for key, p := range o.Positions {
		got += p.BuyQty + p.SellQty
		if key.Account != 11 && key.Account != 12 {
			t.Errorf("account %d traded, but is not a taker", key.Account)
		}
	}
	if got != want || o.Counts.Trades != trades || o.Counts.Filled != trades {
		t.Errorf("traded %s in %d trades, want %s in %d", got, o.Counts.Trades, want, trades)
	}
}

// TestAStallIsSeenByEveryoneWhoWaited is the proof against coordinated
// omission: with 1,000 requests a second and one stall of 100 ms in two
// seconds, a twentieth of all requests falls into it, and they wait evenly from
// 0 to 100 ms. A harness that counted from the real sending would show the
// stall for as many requests as its window holds.
func TestAStallIsSeenByEveryoneWhoWaited(t *testing.T) {
	v := &virtual{}
	cfg := config(t, v)
	cfg.Requests = 2_000
	cfg.Pace = pace.Config{Mode: pace.ModeRate, RatePerSecond: 1_000}
	o := mustRun(t, cfg, echoes(v, 2, EchoConfig{ResponseNs: 10_000, StallAtNs: 1e9, StallNs: 100e6}))
	full := o.Result.LatencyUs["full_chain"]
	for name, pair := range map[string][2]float64{"p99": {full.P99, 80_000}, "p999": {full.P999, 98_000}, "max": {full.Max, 99_000}} {
		if math.Abs(pair[0]-pair[1]) > 3_000 {
			t.Errorf("%s is %.0f µs, want about %.0f", name, pair[0], pair[1])
		}
	}
	if full.P90 > 100 {
		t.Errorf("p90 is %.0f µs: more than the stalled twentieth was late", full.P90)
	}
	if lag := o.Result.LatencyUs["generator_lag"]; lag.P99 > 5 {
		t.Errorf("the stall held up the generator: lag %+v", lag)
	}
	if rate := o.Result.Rate.Achieved; math.Abs(rate-1_000) > 5 {
		t.Errorf("achieved %v/s", rate)
	}
}

// TestABoundedWindowIsChargedToTheChain: when nothing can be sent because too
// much is unanswered, what waits keeps its scheduled time.
func TestABoundedWindowIsChargedToTheChain(t *testing.T) {
	v := &virtual{}
	cfg := config(t, v)
	cfg.Requests, cfg.InFlightMax, cfg.JudgeLag = 1_000, 8, true
	cfg.Pace = pace.Config{Mode: pace.ModeRate, RatePerSecond: 10_000}
	o := mustRun(t, cfg, echoes(v, 2, EchoConfig{ResponseNs: 1_000, StallAtNs: 20e6, StallNs: 50e6}))
	if full := o.Result.LatencyUs["full_chain"]; full.Max < 49_000 {
		t.Errorf("the longest is %v µs, want the stall's 50 ms", full.Max)
	}
	if lag := o.Result.LatencyUs["generator_lag"]; lag.Max < 40_000 {
		t.Errorf("the generator could not send and says it was never late: %+v", lag)
	}
	if len(o.Result.InvalidBecause) < 2 || !strings.Contains(strings.Join(o.Result.InvalidBecause, "; "), "generator was late") {
		t.Errorf("invalid because %v, want the generator's lateness among it", o.Result.InvalidBecause)
	}
}

// TestGivingTheCoreAwayMakesNobodyLate: other loops may keep the core for 40 µs
// each time; while the chain is idle the generator does not let it go just
// before a request is due.
func TestGivingTheCoreAwayMakesNobodyLate(t *testing.T) {
	v := &virtual{}
	cfg := config(t, v)
	cfg.idle = func() { v.nowNs += 40_000 }
	cfg.Requests, cfg.Pace = 2_000, pace.Config{Mode: pace.ModeRate, RatePerSecond: 5_000}
	o := mustRun(t, cfg, echoes(v, 2, EchoConfig{ResponseNs: 1_000}))
	if lag := o.Result.LatencyUs["generator_lag"]; lag.Max > 1 {
		t.Errorf("generator lag is %+v, want less than 1 µs", lag)
	}
}

func TestDaysAreRepeatedUntilEnoughWasSent(t *testing.T) {
	v := &virtual{}
	cfg := config(t, v)
	cfg.Requests, cfg.WarmUp = 30_000, 5_000
	o := mustRun(t, cfg, echoes(v, 2, EchoConfig{ResponseNs: 1_000}))
	if o.Counts.Sent != 30_000 || o.Measured != 25_000 || o.Passes < 5 {
		t.Errorf("sent %d, measured %d in %d passes", o.Counts.Sent, o.Measured, o.Passes)
	}
	if o.Counts.Cancelled == 0 || o.Result.Orders.Unanswered != 0 {
		t.Errorf("counts are %+v", o.Counts)
	}
}

func TestRecordedPaceKeepsTheRecordedTime(t *testing.T) {
	v := &virtual{}
	cfg := config(t, v)
	cfg.Pace = pace.Config{Mode: pace.ModeRecorded, SpeedUp: 10}
	o := mustRun(t, cfg, echoes(v, 2, EchoConfig{ResponseNs: 1_000}))
	want := float64(o.Measured) * 1e10 / float64(cfg.Day.Meta.DurationNs)
	if math.Abs(o.Result.Rate.Achieved-want) > want/100 {
		t.Errorf("achieved %.0f/s, want %.0f", o.Result.Rate.Achieved, want)
	}
}

func TestOpeningBookIsNotMeasured(t *testing.T) {
	v := &virtual{}
	cfg := config(t, v)
	opening := uint64(0)
	for i := range cfg.Day.Events[:500] {
		cfg.Day.Events[i].Opening = true
		if cfg.Day.Events[i].Kind.Sent() {
			opening++
		}
	}
	cfg.Day.Meta.Opening = 500
	cfg.Pace = pace.Config{Mode: pace.ModeRate, RatePerSecond: 10_000}
	o := mustRun(t, cfg, echoes(v, 2, EchoConfig{ResponseNs: 1_000}))
	if o.Opening != opening || o.Measured != o.Counts.Sent-opening {
		t.Errorf("opening %d, measured %d of %d, want %d", o.Opening, o.Measured, o.Counts.Sent, opening)
	}
	if math.Abs(o.Result.Rate.Achieved-10_000) > 100 {
		t.Errorf("achieved %v/s: the opening book belongs to no rate", o.Result.Rate.Achieved)
	}
}

// deaf swallows some requests.
type deaf struct {
	*Echo
	every uint64
	n     uint64
}

func (d *deaf) Poll(h client.Handler) (int, error) { return d.Echo.Poll(&lossy{Handler: h, deaf: d}) }

// lossy drops every so manieth final answer and repeats every so manieth other.
type lossy struct {
	client.Handler
	deaf *deaf
}

func (l *lossy) Answer(a *order.Answer) {
	l.deaf.n++
	if l.deaf.n%l.deaf.every == 0 {
		return
	}
	l.Handler.Answer(a)
	if l.deaf.n%l.deaf.every == 1 {
		l.Handler.Answer(a)
	}
}

func TestLossAndRepetitionAreFound(t *testing.T) {
	v := &virtual{}
	cfg := config(t, v)
	cfg.DrainNs = 1e7
	connections := echoes(v, 2, EchoConfig{ResponseNs: 1_000})
	for i := range connections {
		connections[i] = &deaf{Echo: connections[i].(*Echo), every: 1_000}
	}
	o := mustRun(t, cfg, connections)
	if o.Result.Valid || o.Result.Orders.Unanswered == 0 || o.Result.Orders.Duplicates == 0 || o.Evidence.StreamGaps == 0 {
		t.Errorf("orders %+v, evidence %+v", o.Result.Orders, o.Evidence)
	}
	all := strings.Join(o.Result.InvalidBecause, "; ")
	for _, want := range []string{"were not answered", "came twice", "holes in the answer streams"} {
		if !strings.Contains(all, want) {
			t.Errorf("invalid because %q, want %q in it", all, want)
		}
	}
}

func TestCancellingEndsTheRunAndSaysSo(t *testing.T) {
	v := &virtual{}
	cfg := config(t, v)
	ctx, cancel := context.WithCancel(context.Background())
	cfg.Requests, cfg.Pace = 1_000_000, pace.Config{Mode: pace.ModeRate, RatePerSecond: 100_000}
	cfg.Progress = func(done, _, _ uint64) {
		if done > 10_000 {
			cancel()
		}
	}
	o, err := RunOn(ctx, cfg, echoes(v, 2, EchoConfig{ResponseNs: 20_000}))
	if err != nil {
		t.Fatal(err)
	}
	if !o.Evidence.Interrupted || o.Result.Orders.Unanswered != 0 || o.Counts.Sent >= 1_000_000 {
		t.Errorf("interrupted %v, orders %+v", o.Evidence.Interrupted, o.Result.Orders)
	}
}

// broken fails once it has answered a while.
type broken struct {
	*Echo
	polls int
}

var errBroken = errors.New("broken")

func (b *broken) Poll(h client.Handler) (int, error) {
	if b.polls++; b.polls > 100 {
		return 0, errBroken
	}
	return b.Echo.Poll(h)
}

func TestABrokenSessionEndsTheRunWithWhatWasFound(t *testing.T) {
	v := &virtual{}
	cfg := config(t, v)
	connections := echoes(v, 2, EchoConfig{})
	connections[1] = &broken{Echo: connections[1].(*Echo)}
	o, err := RunOn(context.Background(), cfg, connections)
	if !errors.Is(err, errBroken) || !strings.Contains(err.Error(), "session 1") {
		t.Fatalf("got %v", err)
	}
	if o == nil || o.Result.Orders.Answered == 0 || !strings.Contains(strings.Join(o.Result.InvalidBecause, "; "), "broken") {
		t.Errorf("the outcome is %+v", o)
	}
}

func TestConfigSaysEverythingAtOnce(t *testing.T) {
	_, err := Run(context.Background(), Config{Requests: 5, WarmUp: 5, InFlightMax: -1, DrainNs: -1, Pace: pace.Config{Mode: 7}})
	for _, want := range []string{"Day has nothing", "Instrument is 0", "Mode is 7", "WarmUp is 5", "InFlightMax is -1", "DrainNs is -1"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q in it", err, want)
		}
	}
	v := &virtual{}
	if _, err := RunOn(context.Background(), config(t, v), echoes(v, 1, EchoConfig{})); err == nil ||
		!strings.Contains(err.Error(), "uses 2 sessions but there are 1") {
		t.Errorf("got %v", err)
	}
}

// TestADayOfUnknownExecutionsEnds: such a day has events to send by kind, but
// gives no request; playing it again would not either.
func TestADayOfUnknownExecutionsEnds(t *testing.T) {
	v := &virtual{}
	cfg := config(t, v)
	cfg.Requests = 10
	cfg.Day = &flow.Day{Events: []flow.Event{{Kind: flow.KindExecute, Side: order.SideBuy, Qty: 1, Price: 1, Order: 1}}}
	cfg.Day.Meta.Counts[flow.KindExecute] = 1
	o := mustRun(t, cfg, echoes(v, 2, EchoConfig{}))
	if o.Counts.Sent != 0 || o.Result.Valid {
		t.Errorf("counts are %+v, valid %v", o.Counts, o.Result.Valid)
	}
}

// TestSendLoopDoesNotAllocate drives the loop by hand, a send and a poll a
// turn.
func TestSendLoopDoesNotAllocate(t *testing.T) {
	v := &virtual{}
	cfg := config(t, v)
	cfg.Day, cfg.Requests = generated(t, 50_000), 1<<40
	r, err := newRun(cfg.withDefaults(), echoes(v, 2, EchoConfig{ResponseNs: 100}))
	if err != nil {
		t.Fatal(err)
	}
	r.fetch()
	if r.schedule, err = pace.NewSchedule(cfg.Pace); err != nil {
		t.Fatal(err)
	}
	never := func() bool { return false }
	turn := func() {
		if _, err := r.send(never); err != nil {
			t.Fatal(err)
		}
		if _, err := r.poll(true); err != nil {
			t.Fatal(err)
		}
	}
	for range 3_000 {
		turn()
	}
	if n := testing.AllocsPerRun(500, turn); n != 0 {
		t.Errorf("%v allocations in a turn of up to %d requests", n, burstMax)
	}
	if r.sent < 100_000 || r.sessions[0].ledger.Counts().Answered == 0 {
		t.Errorf("only %d requests were sent", r.sent)
	}
}

func BenchmarkHarness(b *testing.B) {
	v := &virtual{}
	cfg := config(b, v)
	cfg.Day, cfg.Requests = generated(b, 100_000), uint64(b.N)
	connections := echoes(v, 2, EchoConfig{ResponseNs: 100})
	b.ResetTimer()
	mustRun(b, cfg, connections)
}
