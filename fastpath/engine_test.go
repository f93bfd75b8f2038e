package fastpath

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/panjf2000/gnet/v2"
	gneterrors "github.com/panjf2000/gnet/v2/pkg/errors"
	"golang.org/x/sys/unix"

	"tollgate/fastpath/wire"
	"tollgate/internal/testseed"
)

// onSockets runs a test over unix and tcp sockets.
func onSockets(t *testing.T, test func(t *testing.T, f *fabric)) {
	for _, name := range []string{"unix", "tcp"} {
		t.Run(name, func(t *testing.T) { test(t, &fabric{name: name, tb: t}) })
	}
}

// endEngine makes gnet's event loop end from within.
type endEngine struct{}

func (endEngine) Run(context.Context) error { return gneterrors.ErrEngineShutdown }

func TestRunReturnsAnErrorWhenTheEngineEndsByItself(t *testing.T) {
	onSockets(t, func(t *testing.T, f *fabric) {
		r := newRecorder()
		r.onOpened = func(l *Link) {
			var loop gnet.EventLoop = l.transport.(*socket).conn.EventLoop()
			_ = loop.Execute(t.Context(), endEngine{})
		}
		lp, err := New(Config{Name: "doomed"}, r)
		if err != nil {
			t.Fatal(err)
		}
		if err := lp.Listen(kindServer, f.name, f.address()); err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() { done <- lp.Run(t.Context()) }()
		conn, err := net.Dial(f.name, lp.Addr(kindServer))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = conn.Close() }()
		if err := <-done; !errors.Is(err, ErrEngineEnded) {
			t.Errorf("Run returned %v, want ErrEngineEnded", err)
		}
		r.locked(func() {
			if len(r.causes) != 1 || !errors.Is(r.causes[0], ErrLoopStopped) {
				t.Errorf("causes are %v, want ErrLoopStopped", r.causes)
			}
		})
		r.verify(t)
	})
}

func TestRunReturnsAnErrorWhenAListenerFails(t *testing.T) {
	onSockets(t, func(t *testing.T, f *fabric) {
		lp, err := New(Config{Name: "deaf"}, newRecorder())
		if err != nil {
			t.Fatal(err)
		}
		if err := lp.Listen(kindServer, f.name, f.address()); err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() { done <- lp.Run(t.Context()) }()
		<-lp.Ready()
		if err := lp.backend.(*engine).state.listeners[0].net.Close(); err != nil {
			t.Fatal(err)
		}
		if err := <-done; !errors.Is(err, net.ErrClosed) {
			t.Errorf("Run returned %v, want the listener's error", err)
		}
	})
}

// useUpDescriptors takes every file descriptor below a lowered limit and returns
// a function that gives some back, and one that ends the shortage.
func useUpDescriptors(t *testing.T) (free func(), end func()) {
	t.Helper()
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	low := unix.Rlimit{Cur: 256, Max: limit.Max}
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &low); err != nil {
		t.Fatal(err)
	}
	var taken []int
	for {
		fd, err := unix.Dup(0)
		if err != nil {
			break
		}
		taken = append(taken, fd)
	}
	free = func() {
		_ = unix.Close(taken[0])
		taken = taken[1:]
	}
	end = func() {
		_ = unix.Setrlimit(unix.RLIMIT_NOFILE, &limit)
		for len(taken) > 0 {
			free()
		}
	}
	return free, end
}

func TestLackOfDescriptorsIsSurvived(t *testing.T) {
	f := &fabric{name: "unix", tb: t}
	r := newRecorder()
	r.onMessage = func(l *Link, f wire.Frame, _ wire.Message) { _ = l.Send(f) }
	lp, address := f.listen(Config{Name: "poor", TickNs: 1_000_000}, r)
	free, end := useUpDescriptors(t)
	defer end()
	free() // for the client
	conn, err := net.Dial("unix", address)
	if err != nil {
		t.Skipf("cannot dial with one descriptor: %v", err)
	}
	defer func() { _ = conn.Close() }()
	f.until("a pause", r, func() bool { return lp.Counters().AcceptPauses > 0 })
	end()
	_ = conn.SetDeadline(time.Now().Add(patience))
	frame := orderFrame()
	if _, err := conn.Write(frame); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(conn, frame); err != nil {
		t.Errorf("after the shortage the client gets no answer: %v", err)
	}
	r.verify(t)
}

// descriptors returns how many file descriptors the process has open.
func descriptors(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skipf("no list of descriptors: %v", err)
	}
	return len(entries)
}

func TestALoopGivesEverythingBack(t *testing.T) {
	before := descriptors(t)
	t.Run("while", func(t *testing.T) {
		onSockets(t, func(t *testing.T, f *fabric) {
			server, client := newRecorder(), newRecorder()
			client.onOpened = func(l *Link) { _ = l.Send(orderFrame()) }
			_, address := f.listen(Config{Name: "server"}, server)
			f.dial(Config{Name: "client"}, client, address)
			f.dial(Config{Name: "nobody home"}, newRecorder(), filepath.Join(t.TempDir(), "none"))
			f.until("a request", server, func() bool { return len(server.refs) == 1 })
		})
	})
	if after := descriptors(t); after > before {
		t.Errorf("%d descriptors are open, want the %d there were before", after, before)
	}
}

func TestLinksOfAStoppedLoopAreClosed(t *testing.T) {
	onSockets(t, func(t *testing.T, f *fabric) {
		r := newRecorder()
		r.onMessage = func(l *Link, f wire.Frame, _ wire.Message) { _ = l.Send(f) }
		lp, err := New(Config{Name: "short"}, r)
		if err != nil {
			t.Fatal(err)
		}
		if err := lp.Listen(kindServer, f.name, f.address()); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- lp.Run(ctx) }()
		d, err := Dial(f.name, lp.Addr(kindServer), DirectConfig{})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = d.Close() }()
		roundTrip(t, d, orderFrame(), func(wire.Frame, wire.Message) {})
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Run returned %v, want nil", err)
		}
		lp.Wake() // must be harmless
		if err := lp.Run(t.Context()); err == nil {
			t.Error("a second Run returned nil, want an error")
		}
		r.locked(func() {
			if len(r.causes) != 1 || !errors.Is(r.causes[0], ErrLoopStopped) {
				t.Errorf("causes are %v, want ErrLoopStopped", r.causes)
			}
		})
		if _, err := net.Dial(f.name, lp.Addr(kindServer)); err == nil {
			t.Error("the listener still accepts")
		}
		r.verify(t)
	})
}

func TestHalfCloseIsClose(t *testing.T) {
	onSockets(t, func(t *testing.T, f *fabric) {
		r := newRecorder()
		r.onMessage = func(l *Link, f wire.Frame, _ wire.Message) { _ = l.Send(f) }
		_, address := f.listen(Config{Name: "server"}, r)
		conn, err := net.Dial(f.name, address)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = conn.Close() }()
		frame := orderFrame()
		if _, err := conn.Write(frame); err != nil {
			t.Fatal(err)
		}
		if err := conn.(interface{ CloseWrite() error }).CloseWrite(); err != nil {
			t.Fatal(err)
		}
		answer, err := io.ReadAll(conn)
		if err != nil || string(answer) != string(frame) {
			t.Errorf("got %d bytes and %v, want the frame back and EOF", len(answer), err)
		}
		f.until("the end", r, func() bool { return len(r.causes) == 1 })
		r.locked(func() {
			if !errors.Is(r.causes[0], io.EOF) {
				t.Errorf("cause is %v, want EOF", r.causes[0])
			}
		})
		r.verify(t)
	})
}

func TestBytesMayBeSplitAnywhere(t *testing.T) {
	onSockets(t, func(t *testing.T, f *fabric) {
		r := newRecorder()
		_, address := f.listen(Config{Name: "server"}, r)
		conn, err := net.Dial(f.name, address)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = conn.Close() }()
		const n = 8
		for ref := 1; ref <= n; ref++ {
			for _, b := range requestFrame(uint64(ref)) {
				if _, err := conn.Write([]byte{b}); err != nil {
					t.Fatal(err)
				}
			}
		}
		f.until("all frames", r, func() bool { return len(r.refs) == n })
		r.locked(func() {
			if !inOrder(r.refs, n) {
				t.Errorf("got %v", r.refs)
			}
		})
		r.verify(t)
	})
}

func TestIdleLoopParks(t *testing.T) {
	onSockets(t, func(t *testing.T, f *fabric) {
		r := newRecorder()
		r.onMessage = func(l *Link, f wire.Frame, _ wire.Message) { _ = l.Send(f) }
		lp, address := f.listen(Config{Name: "idle", TickNs: 5_000_000, Idle: Idle{SpinNs: 1_000_000}}, r)
		d, err := Dial(f.name, address, DirectConfig{})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = d.Close() }()
		roundTrip(t, d, orderFrame(), func(wire.Frame, wire.Message) {})
		f.until("a tick in peace", r, func() bool { return r.ticks >= 4 })
		began, first := r.ticks, lp.Counters()
		heart := (&wire.LinkHeartbeat{Time: 1}).Append(nil)
		for range 20 { // heartbeats must not make it poll
			_ = d.Send(heart)
			_ = d.Flush()
			r.locked(func() { began = r.ticks })
			f.until("another tick", r, func() bool { return r.ticks > began })
		}
		f.until("the count", r, func() bool { return lp.Counters().Ticks >= first.Ticks+20 })
		now := lp.Counters()
		ticks, polls := now.Ticks-first.Ticks, now.EmptyPolls-first.EmptyPolls
		if now.Parks-first.Parks < ticks-2 || polls > 3*ticks {
			t.Errorf("in %d ticks the loop parked %d times and polled %d times in vain, want a park and a poll each",
				ticks, now.Parks-first.Parks, polls)
		}
		r.verify(t)
	})
}

func TestBusyLoopNeverParks(t *testing.T) {
	f := &fabric{name: "unix", tb: t}
	r := newRecorder()
	lp, _ := f.listen(Config{Name: "busy", TickNs: 1_000_000, Idle: Idle{Mode: ModeBusy}}, r)
	f.until("ticks", r, func() bool { return r.ticks >= 20 })
	if c := lp.Counters(); c.Parks != 0 || c.EmptyPolls < 100 {
		t.Errorf("parked %d times, polled %d times in vain, want never and always", c.Parks, c.EmptyPolls)
	}
}

func TestListenReplacesOnlyStaleSockets(t *testing.T) {
	dir := t.TempDir()
	stale, live, file := filepath.Join(dir, "stale"), filepath.Join(dir, "live"), filepath.Join(dir, "file")
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(unix.Bind(fd, &unix.SockaddrUnix{Name: stale}), unix.Close(fd)); err != nil {
		t.Fatal(err)
	}
	owner, err := net.Listen("unix", live)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = owner.Close() }()
	if err := os.WriteFile(file, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	serve(t, Config{Name: "heir"}, newRecorder(), func(lp *Loop) {
		for path, want := range map[string]bool{stale: true, live: false, file: false} {
			if err := lp.Listen(kindServer, "unix", path); (err == nil) != want {
				t.Errorf("Listen on %s: %v, want success %v", filepath.Base(path), err, want)
			}
		}
	})
	if _, err := os.Stat(file); err != nil {
		t.Errorf("a file that is no socket is gone: %v", err)
	}
}

func TestWrongUseIsAnError(t *testing.T) {
	lp, err := New(Config{Name: "wrong"}, newRecorder())
	if err != nil {
		t.Fatal(err)
	}
	if err := lp.Listen(1, "udp", "127.0.0.1:0"); err == nil || !strings.Contains(err.Error(), `"udp"`) {
		t.Errorf("Listen on udp: %v, want an error that names it", err)
	}
	if err := lp.Dial(1, "udp", "127.0.0.1:1"); err == nil || !strings.Contains(err.Error(), `"udp"`) {
		t.Errorf("Dial of udp: %v, want an error that names it", err)
	}
	if _, err := New(Config{Name: "none"}, nil); err == nil {
		t.Error("New without a handler returned nil, want an error")
	}
	r := newRecorder()
	running := serve(t, Config{Name: "running"}, r, func(*Loop) {})
	if err := running.Run(t.Context()); err == nil {
		t.Error("Run of a running loop returned nil, want an error")
	}
	running.Wake()
	r.wait(t, "the loop goes on", func() bool { return r.wakes > 0 })
	if err := running.Listen(1, "tcp", "127.0.0.1:0"); err == nil {
		t.Error("Listen after Run returned nil, want an error")
	}
	if running.Addr(9) != "" {
		t.Errorf("Addr of a kind without listener is %q, want none", running.Addr(9))
	}
}

func TestAWakeBeforeRunIsKept(t *testing.T) {
	r := newRecorder()
	serve(t, Config{Name: "early", TickNs: 50e9}, r, func(lp *Loop) { lp.Wake() })
	r.wait(t, "the early wake", func() bool { return r.wakes == 1 })
}

// TestAWakeThatMeetsAParkingLoopIsKept: the loop parks after each wake, and the
// next wake comes at about that moment. No tick would make up for a lost one.
func TestAWakeThatMeetsAParkingLoopIsKept(t *testing.T) {
	r := newRecorder()
	queue := NewQueue[int](4)
	r.onWake = func() {
		for v := 0; queue.Pop(&v); {
		}
	}
	f := &fabric{name: "unix", tb: t}
	lp, _ := f.listen(Config{Name: "nodding", TickNs: 60e9, Idle: Idle{SpinNs: 1}}, r)
	random := rand.New(rand.NewPCG(testseed.New(t), 3))
	deadline := time.Now().Add(patience)
	for i := range 20_000 {
		queue.Push(i)
		lp.Wake()
		for queue.Len() > 0 {
			if time.Now().After(deadline) {
				t.Fatalf("wake %d of the loop was lost", i)
			}
			yield()
		}
		for range random.IntN(30) {
			yield()
		}
	}
	if c := lp.Counters(); c.Ticks > 0 {
		t.Errorf("there were %d ticks, which hide lost wakes", c.Ticks)
	}
	r.verify(t)
}

func TestRunFailsWithoutLeavingAnything(t *testing.T) {
	before := descriptors(t)
	lp, err := New(Config{Name: "stillborn"}, newRecorder())
	if err != nil {
		t.Fatal(err)
	}
	if err := lp.Listen(kindServer, "tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	lp.cfg.TickNs = -1 // the kernel has no such timer
	if err := lp.Run(t.Context()); !errors.Is(err, unix.EINVAL) {
		t.Errorf("Run returned %v, want EINVAL", err)
	}
	if after := descriptors(t); after > before {
		t.Errorf("%d descriptors are open, want the %d there were before", after, before)
	}
}

func TestDialWhileRunning(t *testing.T) {
	f := &fabric{name: "unix", tb: t}
	r := newRecorder()
	lp, address := f.listen(Config{Name: "self"}, r)
	if err := lp.Dial(kindDialled, "unix", address); err != nil {
		t.Fatal(err)
	}
	f.until("both ends", r, func() bool { return len(r.opened) == 2 })
	r.verify(t)
}

// TestMalformedFloodKeepsMemoryBounded: a client that comes back again and again
// with bytes that are no frames costs nothing that stays.
func TestMalformedFloodKeepsMemoryBounded(t *testing.T) {
	f := &fabric{name: "unix", tb: t}
	r := newRecorder()
	lp, address := f.listen(Config{Name: "flooded"}, r)
	junk := make([]byte, 256<<10)
	const floods = 100
	for range floods {
		conn, err := net.Dial("unix", address)
		if err != nil {
			t.Fatal(err)
		}
		_ = conn.SetDeadline(time.Now().Add(patience))
		_, _ = conn.Write(junk) // cut at the first header
		_, _ = io.Copy(io.Discard, conn)
		_ = conn.Close()
	}
	f.until("all cut", r, func() bool { return len(r.malformed) == floods && len(r.causes) == floods })
	f.until("the count", r, func() bool { return lp.Counters().Malformed == floods })
	if len(r.refs) != 0 || len(lp.read) != wire.FrameMax+ReadBytes {
		t.Errorf("%d messages came of junk, the read buffer has %d bytes", len(r.refs), len(lp.read))
	}
	r.verify(t)
}
