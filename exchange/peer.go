package exchange

import (
	"errors"
	"fmt"

	"tollgate/fastpath"
	"tollgate/fastpath/wire"
)

// peer is a gateway at the other end of a link.
type peer struct {
	link       *fastpath.Link
	receivedAt int64 // ns since 1970 UTC
	sentAt     int64
	place      int  // in Server.peers
	greeted    bool // its LinkHello has come
}

// errSilent ends a link on which nothing came for Config.SilenceNs.
var errSilent = errors.New("exchange: the gateway is silent")

func (s *Server) peerOf(l *fastpath.Link) *peer { return l.Data.(*peer) }

// Opened introduces the server on a new link.
func (s *Server) Opened(l *fastpath.Link) {
	now := s.loop.Now()
	p := &peer{link: l, receivedAt: now, place: len(s.peers)}
	l.Data = p
	s.peers = append(s.peers, p)
	hello := wire.LinkHello{
		Instance:      s.adapter.Instance(),
		Epoch:         s.adapter.Epoch(),
		NextReportSeq: s.adapter.NextReportSeq(),
		Role:          wire.RoleExchange,
	}
	s.commit(p, hello.Append(l.Buffer()))
}

// greeted takes the other end's introduction.
func (s *Server) greeted(p *peer, m wire.Message) {
	var hello wire.LinkHello
	hello.Decode(m)
	if hello.Role != wire.RoleGateway {
		s.counters.OutOfPlace++
		p.link.Close(fmt.Errorf("exchange: %s has role %v: want a gateway", p.link.Remote(), hello.Role))
		return
	}
	p.greeted = true
	s.counters.Gateways++
	s.logLinkUp(p.link)
}

// Closed forgets a link. If it carried the reports, they wait in the log.
func (s *Server) Closed(l *fastpath.Link, cause error) {
	p := s.peerOf(l)
	last := len(s.peers) - 1
	s.peers[p.place] = s.peers[last]
	s.peers[p.place].place = p.place
	s.peers[last] = nil
	s.peers = s.peers[:last]
	if s.stream.peer == p {
		s.stream.peer = nil
	}
	s.logLinkDown(l, cause)
}

// commit hands a frame to the link that was appended to its buffer.
func (s *Server) commit(p *peer, frame []byte) {
	p.sentAt = s.loop.Now()
	p.link.Commit(frame)
}

// keepAlive sends heartbeats on idle links and ends silent ones. If the server
// itself was held up, the silence may be its own, and everybody gets one more
// period.
func (s *Server) keepAlive(now int64) {
	heldUp := now-s.tickedAt > s.cfg.SilenceNs/2
	s.tickedAt = now
	for _, p := range s.peers {
		switch {
		case heldUp || now < p.receivedAt:
			p.receivedAt = now
		case now-p.receivedAt >= s.cfg.SilenceNs:
			s.counters.GatewaysSilent++
			p.link.Close(errSilent)
			continue
		}
		if now-p.sentAt >= s.cfg.HeartbeatNs || now < p.sentAt {
			beat := wire.LinkHeartbeat{Time: now}
			s.commit(p, beat.Append(p.link.Buffer()))
		}
	}
}
