package riskcheck

import (
	"unsafe"

	"tollgate/order"
)

// chunk is the unit in which a stream stores answers.
type chunk [answersPerChunk]order.Answer

// chunkPool keeps chunks of acknowledged answers for reuse by any session.
type chunkPool struct{ free []*chunk }

func (p *chunkPool) take() *chunk {
	if n := len(p.free); n > 0 {
		c := p.free[n-1]
		p.free = p.free[:n-1]
		return c
	}
	return new(chunk)
}

func (p *chunkPool) give(c *chunk) { p.free = append(p.free, c) }

// stream is a session's answers: gap-free, from oldest to next-1.
//
// Invariant: chunks[0] holds the answer oldest; OutSeq s stands at position
// (s-1) mod answersPerChunk of its chunk.
type stream struct {
	chunks    []*chunk
	oldest    uint64 // first OutSeq that can be replayed
	next      uint64 // OutSeq of the next answer
	acked     uint64 // everything up to here may be forgotten
	chunksMax int
}

func newStream(answersMax int) stream {
	chunksMax := (answersMax + answersPerChunk - 1) / answersPerChunk
	return stream{chunks: make([]*chunk, 0, chunksMax+1), oldest: 1, next: 1, chunksMax: chunksMax}
}

// append returns the place of the next answer, with OutSeq set and all else
// zero.
func (s *stream) append(p *chunkPool) *order.Answer {
	i := (s.next - 1) % answersPerChunk
	if i == 0 {
		if len(s.chunks) > s.chunksMax {
			s.dropOldest(p)
		}
		s.chunks = append(s.chunks, p.take())
	}
	a := &s.chunks[len(s.chunks)-1][i]
	*a = order.Answer{OutSeq: s.next}
	s.next++
	if i+1 < answersPerChunk { // the next one's place
		fetch(unsafe.Pointer(&s.chunks[len(s.chunks)-1][i+1]), unsafe.Sizeof(order.Answer{}))
	}
	return a
}

// dropOldest forgets the oldest chunk.
func (s *stream) dropOldest(p *chunkPool) {
	p.give(s.chunks[0])
	copy(s.chunks, s.chunks[1:])
	s.chunks = s.chunks[:len(s.chunks)-1]
	s.oldest = (s.oldest-1)/answersPerChunk*answersPerChunk + answersPerChunk + 1
}

// at returns an answer of the stream, nil if it is not there.
func (s *stream) at(outSeq uint64) *order.Answer {
	if outSeq < s.oldest || outSeq >= s.next {
		return nil
	}
	first := (s.oldest - 1) / answersPerChunk
	return &s.chunks[(outSeq-1)/answersPerChunk-first][(outSeq-1)%answersPerChunk]
}

// ack forgets whole chunks of answers the client holds.
func (s *stream) ack(upTo uint64, p *chunkPool) {
	if upTo <= s.acked || upTo >= s.next {
		return
	}
	s.acked = upTo
	for len(s.chunks) > 1 && s.oldest+answersPerChunk <= upTo {
		s.dropOldest(p)
	}
}

// answerTo returns the OutSeq of the final answer to a request, zero if it is
// not among the last duplicateScanMax answers. Refs begin at 1: answers that
// nobody asked for carry zero and are not meant.
func (s *stream) answerTo(ref uint64) uint64 {
	if ref == 0 {
		return 0
	}
	for n := uint64(1); n <= duplicateScanMax && s.next > n; n++ {
		a := s.at(s.next - n)
		if a == nil {
			return 0
		}
		if a.Ref == ref {
			return a.OutSeq
		}
	}
	return 0
}
