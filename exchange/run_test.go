package exchange

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"tollgate/asynclog"
	"tollgate/exchange/simulated"
	"tollgate/fastpath"
	"tollgate/fastpath/wire"
	"tollgate/order"
)

// running is a server over a unix socket and a gateway that is polled by hand.
type running struct {
	t       testing.TB
	server  *Server
	gateway *fastpath.Direct
	stop    context.CancelFunc
	ended   chan error
	seq     uint64
	last    uint64 // newest report
	request order.Verdict
	trace   order.Trace
	deliver func(f wire.Frame, m wire.Message)
}

func startServer(t testing.TB, change func(*Config)) *running {
	t.Helper()
	cfg := testConfig()
	cfg.Listen[0].Address = filepath.Join(t.TempDir(), "exchange.sock")
	cfg.Adapter.ReportsRetainedMax, cfg.ReportsInFlightMax = 1<<14, 1<<13
	cfg.SilenceNs = 60e9
	if change != nil {
		change(&cfg)
	}
	server, err := NewServer(cfg, fastpath.Config{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	r := &running{t: t, server: server, stop: stop, ended: make(chan error, 1)}
	go func() { r.ended <- server.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if r.gateway != nil {
			_ = r.gateway.Close() // may be closed already
		}
	})
	select {
	case <-server.Ready():
	case err := <-r.ended:
		t.Fatalf("the server has ended: %v", err)
	}
	r.connect(server.Addr())
	return r
}

func (r *running) connect(address string) {
	r.t.Helper()
	gateway, err := fastpath.Dial("unix", address, fastpath.DirectConfig{})
	if err != nil {
		r.t.Fatal(err)
	}
	r.gateway = gateway
	r.deliver = func(_ wire.Frame, m wire.Message) {
		if m.Template == wire.TemplateVenueReport {
			var report order.Report
			var trace order.Trace
			m.VenueReport(&report, &trace)
			r.last = report.ReportSeq
		}
	}
	hello := wire.LinkHello{Role: wire.RoleGateway}
	r.send(hello.Append(nil))
	from := wire.ReportsFrom{Epoch: 1, From: 1}
	r.send(from.Append(nil))
}

func (r *running) send(frame []byte) {
	if err := r.gateway.Send(frame); err != nil {
		r.t.Fatal(err)
	}
}

// enter sends one limit order that rests, and acknowledges now and then.
func (r *running) enter(side order.Side, quantity order.Qty) {
	r.seq++
	r.request = newOrder(r.seq)
	r.request.Token.Expiry, r.request.Side, r.request.OrderQty = order.Unlimited, side, quantity
	testKey.Sign(&r.request)
	r.gateway.Commit(wire.AppendVerdict(r.gateway.Buffer(), &r.request, &r.trace))
	if r.seq%256 == 0 {
		ack := wire.ReportsAck{UpTo: r.last}
		r.gateway.Commit(ack.Append(r.gateway.Buffer()))
	}
}

// awaitTurnsMax is how often await polls before it gives up, far more often than
// any answer takes.
const awaitTurnsMax = 20_000_000

// await polls until report seq has come.
func (r *running) await(seq uint64) {
	for turn := 0; r.last < seq; turn++ {
		if turn == awaitTurnsMax {
			r.t.Fatalf("report %d does not come, the last one is %d", seq, r.last)
		}
		if err := r.gateway.Flush(); err != nil {
			r.t.Fatal(err)
		}
		if _, err := r.gateway.Poll(r.deliver); err != nil {
			r.t.Fatal(err)
		}
		r.gateway.Yield()
	}
}

// trade sends a resting order and one that fills it, which gives four reports.
func (r *running) trade() {
	r.enter(order.SideSell, 10)
	r.enter(order.SideBuy, 10)
	r.await(r.last + 4)
}

func (r *running) end() error {
	r.stop()
	return <-r.ended
}

// TestServerAllocatesNothingPerOrder counts what the whole process allocates,
// test included, while orders go through sockets, adapter and venue.
func TestServerAllocatesNothingPerOrder(t *testing.T) {
	r := startServer(t, nil)
	for range 2000 {
		r.trade()
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	const trades = 5000
	for range trades {
		r.trade()
	}
	runtime.ReadMemStats(&after)
	// Ticks and the runtime itself may allocate a little; an allocation an order would be 10,000.
	if got := after.Mallocs - before.Mallocs; got > trades/10 {
		t.Errorf("%d allocations in %d orders, want none by the order", got, 2*trades)
	}
	if err := r.end(); err != nil {
		t.Error(err)
	}
}

// TestVenueLogFileIsComplete reads the file after the server has ended: every
// order with its token, every report, in order.
func TestVenueLogFileIsComplete(t *testing.T) {
	path := filepath.Join(t.TempDir(), "venue.jsonl")
	r := startServer(t, func(c *Config) { c.VenueLogPath = path })
	const trades = 300
	for range trades {
		r.trade()
	}
	if err := r.end(); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }() // only read
	reader := simulated.NewLogReader(file)
	received, reported := uint64(0), uint64(0)
	var record simulated.Record
	for err = reader.Read(&record); err == nil; err = reader.Read(&record) {
		switch record.Kind {
		case simulated.RecordReceived:
			received++
			if record.Verdict.Token.Seq != received || testKey.Verify(&record.Verdict) != order.ReasonNone {
				t.Fatalf("order %d in the file is %+v", received, record.Verdict)
			}
		case simulated.RecordReported:
			reported++
		}
	}
	if !errors.Is(err, io.EOF) || received != 2*trades || reported != 4*trades {
		t.Errorf("%d orders and %d reports, then %v; want %d and %d", received, reported, err, 2*trades, 4*trades)
	}
}

func TestVenueLogThatCannotBeOpened(t *testing.T) {
	cfg := testConfig()
	cfg.VenueLogPath = filepath.Join(t.TempDir(), "missing", "venue.jsonl")
	if _, err := NewServer(cfg, fastpath.Config{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the error is %v", err)
	}
}

// TestVenueLogFailureEndsTheServer: a log with holes would be worse than none.
func TestVenueLogFailureEndsTheServer(t *testing.T) {
	r := startServer(t, func(c *Config) { c.VenueLogPath = "/dev/full" })
	r.enter(order.SideBuy, 10)
	if err := r.gateway.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := <-r.ended; err == nil || !strings.Contains(err.Error(), "no space left") {
		t.Errorf("the server has ended with %v", err)
	}
}

func TestServerThatCannotListen(t *testing.T) {
	cfg := testConfig()
	cfg.Listen[0].Address = filepath.Join(t.TempDir(), "missing", "exchange.sock")
	if _, err := NewServer(cfg, fastpath.Config{}); err == nil || !strings.Contains(err.Error(), cfg.Listen[0].Address) {
		t.Errorf("the error is %v", err)
	}
	if _, err := NewServer(testConfig(), fastpath.Config{TickNs: -1}); err == nil {
		t.Error("a loop without a valid tick was taken")
	}
}

// TestEventsAreLogged reads what the server writes about a link, a forgery, a
// fence, a report that is not there, and a malformed frame.
func TestEventsAreLogged(t *testing.T) {
	var text bytes.Buffer
	drainer, err := asynclog.New(asynclog.Config{Output: &text, Name: EventName})
	if err != nil {
		t.Fatal(err)
	}
	events, err := drainer.Log("exchange")
	if err != nil {
		t.Fatal(err)
	}
	n := newNetwork(t, 0, func(c *Config) { c.Events = events })
	g := n.gateway("g")
	forged := n.accepted(1, 1, order.SideBuy)
	forged.Price++
	g.give(forged)
	fence := wire.KillFence{FenceID: 1, Epoch: 1, BelowSeq: 5, ScopeType: order.ScopeFirm}
	g.send(fence.Append(nil))
	h := n.gateway("h")
	h.subscribe(1, 99)
	g.send([]byte("\x00\x00\x00\x00\x00\x00"))
	if err := drainer.Close(); err != nil {
		t.Fatal(err)
	}
	for _, code := range []asynclog.Code{
		asynclog.CodeLinkUp, asynclog.CodeLinkDown, asynclog.CodeAdapterRefusal, asynclog.CodeFenceAcknowledged,
		asynclog.CodeReportGap, asynclog.CodeMalformedFrame,
	} {
		if !strings.Contains(text.String(), code.String()) {
			t.Errorf("%v is not in the log:\n%s", code, &text)
		}
	}
}

func TestEventNames(t *testing.T) {
	for _, c := range []struct {
		format asynclog.Format
		value  uint64
		want   string
	}{
		{asynclog.FormatLinkKind, uint64(KindGateway), "gateway"},
		{asynclog.FormatLinkKind, 99, ""},
		{asynclog.FormatBound, BoundReports, "reports-retained"},
		{asynclog.FormatBound, 99, ""},
		{asynclog.FormatSessionReject, uint64(wire.SessionRejectEncoding), wire.SessionRejectEncoding.String()},
		{asynclog.FormatSessionReject, 0, ""},
		{asynclog.FormatSessionReject, 1 << 40, ""},
	} {
		if got := EventName(c.format, c.value); got != c.want {
			t.Errorf("format %d, value %d is called %q, want %q", c.format, c.value, got, c.want)
		}
	}
}

// BenchmarkServerPipelined has 64 orders in flight.
func BenchmarkServerPipelined(b *testing.B) {
	r := startServer(b, nil)
	b.ReportAllocs()
	for b.Loop() {
		for range 32 {
			r.enter(order.SideSell, 10)
			r.enter(order.SideBuy, 10)
		}
		r.await(r.last + 4*32)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(64*b.N), "ns/order")
}

func BenchmarkServerOneInFlight(b *testing.B) {
	r := startServer(b, nil)
	b.ReportAllocs()
	for b.Loop() {
		r.trade()
	}
}
