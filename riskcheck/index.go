package riskcheck

// index finds numbers by a hash of what they stand for. It keeps the numbers only,
// eight of them in a line of memory: whether the one found is the one meant says
// what it is the number of, which is read next anyway. Like a table it is bounded,
// sized once, and never allocates afterwards.
//
// Invariant: at most half of the slots are taken, and from a hash's home slot to the
// slot its number stands in there is no empty slot. A slot of zero is empty.
type index struct {
	slots []uint64 // high half: the hash; low half: the number plus one
	shift uint
	count int
	max   int
}

func newIndex(entriesMax int) index {
	width := max(widthFor(entriesMax), 3)
	return index{slots: make([]uint64, 1<<width), shift: 32 - width, max: entriesMax}
}

// hashID returns the hash of an identifier that is counted up. Eight consecutive ones
// stand beside each other: what is numbered one after the other is needed one after
// the other.
func hashID(id, seed uint64) uint32 { return uint32(mix(id>>3, seed)>>32)&^7 | uint32(id)&7 }

// home returns the slot a hash belongs to: its high bits choose eight slots, its low
// ones one of them.
func (t *index) home(hash uint32) uint32 { return hash>>t.shift&^7 | hash&7 }

func (t *index) next(i uint32) uint32 { return (i + 1) & uint32(len(t.slots)-1) }

// at returns the number in a slot and whether it stands there for a hash.
func (t *index) at(i, hash uint32) (int32, bool) {
	s := t.slots[i]
	return int32(uint32(s)) - 1, uint32(s>>32) == hash
}

// put stores a number that is not there yet. The caller has seen that there is room.
func (t *index) put(hash uint32, number int32) {
	i := t.home(hash)
	for t.slots[i] != 0 {
		i = t.next(i)
	}
	t.slots[i] = uint64(hash)<<32 | uint64(uint32(number+1))
	t.count++
}

func (t *index) full() bool { return t.count >= t.max }

// remove takes a number out and closes the gap it leaves (Knuth 6.4, algorithm R).
func (t *index) remove(hash uint32, number int32) {
	i := t.home(hash)
	for meant := uint64(hash)<<32 | uint64(uint32(number+1)); t.slots[i] != meant; i = t.next(i) {
		if t.slots[i] == 0 {
			return
		}
	}
	t.count--
	mask := uint32(len(t.slots) - 1)
	for j := t.next(i); t.slots[j] != 0; j = t.next(j) {
		home := t.home(uint32(t.slots[j] >> 32))
		if (j-home)&mask >= (j-i)&mask {
			t.slots[i] = t.slots[j]
			i = j
		}
	}
	t.slots[i] = 0
}
