package riskcheck

import (
	"math"
	"sort"

	"tollgate/order"
)

const (
	secondNs = 1_000_000_000
	minuteNs = 60 * secondNs
)

// unstated marks a limit that a scope does not state.
const unstated int64 = -1

// window bounds messages over a sliding period, exactly over the last stamps: a
// message passes if fewer than limit stamps lie within the period.
//
// Stamps are kept while a finite limit is stated, in a ring that begins small
// and grows as long as what it would overwrite still counts, up to the largest
// limit ever stated, so that lowering and raising a limit forgets nothing.
type window struct {
	limit  int32 // -1: unstated; math.MaxInt32: unlimited
	most   int32 // largest finite limit ever stated
	at     int32 // where the ring stands in the pool
	newest int32 // place of the newest stamp in the ring
	held   int32 // stamps in the ring
	size   uint8 // class of the ring's size, see stampSizes
}

// noWindow is a window nobody has stated.
var noWindow = window{limit: -1}

// finite reports whether the window counts.
func (w *window) finite() bool { return w.limit >= 0 && w.limit != math.MaxInt32 }

// state sets the limit.
func (w *window) state(limit int64) {
	switch {
	case limit == unstated:
		w.limit = -1
	case limit > rateStampsMax:
		w.limit = math.MaxInt32
	default:
		w.limit = int32(limit)
		w.most = max(w.most, w.limit, 1)
	}
}

// reaches reports whether n stamps lie within the period, the messages ahead
// (counted, not yet stamped) included.
func (w *window) reaches(p *stampPool, now, periodNs int64, n, ahead int32) bool {
	n -= ahead
	if n <= 0 {
		return true
	}
	if w.held < n {
		return false
	}
	return now-p.stamps[w.place(w.newest-n+1)] < periodNs
}

// binds reports whether a message now would be one too many.
func (w *window) binds(p *stampPool, now, periodNs int64, ahead int32) bool {
	return w.finite() && w.reaches(p, now, periodNs, w.limit, ahead)
}

// count returns how many stamps lie within the period. Stamps never run backwards,
// so it halves what is left to look at.
func (w *window) count(p *stampPool, now, periodNs int64) int64 {
	n := sort.Search(int(w.held), func(i int) bool {
		return now-p.stamps[w.place(w.newest-int32(i))] >= periodNs
	})
	return int64(n)
}

// place returns where in the pool the stamp with a number of the ring stands.
func (w *window) place(i int32) int32 { return w.at + i&(stampSizes[w.size]-1) }

// room reports whether there is a ring for the next stamp, if it needs a larger
// one. It says nothing of what other windows need.
func (w *window) room(p *stampPool, now, periodNs int64) bool {
	return !w.finite() || !w.mustGrow(p, now, periodNs, 0) || p.has(w.size+1)
}

// tight reports whether the ring is full and may have to grow: makeRoom says.
func (w *window) tight(ahead int32) bool {
	size := stampSizes[w.size]
	return w.held+ahead >= size && size < w.most
}

// makeRoom takes the ring that the messages ahead and one more need, so that add
// finds a place for every one of them. It reports false if the pool has none.
func (w *window) makeRoom(p *stampPool, now, periodNs int64, ahead int32) bool {
	for w.finite() && w.mustGrow(p, now, periodNs, ahead) {
		if !w.grow(p) {
			return false
		}
	}
	return true
}

// mustGrow reports whether the stamp after those ahead would overwrite one that
// counts.
func (w *window) mustGrow(p *stampPool, now, periodNs int64, ahead int32) bool {
	size := stampSizes[w.size]
	if w.held+ahead < size || size >= w.most {
		return false
	}
	if ahead >= size {
		return true // there is no ring yet, or it would overwrite one of those ahead
	}
	return now-p.stamps[w.place(w.newest+1+ahead)] < periodNs
}

// add stamps a message. The caller has made room.
func (w *window) add(p *stampPool, now int64) {
	if !w.finite() {
		return
	}
	size := stampSizes[w.size]
	if size == 0 {
		return
	}
	w.newest = (w.newest + 1) & (size - 1)
	p.stamps[w.at+w.newest] = now
	w.held = min(w.held+1, size)
}

// grow moves the stamps to the next larger ring, and reports false if there is
// none.
func (w *window) grow(p *stampPool) bool {
	to, ok := p.take(w.size + 1)
	if !ok {
		return false
	}
	for i := range w.held {
		p.stamps[to+i] = p.stamps[w.place(w.newest-w.held+1+i)]
	}
	if w.size != 0 {
		p.give(w.at, w.size)
	}
	w.at, w.newest, w.size = to, w.held-1, w.size+1
	if w.held == 0 {
		w.newest = stampSizes[w.size] - 1
	}
	return true
}

// clear forgets all stamps.
func (w *window) clear() { w.held = 0 }

// exceeded stamps a message and reports whether it was one too many. A window
// used this way counts first and judges afterwards: it prevents nothing.
func (w *window) exceeded(p *stampPool, now, periodNs int64) bool {
	over := w.binds(p, now, periodNs, 0)
	if w.makeRoom(p, now, periodNs, 0) {
		w.add(p, now)
	}
	return over
}

// stampSizes are the sizes of rings by class. Each but the first is a power of
// two, and the last holds rateStampsMax.
var stampSizes = [...]int32{0, 8, 32, 128, 512, 2048, 8192, 32768, rateStampsMax}

// stampPool holds the stamps of all windows.
type stampPool struct {
	stamps []int64
	used   int32
	free   [len(stampSizes)]int32 // heads of lists of rings given back
}

func newStampPool(stampsMax int) stampPool {
	p := stampPool{stamps: make([]int64, stampsMax)}
	for i := range p.free {
		p.free[i] = noIndex
	}
	return p
}

// has reports whether a ring of a class can be taken.
func (p *stampPool) has(size uint8) bool {
	return p.free[size] != noIndex || int(p.used)+int(stampSizes[size]) <= len(p.stamps)
}

// take returns a ring of a class.
func (p *stampPool) take(size uint8) (int32, bool) {
	if at := p.free[size]; at != noIndex {
		p.free[size] = int32(p.stamps[at])
		return at, true
	}
	if !p.has(size) {
		return 0, false
	}
	at := p.used
	p.used += stampSizes[size]
	return at, true
}

// give takes a ring back.
func (p *stampPool) give(at int32, size uint8) {
	p.stamps[at] = int64(p.free[size])
	p.free[size] = at
}

// minuteSums is what requests have added to open notional within a minute of
// whole seconds. The oldest second counts in full until it is over, so that use
// is never under-counted. Sums saturate.
type minuteSums struct {
	second int64 // the newest second counted
	total  order.Money
	cut    bool // the total has not fit since it was last added up
	sums   [60]order.Money
}

// at moves on to a second: what is older than a minute leaves.
func (m *minuteSums) at(second int64) {
	if second != m.second {
		m.move(second)
	}
}

// move is at for another second than the newest.
func (m *minuteSums) move(second int64) {
	if second-m.second >= int64(len(m.sums)) {
		*m = minuteSums{second: second}
		return
	}
	for m.second < second {
		m.second++
		sum := &m.sums[m.second%int64(len(m.sums))]
		m.total -= *sum
		*sum = 0
	}
	if m.cut {
		m.addUp()
	}
}

// addUp adds all sums up anew.
func (m *minuteSums) addUp() {
	m.total = 0
	for _, sum := range &m.sums {
		m.total = addMoneySaturating(m.total, sum)
	}
	m.cut = m.total == order.Unlimited
}

// add counts an amount in the newest second.
func (m *minuteSums) add(amount order.Money) {
	sum := &m.sums[m.second%int64(len(m.sums))]
	*sum = addMoneySaturating(*sum, amount)
	m.total = addMoneySaturating(m.total, amount)
	m.cut = m.cut || m.total == order.Unlimited
}
