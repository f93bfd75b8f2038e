package riskcheck_test

import "tollgate/order"

// slidingWindows are the limits that count within a window, and how long it is; a
// limit that says how long a window is has none here.
var slidingWindows = map[limitName]int64{
	limitPerSecond: 1e9, limitBothPerSecond: 1e9, limitPerMinute: 60e9, limitTurnoverMinute: 60e9, limitDuplicateWindow: 0,
}

// atAnEdge moves the clock to where something is about to leave a window, or has
// just left it, and sends an order that may tell the difference.
func (d *duel) atAnEdge() {
	var edges []int64
	for i := range d.limits {
		if at, ok := d.edgeOf(&d.limits[i]); ok && at > d.now {
			edges = append(edges, at)
		}
	}
	s := d.world.sessions[d.r.IntN(len(d.world.sessions))]
	state := d.oracle.session(s.id)
	if len(edges) == 0 || state.connection == 0 {
		d.anything()
		return
	}
	d.now = edges[d.r.IntN(len(edges))] - d.r.Int64N(2)
	r := d.blank(state)
	d.fillNew(&r, &s, 100)
	if d.r.IntN(3) == 0 {
		d.repeat(&r, &s)
	}
	d.request(&r)
}

// edgeOf returns when a message leaves the window of a limit: of a rate the one that
// fills it, else one of the newest.
func (d *duel) edgeOf(row *limitRow) (int64, bool) {
	ns, slides := slidingWindows[row.kind]
	if !slides || row.value == order.Unlimited {
		return 0, false
	}
	stamps := d.stampsOf(row)
	newest := int64(len(stamps)) - 1
	switch {
	case newest < 0:
		return 0, false
	case row.kind == limitTurnoverMinute: // which counts whole seconds
		return (stamps[newest-d.r.Int64N(min(newest, 20)+1)] + ns) / 1e9 * 1e9, true
	case row.kind == limitDuplicateWindow:
		return stamps[newest-d.r.Int64N(min(newest, 20)+1)] + row.value, true
	case row.value == 0 || newest+1 < row.value:
		return 0, false
	}
	return stamps[newest+1-row.value] + ns, true
}

// stampsOf returns when the messages were accepted that a limit counts.
func (d *duel) stampsOf(row *limitRow) []int64 {
	var out []int64
	for i := range d.oracle.stamps {
		st := &d.oracle.stamps[i]
		if st.within(row.scope) && (!st.cancel || row.kind == limitBothPerSecond) {
			out = append(out, st.at)
		}
	}
	return out
}
