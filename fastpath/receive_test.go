package fastpath

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tollgate/fastpath/wire"
	"tollgate/internal/testseed"
	"tollgate/order"
)

// sink is a transport that takes everything.
type sink struct{ taken []byte }

func (s *sink) push(b []byte) (int, error) {
	s.taken = append(s.taken, b...)
	return len(b), nil
}
func (s *sink) hold([]byte) error { return nil }
func (s *sink) held() int         { return 0 }
func (s *sink) close()            {}

// receiver returns a loop without a backend, one open link and the recorder.
func receiver(tb testing.TB) (*Loop, *Link, *recorder) {
	tb.Helper()
	r := newRecorder()
	lp, l := receiverFor(tb, r)
	return lp, l, r
}

// receiverFor is receiver for another handler.
func receiverFor(tb testing.TB, h Handler) (*Loop, *Link) {
	tb.Helper()
	lp, err := newLoop(Config{Name: "receiver"}, h)
	if err != nil {
		tb.Fatal(err)
	}
	lp.nowNs = 1
	l := &Link{loop: lp, transport: &sink{}, bounds: lp.cfg.outbound(0)}
	lp.opened(l)
	return lp, l
}

// stream returns n frames one after the other.
func stream(n int) []byte {
	var b []byte
	for ref := 1; ref <= n; ref++ {
		b = append(b, requestFrame(uint64(ref))...)
	}
	return b
}

// feed gives the bytes to the link in pieces of the sizes that next returns.
func feed(lp *Loop, l *Link, b []byte, next func() int) {
	for len(b) > 0 {
		n := min(len(b), max(1, next()))
		lp.enter()
		lp.receive(l, b[:n])
		lp.leave()
		b = b[n:]
	}
}

func TestEverySplitGivesTheSameFrames(t *testing.T) {
	const n = 3
	data := stream(n)
	for cut := range len(data) + 1 {
		lp, l, r := receiver(t)
		first := cut
		feed(lp, l, data, func() int { return max(1, first) })
		if !inOrder(r.refs, n) {
			t.Fatalf("pieces of %d bytes give %v", cut, r.refs)
		}
	}
	for cut := 1; cut < len(data); cut++ {
		lp, l, r := receiver(t)
		sizes := []int{cut, len(data)}
		feed(lp, l, data, func() int {
			size := sizes[0]
			sizes = sizes[1:]
			return size
		})
		if !inOrder(r.refs, n) || len(l.tail) != 0 {
			t.Fatalf("split at %d gives %v and a tail of %d bytes", cut, r.refs, len(l.tail))
		}
	}
}

func TestRandomSplitsGiveTheSameFrames(t *testing.T) {
	random := rand.New(rand.NewPCG(testseed.New(t), 1))
	const n = 500
	data := stream(n)
	for range 50 {
		lp, l, r := receiver(t)
		most := 1 + random.IntN(2000)
		feed(lp, l, data, func() int { return random.IntN(most) })
		if !inOrder(r.refs, n) {
			t.Fatalf("pieces of up to %d bytes give %d frames, want %d in order", most, len(r.refs), n)
		}
		r.verify(t)
	}
}

// expecting is a recorder that is told of messages in advance.
type expecting struct {
	*recorder
	calls []string
}

func (x *expecting) Expect(_ *Link, m wire.Message) {
	var request order.Request
	if m.Request(&request) == nil {
		x.calls = append(x.calls, fmt.Sprint("expect ", request.Ref))
	}
}

func (x *expecting) Message(l *Link, f wire.Frame, m wire.Message) {
	x.recorder.Message(l, f, m)
	x.calls = append(x.calls, fmt.Sprint("message ", x.refs[len(x.refs)-1]))
}

// TestAMessageIsAnnouncedWhileTheOneBeforeItWaits also sends frames of an older
// version, whose blocks are completed in the parser: one must not spoil the other.
func TestAMessageIsAnnouncedWhileTheOneBeforeItWaits(t *testing.T) {
	x := &expecting{recorder: newRecorder()}
	lp, l := receiverFor(t, x)
	var data []byte
	for ref := uint64(1); ref <= 4; ref++ {
		data = append(data, olderFrame(ref)...)
	}
	cut := len(data) - 1
	feed(lp, l, data, func() int { return cut })
	want := []string{
		"expect 2", "message 1", "expect 3", "message 2", "message 3", "message 4",
	}
	if !slices.Equal(x.calls, want) {
		t.Errorf("calls %q, want %q", x.calls, want)
	}
	feed(lp, l, append(requestFrame(5), 0xff, 0xff, 0xff, 0xff), func() int { return 4096 })
	if len(x.calls) != len(want)+1 || len(x.malformed) != 1 {
		t.Errorf("with bytes that are no frame behind it: %q, malformed %v", x.calls, x.malformed)
	}
	x.verify(t)
}

// olderFrame is a request of a version that lacks the last field, of two bytes.
func olderFrame(ref uint64) []byte {
	frame := requestFrame(ref)
	frame = frame[:len(frame)-2]
	binary.BigEndian.PutUint32(frame, uint32(len(frame)))
	binary.LittleEndian.PutUint16(frame[6:], uint16(len(frame)-wire.HeaderSize))
	return frame
}

func TestTheLargestFrameMayComeInPieces(t *testing.T) {
	frame := requestFrame(1)
	frame = append(frame, make([]byte, wire.FrameMax-len(frame))...)
	frame[2], frame[3] = wire.FrameMax>>8, wire.FrameMax&0xff
	for _, size := range []int{1, 7, wire.FrameMax - 1, wire.FrameMax} {
		lp, l, r := receiver(t)
		feed(lp, l, append(bytes.Clone(frame), frame...), func() int { return size })
		if len(r.refs) != 2 || len(r.malformed) != 0 {
			t.Errorf("pieces of %d: %d frames, malformed %v, want 2 frames", size, len(r.refs), r.malformed)
		}
	}
}

func TestNothingIsDeliveredAfterMalformedBytes(t *testing.T) {
	lp, l, r := receiver(t)
	data := append(requestFrame(1), 0xff, 0xff, 0xff, 0xff)
	feed(lp, l, append(data, requestFrame(2)...), func() int { return 4096 })
	if !inOrder(r.refs, 1) || len(r.malformed) != 1 || len(r.causes) != 1 {
		t.Errorf("messages %v, malformed %v, causes %v", r.refs, r.malformed, r.causes)
	}
	feed(lp, l, requestFrame(3), func() int { return 4096 })
	if len(r.refs) != 1 {
		t.Errorf("a closed link delivered %v", r.refs)
	}
	r.verify(t)
}

// FuzzReceive: however the bytes are cut, the same happens.
func FuzzReceive(f *testing.F) {
	f.Add(stream(3), uint64(1))
	f.Add([]byte{0, 0, 0, 5, 0xeb, 0x50}, uint64(2))
	f.Add(append(stream(1), 0, 0, 16, 1, 0xeb, 0x50, 1), uint64(3))
	f.Fuzz(func(t *testing.T, data []byte, seed uint64) {
		random := rand.New(rand.NewPCG(seed, 0))
		wholeLoop, wholeLink, whole := receiver(t)
		feed(wholeLoop, wholeLink, data, func() int { return ReadBytes })
		cutLoop, cutLink, cut := receiver(t)
		feed(cutLoop, cutLink, data, func() int { return random.IntN(64) })
		if wholeLoop.counters.FramesIn != cutLoop.counters.FramesIn || len(whole.malformed) != len(cut.malformed) {
			t.Errorf("in large pieces: %d frames, %d malformed; in small ones: %d and %d",
				wholeLoop.counters.FramesIn, len(whole.malformed), cutLoop.counters.FramesIn, len(cut.malformed))
		}
		if !bytes.Equal(wholeLink.tail, cutLink.tail) || len(cutLink.tail) >= wire.FrameMax {
			t.Errorf("kept tails of %d and %d bytes", len(wholeLink.tail), len(cutLink.tail))
		}
		whole.verify(t)
		cut.verify(t)
	})
}

func TestSendingCopiesAndBatches(t *testing.T) {
	lp, l, r := receiver(t)
	frame := requestFrame(1)
	lp.enter()
	if err := l.Send(frame); err != nil {
		t.Fatal(err)
	}
	clear(frame)
	l.Commit(append(l.Buffer(), requestFrame(2)...))
	if taken := l.transport.(*sink).taken; len(taken) != 0 || l.Pending() != len(stream(2)) {
		t.Errorf("before the end of the batch %d bytes were written and %d wait", len(taken), l.Pending())
	}
	lp.leave()
	if taken := l.transport.(*sink).taken; !bytes.Equal(taken, stream(2)) {
		t.Errorf("the batch is %x, want both frames", taken)
	}
	if r.batches != 1 {
		t.Errorf("BatchEnd came %d times, want once", r.batches)
	}
}

// broken is a transport whose peer is gone.
type broken struct{ sink }

func (b *broken) push([]byte) (int, error) { return 0, errors.New("gone") }

func TestAFailedWriteClosesTheLink(t *testing.T) {
	lp, l, r := receiver(t)
	l.transport = &broken{}
	lp.enter()
	_ = l.Send(requestFrame(1))
	lp.leave()
	if len(r.causes) != 1 || r.causes[0].Error() != "gone" || len(lp.links) != 0 {
		t.Errorf("causes %v, %d links left, want the write's error and none", r.causes, len(lp.links))
	}
	r.verify(t)
}

func TestPortion(t *testing.T) {
	for _, c := range []struct{ count, part, whole, want int }{
		{0, 0, 0, 0},
		{5, 0, 0, 0},
		{5, 0, 100, 0},
		{5, 100, 100, 5},
		{5, 200, 100, 5},
		{10, 50, 100, 5},
		{10, 4, 100, 0},
		{10, 5, 100, 1},
		{10, 96, 100, 10},
		{1, 40, 100, 0},
	} {
		if got := portion(c.count, c.part, c.whole); got != c.want {
			t.Errorf("portion(%d, %d, %d) is %d, want %d", c.count, c.part, c.whole, got, c.want)
		}
	}
}

// choking is a transport that takes room bytes, then holds what it is given until
// it is emptied.
type choking struct {
	room  int
	taken []byte
	kept  []byte
}

func (c *choking) push(b []byte) (int, error) {
	n := min(c.room, len(b))
	c.room -= n
	c.taken = append(c.taken, b[:n]...)
	return n, nil
}

func (c *choking) hold(b []byte) error {
	c.kept = append(c.kept, b...)
	return nil
}

func (c *choking) held() int { return len(c.kept) }
func (c *choking) close()    {}

// empty takes n of the held bytes.
func (c *choking) empty(n int) {
	c.taken = append(c.taken, c.kept[:n]...)
	c.kept = c.kept[n:]
}

// batch sends frames numbered from first to last in one batch.
func batch(lp *Loop, l *Link, first, last uint64) {
	lp.enter()
	for ref := first; ref <= last; ref++ {
		_ = l.Send(requestFrame(ref))
	}
	lp.leave()
}

func TestBytesNeverOvertakeHeldOnes(t *testing.T) {
	lp, l, r := receiver(t)
	c := &choking{room: 250}
	l.transport = c
	batch(lp, l, 1, 10)
	c.room = 1 << 20 // the peer reads again, but gnet has not noticed yet
	batch(lp, l, 11, 12)
	c.empty(100)
	batch(lp, l, 13, 14)
	c.empty(len(c.kept))
	batch(lp, l, 15, 20)
	c.empty(len(c.kept))
	if !bytes.Equal(c.taken, stream(20)) || len(r.causes) != 0 {
		t.Errorf("the peer got %d bytes, not the %d sent in their order", len(c.taken), len(stream(20)))
	}
	if lp.countBacklogs() != 0 || l.Pending() != 0 {
		t.Errorf("%d backlogs and %d bytes are left, want none", lp.countBacklogs(), l.Pending())
	}
}

func TestTheFrameBoundCountsHeldFrames(t *testing.T) {
	lp, l, r := receiver(t)
	c := &choking{}
	l.transport, l.bounds.FramesMax = c, 100
	for range 20 { // the peer is slow but reads: it is never cut
		batch(lp, l, 1, 90)
		c.empty(len(c.kept))
	}
	batch(lp, l, 1, 90)
	c.empty(len(c.kept) / 2)
	batch(lp, l, 1, 50)
	if len(r.causes) != 0 {
		t.Fatalf("cut with about 95 frames held: %v", r.causes)
	}
	batch(lp, l, 1, 10)
	if len(r.causes) != 1 || !errors.Is(r.causes[0], ErrSlowReader) || lp.counters.SlowReaders != 1 {
		t.Errorf("with about 105 frames held the causes are %v, want ErrSlowReader", r.causes)
	}
	r.verify(t)
}
