package riskcheck

import (
	"math/rand/v2"
	"testing"
)

// TestIndexAgainstMap puts and removes numbers that crowd a small index, under hashes
// that crowd it even more.
func TestIndexAgainstMap(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 8))
		x, want := newIndex(1+r.IntN(60)), map[int32]uint32{} // number → hash
		few := uint32(1 + r.IntN(40))
		hash := func(number int32) uint32 { return uint32(mix(uint64(uint32(number)%few), seed)) }
		for step := range 2000 {
			number := int32(r.IntN(100))
			_, known := want[number]
			switch {
			case known || r.IntN(2) == 0:
				x.remove(hash(number), number)
				delete(want, number)
			case !x.full():
				x.put(hash(number), number)
				want[number] = hash(number)
			}
			checkIndex(t, &x, want, hash)
			if t.Failed() {
				t.Fatalf("seed %d step %d", seed, step)
			}
		}
	}
}

// checkIndex looks for every number, as the engine does.
func checkIndex(t *testing.T, x *index, want map[int32]uint32, hash func(int32) uint32) {
	t.Helper()
	for number := range int32(100) {
		h, found := hash(number), 0
		for i := x.home(h); x.slots[i] != 0; i = x.next(i) {
			if at, ok := x.at(i, h); ok && at == number {
				found++
			}
		}
		if _, ok := want[number]; ok != (found == 1) || found > 1 {
			t.Errorf("%d is found %d times, want it there: %v", number, found, ok)
		}
	}
	if x.count != len(want) || x.full() != (len(want) >= x.max) {
		t.Errorf("%d entries of %d, full %v, want %d", x.count, x.max, x.full(), len(want))
	}
}

// TestConsecutiveIdentifiersStandTogether holds the index to what makes it fast:
// eight identifiers in a row share a line of memory.
func TestConsecutiveIdentifiersStandTogether(t *testing.T) {
	x := newIndex(1 << 12)
	for id := uint64(8); id < 4096; id += 8 {
		first := x.home(hashID(id, 7))
		for n := range uint64(8) {
			if home := x.home(hashID(id+n, 7)); home != first+uint32(n) {
				t.Fatalf("%d belongs to slot %d, %d to %d", id, first, id+n, home)
			}
		}
	}
}
