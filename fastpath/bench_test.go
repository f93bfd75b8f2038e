package fastpath

import (
	"path/filepath"
	"sort"
	"testing"
	"time"

	"tollgate/fastpath/wire"
)

// echoHandler sends every frame back.
type echoHandler struct{ idleHandler }

func (h *echoHandler) Message(l *Link, f wire.Frame, _ wire.Message) { _ = l.Send(f) }

// relayHandler is the gateway of a chain: what a client sends goes to the
// first upstream, its answer to the second, and the second's to the client.
type relayHandler struct {
	idleHandler
	byKind [4]*Link
}

const (
	kindClient Kind = iota
	kindRisk
	kindVenue
)

func (h *relayHandler) Opened(l *Link) { h.byKind[l.Kind()] = l }

func (h *relayHandler) Message(l *Link, f wire.Frame, _ wire.Message) {
	if to := h.byKind[(l.Kind()+1)%3]; to != nil {
		_ = to.Send(f)
	}
}

// idleHandler does nothing.
type idleHandler struct{}

func (idleHandler) Opened(*Link)                            {}
func (idleHandler) Message(*Link, wire.Frame, wire.Message) {}
func (idleHandler) Malformed(*Link, *wire.FrameError)       {}
func (idleHandler) Closed(*Link, error)                     {}
func (idleHandler) Wake()                                   {}
func (idleHandler) Tick(int64)                              {}
func (idleHandler) BatchEnd()                               {}

// listenOn listens on a fresh address of the network and returns it.
func listenOn(tb testing.TB, lp *Loop, kind Kind, network string) string {
	tb.Helper()
	address := "127.0.0.1:0"
	if network == "unix" {
		address = filepath.Join(tb.TempDir(), "s")
	}
	if err := lp.Listen(kind, network, address); err != nil {
		tb.Fatal(err)
	}
	return lp.Addr(kind)
}

// roundTrip sends a frame and polls until it is back.
func roundTrip(tb testing.TB, d *Direct, frame []byte, count func(wire.Frame, wire.Message)) {
	if err := d.Send(frame); err != nil {
		tb.Fatal(err)
	}
	if err := d.Flush(); err != nil {
		tb.Fatal(err)
	}
	for {
		n, err := d.Poll(count)
		if err != nil {
			tb.Fatal(err)
		}
		if n > 0 {
			return
		}
		d.Yield()
	}
}

func BenchmarkEcho(b *testing.B) {
	for _, network := range []string{"unix", "tcp"} {
		b.Run(network, func(b *testing.B) {
			var address string
			serve(b, Config{Name: "echo"}, &echoHandler{}, func(lp *Loop) { address = listenOn(b, lp, 1, network) })
			measureRoundTrips(b, network, address)
		})
	}
}

// BenchmarkChain is client, gateway, riskcheck, gateway, exchange, gateway,
// client: six hops, no work at the stations.
func BenchmarkChain(b *testing.B) {
	for _, network := range []string{"unix", "tcp"} {
		b.Run(network, func(b *testing.B) {
			var risk, venue, gateway string
			serve(b, Config{Name: "risk"}, &echoHandler{}, func(lp *Loop) { risk = listenOn(b, lp, 1, network) })
			serve(b, Config{Name: "venue"}, &echoHandler{}, func(lp *Loop) { venue = listenOn(b, lp, 1, network) })
			serve(b, Config{Name: "gateway"}, &relayHandler{}, func(lp *Loop) {
				gateway = listenOn(b, lp, kindClient, network)
				_ = lp.Dial(kindRisk, network, risk)
				_ = lp.Dial(kindVenue, network, venue)
			})
			time.Sleep(100 * time.Millisecond)
			measureRoundTrips(b, network, gateway)
		})
	}
}

// measureRoundTrips reports the median and tail of round trips, one in flight.
func measureRoundTrips(b *testing.B, network, address string) {
	d, err := Dial(network, address, DirectConfig{})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = d.Close() }()
	frame, times := orderFrame(), make([]int64, b.N)
	ignore := func(wire.Frame, wire.Message) {}
	for range 1000 {
		roundTrip(b, d, frame, ignore)
	}
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		began := time.Now()
		roundTrip(b, d, frame, ignore)
		times[i] = int64(time.Since(began))
	}
	b.StopTimer()
	sort.Slice(times, func(i, k int) bool { return times[i] < times[k] })
	b.ReportMetric(float64(times[len(times)/2]), "p50-ns")
	b.ReportMetric(float64(times[len(times)*99/100]), "p99-ns")
}

// BenchmarkEmptyPoll is what DirectPollMax rests on: reading an empty socket
// against asking the kernel which sockets are readable.
func BenchmarkEmptyPoll(b *testing.B) {
	for _, network := range []string{"unix", "tcp"} {
		ln, err := openListener(network, map[string]string{"unix": filepath.Join(b.TempDir(), "s"), "tcp": "127.0.0.1:0"}[network])
		if err != nil {
			b.Fatal(err)
		}
		d, err := Dial(network, ln.Addr().String(), DirectConfig{})
		if err != nil {
			b.Fatal(err)
		}
		b.Run("read/"+network, func(b *testing.B) {
			for b.Loop() {
				_, _ = receiveRaw(d.fd, d.in)
			}
		})
		var set pollSet
		if err := set.open(); err != nil {
			b.Fatal(err)
		}
		_ = set.watch(d.fd)
		b.Run("ask/"+network, func(b *testing.B) {
			for b.Loop() {
				_, _ = readable(set.fd, set.events)
			}
		})
		_, _, _ = ln.Close(), d.Close(), set.shut()
	}
	b.Run("yield", func(b *testing.B) {
		for b.Loop() {
			yield()
		}
	})
}
