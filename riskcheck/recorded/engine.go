package recorded

import (
	"tollgate/internal/journal"
	"tollgate/order"
	"tollgate/riskcheck"
	"tollgate/riskcheck/input"
)

// Engine is a risk engine that belongs to one loop, with the journal it writes. What
// is no input is the engine's own.
type Engine struct {
	*riskcheck.Engine
	journal *journal.Journal // nil: nothing is kept
	by      input.By         // of the next input that comes from people
	sizes   riskcheck.Sizes
	payload []byte
}

// Unrecorded returns an engine whose state ends with its process.
func Unrecorded(e *riskcheck.Engine) *Engine { return &Engine{Engine: e} }

// By says who asks for the next input, and why; it holds for that one.
func (e *Engine) By(author, reason string) *Engine {
	e.by = input.By{Author: author, Reason: reason}
	return e
}

// keep appends a record of what is in payload and returns the time of the input: the
// engine's clock never runs backwards, and neither does the journal's.
func (e *Engine) keep(kind input.Kind, nowNs int64, payload []byte) int64 {
	nowNs = max(nowNs, e.Now())
	if e.journal != nil {
		if e.journal.Full() {
			e.waitForRoom()
		}
		e.journal.Append(uint16(kind), nowNs, payload)
	}
	e.payload, e.by = payload[:0], input.By{}
	return nowNs
}

// Request is Engine.Request.
func (e *Engine) Request(nowNs int64, r *order.Request) {
	e.Engine.Request(e.keep(input.KindRequest, nowNs, input.AppendRequest(e.payload, r)), r)
}

// Report is Engine.Report.
func (e *Engine) Report(nowNs int64, r *order.Report) {
	e.Engine.Report(e.keep(input.KindReport, nowNs, input.AppendReport(e.payload, r)), r)
}

// Price is Engine.Price.
func (e *Engine) Price(nowNs int64, p *order.ReferencePrice) {
	e.Engine.Price(e.keep(input.KindPrice, nowNs, input.AppendPrice(e.payload, p)), p)
}

// Tick is Engine.Tick. One that does nothing is none: time passes with the next input.
func (e *Engine) Tick(nowNs int64) {
	if e.Due(nowNs) {
		e.Engine.Tick(e.keep(input.KindTick, nowNs, input.AppendTick(e.payload)))
	}
}

// Login is Engine.Login.
func (e *Engine) Login(nowNs int64, l riskcheck.Login) riskcheck.LoginResult {
	return e.Engine.Login(e.keep(input.KindLogin, nowNs, input.AppendLogin(e.payload, &l)), l)
}

// Disconnected is Engine.Disconnected.
func (e *Engine) Disconnected(nowNs int64, session order.SessionID, connection order.ConnectionID) {
	nowNs = e.keep(input.KindDisconnected, nowNs, input.AppendDisconnected(e.payload, session, connection))
	e.Engine.Disconnected(nowNs, session, connection)
}

// AckAnswers is Engine.AckAnswers.
func (e *Engine) AckAnswers(session order.SessionID, outSeq uint64) {
	e.keep(input.KindAckAnswers, e.Now(), input.AppendAckAnswers(e.payload, session, outSeq))
	e.Engine.AckAnswers(session, outSeq)
}

// VenueUp is Engine.VenueUp.
func (e *Engine) VenueUp(nowNs int64, instance, nextReport uint64) bool {
	nowNs = e.keep(input.KindVenueUp, nowNs, input.AppendVenueUp(e.payload, instance, nextReport))
	return e.Engine.VenueUp(nowNs, instance, nextReport)
}

// VenueDown is Engine.VenueDown.
func (e *Engine) VenueDown(nowNs int64) {
	e.Engine.VenueDown(e.keep(input.KindVenueDown, nowNs, input.AppendVenueDown(e.payload)))
}

// Start is Engine.Start.
func (e *Engine) Start(nowNs int64, epoch uint64) {
	e.Engine.Start(e.keep(input.KindStart, nowNs, input.AppendStart(e.payload, epoch, &e.sizes)), epoch)
}
