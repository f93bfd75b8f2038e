package document_test

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tollgate/order"
	"tollgate/riskcheck"
	"tollgate/riskcheck/admin/document"
)

var rewrite = flag.Bool("rewrite", false, "write the golden files instead of comparing with them")

// golden compares text with a file in testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *rewrite {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want := read(t, name)
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs; got:\n%s\nwant:\n%s", name, got, want)
	}
}

func read(t testing.TB, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func smallReference(t testing.TB) *document.Reference {
	t.Helper()
	ref, err := document.ParseReference("reference.yaml", read(t, "reference.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return ref
}

func TestReferenceReadsEveryField(t *testing.T) {
	ref := smallReference(t)
	want := riskcheck.Instrument{
		ID: 101, Currency: riskcheck.CurrencyOf("USD"), Tick: order.PriceOne / 100, Lot: order.QtyOne,
		MinQty: order.QtyOne, MaxQty: 1000 * order.QtyOne, Multiplier: order.MultiplierOne,
		Settlement: 22350 * order.PriceOne / 100, LowLimit: 100 * order.PriceOne, HighLimit: 400 * order.PriceOne,
		ReferenceMaxAgeNs: 5e9, Tradable: true,
		OrdTypes:     riskcheck.AllowLimit | riskcheck.AllowMarket,
		TimesInForce: riskcheck.AllowDay | riskcheck.AllowGTC | riskcheck.AllowIOC | riskcheck.AllowFOK,
		Sides:        riskcheck.AllowBuy | riskcheck.AllowSell | riskcheck.AllowSellShort,
	}
	if got := ref.Data.Instruments[0]; got != want {
		t.Errorf("first instrument is %+v, want %+v", got, want)
	}
	second := ref.Data.Instruments[1]
	if second.MaxQty != order.Unlimited || second.ReferenceMaxAgeNs != order.Unlimited || second.Settlement != order.Null {
		t.Errorf("second instrument is %+v, want unlimited quantity and age and no settlement", second)
	}
	if got := ref.Data.Traders[1].Accounts; len(got) != 1 || got[0] != 13 {
		t.Errorf("accounts of trader 007 are %v, want the account called NO", got)
	}
	if ref.ResourceVersion != 3 || ref.Name != "small" {
		t.Errorf("metadata is %+v, want small in version 3", ref.Metadata)
	}
}

func TestRenderedReferenceIsCanonical(t *testing.T) {
	rendered := smallReference(t).Render()
	golden(t, "reference.golden", rendered)
	again, err := document.ParseReference("rendered", rendered)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(again.Render(), rendered) {
		t.Errorf("rendering twice gives\n%s\nwant\n%s", again.Render(), rendered)
	}
}

func TestLimitsReadEveryKind(t *testing.T) {
	limits, err := document.ParseLimits("limits.yaml", read(t, "limits.yaml"), smallReference(t).Names)
	if err != nil {
		t.Fatal(err)
	}
	account := order.Scope{Type: order.ScopeAccount, ID: 11}
	at := func(s order.Scope, instrument order.InstrumentID) order.Scope {
		s.Instrument = instrument
		return s
	}
	firm := order.Scope{Type: order.ScopeFirm, ID: 1}
	for _, want := range []riskcheck.LimitEntry{
		{Scope: firm, Kind: riskcheck.LimitPermission, Value: riskcheck.PermitDeny},
		{Scope: firm, Kind: riskcheck.LimitMaxOrderQty, Value: int64(10000 * order.QtyOne)},
		{Scope: firm, Kind: riskcheck.LimitMaxOrderNotional, Value: int64(5_000_000 * order.MoneyOne)},
		{Scope: firm, Kind: riskcheck.LimitCollarBps, Value: 500},
		{Scope: firm, Kind: riskcheck.LimitCollarFarBps, Value: 3000},
		{Scope: firm, Kind: riskcheck.LimitMessagesPerSecond, Value: 500},
		{Scope: firm, Kind: riskcheck.LimitMessagesPerMinute, Value: order.Unlimited},
		{Scope: firm, Kind: riskcheck.LimitMessagesPerDay, Value: 1_000_000},
		{Scope: firm, Kind: riskcheck.LimitOpenOrders, Value: 100_000},
		{Scope: firm, Kind: riskcheck.LimitOpenNotional, Value: int64(50_000_000 * order.MoneyOne)},
		{Scope: firm, Kind: riskcheck.LimitPositionLong, Value: order.Unlimited},
		{Scope: firm, Kind: riskcheck.LimitGrossExposure, Value: int64(100_000_000 * order.MoneyOne)},
		{Scope: firm, Kind: riskcheck.LimitNetExposure, Value: int64(60_000_000*order.MoneyOne + order.MoneyOne/2)},
		{Scope: at(account, 101), Kind: riskcheck.LimitPositionShort, Value: int64(order.QtyOne / 2)},
		{Scope: at(account, 101), Kind: riskcheck.LimitCollarTicks, Value: 50},
		{Scope: at(account, 101), Kind: riskcheck.LimitPermitListed, Value: riskcheck.PermitBuy | riskcheck.PermitSell},
		{Scope: at(account, 102), Kind: riskcheck.LimitPermitListed, Value: riskcheck.PermitSell},
		{Scope: account, Kind: riskcheck.LimitPermission, Value: riskcheck.PermitAllowOnly},
		{Scope: account, Kind: riskcheck.LimitCollarAbs, Value: int64(order.PriceOne / 4)},
		{Scope: account, Kind: riskcheck.LimitOpenOrders, Value: 0},
		{Scope: order.Scope{Type: order.ScopeSession, ID: 31}, Kind: riskcheck.LimitMessagesCutPerSecond, Value: 1000},
		{Scope: order.Scope{Type: order.ScopeSession, ID: 31}, Kind: riskcheck.LimitCancelsPerSecond, Value: 100},
		{Scope: order.Scope{Type: order.ScopeSession, ID: 31}, Kind: riskcheck.LimitCancelsCutPerSecond, Value: 200},
	} {
		if !contains(limits.Set.Entries, want) {
			t.Errorf("limits lack %s %+v = %d", want.Kind, want.Scope, want.Value)
		}
	}
}

func contains(entries []riskcheck.LimitEntry, want riskcheck.LimitEntry) bool {
	for _, e := range entries {
		if e == want {
			return true
		}
	}
	return false
}

func TestRenderedLimitsAreCanonical(t *testing.T) {
	names := smallReference(t).Names
	limits, err := document.ParseLimits("limits.yaml", read(t, "limits.yaml"), names)
	if err != nil {
		t.Fatal(err)
	}
	rendered := limits.Render(names)
	golden(t, "limits.golden", rendered)
	again, err := document.ParseLimits("rendered", rendered, names)
	if err != nil {
		t.Fatal(err)
	}
	if got := document.Diff(&limits.Set, &again.Set, names); len(got) != 0 {
		t.Errorf("reading the rendered document back changes %+v", got)
	}
}

// TestProblemsAreFoundAllAtOnce compares everything that is wrong with the
// documents testdata/wrong_*.yaml with golden files.
func TestProblemsAreFoundAllAtOnce(t *testing.T) {
	names := smallReference(t).Names
	files, err := filepath.Glob("testdata/wrong_*.yaml")
	if err != nil || len(files) < 8 {
		t.Fatalf("found %d wrong documents (%v), want the whole collection", len(files), err)
	}
	for _, file := range files {
		name := filepath.Base(file)
		t.Run(name, func(t *testing.T) {
			var err error
			if strings.Contains(name, "reference") {
				_, err = document.ParseReference(name, read(t, name))
			} else {
				_, err = document.ParseLimits(name, read(t, name), names)
			}
			var problems document.Problems
			if !errors.As(err, &problems) {
				t.Fatalf("error is %v, want problems", err)
			}
			golden(t, strings.TrimSuffix(name, ".yaml")+".golden", []byte(problems.Error()+"\n"))
		})
	}
}

func TestProblemsAreBounded(t *testing.T) {
	head := "apiVersion: tollgate/v1\nkind: Limits\nmetadata: {name: x}\nspec:\n  limits:\n"
	text := head + strings.Repeat("    - {scope: firm, nonsense: 1}\n", 1000)
	_, err := document.ParseLimits("many.yaml", []byte(text), smallReference(t).Names)
	var problems document.Problems
	if !errors.As(err, &problems) || len(problems) != 101 {
		t.Fatalf("got %d problems, want 100 and one line about the rest", len(problems))
	}
	if last := problems[100].Message; !strings.Contains(last, "900 more problems") {
		t.Errorf("last problem is %q, want the number of problems left out", last)
	}
	_, err = document.ParseLimits("large.yaml", make([]byte, document.BytesMax+1), smallReference(t).Names)
	if !errors.As(err, &problems) || !strings.Contains(problems[0].Message, "bytes") {
		t.Errorf("error is %v, want the document refused for its size", err)
	}
}

func TestDiffNamesEveryChange(t *testing.T) {
	names := smallReference(t).Names
	firm := order.Scope{Type: order.ScopeFirm, ID: 1}
	from := riskcheck.LimitSet{Entries: []riskcheck.LimitEntry{
		{Scope: firm, Kind: riskcheck.LimitOpenOrders, Value: 5},
		{Scope: firm, Kind: riskcheck.LimitMaxOrderQty, Value: int64(order.QtyOne)},
		{Scope: firm, Kind: riskcheck.LimitOpenNotional, Value: 7},
	}}
	to := riskcheck.LimitSet{Entries: []riskcheck.LimitEntry{
		{Scope: firm, Kind: riskcheck.LimitOpenNotional, Value: 7},
		{Scope: firm, Kind: riskcheck.LimitOpenOrders, Value: order.Unlimited},
		{Scope: firm, Kind: riskcheck.LimitPermission, Value: riskcheck.PermitDeny},
	}}
	var got []string
	for _, c := range document.Diff(&from, &to, names) {
		got = append(got, c.Kind.String()+" "+c.Old.Format(c.Kind)+" → "+c.New.Format(c.Kind))
	}
	want := "permission  → deny; maxOrderQty 1 → ; openOrders 5 → unlimited"
	if strings.Join(got, "; ") != want {
		t.Errorf("diff is %q, want %q", strings.Join(got, "; "), want)
	}
}

func TestKindOf(t *testing.T) {
	for _, c := range []struct{ file, want string }{{"limits.yaml", "Limits"}, {"reference.yaml", "Reference"}} {
		if kind, err := document.KindOf(c.file, read(t, c.file)); err != nil || string(kind) != c.want {
			t.Errorf("kind of %s is %q (%v), want %q", c.file, kind, err, c.want)
		}
	}
	if _, err := document.KindOf("pod.yaml", []byte("kind: Pod\n")); err == nil {
		t.Error("kind Pod was taken, want an error")
	}
}

func TestScopes(t *testing.T) {
	names := smallReference(t).Names
	for _, c := range []struct {
		text, instrument, wrong string
		want                    order.Scope
	}{
		{text: "firm", want: order.Scope{Type: order.ScopeFirm, ID: 1}},
		{text: "firm/ACME", want: order.Scope{Type: order.ScopeFirm, ID: 1}},
		{text: "account/NO", instrument: "AMZN", want: order.Scope{Type: order.ScopeAccount, ID: 13, Instrument: 101}},
		{text: "trader/007", want: order.Scope{Type: order.ScopeTrader, ID: 22}},
		{text: "account/A-99", wrong: `unknown account "A-99"`},
		{text: "account/A-01", instrument: "XYZ", wrong: `unknown instrument "XYZ"`},
		{text: "account", wrong: "want firm, group/NAME"},
		{text: "desk/G1", wrong: "want firm, group/NAME"},
		{text: "", wrong: "want firm, group/NAME"},
	} {
		got, err := names.ParseScope(c.text, c.instrument)
		switch {
		case c.wrong == "" && (err != nil || got != c.want):
			t.Errorf("scope %q × %q is %+v (%v), want %+v", c.text, c.instrument, got, err, c.want)
		case c.wrong != "" && (err == nil || !strings.Contains(err.Error(), c.wrong)):
			t.Errorf("scope %q × %q: error is %v, want %q", c.text, c.instrument, err, c.wrong)
		}
	}
}

// FuzzLimits checks that no text makes the parser fail badly, and that what it
// takes survives being rendered and read back.
func FuzzLimits(f *testing.F) {
	names := smallReference(f).Names
	files, _ := filepath.Glob("testdata/*.yaml")
	for _, file := range files {
		f.Add(read(f, filepath.Base(file)))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		limits, err := document.ParseLimits("fuzz.yaml", text, names)
		if err != nil {
			var problems document.Problems
			if !errors.As(err, &problems) || len(problems) == 0 {
				t.Fatalf("error %v is not a list of problems", err)
			}
			return
		}
		rendered := limits.Render(names)
		again, err := document.ParseLimits("again.yaml", rendered, names)
		if err != nil {
			t.Fatalf("rendered document is refused: %v\n%s", err, rendered)
		}
		if changes := document.Diff(&limits.Set, &again.Set, names); len(changes) != 0 {
			t.Fatalf("rendered document changes %+v\n%s", changes, rendered)
		}
		if !bytes.Equal(again.Render(names), rendered) {
			t.Fatalf("rendering is not stable:\n%s\n%s", rendered, again.Render(names))
		}
	})
}

// FuzzReference does the same for reference documents.
func FuzzReference(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.yaml")
	for _, file := range files {
		f.Add(read(f, filepath.Base(file)))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		ref, err := document.ParseReference("fuzz.yaml", text)
		if err != nil {
			return
		}
		rendered := ref.Render()
		again, err := document.ParseReference("again.yaml", rendered)
		if err != nil {
			t.Fatalf("rendered document is refused: %v\n%s", err, rendered)
		}
		if !bytes.Equal(again.Render(), rendered) {
			t.Fatalf("rendering is not stable:\n%s\n%s", rendered, again.Render())
		}
	})
}
