package input

import (
	"tollgate/order"
	"tollgate/riskcheck"
)

// Input is one input of an engine. Which fields mean something depends on Kind;
// others are left as they were by Decode, so that an Input can be used again and
// again. It belongs to whoever decodes into it.
type Input struct {
	Kind Kind
	By   By // of what comes from people, see Kind.Commanded

	Request   order.Request
	Report    order.Report
	Price     order.ReferencePrice
	Login     riskcheck.Login
	Reference riskcheck.Reference
	Limits    riskcheck.LimitSet

	Session    order.SessionID // disconnected, answers
	Connection order.ConnectionID
	OutSeq     uint64          // answers: all up to it are held
	Instance   uint64          // venue up
	NextReport uint64          // venue up
	Epoch      uint64          // start
	Sizes      riskcheck.Sizes // start

	Scope           order.Scope // kill, unkill, release
	Latch           riskcheck.Latch
	Account         order.AccountID // cash, position, locate
	Cash            order.Money
	Instrument      order.InstrumentID // position, locate, market state
	Qty             order.Qty          // position, locate
	Currency        riskcheck.Currency
	Rate            order.FxRate
	SeenNs          int64 // ns since 1970 UTC
	Market          order.MarketState
	ShortRestricted bool
	Calendar        order.CalendarID
	Day             uint32 // both rolls
}

// Outcome is what the engine's method has returned. Fields that the kind has not
// are zero.
type Outcome struct {
	Login   riskcheck.LoginResult
	Kill    riskcheck.KillResult
	VenueUp bool
	Refused error // why the engine has not done it; it has let time pass all the same
}

// Give gives the input to an engine at a time, ns since 1970 UTC. The engine's
// loop calls it. What the engine asks for is in Engine.Effects, as ever; after
// KindAckAnswers there are still those of the input before. The Kind must be
// known.
func (in *Input) Give(e *riskcheck.Engine, nowNs int64) (out Outcome) {
	switch in.Kind {
	case KindRequest:
		e.Request(nowNs, &in.Request)
	case KindReport:
		e.Report(nowNs, &in.Report)
	case KindPrice:
		e.Price(nowNs, &in.Price)
	case KindTick:
		e.Tick(nowNs)
	case KindLogin:
		out.Login = e.Login(nowNs, in.Login)
	case KindDisconnected:
		e.Disconnected(nowNs, in.Session, in.Connection)
	case KindAckAnswers:
		e.AckAnswers(in.Session, in.OutSeq)
	case KindVenueUp:
		out.VenueUp = e.VenueUp(nowNs, in.Instance, in.NextReport)
	case KindVenueDown:
		e.VenueDown(nowNs)
	case KindStart:
		e.Start(nowNs, in.Epoch)
	case KindKill:
		out.Kill, out.Refused = e.Kill(nowNs, in.Scope)
	default:
		out.Refused = in.set(e, nowNs)
	}
	return out
}

// set gives the inputs that do nothing but set state.
func (in *Input) set(e *riskcheck.Engine, nowNs int64) error {
	switch in.Kind {
	case KindReference:
		return e.ApplyReference(nowNs, &in.Reference)
	case KindLimits:
		return e.ApplyLimits(nowNs, &in.Limits)
	case KindUnkill:
		return e.Unkill(nowNs, in.Scope)
	case KindRelease:
		return e.Release(nowNs, in.Scope, in.Latch)
	case KindCash:
		return e.SetCash(nowNs, in.Account, in.Cash)
	case KindPosition:
		return e.SetPosition(nowNs, in.Account, in.Instrument, in.Qty)
	case KindLocate:
		return e.SetLocate(nowNs, in.Account, in.Instrument, in.Qty)
	case KindFxRate:
		return e.SetFxRate(nowNs, in.Currency, in.Rate, in.SeenNs)
	case KindMarketState:
		return e.SetMarketState(nowNs, in.Instrument, in.Market, in.ShortRestricted)
	case KindRollDay:
		return e.RollDay(nowNs, in.Day)
	case KindRollCalendar:
		return e.RollCalendar(nowNs, in.Calendar, in.Day)
	}
	panic("input: Give: " + in.Kind.String() + ": want one of Kinds")
}

// Append appends the payload of the input. Whoever has the parts at hand calls the
// function of the kind instead. It panics if the Kind is not known, which only a
// caller's mistake can make.
func (in *Input) Append(b []byte) []byte {
	switch in.Kind {
	case KindRequest:
		return AppendRequest(b, &in.Request)
	case KindReport:
		return AppendReport(b, &in.Report)
	case KindPrice:
		return AppendPrice(b, &in.Price)
	case KindTick:
		return AppendTick(b)
	case KindLogin:
		return AppendLogin(b, &in.Login)
	case KindDisconnected:
		return AppendDisconnected(b, in.Session, in.Connection)
	case KindAckAnswers:
		return AppendAckAnswers(b, in.Session, in.OutSeq)
	case KindVenueUp:
		return AppendVenueUp(b, in.Instance, in.NextReport)
	case KindVenueDown:
		return AppendVenueDown(b)
	case KindStart:
		return AppendStart(b, in.Epoch, &in.Sizes)
	}
	return in.appendCommand(b)
}

// appendCommand appends what comes from people.
func (in *Input) appendCommand(b []byte) []byte {
	switch in.Kind {
	case KindReference:
		return AppendReference(b, in.By, &in.Reference)
	case KindLimits:
		return AppendLimits(b, in.By, &in.Limits)
	case KindKill:
		return AppendKill(b, in.By, in.Scope)
	case KindUnkill:
		return AppendUnkill(b, in.By, in.Scope)
	case KindRelease:
		return AppendRelease(b, in.By, in.Scope, in.Latch)
	case KindCash:
		return AppendCash(b, in.By, in.Account, in.Cash)
	case KindPosition:
		return AppendPosition(b, in.By, in.Account, in.Instrument, in.Qty)
	case KindLocate:
		return AppendLocate(b, in.By, in.Account, in.Instrument, in.Qty)
	case KindFxRate:
		return AppendFxRate(b, in.By, in.Currency, in.Rate, in.SeenNs)
	case KindMarketState:
		return AppendMarketState(b, in.By, in.Instrument, in.Market, in.ShortRestricted)
	case KindRollDay:
		return AppendRollDay(b, in.By, in.Day)
	case KindRollCalendar:
		return AppendRollCalendar(b, in.By, in.Calendar, in.Day)
	}
	panic("input: Append: " + in.Kind.String() + ": want one of Kinds")
}

// Decode reads a payload. Nothing of it is kept, and nothing is allocated but for
// texts, reference data and limits. The error wraps ErrMalformed; the fields of
// the kind then mean nothing.
func (in *Input) Decode(kind Kind, payload []byte) error {
	in.Kind = kind
	switch kind {
	case KindRequest:
		return decodeRequest(&in.Request, payload)
	case KindReport:
		return decodeReport(&in.Report, payload)
	}
	if !kind.Known() {
		return malformed(kind, 0, "want a kind from 1 to %d", kinds-1)
	}
	r := read(kind, payload)
	if kind.Commanded() {
		in.By = By{Author: r.text(), Reason: r.text()}
		in.decodeCommand(&r)
	} else {
		in.decodeEvent(&r)
	}
	return r.finish()
}

// decodeEvent reads what comes with time, over connections and from the venue.
func (in *Input) decodeEvent(r *reader) {
	switch r.kind {
	case KindPrice:
		in.decodePrice(r)
	case KindLogin:
		in.decodeLogin(r)
	case KindDisconnected:
		in.decodeDisconnected(r)
	case KindAckAnswers:
		in.decodeAckAnswers(r)
	case KindVenueUp:
		in.decodeVenueUp(r)
	case KindStart:
		in.decodeStart(r)
	}
}

// decodeCommand reads what comes from people.
func (in *Input) decodeCommand(r *reader) {
	switch r.kind {
	case KindReference:
		in.decodeReference(r)
	case KindLimits:
		in.decodeLimits(r)
	case KindKill, KindUnkill:
		in.Scope = r.scope()
	case KindRelease:
		in.decodeRelease(r)
	case KindCash:
		in.decodeCash(r)
	case KindPosition, KindLocate:
		in.decodePosition(r)
	case KindFxRate:
		in.decodeFxRate(r)
	case KindMarketState:
		in.decodeMarketState(r)
	case KindRollDay:
		in.Day = r.uint32()
	case KindRollCalendar:
		in.decodeRollCalendar(r)
	}
}

// Player gives stored inputs to an engine. The zero value is ready.
type Player struct{ input Input }

// Give decodes an input and gives it to an engine at a time, ns since 1970 UTC. An
// error says that the payload is malformed and that the engine was given nothing;
// what the engine itself has refused is in the outcome. See Input.Give and
// Input.Decode.
func (p *Player) Give(e *riskcheck.Engine, nowNs int64, kind Kind, payload []byte) (Outcome, error) {
	if err := p.input.Decode(kind, payload); err != nil {
		return Outcome{}, err
	}
	return p.input.Give(e, nowNs), nil
}
