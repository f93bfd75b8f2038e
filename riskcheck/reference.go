package riskcheck

import "tollgate/order"

// Currency is an ISO 4217 code, or another code of up to four letters, padded
// with zeros.
type Currency [4]byte

// CurrencyOf returns the code for up to four letters; longer text is cut.
func CurrencyOf(code string) Currency {
	var c Currency
	copy(c[:], code)
	return c
}

func (c Currency) String() string {
	n := 0
	for n < len(c) && c[n] != 0 {
		n++
	}
	return string(c[:n])
}

// Reference is the firm's reference data: who may send what for whom. It is
// applied as a whole; whoever is missing from it is unknown and cannot trade.
type Reference struct {
	Firm        Firm
	Groups      []Group
	Accounts    []Account
	Traders     []Trader
	Sessions    []Session
	Strategies  []Strategy
	Classes     []Class
	Instruments []Instrument
}

// Firm is the root of the scope hierarchy. Money of every scope but accounts is
// in its currency.
type Firm struct {
	ID       order.FirmID
	Currency Currency
	// FxMaxAgeNs is the age at which an exchange rate counts as missing. Zero makes
	// every rate stale; order.Unlimited must be written.
	FxMaxAgeNs int64
}

// Group is a desk or clearing account.
type Group struct{ ID order.GroupID }

// Account belongs to one group; money of the account is in its currency.
type Account struct {
	ID       order.AccountID
	Group    order.GroupID
	Currency Currency
	// SelfMatch is the group of accounts whose orders must not meet; 0: the account
	// by itself.
	SelfMatch order.SelfMatchID
}

// Trader may trade for the accounts listed.
type Trader struct {
	ID       order.TraderID
	Accounts []order.AccountID
}

// Session belongs to one client and carries orders for the accounts listed.
type Session struct {
	ID       order.SessionID
	Client   uint32
	Accounts []order.AccountID
}

// Strategy is a program that sends orders by itself (RTS 6 article 15(3)).
type Strategy struct{ ID order.StrategyID }

// Class is a set of instruments whose quantities add up.
type Class struct{ ID order.ClassID }

// Instrument says what may be sent for an instrument and how it is valued.
type Instrument struct {
	ID         order.InstrumentID
	Currency   Currency
	Tick       order.Price // above zero
	Lot        order.Qty   // above zero
	MinQty     order.Qty
	MaxQty     order.Qty // above zero; order.Unlimited must be written out
	Multiplier order.Multiplier
	Class      order.ClassID    // 0: none
	Calendar   order.CalendarID // when its day rolls; 0: with the firm
	Settlement order.Price      // last rung of the reference ladder; order.Null: none
	LowLimit   order.Price      // static limit of the day; order.Null: none
	HighLimit  order.Price      // static limit of the day; order.Null: none
	// ReferenceMaxAgeNs is the age at which a reference price counts as
	// missing. Zero makes every price stale; order.Unlimited must be written.
	ReferenceMaxAgeNs int64
	// AverageDailyVolume is what MAX_PARTICIPATION measures against; 0: not known.
	AverageDailyVolume order.Qty
	// Outstanding is how much of the instrument exists; 0: no such bound.
	Outstanding order.Qty
	// MarginBps is the part of its value, in 1/10,000, that an order or position
	// takes of an account's cash; 10,000 for what is paid in full.
	MarginBps int64
	// FeeBps is the fee of an execution in 1/10,000 of its value.
	FeeBps             int64
	OrdTypes           OrdTypes
	TimesInForce       TimesInForce
	Sides              Sides
	Tradable           bool
	AllowZeroPrice     bool
	AllowNegativePrice bool
	AllowDisplayQty    bool // takes orders that show a part of their quantity
	// ReplaceOpenQty: the venue takes the quantity of a replace as what is to be
	// open, so that fills on the way add to it (CME without in-flight mitigation).
	ReplaceOpenQty bool
}

// takes reports whether the instrument can have a price of this sign.
func (in *Instrument) takes(price order.Price) bool {
	return price > 0 || price == 0 && in.AllowZeroPrice || price < 0 && in.AllowNegativePrice
}

// OrdTypes is a set of order types.
type OrdTypes uint8

// The order types an instrument can take.
const (
	AllowMarket OrdTypes = 1 << iota
	AllowLimit
	AllowStop
	AllowStopLimit

	allOrdTypes = AllowMarket | AllowLimit | AllowStop | AllowStopLimit
)

func (s OrdTypes) has(t order.OrdType) bool {
	switch t {
	case order.OrdTypeMarket:
		return s&AllowMarket != 0
	case order.OrdTypeLimit:
		return s&AllowLimit != 0
	case order.OrdTypeStop:
		return s&AllowStop != 0
	case order.OrdTypeStopLimit:
		return s&AllowStopLimit != 0
	}
	return false
}

// TimesInForce is a set of times in force.
type TimesInForce uint8

// The times in force an instrument can take.
const (
	AllowDay TimesInForce = 1 << iota
	AllowGTC
	AllowIOC
	AllowFOK
	AllowGTD

	allTimesInForce = AllowDay | AllowGTC | AllowIOC | AllowFOK | AllowGTD
)

func (s TimesInForce) has(t order.TimeInForce) bool {
	switch t {
	case order.TimeInForceDay:
		return s&AllowDay != 0
	case order.TimeInForceGTC:
		return s&AllowGTC != 0
	case order.TimeInForceIOC:
		return s&AllowIOC != 0
	case order.TimeInForceFOK:
		return s&AllowFOK != 0
	case order.TimeInForceGTD:
		return s&AllowGTD != 0
	}
	return false
}

// Sides is a set of side codes.
type Sides uint8

// The side codes an instrument can take.
const (
	AllowBuy Sides = 1 << iota
	AllowSell
	AllowSellShort
	AllowSellShortExempt

	allSides = AllowBuy | AllowSell | AllowSellShort | AllowSellShortExempt
)

func (s Sides) has(side order.Side) bool {
	switch side {
	case order.SideBuy:
		return s&AllowBuy != 0
	case order.SideSell:
		return s&AllowSell != 0
	case order.SideSellShort:
		return s&AllowSellShort != 0
	case order.SideSellShortExempt:
		return s&AllowSellShortExempt != 0
	}
	return false
}
