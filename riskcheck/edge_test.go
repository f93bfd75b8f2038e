package riskcheck_test

import (
	"testing"

	"tollgate/order"
	"tollgate/riskcheck"
)

// edge is an engine at its bounds, or with numbers at theirs: one session, two
// accounts, two instruments of one class, and no limit that binds unless a test
// states it. What the random lives of the property test never reach is reached
// here on purpose.
type edge struct {
	t          *testing.T
	engine     *riskcheck.Engine
	now        int64
	connection order.ConnectionID
	ref        uint64
	clOrdID    order.ClOrdID
	report     uint64
	exec       order.ExecID
}

var (
	edgeFirm    = order.Scope{Type: order.ScopeFirm, ID: 1}
	edgeAccount = order.Scope{Type: order.ScopeAccount, ID: 1}
	edgeSession = order.Scope{Type: order.ScopeSession, ID: 1}
)

// edgeReference describes the firm.
func edgeReference() *riskcheck.Reference {
	accounts := []order.AccountID{1, 2}
	usd := riskcheck.CurrencyOf("USD")
	ref := &riskcheck.Reference{
		Firm:   riskcheck.Firm{ID: 1, Currency: usd, FxMaxAgeNs: order.Unlimited},
		Groups: []riskcheck.Group{{ID: 1}},
		Accounts: []riskcheck.Account{
			{ID: 1, Group: 1, Currency: usd}, {ID: 2, Group: 1, Currency: usd},
		},
		Traders:    []riskcheck.Trader{{ID: 1, Accounts: accounts}},
		Sessions:   []riskcheck.Session{{ID: 1, Client: 1, Accounts: accounts}},
		Strategies: []riskcheck.Strategy{{ID: 1}},
		Classes:    []riskcheck.Class{{ID: 1}},
	}
	for id := range order.InstrumentID(2) {
		in := firmInstrument(1)
		in.ID, in.Class, in.Tick, in.Lot, in.MinQty, in.FeeBps = id+1, 1, 1, 1, 1, 0
		ref.Instruments = append(ref.Instruments, in)
	}
	return ref
}

// unbound states every limit that an order needs as unlimited at the firm, but
// for those in entries.
func unbound(entries ...riskcheck.LimitEntry) *riskcheck.LimitSet {
	set := &riskcheck.LimitSet{Entries: entries}
	stated := map[riskcheck.LimitKind]bool{}
	for _, l := range entries {
		if l.Scope == edgeFirm {
			stated[l.Kind] = true
		}
	}
	for _, kind := range []riskcheck.LimitKind{
		riskcheck.LimitMaxOrderQty, riskcheck.LimitMaxOrderNotional, riskcheck.LimitCollarAbs,
		riskcheck.LimitMarketProtectionTicks, riskcheck.LimitParticipationBps, riskcheck.LimitDuplicateOrders,
		riskcheck.LimitMessagesPerSecond, riskcheck.LimitStrategyExecutions, riskcheck.LimitOpenOrders,
		riskcheck.LimitOpenNotional, riskcheck.LimitPositionLong, riskcheck.LimitPositionShort,
		riskcheck.LimitGrossExposure, riskcheck.LimitNetExposure, riskcheck.LimitCreditLine,
		riskcheck.LimitShortSelling, riskcheck.LimitTurnoverPerDay, riskcheck.LimitDailyLoss,
		riskcheck.LimitOrderToTrade, riskcheck.LimitSelfMatch, riskcheck.LimitConsecutiveRejects,
		riskcheck.LimitBasketOrders, riskcheck.LimitBasketNotional,
	} {
		if !stated[kind] {
			set.Entries = append(set.Entries, riskcheck.LimitEntry{Scope: edgeFirm, Kind: kind, Value: order.Unlimited})
		}
	}
	set.Entries = append(set.Entries, riskcheck.LimitEntry{
		Scope: edgeFirm, Kind: riskcheck.LimitPermission, Value: riskcheck.PermitDeny,
	})
	return set
}

// newEdge returns an engine with changed sizes that takes orders.
func newEdge(t *testing.T, size func(*riskcheck.Config), entries ...riskcheck.LimitEntry) *edge {
	t.Helper()
	config := smallConfig()
	if size != nil {
		size(&config)
	}
	engine, err := riskcheck.New(config)
	if err != nil {
		t.Fatal(err)
	}
	e := &edge{t: t, engine: engine, now: dayStart, ref: 1, report: 1}
	if err := engine.ApplyReference(e.now, edgeReference()); err != nil {
		t.Fatal(err)
	}
	e.limit(entries...)
	engine.VenueUp(e.now, 1, 1)
	e.connection = engine.Login(e.now, riskcheck.Login{Session: 1, Client: 1, WantOutSeq: 1}).Connection
	return e
}

// limit puts limits in force that must be taken.
func (e *edge) limit(entries ...riskcheck.LimitEntry) {
	e.t.Helper()
	if err := e.engine.ApplyLimits(e.now, unbound(entries...)); err != nil {
		e.t.Fatal(err)
	}
}

// order returns a new order of account 1 in instrument 1, its price of a kind that
// values what it can value.
func (e *edge) order(side order.Side, qty order.Qty, price order.Price) *order.Request {
	e.clOrdID++
	return &order.Request{
		MsgType: order.MsgNewOrder, Session: 1, ClOrdID: e.clOrdID, Account: 1, Trader: 1, Instrument: 1, Side: side,
		OrdType: order.OrdTypeLimit, TimeInForce: order.TimeInForceDay, OrderQty: qty, Price: price, StopPx: order.Null,
	}
}

// send sends a request and returns what became of it: the engine's number for it,
// or the reason of its refusal.
func (e *edge) send(r *order.Request) (uint64, order.Reason) {
	r.Ref, r.Connection = e.ref, e.connection
	e.ref++
	e.engine.Request(e.now, r)
	for _, f := range e.engine.Effects() {
		switch f.Kind {
		case riskcheck.EffectVerdict:
			if f.Verdict.ClOrdID == r.ClOrdID {
				return f.Verdict.Token.Seq, order.ReasonNone
			}
		case riskcheck.EffectAnswer:
			if a := e.engine.Answer(f.Session, f.OutSeq); a.Ref == r.Ref && a.Decision.Reason != order.ReasonNone {
				return 0, a.Decision.Reason
			}
		}
	}
	return 0, order.ReasonNone
}

// accepted sends a request that must pass, and returns its number.
func (e *edge) accepted(r *order.Request) order.OrderID {
	e.t.Helper()
	seq, reason := e.send(r)
	if reason != order.ReasonNone || seq == 0 {
		e.t.Fatalf("%v %v of %s is refused: %v", r.MsgType, r.Side, r.OrderQty, reason)
	}
	return order.OrderID(seq)
}

// refused sends a request that must be refused for a reason.
func (e *edge) refused(r *order.Request, want order.Reason) {
	e.t.Helper()
	if _, reason := e.send(r); reason != want {
		e.t.Fatalf("%v %v of %s: %v, want %v", r.MsgType, r.Side, r.OrderQty, reason, want)
	}
}

// say has the venue report about account 1 in instrument 1.
func (e *edge) say(r order.Report) {
	e.exec++
	r.ReportSeq, r.ExecID = e.report, e.exec
	r.Session, r.Account, r.Trader, r.Group = 1, 1, 1, 1
	if r.Instrument == 0 {
		r.Instrument = 1
	}
	if r.Kind != order.ReportReplaced && r.Kind != order.ReportRestated {
		r.Price = order.Null
	}
	e.report++
	e.engine.Report(e.now, &r)
}

// alerts returns the causes of the alerts of the last input, and the latches.
func (e *edge) alerts() (causes []riskcheck.AlertCause) {
	for _, f := range e.engine.Effects() {
		if f.Kind == riskcheck.EffectAlert {
			causes = append(causes, f.Alert.Cause)
		}
	}
	return causes
}
