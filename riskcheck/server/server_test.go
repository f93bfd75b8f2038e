package server

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"tollgate/fastpath/wire"
	"tollgate/order"
	"tollgate/riskcheck"
)

// connected returns a network with one gateway that reaches the venue and
// carries session 1.
func connected(t *testing.T) (*network, *peer) {
	t.Helper()
	n := newNetwork(t)
	p := n.gateway()
	p.expect("hello role 2 epoch 5 wants report 1")
	p.venueUp(1)
	p.expect("reports from 1")
	p.login(1, 0)
	p.expect("login ack session 1 connection 1 next ref 1 out 1")
	return n, p
}

func TestAnOrderGoesOutAndItsAnswerComesBack(t *testing.T) {
	_, p := connected(t)
	p.check(1, 10)
	p.expect("verdict 1 new order 1")
	if r := p.n.key.Verify(&p.verdicts[0]); r != order.ReasonNone {
		t.Errorf("the verdict's token: %s", r)
	}
	p.report(1, order.ReportNew, &p.verdicts[0])
	p.expect("answer 1 ref 1 NONE")
	p.check(2, 101)
	p.expect("answer 2 ref 2 MAX_ORDER_QTY")
}

func TestHintsForRequestsOutOfOrder(t *testing.T) {
	_, p := connected(t)
	p.check(3, 10)
	p.expect("gap, expected 1")
	p.check(1, 101)
	p.check(1, 101)
	p.expect("answer 1 ref 1 MAX_ORDER_QTY", "duplicate 1, answer 1")
}

func TestRequestsOfAnOldConnectionAreDropped(t *testing.T) {
	n, p := connected(t)
	old := p.connection
	p.login(1, 0)
	p.expect("disconnect session 1 connection 1: replaced", "login ack session 1 connection 2 next ref 1 out 1")
	r := newOrder(old, 1, 10)
	p.send(wire.AppendCheck(nil, &r, &order.Trace{}))
	p.expect()
	if n.server.counters.Stale != 1 {
		t.Errorf("stale requests: %d, want 1", n.server.counters.Stale)
	}
}

func TestLoginsThatAreRefused(t *testing.T) {
	n := newNetwork(t)
	p := n.gateway()
	p.take()
	for _, c := range []struct {
		login wire.SessionLogin
		want  string
	}{
		{wire.SessionLogin{Session: 99, Client: 7, WantOutSeq: 1}, "login reject session 99: unknown-session"},
		{wire.SessionLogin{Session: 1, Client: 8, WantOutSeq: 1}, "login reject session 1: unknown-session"},
		{wire.SessionLogin{Session: 1, Client: 7, WantOutSeq: 2}, "login reject session 1: out-seq-unavailable"},
		{wire.SessionLogin{Session: 1, Client: 7, WantOutSeq: 1, CancelOnDisconnectMs: 60_001}, "login reject session 1: malformed"},
	} {
		p.send(c.login.Append(nil))
		p.expect(c.want)
	}
}

// TestReplayIsByteIdentical fills a stream beyond one turn of a replay and asks
// for it again over another gateway.
func TestReplayIsByteIdentical(t *testing.T) {
	n, p := connected(t)
	const answers = replayAnswersMax*3 + 7
	for ref := uint64(1); ref <= answers; ref++ {
		p.check(ref, 101)
	}
	q := n.gateway()
	q.login(1, 0)
	if len(q.frames) != answers {
		t.Fatalf("%d answers were replayed, want %d", len(q.frames), answers)
	}
	for i := range q.frames {
		if !bytes.Equal(q.frames[i], p.frames[i]) {
			t.Fatalf("answer %d differs:\n%x\n%x", i+1, p.frames[i], q.frames[i])
		}
	}
	q.frames = nil
	q.login(answers-4, 0)
	if len(q.frames) != 5 {
		t.Errorf("%d answers came from the fifth last on", len(q.frames))
	}
}

func TestTracesComeBeforeTheirAnswers(t *testing.T) {
	_, p := connected(t)
	p.login(1, wire.LoginFlagsHopTraces)
	p.take()
	p.check(1, 101)
	p.expect("trace", "answer 1 ref 1 MAX_ORDER_QTY")
}

// TestADeadGatewayLosesNothing: what was on its way through a gateway that dies
// is sent again through the next one, with the same numbers, and the reports
// come from where the engine is.
func TestADeadGatewayLosesNothing(t *testing.T) {
	n, p := connected(t)
	p.check(1, 10)
	p.check(2, 20)
	p.report(1, order.ReportNew, &p.verdicts[0])
	p.take()
	n.memory.Kill(p.loop)
	n.settle()
	q := n.gateway()
	q.expect("hello role 2 epoch 5 wants report 2")
	q.login(1, 0)
	q.expect("login ack session 1 connection 2 next ref 3 out 2", "answer 1 ref 1 NONE")
	q.check(3, 10)
	q.expect("answer 2 ref 3 VENUE_UNAVAILABLE")
	q.venueUp(3)
	q.expect("reports from 2", "verdict 2 new order 2")
	q.report(2, order.ReportNew, &q.verdicts[0])
	q.expect("answer 3 ref 2 NONE")
}

// TestAnotherGatewayTakesOver: with two gateways at the venue, the one that is
// left carries the reports and what was under way.
func TestAnotherGatewayTakesOver(t *testing.T) {
	n, p := connected(t)
	q := n.gateway()
	q.take()
	q.venueUp(1)
	q.expect()
	p.check(1, 10)
	p.expect("verdict 1 new order 1")
	n.memory.Kill(p.loop)
	n.settle()
	q.expect("reports from 1", "verdict 1 new order 1")
}

func TestAnAdapterWithAnUnknownPastIsRefused(t *testing.T) {
	n := newNetwork(t)
	p := n.gateway()
	p.take()
	p.venueUp(17)
	p.expect()
	if n.engine.VenueIsUp() || n.server.counters.VenuesRefused != 1 {
		t.Error("an adapter with reports the engine has not seen was taken")
	}
}

func TestAMissingReportIsAskedForOnce(t *testing.T) {
	_, p := connected(t)
	p.check(1, 10)
	p.take()
	p.report(3, order.ReportNew, &p.verdicts[0])
	p.report(4, order.ReportNew, &p.verdicts[0])
	p.expect("reports from 1")
	p.report(1, order.ReportNew, &p.verdicts[0])
	p.expect("answer 1 ref 1 NONE")
}

func TestReportsAreAcknowledgedWhenIdle(t *testing.T) {
	n, p := connected(t)
	p.check(1, 10)
	p.report(1, order.ReportNew, &p.verdicts[0])
	p.take()
	n.memory.Advance(heartbeatNs)
	n.settle()
	p.expect("reports ack 1")
}

func TestASilentGatewayIsCut(t *testing.T) {
	n, p := connected(t)
	first := p.link.ID()
	n.memory.Advance(silenceNs + 100_000_000)
	n.settle()
	if p.link != nil && p.link.ID() == first {
		t.Error("the gateway's first link is still open")
	}
	if n.engine.VenueIsUp() {
		t.Error("the engine still believes in the venue")
	}
}

// TestAServerThatStoodStillBlamesNobody: after a pause of its own the silence of a
// gateway begins anew.
func TestAServerThatStoodStillBlamesNobody(t *testing.T) {
	n, p := connected(t)
	first := p.link.ID()
	n.server.Tick(n.memory.Now() + 10*silenceNs)
	n.settle()
	if p.link == nil || p.link.ID() != first {
		t.Error("the gateway was cut for a pause of the server")
	}
}

// TestWhatIsNotForTheEngineEndsTheLink: before the introduction, and by template.
func TestWhatIsNotForTheEngineEndsTheLink(t *testing.T) {
	for name, frame := range map[string][]byte{
		"a client's request": wire.AppendRequest(nil, &order.Request{MsgType: order.MsgCancelOrder}),
		"a second role":      (&wire.LinkHello{Role: wire.RoleExchange}).Append(nil),
	} {
		n := newNetwork(t)
		p := n.gateway()
		p.send(frame)
		if len(n.server.gateways) != 0 {
			t.Errorf("%s: the link is still open", name)
		}
	}
}

// drive runs a function of the control plane against a loop that the test
// turns. Everything in a Memory belongs to one goroutine, so the test wakes the
// loop.
func drive[T any](n *network, fn func(ctx context.Context) T) T {
	result := make(chan T, 1)
	ctx, cancel := context.WithTimeout(n.t.Context(), 10*time.Second)
	defer cancel()
	go func() { result <- fn(ctx) }()
	for {
		select {
		case v := <-result:
			return v
		default:
			n.server.loop.Wake()
			n.memory.Settle(1000)
			time.Sleep(50 * time.Microsecond)
		}
	}
}

type killed struct {
	Kill
	err error
}

// TestKillWaitsForTheFence: the fence goes out before the cancels; the kill is
// reported when the adapter has confirmed; a gateway that comes later gets the
// fence before anything else.
func TestKillWaitsForTheFence(t *testing.T) {
	n, p := connected(t)
	p.check(1, 10)
	p.take()
	scope := order.Scope{Type: order.ScopeAccount, ID: 1}
	result := make(chan killed, 1)
	go func() {
		k, err := n.server.Kill(t.Context(), scope)
		result <- killed{k, err}
	}()
	for len(p.fences) == 0 {
		n.server.loop.Wake()
		n.memory.Settle(1000)
	}
	n.settle()
	p.expect("fence 1 account 1 below 2", "verdict 3 cancel order 1")
	select {
	case k := <-result:
		t.Fatalf("the kill ended before its fence was confirmed: %+v", k)
	case <-time.After(20 * time.Millisecond):
	}
	p.send((&wire.KillFenceAck{FenceID: 1, Epoch: 5}).Append(nil))
	got := drive(n, func(context.Context) killed { return <-result })
	if got.err != nil || got.Fence != FenceConfirmed || got.Canceling != 1 {
		t.Errorf("kill: %+v", got)
	}
	p.check(2, 10)
	p.expect("answer 1 ref 2 KILL_SWITCH")

	q := n.gateway()
	q.take()
	q.venueUp(1)
	if lines := q.take(); len(lines) == 0 || !strings.HasPrefix(lines[0], "fence 1 account 1") {
		t.Errorf("a gateway that comes after the kill got %q, want the fence first", lines)
	}
	if err := drive(n, func(ctx context.Context) error { return n.server.Unkill(ctx, scope) }); err != nil {
		t.Fatal(err)
	}
	if len(n.server.fences) != 0 {
		t.Error("the fence outlived the kill")
	}
}

func TestKillWithoutAnAdapterDoesNotWait(t *testing.T) {
	n := newNetwork(t)
	got := drive(n, func(ctx context.Context) killed {
		k, err := n.server.Kill(ctx, order.Scope{Type: order.ScopeFirm, ID: 1})
		return killed{k, err}
	})
	if got.err != nil || got.Fence != FenceNoAdapter {
		t.Errorf("kill: %+v", got)
	}
	got = drive(n, func(ctx context.Context) killed {
		k, err := n.server.Kill(ctx, order.Scope{Type: order.ScopeGroup, ID: 44})
		return killed{k, err}
	})
	if got.err == nil || !strings.Contains(got.err.Error(), "there is no group 44") {
		t.Errorf("kill of an unknown scope: %v", got.err)
	}
}

func TestDoRunsOnTheLoopOrNotAtAll(t *testing.T) {
	n := newNetwork(t)
	seq := drive(n, func(ctx context.Context) uint64 {
		var version uint64
		if err := n.server.Do(ctx, func(e *riskcheck.Engine, _ int64) { version = e.ConfigVersion() }); err != nil {
			t.Error(err)
		}
		return version
	})
	if seq != 1 {
		t.Errorf("config version %d, want 1", seq)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	ran := false
	if err := n.server.Do(ctx, func(*riskcheck.Engine, int64) { ran = true }); err == nil {
		t.Error("Do succeeded although its context had ended")
	}
	n.server.loop.Wake()
	n.settle()
	if ran {
		t.Error("a function ran after its caller had given up")
	}
	n.server.stopped.Store(true)
	if err := n.server.Do(t.Context(), func(*riskcheck.Engine, int64) {}); err == nil {
		t.Error("Do succeeded although the loop had stopped")
	}
}

func TestStatusCounts(t *testing.T) {
	n, p := connected(t)
	p.check(1, 10)
	p.report(1, order.ReportNew, &p.verdicts[0])
	p.check(2, 101)
	st := drive(n, func(ctx context.Context) *Status {
		st, err := n.server.Status(ctx)
		if err != nil {
			t.Error(err)
		}
		return st
	})
	c := &st.Counters
	if c.Requests != 2 || c.Accepted != 1 || c.Rejected != 1 || c.Reasons[order.ReasonMaxOrderQty] != 1 || c.Reports != 1 {
		t.Errorf("counters: %+v", c)
	}
	if st.Gateways != 1 || !st.VenueUp || len(st.Sessions) != 2 || st.Sessions[0].Gateway == "" {
		t.Errorf("status: %+v", st.Sessions)
	}
	var kinds []SampleKind
	var s Sample
	for n.server.Samples().Pop(&s) {
		kinds = append(kinds, s.Kind)
	}
	if want := []SampleKind{SampleVenue, SampleSession, SampleDecision}; !slices.Equal(kinds, want) {
		t.Errorf("samples of kinds %v, want %v", kinds, want)
	}
	if s.Decision.Reason != order.ReasonMaxOrderQty || s.Request.Ref != 2 {
		t.Errorf("sample: %+v", s)
	}
}

// TestTheLoopAllocatesNothing pins the whole path through the server: check,
// verdict, report, answer; and check, reject.
func TestTheLoopAllocatesNothing(t *testing.T) {
	n, p := connected(t)
	l := n.server.gateways[0].link
	ref, report := uint64(0), uint64(0)
	var frame, reportFrame []byte
	var parser wire.Parser
	deliver := func(f []byte) {
		m, err := parser.Parse(f)
		if err != nil {
			t.Fatal(err)
		}
		n.server.Message(l, f, m)
	}
	turn := func() {
		for _, qty := range []order.Qty{10, 101} {
			ref++
			r := newOrder(p.connection, ref, qty)
			frame = wire.AppendCheck(frame[:0], &r, &order.Trace{})
			deliver(frame)
		}
		report++
		r := order.Report{
			ReportSeq: report, Seq: n.engine.Seq() - 1, OrderID: order.OrderID(n.engine.Seq() - 1), ExecID: 1,
			Kind: order.ReportNew, Price: 100 * order.PriceOne, OrderQty: 10 * order.QtyOne, Session: 1,
		}
		reportFrame = wire.AppendVenueReport(reportFrame[:0], &r, &order.Trace{})
		deliver(reportFrame)
		l.Commit(l.Buffer()[:0])
	}
	for range 600 { // fill the buffers and the first chunks of the stream
		turn()
	}
	if got := testing.AllocsPerRun(100, turn); got != 0 {
		t.Errorf("%v allocations for two orders and a report", got)
	}
}
