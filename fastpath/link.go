package fastpath

import (
	"errors"
)

// Kind is the owner's own tag for a listener or a dialled link, for example
// client, riskcheck or venue.
type Kind uint8

// Causes given to Handler.Closed and returned by Send.
var (
	// ErrSlowReader says that the peer did not read and the link's outbound
	// bound was reached.
	ErrSlowReader = errors.New("peer reads too slowly: outbound bound reached")
	// ErrLinkClosed says that the link is closed or about to be.
	ErrLinkClosed = errors.New("link is closed")
	// ErrLoopStopped says that the loop the link belonged to has ended.
	ErrLoopStopped = errors.New("loop stopped")
)

// transport is what carries a link's bytes: a socket or an in-memory pipe. It is
// used by the loop only.
type transport interface {
	// push hands bytes to the peer without waiting and returns how many were taken.
	push(b []byte) (int, error)
	// hold keeps what push could not take, and sends it when the peer reads.
	hold(b []byte) error
	// held returns how many bytes hold still keeps.
	held() int
	// close ends the connection; bytes in hold get one more attempt.
	close()
}

// linkState is where a link stands in its life.
type linkState uint8

const (
	linkNew    linkState = iota // not yet known to the handler
	linkOpen                    // between Opened and the decision to close
	linkDoomed                  // to be closed when the running callback has returned
	linkClosed                  // Closed was called or is being called
)

// Link is one connection of a Loop. It belongs to the loop: all methods may be
// called from the handler's callbacks only. After Closed a link is dead, and
// Send returns ErrLinkClosed.
type Link struct {
	// Data is the owner's state of the link, set in Opened.
	Data any

	loop      *Loop
	transport transport
	tail      []byte // the first part of a frame whose rest has not come
	out       []byte // frames for the peer, sent at the end of the batch
	outFrames int    // in out
	held      heldFrames
	bounds    Outbound
	id        uint64
	place     int // in loop.links
	cause     error
	remote    string
	dialler   diallerLink // nil for accepted links
	kind      Kind
	state     linkState
	dirty     bool // in loop.dirty
	backlog   bool // transport holds bytes, or did at the last look
}

// diallerLink is told when the link it made has ended, so that it makes another.
type diallerLink interface{ linkEnded() }

// ID returns the link's number, from 1. It is never used again in this loop.
func (l *Link) ID() uint64 { return l.id }

// Kind returns the kind given to Listen or Dial.
func (l *Link) Kind() Kind { return l.kind }

// Remote returns the peer's address, for people; the address that was dialled for
// dialled links.
func (l *Link) Remote() string { return l.remote }

// Loop returns the loop that owns the link.
func (l *Link) Loop() *Loop { return l.loop }

// Open reports whether the link takes frames.
func (l *Link) Open() bool { return l.state == linkOpen }

// Pending returns how many bytes wait for the peer to read.
func (l *Link) Pending() int {
	if l.state == linkClosed {
		return 0
	}
	return len(l.out) + l.transport.held()
}

// Send copies one frame into the outbound batch, which is sent when the batch
// ends. It returns ErrSlowReader when the frame reached the outbound bound (the
// link then closes), and ErrLinkClosed when the link is closed or closing.
func (l *Link) Send(frame []byte) error {
	if l.state != linkOpen {
		return ErrLinkClosed
	}
	l.out = append(l.out, frame...)
	return l.added()
}

// Buffer returns the outbound batch for the owner to append one frame to, which
// Commit then takes over. It saves the copy that Send makes.
func (l *Link) Buffer() []byte { return l.out }

// Commit takes over the slice from Buffer with one frame appended. The link
// closes with ErrSlowReader when its outbound bound is reached; on a link that is
// closed or closing the frame is dropped.
func (l *Link) Commit(b []byte) {
	if l.state != linkOpen {
		return
	}
	l.out = b
	_ = l.added()
}

// Close ends the link after the running callback: frames sent before are given
// to the kernel first, frames that arrive are no longer delivered. cause is
// what Handler.Closed gets. Closing twice is harmless; the first cause counts.
func (l *Link) Close(cause error) {
	if l.state == linkOpen {
		l.doom(cause)
	}
}

// added accounts for one more frame in out.
func (l *Link) added() error {
	l.outFrames++
	l.loop.counters.FramesOut++
	if !l.dirty {
		l.dirty = true
		l.loop.dirty = append(l.loop.dirty, l)
	}
	if len(l.out) < EarlyFlushBytes && !l.backlog && l.outFrames <= l.bounds.FramesMax {
		return nil
	}
	return l.squeeze()
}

// squeeze gives a large batch to the kernel early and closes the link if what
// remains is over its bounds.
func (l *Link) squeeze() error {
	if err := l.pushOut(); err != nil {
		l.fail(err)
		return ErrLinkClosed
	}
	heldBytes := 0
	if l.backlog {
		heldBytes = l.transport.held()
	}
	if heldBytes+len(l.out) <= l.bounds.BytesMax && l.held.frames(heldBytes)+l.outFrames <= l.bounds.FramesMax {
		return nil
	}
	l.loop.counters.SlowReaders++
	l.fail(ErrSlowReader)
	return ErrSlowReader
}

// pushOut gives the kernel as much of the batch as it takes, unless earlier bytes
// still wait.
func (l *Link) pushOut() error {
	if l.backlog && l.transport.held() > 0 {
		return nil
	}
	l.backlog = false
	n, err := l.transport.push(l.out)
	l.outFrames -= portion(l.outFrames, n, len(l.out))
	if n > 0 {
		l.out = l.out[:copy(l.out, l.out[n:])]
	}
	return err
}

// flush sends the batch; what the kernel does not take is held for later.
func (l *Link) flush() {
	if l.state == linkClosed || len(l.out) == 0 {
		return
	}
	if err := l.pushOut(); err != nil {
		l.fail(err)
		return
	}
	if len(l.out) > 0 {
		l.holdOut()
	}
	if cap(l.out) > OutboundKeptBytes {
		l.out = nil
	}
}

// holdOut leaves the batch to the transport until the peer reads.
func (l *Link) holdOut() {
	if !l.backlog {
		l.backlog = true
		l.loop.backlogs++
	}
	before := l.held.frames(l.transport.held())
	err := l.transport.hold(l.out)
	l.held = heldFrames{count: before + l.outFrames, bytes: l.transport.held()}
	l.out, l.outFrames = l.out[:0], 0
	if err != nil {
		l.fail(err)
	}
}

// fail closes the link and drops what it has not sent.
func (l *Link) fail(cause error) {
	l.out, l.outFrames = l.out[:0], 0
	if l.state == linkOpen {
		l.doom(cause)
	}
}

// doom marks the link for closing after the running callback.
func (l *Link) doom(cause error) {
	l.state = linkDoomed
	l.cause = cause
	l.loop.doomed = append(l.loop.doomed, l)
}

// keep stores the beginning of a frame whose rest has not come yet.
func (l *Link) keep(rest []byte) { l.tail = append(l.tail[:0], rest...) }

// heldFrames says how many frames a transport held when it held so many bytes.
// How many it holds now follows from the bytes it still holds: by the average
// length of a frame, since the transport knows no frames.
type heldFrames struct{ count, bytes int }

// frames returns how many frames are left when so many bytes are.
func (h *heldFrames) frames(bytesNow int) int { return portion(h.count, bytesNow, h.bytes) }

// portion returns count × part ÷ whole to the nearest integer, at most count.
func portion(count, part, whole int) int {
	if part == 0 {
		return 0
	}
	if part >= whole {
		return count
	}
	return (count*part + whole/2) / whole
}
