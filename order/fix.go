package order

// Side is FIX tag 54.
type Side uint8

// Sides known to the engine. The values are FIX's characters.
const (
	SideBuy             Side = '1'
	SideSell            Side = '2'
	SideSellShort       Side = '5'
	SideSellShortExempt Side = '6'
)

// IsBuy reports whether the side adds to a position.
func (s Side) IsBuy() bool { return s == SideBuy }

// IsShort reports whether the side is marked as a short sale.
func (s Side) IsShort() bool { return s == SideSellShort || s == SideSellShortExempt }

// Valid reports whether s is one of the sides above.
func (s Side) Valid() bool {
	return s == SideBuy || s == SideSell || s == SideSellShort || s == SideSellShortExempt
}

func (s Side) String() string {
	switch s {
	case SideBuy:
		return "buy"
	case SideSell:
		return "sell"
	case SideSellShort:
		return "sell-short"
	case SideSellShortExempt:
		return "sell-short-exempt"
	}
	return "invalid"
}

// OrdType is FIX tag 40.
type OrdType uint8

// Order types of the wire. Which of them an instrument takes is reference data.
const (
	OrdTypeMarket    OrdType = '1'
	OrdTypeLimit     OrdType = '2'
	OrdTypeStop      OrdType = '3'
	OrdTypeStopLimit OrdType = '4'
)

// Valid reports whether t is one of the types above.
func (t OrdType) Valid() bool { return t >= OrdTypeMarket && t <= OrdTypeStopLimit }

func (t OrdType) String() string {
	switch t {
	case OrdTypeMarket:
		return "market"
	case OrdTypeLimit:
		return "limit"
	case OrdTypeStop:
		return "stop"
	case OrdTypeStopLimit:
		return "stop-limit"
	}
	return "invalid"
}

// TimeInForce is FIX tag 59.
type TimeInForce uint8

// Times in force of the wire.
const (
	TimeInForceDay TimeInForce = '0'
	TimeInForceGTC TimeInForce = '1'
	TimeInForceIOC TimeInForce = '3'
	TimeInForceFOK TimeInForce = '4'
	TimeInForceGTD TimeInForce = '6'
)

// Valid reports whether t is one of the values above.
func (t TimeInForce) Valid() bool {
	switch t {
	case TimeInForceDay, TimeInForceGTC, TimeInForceIOC, TimeInForceFOK, TimeInForceGTD:
		return true
	}
	return false
}

func (t TimeInForce) String() string {
	switch t {
	case TimeInForceDay:
		return "day"
	case TimeInForceGTC:
		return "gtc"
	case TimeInForceIOC:
		return "ioc"
	case TimeInForceFOK:
		return "fok"
	case TimeInForceGTD:
		return "gtd"
	}
	return "invalid"
}

// ExecType is FIX tag 150: what an execution report says has happened.
type ExecType uint8

// Execution types. PendingCancel, TradeCancel, TradeCorrect and Restated are
// FIX's; a venue may send them at any time.
const (
	ExecTypeNew           ExecType = '0'
	ExecTypeCanceled      ExecType = '4'
	ExecTypeReplaced      ExecType = '5'
	ExecTypePendingCancel ExecType = '6'
	ExecTypeRejected      ExecType = '8'
	ExecTypeExpired       ExecType = 'C'
	ExecTypeRestated      ExecType = 'D'
	ExecTypeTrade         ExecType = 'F'
	ExecTypeTradeCorrect  ExecType = 'G'
	ExecTypeTradeCancel   ExecType = 'H'
)

func (t ExecType) String() string {
	switch t {
	case ExecTypeNew:
		return "new"
	case ExecTypeCanceled:
		return "canceled"
	case ExecTypeReplaced:
		return "replaced"
	case ExecTypePendingCancel:
		return "pending-cancel"
	case ExecTypeRejected:
		return "rejected"
	case ExecTypeExpired:
		return "expired"
	case ExecTypeRestated:
		return "restated"
	case ExecTypeTrade:
		return "trade"
	case ExecTypeTradeCorrect:
		return "trade-correct"
	case ExecTypeTradeCancel:
		return "trade-cancel"
	}
	return "invalid"
}

// OrdStatus is FIX tag 39: the state of an order after an event.
type OrdStatus uint8

// Order states.
const (
	OrdStatusNew             OrdStatus = '0'
	OrdStatusPartiallyFilled OrdStatus = '1'
	OrdStatusFilled          OrdStatus = '2'
	OrdStatusCanceled        OrdStatus = '4'
	OrdStatusPendingCancel   OrdStatus = '6'
	OrdStatusRejected        OrdStatus = '8'
	OrdStatusPendingNew      OrdStatus = 'A'
	OrdStatusExpired         OrdStatus = 'C'
	OrdStatusPendingReplace  OrdStatus = 'E'
)

// Terminal reports whether an order in this state can no longer trade by its
// own rules. Venues may still report late executions for it.
func (s OrdStatus) Terminal() bool {
	switch s {
	case OrdStatusFilled, OrdStatusCanceled, OrdStatusRejected, OrdStatusExpired:
		return true
	}
	return false
}

func (s OrdStatus) String() string {
	switch s {
	case OrdStatusNew:
		return "new"
	case OrdStatusPartiallyFilled:
		return "partially-filled"
	case OrdStatusFilled:
		return "filled"
	case OrdStatusCanceled:
		return "canceled"
	case OrdStatusPendingCancel:
		return "pending-cancel"
	case OrdStatusRejected:
		return "rejected"
	case OrdStatusPendingNew:
		return "pending-new"
	case OrdStatusExpired:
		return "expired"
	case OrdStatusPendingReplace:
		return "pending-replace"
	}
	return "invalid"
}

// MsgType is FIX tag 35 for the four requests a client may send.
type MsgType uint8

// Requests.
const (
	MsgNewOrder     MsgType = 'D' // NewOrderSingle
	MsgReplaceOrder MsgType = 'G' // OrderCancelReplaceRequest
	MsgCancelOrder  MsgType = 'F' // OrderCancelRequest
	MsgMassCancel   MsgType = 'q' // OrderMassCancelRequest
)

// Valid reports whether t is one of the requests above.
func (t MsgType) Valid() bool {
	switch t {
	case MsgNewOrder, MsgReplaceOrder, MsgCancelOrder, MsgMassCancel:
		return true
	}
	return false
}

func (t MsgType) String() string {
	switch t {
	case MsgNewOrder:
		return "new"
	case MsgReplaceOrder:
		return "replace"
	case MsgCancelOrder:
		return "cancel"
	case MsgMassCancel:
		return "mass-cancel"
	}
	return "invalid"
}
