package riskcheck_test

import (
	"math/rand/v2"
	"slices"

	"tollgate/order"
	"tollgate/riskcheck"
)

// What there is of everything, and what everything costs.
const (
	firmGroups      = 2
	firmAccounts    = 4
	firmTraders     = 3
	firmSessions    = 3
	firmStrategies  = 3
	firmClasses     = 2
	firmInstruments = 5

	// firmUnsettled is the instrument without a settlement price.
	firmUnsettled = order.InstrumentID(4)

	firmSettlement = 100 * order.PriceOne
	firmTick       = order.PriceOne / 100
)

// firmReference describes the firm. What can change without a restart differs
// from call to call, unless it is the first.
func firmReference(r *rand.Rand, first bool) *riskcheck.Reference {
	ref := &riskcheck.Reference{
		Firm: riskcheck.Firm{ID: 1, Currency: riskcheck.CurrencyOf("USD"), FxMaxAgeNs: 60e9},
	}
	for g := range order.GroupID(firmGroups) {
		ref.Groups = append(ref.Groups, riskcheck.Group{ID: g + 1})
	}
	var accounts []order.AccountID
	for a := range order.AccountID(firmAccounts) {
		row := riskcheck.Account{ID: a + 1, Group: order.GroupID(a)%firmGroups + 1, Currency: riskcheck.CurrencyOf("USD")}
		if a == 1 {
			row.Currency = riskcheck.CurrencyOf("EUR")
		}
		if a > 1 {
			row.SelfMatch = 1
		}
		ref.Accounts = append(ref.Accounts, row)
		accounts = append(accounts, row.ID)
	}
	for t := range order.TraderID(firmTraders) {
		ref.Traders = append(ref.Traders, riskcheck.Trader{ID: t + 1, Accounts: accounts[:firmAccounts-int(t)/2]})
	}
	for s := range order.SessionID(firmSessions) {
		ref.Sessions = append(ref.Sessions, riskcheck.Session{
			ID: s + 1, Client: uint32(s + 1), Accounts: accounts[:firmAccounts-int(s)/2],
		})
	}
	for s := range order.StrategyID(firmStrategies) {
		ref.Strategies = append(ref.Strategies, riskcheck.Strategy{ID: s + 1})
	}
	for c := range order.ClassID(firmClasses) {
		ref.Classes = append(ref.Classes, riskcheck.Class{ID: c + 1})
	}
	for i := range order.InstrumentID(firmInstruments) {
		row := firmInstrument(i + 1)
		if !first && r.IntN(4) == 0 {
			row.Tradable = r.IntN(3) != 0
			row.AverageDailyVolume = order.Qty(r.IntN(4)*500) * order.QtyOne
			row.HighLimit = firmSettlement + order.Price(r.IntN(200))*firmTick
		}
		ref.Instruments = append(ref.Instruments, row)
	}
	return ref
}

// firmInstrument describes one of the five: plain, of another currency, in parts
// of its value, of a calendar of its own, and one that takes everything.
func firmInstrument(i order.InstrumentID) riskcheck.Instrument {
	row := riskcheck.Instrument{
		ID: i, Currency: riskcheck.CurrencyOf("USD"), Tick: firmTick, Lot: order.QtyOne, MinQty: order.QtyOne,
		MaxQty: order.Unlimited, Multiplier: order.MultiplierOne, Class: order.ClassID(i) % (firmClasses + 1),
		Settlement: firmSettlement, LowLimit: order.Null, HighLimit: order.Null, ReferenceMaxAgeNs: 30e9,
		AverageDailyVolume: 1000 * order.QtyOne, MarginBps: 10_000, FeeBps: 3,
		OrdTypes:     riskcheck.AllowMarket | riskcheck.AllowLimit | riskcheck.AllowStop | riskcheck.AllowStopLimit,
		TimesInForce: riskcheck.AllowDay | riskcheck.AllowGTC | riskcheck.AllowIOC | riskcheck.AllowFOK | riskcheck.AllowGTD,
		Sides: riskcheck.AllowBuy | riskcheck.AllowSell | riskcheck.AllowSellShort |
			riskcheck.AllowSellShortExempt,
		Tradable: true,
	}
	switch i {
	case 2:
		row.Currency = riskcheck.CurrencyOf("JPY")
		row.OrdTypes, row.TimesInForce = riskcheck.AllowMarket|riskcheck.AllowLimit, riskcheck.AllowDay|riskcheck.AllowIOC
		row.Sides = riskcheck.AllowBuy | riskcheck.AllowSell
	case 3:
		row.Multiplier, row.MarginBps = 50*order.MultiplierOne, 1_000
		row.ReplaceOpenQty = true
	case firmUnsettled:
		row.ReferenceMaxAgeNs = 2e9
		row.Calendar, row.Outstanding, row.Settlement = 1, 5_000*order.QtyOne, order.Null
		row.MinQty, row.MaxQty = 2*order.QtyOne, 10_000*order.QtyOne
	case 5:
		row.AllowNegativePrice, row.AllowZeroPrice, row.AllowDisplayQty = true, true, true
	}
	return row
}

// scope draws a holder of limits, in a few cases one there is not.
func (f *firm) scope() order.Scope {
	level := order.ScopeType(1 + f.r.IntN(6))
	count := map[order.ScopeType]int{
		order.ScopeFirm: 1, order.ScopeGroup: firmGroups, order.ScopeAccount: firmAccounts, order.ScopeTrader: firmTraders,
		order.ScopeSession: firmSessions, order.ScopeStrategy: firmStrategies,
	}[level]
	s := order.Scope{Type: level, ID: uint32(1 + f.r.IntN(count))}
	switch f.r.IntN(12) {
	case 0, 1, 2:
		s.Instrument = f.instrument()
	case 3, 4:
		s.Class = order.ClassID(1 + f.r.IntN(firmClasses))
	case 5:
		if f.r.IntN(8) == 0 {
			s.ID += 60
		}
	}
	return s
}

// limitSet states every kind at the firm, wide, and a few of them tight at
// random holders where the catalogue says that they can stand. A wrong set names
// a holder there is not, and a poor one leaves a control to what nobody states.
func (f *firm) limitSet(wrong, poor bool) *riskcheck.LimitSet {
	set := &riskcheck.LimitSet{}
	stated := map[riskcheck.LimitEntry]bool{}
	state := func(e riskcheck.LimitEntry) {
		if place := (riskcheck.LimitEntry{Scope: e.Scope, Kind: e.Kind}); !stated[place] {
			stated[place] = true
			set.Entries = append(set.Entries, e)
		}
	}
	var rules []riskcheck.LimitRule
	for _, control := range riskcheck.Catalogue() {
		rules = append(rules, control.Limits...)
	}
	if poor {
		missing := order.Control(1 + f.r.IntN(order.ControlsMax))
		rules = slices.DeleteFunc(rules, func(l riskcheck.LimitRule) bool { return l.Kind.Control() == missing })
	}
	for i := range rules {
		if scope := (order.Scope{Type: order.ScopeFirm, ID: 1}); stands(&rules[i], scope) {
			state(riskcheck.LimitEntry{Scope: scope, Kind: rules[i].Kind, Value: firmLimits[rules[i].Kind].wide})
		}
	}
	for range 40 {
		rule, scope := &rules[f.r.IntN(len(rules))], f.scope()
		if stands(rule, scope) && scope.ID < 60 {
			state(f.tightLimit(rule, scope))
		}
	}
	if wrong {
		state(riskcheck.LimitEntry{Scope: order.Scope{Type: order.ScopeGroup, ID: 99}, Kind: riskcheck.LimitMaxOrderQty})
	}
	return set
}

// stands reports whether the catalogue lets a limit stand at a holder.
func stands(rule *riskcheck.LimitRule, s order.Scope) bool {
	place := riskcheck.PlaceWhole
	if s.Class != 0 {
		place = riskcheck.PlaceClass
	} else if s.Instrument != 0 {
		place = riskcheck.PlaceInstrument
	}
	return rule.Places&place != 0 && (!rule.SessionOnly || s.Type == order.ScopeSession)
}

// tightLimit draws a limit that will bind, with rungs, acts and an end.
func (f *firm) tightLimit(rule *riskcheck.LimitRule, s order.Scope) riskcheck.LimitEntry {
	e := riskcheck.LimitEntry{Scope: s, Kind: rule.Kind, Value: f.limitValue(rule.Kind)}
	if rule.Rungs && f.r.IntN(2) == 0 {
		e.Watch, e.Warn = 50, 80
	}
	switch f.r.IntN(12) {
	case 0:
		e.Act = riskcheck.ActReduceOnly
	case 1:
		if f.r.IntN(3) == 0 {
			e.Act = riskcheck.ActKill
		}
	case 2:
		if e.Kind != riskcheck.LimitPermission && e.Kind != riskcheck.LimitPermitListed {
			e.Until, e.Then = f.now+1e9+f.r.Int64N(20e9), e.Value
		}
	}
	return e
}

// limitValue draws a value for a limit, and unlimited in a few cases where that
// is a value.
func (f *firm) limitValue(k riskcheck.LimitKind) int64 {
	row := firmLimits[k]
	if row.wide == order.Unlimited && f.r.IntN(10) == 0 {
		return order.Unlimited
	}
	return row.low + f.r.Int64N(row.high-row.low+1)
}

// firmLimit is what a kind of limit may be: its wide value and the range of the
// tight ones.
type firmLimit struct{ wide, low, high int64 }

// firmLimits are the values of all kinds.
var firmLimits = map[riskcheck.LimitKind]firmLimit{
	riskcheck.LimitMaxOrderQty:               {order.Unlimited, 20 * int64(order.QtyOne), 60 * int64(order.QtyOne)},
	riskcheck.LimitMaxOrderNotional:          {order.Unlimited, 2_000e4, 200_000e4},
	riskcheck.LimitCollarBps:                 {order.Unlimited, 50, 500},
	riskcheck.LimitCollarTicks:               {order.Unlimited, 60, 600},
	riskcheck.LimitCollarAbs:                 {order.Unlimited, 5e7, 5e8},
	riskcheck.LimitCollarFarBps:              {order.Unlimited, 200, 900},
	riskcheck.LimitMessagesPerSecond:         {1000, 5, 60},
	riskcheck.LimitMessagesPerMinute:         {order.Unlimited, 100, 900},
	riskcheck.LimitMessagesPerDay:            {order.Unlimited, 200, 4000},
	riskcheck.LimitMessagesCutPerSecond:      {order.Unlimited, 40, 90},
	riskcheck.LimitCancelsPerSecond:          {order.Unlimited, 5, 20},
	riskcheck.LimitCancelsCutPerSecond:       {order.Unlimited, 20, 50},
	riskcheck.LimitOpenOrders:                {order.Unlimited, 5, 60},
	riskcheck.LimitOpenNotional:              {order.Unlimited, 20_000e4, 900_000e4},
	riskcheck.LimitPositionLong:              {order.Unlimited, 50 * int64(order.QtyOne), 900 * int64(order.QtyOne)},
	riskcheck.LimitPositionShort:             {order.Unlimited, 50 * int64(order.QtyOne), 900 * int64(order.QtyOne)},
	riskcheck.LimitGrossExposure:             {order.Unlimited, 50_000e4, 9_000_000e4},
	riskcheck.LimitNetExposure:               {order.Unlimited, 50_000e4, 9_000_000e4},
	riskcheck.LimitPermission:                {riskcheck.PermitDeny, riskcheck.PermitAllowOnly, riskcheck.PermitDeny},
	riskcheck.LimitPermitListed:              {riskcheck.PermitBuy, riskcheck.PermitBuy, riskcheck.PermitBuy | riskcheck.PermitSell},
	riskcheck.LimitMarketProtectionBps:       {order.Unlimited, 20, 300},
	riskcheck.LimitMarketProtectionTicks:     {order.Unlimited, 5, 90},
	riskcheck.LimitParticipationBps:          {order.Unlimited, 200, 900},
	riskcheck.LimitDuplicateOrders:           {order.Unlimited, 1, 3},
	riskcheck.LimitDuplicateWindow:           {2e9, 1e8, 30e9},
	riskcheck.LimitOrdersAndCancelsPerSecond: {order.Unlimited, 10, 60},
	riskcheck.LimitOrdersAndCancelsPerDay:    {order.Unlimited, 300, 4000},
	riskcheck.LimitStrategyExecutions:        {order.Unlimited, 20, 90},
	riskcheck.LimitCreditLine:                {order.Unlimited, 0, 200_000e4},
	riskcheck.LimitShortSelling:              {order.Unlimited, riskcheck.ShortForbidden, riskcheck.ShortLocate},
	riskcheck.LimitTurnoverPerDay:            {order.Unlimited, 20_000e4, 2_000_000e4},
	riskcheck.LimitTurnoverPerMinute:         {order.Unlimited, 5_000e4, 200_000e4},
	riskcheck.LimitDailyLoss:                 {order.Unlimited, 5_000e4, 500_000e4},
	riskcheck.LimitDailyLossFromPeak:         {order.Unlimited, 5_000e4, 500_000e4},
	riskcheck.LimitDailyLossKill:             {order.Unlimited, 300_000e4, 3_000_000e4},
	riskcheck.LimitOrderToTrade:              {order.Unlimited, 5_000, 60_000},
	riskcheck.LimitOrderToTradeVolume:        {order.Unlimited, 20_000, 200_000},
	riskcheck.LimitOrderToTradeMinimum:       {20, 5, 90},
	riskcheck.LimitSelfMatch:                 {order.Unlimited, riskcheck.SelfMatchReject, riskcheck.SelfMatchCancel},
	riskcheck.LimitConsecutiveRejects:        {order.Unlimited, 2, 6},
	riskcheck.LimitConsecutiveRejectsWindow:  {2e9, 1e8, 20e9},
	riskcheck.LimitBasketOrders:              {order.Unlimited, 2, 4},
	riskcheck.LimitBasketNotional:            {order.Unlimited, 20_000e4, 400_000e4},
}
