package exchange

import "math/bits"

// key is a name in a space of names: an OrderID in space 0, or a ClOrdID in its
// session's.
type key struct {
	id    uint64
	space uint32
}

// table finds an item by its key: open addressing with linear probing over a
// power-of-two table that is never more than half full. Items are small numbers
// of the owner's; the table holds their keys. It never grows.
type table struct {
	places []int32 // item+1; 0: free
	keys   []key   // by item; the zero key: not in the table
	shift  uint
}

func newTable(itemsMax int) table {
	width := uint(bits.Len(uint(2*itemsMax - 1)))
	return table{places: make([]int32, 1<<width), keys: make([]key, itemsMax), shift: 64 - width}
}

// home is Fibonacci hashing over both parts of the key.
func (t *table) home(k key) int {
	return int((k.id + uint64(k.space)*0xd6e8feb86659fd93) * 0x9e3779b97f4a7c15 >> t.shift)
}

// isFree reports whether an item is not in the table.
func (t *table) isFree(item int32) bool { return t.keys[item] == (key{}) }

// find returns the item of a key, or -1.
func (t *table) find(k key) int32 {
	mask := len(t.places) - 1
	for i := t.home(k); t.places[i] != 0; i = (i + 1) & mask {
		if item := t.places[i] - 1; t.keys[item] == k {
			return item
		}
	}
	return -1
}

// add enters an item under a key that is not in the table.
func (t *table) add(item int32, k key) {
	mask := len(t.places) - 1
	i := t.home(k)
	for t.places[i] != 0 {
		i = (i + 1) & mask
	}
	t.places[i], t.keys[item] = item+1, k
}

// remove takes an item out, if it is in the table, and moves later entries of
// the same run forward, so that no marks of removed entries pile up.
func (t *table) remove(item int32) {
	if t.isFree(item) {
		return
	}
	mask := len(t.places) - 1
	hole := t.home(t.keys[item])
	for t.places[hole] != item+1 {
		hole = (hole + 1) & mask
	}
	for i := (hole + 1) & mask; t.places[i] != 0; i = (i + 1) & mask {
		if home := t.home(t.keys[t.places[i]-1]); (i-home)&mask >= (i-hole)&mask {
			t.places[hole] = t.places[i]
			hole = i
		}
	}
	t.places[hole], t.keys[item] = 0, key{}
}
