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
	byKind [3]*Link
	up     chan Kind // told of each upstream link
}

const (
	kindClient Kind = iota
	kindRisk
	kindVenue
)

func (h *relayHandler) Opened(l *Link) {
	h.byKind[l.Kind()] = l
	if l.Kind() != kindClient {
		h.up <- l.Kind()
	}
}

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
			relay := &relayHandler{up: make(chan Kind, 8)}
			serve(b, Config{Name: "gateway"}, relay, func(lp *Loop) {
				gateway = listenOn(b, lp, kindClient, network)
				_ = lp.Dial(kindRisk, network, risk)
				_ = lp.Dial(kindVenue, network, venue)
			})
			_, _ = <-relay.up, <-relay.up
			measureRoundTrips(b, network, gateway)
		})
	}
}

// BenchmarkPipelined keeps 512 frames in flight: what a batch saves.
func BenchmarkPipelined(b *testing.B) {
	for _, network := range []string{"unix", "tcp"} {
		b.Run(network, func(b *testing.B) {
			var address string
			serve(b, Config{Name: "echo"}, &echoHandler{}, func(lp *Loop) { address = listenOn(b, lp, 1, network) })
			d, err := Dial(network, address, DirectConfig{})
			if err != nil {
				b.Fatal(err)
			}
			defer func() { _ = d.Close() }()
			frame, ignore := orderFrame(), func(wire.Frame, wire.Message) {}
			b.ReportAllocs()
			b.ResetTimer()
			for sent, back := 0, 0; back < b.N; {
				for ; sent < b.N && sent-back < 512; sent++ {
					_ = d.Send(frame)
				}
				if err := d.Flush(); err != nil {
					b.Fatal(err)
				}
				n, err := d.Poll(ignore)
				if err != nil {
					b.Fatal(err)
				}
				if back += n; n == 0 {
					d.Yield()
				}
			}
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
		ln, err := openListener(network, (&fabric{name: network, tb: b}).address())
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
