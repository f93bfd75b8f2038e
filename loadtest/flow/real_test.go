package flow_test

import (
	"os"
	"path/filepath"
	"testing"

	"tollgate/loadtest/flow"
	"tollgate/order"
)

// realFile is what an independent count of a recorded file gave.
type realFile struct {
	name   string
	format flow.Format
	symbol string
	counts map[flow.Kind]uint64
	meta   flow.Meta
}

var realFiles = []realFile{
	{
		name: "lobster_AMZN_2012-06-21_message_1.csv.gz", format: flow.FormatLobster, symbol: "AMZN",
		counts: map[flow.Kind]uint64{
			flow.KindNew: 27845, flow.KindReduce: 16, flow.KindCancel: 18235, flow.KindExecute: 8974,
			flow.KindHidden: 2445,
		},
		meta: flow.Meta{
			Tick: 1000000, Lot: 100000000, FirstPrice: 22381000000, LastPrice: 22051000000,
			MedianPrice: 22264000000, MinPrice: 22051000000, MaxPrice: 22603000000, MedianQty: 10000000000,
			Qty99: 50000000000, MaxQty: 3357000000000, DurationNs: 23399941900000,
		},
	},
	{
		name: "lobster_AAPL_2012-06-21_0930-1030_message_50.csv.gz", format: flow.FormatLobster, symbol: "AAPL",
		counts: map[flow.Kind]uint64{
			flow.KindNew: 44256, flow.KindReduce: 469, flow.KindCancel: 41004, flow.KindExecute: 4067,
			flow.KindHidden: 2201,
		},
		meta: flow.Meta{
			Tick: 1000000, Lot: 100000000, FirstPrice: 58574000000, LastPrice: 58586000000,
			MedianPrice: 58591000000, MinPrice: 47700000000, MaxPrice: 69895000000, MedianQty: 10000000000,
			Qty99: 100000000000, MaxQty: 1500000000000, DurationNs: 3599833210000,
		},
	},
	{
		name: "databento_esh4-glbx-mdp3-20231225.mbo.csv.gz", format: flow.FormatDatabento, symbol: "",
		counts: map[flow.Kind]uint64{
			flow.KindNew: 29299, flow.KindCancel: 12670, flow.KindModify: 11266, flow.KindTrade: 2973,
			flow.KindExecute: 6364, flow.KindUnplaced: 7, flow.KindBookkeeping: 6213,
		},
		meta: flow.Meta{
			Tick: 25000000, Lot: 100000000, FirstPrice: 480025000000, LastPrice: 481000000000,
			MedianPrice: 480875000000, MinPrice: 8500000000, MaxPrice: 579250000000, MedianQty: 100000000,
			Qty99: 1600000000, MaxQty: 50000000000, DurationNs: 86399446821072, Opening: 8725,
		},
	},
	{
		name: "databento_esm4-mbo-20240508-2s.csv.gz", format: flow.FormatDatabento, symbol: "",
		counts: map[flow.Kind]uint64{
			flow.KindReset: 1, flow.KindNew: 13678, flow.KindCancel: 78, flow.KindModify: 24, flow.KindTrade: 5,
			flow.KindExecute: 5, flow.KindBookkeeping: 5,
		},
		meta: flow.Meta{
			Tick: 25000000, Lot: 100000000, FirstPrice: 521425000000, LastPrice: 521425000000,
			MedianPrice: 520225000000, MinPrice: 49350000000, MaxPrice: 720000000000, MedianQty: 200000000,
			Qty99: 1500000000, MaxQty: 190000000000, DurationNs: 1995697728, Opening: 13601,
		},
	},
	{
		name: "databento_xnas_ARL_2025-07-17_mbo.csv.gz", format: flow.FormatDatabento, symbol: "ARL",
		counts: map[flow.Kind]uint64{
			flow.KindReset: 1, flow.KindNew: 2915, flow.KindCancel: 2902, flow.KindTrade: 11, flow.KindExecute: 11,
			flow.KindBookkeeping: 11, flow.KindHidden: 35,
		},
		meta: flow.Meta{
			Tick: 1000000, Lot: 100000000, FirstPrice: 1340000000, LastPrice: 1264000000,
			MedianPrice: 1403000000, MinPrice: 537000000, MaxPrice: 214748000000, MedianQty: 10000000000,
			Qty99: 70000000000, MaxQty: 70000000000, DurationNs: 49370216427392,
		},
	},
	{
		name: "bitstamp_2015-05-01_orders.csv.gz", format: flow.FormatBitstamp, symbol: "BTCUSD",
		counts: map[flow.Kind]uint64{
			flow.KindNew: 24894, flow.KindCancel: 24338, flow.KindExecute: 77, flow.KindMatched: 1084,
			flow.KindModify: 21,
		},
		meta: flow.Meta{
			Tick: 1000000, Lot: 1, FirstPrice: 23647000000, LastPrice: 23638000000, MedianPrice: 23481000000,
			MinPrice: 16460000000, MaxPrice: 35000000000, MedianQty: 861631541, Qty99: 6626276396,
			MaxQty: 20000000000, DurationNs: 18278439000000,
		},
	},
}

// TestRealFilesMatchIndependentCounts reads the recorded files where they are
// present. The formats' rules are proven without them by the other tests.
func TestRealFilesMatchIndependentCounts(t *testing.T) {
	folder, ok := realFolder()
	if !ok {
		t.Skip("no recorded order flow beside the repository; the format tests prove the rules on small vectors")
	}
	for _, want := range realFiles {
		t.Run(want.name, func(t *testing.T) {
			day, err := flow.LoadFile(filepath.Join(folder, want.name), 0)
			if err != nil {
				t.Fatal(err)
			}
			checkReal(t, day, want)
		})
	}
}

func checkReal(t *testing.T, day *flow.Day, want realFile) {
	t.Helper()
	meta := want.meta
	meta.Format, meta.Symbol, meta.Currency = want.format, want.symbol, "USD"
	for kind, n := range want.counts {
		meta.Counts[kind] = n
	}
	if day.Meta != meta {
		t.Errorf("meta is\n%+v, want\n%+v", day.Meta, meta)
	}
	if got := day.Meta.Counts.Total(); got != uint64(len(day.Events)) {
		t.Errorf("counts add up to %d, want one for each of %d rows", got, len(day.Events))
	}
	for i := 1; i < len(day.Events); i++ {
		if day.Events[i].TimeNs < day.Events[i-1].TimeNs {
			t.Fatalf("event %d goes back in time", i)
		}
	}
	checkTerms(t, day.Events)
}

// checkTerms holds every order that enters to what an order must have.
func checkTerms(t *testing.T, events []flow.Event) {
	t.Helper()
	for i := range events {
		e := &events[i]
		enters := e.Kind == flow.KindNew || e.Kind == flow.KindModify
		if enters && (!e.Side.Valid() || e.Price == order.Null || e.Qty <= 0) {
			t.Fatalf("event %d is not a whole order: %+v", i, *e)
		}
	}
}

// realFolder finds the recorded flow beside the repository.
func realFolder() (string, bool) {
	at, err := os.Getwd()
	if err != nil {
		return "", false
	}
	for at != filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, "go.mod")); err == nil {
			folder := filepath.Join(at, "..", "shared", "data", "orderflow")
			_, err := os.Stat(folder)
			return folder, err == nil
		}
		at = filepath.Dir(at)
	}
	return "", false
}
