package client

import (
	"math/bits"

	"tollgate/fastpath/wire"
	"tollgate/order"
)

// window keeps the frame of every request that may still have to be repeated:
// those from the oldest without a final answer up to the newest. It is a ring
// indexed by the request's number.
type window struct {
	slots  []kept
	mask   uint64
	span   uint64 // the largest distance from oldest to next
	oldest uint64 // the lowest number without a final answer, or next
	newest uint64 // the highest number with a final answer, or the one before the first
	next   uint64 // the number the next request will carry
	open   int    // requests without a final answer
}

// kept is one request's frame.
type kept struct {
	frame    [requestFrameMax]byte
	length   uint16
	answered bool
	cancel   bool // a CancelOrder: it is never held back
}

func newWindow(unansweredMax int, next uint64) window {
	size := 1 << bits.Len(uint(unansweredMax-1))
	return window{
		slots: make([]kept, size), mask: uint64(size - 1), span: uint64(unansweredMax),
		oldest: next, newest: next - 1, next: next,
	}
}

// full reports whether no further request can be kept.
func (w *window) full() bool { return w.room() == 0 }

// room returns how many further requests can be kept.
func (w *window) room() uint64 { return w.span - (w.next - w.oldest) }

// add numbers r, keeps its frame and returns its number. The window must not
// be full and r.MsgType must be valid.
func (w *window) add(r *order.Request) uint64 {
	r.Ref = w.next
	k := &w.slots[w.next&w.mask]
	k.length = uint16(len(wire.AppendRequest(k.frame[:0], r)))
	k.answered = false
	k.cancel = r.MsgType == order.MsgCancelOrder
	w.next++
	w.open++
	return r.Ref
}

// at returns the frame kept for ref, which must lie in [oldest, next).
func (w *window) at(ref uint64) *kept { return &w.slots[ref&w.mask] }

// bytes returns the frame to be written.
func (k *kept) bytes() []byte { return k.frame[:k.length] }

// answer notes the final answer of ref and reports whether one was due.
func (w *window) answer(ref uint64) bool {
	if ref < w.oldest || ref >= w.next || w.at(ref).answered {
		return false
	}
	w.at(ref).answered = true
	w.newest = max(w.newest, ref)
	w.open--
	for w.oldest < w.next && w.at(w.oldest).answered {
		w.oldest++
	}
	return true
}

// adopt continues with the number next. The window must be empty.
func (w *window) adopt(next uint64) { w.oldest, w.newest, w.next = next, next-1, next }
