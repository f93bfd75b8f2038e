package riskcheck_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"tollgate/order"
	"tollgate/riskcheck"
)

const (
	// rememberedSteps is how many steps a failing run prints.
	rememberedSteps = 300
	// expectationsEvery is how rarely the engine is told of a request in advance.
	expectationsEvery = 3
)

// duel gives the same inputs to the engine and to the oracle and compares
// everything that can be seen of them.
type duel struct {
	t       *testing.T
	seed    uint64
	step    int
	now     int64
	r       *rand.Rand
	config  riskcheck.Config // of the engine
	engine  *riskcheck.Engine
	twin    *riskcheck.Engine // nil, or a second engine given the same inputs
	oracle  *oracle
	roll    *roll
	world   world
	limits  []limitRow
	venue   *venueModel
	script  []remembered
	counts  map[order.Reason]int
	ledger  map[order.SessionID]*ledger
	sparse  bool   // compare what is used of limits bit by bit, not all after each step
	inputs  int    // so far
	day     uint32 // of the firm
	basket  order.BasketID
	failed  bool   //
	failure string // of a sparse run, which has it found again by an exact one
}

// remembered is one line of what a failing run prints, written if it is.
type remembered struct {
	step int
	text func() string
}

// ledger is what one client has seen.
type ledger struct {
	outSeq  uint64
	answers []order.Answer
	finals  map[uint64]bool
	fresh   order.ClOrdID
}

// newDuel returns an engine and an oracle that know nothing yet.
func newDuel(t *testing.T, b bounds, names *roll, counts map[order.Reason]int) *duel {
	t.Helper()
	config := smallConfig()
	config.ClOrdIDsMax, config.OrdersMax, config.RoutesMax = b.clOrdIDs, b.orders, b.routes
	engine, err := riskcheck.New(config)
	if err != nil {
		t.Fatal(err)
	}
	d := &duel{
		t: t, now: dayStart, config: config, engine: engine, roll: names, counts: counts, ledger: map[order.SessionID]*ledger{},
		oracle: newOracle(config.Epoch, config.TokenKey, config.TokenLifetimeNs, b),
	}
	config.HashSeed++
	if d.twin, err = riskcheck.New(config); err != nil {
		t.Fatal(err)
	}
	return d
}

// accepted ends a run whose settings were refused.
func (d *duel) accepted(err error) {
	d.t.Helper()
	if err != nil {
		d.fail("refused: %v", err)
	}
}

// note remembers a step for the script that a failure prints.
func (d *duel) note(format string, args ...any) {
	d.remember(func() string { return fmt.Sprintf(format, args...) })
}

// remember remembers a step that is not put into words unless it is printed.
func (d *duel) remember(text func() string) {
	d.script = append(d.script, remembered{d.step, text})
	if len(d.script) > 4*rememberedSteps {
		d.script = append([]remembered{}, d.script[len(d.script)-rememberedSteps:]...)
	}
}

// fail ends a run and says how to repeat it.
func (d *duel) fail(format string, args ...any) {
	d.t.Helper()
	if d.failed {
		return
	}
	d.failed = true
	var last []string
	for _, r := range d.script[max(0, len(d.script)-rememberedSteps):] {
		last = append(last, fmt.Sprintf("%d: %s", r.step, r.text()))
	}
	d.failure = fmt.Sprintf("seed %d step %d: %s\nrepeat with TOLLGATE_SEED=%d TOLLGATE_OPS=1\nlast steps:\n%s", d.seed,
		d.step, fmt.Sprintf(format, args...), d.seed, strings.Join(last, "\n"))
	if !d.sparse {
		d.t.Error(d.failure)
	}
}

// each gives an input to the engine and to its twin; what the engine returns is
// what counts.
func (d *duel) each(input func(e *riskcheck.Engine)) {
	if d.twin != nil {
		input(d.twin)
	}
	input(d.engine)
}

// followEngine tells the oracle what the rules leave to the engine.
func (d *duel) followEngine() {
	d.oracle.engineOrder = canceledOrders(d.engine)
	d.oracle.engineFences = fences(d.engine)
	d.oracle.engineTold = alertsOf(d.engine)
	d.oracle.engineSaid = refusals(d.engine)
	d.oracle.enginePace = pace(d.engine)
}

func (d *duel) request(r *order.Request) {
	now, said := d.now, *r
	d.remember(func() string { return "+" + clockText(now) + " " + d.roll.requestText(&said) })
	sim := d.simulate(r)
	if d.inputs%expectationsEvery == 0 { // the twin is told of nothing in advance
		d.engine.Expect(r)
	}
	d.each(func(e *riskcheck.Engine) { e.Request(d.now, r) })
	d.followEngine()
	d.oracle.request(d.now, r)
	d.compare(inOrder)
	if d.failed {
		return
	}
	d.compareSimulation(r, sim)
	if v := d.acceptedAlone(); v != nil {
		d.withinLimits(v)
	}
}

func (d *duel) report(r *order.Report) {
	now, said := d.now, *r
	d.remember(func() string { return "+" + clockText(now) + " " + d.roll.reportText(&said) })
	d.each(func(e *riskcheck.Engine) { e.Report(d.now, r) })
	d.followEngine()
	d.oracle.report(d.now, r)
	d.compare(inAnyOrder)
}

func (d *duel) price(p *order.ReferencePrice) {
	now, said := d.now, *p
	d.remember(func() string {
		return fmt.Sprintf("+%s price %s %v %v seen %s", clockText(now), d.roll.instrument(said.Instrument), said.Source,
			said.Price, clockText(said.Time))
	})
	d.each(func(e *riskcheck.Engine) { e.Price(d.now, p) })
	d.followEngine()
	d.oracle.price(d.now, p)
	d.compare(inAnyOrder)
}

func (d *duel) tick() {
	d.note("+%s tick", clockText(d.now))
	d.each(func(e *riskcheck.Engine) { e.Tick(d.now) })
	d.followEngine()
	d.oracle.tick(d.now)
	d.compare(inAnyOrder)
}

func (d *duel) login(s order.SessionID, client uint32, want uint64, windowNs int64) welcome {
	now := d.now
	d.remember(func() string {
		return fmt.Sprintf("+%s login %s client %d want %d window %d", clockText(now), d.roll.session(s), client, want,
			windowNs)
	})
	var got riskcheck.LoginResult
	d.each(func(e *riskcheck.Engine) {
		got = e.Login(d.now, riskcheck.Login{Session: s, Client: client, WantOutSeq: want, CancelOnDisconnectNs: windowNs})
	})
	d.followEngine()
	d.oracle.engineOldest = got.OldestOutSeq
	expected := d.oracle.login(d.now, s, client, want, windowNs)
	seen := welcome{got.OK, got.NextRef, got.NextOutSeq, got.OldestOutSeq, got.Connection}
	if !got.OK {
		seen = welcome{}
	}
	if seen != expected {
		d.fail("login differs\nengine: %+v\noracle: %+v", got, expected)
		return seen
	}
	d.compare(inAnyOrder)
	return seen
}

func (d *duel) disconnect(s order.SessionID, c order.ConnectionID) {
	d.note("+%s disconnect %s connection %d", clockText(d.now), d.roll.session(s), c)
	d.each(func(e *riskcheck.Engine) { e.Disconnected(d.now, s, c) })
	d.followEngine()
	d.oracle.disconnected(d.now, s, c)
	d.compare(inAnyOrder)
}

func (d *duel) venueUp(instance, next uint64) bool {
	d.note("+%s venue up, instance %d, next report %d", clockText(d.now), instance, next)
	var got bool
	d.each(func(e *riskcheck.Engine) { got = e.VenueUp(d.now, instance, next) })
	d.followEngine()
	if want := d.oracle.reachVenue(d.now, instance, next); got != want {
		d.fail("venue up: engine %v, oracle %v", got, want)
		return got
	}
	d.compare(inAnyOrder)
	return got
}

func (d *duel) venueDown() {
	d.note("+%s venue down", clockText(d.now))
	d.each(func(e *riskcheck.Engine) { e.VenueDown(d.now) })
	d.followEngine()
	d.oracle.loseVenue(d.now)
	if d.venue != nil {
		d.venue.lose()
	}
	d.compare(inAnyOrder)
}

// applyWorld and applyLimits return the engine's refusal; the oracle does not
// hear of what was refused.
func (d *duel) applyWorld(w world) error {
	now := d.now
	d.remember(func() string { return "+" + clockText(now) + " reference data: " + d.roll.worldText(&w) })
	var err error
	d.each(func(e *riskcheck.Engine) { err = e.ApplyReference(d.now, w.reference()) })
	if err != nil {
		return err
	}
	d.world = w
	d.followEngine()
	d.oracle.applyReference(d.now, w)
	d.compare(inAnyOrder)
	return nil
}

func (d *duel) applyLimits(rows []limitRow) error {
	d.remember(func() string { return d.roll.limitsText(rows) })
	var err error
	d.each(func(e *riskcheck.Engine) { err = e.ApplyLimits(d.now, limitSet(rows)) })
	if err != nil {
		return err
	}
	d.limits = rows
	d.followEngine()
	d.oracle.applyLimits(d.now, rows)
	if got := d.engine.ConfigVersion(); got != d.oracle.version {
		d.fail("config version is %d, want %d", got, d.oracle.version)
	}
	d.compare(inAnyOrder)
	return nil
}

func (d *duel) kill(s order.Scope) bool {
	d.note("+%s kill %s", clockText(d.now), d.roll.scope(s))
	var err error
	d.each(func(e *riskcheck.Engine) { _, err = e.Kill(d.now, s) })
	d.followEngine()
	if ok := d.oracle.kill(d.now, s); ok != (err == nil) {
		d.fail("kill: engine says %v, oracle %v", err, ok)
		return false
	}
	d.compare(inAnyOrder)
	return err == nil
}

func (d *duel) unkill(s order.Scope) bool {
	d.note("+%s unkill %s", clockText(d.now), d.roll.scope(s))
	var err error
	d.each(func(e *riskcheck.Engine) { err = e.Unkill(d.now, s) })
	d.followEngine()
	if ok := d.oracle.unkill(d.now, s); ok != (err == nil) {
		d.fail("unkill: engine says %v, oracle %v", err, ok)
		return false
	}
	d.compare(inAnyOrder)
	return err == nil
}
