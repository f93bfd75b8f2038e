package order

// Identifiers are dense numbers given by the firm's reference data, never
// names: a name is for people and is resolved at the edge. Zero is never a
// valid identifier, so that a missing field cannot name anything.
type (
	// FirmID names the firm (FIX PartyRole 7, entering firm).
	FirmID uint32
	// GroupID names a desk or clearing account that several accounts share.
	GroupID uint32
	// AccountID names the account an order is booked to (FIX Account, tag 1).
	AccountID uint32
	// TraderID names the person or algorithm responsible (FIX PartyRole 11).
	TraderID uint32
	// SessionID names an order entry session. Sessions outlive connections.
	SessionID uint32
	// StrategyID names the strategy that sends an order (RTS 6 algorithm
	// identifier, FIX PartyRole 122); zero: no strategy, a person.
	StrategyID uint32
	// InstrumentID names an instrument (FIX SecurityID, tag 48).
	InstrumentID uint32
	// ClassID names a class of instruments whose quantities add up, such as the
	// expiries of one future (FIX Product, SecurityGroup).
	ClassID uint32
	// CalendarID names a trading calendar: when the day rolls.
	CalendarID uint32
	// SelfMatchID names a group of accounts whose orders must not trade with each
	// other (FIX SelfMatchPreventionID, tag 2362).
	SelfMatchID uint32
	// BasketID is the client's name for a list of orders (FIX ListID, tag 66).
	BasketID uint64
	// ConnectionID numbers the connections of one engine epoch. A session
	// obeys only its newest connection.
	ConnectionID uint32
	// ClOrdID is the client's own name for an order (FIX tag 11), unique per
	// session and trading day.
	ClOrdID uint64
	// OrderID is the engine's name for an order (FIX tag 37): the engine
	// sequence number of the accepted NewOrder.
	OrderID uint64
	// ExecID is the venue's name for one execution report (FIX tag 17).
	ExecID uint64
)

// ScopeType says at which level of the hierarchy a limit stands, from the
// widest to the narrowest.
type ScopeType uint8

// The levels of the scope hierarchy. Their order is the order of evaluation,
// and the numbers are part of the wire format.
const (
	ScopeNone    ScopeType = 0
	ScopeFirm    ScopeType = 1
	ScopeGroup   ScopeType = 2
	ScopeAccount ScopeType = 3
	ScopeTrader  ScopeType = 4
	ScopeSession ScopeType = 5
	// ScopeStrategy is a level of its own beside the session: only orders that
	// name a strategy have it.
	ScopeStrategy ScopeType = 6
)

// ScopeLevels is the number of levels from firm to session, which every order
// has.
const ScopeLevels = 5

// String returns the name used in limits files and by ctl.
func (s ScopeType) String() string {
	switch s {
	case ScopeNone:
		return "none"
	case ScopeFirm:
		return "firm"
	case ScopeGroup:
		return "group"
	case ScopeAccount:
		return "account"
	case ScopeTrader:
		return "trader"
	case ScopeSession:
		return "session"
	case ScopeStrategy:
		return "strategy"
	}
	return "unknown"
}

// Scope names one holder of limits: a level and the identifier at that level,
// optionally narrowed to one instrument or to one class of instruments. Zero in
// both means all instruments; both at once is no scope.
type Scope struct {
	ID         uint32
	Instrument InstrumentID
	Class      ClassID
	Type       ScopeType
}
