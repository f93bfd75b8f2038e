package riskcheck

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestWindowsAgainstList holds windows that share a pool which is too small for
// all of them against plain lists of stamps: what was stamped within the period is
// counted exactly, whoever else wanted the room, and no two rings overlap.
func TestWindowsAgainstList(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 23))
		p := newStampPool(1 + r.IntN(3000))
		w := newListedWindows(r)
		for range 400 {
			w.step(t, &p)
			if t.Failed() {
				t.Fatalf("seed %d", seed)
			}
		}
	}
}

// listedWindows are windows and what was stamped in each.
type listedWindows struct {
	r       *rand.Rand
	now     int64
	windows [4]window
	most    [4]int64
	lists   [4][]int64
}

const listedPeriodNs = 1000

func newListedWindows(r *rand.Rand) *listedWindows {
	w := &listedWindows{r: r, now: 1}
	for i := range w.windows {
		w.windows[i] = noWindow
		w.most[i] = int64(1 + r.IntN(1<<r.IntN(11)))
		w.windows[i].state(w.most[i])
	}
	return w
}

func (w *listedWindows) step(t *testing.T, p *stampPool) {
	t.Helper()
	w.now += int64(w.r.IntN(3)) * int64(w.r.IntN(listedPeriodNs))
	i := w.r.IntN(len(w.windows))
	win := &w.windows[i]
	switch w.r.IntN(8) {
	case 0:
		win.state(int64(w.r.IntN(int(w.most[i]) + 1)))
	case 1:
		win.clear()
		w.lists[i] = nil
	default:
		w.list(p, i, 1+w.r.IntN(40))
	}
	counted := int64(0)
	for _, at := range w.lists[i] {
		if w.now-at < listedPeriodNs {
			counted++
		}
	}
	if got := win.count(p, w.now, listedPeriodNs); got != min(counted, int64(win.held)) || got < min(counted, w.most[i]) {
		t.Errorf("limit %d of %d: %d stamps count, want %d", win.limit, w.most[i], got, counted)
	}
	if got, want := win.binds(p, w.now, listedPeriodNs, 0), counted >= int64(win.limit); got != want {
		t.Errorf("limit %d: binds %v with %d stamps", win.limit, got, counted)
	}
	w.checkPool(t, p)
}

// list stamps as many messages at once as there is room for, counted ahead first
// as those of a list of orders are.
func (w *listedWindows) list(p *stampPool, i, messages int) {
	win := &w.windows[i]
	for ahead := range messages {
		if !win.makeRoom(p, w.now, listedPeriodNs, int32(ahead)) {
			messages = ahead
			break
		}
	}
	for range messages {
		win.add(p, w.now)
		w.lists[i] = append(w.lists[i], w.now)
	}
}

// checkPool checks that every place of the pool belongs to one ring at most, in
// use or free.
func (w *listedWindows) checkPool(t *testing.T, p *stampPool) {
	t.Helper()
	type ring struct{ at, size int32 }
	var rings []ring
	for i := range w.windows {
		if size := stampSizes[w.windows[i].size]; size != 0 {
			rings = append(rings, ring{w.windows[i].at, size})
		}
	}
	for class, at := range p.free {
		for ; at != noIndex; at = int32(p.stamps[at]) {
			rings = append(rings, ring{at, stampSizes[class]})
		}
	}
	slices.SortFunc(rings, func(a, b ring) int { return int(a.at - b.at) })
	end := int32(0)
	for _, one := range rings {
		if one.at < end {
			t.Errorf("a ring of %d stamps at %d lies in one that ends at %d", one.size, one.at, end)
		}
		end = one.at + one.size
	}
	if end > p.used || int(p.used) > len(p.stamps) {
		t.Errorf("rings end at %d, used are %d of %d", end, p.used, len(p.stamps))
	}
}
