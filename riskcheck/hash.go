package riskcheck

import (
	"encoding/binary"
	"math/bits"
)

// digest is a hash of the bytes that are written to it.
type digest uint64

func (d *digest) word(v uint64) { *d = digest(mix(uint64(*d)^v, 0x7018)) }

// Write takes bytes in. The hash depends on how they are cut into calls, which a
// transcript does the same way for the same bytes.
func (d *digest) Write(p []byte) (int, error) {
	n := len(p)
	for ; len(p) >= 8; p = p[8:] {
		d.word(binary.LittleEndian.Uint64(p))
	}
	last := uint64(len(p))
	for _, b := range p {
		last = bits.RotateLeft64(last, 8) ^ uint64(b)
	}
	d.word(last)
	return n, nil
}

// StateHash returns a hash of everything that decides, in an order that only the
// inputs decide: two engines given the same inputs have the same hash on every
// machine, whatever their hash seeds and the sizes of their tables. It walks
// everything, and is no input.
//
// It is of what a snapshot stores, but for answers before the last one of each session,
// each of which was the last one once, and recent orders that no window in force can
// reach.
func (e *Engine) StateHash() uint64 {
	var d digest
	s := &snapshot{transcript: newTranscript(nil, &d), engine: e, hashing: true, least: e.tablesInUse()}
	s.least.RecentOrdersMax = e.recentInUse(e.recent.horizonNs)
	s.state()
	return uint64(d)
}

// hash returns a hash of a table as the set it is: the order of its slots says
// nothing.
func (t *table) hash() uint64 {
	sum := uint64(0)
	for i := range t.slots {
		if s := &t.slots[i]; s.index != 0 {
			sum += mix(mix(s.key.a, s.key.b), s.index)
		}
	}
	return sum
}
