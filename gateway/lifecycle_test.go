package gateway

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"tollgate/fastpath"
	"tollgate/fastpath/wire"
	"tollgate/order"
)

// wants fails the test unless a peer has received this message next.
func (c *chain) wants(p *peer, name string, fields ...string) {
	c.t.Helper()
	if err := p.want(name, fields...); err != nil {
		c.t.Fatal(err)
	}
}

// TestMalformedFlood sends 100,000 frames that break the rules, over connections
// that come again and again, and wants nothing to pile up.
func TestMalformedFlood(t *testing.T) {
	c := newRunningChain(t, 0)
	p := &peer{name: "flood", counts: true}
	lp, err := c.net.Loop(fastpath.Config{Name: p.name}, p)
	if err != nil {
		t.Fatal(err)
	}
	if err := lp.Dial(KindClient, "unix", "clients"); err != nil {
		t.Fatal(err)
	}
	p.loop = lp
	c.settle()
	var floods [][]byte
	for _, unit := range []string{
		"\x00\x00\x00\x01", "\xff\xff\xff\xff", "\x00\x00\x00\x20\x12\x34", string(badTemplate()),
	} {
		floods = append(floods, []byte(strings.Repeat(unit, 250)))
	}
	flood := func(connections int) {
		for i := range connections {
			c.send(p, floods[i%len(floods)])
			c.advance(fastpath.DefaultDialBackoffMinNs)
		}
	}
	flood(40)
	before := heapBytes()
	flood(400)
	if grown := int64(heapBytes()) - int64(before); grown > 512<<10 {
		t.Errorf("the heap has grown by %d bytes", grown)
	}
	if n := c.gateway.counters.Malformed; n != 440 {
		t.Errorf("%d connections were cut, want 440", n)
	}
	if live := len(c.gateway.live); live > 1 {
		t.Errorf("%d connections are left, want at most the next one", live)
	}
}

// badTemplate returns a frame of a template that does not exist.
func badTemplate() []byte {
	f := (&wire.Logout{}).Append(nil)
	f[8], f[9] = 0xff, 0x7f
	return f
}

func heapBytes() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// TestMalformedFramesAreExplained pins what a client is told.
func TestMalformedFramesAreExplained(t *testing.T) {
	schema := (&wire.Logout{}).Append(nil)
	schema[10] = 1
	cases := []struct {
		bytes  string
		reason string
		value  uint64
	}{
		{"\x00\x00\x00\x01", "frame-length", 1},
		{"\x00\x01\x00\x00", "frame-length", 65536},
		{"\x00\x00\x00\x20\x12\x34", "encoding", 0x1234},
		{string(schema), "schema", uint64(wire.SchemaID&^0xff | 1)},
		{string(badTemplate()), "unknown-template", 0x7fff},
	}
	for _, x := range cases {
		c := newRunningChain(t, 0)
		p := c.connect("client")
		c.wants(p, "Hello")
		c.send(p, []byte(x.bytes))
		c.wants(p, "SessionReject", "Reason="+x.reason, fmt.Sprintf("Value=%d", x.value))
		if !p.closed {
			t.Errorf("%s: the connection is still open", x.reason)
		}
	}
}

// TestFramesBehindTheCutAreIgnored pins that a client that is being cut has no
// effect any more, although its frames came in one piece.
func TestFramesBehindTheCutAreIgnored(t *testing.T) {
	c := newRunningChain(t, 0)
	p := c.logIn("client", testSession, 5)
	var b []byte
	b = (&wire.Hello{}).Append(b)
	for range 300 {
		b = wire.AppendRequest(b, &order.Request{MsgType: order.MsgNewOrder, Ref: 1})
	}
	c.send(p, b)
	c.wants(p, "SessionReject", "Reason=unknown-template")
	c.wants(c.risk, "SessionClosed", "Session=70")
	if len(c.risk.received) != 0 || c.gateway.counters.Checks != 0 {
		t.Errorf("%d messages reached the engine after the cut", len(c.risk.received))
	}
}

// TestUnknownClientHasNoKey pins that the key which stands in for the missing one
// opens nothing.
func TestUnknownClientHasNoKey(t *testing.T) {
	c := newRunningChain(t, 0)
	p := c.connect("client")
	c.wants(p, "Hello")
	c.send(p, login(p, wire.Login{WantOutSeq: 1, Client: 1234, Session: testSession}, c.gateway.dummyKey))
	c.wants(p, "LoginReject", "Reason=not-authorized")
}

func TestSlowReaderIsCut(t *testing.T) {
	c := newRunningChain(t, 0)
	slow := c.logIn("slow", 70, 1)
	other := c.logIn("other", 71, 2)
	c.net.Stall(slow.link, true)
	for i := range uint64(20_000) {
		c.send(c.risk, wire.AppendAnswer(nil, &order.Answer{Kind: order.AnswerExecution, Session: 70, OutSeq: i + 1}))
		if c.gateway.counters.SlowReaders > 0 {
			break
		}
	}
	if c.gateway.counters.SlowReaders != 1 {
		t.Fatal("a client that does not read was not cut")
	}
	c.wants(c.risk, "SessionClosed", "Session=70", "Connection=1", "Reason=slow-reader")
	c.send(c.risk, wire.AppendAnswer(nil, &order.Answer{Kind: order.AnswerExecution, Session: 71, OutSeq: 1}))
	c.wants(other, "ExecutionReport", "Session=71", "OutSeq=1")
}

func TestConnectionCap(t *testing.T) {
	c := newRunningChain(t, 0)
	for i := range testConfig().ConnectionsMax {
		c.wants(c.connect(fmt.Sprint("client", i)), "Hello")
	}
	extra := c.connect("extra")
	c.wants(extra, "SessionReject", "Reason=too-many-connections", "Value=8")
	if !extra.closed || c.gateway.counters.Refused != 1 {
		t.Errorf("closed %v, refused %d, want true and 1", extra.closed, c.gateway.counters.Refused)
	}
	c.down(c.clients["client3"])
	c.wants(c.connect("late"), "Hello")
}

func TestNeighboursAreKeptAlive(t *testing.T) {
	c := newRunningChain(t, 0)
	c.risk.beats, c.venue.beats = 0, 0
	c.advance(1_000_000_000)
	if c.risk.beats < 19 || c.risk.beats > 20 || c.venue.beats < 19 || c.venue.beats > 20 {
		t.Errorf("%d and %d heartbeats in a second, want one every 50 ms", c.risk.beats, c.venue.beats)
	}
}

func TestHungNeighbourIsGivenUp(t *testing.T) {
	c := newRunningChain(t, 0)
	c.venue.beating = false
	c.advance(480_000_000)
	if c.gateway.counters.LinkHangs != 0 {
		t.Fatal("given up before half a second of silence")
	}
	c.advance(30_000_000)
	if c.gateway.counters.LinkHangs != 1 {
		t.Fatalf("%d links were given up, want 1", c.gateway.counters.LinkHangs)
	}
	c.wants(c.risk, "VenueState", "Up=false", "Instance=2")
	c.venue.beating = true
	c.advance(100_000_000)
	c.wants(c.risk, "VenueState", "Up=true", "Instance=2")
}

func TestWrongProcessIsNotTaken(t *testing.T) {
	for name, first := range map[string]message{
		"the wrong role":      &wire.LinkHello{Role: wire.RoleExchange},
		"no hello at all":     &wire.ReportsFrom{},
		"a heartbeat instead": &wire.LinkHeartbeat{},
	} {
		t.Run(name, func(t *testing.T) {
			c := newChain(t, 0)
			p := &peer{name: "risk"}
			c.peerLoop(p)
			if err := p.loop.Listen(KindClient, "unix", "risk"); err != nil {
				t.Fatal(err)
			}
			c.advance(1_000_000_000)
			c.send(p, first.Append(nil))
			if c.gateway.risk.ready || c.gateway.counters.FramesOutOfPlace != 1 || !p.closed {
				t.Errorf("ready %v, out of place %d, closed %v", c.gateway.risk.ready,
					c.gateway.counters.FramesOutOfPlace, p.closed)
			}
		})
	}
}

func TestFramesOutOfPlaceEndALink(t *testing.T) {
	for _, name := range []string{"LinkHello", "Check", "NewOrder", "Heartbeat", "SessionLogin"} {
		c := newRunningChain(t, 0)
		k, err := kindNamed(name)
		if err != nil {
			t.Fatal(err)
		}
		c.send(c.venue, k.make().Append(nil))
		if !c.venue.closed || c.gateway.venue.ready {
			t.Errorf("the exchange may send %s", name)
		}
		c.send(c.risk, k.make().Append(nil))
		if !c.risk.closed || c.gateway.risk.ready {
			t.Errorf("the engine may send %s", name)
		}
	}
}

// TestOwnPauseIsHeldAgainstNobody pins that a gateway that was stopped for a
// while, or whose clock was set, does not cut everybody when it goes on.
func TestOwnPauseIsHeldAgainstNobody(t *testing.T) {
	for _, jumpNs := range []int64{100e9, -100e9} {
		c := newRunningChain(t, 0)
		c.logIn("client", testSession, 5)
		c.gateway.Tick(c.net.Now() + jumpNs)
		c.settle()
		if len(c.gateway.live) != 1 || !c.gateway.risk.ready || !c.gateway.venue.ready {
			t.Errorf("after a pause of %d ns: %d connections, engine %v, exchange %v",
				jumpNs, len(c.gateway.live), c.gateway.risk.ready, c.gateway.venue.ready)
		}
		if c.gateway.counters.ForgivenPauses != 1 {
			t.Errorf("%d pauses were noticed, want 1", c.gateway.counters.ForgivenPauses)
		}
	}
}

func TestDrain(t *testing.T) {
	c := newRunningChain(t, 0)
	a := c.logIn("a", 70, 1)
	b := c.connect("b")
	c.wants(b, "Hello")
	c.gateway.Drain(c.loop)
	c.settle()
	c.wants(a, "SessionReject", "Reason=draining")
	c.wants(b, "SessionReject", "Reason=draining")
	c.wants(c.risk, "SessionClosed", "Session=70", "Connection=1")
	select {
	case <-c.gateway.drained:
	default:
		t.Error("draining is not over although nobody is connected")
	}
	late := c.connect("late")
	c.wants(late, "SessionReject", "Reason=draining")
	if !late.closed {
		t.Error("a client was taken in while draining")
	}
}

func TestSnapshotFollowsTheTicks(t *testing.T) {
	c := newRunningChain(t, 0)
	c.logIn("client", testSession, 5)
	c.advance(20_000_000)
	if got := c.gateway.Snapshot(); got != c.gateway.counters || got.Logins != 1 {
		t.Errorf("snapshot is %+v, want %+v", got, c.gateway.counters)
	}
}

func TestConfigReportsAllProblemsAtOnce(t *testing.T) {
	_, err := New(Config{Clients: []Endpoint{{"pipe", ""}}, ConnectionsMax: 1 << 20, DrainMs: 1 << 30},
		Keys{0: nil, 3: make([]byte, 3)}, nil)
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{
		`Clients[0].Network is "pipe"`, `Risk.Network is ""`, `Venue.Network is ""`, "ConnectionsMax is 1048576",
		"DrainMs is 1073741824", "client 0 has a key", "the key of client 3 has 3 bytes",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in the error:\n%v", want, err)
		}
	}
	if err := testConfig().Validate(); err != nil {
		t.Errorf("a good configuration is refused: %v", err)
	}
}

func TestKeysAreNeverPrinted(t *testing.T) {
	secret := "a secret nobody may read in a log"
	keys := Keys{1: []byte(secret)}
	bytesOfSecret := fmt.Sprint([]byte(secret))
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		if got := fmt.Sprintf(verb, keys); strings.Contains(got, secret) || strings.Contains(got, bytesOfSecret[1:20]) ||
			strings.Contains(got, fmt.Sprintf("%x", secret)) {
			t.Errorf("%s shows the secret: %s", verb, got)
		}
	}
}

func TestRunReturnsWhatTheLoopReturns(t *testing.T) {
	c := newChain(t, 0)
	if err := c.gateway.Run(context.Background(), c.loop); !errors.Is(err, fastpath.ErrNotRunnable) {
		t.Errorf("error is %v, want %v", err, fastpath.ErrNotRunnable)
	}
}
