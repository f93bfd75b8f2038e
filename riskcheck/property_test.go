package riskcheck_test

import (
	"flag"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"tollgate/internal/testseed"
	"tollgate/order"
	"tollgate/riskcheck"
)

// opsFlag sets the length of the property test; TOLLGATE_OPS does the same.
var opsFlag = flag.Int("ops", 0, "inputs of TestEngineAgainstOracle (0: the default)")

const (
	// opsDefault is the length of the property test in an ordinary run, in inputs.
	opsDefault = 80_000
	// opsShort is that of a run under -short.
	opsShort = 4_000
	// seedDefault begins the series of seeds of an ordinary run.
	seedDefault = 1
)

// TestEngineAgainstOracle lets random interleavings of everything that can
// happen loose on the engine and on the naive model, and compares them after
// every step. Lives are independent of each other: each has its own seed and can
// be had again alone.
func TestEngineAgainstOracle(t *testing.T) {
	ops, seed, alone := runSize(t)
	run := &lives{t: t, ops: int64(ops), counts: map[order.Reason]int{}}
	run.seed.Store(seed)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(run.work)
	}
	workers.Wait()
	t.Logf("%d inputs, seeds from %d to %d", run.done.Load(), seed, run.seed.Load()-1)
	if !t.Failed() {
		reportReasons(t, run.counts, ops >= opsDefault && !alone)
	}
}

// lives are the lives of one run, shared out to several workers.
type lives struct {
	t      *testing.T
	ops    int64
	seed   atomic.Uint64 // of the next life
	done   atomic.Int64
	failed atomic.Bool
	mu     sync.Mutex
	counts map[order.Reason]int
}

// work lives one life after another until enough is done.
func (l *lives) work() {
	for l.done.Load() < l.ops && !l.failed.Load() {
		seed := l.seed.Add(1) - 1
		d := newLife(l.t, seed, true)
		d.live()
		l.done.Add(int64(d.inputs))
		l.mu.Lock()
		for reason, n := range d.counts {
			l.counts[reason] += n
		}
		l.mu.Unlock()
		if d.failed {
			l.failed.Store(true)
			lookCloser(l.t, seed, d.failure)
		}
	}
}

// lookCloser lives a life again that went wrong, and compares everything after
// each input, to find the first difference there is.
func lookCloser(t *testing.T, seed uint64, failure string) {
	d := newLife(t, seed, false)
	d.live()
	if !d.failed {
		t.Errorf("a closer look found nothing; it was:\n%s", failure)
	}
}

// runSize reads how long and from which seed to run.
func runSize(t *testing.T) (ops int, seed uint64, alone bool) {
	t.Helper()
	ops, seed = opsDefault, seedDefault
	if testing.Short() {
		ops = opsShort
	}
	text := os.Getenv("TOLLGATE_OPS")
	if text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatalf("TOLLGATE_OPS is %q, want a number", text)
		}
		ops, seed = n, testseed.New(t)
	}
	if *opsFlag > 0 {
		ops = *opsFlag
	}
	if given, ok := testseed.Given(t); ok {
		return ops, given, text == ""
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
		if r < order.ReasonKillSwitch || r > order.ReasonBasketIncomplete {
			continue
		}
		t.Logf("%5d %-24v %d", r, r, counts[r])
		if all && counts[r] == 0 {
			t.Errorf("reason %v never occurred", r)
		}
	}
}

// newLife returns a duel in the small universe in which everybody is connected.
func newLife(t *testing.T, seed uint64, sparse bool) *duel {
	t.Helper()
	d := newDuel(t, boundsOf(seed), smallRoll(), map[order.Reason]int{})
	d.seed, d.r, d.sparse = seed, rand.New(rand.NewPCG(seed, 7018)), sparse
	d.venue = newVenueModel(d.r)
	d.accepted(d.applyWorld(smallWorld()))
	d.accepted(d.applyLimits(randomLimits(d.r, &d.world, max(d.now, d.oracle.now))))
	d.venueUp(1, 1)
	d.fxRate("EUR", usualRates["EUR"], d.now)
	d.day = 20270115
	d.rollDay(d.day)
	for _, s := range d.world.sessions {
		d.ledger[s.id] = &ledger{finals: map[uint64]bool{}}
		d.login(s.id, s.client, 1, 0)
	}
	return d
}

// live is one life of an engine, until nothing is open any more.
func (d *duel) live() {
	length := 300 + d.r.IntN(500)
	for d.step = 1; d.step <= length && !d.failed; d.step++ {
		d.passTime()
		if d.r.IntN(restoresEvery) == 0 {
			d.restore()
		}
		if d.r.IntN(60) == 0 {
			d.atAnEdge()
			continue
		}
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
	if !d.oracle.venueUp && d.r.IntN(6) == 0 {
		d.venueUp(1, d.venue.next)
		return
	}
	switch dice := d.r.IntN(1000); {
	case dice < 430:
		d.randomRequest()
	case dice < 455:
		d.randomBasket()
	case dice < 760:
		d.venueActs()
	case dice < 810:
		d.randomPrice()
	case dice < 830:
		d.tick()
	case dice < 842:
		d.randomLogin()
	case dice < 850:
		d.randomDisconnect()
	case dice < 857:
		d.toggleVenue()
	case dice < 868:
		d.accepted(d.applyWorld(changeWorld(d.r, d.world)))
	case dice < 877:
		d.accepted(d.applyLimits(randomLimits(d.r, &d.world, max(d.now, d.oracle.now))))
	case dice < 879:
		d.kill(d.anyScope())
	case dice < 905:
		d.endKill()
	case dice < 955:
		d.endLatch()
	default:
		d.randomState()
	}
}

func (d *duel) anyScope() order.Scope {
	s := randomScope(d.r, &d.world, anywhere)
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

// endLatch mostly ends a latch that is in force.
func (d *duel) endLatch() {
	s, l := d.anyScope(), riskcheck.Latch(1+d.r.IntN(7))
	if n := len(d.oracle.latched); n > 0 && d.r.IntN(20) != 0 {
		is := d.oracle.latched[d.r.IntN(n)]
		s, l = is.scope, is.latch
	} else if d.r.IntN(8) != 0 {
		return
	}
	d.release(s, l)
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
		Time: d.now - d.r.Int64N(3e9), Instrument: order.InstrumentID(1 + d.r.IntN(5)),
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
	for _, s := range d.world.sessions { // which ends lists that are not complete
		d.login(s.id, s.client, d.ledger[s.id].outSeq+1, 0)
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
	d.nothingReserved()
	d.replayStreams()
	for id, l := range d.ledger {
		for ref := uint64(1); ref < d.oracle.session(id).nextRef; ref++ {
			if !l.finals[ref] && !in(unanswerable{id, ref}, d.oracle.unanswerable) {
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
	for id, l := range d.ledger {
		for i := range l.answers {
			if uint64(i)+1 < d.oracle.session(id).oldest {
				continue
			}
			if a := d.engine.Answer(id, uint64(i)+1); a == nil || *a != l.answers[i] {
				d.fail("answer %d of %s is %+v, was %+v", i+1, d.roll.session(id), a, l.answers[i])
				return
			}
		}
	}
}
