package input

import (
	"math"
	"math/rand/v2"
	"reflect"

	"tollgate/order"
	"tollgate/riskcheck"
)

// sampleNs is the first of December 2026, 09:00 UTC.
const sampleNs = 1_796_115_600_000_000_000

// samples are inputs that a small firm could have, at least one of every kind.
func samples() []Input {
	by := By{Author: "ann", Reason: "half day"}
	kill := order.Scope{Type: order.ScopeAccount, ID: 9, Instrument: 3}
	usd := riskcheck.CurrencyOf("USD")
	return []Input{
		{Kind: KindRequest, Request: order.Request{
			Ref: 12, ClOrdID: 5, Price: 101_25000000, StopPx: order.Null, OrderQty: 10 * order.QtyOne, Session: 7,
			Connection: 4, Account: 9, Trader: 2, Instrument: 3, MsgType: order.MsgNewOrder, Side: order.SideBuy,
			OrdType: order.OrdTypeLimit, TimeInForce: order.TimeInForceDay,
		}},
		{Kind: KindRequest, Request: order.Request{
			Ref: 13, ClOrdID: 6, OrigClOrdID: 5, ValidUntil: sampleNs + 1, SendingTime: sampleNs, Price: order.Null,
			StopPx: 99 * order.PriceOne, OrderQty: 8 * order.QtyOne, DisplayQty: order.QtyOne, Session: 7, Connection: 4,
			Account: 9, Trader: 2, Instrument: 3, Strategy: 11, Basket: 77, BasketLegs: 2, MsgType: order.MsgReplaceOrder,
			Side: order.SideSellShort, OrdType: order.OrdTypeStop, TimeInForce: order.TimeInForceGTD,
		}},
		{Kind: KindRequest, Request: order.Request{Ref: 14, Session: 7, Connection: 4, MsgType: order.MsgMassCancel}},
		{Kind: KindReport, Report: order.Report{
			ReportSeq: 31, Seq: 40, OrderID: 40, ClOrdID: 5, ExecID: 900, TransactTime: sampleNs, Price: 101_25000000,
			LastPx: 101 * order.PriceOne, OrderQty: 10 * order.QtyOne, LastQty: 4 * order.QtyOne, CumQty: 4 * order.QtyOne,
			LeavesQty: 6 * order.QtyOne, Group: 1, Session: 7, Account: 9, Trader: 2, Instrument: 3,
			Kind: order.ReportTrade, Side: order.SideBuy,
		}},
		{Kind: KindReport, Report: order.Report{
			ReportSeq: 32, OrderID: 40, ClOrdID: 5, ExecID: 901, ExecRefID: 900, Price: order.Null, OrderQty: 10 * order.QtyOne,
			Group: 1, Session: 7, Strategy: 11, Reason: order.ReasonVenueReject, Kind: order.ReportTradeCancel,
		}},
		{Kind: KindPrice, Price: order.ReferencePrice{
			Time: sampleNs, Price: -37_63000000, Instrument: 3, Source: order.PriceSourceMid,
		}},
		{Kind: KindTick},
		{Kind: KindLogin, Login: riskcheck.Login{Session: 7, Client: 21, WantOutSeq: 9, CancelOnDisconnectNs: 5e9}},
		{Kind: KindLogin, Login: riskcheck.Login{Session: 7, Client: 21, WantOutSeq: 1}},
		{Kind: KindDisconnected, Session: 7, Connection: 4},
		{Kind: KindAckAnswers, Session: 7, OutSeq: 8},
		{Kind: KindVenueUp, Instance: 0x1122334455667788, NextReport: 33},
		{Kind: KindVenueDown},
		{Kind: KindStart, Epoch: 1_700_000_000_000_000_000, Sizes: riskcheck.Sizes{1, 2, 3, 4, 5, 6, 7, 1 << 30}},
		{Kind: KindReference, By: By{Author: "start"}, Reference: sampleReference()},
		{Kind: KindLimits, By: by, Limits: sampleLimits()},
		{Kind: KindKill, By: by, Scope: kill},
		{Kind: KindUnkill, By: By{Author: "bob \"the\" officer\n"}, Scope: order.Scope{Type: order.ScopeFirm, ID: 1, Class: 2}},
		{Kind: KindRelease, By: by, Scope: kill, Latch: riskcheck.LatchLoss},
		{Kind: KindCash, By: by, Account: 9, Cash: -1_0001},
		{Kind: KindPosition, By: by, Account: 9, Instrument: 3, Qty: -5 * order.QtyOne},
		{Kind: KindLocate, Account: 9, Instrument: 3, Qty: 5 * order.QtyOne},
		{Kind: KindFxRate, By: by, Currency: riskcheck.CurrencyOf("EUR"), Rate: 1_08000000, SeenNs: sampleNs},
		{Kind: KindFxRate, By: by, Currency: usd, Rate: -1, SeenNs: -1},
		{Kind: KindMarketState, By: by, Instrument: 3, Market: order.MarketHalted, ShortRestricted: true},
		{Kind: KindMarketState, By: by, Instrument: 3},
		{Kind: KindRollDay, By: by, Day: 20_261_201},
		{Kind: KindRollCalendar, By: by, Calendar: 4, Day: 20_261_202},
	}
}

// sampleReference is a firm with what the samples name.
func sampleReference() riskcheck.Reference {
	usd := riskcheck.CurrencyOf("USD")
	return riskcheck.Reference{
		Firm:     riskcheck.Firm{ID: 1, Currency: usd, FxMaxAgeNs: 60e9},
		Groups:   []riskcheck.Group{{ID: 1}},
		Accounts: []riskcheck.Account{{ID: 8, Group: 1, Currency: riskcheck.CurrencyOf("EUR")}, {ID: 9, Group: 1, Currency: usd, SelfMatch: 6}},
		Traders:  []riskcheck.Trader{{ID: 2, Accounts: []order.AccountID{8, 9}}},
		Sessions: []riskcheck.Session{
			{ID: 7, Client: 21, Accounts: []order.AccountID{9}},
		},
		Strategies: []riskcheck.Strategy{{ID: 11}},
		Classes:    []riskcheck.Class{{ID: 2}},
		Instruments: []riskcheck.Instrument{{
			ID: 3, Currency: usd, Tick: order.PriceOne / 100, Lot: order.QtyOne, MinQty: order.QtyOne, MaxQty: order.Unlimited,
			Multiplier: 50 * order.MultiplierOne, Class: 2, Calendar: 4, Settlement: 100 * order.PriceOne, LowLimit: order.Null,
			HighLimit: 200 * order.PriceOne, ReferenceMaxAgeNs: 30e9, AverageDailyVolume: 1000 * order.QtyOne,
			Outstanding: 5000 * order.QtyOne, MarginBps: 1000, FeeBps: 3, OrdTypes: riskcheck.AllowLimit,
			TimesInForce: riskcheck.AllowDay | riskcheck.AllowGTD, Sides: riskcheck.AllowBuy | riskcheck.AllowSell,
			Tradable: true, AllowNegativePrice: true, ReplaceOpenQty: true,
		}},
	}
}

// sampleLimits state every kind at the firm, and some of them otherwise.
func sampleLimits() riskcheck.LimitSet {
	firm := order.Scope{Type: order.ScopeFirm, ID: 1}
	account := order.Scope{Type: order.ScopeAccount, ID: 9}
	return riskcheck.LimitSet{Entries: []riskcheck.LimitEntry{
		{Scope: firm, Kind: riskcheck.LimitMaxOrderQty, Value: order.Unlimited},
		{Scope: account, Kind: riskcheck.LimitOpenOrders, Value: 90, Watch: 50, Warn: 80, Act: riskcheck.ActReduceOnly},
		{Scope: account, Kind: riskcheck.LimitCreditLine, Value: 7, Until: sampleNs + 60e9, Then: 5},
		{
			Scope: order.Scope{Type: order.ScopeSession, ID: 7, Class: 2}, Kind: riskcheck.LimitPositionLong, Value: 1,
			Act: riskcheck.ActKill,
		},
		{Scope: firm, Kind: riskcheck.LimitDuplicateWindow, Value: 1e9},
	}}
}

// partsOf returns pointers to the fields that mean something for the kind.
func partsOf(in *Input) []any {
	switch in.Kind {
	case KindRequest:
		return []any{&in.Request}
	case KindReport:
		return []any{&in.Report}
	case KindPrice:
		return []any{&in.Price}
	case KindLogin:
		return []any{&in.Login}
	case KindDisconnected:
		return []any{&in.Session, &in.Connection}
	case KindAckAnswers:
		return []any{&in.Session, &in.OutSeq}
	case KindVenueUp:
		return []any{&in.Instance, &in.NextReport}
	case KindStart:
		return []any{&in.Epoch, &in.Sizes}
	case KindReference:
		return []any{&in.By, &in.Reference}
	case KindLimits:
		return []any{&in.By, &in.Limits}
	case KindKill, KindUnkill:
		return []any{&in.By, &in.Scope}
	case KindRelease:
		return []any{&in.By, &in.Scope, &in.Latch}
	case KindCash:
		return []any{&in.By, &in.Account, &in.Cash}
	case KindPosition, KindLocate:
		return []any{&in.By, &in.Account, &in.Instrument, &in.Qty}
	case KindFxRate:
		return []any{&in.By, &in.Currency, &in.Rate, &in.SeenNs}
	case KindMarketState:
		return []any{&in.By, &in.Instrument, &in.Market, &in.ShortRestricted}
	case KindRollDay:
		return []any{&in.By, &in.Day}
	case KindRollCalendar:
		return []any{&in.By, &in.Calendar, &in.Day}
	}
	return nil
}

// random draws an input of a kind, whatever its values mean.
func random(r *rand.Rand, kind Kind) Input {
	in := Input{Kind: kind}
	for _, part := range partsOf(&in) {
		fill(r, reflect.ValueOf(part).Elem())
	}
	return in
}

// fill gives everything in a value a random one of its own.
func fill(r *rand.Rand, v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(r, v.Field(i))
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(r, v.Index(i))
		}
	case reflect.Slice:
		if n := r.IntN(4); n > 0 {
			v.Set(reflect.MakeSlice(v.Type(), n, n))
		}
		for i := range v.Len() {
			fill(r, v.Index(i))
		}
	case reflect.String:
		text := make([]byte, r.IntN(20))
		if r.IntN(10) == 0 {
			text = make([]byte, textBytesMax)
		}
		for i := range text {
			text[i] = byte(r.Uint32())
		}
		v.SetString(string(text))
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	default:
		fillNumber(r, v)
	}
}

// fillNumber draws a number, often one from the ends of its range.
func fillNumber(r *rand.Rand, v reflect.Value) {
	bits := []uint64{0, 1, math.MaxUint64, 1 << 63, 1<<63 - 1, r.Uint64(), r.Uint64(), r.Uint64()}[r.IntN(8)]
	if v.CanInt() {
		v.SetInt(int64(bits))
		return
	}
	v.SetUint(bits & (1<<v.Type().Bits() - 1))
}
