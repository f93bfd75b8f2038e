package client

import (
	"math/rand/v2"
	"time"

	"tollgate/fastpath"
)

// dial starts to connect on a goroutine of its own, because connecting may
// block and Poll must not.
func (c *Client) dial() {
	results := make(chan dialled, 1)
	timeoutNs := c.session.cfg.LoginTimeoutNs
	network, address := c.session.cfg.Network, c.session.cfg.Address
	go func() {
		link, err := fastpath.Dial(network, address, fastpath.DirectConfig{DialTimeoutNs: timeoutNs})
		results <- dialled{link, err}
	}()
	c.dialled = results
	c.session.startedNs = c.session.nowNs
}

// accept takes over the connection if the dial has come to its end.
func (c *Client) accept() error {
	select {
	case result := <-c.dialled:
		c.dialled = nil
		if result.err != nil {
			return result.err
		}
		c.link = result.link
		c.session.connected()
		return nil
	default:
	}
	if c.session.nowNs-c.session.startedNs > c.session.cfg.LoginTimeoutNs {
		return ErrLoginTimeout
	}
	return nil
}

// reconnect does what is due while there is no connection.
func (c *Client) reconnect() {
	switch {
	case c.session.failure != nil:
	case c.dialled != nil:
		if err := c.accept(); err != nil {
			c.abandonDial()
			c.backOff()
		}
	case c.session.nowNs >= c.retryNs:
		c.dial()
	}
}

// abandonDial stops waiting for the dial in progress.
func (c *Client) abandonDial() {
	if c.dialled != nil {
		go discard(c.dialled)
		c.dialled = nil
	}
}

// backOff sets the time of the next attempt: the pause doubles with every
// failure, and up to half of it is cut at random so that a crowd of clients
// does not come back at the same instant.
func (c *Client) backOff() {
	c.retryNs = c.session.nowNs + c.pauseNs - rand.Int64N(c.pauseNs/2+1)
	c.pauseNs = min(2*c.pauseNs, c.session.cfg.ReconnectMaxNs)
}

// lose gives the connection up and plans the next one.
func (c *Client) lose(h Handler) {
	s := c.session
	if s.phase == phaseActive {
		c.pauseNs = s.cfg.ReconnectMinNs
	}
	cause := s.drop
	c.hangUp()
	c.backOff()
	h.Event(Event{Kind: EventDisconnected, Cause: cause})
}

// hangUp closes the connection.
func (c *Client) hangUp() {
	if c.link == nil {
		return
	}
	_ = c.link.Close()
	c.link = nil
	c.session.disconnected()
}

// Wait parks the goroutine until something has arrived, something is due, or
// the timeout has passed, whichever is first. It writes what Send has gathered
// before it parks.
func (c *Client) Wait(timeout time.Duration) {
	_ = c.Flush()
	c.clock()
	if c.session.drop != nil || c.session.failure != nil || c.inbox.pending() {
		return
	}
	if c.link == nil {
		c.waitForDial(timeout)
		return
	}
	if timeoutNs := min(int64(timeout), c.session.dueNs()-c.session.nowNs); timeoutNs > 0 {
		_, _ = c.link.Wait(timeoutNs)
	}
}

// waitForDial parks while there is no connection.
func (c *Client) waitForDial(timeout time.Duration) {
	if c.dialled == nil {
		time.Sleep(min(timeout, time.Duration(max(c.retryNs-c.session.nowNs, 0))))
		return
	}
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	select {
	case result := <-c.dialled:
		c.dialled <- result
	case <-timer.C:
	}
}

// Yield gives the processor to another thread of this machine and comes back
// at once if there is none. A program that polls without pause calls it
// whenever Poll returns nothing.
func (c *Client) Yield() {
	if c.link != nil {
		c.link.Yield()
	}
}
