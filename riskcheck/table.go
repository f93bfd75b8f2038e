package riskcheck

import "math/bits"

// key is the key of a table: two words are enough for every identifier pair.
type key struct{ a, b uint64 }

// idKey is the key of one identifier.
func idKey(id uint64) key { return key{0, id} }

// table is a bounded open-addressing hash table from key to index. It is sized
// once and never allocates afterwards. Whoever walks over its slots takes them as a
// set, so that their order decides nothing.
//
// Invariant: at most half of the slots are taken, and from a key's home slot to
// the slot it stands in there is no empty slot.
type table struct {
	slots []slot
	seed  uint64
	shift uint
	count int
	max   int
}

// slot is one place of a table; a stored index of zero means empty, so indexes
// are stored plus one.
type slot struct {
	key   key
	index uint64
}

// widthFor returns the bits of a slot's number in a table that is half full with
// all its entries.
func widthFor(entriesMax int) uint { return uint(bits.Len(uint(2*entriesMax - 1))) }

// mix scrambles a word (a multiplication folded to 64 bits).
func mix(x, seed uint64) uint64 {
	hi, lo := bits.Mul64(x^seed^0x9e3779b97f4a7c15, 0xd6e8feb86659fd93)
	return hi ^ lo
}

// mix2 scrambles two words into one.
func mix2(a, b, seed uint64) uint64 {
	hi, lo := bits.Mul64(a^seed^0x9e3779b97f4a7c15, b^bits.RotateLeft64(seed, 32)^0xd6e8feb86659fd93)
	return hi ^ lo
}

func newTable(entriesMax int, seed uint64) table {
	width := widthFor(entriesMax)
	return table{slots: make([]slot, 1<<width), seed: seed, shift: 64 - width, max: entriesMax}
}

// home returns the slot a key belongs to. Eight consecutive numbers in the second
// word have consecutive homes: what is numbered one after the other is needed one
// after the other.
func (t *table) home(k key) uint64 {
	hi, lo := bits.Mul64(mix(k.a, t.seed)^k.b>>3, 0xa0761d6478bd642f^t.seed|1)
	return (hi^lo)>>t.shift&^7&uint64(len(t.slots)-1) | k.b&7&uint64(len(t.slots)-1)
}

func (t *table) next(i uint64) uint64 { return (i + 1) & uint64(len(t.slots)-1) }

// get returns the index stored for k.
func (t *table) get(k key) (uint64, bool) {
	for i := t.home(k); t.slots[i].index != 0; i = t.next(i) {
		if t.slots[i].key == k {
			return t.slots[i].index - 1, true
		}
	}
	return 0, false
}

// claim stores index for k if k is new, and returns the slot k stands in, nil if it is
// not new. The caller has seen that there is room.
func (t *table) claim(k key, index uint64) *slot {
	i := t.home(k)
	for ; t.slots[i].index != 0; i = t.next(i) {
		if t.slots[i].key == k {
			return nil
		}
	}
	t.slots[i] = slot{k, index + 1}
	t.count++
	return &t.slots[i]
}

// put stores index for k, replacing what was there. It reports false, and
// stores nothing, if k is new and the table is full.
func (t *table) put(k key, index uint64) bool {
	i := t.home(k)
	for ; t.slots[i].index != 0; i = t.next(i) {
		if t.slots[i].key == k {
			t.slots[i].index = index + 1
			return true
		}
	}
	if t.full() {
		return false
	}
	t.slots[i] = slot{k, index + 1}
	t.count++
	return true
}

func (t *table) full() bool { return t.count >= t.max }

// clear forgets everything.
func (t *table) clear() {
	clear(t.slots)
	t.count = 0
}

// remove takes k out and closes the gap it leaves (Knuth 6.4, algorithm R), so
// that no tombstones pile up.
func (t *table) remove(k key) {
	i := t.home(k)
	for ; t.slots[i].key != k; i = t.next(i) {
		if t.slots[i].index == 0 {
			return
		}
	}
	if t.slots[i].index == 0 {
		return
	}
	t.count--
	for j := t.next(i); t.slots[j].index != 0; j = t.next(j) {
		home := t.home(t.slots[j].key)
		if (j-home)&uint64(len(t.slots)-1) >= (j-i)&uint64(len(t.slots)-1) {
			t.slots[i] = t.slots[j]
			i = j
		}
	}
	t.slots[i] = slot{}
}
