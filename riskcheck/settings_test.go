package riskcheck_test

import (
	"testing"

	"tollgate/order"
	"tollgate/riskcheck"
)

// TestReferenceDataIsRefusedAsAWhole breaks sound reference data in one place
// at a time. Each time it is refused, and what was in force goes on working.
func TestReferenceDataIsRefusedAsAWhole(t *testing.T) {
	instrument := func(change func(*riskcheck.Instrument)) func(*riskcheck.Reference) {
		return func(ref *riskcheck.Reference) { change(&ref.Instruments[0]) }
	}
	for name, harm := range map[string]func(*riskcheck.Reference){
		"firm without a number":       func(ref *riskcheck.Reference) { ref.Firm.ID = 0 },
		"another firm":                func(ref *riskcheck.Reference) { ref.Firm.ID++ },
		"group without a number":      func(ref *riskcheck.Reference) { ref.Groups[0].ID = 0 },
		"group twice":                 func(ref *riskcheck.Reference) { ref.Groups[1].ID = ref.Groups[0].ID },
		"account without a number":    func(ref *riskcheck.Reference) { ref.Accounts[0].ID = 0 },
		"account twice":               func(ref *riskcheck.Reference) { ref.Accounts[1].ID = ref.Accounts[0].ID },
		"account of an unknown group": func(ref *riskcheck.Reference) { ref.Accounts[0].Group = 77 },
		"account without a currency":  func(ref *riskcheck.Reference) { ref.Accounts[0].Currency = riskcheck.Currency{} },
		"trader without a number":     func(ref *riskcheck.Reference) { ref.Traders[0].ID = 0 },
		"trader twice":                func(ref *riskcheck.Reference) { ref.Traders[1].ID = ref.Traders[0].ID },
		"trader for nobody known":     func(ref *riskcheck.Reference) { ref.Traders[0].Accounts = []order.AccountID{77} },
		"session without a number":    func(ref *riskcheck.Reference) { ref.Sessions[0].ID = 0 },
		"session twice":               func(ref *riskcheck.Reference) { ref.Sessions[1].ID = ref.Sessions[0].ID },
		"session for nobody known":    func(ref *riskcheck.Reference) { ref.Sessions[0].Accounts = []order.AccountID{77} },
		"instrument without a number": instrument(func(i *riskcheck.Instrument) { i.ID = 0 }),
		"instrument twice":            instrument(func(i *riskcheck.Instrument) { i.ID = 2 }),
		"instrument without currency": instrument(func(i *riskcheck.Instrument) { i.Currency = riskcheck.Currency{} }),
		"tick zero":                   instrument(func(i *riskcheck.Instrument) { i.Tick = 0 }),
		"tick below zero":             instrument(func(i *riskcheck.Instrument) { i.Tick = -1 }),
		"lot zero":                    instrument(func(i *riskcheck.Instrument) { i.Lot = 0 }),
		"smallest quantity negative":  instrument(func(i *riskcheck.Instrument) { i.MinQty = -1 }),
		"largest quantity zero":       instrument(func(i *riskcheck.Instrument) { i.MaxQty = 0 }),
		"largest below smallest":      instrument(func(i *riskcheck.Instrument) { i.MinQty, i.MaxQty = 9e8, 8e8 }),
		"multiplier zero":             instrument(func(i *riskcheck.Instrument) { i.Multiplier = 0 }),
		"multiplier negative":         instrument(func(i *riskcheck.Instrument) { i.Multiplier = -1 }),
		"price limits crossed":        instrument(func(i *riskcheck.Instrument) { i.LowLimit, i.HighLimit = 2e8, 1e8 }),
		"age negative":                instrument(func(i *riskcheck.Instrument) { i.ReferenceMaxAgeNs = -1 }),
		"order types of a fifth kind": instrument(func(i *riskcheck.Instrument) { i.OrdTypes |= 16 }),
		"unknown time in force":       instrument(func(i *riskcheck.Instrument) { i.TimesInForce |= 128 }),
		"unknown side":                instrument(func(i *riskcheck.Instrument) { i.Sides |= 128 }),
	} {
		t.Run(name, func(t *testing.T) {
			d := newDeskOf(t, smallConfig(), 10, 64)
			ref := bigWorld(10, 64).reference()
			if err := d.engine.ApplyReference(d.now, ref); err != nil {
				t.Fatalf("the sound data is refused: %v", err)
			}
			harm(ref)
			if err := d.engine.ApplyReference(d.now, ref); err == nil {
				t.Error("it is accepted")
			}
			d.enter(t, 1)
		})
	}
}

// TestLimitsAreRefusedAsAWhole does the same to limits.
func TestLimitsAreRefusedAsAWhole(t *testing.T) {
	firm := order.Scope{Type: order.ScopeFirm, ID: 1}
	firmX := order.Scope{Type: order.ScopeFirm, ID: 1, Instrument: 1}
	session := order.Scope{Type: order.ScopeSession, ID: 1}
	openOrders := func(s order.Scope) riskcheck.LimitEntry {
		return riskcheck.LimitEntry{Scope: s, Kind: riskcheck.LimitOpenOrders, Value: 1}
	}
	for name, entry := range map[string]riskcheck.LimitEntry{
		"no kind":                      {Scope: firm, Value: 1},
		"unknown kind":                 {Scope: firm, Kind: 99, Value: 1},
		"no scope":                     {Kind: riskcheck.LimitOpenOrders, Value: 1},
		"unknown level":                openOrders(order.Scope{Type: 9, ID: 1}),
		"another firm":                 openOrders(order.Scope{Type: order.ScopeFirm, ID: 2}),
		"unknown group":                openOrders(order.Scope{Type: order.ScopeGroup, ID: 999}),
		"unknown account":              openOrders(order.Scope{Type: order.ScopeAccount, ID: 77}),
		"unknown trader":               openOrders(order.Scope{Type: order.ScopeTrader, ID: 7777}),
		"unknown session":              openOrders(order.Scope{Type: order.ScopeSession, ID: 777}),
		"unknown instrument":           openOrders(order.Scope{Type: order.ScopeFirm, ID: 1, Instrument: 99}),
		"negative value":               {Scope: firmX, Kind: riskcheck.LimitMaxOrderQty, Value: -1},
		"stated twice":                 {Scope: firm, Kind: riskcheck.LimitMaxOrderQty, Value: 1},
		"rate of one instrument":       {Scope: firmX, Kind: riskcheck.LimitMessagesPerSecond, Value: 1},
		"rate per day of one":          {Scope: firmX, Kind: riskcheck.LimitMessagesPerDay, Value: 1},
		"cut of a firm":                {Scope: firm, Kind: riskcheck.LimitMessagesCutPerSecond, Value: 1},
		"cancels of a firm":            {Scope: firm, Kind: riskcheck.LimitCancelsPerSecond, Value: 1},
		"permission of one instrument": {Scope: firmX, Kind: riskcheck.LimitPermission, Value: 1},
		"permission of a third kind":   {Scope: session, Kind: riskcheck.LimitPermission, Value: 3},
		"list without an instrument":   {Scope: firm, Kind: riskcheck.LimitPermitListed, Value: 1},
		"list of no side":              {Scope: firmX, Kind: riskcheck.LimitPermitListed, Value: 0},
		"list of a third side":         {Scope: firmX, Kind: riskcheck.LimitPermitListed, Value: 4},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDeskOf(t, smallConfig(), 10, 64)
			set := &riskcheck.LimitSet{Entries: bigLimits(bigWorld(10, 64))}
			version := d.engine.ConfigVersion()
			if entry.Kind == riskcheck.LimitPermission && entry.Scope == session {
				set.Entries = withoutEntry(set.Entries, entry)
			}
			set.Entries = append(set.Entries, entry)
			if err := d.engine.ApplyLimits(d.now, set); err == nil {
				t.Error("they are accepted")
			}
			if got := d.engine.ConfigVersion(); got != version {
				t.Errorf("the version went from %d to %d", version, got)
			}
			d.enter(t, 1)
		})
	}
}

// withoutEntry takes what is stated at the same place out of a set.
func withoutEntry(entries []riskcheck.LimitEntry, like riskcheck.LimitEntry) []riskcheck.LimitEntry {
	return without(entries, func(e *riskcheck.LimitEntry) bool { return e.Scope == like.Scope && e.Kind == like.Kind })
}
