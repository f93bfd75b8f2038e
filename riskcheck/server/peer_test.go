package server

import (
	"fmt"
	"testing"

	"tollgate/fastpath"
	"tollgate/fastpath/wire"
	"tollgate/order"
	"tollgate/riskcheck"
)

const testAddress = "risk"

// network is an engine's server and the gateways of a test, in memory.
type network struct {
	t      *testing.T
	memory *fastpath.Memory
	server *Server
	engine *riskcheck.Engine
	key    order.TokenKey
}

// newNetwork starts a server for a small firm: session 1 of client 7, account 1,
// trader 1, instrument 1, nothing limited but the order quantity, to 100.
func newNetwork(t *testing.T) *network {
	t.Helper()
	n := &network{t: t, memory: fastpath.NewMemory(0), key: order.NewTokenKey([order.TokenKeySize]byte{1})}
	cfg := riskcheck.DefaultConfig()
	cfg.OrdersMax, cfg.ClOrdIDsMax, cfg.ExecutionsMax = 1<<12, 1<<14, 1<<12
	cfg.RoutesMax, cfg.CellsMax = 1<<8, 1<<8
	cfg.Epoch, cfg.TokenKey = 5, n.key
	var err error
	if n.engine, err = riskcheck.New(cfg); err != nil {
		t.Fatal(err)
	}
	if err := load(n.engine); err != nil {
		t.Fatal(err)
	}
	n.server, err = NewInMemory(Config{Network: "unix", Address: testAddress, Instance: 9}, n.engine, n.memory)
	if err != nil {
		t.Fatal(err)
	}
	n.server.wake = func() {}
	return n
}

func load(e *riskcheck.Engine) error {
	usd := riskcheck.CurrencyOf("USD")
	accounts := []order.AccountID{1}
	err := e.ApplyReference(1, &riskcheck.Reference{
		Firm:     riskcheck.Firm{ID: 1, Currency: usd},
		Groups:   []riskcheck.Group{{ID: 1}},
		Accounts: []riskcheck.Account{{ID: 1, Group: 1, Currency: usd}},
		Traders:  []riskcheck.Trader{{ID: 1, Accounts: accounts}},
		Sessions: []riskcheck.Session{{ID: 1, Client: 7, Accounts: accounts}, {ID: 2, Client: 8, Accounts: accounts}},
		Instruments: []riskcheck.Instrument{{
			ID: 1, Currency: usd, Tick: 1, Lot: 1, MaxQty: order.Unlimited, Multiplier: order.MultiplierOne,
			Settlement: 100 * order.PriceOne, LowLimit: order.Null, HighLimit: order.Null,
			MarginBps: 10_000, AverageDailyVolume: order.QtyOne, ReferenceMaxAgeNs: order.Unlimited,
			OrdTypes: riskcheck.AllowLimit, TimesInForce: riskcheck.AllowDay,
			Sides: riskcheck.AllowBuy | riskcheck.AllowSell, Tradable: true,
		}},
	})
	if err != nil {
		return err
	}
	return e.ApplyLimits(2, &riskcheck.LimitSet{Entries: firmLimits()})
}

// firmLimits let everything through that is not larger than 100.
func firmLimits() []riskcheck.LimitEntry {
	firm := order.Scope{Type: order.ScopeFirm, ID: 1}
	entries := []riskcheck.LimitEntry{
		{Scope: firm, Kind: riskcheck.LimitPermission, Value: riskcheck.PermitDeny},
		{Scope: firm, Kind: riskcheck.LimitMaxOrderQty, Value: int64(100 * order.QtyOne)},
	}
	for _, kind := range []riskcheck.LimitKind{
		riskcheck.LimitMaxOrderNotional, riskcheck.LimitCollarBps, riskcheck.LimitMessagesPerSecond,
		riskcheck.LimitOpenOrders, riskcheck.LimitOpenNotional, riskcheck.LimitPositionLong,
		riskcheck.LimitPositionShort, riskcheck.LimitGrossExposure, riskcheck.LimitNetExposure,
		riskcheck.LimitParticipationBps, riskcheck.LimitDuplicateOrders, riskcheck.LimitCreditLine,
		riskcheck.LimitShortSelling, riskcheck.LimitTurnoverPerDay, riskcheck.LimitDailyLoss,
		riskcheck.LimitOrderToTrade, riskcheck.LimitSelfMatch, riskcheck.LimitConsecutiveRejects,
		riskcheck.LimitBasketOrders, riskcheck.LimitBasketNotional,
	} {
		entries = append(entries, riskcheck.LimitEntry{Scope: firm, Kind: kind, Value: order.Unlimited})
	}
	return entries
}

// peer is a gateway of a test: it sends what it is told and keeps what it gets.
type peer struct {
	n          *network
	loop       *fastpath.Loop
	link       *fastpath.Link
	got        []string // one line a frame, in short
	verdicts   []order.Verdict
	answers    []order.Answer
	frames     [][]byte // of answers, as they came
	fences     []wire.KillFence
	connection order.ConnectionID
	closed     error
}

// gateway connects one more gateway and introduces it.
func (n *network) gateway() *peer {
	n.t.Helper()
	p := &peer{n: n}
	var err error
	if p.loop, err = n.memory.Loop(fastpath.Config{Name: "gateway"}, p); err != nil {
		n.t.Fatal(err)
	}
	if err := p.loop.Dial(1, "unix", testAddress); err != nil {
		n.t.Fatal(err)
	}
	n.settle()
	p.send((&wire.LinkHello{Role: wire.RoleGateway, Instance: 77}).Append(nil))
	n.settle()
	return p
}

func (n *network) settle() {
	n.t.Helper()
	if !n.memory.Settle(1_000_000) {
		n.t.Fatal("the network does not come to rest")
	}
}

func (p *peer) Opened(l *fastpath.Link)                          { p.link = l }
func (p *peer) Closed(_ *fastpath.Link, cause error)             { p.link, p.closed = nil, cause }
func (p *peer) Malformed(_ *fastpath.Link, err *wire.FrameError) { p.n.t.Errorf("malformed: %v", err) }
func (p *peer) Wake()                                            {}
func (p *peer) Tick(int64)                                       {}
func (p *peer) BatchEnd()                                        {}

// Message keeps a frame.
func (p *peer) Message(_ *fastpath.Link, f wire.Frame, m wire.Message) {
	var t order.Trace
	switch m.Template {
	case wire.TemplateLinkHeartbeat:
		return
	case wire.TemplateLinkHello:
		var h wire.LinkHello
		h.Decode(m)
		p.note("hello role %d epoch %d wants report %d", h.Role, h.Epoch, h.NextReportSeq)
	case wire.TemplateVerdict:
		var v order.Verdict
		m.Verdict(&v, &t)
		p.verdicts = append(p.verdicts, v)
		p.note("verdict %d %s order %d", v.Token.Seq, v.MsgType, v.OrderID)
	case wire.TemplateLoginAck:
		var a wire.LoginAck
		a.Decode(m)
		p.connection = a.Connection
		p.note("login ack session %d connection %d next ref %d out %d", a.Session, a.Connection, a.NextRef, a.NextOutSeq)
	case wire.TemplateLoginReject:
		var r wire.LoginReject
		r.Decode(m)
		p.note("login reject session %d: %s", r.Session, r.Reason)
	case wire.TemplateKillFence:
		var k wire.KillFence
		k.Decode(m)
		p.fences = append(p.fences, k)
		p.note("fence %d %s %d below %d", k.FenceID, k.ScopeType, k.ScopeID, k.BelowSeq)
	default:
		p.other(f, m)
	}
}

// other keeps the frames about sessions and reports.
func (p *peer) other(f wire.Frame, m wire.Message) {
	switch m.Template {
	case wire.TemplateReportsFrom:
		var r wire.ReportsFrom
		r.Decode(m)
		p.note("reports from %d", r.From)
	case wire.TemplateReportsAck:
		var r wire.ReportsAck
		r.Decode(m)
		p.note("reports ack %d", r.UpTo)
	case wire.TemplateSessionDisconnect:
		var d wire.SessionDisconnect
		d.Decode(m)
		p.note("disconnect session %d connection %d: %s", d.Session, d.Connection, d.Reason)
	case wire.TemplateGap:
		var g wire.Gap
		g.Decode(m)
		p.note("gap, expected %d", g.ExpectedRef)
	case wire.TemplateDuplicate:
		var d wire.Duplicate
		d.Decode(m)
		p.note("duplicate %d, answer %d", d.Ref, d.OutSeq)
	case wire.TemplateHopTrace:
		p.note("trace")
	default:
		var a order.Answer
		if err := m.Answer(&a); err != nil {
			p.n.t.Errorf("template %d: %v", m.Template, err)
			return
		}
		p.answers, p.frames = append(p.answers, a), append(p.frames, append([]byte(nil), f...))
		p.note("answer %d ref %d %s", a.OutSeq, a.Ref, a.Decision.Reason)
	}
}

func (p *peer) note(format string, args ...any) { p.got = append(p.got, fmt.Sprintf(format, args...)) }

// send sends frames and lets the network come to rest.
func (p *peer) send(frame []byte) {
	p.n.t.Helper()
	if p.link == nil {
		p.n.t.Fatal("the gateway has no link")
	}
	p.link.Commit(append(p.link.Buffer(), frame...))
	p.loop.Wake() // so that the loop flushes
	p.n.settle()
}

// take returns what has come since the last call.
func (p *peer) take() []string {
	got := p.got
	p.got = nil
	return got
}

// expect checks what has come since the last look.
func (p *peer) expect(want ...string) {
	p.n.t.Helper()
	got := p.take()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		p.n.t.Fatalf("got\n%q\nwant\n%q", got, want)
	}
}

// venueUp says that the gateway reaches the adapter.
func (p *peer) venueUp(nextReport uint64) {
	p.send((&wire.VenueState{Up: true, Instance: 4, NextReportSeq: nextReport}).Append(nil))
}

// login logs session 1 in.
func (p *peer) login(wantOutSeq uint64, flags uint32) {
	p.send((&wire.SessionLogin{
		Session: 1, Client: 7, WantOutSeq: wantOutSeq, LoginID: 1, Flags: flags,
	}).Append(nil))
}

// check sends a new order of session 1.
func (p *peer) check(ref uint64, qty order.Qty) {
	r := newOrder(p.connection, ref, qty)
	p.send(wire.AppendCheck(nil, &r, &order.Trace{GatewayIn: 11}))
}

func newOrder(connection order.ConnectionID, ref uint64, qty order.Qty) order.Request {
	return order.Request{
		MsgType: order.MsgNewOrder, Session: 1, Connection: connection, Ref: ref, ClOrdID: order.ClOrdID(ref),
		Account: 1, Trader: 1, Instrument: 1, Side: order.SideBuy, OrdType: order.OrdTypeLimit,
		TimeInForce: order.TimeInForceDay, Price: 100 * order.PriceOne, StopPx: order.Null, OrderQty: qty * order.QtyOne,
	}
}

// report sends a venue report about an order.
func (p *peer) report(reportSeq uint64, kind order.ReportKind, v *order.Verdict) {
	r := order.Report{
		ReportSeq: reportSeq, Seq: v.Token.Seq, OrderID: v.OrderID, ExecID: order.ExecID(reportSeq), Kind: kind,
		Price: v.Price, LastPx: order.Null, OrderQty: v.OrderQty, LeavesQty: v.OrderQty, Session: v.Session,
		Account: v.Account, Trader: v.Trader, Group: v.Group, Instrument: v.Instrument, Side: v.Side,
	}
	p.send(wire.AppendVenueReport(nil, &r, &order.Trace{}))
}
