package exchange

import "math/bits"

// seqWindow remembers which of the newest sequence numbers were used, one bit
// for each. Numbers older than the window count as used.
type seqWindow struct {
	words  []uint64
	newest uint64
}

// newSeqWindow returns a window of size numbers, a power of two of at least 64.
func newSeqWindow(size int) seqWindow { return seqWindow{words: make([]uint64, size/64)} }

func (w *seqWindow) size() uint64 { return uint64(len(w.words)) * 64 }

// place returns the word of seq and its bit in it.
func (w *seqWindow) place(seq uint64) (*uint64, uint64) {
	return &w.words[seq/64%uint64(len(w.words))], 1 << (seq % 64)
}

// older reports whether seq lies before the window.
func (w *seqWindow) older(seq uint64) bool { return seq < w.newest && w.newest-seq >= w.size() }

// oldest returns the lowest number that can still be used.
func (w *seqWindow) oldest() uint64 {
	if w.newest < w.size() {
		return 1
	}
	return w.newest - w.size() + 1
}

// used reports whether seq was used. Zero is no number and counts as used.
func (w *seqWindow) used(seq uint64) bool {
	if seq == 0 || w.older(seq) {
		return true
	}
	if seq > w.newest {
		return false
	}
	word, bit := w.place(seq)
	return *word&bit != 0
}

// use marks seq as used and moves the window up to it.
func (w *seqWindow) use(seq uint64) {
	if w.older(seq) {
		return
	}
	if seq > w.newest {
		w.advance(seq)
	}
	word, bit := w.place(seq)
	*word |= bit
}

// advance makes seq the newest number; those it passes over are unused.
func (w *seqWindow) advance(seq uint64) {
	if seq-w.newest >= w.size() {
		clear(w.words)
		w.newest = seq
		return
	}
	for next := w.newest + 1; next <= seq; {
		last := min(seq, next|63)
		word, _ := w.place(next)
		*word &^= span(next%64, last%64)
		next = last + 1
	}
	w.newest = seq
}

// span returns a word with the bits from low to high set.
func span(low, high uint64) uint64 {
	return bits.RotateLeft64(^uint64(0)>>(63-(high-low)), int(low))
}
