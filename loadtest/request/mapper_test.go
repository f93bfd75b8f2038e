package request_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"tollgate/internal/testseed"
	"tollgate/loadtest/flow"
	"tollgate/loadtest/request"
	"tollgate/order"
)

// onePair is the smallest cast: one maker in session 0, one taker in session 1.
func onePair() request.Config {
	return request.Config{
		Instrument: 9,
		Makers:     []request.Party{{Session: 0, Account: 11, Trader: 21, Strategy: 31}},
		Takers:     []request.Party{{Session: 1, Account: 12, Trader: 22}},
	}
}

func newMapper(t testing.TB, cfg request.Config) *request.Mapper {
	t.Helper()
	m, err := request.NewMapper(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// show writes a request as a person would say it. Names of unknown orders have
// the top bit set and are shown as "unknown".
func show(o *request.Outgoing) string {
	r := &o.Request
	orig := ""
	if r.OrigClOrdID != 0 {
		orig = fmt.Sprintf(" of %d", r.OrigClOrdID)
		if r.OrigClOrdID>>63 == 1 {
			orig = " of unknown"
		}
	}
	text := fmt.Sprintf("session %d account %d: %s %d%s %s", o.Session, r.Account, r.MsgType, r.ClOrdID, orig, r.Side)
	if r.MsgType != order.MsgCancelOrder {
		text += fmt.Sprintf(" %s @ %s %s", r.OrderQty, r.Price, r.TimeInForce)
	}
	return text
}

// event reads "kind order side qty price".
func event(t *testing.T, text string) flow.Event {
	t.Helper()
	var name, side, qty, price string
	var e flow.Event
	if _, err := fmt.Sscanf(text, "%s %d %s %s %s", &name, &e.Order, &side, &qty, &price); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	for k := flow.KindNew; k <= flow.KindForeign; k++ {
		if k.String() == name {
			e.Kind = k
		}
	}
	e.Side = order.SideSell
	if side == "buy" {
		e.Side = order.SideBuy
	}
	var qtyErr, priceErr error
	e.Qty, qtyErr = order.ParseQty(qty)
	e.Price, priceErr = order.ParsePrice(price)
	if qtyErr != nil || priceErr != nil || e.Kind == 0 {
		t.Fatalf("%q is not an event", text)
	}
	return e
}

// TestRequestsNameTheirStrategy: a replace names the same one as the order.
func TestRequestsNameTheirStrategy(t *testing.T) {
	m := newMapper(t, onePair())
	var out request.Outgoing
	for _, c := range []struct {
		event string
		want  order.StrategyID
	}{{"new 5 sell 100 10", 31}, {"reduce 5 sell 30 10", 31}, {"execute 5 sell 10 10", 0}} {
		e := event(t, c.event)
		if !m.Map(&e, &out) || out.Request.Strategy != c.want {
			t.Errorf("%s names strategy %d, want %d", c.event, out.Request.Strategy, c.want)
		}
	}
}

func TestEventsBecomeRequests(t *testing.T) {
	cases := []struct {
		name   string
		events []string
		want   []string
	}{
		{"new and cancel", []string{"new 5 buy 100 10.5", "cancel 5 buy 100 10.5"}, []string{
			"session 0 account 11: new 1 buy 100 @ 10.5 day", "session 0 account 11: cancel 2 of 1 buy",
		}},
		{"partial cancel gives a lower total", []string{"new 5 sell 100 10", "reduce 5 sell 30 10"}, []string{
			"session 0 account 11: new 1 sell 100 @ 10 day", "session 0 account 11: replace 2 of 1 sell 70 @ 10 day",
		}},
		{"totals contain what was executed", []string{
			"new 5 sell 100 10", "execute 5 sell 40 10", "reduce 5 sell 30 10", "modify 5 sell 50 11",
		}, []string{
			"session 0 account 11: new 1 sell 100 @ 10 day", "session 1 account 12: new 1 buy 40 @ 10 ioc",
			"session 0 account 11: replace 2 of 1 sell 70 @ 10 day", "session 0 account 11: replace 3 of 1 sell 90 @ 11 day",
		}},
		{"an execution of a bid is a sale", []string{"new 5 buy 100 10", "execute 5 buy 100 10", "cancel 5 buy 1 10"}, []string{
			"session 0 account 11: new 1 buy 100 @ 10 day", "session 1 account 12: new 1 sell 100 @ 10 ioc",
			"session 0 account 11: cancel 2 of unknown buy",
		}},
		{"matches are booked, not sent", []string{"new 5 buy 100 10", "matched 5 buy 60 10", "modify 5 buy 40 11"}, []string{
			"session 0 account 11: new 1 buy 100 @ 10 day", "session 0 account 11: replace 2 of 1 buy 100 @ 11 day",
		}},
		{"reducing by everything is a cancel", []string{"new 5 buy 100 10", "reduce 5 buy 100 10"}, []string{
			"session 0 account 11: new 1 buy 100 @ 10 day", "session 0 account 11: cancel 2 of 1 buy",
		}},
		{"orders from before", []string{"cancel 1 sell 5 10", "reduce 2 buy 5 10", "execute 3 buy 5 10", "modify 4 buy 7 10"}, []string{
			"session 0 account 11: cancel 1 of unknown sell", "session 0 account 11: replace 2 of unknown buy 5 @ 10 day",
			"session 0 account 11: replace 3 of unknown buy 7 @ 10 day",
		}},
		{"what nobody sends", []string{
			"trade 0 buy 5 1", "hidden 0 buy 5 1", "halt 0 buy 0 1", "reset 0 buy 0 1", "bookkeeping 5 buy 0 1",
			"unplaced 5 buy 1 1", "foreign 0 buy 0 1",
		}, nil},
		{"a number used again", []string{"new 5 buy 100 10", "new 5 buy 50 10", "cancel 5 buy 50 10"}, []string{
			"session 0 account 11: new 1 buy 100 @ 10 day", "session 0 account 11: new 2 buy 50 @ 10 day",
			"session 0 account 11: cancel 3 of 2 buy",
		}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			m := newMapper(t, onePair())
			var got []string
			var out request.Outgoing
			for _, text := range c.events {
				e := event(t, text)
				if m.Map(&e, &out) {
					got = append(got, show(&out))
				}
			}
			if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}

// TestChainNamesTheLastAcceptedOrder shows that a refused or pending replace
// never becomes a name.
func TestChainNamesTheLastAcceptedOrder(t *testing.T) {
	m := newMapper(t, onePair())
	var out request.Outgoing
	send := func(text string) request.Outgoing {
		e := event(t, text)
		if !m.Map(&e, &out) {
			t.Fatalf("%q gave no request", text)
		}
		return out
	}
	send("new 5 buy 100 10")
	second := send("modify 5 buy 90 10")
	if third := send("modify 5 buy 80 10"); third.Request.OrigClOrdID != 1 {
		t.Errorf("while replace 2 is pending, replace 3 names %d, want 1", third.Request.OrigClOrdID)
	}
	m.Accepted(second.Slot, second.Request.ClOrdID)
	if fourth := send("cancel 5 buy 80 10"); fourth.Request.OrigClOrdID != 2 {
		t.Errorf("after replace 2 was accepted, cancel 4 names %d, want 2", fourth.Request.OrigClOrdID)
	}
	m.Accepted(second.Slot, 77)
	send("new 6 buy 100 10")
	m.Accepted(second.Slot, 77)
	if last := send("cancel 6 buy 100 10"); last.Request.OrigClOrdID != 5 {
		t.Errorf("late news about a finished order reached its successor in the slot: %d", last.Request.OrigClOrdID)
	}
}

// TestNothingIsSentForRefusedOrders: cancels, changes and executions of an
// order that never lived stay at home, and are not taken for unknown ones.
func TestNothingIsSentForRefusedOrders(t *testing.T) {
	m := newMapper(t, onePair())
	var out request.Outgoing
	first, second, third := event(t, "new 5 buy 100 10"), event(t, "new 6 buy 100 10"), event(t, "new 7 buy 100 10")
	for _, e := range []*flow.Event{&first, &second, &third} {
		m.Map(e, &out)
		m.Refused(out.Slot)
	}
	for _, text := range []string{
		"modify 5 buy 90 10", "execute 5 buy 40 10", "reduce 5 buy 50 10", "execute 6 buy 100 10", "matched 7 buy 1 10",
	} {
		e := event(t, text)
		if m.Map(&e, &out) {
			t.Errorf("%q gave %s", text, show(&out))
		}
	}
	if m.Close(&out) {
		t.Errorf("closing gave %s", show(&out))
	}
	if want := (request.Counts{AfterRefusal: 4}); m.Counts() != want || m.Live() != 0 {
		t.Errorf("counts are %+v, %d live, want %+v", m.Counts(), m.Live(), want)
	}
}

func TestCountsOfOrdersFromBefore(t *testing.T) {
	m := newMapper(t, onePair())
	var out request.Outgoing
	for _, text := range []string{"cancel 1 sell 5 10", "execute 3 buy 5 10", "execute 4 buy 5 10", "new 8 buy 5 10", "new 8 buy 5 10"} {
		e := event(t, text)
		m.Map(&e, &out)
	}
	if want := (request.Counts{UnknownOrders: 1, UnknownExecutions: 2, Replaced: 1}); m.Counts() != want {
		t.Errorf("counts are %+v, want %+v", m.Counts(), want)
	}
}

func TestCloseCancelsWhatRests(t *testing.T) {
	m := newMapper(t, onePair())
	var out request.Outgoing
	for i := range 10 {
		e := event(t, fmt.Sprintf("new %d buy 100 10", i))
		m.Map(&e, &out)
	}
	gone := event(t, "cancel 3 buy 100 10")
	m.Map(&gone, &out)
	canceled := make(map[order.ClOrdID]bool)
	for m.Close(&out) {
		canceled[out.Request.OrigClOrdID] = true
	}
	if len(canceled) != 9 || canceled[4] || m.Live() != 0 {
		t.Errorf("close canceled %v and left %d", canceled, m.Live())
	}
	m.NextDay()
	again := event(t, "cancel 5 buy 100 10")
	m.Map(&again, &out)
	if m.Counts().UnknownOrders != 1 {
		t.Error("an order of the day before is known on the next day")
	}
}

// spread is a cast of many.
func spread() request.Config {
	accounts := func(from, n int) []order.AccountID {
		ids := make([]order.AccountID, n)
		for i := range ids {
			ids[i] = order.AccountID(from + i)
		}
		return ids
	}
	traders := []order.TraderID{1, 2, 3}
	return request.Config{
		Instrument: 1, Makers: request.Spread(4, accounts(100, 40), traders), Takers: request.Spread(4, accounts(200, 8), traders),
	}
}

// TestOrdersStayWithTheirParty checks on a generated day what holds whatever
// the flow: ClOrdIDs are contiguous by session, an order keeps session,
// account, trader and side, every name but an unknown order's was given before
// in the same session, and totals never fall to what was executed.
func TestOrdersStayWithTheirParty(t *testing.T) {
	day, err := flow.Load(flow.NewGenerator(flow.GeneratorConfig{Seed: testseed.Or(t, 20_150_501), EventsMax: 30_000}), 0)
	if err != nil {
		t.Fatal(err)
	}
	m := newMapper(t, spread())
	next := make([]order.ClOrdID, m.Sessions())
	type name struct {
		session int
		id      order.ClOrdID
	}
	owner := make(map[name]order.Request)
	used := make(map[order.AccountID]int)
	random := rand.New(rand.NewPCG(testseed.Or(t, 20_150_501), 1))
	var out request.Outgoing
	for i := range day.Events {
		if !m.Map(&day.Events[i], &out) {
			continue
		}
		r := out.Request
		next[out.Session]++
		if r.ClOrdID != next[out.Session] {
			t.Fatalf("event %d: session %d sends ClOrdID %d, want %d", i, out.Session, r.ClOrdID, next[out.Session])
		}
		used[r.Account]++
		if r.OrigClOrdID>>63 == 1 {
			continue
		}
		if r.MsgType != order.MsgNewOrder {
			was, known := owner[name{out.Session, r.OrigClOrdID}]
			if !known || was.Account != r.Account || was.Trader != r.Trader || was.Side != r.Side {
				t.Fatalf("event %d: %+v does not belong to %+v", i, r, was)
			}
		}
		if r.MsgType != order.MsgCancelOrder && r.OrderQty <= 0 {
			t.Fatalf("event %d: total %d", i, r.OrderQty)
		}
		owner[name{out.Session, r.ClOrdID}] = r
		if random.IntN(2) == 0 {
			m.Accepted(out.Slot, r.ClOrdID)
		}
	}
	if len(used) != 48 {
		t.Errorf("%d of 48 accounts are used", len(used))
	}
}

func TestSameFlowGivesSameRequests(t *testing.T) {
	run := func() []request.Outgoing {
		g := flow.NewGenerator(flow.GeneratorConfig{Seed: 5, EventsMax: 3000})
		m := newMapper(t, spread())
		var all []request.Outgoing
		var e flow.Event
		var out request.Outgoing
		for g.Next(&e) == nil {
			if m.Map(&e, &out) {
				all = append(all, out)
			}
		}
		return all
	}
	one, two := run(), run()
	for i := range one {
		if one[i] != two[i] {
			t.Fatalf("request %d differs: %+v and %+v", i, one[i], two[i])
		}
	}
}

func TestMappingDoesNotAllocate(t *testing.T) {
	m := newMapper(t, spread())
	var out request.Outgoing
	n := uint64(0)
	turn := func() {
		e := flow.Event{Order: n, Kind: flow.KindNew, Side: order.SideBuy, Price: 100, Qty: 100}
		m.Map(&e, &out)
		m.Accepted(out.Slot, out.Request.ClOrdID)
		e.Kind, e.Qty = flow.KindModify, 50
		m.Map(&e, &out)
		e.Order, e.Kind = n-100, flow.KindExecute
		m.Map(&e, &out)
		e.Kind = flow.KindCancel
		m.Map(&e, &out)
		n++
	}
	for range 1000 {
		turn()
	}
	if allocations := testing.AllocsPerRun(5000, turn); allocations != 0 {
		t.Errorf("%v allocations in four events, want none", allocations)
	}
}

func TestValidateSaysEverythingAtOnce(t *testing.T) {
	cfg := request.Config{TimeInForce: 'x', Takers: []request.Party{{Session: -1, Account: 1, Trader: 1}}}
	err := cfg.Validate()
	for _, want := range []string{
		"Instrument is 0", "Makers is empty", "TimeInForce is 120", "Takers[0].Session is -1, want 0 to 65535",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q in it", err, want)
		}
	}
	cfg = onePair()
	cfg.Makers[0].Account = 0
	if err := cfg.Validate(); err == nil || !strings.Contains(err.Error(), "Makers[0] is account 0, trader 21") {
		t.Errorf("got %v", err)
	}
}

func TestSlotSurvivesItsTag(t *testing.T) {
	m := newMapper(t, onePair())
	var out request.Outgoing
	e := flow.Event{Order: 1, Kind: flow.KindNew, Side: order.SideBuy, Price: 1, Qty: 1}
	m.Map(&e, &out)
	if got := request.SlotOf(out.Slot.Tag()); got != out.Slot || got == (request.Slot{}) {
		t.Errorf("%+v became %+v", out.Slot, got)
	}
}

func BenchmarkMap(b *testing.B) {
	day, err := flow.Load(flow.NewGenerator(flow.GeneratorConfig{EventsMax: 200_000}), 0)
	if err != nil {
		b.Fatal(err)
	}
	m := newMapper(b, spread())
	var out request.Outgoing
	at := 0
	b.ReportAllocs()
	for b.Loop() {
		if at == len(day.Events) {
			for m.Close(&out) {
				continue
			}
			m.NextDay()
			at = 0
		}
		m.Map(&day.Events[at], &out)
		at++
	}
}
