package fastpath

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"tollgate/fastpath/wire"
	"tollgate/internal/testseed"
)

// diary is a handler that writes down everything with its time.
type diary struct {
	*recorder
	name string
	log  *strings.Builder
	lp   *Loop
}

func (d *diary) note(what string, l *Link) {
	fmt.Fprintf(d.log, "%d %s %s %d\n", d.lp.Now(), d.name, what, l.ID())
}

func (d *diary) Opened(l *Link) {
	d.note("opened", l)
	d.recorder.Opened(l)
}

func (d *diary) Message(l *Link, f wire.Frame, m wire.Message) {
	d.note("message", l)
	d.recorder.Message(l, f, m)
}

func (d *diary) Closed(l *Link, cause error) {
	d.note("closed "+cause.Error(), l)
	d.recorder.Closed(l, cause)
}

// story plays a little network with the seed and returns what happened.
func story(t *testing.T, seed uint64) string {
	t.Helper()
	m, log := NewMemory(seed), &strings.Builder{}
	make := func(name string) *diary {
		d := &diary{recorder: newRecorder(), name: name, log: log}
		d.lp, _ = m.Loop(Config{Name: name}, d)
		return d
	}
	server, a, b := make("server"), make("a"), make("b")
	server.onMessage = func(l *Link, f wire.Frame, _ wire.Message) { _ = l.Send(f) }
	_ = server.lp.Listen(1, "unix", "here")
	for _, d := range []*diary{a, b} {
		d.onOpened = func(l *Link) { sendAll(l, 20) }
		_ = d.lp.Dial(2, "unix", "here")
	}
	for range 20 {
		m.Settle(10)
		m.Advance(3_000_000)
	}
	m.Cut(a.opened[0])
	if !m.Settle(100_000) {
		t.Error("the network does not come to rest")
	}
	for _, d := range []*diary{server, a, b} {
		d.verify(t)
	}
	return log.String()
}

func TestMemoryRepeatsItselfWithTheSameSeed(t *testing.T) {
	for _, seed := range []uint64{0, 1, testseed.New(t)} {
		if first, second := story(t, seed), story(t, seed); first != second {
			t.Errorf("seed %d gives two stories", seed)
		}
	}
	if story(t, 1) == story(t, 2) {
		t.Error("seeds 1 and 2 give the same story")
	}
}

// pairOf returns two loops of a memory with one link between them.
func pairOf(t *testing.T, m *Memory) (server, client *recorder, serverLoop, clientLoop *Loop) {
	t.Helper()
	f := &fabric{name: "unix", memory: m, tb: t}
	server, client = newRecorder(), newRecorder()
	serverLoop, address := f.listen(Config{Name: "server"}, server)
	clientLoop = f.dial(Config{Name: "client"}, client, address)
	if !m.Settle(1000) || len(server.opened) != 1 || len(client.opened) != 1 {
		t.Fatalf("%d and %d links, want one each", len(server.opened), len(client.opened))
	}
	return server, client, serverLoop, clientLoop
}

// onLoop runs f as a callback of the loop.
func onLoop(m *Memory, r *recorder, lp *Loop, f func()) {
	r.onWake = f
	lp.Wake()
	for r.wakes == 0 && m.Step() {
	}
	r.wakes, r.onWake = 0, nil
}

func TestMemoryKillLooksLikeADeadProcess(t *testing.T) {
	m := NewMemory(0)
	server, client, serverLoop, clientLoop := pairOf(t, m)
	onLoop(m, client, clientLoop, func() { sendAll(client.opened[0], 3) })
	m.Kill(clientLoop)
	if !m.Settle(1000) {
		t.Fatal("no rest")
	}
	if !inOrder(server.refs, 3) || len(server.causes) != 1 || !errors.Is(server.causes[0], io.EOF) {
		t.Errorf("server got %v and %v, want what was sent and EOF", server.refs, server.causes)
	}
	clientLoop.Wake()
	m.Advance(1e9)
	if m.Settle(1000); client.wakes != 0 || len(client.causes) != 0 {
		t.Errorf("the dead loop was called: %d wakes, %v", client.wakes, client.causes)
	}
	heir := newRecorder()
	lp, err := m.Loop(Config{Name: "heir"}, heir)
	if err != nil {
		t.Fatal(err)
	}
	if err := lp.Dial(kindDialled, "unix", serverLoop.Addr(kindServer)); err != nil {
		t.Fatal(err)
	}
	if m.Settle(1000); len(heir.opened) != 1 || len(server.opened) != 2 {
		t.Errorf("the heir has %d links, the server had %d, want 1 and 2", len(heir.opened), len(server.opened))
	}
	server.verify(t)
	heir.verify(t)
}

func TestMemoryKilledServerFreesItsAddress(t *testing.T) {
	m := NewMemory(0)
	_, client, serverLoop, _ := pairOf(t, m)
	address := serverLoop.Addr(kindServer)
	again := newRecorder()
	lp, _ := m.Loop(Config{Name: "again"}, again)
	if err := lp.Listen(kindServer, "unix", address); err == nil {
		t.Error("two loops listen at one address")
	}
	m.Kill(serverLoop)
	if err := lp.Listen(kindServer, "unix", address); err != nil {
		t.Errorf("the address of a dead loop is taken: %v", err)
	}
	m.Settle(1000)
	m.Advance(1e9)
	if m.Settle(1000); len(client.opened) != 2 || len(again.opened) != 1 {
		t.Errorf("the client had %d links, the new server %d, want 2 and 1", len(client.opened), len(again.opened))
	}
}

func TestMemoryCutLosesWhatIsUnderWay(t *testing.T) {
	m := NewMemory(0)
	server, client, _, clientLoop := pairOf(t, m)
	onLoop(m, client, clientLoop, func() { sendAll(client.opened[0], 3) })
	m.Cut(client.opened[0])
	if !m.Settle(1000) {
		t.Fatal("no rest")
	}
	for name, r := range map[string]*recorder{"server": server, "client": client} {
		if len(r.refs) != 0 || len(r.causes) != 1 || !errors.Is(r.causes[0], unix.ECONNRESET) {
			t.Errorf("%s got %v and %v, want nothing and a reset", name, r.refs, r.causes)
		}
		r.verify(t)
	}
}

func TestMemoryStallHoldsBytesBack(t *testing.T) {
	m := NewMemory(0)
	server, client, _, clientLoop := pairOf(t, m)
	m.Stall(server.opened[0], true)
	frames := 2 * MemoryPipeBytes / len(orderFrame())
	onLoop(m, client, clientLoop, func() { sendAll(client.opened[0], frames) })
	if m.Settle(1000); len(server.refs) != 0 || client.opened[0].Pending() == 0 {
		t.Errorf("a stalled link got %d frames, its peer holds %d bytes", len(server.refs), client.opened[0].Pending())
	}
	m.Stall(server.opened[0], false)
	if m.Settle(1000); !inOrder(server.refs, frames) || client.opened[0].Pending() != 0 {
		t.Errorf("got %d frames of %d, %d bytes held", len(server.refs), frames, client.opened[0].Pending())
	}
}

func TestMemoryTicksAtTheirTimes(t *testing.T) {
	m := NewMemory(0)
	var times []int64
	r := newRecorder()
	lp, _ := m.Loop(Config{Name: "clock", TickNs: 10_000_000}, r)
	r.onTick = func() { times = append(times, lp.Now()-memoryEpochNs) }
	m.Advance(35_000_000)
	if fmt.Sprint(times) != "[10000000 20000000 30000000]" || m.Now() != memoryEpochNs+35_000_000 {
		t.Errorf("ticks at %v, now %d", times, m.Now()-memoryEpochNs)
	}
	if err := lp.Run(t.Context()); !errors.Is(err, ErrNotRunnable) {
		t.Errorf("Run: %v, want ErrNotRunnable", err)
	}
	if lp.Counters().Ticks != 3 {
		t.Errorf("Ticks is %d, want 3", lp.Counters().Ticks)
	}
}

// TestMemoryKeepsItsPromisesWhateverHappens lets links break, stall and come
// back at random: every handler's promises hold, and what arrives on one link is
// a beginning of what was sent on it.
func TestMemoryKeepsItsPromisesWhateverHappens(t *testing.T) {
	seed := testseed.New(t)
	for run := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, run))
		m := NewMemory(random.Uint64() | 1)
		f := &fabric{name: "tcp", memory: m, tb: t}
		server, client := newRecorder(), newRecorder()
		perLink := map[*Link]uint64{}
		server.onMessage = func(l *Link, f wire.Frame, msg wire.Message) {
			perLink[l]++
			last := server.refs[len(server.refs)-1]
			server.must(last == perLink[l], "a link's frames are lost, doubled or out of order")
			_ = l.Send(f)
		}
		client.onOpened = func(l *Link) { sendAll(l, 50) }
		_, address := f.listen(Config{Name: "server"}, server)
		f.start(Config{Name: "client", DialBackoffMaxNs: 5_000_000}, client, func(lp *Loop) {
			for range 4 {
				_ = lp.Dial(kindDialled, f.name, address)
			}
		})
		for range 2000 {
			disturb(m, random, server)
			disturb(m, random, client)
			m.Step()
			if random.IntN(10) == 0 {
				m.Advance(random.Int64N(3_000_000))
			}
		}
		for _, r := range []*recorder{server, client} {
			for _, l := range r.opened {
				m.Stall(l, false)
			}
		}
		if !m.Settle(1_000_000) {
			t.Error("no rest")
		}
		server.verify(t)
		client.verify(t)
	}
}

// disturb sometimes breaks or stalls one of the links a recorder has seen.
func disturb(m *Memory, random *rand.Rand, r *recorder) {
	if len(r.opened) == 0 || random.IntN(20) != 0 {
		return
	}
	l := r.opened[random.IntN(len(r.opened))]
	switch random.IntN(4) {
	case 0:
		m.Cut(l)
	case 1:
		m.Stall(l, true)
	default:
		m.Stall(l, false)
	}
}
