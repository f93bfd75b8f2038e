package driver

import (
	"context"
	"net"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"tollgate/fastpath/wire"
	"tollgate/gateway/client"
	"tollgate/loadtest/pace"
	"tollgate/order"
)

// venue is a small stand-in for everything behind a gateway's socket: it logs
// everybody in, acknowledges every request, fills immediate-or-cancel orders
// and keeps the answer streams, so that a client that is cut can go on.
type venue struct {
	listener net.Listener
	cutAfter uint64 // answers of a session after which its connection is cut once; 0: never

	mutex    sync.Mutex
	sessions map[order.SessionID]*stream
	done     sync.WaitGroup
}

// stream is one session of the venue.
type stream struct {
	nextRef uint64
	answers []order.Answer
	cut     bool
}

func newVenue(t *testing.T, cutAfter uint64) *venue {
	t.Helper()
	listener, err := net.Listen("unix", filepath.Join(t.TempDir(), "venue.sock"))
	if err != nil {
		t.Fatal(err)
	}
	v := &venue{listener: listener, cutAfter: cutAfter, sessions: make(map[order.SessionID]*stream)}
	v.done.Add(1)
	go v.accept()
	t.Cleanup(func() {
		listener.Close()
		v.done.Wait()
	})
	return v
}

func (v *venue) address() string { return v.listener.Addr().String() }

func (v *venue) accept() {
	defer v.done.Done()
	for {
		connection, err := v.listener.Accept()
		if err != nil {
			return
		}
		v.done.Add(1)
		go v.serve(connection)
	}
}

// serve reads frames until the connection ends or is cut.
func (v *venue) serve(connection net.Conn) {
	defer v.done.Done()
	defer connection.Close()
	if _, err := connection.Write((&wire.Hello{ServerTime: 1, Epoch: 1}).Append(nil)); err != nil {
		return
	}
	var parser wire.Parser
	var session order.SessionID
	var kept []byte
	buffer := make([]byte, 1<<16)
	for {
		n, err := connection.Read(buffer)
		if err != nil {
			return
		}
		kept = append(kept, buffer[:n]...)
		var out []byte
		cut := false
		for !cut {
			frame, length, err := wire.Split(kept)
			if err != nil || frame == nil {
				break
			}
			m, err := parser.Parse(frame)
			if err != nil {
				return
			}
			out, cut = v.take(out, m, &session)
			kept = kept[length:]
		}
		if _, err := connection.Write(out); err != nil || cut {
			return
		}
	}
}

// take handles one message and appends what it causes. It reports whether the
// connection is to be cut.
func (v *venue) take(out []byte, m wire.Message, session *order.SessionID) ([]byte, bool) {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	if m.Template == wire.TemplateLogin {
		var login wire.Login
		login.Decode(m)
		*session = login.Session
		return v.login(out, &login), false
	}
	var r order.Request
	if m.Request(&r) != nil {
		return out, false
	}
	s := v.sessions[*session]
	if r.Ref != s.nextRef {
		return out, false
	}
	s.nextRef++
	r.Session = *session
	out = s.acknowledge(out, &r)
	if v.cutAfter > 0 && !s.cut && uint64(len(s.answers)) >= v.cutAfter {
		s.cut = true
		return out[:len(out)/2], true
	}
	return out, false
}

func (v *venue) login(out []byte, login *wire.Login) []byte {
	s := v.sessions[login.Session]
	if s == nil {
		s = &stream{nextRef: 1}
		v.sessions[login.Session] = s
	}
	ack := wire.LoginAck{
		NextRef: s.nextRef, NextOutSeq: uint64(len(s.answers)) + 1, OldestOutSeq: 1, Epoch: 1, Session: login.Session,
		Connection: 1, KeepaliveMs: login.KeepaliveMs,
	}
	out = ack.Append(out)
	for i := login.WantOutSeq; i <= uint64(len(s.answers)); i++ {
		out = wire.AppendAnswer(out, &s.answers[i-1])
	}
	return out
}

// acknowledge answers one request, with its trace before it.
func (s *stream) acknowledge(out []byte, r *order.Request) []byte {
	nowNs := wallClock()
	answer := order.Answer{
		OutSeq: uint64(len(s.answers)) + 1, Ref: r.Ref, ClOrdID: r.ClOrdID, OrderID: order.OrderID(r.Ref),
		Kind: order.AnswerExecution, ExecType: execTypeOf(r.MsgType), OrdStatus: order.OrdStatusNew, Session: r.Session,
		Account: r.Account, Trader: r.Trader, Instrument: r.Instrument, Side: r.Side, OrderQty: r.OrderQty, Price: r.Price,
		MsgType: r.MsgType, TransactTime: nowNs,
	}
	trace := order.Trace{
		GatewayIn: nowNs, RiskIn: nowNs, GatewayVerdict: nowNs, VenueIn: nowNs, GatewayReport: nowNs, RiskReport: nowNs,
		GatewayAnswer: nowNs,
	}
	out = wire.AppendHopTrace(out, r.Session, answer.OutSeq, &trace)
	s.answers = append(s.answers, answer)
	out = wire.AppendAnswer(out, &answer)
	if r.MsgType != order.MsgNewOrder || r.TimeInForce != order.TimeInForceIOC {
		return out
	}
	answer.OutSeq, answer.Ref = answer.OutSeq+1, 0
	answer.ExecType, answer.OrdStatus, answer.LastQty, answer.LastPx = order.ExecTypeTrade, order.OrdStatusFilled, r.OrderQty, r.Price
	s.answers = append(s.answers, answer)
	return wire.AppendAnswer(out, &answer)
}

func overSocket(t *testing.T, v *venue) Config {
	t.Helper()
	cfg := config(t, &virtual{})
	cfg.clock, cfg.idle = nil, nil
	for i := range 2 {
		cfg.Sessions = append(cfg.Sessions, client.Config{
			Network: "unix", Address: v.address(), Client: 1, Session: order.SessionID(i + 1), Key: []byte("key"), Traces: true,
			ReconnectMinNs: int64(time.Millisecond),
		})
	}
	return cfg
}

func TestRunOverASocket(t *testing.T) {
	cfg := overSocket(t, newVenue(t, 0))
	cfg.Requests, cfg.WarmUp = 4_000, 500
	cfg.Pace = pace.Config{Mode: pace.ModeRate, RatePerSecond: 20_000}
	o, err := Run(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	got := o.Result.Orders
	if got.Sent != 4_000 || got.Answered != 4_000 || got.Duplicates != 0 || o.Evidence.StreamGaps != 0 {
		t.Errorf("orders %+v, evidence %+v", got, o.Evidence)
	}
	for _, hop := range []string{"full_chain", "generator_lag", "client_to_gateway", "gateway_to_client", "risk_uplink"} {
		if s := o.Result.LatencyUs[hop]; s.Count != 3_500 {
			t.Errorf("%s has %d times, want one for each of 3,500 measured requests", hop, s.Count)
		}
	}
	if o.Evidence.Backwards != 0 {
		t.Errorf("%d hops are negative", o.Evidence.Backwards)
	}
}

// TestALostConnectionLosesNothing cuts both sessions in the middle of an
// answer.
func TestALostConnectionLosesNothing(t *testing.T) {
	cfg := overSocket(t, newVenue(t, 700))
	o, err := Run(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if o.Disconnects != 2 || o.Result.Orders.Unanswered != 0 || o.Result.Orders.Duplicates != 0 || o.Evidence.StreamGaps != 0 {
		t.Errorf("disconnects %d, orders %+v, evidence %+v", o.Disconnects, o.Result.Orders, o.Evidence)
	}
}

// TestASessionCanBeUsedAgain runs twice over the same sessions: refs and
// ClOrdIDs go on where the first run ended, and the first run's answers, which
// are given again, count for nothing.
func TestASessionCanBeUsedAgain(t *testing.T) {
	v := newVenue(t, 0)
	cfg := overSocket(t, v)
	first, err := Run(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	for i := range cfg.Sessions {
		cfg.Sessions[i].Adopt = true
	}
	second, err := Run(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if second.Counts != first.Counts {
		t.Errorf("first %+v, second %+v", first.Counts, second.Counts)
	}
	used := make(map[order.ClOrdID]bool)
	for _, a := range v.sessions[1].answers {
		if a.Ref != 0 && used[a.ClOrdID] {
			t.Fatalf("ClOrdID %d was used twice", a.ClOrdID)
		}
		used[a.ClOrdID] = true
	}
}

func TestAMissingGatewayIsNamed(t *testing.T) {
	cfg := overSocket(t, newVenue(t, 0))
	cfg.Sessions[1].Address = filepath.Join(t.TempDir(), "none.sock")
	if _, err := Run(context.Background(), cfg); err == nil {
		t.Error("a run without a gateway was no error")
	}
}
