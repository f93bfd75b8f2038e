package client

import (
	"context"
	"fmt"
	"time"

	"tollgate/fastpath"
	"tollgate/fastpath/wire"
	"tollgate/order"
)

// Client is one order entry session. One goroutine owns it.
type Client struct {
	session *session
	link    *fastpath.Direct // nil while there is no connection
	dialled chan dialled     // the result of the dial in progress; nil if there is none
	started time.Time        // zero of the client's clock
	retryNs int64            // when to dial again
	pauseNs int64            // the pause after the next failure

	handler Handler // of the Poll in progress
	onFrame func(f wire.Frame, m wire.Message)
	inbox   inbox // what Recv has not handed out yet
}

// dialled is what a dial came to.
type dialled struct {
	link *fastpath.Direct
	err  error
}

// Dial connects to a gateway and logs in to a session. It returns the first
// failure, without trying again; wire.LoginRejectBusy in a LoginError means
// that trying again is worth while. ctx bounds only Dial itself. Answers that
// arrive together with the login wait for the first Poll or Recv.
func Dial(ctx context.Context, cfg Config) (*Client, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	c := newClient(cfg.withDefaults())
	for {
		err := c.login(ctx)
		if err == nil {
			return c, nil
		}
		if err != errStartLater {
			c.shut()
			return nil, err
		}
	}
}

func newClient(cfg Config) *Client {
	c := &Client{session: newSession(cfg), started: time.Now(), pauseNs: cfg.ReconnectMinNs}
	c.onFrame = c.receive
	return c
}

// login makes one connection and one attempt to log in on it, blocking. Events
// and answers go to the inbox.
func (c *Client) login(ctx context.Context) error {
	c.clock()
	c.dial()
	for c.session.phase != phaseActive {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("client: login to %s: %w", c.session.cfg.Address, err)
		}
		if err := c.step(&c.inbox); err != nil {
			return err
		}
		c.Wait(recvSlice)
	}
	return nil
}

// Send numbers a request and gives it to the session: r.MsgType says which
// request it is, r.Ref is set, r.Session and r.Connection are not looked at.
// It returns the number, which the final answer will carry. The bytes leave
// with the next Flush or Poll at the latest. While there is no connection the
// request waits for one. Errors: ErrTooManyUnanswered, an unknown MsgType, or
// what ended the session.
func (c *Client) Send(r *order.Request) (ref uint64, err error) {
	s := c.session
	if s.failure != nil || s.window.full() || !r.MsgType.Valid() {
		return 0, c.refuse(r)
	}
	if c.link == nil {
		s.send(nil, r)
		return r.Ref, nil
	}
	buffer := c.link.Buffer()
	c.link.Commit(s.send(buffer, r))
	return r.Ref, nil
}

// refuse says why Send cannot take r.
func (c *Client) refuse(r *order.Request) error {
	switch {
	case c.session.failure != nil:
		return c.session.failure
	case !r.MsgType.Valid():
		return fmt.Errorf("client: MsgType is %d, want D, G, F or q", r.MsgType)
	}
	return ErrTooManyUnanswered
}

// NewOrder sends r as a NewOrder.
func (c *Client) NewOrder(r *order.Request) (ref uint64, err error) {
	r.MsgType = order.MsgNewOrder
	return c.Send(r)
}

// ReplaceOrder sends r as a ReplaceOrder of the order r.OrigClOrdID names.
func (c *Client) ReplaceOrder(r *order.Request) (ref uint64, err error) {
	r.MsgType = order.MsgReplaceOrder
	return c.Send(r)
}

// CancelOrder sends r as a CancelOrder of the order r.OrigClOrdID names.
func (c *Client) CancelOrder(r *order.Request) (ref uint64, err error) {
	r.MsgType = order.MsgCancelOrder
	return c.Send(r)
}

// MassCancel sends r as a MassCancel of the session's orders that match its
// Account, Instrument and Side, where zero matches all.
func (c *Client) MassCancel(r *order.Request) (ref uint64, err error) {
	r.MsgType = order.MsgMassCancel
	return c.Send(r)
}

// Flush writes what Send has gathered. A broken connection is not an error
// here: Poll notices it and makes a new one. The error is what ended the
// session, or nil.
func (c *Client) Flush() error {
	if c.link != nil {
		if err := c.link.Flush(); err != nil {
			c.session.giveUp(err)
		}
	}
	return c.session.failure
}

// Poll hands everything that has arrived to h, does what is due (heartbeats,
// repetitions, a new connection) and returns how many messages arrived. It
// never blocks. Its error is final: the session cannot go on.
func (c *Client) Poll(h Handler) (int, error) {
	if c.inbox.pending() {
		return c.inbox.deliver(h), c.session.failure
	}
	return c.poll(h)
}

func (c *Client) poll(h Handler) (n int, err error) {
	c.clock()
	if c.link == nil {
		c.reconnect()
	} else {
		n = c.read(h)
		c.session.checkSilence()
	}
	c.write()
	if c.session.drop != nil && c.link != nil {
		c.lose(h)
	}
	return n, c.session.failure
}

// step is poll during the first login, where every failure ends the attempt.
func (c *Client) step(h Handler) error {
	c.clock()
	if c.link == nil {
		return c.accept()
	}
	c.read(h)
	c.session.checkSilence()
	c.write()
	if cause := c.session.drop; cause != nil {
		c.hangUp()
		return cause
	}
	return nil
}

// read hands what the connection has received to the session.
func (c *Client) read(h Handler) int {
	c.handler = h
	n, err := c.link.Poll(c.onFrame)
	c.handler = nil
	if err != nil {
		c.session.giveUp(err)
	}
	return n
}

// receive takes one frame during read.
func (c *Client) receive(_ wire.Frame, m wire.Message) { c.session.receive(m, c.handler) }

// write lets the session write what is due.
func (c *Client) write() {
	if c.link == nil || c.session.drop != nil {
		return
	}
	c.link.Commit(c.session.pump(c.link.Buffer()))
	if err := c.link.Flush(); err != nil {
		c.session.giveUp(err)
	}
}

// clock reads the client's clock.
func (c *Client) clock() { c.session.nowNs = int64(time.Since(c.started)) }

// Unanswered returns how many requests have no final answer yet.
func (c *Client) Unanswered() int { return c.session.window.open }

// Connected reports whether the session is logged in at this moment.
func (c *Client) Connected() bool { return c.session.phase == phaseActive && c.session.drop == nil }

// NextRef returns the number the next request will carry, for a program that
// keeps a record.
func (c *Client) NextRef() uint64 { return c.session.window.next }

// WantOutSeq returns the number of the next answer that Poll or Recv will hand
// out, for a program that keeps a record.
func (c *Client) WantOutSeq() uint64 {
	if first := c.inbox.firstOutSeq(); first != 0 {
		return first
	}
	return c.session.nextOutSeq
}

// Epoch returns the engine's incarnation at the last login.
func (c *Client) Epoch() uint64 { return c.session.epoch }

// Counters returns what was counted since Dial.
func (c *Client) Counters() Counters { return c.session.counters }

// Close logs out, if there is a connection, and ends the session for this
// program. Requests without a final answer stay with the server.
func (c *Client) Close() error {
	if c.link != nil && c.session.drop == nil {
		c.link.Commit(c.session.appendLogout(c.link.Buffer()))
		_ = c.link.Flush()
	}
	c.session.fail(ErrClosed)
	c.shut()
	return nil
}

// shut lets go of the connection and of a dial in progress.
func (c *Client) shut() {
	c.hangUp()
	if c.dialled != nil {
		go discard(c.dialled)
		c.dialled = nil
	}
}

// discard closes the connection that a dial nobody waits for may still make.
func discard(results chan dialled) {
	if result := <-results; result.err == nil {
		_ = result.link.Close()
	}
}
