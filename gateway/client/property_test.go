package client

import (
	"math/rand/v2"
	"testing"

	"tollgate/fastpath/wire"
	"tollgate/internal/testseed"
	"tollgate/order"
)

// TestExactlyOnce cuts connections at random points, loses what was on its way
// in both directions, makes the server busy, silent and forgetful of hints,
// and wants every request applied once, in order, and answered once.
func TestExactlyOnce(t *testing.T) {
	seed := testseed.New(t)
	for run := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, run))
		cfg := testConfig()
		cfg.UnansweredMax = 1 + rng.IntN(40)
		w := newWired(t, cfg)
		c := &chaos{wired: w, rng: rng}
		c.run(200)
		c.settle()
		c.check()
		if t.Failed() {
			t.Fatalf("run %d of seed %d", run, seed)
		}
	}
}

// chaos drives a session and a model with everything going wrong.
type chaos struct {
	*wired
	rng      *rand.Rand
	up       bool
	toServer []wire.Message // on their way
	toClient []byte
	orders   int
	late     []uint64 // requests the server has taken but not answered
}

func (c *chaos) run(steps int) {
	for range steps {
		c.nowNs += c.rng.Int64N(3 * nsPerMs)
		switch c.rng.IntN(10) {
		case 0, 1, 2, 3:
			c.sendSome()
		case 4, 5:
			c.deliverToServer(c.rng.IntN(len(c.toServer) + 1))
		case 6, 7:
			c.deliverToClient()
		case 8:
			c.upset()
		case 9:
			c.answerLate()
		}
		c.keepUp()
	}
}

func (c *chaos) sendSome() {
	for range c.rng.IntN(6) {
		if c.window.full() {
			return
		}
		c.orders++
		r := newOrder(order.ClOrdID(c.orders))
		if c.rng.IntN(4) == 0 {
			r.MsgType = order.MsgCancelOrder
		}
		c.order(r)
	}
}

// upset cuts the connection, or changes the server's mood.
func (c *chaos) upset() {
	switch c.rng.IntN(4) {
	case 0:
		c.up = false
		c.toServer, c.toClient, c.sent = nil, nil, nil
		c.disconnected()
	case 1:
		c.server.busyMs = uint32(c.rng.IntN(2) * 5)
	case 2:
		c.server.silent = !c.server.silent
	case 3:
		c.server.epoch++
	}
}

// keepUp connects if need be and lets the session write.
func (c *chaos) keepUp() {
	if c.failure != nil {
		c.t.Fatalf("the session failed: %v", c.failure)
	}
	if c.drop != nil && c.up {
		c.t.Fatalf("the session gave up: %v", c.drop)
	}
	if !c.up {
		c.up = true
		c.connected()
		c.toClient = append(c.toClient, c.server.hello()...)
	}
	c.toServer = append(c.toServer, c.pumped()...)
}

func (c *chaos) deliverToServer(n int) {
	for _, m := range c.toServer[:n] {
		before := len(c.server.applied)
		c.toClient = append(c.toClient, c.server.take(m)...)
		if len(c.server.applied) > before && c.server.silent {
			c.late = append(c.late, c.server.applied[before].Ref)
		}
	}
	c.toServer = c.toServer[n:]
}

func (c *chaos) deliverToClient() {
	frames := c.toClient
	c.toClient = nil
	c.give(frames)
}

// answerLate answers some request that was left without, not always the oldest.
func (c *chaos) answerLate() {
	if len(c.late) == 0 {
		return
	}
	i := c.rng.IntN(len(c.late))
	ref := c.late[i]
	c.late = append(c.late[:i], c.late[i+1:]...)
	f := c.server.answer(ref, order.ClOrdID(ref))
	if c.server.active {
		c.toClient = append(c.toClient, f...)
	}
}

// settle lets everything come to rest.
func (c *chaos) settle() {
	c.server.silent, c.server.busyMs = false, 0
	for range 100 {
		c.nowNs += 20 * nsPerMs
		c.keepUp()
		c.deliverToServer(len(c.toServer))
		for len(c.late) > 0 {
			c.answerLate()
		}
		c.deliverToClient()
	}
}

func (c *chaos) check() {
	if c.window.open != 0 {
		c.t.Errorf("%d of %d requests have no answer", c.window.open, c.orders)
	}
	if len(c.server.applied) != c.orders {
		c.t.Errorf("%d requests were applied, %d were sent", len(c.server.applied), c.orders)
	}
	for i, r := range c.server.applied {
		if r.Ref != uint64(i+1) || r.ClOrdID != order.ClOrdID(i+1) {
			c.t.Errorf("request %d at the server is Ref %d, ClOrdID %d", i+1, r.Ref, r.ClOrdID)
		}
	}
	answered := map[uint64]int{}
	for i, a := range c.seen.answers {
		if a.OutSeq != uint64(i+1) {
			c.t.Errorf("answer %d has OutSeq %d", i+1, a.OutSeq)
		}
		answered[a.Ref]++
	}
	for ref := uint64(1); ref <= uint64(c.orders); ref++ {
		if answered[ref] != 1 {
			c.t.Errorf("request %d was answered %d times", ref, answered[ref])
		}
	}
}
