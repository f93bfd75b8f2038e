package fastpath

import (
	"errors"
	"io"
	"testing"

	"tollgate/fastpath/wire"
)

// sendAll sends requests numbered from 1 to n on a link.
func sendAll(l *Link, n int) {
	for ref := 1; ref <= n; ref++ {
		_ = l.Send(requestFrame(uint64(ref)))
	}
}

func TestEchoKeepsEveryFrameInOrder(t *testing.T) {
	onEveryFabric(t, func(t *testing.T, f *fabric) {
		const n = 1000
		server, client := newRecorder(), newRecorder()
		server.onMessage = func(l *Link, f wire.Frame, _ wire.Message) { l.Commit(append(l.Buffer(), f...)) }
		client.onOpened = func(l *Link) { sendAll(l, n) }
		_, address := f.listen(Config{Name: "server"}, server)
		f.dial(Config{Name: "client"}, client, address)
		f.until("all answers", client, func() bool { return len(client.refs) >= n })
		for _, r := range []*recorder{server, client} {
			r.locked(func() {
				if !inOrder(r.refs, n) {
					t.Errorf("frames are lost, doubled or out of order: got %d of %d", len(r.refs), n)
				}
			})
		}
		server.verify(t)
		client.verify(t)
	})
}

func TestThousandFramesInOneSegmentAreFewBatches(t *testing.T) {
	onEveryFabric(t, func(t *testing.T, f *fabric) {
		const n = 400 // 44,000 bytes, less than one read
		server, client := newRecorder(), newRecorder()
		client.onOpened = func(l *Link) { sendAll(l, n) }
		_, address := f.listen(Config{Name: "server"}, server)
		f.dial(Config{Name: "client"}, client, address)
		f.until("all requests", server, func() bool { return len(server.refs) == n })
		server.locked(func() {
			if server.batches > n/4 {
				t.Errorf("%d frames came in %d batches, want few", n, server.batches)
			}
		})
		server.verify(t)
	})
}

func TestClientsAreServedAlikeWhateverTheirNumber(t *testing.T) {
	onEveryFabric(t, func(t *testing.T, f *fabric) {
		const clients, each = 40, 25
		server := newRecorder()
		server.onMessage = func(l *Link, f wire.Frame, _ wire.Message) { _ = l.Send(f) }
		_, address := f.listen(Config{Name: "server"}, server)
		client := newRecorder()
		got := map[*Link]int{}
		client.onOpened = func(l *Link) { sendAll(l, 1) }
		client.onMessage = func(l *Link, _ wire.Frame, _ wire.Message) {
			if got[l]++; got[l] < each {
				_ = l.Send(requestFrame(uint64(got[l] + 1)))
			}
		}
		f.start(Config{Name: "clients"}, client, func(lp *Loop) {
			for range clients {
				_ = lp.Dial(kindDialled, f.name, address)
			}
		})
		f.until("every client's last answer", client, func() bool { return len(client.refs) == clients*each })
		client.locked(func() {
			for l, n := range got {
				if n != each {
					t.Errorf("client %d got %d answers, want %d", l.ID(), n, each)
				}
			}
		})
		server.verify(t)
		client.verify(t)
	})
}

func TestMalformedIsToldThenClosed(t *testing.T) {
	onEveryFabric(t, func(t *testing.T, f *fabric) {
		server, client := newRecorder(), newRecorder()
		server.onBad = func(l *Link) { _ = l.Send(requestFrame(77)) }
		client.onOpened = func(l *Link) {
			if len(client.opened) > 1 {
				return
			}
			bad := requestFrame(2)
			bad[8] = 0xee // no such template
			_ = l.Send(requestFrame(1))
			_ = l.Send(bad)
			_ = l.Send(requestFrame(3))
		}
		lp, address := f.listen(Config{Name: "server"}, server)
		f.dial(Config{Name: "client"}, client, address)
		f.until("the link's end", client, func() bool { return len(client.causes) == 1 })
		f.until("the link's end at the server", server, func() bool { return len(server.causes) == 1 })
		client.locked(func() {
			if len(client.refs) != 1 || client.refs[0] != 77 {
				t.Errorf("client got %v, want the one reject", client.refs)
			}
		})
		server.locked(func() {
			var reason *wire.FrameError
			if !inOrder(server.refs, 1) || len(server.malformed) != 1 || !errors.As(server.causes[0], &reason) {
				t.Errorf("server got messages %v, malformed %v, causes %v", server.refs, server.malformed, server.causes)
			}
		})
		f.until("the count", server, func() bool { return lp.Counters().Malformed == 1 })
		server.verify(t)
		client.verify(t)
	})
}

func TestCloseFlushesWhatWasSentAndStopsDelivery(t *testing.T) {
	onEveryFabric(t, func(t *testing.T, f *fabric) {
		because := errors.New("because")
		server, client := newRecorder(), newRecorder()
		server.onMessage = func(l *Link, _ wire.Frame, _ wire.Message) {
			_ = l.Send(requestFrame(1))
			l.Close(because)
			l.Close(io.ErrUnexpectedEOF)
			server.must(!l.Open(), "a link that was closed says it is open")
			server.must(errors.Is(l.Send(requestFrame(2)), ErrLinkClosed), "a link that was closed took a frame")
		}
		client.onOpened = func(l *Link) { sendAll(l, 5) }
		_, address := f.listen(Config{Name: "server"}, server)
		f.dial(Config{Name: "client", DialBackoffMinNs: 60e9, DialBackoffMaxNs: 60e9}, client, address)
		f.until("the end at the client", client, func() bool { return len(client.causes) == 1 })
		client.locked(func() {
			if !inOrder(client.refs, 1) || !errors.Is(client.causes[0], io.EOF) {
				t.Errorf("client got %v and then %v, want frame 1 and EOF", client.refs, client.causes)
			}
		})
		server.locked(func() {
			if !inOrder(server.refs, 1) || len(server.causes) != 1 || !errors.Is(server.causes[0], because) {
				t.Errorf("server got %v and %v, want one message and its own cause", server.refs, server.causes)
			}
		})
		server.verify(t)
		client.verify(t)
	})
}

func TestDialledLinkComesBack(t *testing.T) {
	onEveryFabric(t, func(t *testing.T, f *fabric) {
		server, client := newRecorder(), newRecorder()
		server.onMessage = func(l *Link, _ wire.Frame, _ wire.Message) { l.Close(io.ErrNoProgress) }
		client.onOpened = func(l *Link) { _ = l.Send(orderFrame()) }
		_, address := f.listen(Config{Name: "server"}, server)
		lp := f.dial(Config{Name: "client", DialBackoffMaxNs: 5_000_000}, client, address)
		f.until("five links", client, func() bool { return len(client.opened) >= 5 && len(client.causes) >= 4 })
		client.locked(func() {
			for i, l := range client.opened {
				if l.ID() != uint64(i+1) || l.Kind() != kindDialled || l.Remote() != address {
					t.Errorf("link %d: id %d, kind %d, remote %q", i, l.ID(), l.Kind(), l.Remote())
				}
			}
		})
		f.until("the count", client, func() bool { return lp.Counters().Dialled >= 5 })
		server.verify(t)
		client.verify(t)
	})
}

func TestConnectionCapRefusesAtOnceAndFreesAgain(t *testing.T) {
	onEveryFabric(t, func(t *testing.T, f *fabric) {
		server, client := newRecorder(), newRecorder()
		lp, address := f.listen(Config{Name: "server", ConnectionsMax: 2}, server)
		f.start(Config{Name: "client", DialBackoffMaxNs: 5_000_000}, client, func(lp *Loop) {
			for range 3 {
				_ = lp.Dial(kindDialled, f.name, address)
			}
		})
		f.until("a refusal", client, func() bool { return len(client.opened) >= 3 && len(client.causes) >= 1 })
		f.until("two links", server, func() bool { return len(server.opened) == 2 })
		server.locked(func() {
			if len(server.opened) != 2 {
				t.Errorf("server has %d links, want 2", len(server.opened))
			}
		})
		server.locked(func() { server.onWake = func() { server.opened[0].Close(io.ErrNoProgress) } })
		lp.Wake()
		f.until("the third link", server, func() bool { return len(server.opened) >= 3 })
		f.until("the count", server, func() bool { return lp.Counters().Refused >= 1 })
		server.verify(t)
		client.verify(t)
	})
}

func TestWakeIsNeverLost(t *testing.T) {
	onEveryFabric(t, func(t *testing.T, f *fabric) {
		r := newRecorder()
		queue := NewQueue[int](64)
		sum, got := 0, 0
		r.onWake = func() {
			for v := 0; queue.Pop(&v); got++ {
				sum += v
			}
		}
		lp, _ := f.listen(Config{Name: "woken", TickNs: 50e9}, r)
		const producers, each = 4, 300
		want := 0
		for p := range producers {
			for i := range each {
				want += p*each + i
			}
		}
		produce := func(p int) {
			for i := range each {
				for !queue.Push(p*each + i) {
					yield()
				}
				lp.Wake()
			}
		}
		if f.memory != nil {
			for p := range producers {
				for i := range each {
					queue.Push(p*each + i)
					lp.Wake()
					f.until("the command", r, func() bool { return queue.Len() == 0 })
				}
			}
		} else {
			for p := range producers {
				go produce(p)
			}
		}
		f.until("all commands", r, func() bool { return got == producers*each })
		if sum != want {
			t.Errorf("sum of commands is %d, want %d", sum, want)
		}
		r.verify(t)
	})
}

func TestTicksComeToParkedAndToBusyLoops(t *testing.T) {
	onEveryFabric(t, func(t *testing.T, f *fabric) {
		server, client := newRecorder(), newRecorder()
		lp, address := f.listen(Config{Name: "server", TickNs: 1_000_000}, server)
		f.until("ten ticks without links", server, func() bool { return server.ticks >= 10 })
		bounce := func(l *Link, f wire.Frame, _ wire.Message) { _ = l.Send(f) }
		server.locked(func() { server.onMessage = bounce })
		client.onMessage = bounce
		client.onOpened = func(l *Link) { _ = l.Send(orderFrame()) }
		f.dial(Config{Name: "client", TickNs: 1_000_000}, client, address)
		if f.memory != nil {
			f.until("traffic", server, func() bool { return len(server.refs) > 10 })
			f.memory.Advance(10_000_000)
		}
		f.until("ten ticks under load", server, func() bool { return server.ticks >= 20 && len(server.refs) > 10 })
		f.until("the count", server, func() bool { return lp.Counters().Ticks >= 20 })
		server.verify(t)
	})
}

func TestBoundsOfSlowReaders(t *testing.T) {
	big := requestFrame(1)
	for _, c := range []struct {
		name   string
		bounds Outbound
		frames int
		cut    bool
	}{
		{"below both bounds", Outbound{BytesMax: 16 << 20, FramesMax: 200_000}, 20_000, false},
		{"bytes", Outbound{BytesMax: 64 << 10, FramesMax: 200_000}, 100_000, true},
		{"frames", Outbound{BytesMax: 1 << 30, FramesMax: 100}, 100_000, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			onEveryFabric(t, func(t *testing.T, f *fabric) {
				server := newRecorder()
				server.onOpened = func(l *Link) {
					for range c.frames {
						if l.Send(big) != nil {
							break
						}
					}
					server.must(l.Pending() <= c.bounds.BytesMax, "a link holds more than its bound")
				}
				cfg := Config{Name: "server", Outbound: map[Kind]Outbound{kindServer: c.bounds}}
				lp, address := f.listen(cfg, server)
				reader := f.silentReader(address)
				f.until("the link", server, func() bool { return len(server.opened) == 1 })
				if !c.cut {
					reader.readAll(t, c.frames*len(big))
					return
				}
				f.until("the cut", server, func() bool { return len(server.causes) == 1 })
				server.locked(func() {
					if !errors.Is(server.causes[0], ErrSlowReader) {
						t.Errorf("cause is %v, want ErrSlowReader", server.causes[0])
					}
				})
				f.until("the count", server, func() bool { return lp.Counters().SlowReaders == 1 })
				server.verify(t)
			})
		})
	}
}
