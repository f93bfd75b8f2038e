package order

// Request is one order entry request as the engine sees it: a NewOrder,
// ReplaceOrder, CancelOrder or MassCancel together with the session and
// connection it came in on. Fields that a request does not have are zero.
type Request struct {
	Ref         uint64 // per session, from 1, contiguous
	ClOrdID     ClOrdID
	OrigClOrdID ClOrdID // replace, cancel: the order meant (last accepted ClOrdID)
	ValidUntil  int64   // ns since 1970 UTC; 0: no end
	SendingTime int64   // ns since 1970 UTC, the client's scheduled time of sending; not judged
	Price       Price   // Null for market orders
	StopPx      Price   // Null unless a stop
	OrderQty    Qty     // total quantity, FIX semantics also for a replace
	DisplayQty  Qty     // 0: the whole quantity is shown
	Session     SessionID
	Connection  ConnectionID
	Account     AccountID
	Trader      TraderID
	Instrument  InstrumentID // mass cancel: 0 means all instruments
	Strategy    StrategyID   // 0: none
	Basket      BasketID     // new orders: the list the order is a leg of; 0: none
	BasketLegs  uint16       // how many legs the list has, the same in all of them
	MsgType     MsgType
	Side        Side // mass cancel: 0 means both sides
	OrdType     OrdType
	TimeInForce TimeInForce
}

// Verdict is an accepted request on its way from the engine to the venue: the
// order as the venue may see it and the token that proves it was accepted.
// Rejections never become a Verdict; they go straight into the session's
// answer stream.
//
// A cancel carries a token like any other, but the adapter does not insist on
// it: cancels are never blocked.
type Verdict struct {
	Token       Token
	OrderID     OrderID
	ClOrdID     ClOrdID
	OrigClOrdID ClOrdID
	ValidUntil  int64 // ns since 1970 UTC; 0: no end; checked again at the adapter
	Price       Price
	StopPx      Price
	OrderQty    Qty
	DisplayQty  Qty
	Group       GroupID
	Session     SessionID
	Account     AccountID
	Trader      TraderID
	Instrument  InstrumentID
	Strategy    StrategyID
	MsgType     MsgType // never MsgMassCancel: that becomes one cancel an order
	Side        Side
	OrdType     OrdType
	TimeInForce TimeInForce
}

// Report is what the venue (or its adapter) says has happened to an order.
// Reports of one adapter instance are numbered without gaps; the engine takes
// them in that order and exactly once.
type Report struct {
	ReportSeq    uint64 // per adapter instance, from 1, contiguous
	Seq          uint64 // engine sequence of the request this answers; 0: unsolicited
	OrderID      OrderID
	ClOrdID      ClOrdID
	ExecID       ExecID
	ExecRefID    ExecID // trade cancel, trade correct: the execution meant (FIX tag 19)
	TransactTime int64  // ns since 1970 UTC, the venue's
	Price        Price
	LastPx       Price
	OrderQty     Qty // total, as the venue has it after this event
	LastQty      Qty
	CumQty       Qty
	LeavesQty    Qty
	Group        GroupID
	Session      SessionID
	Account      AccountID
	Trader       TraderID
	Instrument   InstrumentID
	Strategy     StrategyID
	Reason       Reason // rejects, unsolicited cancels and restatements
	Kind         ReportKind
	Side         Side
}

// ReportKind says what a Report is about.
type ReportKind uint8

// The kinds of venue reports.
const (
	ReportNew           ReportKind = 1 // the order rests or is about to trade
	ReportRejected      ReportKind = 2 // the new order was refused; it never lived
	ReportReplaced      ReportKind = 3
	ReportReplaceReject ReportKind = 4
	ReportCanceled      ReportKind = 5 // Seq 0: unsolicited, or the rest of an IOC
	ReportCancelReject  ReportKind = 6
	ReportTrade         ReportKind = 7
	ReportExpired       ReportKind = 8
	// ReportTradeCancel undoes the execution ExecRefID (FIX ExecType H).
	ReportTradeCancel ReportKind = 9
	// ReportTradeCorrect gives the execution ExecRefID another LastQty and LastPx
	// (FIX ExecType G).
	ReportTradeCorrect ReportKind = 10
	// ReportRestated: the venue has changed the order by itself (FIX ExecType D).
	ReportRestated ReportKind = 11
)

func (k ReportKind) String() string {
	switch k {
	case ReportNew:
		return "new"
	case ReportRejected:
		return "rejected"
	case ReportReplaced:
		return "replaced"
	case ReportReplaceReject:
		return "replace-reject"
	case ReportCanceled:
		return "canceled"
	case ReportCancelReject:
		return "cancel-reject"
	case ReportTrade:
		return "trade"
	case ReportExpired:
		return "expired"
	case ReportTradeCancel:
		return "trade-cancel"
	case ReportTradeCorrect:
		return "trade-correct"
	case ReportRestated:
		return "restated"
	}
	return "invalid"
}

// Decision is the outcome of one evaluation: the reason and the numbers behind
// it. It is zero for an accepted request.
type Decision struct {
	Value  int64 // what the measure would have become; unit by control
	Limit  int64 // the limit in force; 0 with ScopeNone: none was stated
	Scope  Scope
	Reason Reason
}

// Headroom returns what would have been left, or what is missing when
// negative. It saturates: it is a number for people.
func (d *Decision) Headroom() int64 {
	h := d.Limit - d.Value
	if (d.Limit^d.Value)&(d.Limit^h) < 0 {
		if d.Limit < 0 {
			return Null + 1
		}
		return Unlimited
	}
	return h
}

// AnswerKind says which frame carries an Answer.
type AnswerKind uint8

// The sequenced answers.
const (
	AnswerExecution     AnswerKind = 1 // ExecutionReport
	AnswerCancelReject  AnswerKind = 2 // OrderCancelReject, also for replaces
	AnswerMassCancel    AnswerKind = 3 // OrderMassCancelReport
	AnswerCanceledOnEnd AnswerKind = 4 // cancel-on-disconnect fired
)

// Answer is one entry of a session's answer stream. Streams are gap-free;
// replaying an entry gives the same bytes again.
type Answer struct {
	OutSeq        uint64 // per session, from 1, gap-free
	Ref           uint64 // the request this is the final answer to; 0: none
	ClOrdID       ClOrdID
	OrigClOrdID   ClOrdID
	OrderID       OrderID
	ExecID        ExecID
	ExecRefID     ExecID // trade cancel, trade correct: the execution meant
	ConfigVersion uint64 // limits in force when the request was judged; without a Ref: when this was said
	TransactTime  int64  // engine time, ns since 1970 UTC
	Price         Price
	LastPx        Price
	OrderQty      Qty
	LastQty       Qty
	CumQty        Qty
	LeavesQty     Qty
	Decision      Decision
	Affected      uint32 // mass cancel, cancel on disconnect: orders being canceled
	Session       SessionID
	Account       AccountID
	Trader        TraderID
	Instrument    InstrumentID
	Kind          AnswerKind
	ExecType      ExecType
	OrdStatus     OrdStatus
	Side          Side
	MsgType       MsgType // cancel rejects: what was refused (cancel or replace)
}

// Trace holds the times one order passed the stations of the chain, ns since
// 1970 UTC by the host's clock, read once per batch. Zero: not passed. On one
// host the differences are exact; between hosts they are not comparable.
type Trace struct {
	GatewayIn      int64 // gateway read the request
	RiskIn         int64 // engine read the check
	GatewayVerdict int64 // gateway read the verdict
	VenueIn        int64 // adapter read the order
	GatewayReport  int64 // gateway read the venue report
	RiskReport     int64 // engine read the venue report
	GatewayAnswer  int64 // gateway read the answer for the client
}

// ReferencePrice is one step of an instrument's price, an input of the engine
// like any other.
type ReferencePrice struct {
	Time       int64 // ns since 1970 UTC, when the source saw it
	Price      Price
	Instrument InstrumentID
	Source     PriceSource
}

// PriceSource is a rung of the reference price ladder, best first.
type PriceSource uint8

// The rungs, in the order they are preferred.
const (
	PriceSourceLast       PriceSource = 1
	PriceSourceMid        PriceSource = 2
	PriceSourceIndicative PriceSource = 3
	PriceSourceSettlement PriceSource = 4
)

func (s PriceSource) String() string {
	switch s {
	case PriceSourceLast:
		return "last"
	case PriceSourceMid:
		return "mid"
	case PriceSourceIndicative:
		return "indicative"
	case PriceSourceSettlement:
		return "settlement"
	}
	return "none"
}

// MarketState is the state of an instrument's market. It decides which rungs of
// the reference price ladder count and whether orders are taken at all.
type MarketState uint8

// The market states. MarketOpen is what an instrument is in until something
// else is said.
const (
	MarketOpen    MarketState = 0 // continuous trading
	MarketPreOpen MarketState = 1 // orders are collected for the opening
	MarketAuction MarketState = 2 // an auction within the day
	MarketHalted  MarketState = 3 // no orders
	MarketClosed  MarketState = 4 // no orders
)

// Valid reports whether s is one of the states above.
func (s MarketState) Valid() bool { return s <= MarketClosed }

func (s MarketState) String() string {
	switch s {
	case MarketOpen:
		return "open"
	case MarketPreOpen:
		return "pre-open"
	case MarketAuction:
		return "auction"
	case MarketHalted:
		return "halted"
	case MarketClosed:
		return "closed"
	}
	return "unknown"
}

// TakesOrders reports whether new orders and replaces can be sent.
func (s MarketState) TakesOrders() bool { return s < MarketHalted }
