package driver

import (
	"fmt"

	"tollgate/gateway/client"
	"tollgate/order"
)

// echoRing is how many answers an Echo holds; more unanswered requests are
// refused as a client would refuse them.
const echoRing = 1 << 14

// EchoConfig says how an Echo behaves.
type EchoConfig struct {
	// ResponseNs is the time from a request to its answer.
	ResponseNs int64
	// StallAtNs and StallNs make it stop answering for StallNs, StallAtNs after
	// its first request. What would have been answered meanwhile comes at the
	// end of the stall.
	StallAtNs int64
	StallNs   int64
}

// Echo answers every request inside this process, as a venue without a book
// would: whatever comes is accepted, and an immediate-or-cancel order is
// filled. It stands in for a chain when the harness itself is measured. It is a
// Connection.
type Echo struct {
	cfg     EchoConfig
	clock   func() int64
	firstNs int64
	nextRef uint64
	outSeq  uint64
	ring    [echoRing]echoed
	head    uint64
	tail    uint64
	answer  order.Answer
	trace   order.Trace
}

// echoed is a request that waits for its answer.
type echoed struct {
	request order.Request
	atNs    int64
}

// NewEcho returns an echo nobody has sent to.
func NewEcho(cfg EchoConfig) *Echo { return &Echo{cfg: cfg, clock: wallClock, nextRef: 1, outSeq: 1} }

// Send takes a request.
func (e *Echo) Send(r *order.Request) (uint64, error) {
	if !r.MsgType.Valid() {
		return 0, fmt.Errorf("driver: MsgType is %d, want D, G, F or q", r.MsgType)
	}
	if e.tail-e.head == echoRing {
		return 0, client.ErrTooManyUnanswered
	}
	nowNs := e.clock()
	if e.firstNs == 0 {
		e.firstNs = nowNs
	}
	r.Ref = e.nextRef
	e.nextRef++
	e.ring[e.tail%echoRing] = echoed{request: *r, atNs: nowNs}
	e.tail++
	return r.Ref, nil
}

// Flush does nothing: Send has delivered.
func (e *Echo) Flush() error { return nil }

// NextRef returns the number of the next request.
func (e *Echo) NextRef() uint64 { return e.nextRef }

// WantOutSeq returns the number of the next answer.
func (e *Echo) WantOutSeq() uint64 { return e.outSeq }

// Close does nothing.
func (e *Echo) Close() error { return nil }

// Poll answers what is due.
func (e *Echo) Poll(h client.Handler) (int, error) {
	nowNs := e.clock()
	if e.stalled(nowNs) {
		return 0, nil
	}
	n := 0
	for ; e.head < e.tail; e.head++ {
		waiting := &e.ring[e.head%echoRing]
		if nowNs < waiting.atNs+e.cfg.ResponseNs {
			break
		}
		n += e.respond(h, waiting, nowNs)
	}
	return n, nil
}

func (e *Echo) stalled(nowNs int64) bool {
	from := e.firstNs + e.cfg.StallAtNs
	return e.cfg.StallNs > 0 && nowNs >= from && nowNs < from+e.cfg.StallNs
}

// respond answers one request, with a trace whose stations all saw it at the
// same two moments.
func (e *Echo) respond(h client.Handler, waiting *echoed, nowNs int64) int {
	r := &waiting.request
	e.trace = order.Trace{
		GatewayIn: waiting.atNs, RiskIn: waiting.atNs, GatewayVerdict: waiting.atNs, VenueIn: waiting.atNs,
		GatewayReport: nowNs, RiskReport: nowNs, GatewayAnswer: nowNs,
	}
	e.answer = order.Answer{
		Ref: r.Ref, ClOrdID: r.ClOrdID, Kind: order.AnswerExecution, ExecType: execTypeOf(r.MsgType), Account: r.Account,
		Instrument: r.Instrument, Side: r.Side, OrderQty: r.OrderQty, Price: r.Price, OrdStatus: order.OrdStatusNew,
	}
	h.Trace(r.Session, e.outSeq, &e.trace)
	e.deliver(h)
	if r.MsgType != order.MsgNewOrder || r.TimeInForce != order.TimeInForceIOC {
		return 1
	}
	e.answer.Ref, e.answer.ExecType, e.answer.OrdStatus = 0, order.ExecTypeTrade, order.OrdStatusFilled
	e.answer.LastQty, e.answer.LastPx = r.OrderQty, r.Price
	e.deliver(h)
	return 2
}

func (e *Echo) deliver(h client.Handler) {
	e.answer.OutSeq = e.outSeq
	e.outSeq++
	h.Answer(&e.answer)
}

func execTypeOf(m order.MsgType) order.ExecType {
	switch m {
	case order.MsgReplaceOrder:
		return order.ExecTypeReplaced
	case order.MsgCancelOrder, order.MsgMassCancel:
		return order.ExecTypeCanceled
	}
	return order.ExecTypeNew
}
