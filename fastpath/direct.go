package fastpath

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"tollgate/fastpath/wire"
)

// DirectConfig holds the settings of a Direct. The zero value of every field
// stands for its default.
type DirectConfig struct {
	DialTimeoutNs    int64 // 0: DefaultDialTimeoutNs
	OutboundBytesMax int   // unsent bytes; 0: DefaultOutboundBytesMax
}

// withDefaults returns c with every zero field replaced by its default.
func (c DirectConfig) withDefaults() DirectConfig {
	setInt64(&c.DialTimeoutNs, DefaultDialTimeoutNs)
	setInt(&c.OutboundBytesMax, DefaultOutboundBytesMax)
	return c
}

// Validate returns every problem of the settings at once, or nil.
func (c DirectConfig) Validate() error {
	c = c.withDefaults()
	var problems []error
	if c.DialTimeoutNs < 0 {
		problems = append(problems, fmt.Errorf("DialTimeoutNs is %d, want above 0", c.DialTimeoutNs))
	}
	if c.OutboundBytesMax < wire.FrameMax {
		problems = append(problems, fmt.Errorf("OutboundBytesMax is %d, want at least %d", c.OutboundBytesMax, wire.FrameMax))
	}
	return errors.Join(problems...)
}

// Direct is one connection that its owner polls itself: the client's end of a
// link. It is used by one goroutine, allocates nothing per frame, and its
// descriptor is unknown to Go's own poller.
type Direct struct {
	fd     int
	max    int
	tail   int    // bytes of a partial frame, at the start of in
	in     []byte // a partial frame, then what is read
	out    []byte
	sent   int // bytes of out that the kernel has
	parser wire.Parser
	err    error // why the connection can no longer be used
}

// Dial connects to a Loop's listener. network is "tcp" or "unix".
func Dial(network, address string, cfg DirectConfig) (*Direct, error) {
	if err := errors.Join(checkNetwork(network), cfg.Validate()); err != nil {
		return nil, err
	}
	cfg = cfg.withDefaults()
	ctx, cancel := context.WithTimeout(context.Background(), time.Duration(cfg.DialTimeoutNs))
	defer cancel()
	var nd net.Dialer
	conn, err := nd.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	fd, err := detach(conn)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", network, address, err)
	}
	return &Direct{fd: fd, max: cfg.OutboundBytesMax, in: make([]byte, wire.FrameMax+ReadBytes)}, nil
}

// detach duplicates a connection's descriptor and closes the one that Go's
// poller knows.
func detach(conn net.Conn) (int, error) {
	defer func() { _ = conn.Close() }()
	sc, ok := conn.(interface {
		File() (*os.File, error)
	})
	if !ok {
		return -1, fmt.Errorf("connection is a %T, want one with a descriptor", conn)
	}
	file, err := sc.File()
	if err != nil {
		return -1, err
	}
	defer func() { _ = file.Close() }()
	fd, err := unix.FcntlInt(file.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return -1, os.NewSyscallError("fcntl", err)
	}
	return fd, os.NewSyscallError("setnonblock", unix.SetNonblock(fd, true))
}

// Fd returns the descriptor, for the owner to wait on together with others; -1
// after Close.
func (d *Direct) Fd() int { return d.fd }

// Err returns why the connection can no longer be used, nil while it can.
func (d *Direct) Err() error { return d.err }

// Send copies one frame into the outbound batch, which Flush sends. It returns
// ErrSlowReader, and keeps nothing of the frame, when the batch is at its bound.
func (d *Direct) Send(frame []byte) error {
	if d.err != nil {
		return d.err
	}
	if len(d.out)-d.sent+len(frame) > d.max {
		return ErrSlowReader
	}
	d.out = append(d.out, frame...)
	return nil
}

// Buffer returns the outbound batch for the owner to append frames to, which
// Commit then takes over. The bound of Send is then for the owner to keep: see
// Pending.
func (d *Direct) Buffer() []byte { return d.out }

// Commit takes over the slice from Buffer with frames appended.
func (d *Direct) Commit(b []byte) { d.out = b }

// Pending returns how many bytes of the batch are not yet with the kernel.
func (d *Direct) Pending() int { return len(d.out) - d.sent }

// Flush gives the kernel as much of the batch as it takes, without waiting.
// What it does not take stays for the next call: see Pending.
func (d *Direct) Flush() error {
	if d.err != nil {
		return d.err
	}
	for d.sent < len(d.out) {
		n, errno := sendRaw(d.fd, d.out[d.sent:])
		if errno == unix.EAGAIN {
			d.compact()
			return nil
		}
		if errno != 0 && errno != unix.EINTR {
			return d.fail(os.NewSyscallError("sendto", errno))
		}
		d.sent += n
	}
	d.out, d.sent = d.out[:0], 0
	return nil
}

// compact moves what is not sent to the start of the batch, when that is at
// least half as much as it frees.
func (d *Direct) compact() {
	if d.sent > len(d.out)/2 {
		d.out = d.out[:copy(d.out, d.out[d.sent:])]
		d.sent = 0
	}
}

// Poll reads once without waiting, calls fn for every whole frame and returns
// how many there were. f and m are valid until fn returns. The error is io.EOF
// when the peer has closed, a *wire.FrameError when its bytes cannot be a
// message, or the system's; it stays for all later calls.
func (d *Direct) Poll(fn func(f wire.Frame, m wire.Message)) (int, error) {
	if d.err != nil {
		return 0, d.err
	}
	n, errno := receiveRaw(d.fd, d.in[d.tail:])
	if n == 0 {
		if transient(errno) {
			return 0, nil
		}
		return 0, d.fail(endOf(errno))
	}
	return d.deliver(d.in[:d.tail+n], fn)
}

// deliver calls fn for every whole frame in data and keeps the rest.
func (d *Direct) deliver(data []byte, fn func(f wire.Frame, m wire.Message)) (int, error) {
	for count := 0; ; count++ {
		f, n, err := wire.Split(data)
		if err != nil {
			return count, d.fail(err)
		}
		if n == 0 {
			d.tail = copy(d.in, data)
			return count, nil
		}
		m, err := d.parser.Parse(f)
		if err != nil {
			return count, d.fail(err)
		}
		fn(f, m)
		data = data[n:]
	}
}

// fail keeps the first error.
func (d *Direct) fail(err error) error {
	if d.err == nil {
		d.err = err
	}
	return d.err
}

// Wait parks the thread until the peer has sent something or closed, until a
// pending batch can be flushed further, or until the time-out. It reports
// whether there is a reason to call Poll or Flush. A time-out below zero waits
// for ever.
func (d *Direct) Wait(timeoutNs int64) (bool, error) {
	if d.err != nil {
		return false, d.err
	}
	ask := []unix.PollFd{{Fd: int32(d.fd), Events: unix.POLLIN}}
	if d.Pending() > 0 {
		ask[0].Events |= unix.POLLOUT
	}
	var timeout *unix.Timespec
	if timeoutNs >= 0 {
		t := unix.NsecToTimespec(timeoutNs)
		timeout = &t
	}
	n, err := unix.Ppoll(ask, timeout, nil)
	if err != nil && !errors.Is(err, unix.EINTR) {
		return false, d.fail(os.NewSyscallError("ppoll", err))
	}
	return n > 0, nil
}

// Yield gives the core to whoever waits for it, of any process: what to do when
// Poll found nothing and the owner does not want to park.
func (d *Direct) Yield() { yield() }

// Close closes the connection. The peer sees its end at once; a batch that was
// not flushed is dropped.
func (d *Direct) Close() error {
	if d.fd < 0 {
		return nil
	}
	err := unix.Close(d.fd)
	d.fd = -1
	_ = d.fail(ErrLinkClosed)
	return os.NewSyscallError("close", err)
}
