package riskcheck_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"tollgate/order"
	"tollgate/riskcheck"
	"tollgate/riskcheck/input"
)

// firm makes up the day of a small firm: everything that can be given to an
// engine, garbage included, knowing of the engine only what it says.
type firm struct {
	r          *rand.Rand
	player     *player
	inputs     []storedInput
	now        int64
	sessions   [firmSessions + 1]firmSession // by number, from 1
	orders     []*firmOrder
	seen       map[uint64]bool // verdicts by sequence number
	said       order.Report    // the last report
	nextReport uint64
	exec       order.ExecID
	basket     order.BasketID
	day        uint32
	calendar   uint32

	// What has come out, for the coverage.
	kinds   map[input.Kind]int
	refused map[order.Reason]int
	reports map[order.ReportKind]int
	alerts  map[riskcheck.AlertCause]int
	latches map[riskcheck.Latch]int
}

// firmSession is what a client knows of its session.
type firmSession struct {
	connection order.ConnectionID
	ref        uint64
	name       order.ClOrdID
	outSeq     uint64
}

// newFirm returns a firm that is set up, with everybody logged in.
func newFirm(t *testing.T, seed uint64) *firm {
	t.Helper()
	f := &firm{
		r: rand.New(rand.NewPCG(seed, 3001)), player: newPlayer(t, 0), now: dayStart, seen: map[uint64]bool{},
		nextReport: 1, day: 20_261_201, calendar: 20_261_201, kinds: map[input.Kind]int{}, refused: map[order.Reason]int{},
		reports: map[order.ReportKind]int{}, alerts: map[riskcheck.AlertCause]int{}, latches: map[riskcheck.Latch]int{},
	}
	for _, in := range []input.Input{
		{Kind: input.KindReference, Reference: *firmReference(f.r, true)}, {Kind: input.KindLimits, Limits: *f.limitSet(false, false)},
	} {
		if out := f.give(in); out.Refused != nil {
			t.Fatalf("the firm cannot be set up: %s", out.Refused)
		}
	}
	for _, code := range []string{"EUR", "JPY"} {
		f.rate(code)
	}
	for a := range order.AccountID(firmAccounts) {
		f.give(input.Input{Kind: input.KindCash, Account: a + 1, Cash: 2e9})
	}
	for i := range order.InstrumentID(firmInstruments) {
		f.price(i + 1)
	}
	f.give(input.Input{Kind: input.KindVenueUp, Instance: 1, NextReport: 1})
	for s := range order.SessionID(firmSessions) {
		f.login(s + 1)
	}
	return f
}

// give gives the next input, looks at what comes of it, and returns what the
// engine returned.
func (f *firm) give(in input.Input) input.Outcome {
	f.inputs = append(f.inputs, storeInput(f.now, &in))
	f.kinds[in.Kind]++
	returned := f.player.give(f.now, &in)
	for _, e := range f.player.asked(in.Kind) {
		switch e.Kind {
		case riskcheck.EffectVerdict:
			f.take(&e.Verdict)
		case riskcheck.EffectAnswer:
			f.hear(f.player.engine.Answer(e.Session, e.OutSeq))
		case riskcheck.EffectAlert:
			f.alerts[e.Alert.Cause]++
			f.latches[e.Alert.Latch]++
		}
	}
	return returned
}

// hear takes an answer in.
func (f *firm) hear(a *order.Answer) {
	f.sessions[a.Session].outSeq = a.OutSeq
	f.refused[a.Decision.Reason]++
}

// step does one of the things that can happen.
func (f *firm) step() {
	f.passTime()
	if !f.player.engine.VenueIsUp() && f.r.IntN(15) == 0 {
		f.give(input.Input{Kind: input.KindVenueUp, Instance: 1, NextReport: f.nextReport})
		return
	}
	switch dice := f.r.IntN(1000); {
	case dice < 440:
		f.request()
	case dice < 800:
		f.venueActs()
	case dice < 870:
		f.price(f.instrument())
	case dice < 890:
		f.give(input.Input{Kind: input.KindTick})
	case dice < 950:
		f.office()
	case dice < 985:
		f.officer()
	default:
		f.link()
	}
}

// passTime moves the clock on, sometimes far and sometimes back.
func (f *firm) passTime() {
	switch dice := f.r.IntN(1000); {
	case dice < 20:
		f.now += f.r.Int64N(2e9)
	case dice < 25:
		f.now -= f.r.Int64N(1e9)
	case dice < 27:
		f.now += 70e9
	case dice < 600:
		f.now += f.r.Int64N(20e6)
	}
}

// office is what comes from the firm's other systems.
func (f *firm) office() {
	account, instrument := order.AccountID(1+f.r.IntN(firmAccounts)), f.instrument()
	qty := order.Qty(f.r.Int64N(1000)) * order.QtyOne
	if f.r.IntN(10) == 0 {
		qty *= 20 // more than there is of some instruments
	}
	switch f.r.IntN(8) {
	case 0:
		f.give(input.Input{Kind: input.KindCash, Account: account, Cash: order.Money(f.r.Int64N(4e9) - 1e8)})
	case 1:
		f.give(input.Input{
			Kind: input.KindPosition, Account: account, Instrument: instrument, Qty: qty - 500*order.QtyOne,
		})
	case 2, 3:
		f.give(input.Input{Kind: input.KindLocate, Account: account, Instrument: instrument, Qty: qty})
	case 4, 5:
		f.rate([]string{"EUR", "JPY", "XXX"}[f.r.IntN(3)])
	default:
		state := order.MarketOpen
		if f.r.IntN(6) == 0 {
			state = order.MarketState(f.r.IntN(6))
		}
		f.give(input.Input{Kind: input.KindMarketState, Instrument: instrument, Market: state, ShortRestricted: f.r.IntN(3) == 0})
	}
}

// officer is what people do who own the limits.
func (f *firm) officer() {
	switch f.r.IntN(20) {
	case 0:
		f.give(input.Input{Kind: input.KindKill, Scope: f.scope()})
	case 1, 2, 3, 9, 10:
		scope := f.scope()
		if killed := f.player.engine.Killed(); len(killed) > 0 {
			scope = killed[f.r.IntN(len(killed))]
		}
		f.give(input.Input{Kind: input.KindUnkill, Scope: scope})
	case 4:
		f.give(input.Input{Kind: input.KindReference, Reference: *firmReference(f.r, false)})
	case 5, 6:
		f.give(input.Input{Kind: input.KindLimits, Limits: *f.limitSet(f.r.IntN(12) == 0, f.r.IntN(3) == 0)})
	case 7:
		f.day += uint32(f.r.IntN(3))
		f.give(input.Input{Kind: input.KindRollDay, Day: f.day})
	case 8:
		f.calendar += uint32(f.r.IntN(3))
		f.give(input.Input{
			Kind: input.KindRollCalendar, Calendar: order.CalendarID(1 + f.r.IntN(2)), Day: f.calendar,
		})
	default:
		f.release()
	}
}

// release ends a latch that is in force, or one that is not.
func (f *firm) release() {
	in := input.Input{Kind: input.KindRelease, Scope: f.scope(), Latch: riskcheck.Latch(1 + f.r.IntN(8))}
	if latched := f.player.engine.Latched(); len(latched) > 0 && f.r.IntN(8) != 0 {
		one := latched[f.r.IntN(len(latched))]
		in.Scope, in.Latch = one.Scope, one.Latch
	}
	f.give(in)
}

// link is what happens to connections.
func (f *firm) link() {
	s := order.SessionID(1 + f.r.IntN(firmSessions))
	switch f.r.IntN(8) {
	case 0:
		f.login(s)
	case 1:
		if f.r.IntN(20) != 0 {
			f.login(s)
			return
		}
		f.give(input.Input{Kind: input.KindStart, Epoch: f.player.engine.Epoch() + 1})
		for i := range f.sessions {
			f.sessions[i].connection = 0
		}
		f.give(input.Input{Kind: input.KindVenueUp, Instance: 1, NextReport: f.nextReport})
	case 2:
		f.give(input.Input{Kind: input.KindDisconnected, Session: s, Connection: f.sessions[s].connection})
		f.sessions[s].connection = 0
	case 3:
		f.give(input.Input{Kind: input.KindVenueDown})
	case 4:
		f.give(input.Input{Kind: input.KindVenueUp, Instance: 1 + uint64(f.r.IntN(8)/7), NextReport: f.nextReport})
	default:
		f.give(input.Input{Kind: input.KindAckAnswers, Session: s, OutSeq: f.sessions[s].outSeq})
	}
}

// login logs a session in, at times with a window for cancel on disconnect.
func (f *firm) login(s order.SessionID) {
	state := &f.sessions[s]
	l := riskcheck.Login{
		Session: s, Client: uint32(s), WantOutSeq: state.outSeq + 1, CancelOnDisconnectNs: f.r.Int64N(2) * 1e9,
	}
	if f.r.IntN(20) == 0 {
		l.Client++
	}
	f.give(input.Input{Kind: input.KindLogin, Login: l})
	for _, known := range f.player.engine.Sessions() {
		if known.ID == s && known.Connected {
			state.connection, state.ref = known.Connection, known.NextRef
		}
	}
}

// rate gives a currency a rate, which may be old.
func (f *firm) rate(code string) {
	f.give(input.Input{
		Kind: input.KindFxRate, Currency: riskcheck.CurrencyOf(code), Rate: order.FxRateOne/2 + order.FxRate(f.r.Int64N(1e8)),
		SeenNs: f.now - f.r.Int64N(20e9),
	})
}

// price gives an instrument a price near its settlement, now and then madness.
func (f *firm) price(i order.InstrumentID) {
	p := order.ReferencePrice{
		Time: f.now - f.r.Int64N(2e9), Price: f.around(i, 300), Instrument: i, Source: order.PriceSource(1 + f.r.IntN(4)),
	}
	if i == firmUnsettled && p.Source == order.PriceSourceSettlement {
		p.Source = order.PriceSourceLast
	}
	switch f.r.IntN(200) {
	case 0:
		p.Price = order.Null
	case 1:
		p.Price = math.MaxInt64 - order.Price(f.r.Int64N(math.MaxInt64))
	case 2:
		p.Instrument += 70
	}
	f.give(input.Input{Kind: input.KindPrice, Price: p})
}

// around draws a price near an instrument's settlement, on its grid.
func (f *firm) around(i order.InstrumentID, ticks int64) order.Price {
	return firmSettlement + order.Price(f.r.Int64N(2*ticks+1)-ticks)*firmTick
}

func (f *firm) instrument() order.InstrumentID {
	return order.InstrumentID(1 + f.r.IntN(firmInstruments))
}

// missing says what has not happened yet: every input, report, reason of the
// controls, alert and latch should.
func (f *firm) missing() []string {
	var out []string
	want := func(n int, format string, what any) {
		if n == 0 {
			out = append(out, fmt.Sprintf(format, what))
		}
	}
	for _, k := range input.Kinds() {
		want(f.kinds[k], "no input of kind %v", k)
	}
	for k := order.ReportNew; k <= order.ReportRestated; k++ {
		want(f.reports[k], "no report %v", k)
	}
	for _, r := range order.Reasons() {
		if r.Control() != order.ControlNone {
			want(f.refused[r], "no reason %v", r)
		}
	}
	for c := riskcheck.AlertWatch; c <= riskcheck.AlertKilled; c++ {
		want(f.alerts[c], "no alert %v", c)
	}
	for l := riskcheck.LatchLateTruth; l <= riskcheck.LatchConsecutiveRejects; l++ {
		want(f.latches[l], "no latch %v", l)
	}
	return out
}
