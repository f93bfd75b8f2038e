// Package admintest gives tests a small firm with a real engine behind the
// admin service: no sockets but the service's own, no venue but what the test
// says, and a clock that only the test moves.
package admintest

import (
	"context"
	"errors"
	"sync"
	"testing"

	"tollgate/order"
	"tollgate/riskcheck"
	"tollgate/riskcheck/admin"
	"tollgate/riskcheck/admin/document"
)

// StartNs is the time at which a plant begins, 2026-01-05 14:30 UTC.
const StartNs int64 = 1_767_623_400_000_000_000

// ErrDown is what the loop of a plant returns after Stop.
var ErrDown = errors.New("the loop is not running")

// Plant is an engine and what surrounds it. Its methods may be called by any
// goroutine.
type Plant struct {
	tb        testing.TB
	reference *document.Reference

	mu      sync.Mutex
	engine  *riskcheck.Engine
	nowNs   int64
	refs    map[order.SessionID]uint64
	conns   map[order.SessionID]order.ConnectionID
	reports uint64
	fence   admin.FenceState
	audit   []admin.AuditRecord
	status  admin.Status
	down    bool
	turns   int
	alerts  []admin.Event // not delivered yet
}

// New returns a plant whose engine knows nothing yet. Its adapter confirms
// fences at once.
func New(tb testing.TB) *Plant {
	tb.Helper()
	reference, err := document.ParseReference("reference.yaml", []byte(ReferenceText))
	if err != nil {
		tb.Fatal(err)
	}
	config := riskcheck.DefaultConfig()
	config.Epoch, config.TokenKey = 9, order.NewTokenKey([order.TokenKeySize]byte{1})
	config.OrdersMax, config.ClOrdIDsMax, config.ExecutionsMax = 1024, 1024, 1024
	config.RoutesMax, config.CellsMax, config.AnswersRetained = 1024, 1024, 1024
	config.StampsMax, config.RecentOrdersMax = 1<<16, 1024
	engine, err := riskcheck.New(config)
	if err != nil {
		tb.Fatal(err)
	}
	return &Plant{
		tb: tb, reference: reference, engine: engine, nowNs: StartNs, fence: admin.FenceConfirmed,
		refs: map[order.SessionID]uint64{}, conns: map[order.SessionID]order.ConnectionID{},
		status: admin.Status{Epoch: config.Epoch, StartedNs: StartNs, VenueInstance: 77, VenueUp: true, Gateways: 1},
	}
}

// Service returns the admin service of the plant with LimitsText in force, the
// venue up and both sessions connected.
func (p *Plant) Service() *admin.Service {
	p.tb.Helper()
	limits, err := document.ParseLimits("limits.yaml", []byte(LimitsText), p.reference.Names)
	if err != nil {
		p.tb.Fatal(err)
	}
	s, err := admin.New(context.Background(), admin.Config{
		Loop: p, Hooks: p.Hooks(), Reference: p.reference, Limits: limits,
	})
	if err != nil {
		p.tb.Fatal(err)
	}
	p.Connect()
	return s
}

// Reference returns the reference data of the plant.
func (p *Plant) Reference() *document.Reference { return p.reference }

// Connect brings the venue up and the sessions in. Service has done so.
func (p *Plant) Connect() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.engine.VenueUp(p.nowNs, p.status.VenueInstance, 1)
	for _, session := range p.reference.Data.Sessions {
		login := p.engine.Login(p.nowNs, riskcheck.Login{Session: session.ID, Client: session.Client, WantOutSeq: 1})
		if !login.OK {
			p.tb.Fatalf("login of session %d was denied: %+v", session.ID, login)
		}
		p.conns[session.ID] = login.Connection
		p.status.SessionsConnected++
	}
}

// Do runs fn on the engine.
func (p *Plant) Do(ctx context.Context, fn func(e *riskcheck.Engine, nowNs int64)) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.down {
		return ErrDown
	}
	p.turns++
	fn(p.engine, p.nowNs)
	p.collect()
	return nil
}

// collect keeps the alerts of the last input. A kill that the engine has made by
// itself raises its fence with the same input.
func (p *Plant) collect() {
	fences := map[order.Scope]uint64{}
	effects := p.engine.Effects()
	for i := range effects {
		f := &effects[i]
		kind := f.Kind
		f.Kind = 0 // carried out
		switch kind {
		case riskcheck.EffectFence:
			fences[f.Scope] = f.FenceID
		case riskcheck.EffectAlert:
			p.alerts = append(p.alerts, admin.Event{
				Kind: admin.EventAlert, TimeNs: p.nowNs, Scope: f.Scope, Alert: f.Alert, FenceID: fences[f.Scope],
			})
		}
	}
}

// Deliver hands the alerts so far to a service, as the process around the engine
// does, and returns how many there were.
func (p *Plant) Deliver(s *admin.Service) int {
	p.mu.Lock()
	alerts := p.alerts
	p.alerts = nil
	p.mu.Unlock()
	for _, a := range alerts {
		s.Publish(context.Background(), a)
	}
	return len(alerts)
}

// Pass lets time pass.
func (p *Plant) Pass(ns int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.nowNs += ns
	p.engine.Tick(p.nowNs)
	p.collect()
}

// Price gives an instrument a last price, in whole units of its currency.
func (p *Plant) Price(instrument order.InstrumentID, price int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.engine.Price(p.nowNs, &order.ReferencePrice{
		Time: p.nowNs, Price: order.Price(price) * order.PriceOne, Instrument: instrument, Source: order.PriceSourceLast,
	})
	p.collect()
}

// Hooks returns the hooks of the plant.
func (p *Plant) Hooks() admin.Hooks {
	return admin.Hooks{
		Kill:   p.kill,
		Unkill: p.unkill,
		Fence:  func(context.Context, uint64) (admin.FenceState, error) { return p.fenceState(), nil },
		Links: func(context.Context) ([]admin.SessionLink, error) {
			return []admin.SessionLink{{Session: 31, Gateway: "gateway-1", CancelOnDisconnectNs: 5e9}}, nil
		},
		Status: p.readStatus,
		Audit:  p.record,
		NowNs:  p.NowNs,
	}
}

func (p *Plant) kill(ctx context.Context, scope order.Scope) (admin.KillOutcome, error) {
	var done riskcheck.KillResult
	var refused error
	err := p.Do(ctx, func(e *riskcheck.Engine, nowNs int64) { done, refused = e.Kill(nowNs, scope) })
	if err = errors.Join(err, refused); err != nil {
		return admin.KillOutcome{}, err
	}
	state := p.fenceState()
	if state == admin.FencePending {
		<-ctx.Done()
	}
	return admin.KillOutcome{FenceID: done.FenceID, Canceling: done.Canceling, Fence: state}, nil
}

func (p *Plant) unkill(ctx context.Context, scope order.Scope) error {
	var refused error
	err := p.Do(ctx, func(e *riskcheck.Engine, nowNs int64) { refused = e.Unkill(nowNs, scope) })
	return errors.Join(err, refused)
}

func (p *Plant) readStatus(context.Context) (admin.Status, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.down {
		return admin.Status{}, ErrDown
	}
	return p.status, nil
}

func (p *Plant) record(r admin.AuditRecord) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.audit = append(p.audit, r)
}

func (p *Plant) fenceState() admin.FenceState {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.fence
}

// NowNs returns the plant's clock, ns since 1970 UTC.
func (p *Plant) NowNs() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.nowNs
}

// Audit returns the records stored so far.
func (p *Plant) Audit() []admin.AuditRecord {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]admin.AuditRecord(nil), p.audit...)
}

// StateHash returns the engine's.
func (p *Plant) StateHash() uint64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.engine.StateHash()
}

// Turns returns how many functions ran on the loop.
func (p *Plant) Turns() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.turns
}

// SetFence says what the adapter makes of fences from here on.
func (p *Plant) SetFence(state admin.FenceState) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fence = state
}

// SetStatus changes what the Status hook returns.
func (p *Plant) SetStatus(change func(*admin.Status)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change(&p.status)
}

// Stop takes the loop away.
func (p *Plant) Stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.down = true
}
