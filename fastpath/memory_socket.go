package fastpath

import (
	"io"
	"os"
	"slices"

	"golang.org/x/sys/unix"
)

// memorySocket is one end of a connection of a Memory, the transport of a link.
type memorySocket struct {
	memory  *Memory
	node    *memoryNode
	link    *Link
	peer    *memorySocket
	inbox   []byte // on its way to this end, at most MemoryPipeBytes
	back    []byte // sent by this end, not taken by the network yet
	end     error  // what this end sees after the inbox; nil while the peer is there
	order   uint64 // of the oldest thing to deliver
	stalled bool
	shut    bool // closed by its own loop
}

// pair makes the two ends of a connection.
func (m *Memory) pair(d *memoryDial, server *memoryNode, kind Kind) (near, far *memorySocket) {
	near = &memorySocket{memory: m, node: d.node}
	far = &memorySocket{memory: m, node: server, peer: near}
	near.peer = far
	near.link = d.node.lp.memoryLink(near, d.kind, d.address)
	near.link.dialler = d
	far.link = server.lp.memoryLink(far, kind, "memory:"+d.node.lp.cfg.Name)
	m.sockets = append(m.sockets, near, far)
	return near, far
}

// memoryLink returns a link over an end of a connection.
func (lp *Loop) memoryLink(s *memorySocket, kind Kind, remote string) *Link {
	return &Link{loop: lp, transport: s, kind: kind, remote: remote, bounds: lp.cfg.outbound(kind)}
}

// open tells the loop of its new link.
func (s *memorySocket) open(n *memoryNode) {
	n.begin()
	n.lp.opened(s.link)
	n.lp.leave()
}

// due reports whether there is something to deliver to this end.
func (s *memorySocket) due() bool {
	return !s.shut && !s.stalled && s.link.state != linkNew && (len(s.inbox) > 0 || s.end != nil)
}

// deliver gives the loop some bytes, or the end of the connection.
func (s *memorySocket) deliver() {
	s.node.begin()
	if len(s.inbox) == 0 {
		s.link.Close(s.end)
		s.node.lp.leave()
		return
	}
	n := s.slice()
	s.node.lp.receive(s.link, s.inbox[:n])
	if len(s.inbox) >= n { // the handler may have cut the link
		s.inbox = s.inbox[:copy(s.inbox, s.inbox[n:])]
	}
	s.order = s.memory.nextOrder()
	s.node.lp.leave()
	s.peer.refill()
}

// slice returns how many bytes one delivery has.
func (s *memorySocket) slice() int {
	n := min(len(s.inbox), ReadBytes)
	if s.memory.random == nil || s.memory.random.IntN(2) == 0 {
		return n
	}
	return 1 + s.memory.random.IntN(n)
}

// push gives bytes to the network as far as it has room.
func (s *memorySocket) push(b []byte) (int, error) {
	if s.peer.shut || s.end != nil {
		return 0, os.NewSyscallError("sendto", unix.EPIPE)
	}
	n := min(len(b), MemoryPipeBytes-len(s.peer.inbox))
	s.peer.arrive(b[:n])
	return n, nil
}

// arrive takes bytes on their way to this end.
func (s *memorySocket) arrive(b []byte) {
	if len(s.inbox) == 0 && s.end == nil {
		s.order = s.memory.nextOrder()
	}
	s.inbox = append(s.inbox, b...)
}

func (s *memorySocket) hold(b []byte) error {
	s.back = append(s.back, b...)
	return nil
}

func (s *memorySocket) held() int { return len(s.back) }

// refill moves held bytes to the network as far as it has room.
func (s *memorySocket) refill() {
	if len(s.back) == 0 {
		return
	}
	n, err := s.push(s.back)
	if err != nil {
		n = len(s.back)
	}
	s.back = s.back[:copy(s.back, s.back[n:])]
}

// close ends this end: held bytes get one more attempt, then the peer sees the end.
func (s *memorySocket) close() {
	if s.shut {
		return
	}
	s.refill()
	s.shut = true
	s.inbox = nil
	if s.peer.end == nil {
		s.peer.finish(io.EOF)
	}
	if s.link.dialler == nil && s.link.state != linkNew {
		s.node.live--
	}
	m := s.memory
	m.sockets = slices.DeleteFunc(m.sockets, func(other *memorySocket) bool { return other == s })
}

// finish makes this end see the end of the connection after its inbox.
func (s *memorySocket) finish(cause error) {
	if len(s.inbox) == 0 {
		s.order = s.memory.nextOrder()
	}
	s.end = cause
}

// reset loses what is on its way to this end and ends it.
func (s *memorySocket) reset() {
	if s.shut {
		return
	}
	s.inbox, s.back = nil, nil
	s.finish(os.NewSyscallError("recvfrom", unix.ECONNRESET))
}
