package exchange

import "tollgate/order"

// Adapter guards a venue. It is a pure state machine for one goroutine: times
// are passed in, ns since 1970 UTC. See the package comment for its rules.
type Adapter struct {
	venue        Venue
	key          order.TokenKey
	instance     uint64
	epoch        uint64 // the newest known; 0: none yet
	window       seqWindow
	fences       fences
	tracked      trackedOrders
	reports      reportLog
	reportsMax   int // from here on requests that only add reports are dropped
	backlogAt    int // from here on new orders and replaces are refused
	counters     AdapterCounters
	cancelByName order.Verdict // the request an unsigned cancel becomes
	translated   order.Verdict // a replace in the venue's terms
}

// NewAdapter returns an adapter with an empty report log in front of a venue.
// The configuration must be valid, and its Instance not zero.
func NewAdapter(cfg AdapterConfig, venue Venue) (*Adapter, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	return &Adapter{
		venue:      venue,
		key:        cfg.TokenKey,
		instance:   cfg.Instance,
		window:     newSeqWindow(cfg.SeqWindow),
		fences:     newFences(cfg.FencesMax),
		tracked:    newTrackedOrders(cfg.OrdersMax),
		reports:    newReportLog(),
		reportsMax: cfg.ReportsRetainedMax,
		backlogAt:  cfg.ReportsRetainedMax - cfg.ReportsRetainedMax/backlogShare,
	}, nil
}

// Instance returns the number of this incarnation of the adapter. Report
// numbers mean something only together with it.
func (a *Adapter) Instance() uint64 { return a.instance }

// Epoch returns the newest epoch of an engine that the adapter knows of, 0 if
// none.
func (a *Adapter) Epoch() uint64 { return a.epoch }

// RaiseEpoch makes tokens of epochs before this one void, for good. Authentic
// tokens and fences do the same; an engine that takes over says so at once, so
// that its predecessor cannot go on until the first new order.
func (a *Adapter) RaiseEpoch(epoch uint64) { a.epoch = max(a.epoch, epoch) }

// NextReportSeq returns the number the next report will get.
func (a *Adapter) NextReportSeq() uint64 { return a.reports.next }

// OldestReportSeq returns the number of the oldest report that can be sent
// again; NextReportSeq if there is none.
func (a *Adapter) OldestReportSeq() uint64 { return a.reports.oldest }

// LiveOrders returns how many orders live at the venue.
func (a *Adapter) LiveOrders() int { return a.tracked.live }

// Report returns report seq and its trace, or nils if it is not made yet or was
// acknowledged. They must not be changed and are valid until the next call.
func (a *Adapter) Report(seq uint64) (*order.Report, *order.Trace) {
	e := a.reports.at(seq)
	if e == nil {
		return nil, nil
	}
	return &e.report, &e.trace
}

// Acknowledge forgets the reports up to and including upTo: the engine holds
// them for good.
func (a *Adapter) Acknowledge(upTo uint64) { a.reports.acknowledge(upTo) }

// Collect takes what the venue has said of its own accord at time now.
func (a *Adapter) Collect(now int64) { a.collect(now, 0, nil) }

// Prices returns the venue's reference prices that are due at time now.
func (a *Adapter) Prices(now int64) []order.ReferencePrice { return a.venue.Prices(now) }

// RepeatPrices makes the newest price of every instrument due again.
func (a *Adapter) RepeatPrices() { a.venue.RepeatPrices() }

// SetFence puts a fence of an epoch in force. When it returns, no new order or
// replace behind the fence reaches the venue any more. The fence of an old
// epoch has nothing left to void.
func (a *Adapter) SetFence(epoch uint64, f Fence) {
	if epoch < a.epoch {
		return
	}
	a.RaiseEpoch(epoch)
	a.counters.Fences++
	a.fences.set(f, a.window.oldest()-1)
}

// Advance lets the venue do what is due at time now.
func (a *Adapter) Advance(now int64) {
	a.venue.Advance(now)
	a.Collect(now)
}

// Outcome says what an adapter has done with a request.
type Outcome struct {
	// Reason is why the venue has not got the request; ReasonNone if it has.
	Reason order.Reason
	// Refused is set if a report says so, which ends the request. A request that
	// was dropped instead has had no effect at all, and Reason is only good for a
	// hint. One dropped with ReasonAdapterBacklog may be sent again.
	Refused bool
}

// Dropped reports whether the request has had no effect.
func (o Outcome) Dropped() bool { return o.Reason != order.ReasonNone && !o.Refused }

// Verdict takes a request from the engine at time now; t is its trace so far.
func (a *Adapter) Verdict(now int64, v *order.Verdict, t *order.Trace) Outcome {
	var outcome Outcome
	switch v.MsgType {
	case order.MsgNewOrder, order.MsgReplaceOrder:
		outcome = a.admit(now, v, t)
	case order.MsgCancelOrder:
		outcome.Reason = a.cancel(now, v, t)
	default:
		outcome.Reason = order.ReasonMalformed
	}
	a.counters.count(outcome)
	return outcome
}

// admit decides on a new order or a replace.
func (a *Adapter) admit(now int64, v *order.Verdict, t *order.Trace) Outcome {
	if reason := a.authenticate(v); reason != order.ReasonNone {
		return Outcome{Reason: reason}
	}
	if a.reports.retained() >= a.reportsMax {
		return Outcome{Reason: order.ReasonAdapterBacklog}
	}
	a.window.use(v.Token.Seq)
	if reason := a.judge(now, v); reason != order.ReasonNone {
		a.refuse(now, v, t, reason)
		return Outcome{Reason: reason, Refused: true}
	}
	a.track(v)
	a.submit(now, a.translate(v), t)
	return Outcome{}
}

// translate returns a request in the venue's terms. A venue that replaces the
// open quantity is asked for what is left of the total, by all that the adapter
// knows to be executed: the engine has reserved at least that.
func (a *Adapter) translate(v *order.Verdict) *order.Verdict {
	if v.MsgType != order.MsgReplaceOrder || !a.venue.ReplacesOpenQty(v.Instrument) {
		return v
	}
	a.translated = *v
	a.translated.OrderQty -= a.tracked.executed(v.OrderID)
	return &a.translated
}

// authenticate checks that the engine of the newest epoch accepted exactly this
// request, and that it comes for the first time. A newer epoch makes all older
// ones void.
func (a *Adapter) authenticate(v *order.Verdict) order.Reason {
	if reason := a.key.Verify(v); reason != order.ReasonNone {
		return reason
	}
	if v.Token.Epoch < a.epoch {
		return order.ReasonTokenEpoch
	}
	a.RaiseEpoch(v.Token.Epoch)
	if a.window.used(v.Token.Seq) || v.MsgType == order.MsgNewOrder && a.tracked.find(v.OrderID) >= 0 {
		return order.ReasonTokenUsed
	}
	return order.ReasonNone
}

// judge checks whether an authentic request still may go to the venue.
func (a *Adapter) judge(now int64, v *order.Verdict) order.Reason {
	switch {
	case v.Token.Expiry < now:
		return order.ReasonTokenExpired
	case v.ValidUntil != 0 && v.ValidUntil < now:
		return order.ReasonValidUntil
	case a.fences.voids(v):
		return order.ReasonKillFence
	case a.backedUp(v):
		return order.ReasonAdapterBacklog
	case a.exhausted(v):
		return order.ReasonVenueReject
	}
	return order.ReasonNone
}

// exhausted reports whether a replace leaves nothing that a venue could be asked
// to have open: as much has been executed by now.
func (a *Adapter) exhausted(v *order.Verdict) bool {
	return v.MsgType == order.MsgReplaceOrder && a.venue.ReplacesOpenQty(v.Instrument) &&
		v.OrderQty <= a.tracked.executed(v.OrderID)
}

// backedUp reports whether the adapter has no room for what the request would
// lead to.
func (a *Adapter) backedUp(v *order.Verdict) bool {
	return a.reports.retained() >= a.backlogAt || v.MsgType == order.MsgNewOrder && a.tracked.full()
}

// track makes the names of an admitted request known before the venue speaks of
// it.
func (a *Adapter) track(v *order.Verdict) {
	if v.MsgType == order.MsgNewOrder {
		a.tracked.add(v.OrderID, v.Session, v.ClOrdID)
		return
	}
	if at := a.tracked.find(v.OrderID); at >= 0 {
		a.tracked.addName(at, v.ClOrdID)
	}
}

// cancel carries out a cancel. With an authentic token it is carried out once:
// a token older than the window is not known to be used, and canceling twice
// does no harm.
func (a *Adapter) cancel(now int64, v *order.Verdict, t *order.Trace) order.Reason {
	if a.key.Verify(v) != order.ReasonNone {
		return a.cancelUnsigned(now, v.Session, v.OrderID, v.OrigClOrdID, t)
	}
	a.RaiseEpoch(v.Token.Epoch)
	if seq := v.Token.Seq; a.window.used(seq) && !a.window.older(seq) {
		return order.ReasonTokenUsed
	}
	if a.reports.retained() >= a.reportsMax && a.tracked.find(v.OrderID) < 0 {
		return order.ReasonAdapterBacklog
	}
	a.window.use(v.Token.Seq)
	a.counters.Cancels++
	a.submit(now, v, t)
	return order.ReasonNone
}

// Cancel cancels a session's live order that is named by its OrderID or, if
// that is zero, by one of its ClOrdIDs, at time now and without a token. It is
// dropped with ReasonVenueUnknown if there is no such order.
func (a *Adapter) Cancel(now int64, session order.SessionID, id order.OrderID, name order.ClOrdID) Outcome {
	outcome := Outcome{Reason: a.cancelUnsigned(now, session, id, name, nil)}
	a.counters.count(outcome)
	return outcome
}

func (a *Adapter) cancelUnsigned(
	now int64, session order.SessionID, id order.OrderID, name order.ClOrdID, t *order.Trace,
) order.Reason {
	at := a.tracked.find(id)
	if id == 0 {
		at = a.tracked.findNamed(session, name)
	}
	if at < 0 || a.tracked.orders[at].session != session {
		return order.ReasonVenueUnknown
	}
	a.counters.CancelsUnsigned++
	a.cancelByName = order.Verdict{
		OrderID: a.tracked.orders[at].id, OrigClOrdID: name, Session: session, MsgType: order.MsgCancelOrder,
	}
	a.submit(now, &a.cancelByName, t)
	return order.ReasonNone
}

// submit gives a request to the venue and takes what it says.
func (a *Adapter) submit(now int64, v *order.Verdict, t *order.Trace) {
	a.counters.submitted(v.MsgType)
	a.venue.Submit(now, v)
	a.collect(now, v.OrderID, t)
}

// collect numbers what the venue has said. Reports about the order named own
// carry the trace t of the request that caused them.
func (a *Adapter) collect(now int64, own order.OrderID, t *order.Trace) {
	others := order.Trace{VenueIn: now}
	reports := a.venue.Reports()
	for i := range reports {
		r := &reports[i]
		a.settle(r)
		if t != nil && r.OrderID == own {
			a.report(now, r, t)
		} else {
			a.reports.add(r, &others)
		}
	}
	a.counters.Reports += uint64(len(reports))
}

// report keeps a report with the trace of its request, stamped at the venue.
func (a *Adapter) report(now int64, r *order.Report, t *order.Trace) {
	stamped := *t
	stamped.VenueIn = now
	a.reports.add(r, &stamped)
}

// settle notes what a report says of its order, unless it is old news said again,
// and forgets the names that it ends. An order that the venue lets live again is known again, as long as there
// is room.
func (a *Adapter) settle(r *order.Report) {
	at := a.tracked.find(r.OrderID)
	if at < 0 && r.Kind == order.ReportRestated && r.LeavesQty > 0 && !a.tracked.full() {
		a.tracked.add(r.OrderID, r.Session, r.ClOrdID)
		at = a.tracked.find(r.OrderID)
	}
	if at < 0 || !a.tracked.note(at, r) {
		return
	}
	switch r.Kind {
	case order.ReportRejected, order.ReportCanceled, order.ReportExpired:
		a.tracked.remove(at)
	case order.ReportTrade, order.ReportReplaced, order.ReportTradeCorrect, order.ReportRestated:
		if r.LeavesQty == 0 {
			a.tracked.remove(at)
		}
	case order.ReportReplaceReject:
		a.tracked.removeName(at, r.ClOrdID)
	}
}

// refuse answers an authentic request that comes too late, so that the engine
// releases what it has reserved. The venue never sees it: there is no ExecID,
// and what has been executed is not the adapter's to say.
func (a *Adapter) refuse(now int64, v *order.Verdict, t *order.Trace, reason order.Reason) {
	r := order.Report{
		Seq:          v.Token.Seq,
		OrderID:      v.OrderID,
		ClOrdID:      v.ClOrdID,
		TransactTime: now,
		Price:        v.Price,
		OrderQty:     v.OrderQty,
		Group:        v.Group,
		Session:      v.Session,
		Account:      v.Account,
		Trader:       v.Trader,
		Instrument:   v.Instrument,
		Strategy:     v.Strategy,
		Reason:       reason,
		Kind:         order.ReportRejected,
		Side:         v.Side,
	}
	if v.MsgType == order.MsgReplaceOrder {
		r.Kind = order.ReportReplaceReject
	}
	a.counters.Reports++
	a.report(now, &r, t)
}
