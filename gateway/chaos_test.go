package gateway

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"tollgate/fastpath/wire"
	"tollgate/internal/testseed"
	"tollgate/order"
)

// TestChaos lets clients, engine and exchange come, go, misbehave and fall
// silent at random, and wants the gateway's own books to stay in order.
func TestChaos(t *testing.T) {
	seed := testseed.New(t)
	for run := range uint64(60) {
		c := &chaos{chain: newChain(t, seed+run), rng: rand.New(rand.NewPCG(seed, run))}
		for range 150 {
			c.act()
			c.checkBooks()
		}
		if t.Failed() {
			t.Fatalf("run %d of seed %d", run, seed)
		}
	}
}

type chaos struct {
	*chain
	rng    *rand.Rand
	number order.ConnectionID
	born   int
}

func (c *chaos) act() {
	switch c.rng.IntN(12) {
	case 0:
		c.restart("risk", c.risk)
	case 1:
		c.restart("venue", c.venue)
	case 2, 3:
		c.born++
		c.connect(fmt.Sprint("client", c.born))
	case 4, 5:
		if p := c.someClient(); p != nil {
			key := testKeys[testClient]
			if c.rng.IntN(6) == 0 {
				key = testKeys[8]
			}
			c.toss(p, login(p, wire.Login{
				WantOutSeq: 1, Client: testClient, Session: c.session(), KeepaliveMs: c.rng.Uint32N(400),
			}, key))
		}
	case 6:
		c.decide()
	case 7, 8:
		c.tossAnything(c.someClient())
	case 9:
		c.tossAnything(c.risk)
		c.tossAnything(c.venue)
	case 10:
		c.advance(c.rng.Int64N(700_000_000))
	case 11:
		if p := c.someClient(); p != nil {
			c.hurt(p)
		}
	}
}

func (c *chaos) session() order.SessionID { return order.SessionID(1 + c.rng.IntN(5)) }

// restart ends a process if it is there, and starts it if not.
func (c *chaos) restart(name string, p *peer) {
	if p != nil && p.loop != nil && c.rng.IntN(2) == 0 {
		c.down(p)
		p.loop = nil
		return
	}
	if p == nil || p.loop == nil {
		c.up(name)
	}
}

// someClient returns a client that has a connection.
func (c *chaos) someClient() *peer {
	for range 5 {
		if p := c.clients[fmt.Sprint("client", 1+c.rng.IntN(c.born+1))]; p != nil && p.link != nil {
			return p
		}
	}
	return nil
}

// toss sends bytes, whether or not they can arrive.
func (c *chaos) toss(p *peer, b []byte) {
	if p == nil || p.link == nil {
		return
	}
	_ = p.link.Send(b)
	p.loop.Wake()
	c.settle()
}

// tossAnything sends a random message with random sessions and connections.
func (c *chaos) tossAnything(p *peer) {
	x := kinds[c.rng.IntN(len(kinds))].make()
	_ = setFields(x, []string{fmt.Sprintf("Session=%d", c.session())})
	_ = setFields(x, []string{fmt.Sprintf("Connection=%d", c.rng.Uint32N(uint32(c.number)+2))})
	b := x.Append(nil)
	if c.rng.IntN(20) == 0 {
		b[c.rng.IntN(len(b))] ^= byte(1 + c.rng.IntN(255))
	}
	c.toss(p, b)
}

// decide answers the logins the engine has been asked about.
func (c *chaos) decide() {
	if c.risk == nil {
		return
	}
	asked := c.risk.received
	c.risk.received = nil
	for _, f := range asked {
		_, x, err := decode(f)
		ask, ok := x.(*wire.SessionLogin)
		if err != nil || !ok {
			continue
		}
		c.number++
		if c.rng.IntN(4) == 0 {
			c.toss(c.risk, (&wire.LoginReject{LoginID: ask.LoginID, Session: ask.Session}).Append(nil))
			continue
		}
		ack := wire.LoginAck{LoginID: ask.LoginID, Session: ask.Session, Connection: c.number, KeepaliveMs: ask.KeepaliveMs}
		c.toss(c.risk, ack.Append(nil))
	}
}

// hurt breaks a client's connection, or makes the client stop reading.
func (c *chaos) hurt(p *peer) {
	if c.rng.IntN(2) == 0 {
		c.net.Cut(p.link)
	} else {
		c.net.Stall(p.link, true)
	}
	c.settle()
}

// checkBooks wants every slot to be either free or live, and every active
// connection to be found by its session.
func (c *chaos) checkBooks() {
	c.t.Helper()
	g := c.gateway
	if len(g.live)+len(g.free) != len(g.slots) {
		c.t.Fatalf("%d live and %d free slots of %d", len(g.live), len(g.free), len(g.slots))
	}
	active := 0
	for place, slot := range g.live {
		x := &g.slots[slot]
		if x.place != uint32(place) || x.slot != slot || x.link == nil || x.link.Data != any(x) {
			c.t.Fatalf("slot %d at place %d holds %+v", slot, place, x)
		}
		if x.stage != stageActive {
			continue
		}
		active++
		if g.sessions.find(x.session) != x {
			c.t.Fatalf("session %d is not found at its connection", x.session)
		}
	}
	found := 0
	for _, e := range g.sessions.entries {
		if e.connection != nil {
			found++
		}
	}
	if found != active {
		c.t.Fatalf("%d sessions in the table, %d active connections", found, active)
	}
	for _, n := range []*neighbour{&g.risk, &g.venue} {
		if n.ready && n.link == nil {
			c.t.Fatalf("the %v is ready without a link", n.role)
		}
	}
}

// FuzzClientBytes gives the gateway whatever bytes a client may send, before and
// after the login, in pieces of any size.
func FuzzClientBytes(f *testing.F) {
	f.Add([]byte{}, uint64(1), false)
	f.Add([]byte("\x00\x00\x00\x01"), uint64(0), true)
	for _, k := range kinds {
		f.Add(k.make().Append(nil), uint64(3), true)
	}
	f.Fuzz(func(t *testing.T, b []byte, seed uint64, loggedIn bool) {
		c := &chaos{chain: newRunningChain(t, 0)}
		var p *peer
		if loggedIn {
			p = c.logIn("client", testSession, 1)
		} else {
			p = c.connect("client")
		}
		rng := rand.New(rand.NewPCG(seed, 0))
		for len(b) > 0 && p.link != nil && p.link.Open() {
			n := 1 + rng.IntN(len(b))
			c.toss(p, b[:n])
			b = b[n:]
		}
		c.advance(3 * tickNs)
		c.checkBooks()
		if !c.gateway.risk.ready || !c.gateway.venue.ready {
			t.Error("a client's bytes have cost a link to a neighbour")
		}
	})
}
