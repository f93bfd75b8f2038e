package riskcheck_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tollgate/order"
	"tollgate/riskcheck"
)

// rememberedSteps is how many steps a failing run prints.
const rememberedSteps = 300

// duel gives the same inputs to the engine and to the oracle and compares
// everything that can be seen of them.
type duel struct {
	t      *testing.T
	seed   uint64
	step   int
	now    int64
	r      *rand.Rand
	engine *riskcheck.Engine
	twin   *riskcheck.Engine // nil, or a second engine given the same inputs
	oracle *oracle
	roll   *roll
	world  world
	limits []limitRow
	venue  *venueModel
	script []string
	counts map[order.Reason]int
	ledger map[order.SessionID]*ledger
	failed bool
}

// ledger is what one client has seen.
type ledger struct {
	outSeq uint64
	finals map[uint64]bool
	fresh  order.ClOrdID
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
		t: t, now: dayStart, engine: engine, roll: names, counts: counts, ledger: map[order.SessionID]*ledger{},
		oracle: newOracle(config.Epoch, config.TokenKey, config.TokenLifetimeNs, b),
	}
	config.HashSeed++
	if d.twin, err = riskcheck.New(config); err != nil {
		t.Fatal(err)
	}
	return d
}

// newLife returns a duel in the small universe in which everybody is connected.
func newLife(t *testing.T, seed uint64, b bounds, counts map[order.Reason]int) *duel {
	t.Helper()
	d := newDuel(t, b, smallRoll(), counts)
	d.seed, d.r = seed, rand.New(rand.NewPCG(seed, 7018))
	d.venue = newVenueModel(d.r)
	d.accepted(d.applyWorld(smallWorld()))
	d.accepted(d.applyLimits(randomLimits(d.r, &d.world)))
	d.venueUp(1, 1)
	for _, s := range d.world.sessions {
		d.ledger[s.id] = &ledger{finals: map[uint64]bool{}}
		d.login(s.id, s.client, 1, 0)
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
	d.script = append(d.script, fmt.Sprintf("%d: ", d.step)+fmt.Sprintf(format, args...))
	if len(d.script) > 4*rememberedSteps {
		d.script = slices.Clone(d.script[len(d.script)-rememberedSteps:])
	}
}

// fail ends a run and says how to repeat it.
func (d *duel) fail(format string, args ...any) {
	d.t.Helper()
	d.failed = true
	last := d.script[max(0, len(d.script)-rememberedSteps):]
	d.t.Errorf("seed %d step %d: %s\nrepeat with TOLLGATE_SEED=%d\nlast steps:\n%s", d.seed, d.step,
		fmt.Sprintf(format, args...), d.seed, strings.Join(last, "\n"))
}

// compare holds the effects of both against each other, line by line.
func (d *duel) compare() {
	d.t.Helper()
	got, want := engineEvents(d.engine, testKey()), d.oracle.out
	var gotText, wantText []string
	for i := range got {
		gotText = append(gotText, d.full(&got[i]))
	}
	for i := range want {
		wantText = append(wantText, d.full(&want[i]))
	}
	for _, line := range gotText {
		d.note("   -> %s", line)
	}
	if !slices.Equal(gotText, wantText) {
		d.fail("effects differ\nengine:\n  %s\noracle:\n  %s", strings.Join(gotText, "\n  "), strings.Join(wantText, "\n  "))
		return
	}
	for i := range got {
		d.observe(&got[i])
	}
	d.compareTwin()
	d.compareUsage()
}

// full renders an event with the parts that scripts leave out.
func (d *duel) full(e *event) string {
	text := d.roll.render(e)
	switch e.kind {
	case eventVerdict:
		return fmt.Sprintf("%s expires %s group %d", text, clockText(e.verdict.Token.Expiry), e.verdict.Group)
	case eventAnswer:
		return fmt.Sprintf("%s config %d exec %d time %s", text, e.answer.ConfigVersion, e.answer.ExecID,
			clockText(e.answer.TransactTime))
	}
	return text
}

// observe is what venue and clients make of an effect.
func (d *duel) observe(e *event) {
	switch e.kind {
	case eventVerdict:
		if d.venue != nil {
			d.venue.take(e.verdict)
		}
	case eventAnswer:
		d.counts[e.answer.Decision.Reason]++
		l := d.ledger[e.session]
		if l == nil {
			return
		}
		if e.outSeq != l.outSeq+1 {
			d.fail("stream of %s has a gap: %d follows %d", d.roll.session(e.session), e.outSeq, l.outSeq)
		}
		l.outSeq = e.outSeq
		if ref := e.answer.Ref; ref != 0 {
			if l.finals[ref] {
				d.fail("%s: ref %d was answered twice", d.roll.session(e.session), ref)
			}
			l.finals[ref] = true
		}
	}
}

// withinLimits holds an accepted new order against the limits in force that no
// order may pass, from the engine's own usage.
func (d *duel) withinLimits(v *order.Verdict) {
	id := identity{v.Group, v.Account, v.Trader, v.Session, v.Instrument}
	for _, s := range id.scopes(d.world.firm) {
		u, _ := d.engine.Usage(s)
		for _, row := range d.limits {
			if row.scope != s {
				continue
			}
			if row.kind == limitOpenOrders && u.OpenOrders > row.value ||
				row.kind == limitOpenNotional && int64(u.OpenBuyNotional+u.OpenSellNotional) > row.value ||
				row.kind == limitMaxOrderQty && int64(v.OrderQty) > row.value {
				d.fail("accepted order %d breaks %s %d at %s: %+v", v.OrderID, row.kind, row.value, d.roll.scope(s), u)
			}
		}
	}
}

// compareUsage holds the usage of every scope against a fresh sum.
func (d *duel) compareUsage() {
	for s, want := range d.oracle.usage() {
		if !d.failed {
			d.compareScope(s, want)
		}
	}
}

func (d *duel) compareScope(s order.Scope, want *measured) {
	u, ok := d.engine.Usage(s)
	if !ok {
		d.fail("usage of %s: the engine does not know the scope", d.roll.scope(s))
		return
	}
	same := u.OpenOrders == want.orders && d.engine.OpenOrders(s) == want.orders &&
		equal(u.OpenBuyNotional, want.buyValue) && equal(u.OpenSellNotional, want.sellValue) &&
		u.Overflown == want.overflown()
	if !u.Overflown {
		same = same && equal(u.GrossValue, want.gross) && equal(u.NetValue, want.net)
	}
	if s.Instrument != 0 {
		same = same && equal(u.OpenBuyQty, want.buyQty) && equal(u.OpenSellQty, want.sellQty) &&
			equal(u.FilledBuyQty, want.boughtQty) && equal(u.FilledSellQty, want.soldQty)
	}
	if !same {
		d.fail("usage of %s differs\nengine: %+v\noracle: %+v", d.roll.scope(s), u, *want)
	}
}

func equal[T ~int64](got T, want *big.Int) bool { return want.IsInt64() && want.Int64() == int64(got) }

// each gives an input to the engine and to its twin; what the engine returns is
// what counts.
func (d *duel) each(input func(e *riskcheck.Engine)) {
	if d.twin != nil {
		input(d.twin)
	}
	input(d.engine)
}

// compareTwin demands that two engines that were given the same are equal, down
// to the bytes of the tokens.
func (d *duel) compareTwin() {
	if d.twin == nil {
		return
	}
	a, b := engineEvents(d.engine, testKey()), engineEvents(d.twin, testKey())
	if !slices.Equal(a, b) {
		d.fail("twins differ\none: %+v\nother: %+v", a, b)
	}
}

// followEngine tells the oracle what the rules leave to the engine.
func (d *duel) followEngine() {
	d.oracle.engineOrder = canceledOrders(d.engine)
	d.oracle.engineSaid = refusal(d.engine)
	d.oracle.enginePace = pace(d.engine)
}

func (d *duel) request(r *order.Request) {
	d.note("+%s %s", clockText(d.now), d.roll.requestText(r))
	d.each(func(e *riskcheck.Engine) { e.Request(d.now, r) })
	d.followEngine()
	d.oracle.request(d.now, r)
	d.compare()
	for _, f := range d.engine.Effects() {
		if f.Kind == riskcheck.EffectVerdict && f.Verdict.MsgType == order.MsgNewOrder {
			d.withinLimits(&f.Verdict)
		}
	}
}

func (d *duel) report(r *order.Report) {
	d.note("+%s %s", clockText(d.now), d.roll.reportText(r))
	d.each(func(e *riskcheck.Engine) { e.Report(d.now, r) })
	d.oracle.report(d.now, r)
	d.compare()
}

func (d *duel) price(p *order.ReferencePrice) {
	d.note("+%s price %s %v %v seen %s", clockText(d.now), d.roll.instrument(p.Instrument), p.Source, p.Price,
		clockText(p.Time))
	d.each(func(e *riskcheck.Engine) { e.Price(d.now, p) })
	d.oracle.price(d.now, p)
	d.compare()
}

func (d *duel) tick() {
	d.note("+%s tick", clockText(d.now))
	d.each(func(e *riskcheck.Engine) { e.Tick(d.now) })
	d.followEngine()
	d.oracle.tick(d.now)
	d.compare()
}

func (d *duel) login(s order.SessionID, client uint32, want uint64, windowNs int64) welcome {
	d.note("+%s login %s client %d want %d window %d", clockText(d.now), d.roll.session(s), client, want, windowNs)
	var got riskcheck.LoginResult
	d.each(func(e *riskcheck.Engine) {
		got = e.Login(d.now, riskcheck.Login{Session: s, Client: client, WantOutSeq: want, CancelOnDisconnectNs: windowNs})
	})
	expected := d.oracle.login(d.now, s, client, want, windowNs)
	seen := welcome{got.OK, got.NextRef, got.NextOutSeq, got.OldestOutSeq, got.Connection}
	if !got.OK {
		seen = welcome{}
	}
	if seen != expected {
		d.fail("login differs\nengine: %+v\noracle: %+v", got, expected)
		return seen
	}
	d.compare()
	return seen
}

func (d *duel) disconnect(s order.SessionID, c order.ConnectionID) {
	d.note("+%s disconnect %s connection %d", clockText(d.now), d.roll.session(s), c)
	d.each(func(e *riskcheck.Engine) { e.Disconnected(d.now, s, c) })
	d.oracle.disconnected(d.now, s, c)
	d.compare()
}

func (d *duel) venueUp(instance, next uint64) bool {
	d.note("+%s venue up, instance %d, next report %d", clockText(d.now), instance, next)
	var got bool
	d.each(func(e *riskcheck.Engine) { got = e.VenueUp(d.now, instance, next) })
	if want := d.oracle.reachVenue(d.now, instance, next); got != want {
		d.fail("venue up: engine %v, oracle %v", got, want)
		return got
	}
	d.compare()
	return got
}

func (d *duel) venueDown() {
	d.note("+%s venue down", clockText(d.now))
	d.each(func(e *riskcheck.Engine) { e.VenueDown(d.now) })
	d.oracle.loseVenue(d.now)
	if d.venue != nil {
		d.venue.lose()
	}
	d.compare()
}

// applyWorld and applyLimits return the engine's refusal; the oracle does not
// hear of what was refused.
func (d *duel) applyWorld(w world) error {
	d.note("+%s reference data: %s", clockText(d.now), d.roll.worldText(&w))
	var err error
	d.each(func(e *riskcheck.Engine) { err = e.ApplyReference(d.now, w.reference()) })
	if err != nil {
		return err
	}
	d.world = w
	d.oracle.applyReference(d.now, w)
	d.compare()
	return nil
}

func (d *duel) applyLimits(rows []limitRow) error {
	for _, row := range rows {
		d.note("limit %s %s %d", d.roll.scope(row.scope), row.kind, row.value)
	}
	var err error
	d.each(func(e *riskcheck.Engine) { err = e.ApplyLimits(d.now, limitSet(rows)) })
	if err != nil {
		return err
	}
	d.limits = rows
	d.oracle.applyLimits(d.now, rows)
	if got := d.engine.ConfigVersion(); got != d.oracle.version {
		d.fail("config version is %d, want %d", got, d.oracle.version)
	}
	d.compare()
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
	d.compare()
	return err == nil
}

func (d *duel) unkill(s order.Scope) bool {
	d.note("+%s unkill %s", clockText(d.now), d.roll.scope(s))
	var err error
	d.each(func(e *riskcheck.Engine) { err = e.Unkill(d.now, s) })
	if ok := d.oracle.unkill(d.now, s); ok != (err == nil) {
		d.fail("unkill: engine says %v, oracle %v", err, ok)
		return false
	}
	d.compare()
	return err == nil
}
