package fastpath

import (
	"errors"
	"io"
	"net"
	"testing"
	"time"

	"tollgate/fastpath/wire"
)

// dialPlain connects a Direct to a plain listener and returns both ends.
func dialPlain(t *testing.T, network string, cfg DirectConfig) (*Direct, net.Conn) {
	t.Helper()
	f := &fabric{name: network, tb: t}
	ln, err := net.Listen(network, f.address())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = ln.Close() }()
	d, err := Dial(network, ln.Addr().String(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	peer, err := ln.Accept()
	if err != nil {
		t.Fatal(err)
	}
	_ = peer.SetDeadline(time.Now().Add(patience))
	t.Cleanup(func() {
		_ = d.Close()
		_ = peer.Close()
	})
	return d, peer
}

// pollFrames polls until there are n frames or an error, and returns their numbers.
func pollFrames(d *Direct, n int) ([]uint64, error) {
	r := newRecorder()
	l := &Link{loop: &Loop{nowNs: 1}}
	r.alive[l] = true
	for len(r.refs) < n {
		if _, err := d.Wait(int64(patience)); err != nil {
			return r.refs, err
		}
		if _, err := d.Poll(func(f wire.Frame, m wire.Message) { r.Message(l, f, m) }); err != nil {
			return r.refs, err
		}
	}
	return r.refs, nil
}

// onPlain runs a test over a Direct and a plain connection.
func onPlain(t *testing.T, cfg DirectConfig, test func(t *testing.T, d *Direct, peer net.Conn)) {
	for _, network := range []string{"unix", "tcp"} {
		t.Run(network, func(t *testing.T) {
			d, peer := dialPlain(t, network, cfg)
			test(t, d, peer)
		})
	}
}

func TestDirectTakesFramesSplitAnywhere(t *testing.T) {
	onPlain(t, DirectConfig{}, func(t *testing.T, d *Direct, peer net.Conn) {
		const n = 5
		go func() {
			for _, b := range stream(n) {
				_, _ = peer.Write([]byte{b})
			}
		}()
		refs, err := pollFrames(d, n)
		if err != nil || !inOrder(refs, n) {
			t.Errorf("got %v and %v, want %d frames", refs, err, n)
		}
	})
}

func TestDirectReportsTheEndAfterTheLastFrame(t *testing.T) {
	onPlain(t, DirectConfig{}, func(t *testing.T, d *Direct, peer net.Conn) {
		_, _ = peer.Write(stream(3))
		_ = peer.Close()
		refs, err := pollFrames(d, 4)
		if !errors.Is(err, io.EOF) || !inOrder(refs, 3) {
			t.Errorf("got %v and %v, want three frames and EOF", refs, err)
		}
		if err := d.Send(orderFrame()); !errors.Is(err, io.EOF) {
			t.Errorf("Send after the end: %v, want EOF", err)
		}
		if _, err := d.Wait(0); !errors.Is(err, io.EOF) || !errors.Is(d.Err(), io.EOF) {
			t.Errorf("Wait after the end: %v, want EOF", err)
		}
	})
}

func TestDirectRefusesMalformedBytes(t *testing.T) {
	onPlain(t, DirectConfig{}, func(t *testing.T, d *Direct, peer net.Conn) {
		_, _ = peer.Write(append(stream(2), 0xff, 0xff, 0xff, 0xff))
		refs, err := pollFrames(d, 3)
		var reason *wire.FrameError
		if !errors.As(err, &reason) || !inOrder(refs, 2) {
			t.Errorf("got %v and %v, want two frames and a FrameError", refs, err)
		}
	})
}

func TestDirectKeepsWhatThePeerDoesNotRead(t *testing.T) {
	const bound = 8 << 20
	onPlain(t, DirectConfig{OutboundBytesMax: bound}, func(t *testing.T, d *Direct, peer net.Conn) {
		frame, sent := orderFrame(), 0
		for d.Send(frame) == nil {
			sent += len(frame)
			if sent%(100*len(frame)) == 0 {
				if err := d.Flush(); err != nil {
					t.Fatal(err)
				}
			}
		}
		if d.Pending() > bound || d.Pending()+len(frame) <= bound {
			t.Errorf("%d bytes are pending, want just %d or less", d.Pending(), bound)
		}
		if err := d.Send(frame); !errors.Is(err, ErrSlowReader) {
			t.Errorf("Send at the bound: %v, want ErrSlowReader", err)
		}
		read := make(chan int64, 1)
		go func() {
			n, _ := io.CopyN(io.Discard, peer, int64(sent))
			read <- n
		}()
		for d.Pending() > 0 {
			if _, err := d.Wait(int64(patience)); err != nil {
				t.Fatal(err)
			}
			if err := d.Flush(); err != nil {
				t.Fatal(err)
			}
		}
		if n := <-read; n != int64(sent) {
			t.Errorf("the peer got %d bytes of %d", n, sent)
		}
	})
}

func TestDirectWaitEndsWithTheTimeout(t *testing.T) {
	onPlain(t, DirectConfig{}, func(t *testing.T, d *Direct, peer net.Conn) {
		if ready, err := d.Wait(1_000_000); ready || err != nil {
			t.Errorf("Wait on a silent peer: %v, %v, want false", ready, err)
		}
		d.Commit(append(d.Buffer(), orderFrame()...))
		if err := d.Flush(); err != nil || d.Pending() != 0 {
			t.Errorf("Flush: %v with %d bytes pending", err, d.Pending())
		}
		if n, err := io.ReadFull(peer, make([]byte, len(orderFrame()))); err != nil {
			t.Errorf("the peer got %d bytes: %v", n, err)
		}
	})
}

func TestDirectIsGoneAfterClose(t *testing.T) {
	onPlain(t, DirectConfig{}, func(t *testing.T, d *Direct, peer net.Conn) {
		if err := errors.Join(d.Close(), d.Close()); err != nil {
			t.Errorf("Close: %v", err)
		}
		if d.Fd() != -1 || !errors.Is(d.Flush(), ErrLinkClosed) {
			t.Errorf("descriptor %d, Flush %v, want -1 and ErrLinkClosed", d.Fd(), d.Flush())
		}
		if _, err := peer.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
			t.Errorf("the peer sees %v, want EOF", err)
		}
	})
}

func TestDirectRefusesWrongSettings(t *testing.T) {
	for _, c := range []struct {
		network string
		cfg     DirectConfig
	}{{"udp", DirectConfig{}}, {"tcp", DirectConfig{DialTimeoutNs: -1}}, {"tcp", DirectConfig{OutboundBytesMax: 10}}} {
		if _, err := Dial(c.network, "127.0.0.1:1", c.cfg); err == nil {
			t.Errorf("Dial over %s with %+v returned nil, want an error", c.network, c.cfg)
		}
	}
	if _, err := Dial("unix", t.TempDir()+"/none", DirectConfig{}); err == nil {
		t.Error("Dial of nobody returned nil, want an error")
	}
}
