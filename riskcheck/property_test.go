package riskcheck_test

import (
	"flag"
	"math"
	"os"
	"strconv"
	"testing"

	"tollgate/internal/testseed"
	"tollgate/order"
)

// opsFlag sets the length of the property test; TOLLGATE_OPS does the same.
var opsFlag = flag.Int("ops", 0, "steps of TestEngineAgainstOracle (0: the default)")

const (
	// opsDefault is the length of the property test in an ordinary run.
	opsDefault = 50_000
	// seedDefault begins the series of seeds of an ordinary run.
	seedDefault = 1
)

// TestEngineAgainstOracle lets random interleavings of everything that can
// happen loose on the engine and on the naive model, and compares them after
// every step.
func TestEngineAgainstOracle(t *testing.T) {
	ops, seed, alone := runSize(t)
	counts := map[order.Reason]int{}
	done := 0
	for lives := 0; done < ops; lives++ {
		d := newLife(t, seed+uint64(lives), boundsOf(seed+uint64(lives)), counts)
		d.live()
		done += d.step
		if d.failed {
			return
		}
	}
	t.Logf("%d steps, seeds from %d", done, seed)
	reportReasons(t, counts, ops >= opsDefault && !alone)
}

// runSize reads how long and from which seed to run.
func runSize(t *testing.T) (ops int, seed uint64, alone bool) {
	t.Helper()
	ops, seed = opsDefault, seedDefault
	if text := os.Getenv("TOLLGATE_OPS"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatalf("TOLLGATE_OPS is %q, want a number", text)
		}
		ops = n
	}
	if *opsFlag > 0 {
		ops = *opsFlag
	}
	if given, ok := testseed.Given(t); ok {
		return ops, given, os.Getenv("TOLLGATE_OPS") == ""
	}
	return ops, seed, false
}

// boundsOf gives every fourth life a table that fills up.
func boundsOf(seed uint64) bounds {
	b := wide
	switch seed % 8 {
	case 0:
		b.clOrdIDs = 128
	case 4:
		b.orders = 32
	}
	return b
}

// reportReasons prints how often every reason occurred and, for a run that is
// long enough, demands that each of them did.
func reportReasons(t *testing.T, counts map[order.Reason]int, all bool) {
	t.Helper()
	for _, r := range order.Reasons() {
		if r < order.ReasonKillSwitch || r > order.ReasonNetExposure {
			continue
		}
		t.Logf("%5d %-24v %d", r, r, counts[r])
		if all && counts[r] == 0 {
			t.Errorf("reason %v never occurred", r)
		}
	}
}

// live is one life of an engine, until nothing is open any more.
func (d *duel) live() {
	length := 300 + d.r.IntN(500)
	for d.step = 1; d.step <= length && !d.failed; d.step++ {
		d.passTime()
		d.anything()
	}
	d.settle()
}

// passTime moves the clock on, sometimes far and sometimes back.
func (d *duel) passTime() {
	switch dice := d.r.IntN(1000); {
	case dice < 30:
		d.now += d.r.Int64N(2e9)
	case dice < 40:
		d.now -= d.r.Int64N(1e9)
	case dice < 43:
		d.now += 70e9
	case dice < 700:
		d.now += d.r.Int64N(40e6)
	}
}

// anything does one of the things that can happen.
func (d *duel) anything() {
	if !d.oracle.venueUp && d.r.IntN(15) == 0 {
		d.venueUp(1, d.venue.next)
		return
	}
	switch dice := d.r.IntN(1000); {
	case dice < 480:
		d.randomRequest()
	case dice < 840:
		d.venueActs()
	case dice < 900:
		d.randomPrice()
	case dice < 930:
		d.tick()
	case dice < 945:
		d.randomLogin()
	case dice < 955:
		d.randomDisconnect()
	case dice < 962:
		d.toggleVenue()
	case dice < 974:
		d.accepted(d.applyWorld(changeWorld(d.r, d.world)))
	case dice < 984:
		d.accepted(d.applyLimits(randomLimits(d.r, &d.world)))
	case dice < 986:
		d.kill(d.anyScope())
	default:
		d.endKill()
	}
}

func (d *duel) anyScope() order.Scope {
	s := randomScope(d.r, &d.world, false)
	if d.r.IntN(20) == 0 {
		s.ID += 77
	}
	return s
}

// endKill mostly lifts a kill that is in force.
func (d *duel) endKill() {
	s := d.anyScope()
	if n := len(d.oracle.killed); n > 0 && d.r.IntN(10) != 0 {
		s = d.oracle.killed[d.r.IntN(n)]
	} else if d.r.IntN(4) != 0 {
		return
	}
	d.unkill(s)
}

func (d *duel) venueActs() {
	if !d.oracle.venueUp {
		return
	}
	if r := d.venue.act(); r != nil {
		d.report(r)
	}
}

func (d *duel) toggleVenue() {
	if d.oracle.venueUp && d.r.IntN(4) != 0 {
		d.venueDown()
		return
	}
	d.venueUp(1+d.r.Uint64N(8)/7, d.venue.next)
}

func (d *duel) randomPrice() {
	p := order.ReferencePrice{
		Time: d.now - d.r.Int64N(3e9), Instrument: order.InstrumentID(1 + d.r.IntN(3)),
		Source: order.PriceSource(1 + d.r.IntN(4)),
	}
	if d.r.IntN(50) == 0 {
		p.Instrument += 70
	}
	if d.r.IntN(50) == 0 {
		p.Source = order.PriceSource(d.r.IntN(2) * 9)
	}
	p.Price = d.around(p.Instrument, 200)
	switch d.r.IntN(40) {
	case 0:
		p.Price = order.Null
	case 1:
		p.Price = math.MaxInt64 - order.Price(d.r.Int64N(math.MaxInt64)) // a feed gone mad
	case 2, 3, 4:
		p.Time = d.now + d.r.Int64N(2)*d.r.Int64N(1e9)
	}
	d.price(&p)
}

// around draws a price near the settlement of an instrument, on its grid.
func (d *duel) around(i order.InstrumentID, ticks int64) order.Price {
	fresh := smallWorld()
	row := fresh.instrument(i)
	if row == nil {
		return 100 * order.PriceOne
	}
	return row.settlement + order.Price(d.r.Int64N(2*ticks+1)-ticks)*row.tick
}

func (d *duel) randomLogin() {
	s := d.world.sessions[d.r.IntN(len(d.world.sessions))]
	l := d.ledger[s.id]
	want, client := 1+d.r.Uint64N(l.outSeq+1), s.client
	switch d.r.IntN(20) {
	case 0:
		want = l.outSeq + 2
	case 1:
		client++
	case 2:
		s.id += 50
	}
	d.login(s.id, client, want, int64(d.r.IntN(4))*1e9)
}

func (d *duel) randomDisconnect() {
	s := d.world.sessions[d.r.IntN(len(d.world.sessions))]
	c := d.oracle.session(s.id).connection
	if d.r.IntN(5) == 0 {
		c = max(c, 1) - 1
	}
	d.disconnect(s.id, c)
}

// settle lets the venue answer everything and ends what is live; then nothing
// may be reserved and every request must have its one final answer.
func (d *duel) settle() {
	if d.failed {
		return
	}
	d.venueUp(1, d.venue.next)
	for !d.failed {
		r := d.venue.settle(d.believedLive)
		if r == nil {
			break
		}
		d.report(r)
	}
	if d.failed {
		return
	}
	for _, s := range d.world.nodes() {
		u, _ := d.engine.Usage(s)
		if u.OpenOrders != 0 || u.OpenBuyNotional != 0 || u.OpenSellNotional != 0 {
			d.fail("nothing is live, but %s has %+v", d.roll.scope(s), u)
		}
	}
	d.replayStreams()
	for id, l := range d.ledger {
		for ref := uint64(1); ref < d.oracle.session(id).nextRef; ref++ {
			if !l.finals[ref] {
				d.fail("%s: ref %d has no final answer", d.roll.session(id), ref)
			}
		}
	}
	if got := d.engine.Seq(); got != d.oracle.seq {
		d.fail("engine sequence is %d, want %d", got, d.oracle.seq)
	}
}

func (d *duel) believedLive(id order.OrderID) bool {
	ord := d.oracle.order(id)
	return ord != nil && ord.live()
}

// replayStreams reads every stream again from its beginning: an answer never
// changes after it was given.
func (d *duel) replayStreams() {
	for _, s := range d.oracle.sessions {
		for i := range s.answers {
			e := event{kind: eventAnswer, session: s.id, answer: s.answers[i]}
			want := d.full(&e)
			a := d.engine.Answer(s.id, uint64(i)+1)
			if a == nil {
				d.fail("answer %d of %s is gone, want %s", i+1, d.roll.session(s.id), want)
				return
			}
			e.answer = *a
			if got := d.full(&e); got != want {
				d.fail("answer changed\nnow: %s\nwas: %s", got, want)
			}
		}
	}
}
