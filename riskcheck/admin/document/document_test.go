package document_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
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
		Calendar: 2, AverageDailyVolume: 40_000_000 * order.QtyOne, Outstanding: 10_500_000_000 * order.QtyOne,
		MarginBps: 2500, FeeBps: 2, AllowDisplayQty: true,
		OrdTypes:     riskcheck.AllowLimit | riskcheck.AllowMarket | riskcheck.AllowStop | riskcheck.AllowStopLimit,
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
	if second.Class != 7 || !second.ReplaceOpenQty || second.MarginBps != 1250 || second.FeeBps != 0 {
		t.Errorf("second instrument is %+v, want class 7, open quantities and a margin of 1,250", second)
	}
	firm := riskcheck.Firm{ID: 1, Currency: riskcheck.CurrencyOf("USD"), FxMaxAgeNs: 3600e9}
	if ref.Data.Firm != firm || ref.Data.Accounts[1].SelfMatch != 5 {
		t.Errorf("firm is %+v, account A-02 %+v; want rates for an hour and self-match group 5", ref.Data.Firm, ref.Data.Accounts[1])
	}
	if got := ref.Data.Strategies; len(got) != 2 || got[1].ID != 42 || ref.Names.ClassName(ref.Data.Classes[1].ID) != "shares" {
		t.Errorf("strategies are %v, classes %v", got, ref.Data.Classes)
	}
	if id, ok := ref.Names.Calendar("CME"); !ok || id != 1 || ref.Names.CalendarName(2) != "NYSE" {
		t.Errorf("calendar CME is %d (%v), 2 is %q", id, ok, ref.Names.CalendarName(2))
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
	read := map[riskcheck.LimitKind]bool{}
	for _, e := range limits.Set.Entries {
		read[e.Kind] = true
	}
	for _, kind := range riskcheck.LimitKinds() {
		if !read[kind] {
			t.Errorf("limits.yaml does not state %s; want every kind there is", kind)
		}
	}
	for _, want := range wantedLimits() {
		if !contains(limits.Set.Entries, want) {
			t.Errorf("limits lack %+v", want)
		}
	}
}

// wantedLimits are limits of testdata/limits.yaml, at least one of each unit and
// of each form.
func wantedLimits() []riskcheck.LimitEntry {
	firm := order.Scope{Type: order.ScopeFirm, ID: 1}
	account := order.Scope{Type: order.ScopeAccount, ID: 11}
	amzn := order.Scope{Type: order.ScopeAccount, ID: 11, Instrument: 101}
	other := order.Scope{Type: order.ScopeAccount, ID: 13}
	crude := order.Scope{Type: order.ScopeAccount, ID: 13, Class: 7}
	session := order.Scope{Type: order.ScopeSession, ID: 31}
	vwap := order.Scope{Type: order.ScopeStrategy, ID: 41}
	both := riskcheck.PermitBuy | riskcheck.PermitSell
	half := int64(60_000_000*order.MoneyOne + order.MoneyOne/2)
	return []riskcheck.LimitEntry{
		{Scope: firm, Kind: riskcheck.LimitPermission, Value: riskcheck.PermitDeny},
		{Scope: firm, Kind: riskcheck.LimitMaxOrderQty, Value: int64(10000 * order.QtyOne), Watch: 75, Warn: 90},
		{Scope: firm, Kind: riskcheck.LimitCollarBps, Value: 500},
		{Scope: firm, Kind: riskcheck.LimitCollarFarBps, Value: 3000},
		{Scope: firm, Kind: riskcheck.LimitMessagesPerSecond, Value: 500, Watch: 75, Warn: 90},
		{Scope: firm, Kind: riskcheck.LimitMessagesPerMinute, Value: order.Unlimited, Watch: 75, Warn: 90},
		{Scope: firm, Kind: riskcheck.LimitOrdersAndCancelsPerSecond, Value: 900},
		{Scope: firm, Kind: riskcheck.LimitNetExposure, Value: half, Watch: 75, Warn: 90},
		{Scope: firm, Kind: riskcheck.LimitMarketProtectionBps, Value: 200},
		{Scope: firm, Kind: riskcheck.LimitParticipationBps, Value: 500, Watch: 75, Warn: 90},
		{Scope: firm, Kind: riskcheck.LimitDuplicateWindow, Value: 1e9},
		{Scope: firm, Kind: riskcheck.LimitShortSelling, Value: riskcheck.ShortLocate},
		{Scope: firm, Kind: riskcheck.LimitTurnoverPerDay, Value: int64(20_000_000 * order.MoneyOne), Watch: 50},
		{
			Scope: firm, Kind: riskcheck.LimitDailyLoss, Value: int64(100_000 * order.MoneyOne),
			Watch: 75, Warn: 90, Act: riskcheck.ActKill,
		},
		{
			Scope: firm, Kind: riskcheck.LimitDailyLossFromPeak, Value: int64(50_000 * order.MoneyOne),
			Watch: 75, Warn: 90, Act: riskcheck.ActReduceOnly,
		},
		{Scope: firm, Kind: riskcheck.LimitDailyLossKill, Value: int64(200_000 * order.MoneyOne)},
		{Scope: firm, Kind: riskcheck.LimitOrderToTrade, Value: 45_000},
		{Scope: firm, Kind: riskcheck.LimitSelfMatch, Value: riskcheck.SelfMatchCancel},
		{Scope: firm, Kind: riskcheck.LimitConsecutiveRejectsWindow, Value: 10e9},
		{Scope: amzn, Kind: riskcheck.LimitPositionShort, Value: int64(order.QtyOne / 2), Watch: 75, Warn: 90},
		{Scope: amzn, Kind: riskcheck.LimitCollarTicks, Value: 50},
		{Scope: amzn, Kind: riskcheck.LimitPermitListed, Value: both},
		{Scope: account, Kind: riskcheck.LimitPermission, Value: riskcheck.PermitAllowOnly},
		{Scope: account, Kind: riskcheck.LimitCollarAbs, Value: int64(order.PriceOne / 4)},
		{Scope: account, Kind: riskcheck.LimitOpenOrders, Value: 0, Watch: 75, Warn: 90},
		{
			Scope: other, Kind: riskcheck.LimitOpenOrders, Value: 20, Watch: 75, Warn: 90, Act: riskcheck.ActReduceOnly,
		},
		{Scope: crude, Kind: riskcheck.LimitPermitListed, Value: riskcheck.PermitBuy},
		{
			Scope: crude, Kind: riskcheck.LimitPositionLong, Value: int64(30 * order.QtyOne), Watch: 75, Warn: 90,
			Until: 1_796_137_200e9, Then: int64(10 * order.QtyOne),
		},
		{Scope: crude, Kind: riskcheck.LimitOrderToTradeVolume, Value: 122_500},
		{Scope: vwap, Kind: riskcheck.LimitShortSelling, Value: order.Unlimited},
		{Scope: vwap, Kind: riskcheck.LimitSelfMatch, Value: order.Unlimited},
		{Scope: session, Kind: riskcheck.LimitMessagesCutPerSecond, Value: 1000},
		{Scope: session, Kind: riskcheck.LimitCancelsPerSecond, Value: 100},
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
	group := order.Scope{Type: order.ScopeGroup, ID: 1}
	crude := order.Scope{Type: order.ScopeGroup, ID: 1, Class: 7}
	from := riskcheck.LimitSet{Entries: []riskcheck.LimitEntry{
		{Scope: firm, Kind: riskcheck.LimitOpenOrders, Value: 5, Watch: 75, Warn: 90},
		{Scope: firm, Kind: riskcheck.LimitMaxOrderQty, Value: int64(order.QtyOne)},
		{Scope: firm, Kind: riskcheck.LimitOpenNotional, Value: 7},
		{Scope: group, Kind: riskcheck.LimitOpenOrders, Value: 5, Watch: 75, Warn: 90},
		{Scope: crude, Kind: riskcheck.LimitOpenOrders, Value: 5, Watch: 75, Warn: 90},
	}}
	to := riskcheck.LimitSet{Entries: []riskcheck.LimitEntry{
		{Scope: firm, Kind: riskcheck.LimitOpenNotional, Value: 7},
		{Scope: firm, Kind: riskcheck.LimitOpenOrders, Value: order.Unlimited, Watch: 75, Warn: 90},
		{Scope: firm, Kind: riskcheck.LimitPermission, Value: riskcheck.PermitDeny},
		{Scope: group, Kind: riskcheck.LimitOpenOrders, Value: 5, Watch: 75, Warn: 90, Act: riskcheck.ActKill},
		{Scope: crude, Kind: riskcheck.LimitOpenOrders, Value: 5, Watch: 75, Warn: 90, Until: 1_796_137_200e9, Then: 3},
	}}
	var got []string
	for _, c := range document.Diff(&from, &to, names) {
		got = append(got, c.Kind.String()+" "+c.Old.Format()+" → "+c.New.Format())
	}
	want := "permission  → deny; maxOrderQty {limit: 1, watch: none, warn: none} → ; openOrders 5 → unlimited; " +
		"openOrders 5 → {limit: 5, act: kill}; openOrders 5 → {limit: 5, until: 2026-12-01T15:00:00Z, then: 3}"
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
		text, instrument, class, wrong, described string
		want                                      order.Scope
	}{
		{text: "firm", want: order.Scope{Type: order.ScopeFirm, ID: 1}, described: "firm"},
		{text: "firm/ACME", want: order.Scope{Type: order.ScopeFirm, ID: 1}, described: "firm"},
		{
			text: "account/NO", instrument: "AMZN", described: "account/NO × AMZN",
			want: order.Scope{Type: order.ScopeAccount, ID: 13, Instrument: 101},
		},
		{
			text: "strategy/vwap", class: "crude", described: "strategy/vwap × class crude",
			want: order.Scope{Type: order.ScopeStrategy, ID: 41, Class: 7},
		},
		{text: "trader/007", want: order.Scope{Type: order.ScopeTrader, ID: 22}, described: "trader/007"},
		{text: "account/A-99", wrong: `unknown account "A-99"`},
		{text: "strategy/x", wrong: `unknown strategy "x"`},
		{text: "account/A-01", instrument: "XYZ", wrong: `unknown instrument "XYZ"`},
		{text: "account/A-01", class: "gas", wrong: `unknown class "gas"`},
		{text: "account/A-01", class: "crude", instrument: "CLZ6", wrong: "want one of them"},
		{text: "account", wrong: "want firm, group/NAME"},
		{text: "desk/G1", wrong: "want firm, group/NAME"},
		{text: "", wrong: "want firm, group/NAME"},
	} {
		got, err := names.ParseScope(c.text)
		if err == nil {
			got, err = names.Narrow(got, c.instrument, c.class)
		}
		switch {
		case c.wrong == "" && (err != nil || got != c.want || names.Describe(got) != c.described):
			t.Errorf("scope %q × %q%q is %+v (%v), want %+v", c.text, c.instrument, c.class, got, err, c.want)
		case c.wrong != "" && (err == nil || !strings.Contains(err.Error(), c.wrong)):
			t.Errorf("scope %q × %q%q: error is %v, want %q", c.text, c.instrument, c.class, err, c.wrong)
		}
	}
}

// TestTemporaryLimitsEnd reads a limit that ends and looks at it before, at and
// after its end.
func TestTemporaryLimitsEnd(t *testing.T) {
	names := smallReference(t).Names
	text := read(t, "limits.yaml")
	limits, err := document.ParseLimits("limits.yaml", text, names)
	if err != nil {
		t.Fatal(err)
	}
	const end = 1_796_137_200e9
	if err := limits.CheckEnds(end - 1); err != nil {
		t.Errorf("before its end: %v", err)
	}
	line := bytes.Count(text[:bytes.Index(text, []byte("until:"))], []byte("\n")) + 1
	want := fmt.Sprintf("limits.yaml:%d:21: spec.limits[4].positionLong.until is 2026-12-01T15:00:00Z, which is past", line)
	if err := limits.CheckEnds(end); err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("at its end: %v, want %s", err, want)
	}
	if limits.Revert(end-1) != limits {
		t.Error("before its end a limit has reverted")
	}
	reverted := limits.Revert(end)
	var changes []string
	for _, c := range document.Diff(&limits.Set, &reverted.Set, names) {
		changes = append(changes, names.Describe(c.Scope)+": "+c.New.Format())
	}
	if got := strings.Join(changes, "; "); got != "account/NO × class crude: 10" {
		t.Errorf("reverting changes %q, want account/NO × class crude to 10", got)
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
