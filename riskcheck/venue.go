package riskcheck

import (
	"cmp"
	"slices"

	"tollgate/order"
)

// venueState is what the engine knows of the adapter: which incarnation it
// talks to, and which of its reports comes next.
type venueState struct {
	instance   uint64 // 0: never seen
	nextReport uint64
	up         bool
}

// redriven is a request that the venue has not answered, to be sent again.
type redriven struct {
	seq     uint64
	order   int32
	request int32 // noIndex: the new order itself
	unasked bool
}

// NextReport returns the number of the venue report the engine wants next.
func (e *Engine) NextReport() uint64 { return max(e.venue.nextReport, 1) }

// VenueIsUp reports whether new orders can be sent.
func (e *Engine) VenueIsUp() bool { return e.venue.up }

// VenueUp tells that an adapter can be reached: its incarnation and the number
// of the report it will make next. Everything the venue has not answered is
// sent again, in the order it was decided in; the adapter drops what it has
// seen. An adapter that has lost reports, or whose history the engine does not
// hold, is refused, and the venue stays down: what is unknown stays reserved.
func (e *Engine) VenueUp(now int64, instance, nextReport uint64) bool {
	e.begin(now)
	up := e.venueUp(instance, nextReport)
	e.finish()
	return up
}

func (e *Engine) venueUp(instance, nextReport uint64) bool {
	known := e.venue.instance != 0
	switch {
	case !known && nextReport != 1, known && instance != e.venue.instance, nextReport < e.NextReport():
		e.venue.up = false
		return false
	}
	e.venue = venueState{instance: instance, nextReport: e.NextReport(), up: true}
	e.redriveAll()
	return true
}

// VenueDown tells that no adapter can be reached. New orders and replaces are
// refused from here on; cancels wait.
func (e *Engine) VenueDown(now int64) {
	e.begin(now)
	e.venue.up = false
	e.finish()
}

// redriveAll emits every request that awaits the venue, by sequence number.
func (e *Engine) redriveAll() {
	e.redrive = e.redrive[:0]
	for i := range e.orders.orders[:e.orders.used] {
		o := &e.orders.orders[i]
		if o.id == 0 {
			continue
		}
		if !o.newAnswered {
			e.redrive = append(e.redrive, redriven{uint64(o.id), int32(i), noIndex, false})
		}
		if o.unaskedSeq != 0 {
			e.redrive = append(e.redrive, redriven{o.unaskedSeq, int32(i), noIndex, true})
		}
		for at := o.requests; at != noIndex; at = e.orders.requests[at].next {
			e.redrive = append(e.redrive, redriven{e.orders.requests[at].seq, int32(i), at, false})
		}
	}
	slices.SortFunc(e.redrive, func(a, b redriven) int { return cmp.Compare(a.seq, b.seq) })
	for _, r := range e.redrive {
		o := &e.orders.orders[r.order]
		switch {
		case r.unasked:
			e.sendUnasked(o)
		case r.request == noIndex:
			e.sendNew(o)
		default:
			e.sendPending(o, &e.orders.requests[r.request])
		}
	}
}

// Report takes one venue report. Reports are applied in their order and once:
// an old one is ignored, a gap is reported and waited for.
func (e *Engine) Report(now int64, r *order.Report) {
	e.begin(now)
	e.report(r)
	e.finish()
}

func (e *Engine) report(r *order.Report) {
	switch want := e.NextReport(); {
	case r.ReportSeq < want:
		return
	case r.ReportSeq > want:
		e.emit(EffectReportsFrom).Ref = want
		return
	}
	e.venue.nextReport = r.ReportSeq + 1
	o := e.order(r.OrderID)
	if o == nil {
		e.reportUnknown(r)
		return
	}
	e.fetchExpected()
	e.apply(&e.sessionRows[e.routes[o.route].session], o, r)
	if o.over() && !o.retired {
		e.orders.retire(o.place)
	}
}

// apply applies a report to the order it is about.
func (e *Engine) apply(s *sessionRow, o *liveOrder, r *order.Report) {
	switch r.Kind {
	case order.ReportNew:
		e.onNew(s, o, r)
	case order.ReportRejected:
		e.onRejected(s, o, r)
	case order.ReportReplaced:
		e.onReplaced(s, o, r)
	case order.ReportReplaceReject, order.ReportCancelReject:
		e.onChangeReject(s, o, r)
	case order.ReportCanceled, order.ReportExpired:
		e.onCanceled(s, o, r)
	case order.ReportTrade:
		e.onTrade(s, o, r)
	case order.ReportTradeCancel:
		e.onTradeCancel(s, o, r)
	case order.ReportTradeCorrect:
		e.onTradeCorrect(s, o, r)
	case order.ReportRestated:
		e.onRestated(s, o, r)
	}
}
