package riskcheck

// window is a message rate limit over a sliding window, exact over the last
// stamps: a message passes if fewer than limit stamps lie within period.
//
// Stamps are kept while a finite limit is stated. The ring only ever grows, so
// that lowering and raising a limit inside a window forgets nothing.
type window struct {
	stamps   []int64 // ring of the newest stamps; zero: none yet
	newest   int     // position of the newest stamp
	limit    int64   // unstated, or a count; order.Unlimited never binds
	periodNs int64
}

// unstated marks a limit that a scope does not state.
const unstated int64 = -1

// state sets the limit and makes room for its stamps.
func (w *window) state(limit, periodNs int64) {
	w.limit, w.periodNs = limit, periodNs
	if limit < 0 || limit > rateStampsMax || int(limit) <= len(w.stamps) {
		return
	}
	grown := make([]int64, limit)
	for i := range w.stamps { // oldest to newest at the front
		grown[i] = w.stamps[(w.newest+1+i)%len(w.stamps)]
	}
	if n := len(w.stamps); n > 0 {
		w.newest = n - 1
	} else {
		w.newest = int(limit) - 1
	}
	w.stamps = grown
}

// binds reports whether a message at nowNs would be one too many.
func (w *window) binds(nowNs int64) bool {
	if w.limit < 0 || w.limit > rateStampsMax {
		return false
	}
	if w.limit == 0 {
		return true
	}
	at := w.newest - int(w.limit) + 1
	if at < 0 {
		at += len(w.stamps)
	}
	oldest := w.stamps[at]
	return oldest != 0 && nowNs-oldest < w.periodNs
}

// add stamps a message.
func (w *window) add(nowNs int64) {
	if len(w.stamps) == 0 {
		return
	}
	w.newest++
	if w.newest == len(w.stamps) {
		w.newest = 0
	}
	w.stamps[w.newest] = nowNs
}

// trailing is a window that counts first and judges afterwards: it reports that
// a limit was exceeded, it does not prevent it.
type trailing struct{ window }

// exceeded stamps a message and reports whether it was one too many.
func (t *trailing) exceeded(nowNs int64) bool {
	over := t.binds(nowNs)
	t.add(nowNs)
	return over
}
