package riskcheck_test

import (
	"fmt"

	"tollgate/order"
	"tollgate/riskcheck"
)

// tokenLifetimeNs is how long a verdict of the tests is good for.
const tokenLifetimeNs int64 = 5e9

// testKey signs the tests' verdicts.
func testKey() order.TokenKey { return order.NewTokenKey([order.TokenKeySize]byte{7, 0, 1, 8}) }

// smallConfig sizes an engine for tests.
func smallConfig() riskcheck.Config {
	c := riskcheck.DefaultConfig()
	c.Epoch = 3
	c.TokenKey = testKey()
	c.TokenLifetimeNs = tokenLifetimeNs
	c.ClOrdIDsMax, c.OrdersMax, c.RoutesMax = wide.clOrdIDs, wide.orders, wide.routes
	c.ExecutionsMax = 1 << 11
	c.StampsMax = 1 << 16
	c.RecentOrdersMax = 1 << 12
	c.CellsMax = 1 << 10
	c.AnswersRetained = 1 << 12
	return c
}

// engineEvents translates the effects of the engine's last input. A verdict
// whose token does not hold becomes an event of its own kind.
func engineEvents(e *riskcheck.Engine, key order.TokenKey) []event {
	effects := e.Effects()
	out := make([]event, 0, len(effects))
	for i := range effects {
		out = append(out, engineEvent(e, &effects[i], key))
	}
	return out
}

func engineEvent(e *riskcheck.Engine, f *riskcheck.Effect, key order.TokenKey) event {
	out := event{
		session: f.Session, connection: f.Connection, ref: f.Ref, outSeq: f.OutSeq, fence: f.FenceID,
		belowSeq: f.BelowSeq, reason: f.Reason, scope: f.Scope,
	}
	switch f.Kind {
	case riskcheck.EffectVerdict:
		out.kind, out.verdict = eventVerdict, f.Verdict
		if reason := key.Verify(&f.Verdict); reason != order.ReasonNone {
			out.kind = eventKind(fmt.Sprintf("verdict with a bad token (%v)", reason))
		}
	case riskcheck.EffectAnswer:
		out.kind = eventAnswer
		if a := e.Answer(f.Session, f.OutSeq); a != nil {
			out.answer = *a
		} else {
			out.kind = "answer that is not in the stream"
		}
	case riskcheck.EffectGap:
		out.kind = eventGap
	case riskcheck.EffectDuplicate:
		out.kind = eventDuplicate
	case riskcheck.EffectStale:
		out.kind = eventStale
	case riskcheck.EffectDisconnect:
		out.kind = eventDisconnect
	case riskcheck.EffectWarn:
		out.kind = eventWarn
	case riskcheck.EffectFence:
		out.kind = eventFence
	case riskcheck.EffectReportsFrom:
		out.kind = eventReportsFrom
	case riskcheck.EffectAlert:
		out.kind, out.alert = eventAlert, f.Alert
	default:
		out.kind = eventKind(fmt.Sprintf("kind %d", f.Kind))
	}
	return out
}

// reference translates the tests' reference data to the engine's.
func (w *world) reference() *riskcheck.Reference {
	ref := &riskcheck.Reference{
		Firm: riskcheck.Firm{
			ID: order.FirmID(w.firm), Currency: riskcheck.CurrencyOf(w.currency), FxMaxAgeNs: w.fxMaxAgeNs,
		},
	}
	for _, g := range w.groups {
		ref.Groups = append(ref.Groups, riskcheck.Group{ID: g})
	}
	for _, a := range w.accounts {
		ref.Accounts = append(ref.Accounts, riskcheck.Account{
			ID: a.id, Group: a.group, Currency: riskcheck.CurrencyOf(a.currency), SelfMatch: a.selfMatch,
		})
	}
	for _, t := range w.traders {
		ref.Traders = append(ref.Traders, riskcheck.Trader{ID: t.id, Accounts: t.accounts})
	}
	for _, s := range w.sessions {
		ref.Sessions = append(ref.Sessions, riskcheck.Session{ID: s.id, Client: s.client, Accounts: s.accounts})
	}
	for _, id := range w.strategies {
		ref.Strategies = append(ref.Strategies, riskcheck.Strategy{ID: id})
	}
	for _, id := range w.classes {
		ref.Classes = append(ref.Classes, riskcheck.Class{ID: id})
	}
	for i := range w.instruments {
		ref.Instruments = append(ref.Instruments, w.instruments[i].reference())
	}
	return ref
}

func (i *instrumentRow) reference() riskcheck.Instrument {
	out := riskcheck.Instrument{
		ID: i.id, Currency: riskcheck.CurrencyOf(i.currency), Tick: i.tick, Lot: i.lot, MinQty: i.minQty, MaxQty: i.maxQty,
		Multiplier: i.multiplier, Class: i.class, Calendar: i.calendar, Settlement: i.settlement, LowLimit: i.low,
		HighLimit: i.high, ReferenceMaxAgeNs: i.maxAgeNs, AverageDailyVolume: i.adv, Outstanding: i.outstanding,
		MarginBps: i.marginBps, FeeBps: i.feeBps, Tradable: i.tradable, AllowZeroPrice: i.zeroPrice,
		AllowNegativePrice: i.negPrice, AllowDisplayQty: i.display, ReplaceOpenQty: i.replaceOpen,
	}
	for _, t := range i.ordTypes {
		out.OrdTypes |= map[order.OrdType]riskcheck.OrdTypes{
			order.OrdTypeMarket: riskcheck.AllowMarket, order.OrdTypeLimit: riskcheck.AllowLimit,
			order.OrdTypeStop: riskcheck.AllowStop, order.OrdTypeStopLimit: riskcheck.AllowStopLimit,
		}[t]
	}
	for _, t := range i.timesInForce {
		out.TimesInForce |= map[order.TimeInForce]riskcheck.TimesInForce{
			order.TimeInForceDay: riskcheck.AllowDay, order.TimeInForceGTC: riskcheck.AllowGTC,
			order.TimeInForceIOC: riskcheck.AllowIOC, order.TimeInForceFOK: riskcheck.AllowFOK,
			order.TimeInForceGTD: riskcheck.AllowGTD,
		}[t]
	}
	for _, s := range i.sides {
		out.Sides |= map[order.Side]riskcheck.Sides{
			order.SideBuy: riskcheck.AllowBuy, order.SideSell: riskcheck.AllowSell,
			order.SideSellShort: riskcheck.AllowSellShort, order.SideSellShortExempt: riskcheck.AllowSellShortExempt,
		}[s]
	}
	return out
}

// limitKinds are the engine's numbers for the limits' names.
var limitKinds = map[limitName]riskcheck.LimitKind{
	limitMaxOrderQty: riskcheck.LimitMaxOrderQty, limitMaxOrderNotional: riskcheck.LimitMaxOrderNotional,
	limitCollarBps: riskcheck.LimitCollarBps, limitCollarTicks: riskcheck.LimitCollarTicks,
	limitCollarAbs: riskcheck.LimitCollarAbs, limitCollarFarBps: riskcheck.LimitCollarFarBps,
	limitPerSecond: riskcheck.LimitMessagesPerSecond, limitPerMinute: riskcheck.LimitMessagesPerMinute,
	limitPerDay: riskcheck.LimitMessagesPerDay, limitCutPerSecond: riskcheck.LimitMessagesCutPerSecond,
	limitCancelsPerSecond: riskcheck.LimitCancelsPerSecond, limitCancelsCut: riskcheck.LimitCancelsCutPerSecond,
	limitOpenOrders: riskcheck.LimitOpenOrders, limitOpenNotional: riskcheck.LimitOpenNotional,
	limitPositionLong: riskcheck.LimitPositionLong, limitPositionShort: riskcheck.LimitPositionShort,
	limitGross: riskcheck.LimitGrossExposure, limitNet: riskcheck.LimitNetExposure,
	limitPermission: riskcheck.LimitPermission, limitListed: riskcheck.LimitPermitListed,

	limitProtectionBps: riskcheck.LimitMarketProtectionBps, limitProtectionTicks: riskcheck.LimitMarketProtectionTicks,
	limitParticipation: riskcheck.LimitParticipationBps, limitDuplicates: riskcheck.LimitDuplicateOrders,
	limitDuplicateWindow: riskcheck.LimitDuplicateWindow, limitBothPerSecond: riskcheck.LimitOrdersAndCancelsPerSecond,
	limitBothPerDay: riskcheck.LimitOrdersAndCancelsPerDay, limitExecutions: riskcheck.LimitStrategyExecutions,
	limitCredit: riskcheck.LimitCreditLine, limitShort: riskcheck.LimitShortSelling,
	limitTurnoverDay: riskcheck.LimitTurnoverPerDay, limitTurnoverMinute: riskcheck.LimitTurnoverPerMinute,
	limitLoss: riskcheck.LimitDailyLoss, limitDrawdown: riskcheck.LimitDailyLossFromPeak,
	limitLossKill: riskcheck.LimitDailyLossKill, limitOTR: riskcheck.LimitOrderToTrade,
	limitOTRVolume: riskcheck.LimitOrderToTradeVolume, limitOTRMinimum: riskcheck.LimitOrderToTradeMinimum,
	limitSelfMatch: riskcheck.LimitSelfMatch, limitRejects: riskcheck.LimitConsecutiveRejects,
	limitRejectsWindow: riskcheck.LimitConsecutiveRejectsWindow, limitBasketOrders: riskcheck.LimitBasketOrders,
	limitBasketNotional: riskcheck.LimitBasketNotional,
}

func limitSet(rows []limitRow) *riskcheck.LimitSet {
	set := &riskcheck.LimitSet{}
	for _, row := range rows {
		set.Entries = append(set.Entries, riskcheck.LimitEntry{
			Scope: row.scope, Kind: limitKinds[row.kind], Value: row.value, Until: row.until, Then: row.then,
			Watch: row.watch, Warn: row.warn, Act: row.act,
		})
	}
	return set
}

// canceledOrders lists the orders the engine's last input cancels, in order.
func canceledOrders(e *riskcheck.Engine) []order.OrderID {
	var out []order.OrderID
	for _, f := range e.Effects() {
		if f.Kind == riskcheck.EffectVerdict && f.Verdict.MsgType == order.MsgCancelOrder {
			out = append(out, f.Verdict.OrderID)
		}
	}
	return out
}

// refusals lists the answers by which the engine's last input refused something.
func refusals(e *riskcheck.Engine) []order.Answer {
	var out []order.Answer
	for _, f := range e.Effects() {
		if f.Kind != riskcheck.EffectAnswer {
			continue
		}
		if a := e.Answer(f.Session, f.OutSeq); a != nil && a.Decision.Reason != order.ReasonNone {
			out = append(out, *a)
		}
	}
	return out
}

// fences lists the scopes the engine's last input killed, in order.
func fences(e *riskcheck.Engine) []order.Scope {
	var out []order.Scope
	for _, f := range e.Effects() {
		if f.Kind == riskcheck.EffectFence {
			out = append(out, f.Scope)
		}
	}
	return out
}

// alertsOf lists what the engine had to tell at its last input.
func alertsOf(e *riskcheck.Engine) []event {
	var out []event
	for _, f := range e.Effects() {
		if f.Kind == riskcheck.EffectAlert {
			out = append(out, event{kind: eventAlert, scope: f.Scope, alert: f.Alert})
		}
	}
	return out
}

// pace returns how the engine's last input warned or cut a session.
func pace(e *riskcheck.Engine) []eventKind {
	var out []eventKind
	for _, f := range e.Effects() {
		switch f.Kind {
		case riskcheck.EffectDisconnect:
			out = append(out, eventDisconnect)
		case riskcheck.EffectWarn:
			out = append(out, eventWarn)
		}
	}
	return out
}
