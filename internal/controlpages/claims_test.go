package main

import (
	"fmt"
	"strings"
	"testing"
)

// truePage is a page on which everything is so, with the rows of all cases.
func truePage(rows ...string) string {
	page := strings.Join(rows, "\n") + "\n"
	for i := range casesTotal {
		page += fmt.Sprintf("| C%02d | it happens | [c%02d_x](../riskcheck/testdata/c%02d_x.txt) |\n", i+1, i+1, i+1)
	}
	for i := range incidentsTotal {
		page += fmt.Sprintf("| I%d | it happened | [i%02d_x](../riskcheck/testdata/i%02d_x.txt) |\n", i+1, i+1, i+1)
	}
	return page
}

// stockOfAll has one script for every case, and one test.
func stockOfAll(t *testing.T) *holdings {
	t.Helper()
	files := tree("order/x_test.go", "package order\n\nfunc TestX() {}\n")
	for i := range casesTotal {
		files[fmt.Sprintf("riskcheck/testdata/c%02d_x.txt", i+1)] = files["order/x_test.go"]
	}
	for i := range incidentsTotal {
		files[fmt.Sprintf("riskcheck/testdata/i%02d_x.txt", i+1)] = files["order/x_test.go"]
	}
	h, err := takeStock(files)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestClaimsThatAreSo(t *testing.T) {
	page := truePage(
		"`POSITION` and `LOCATE`, `positionLong`, `reduceOnly`, `dailyLoss`, `unlimited`; `order.Decision` in `docs/x.md`.",
		"| clause | asks | answer | shown by |", "|---|---|---|---|",
		"| 1 | that | `POSITION` | [c01_x](../riskcheck/testdata/c01_x.txt) |",
		"| 2 | that | by design | [TestX](../order/x_test.go) |",
		"| 3 | that | Out of scope: paper | |",
	)
	if problems := checkClaims(page, stockOfAll(t)); len(problems) != 0 {
		t.Errorf("found %q", problems)
	}
}

func TestClaimsThatAreNotSo(t *testing.T) {
	for row, want := range map[string]string{
		"`POSITIONS`":    "`POSITIONS` is no control",
		"`positionWide`": "`positionWide` is no control",
		"[c01_y](../riskcheck/testdata/c01_x.txt)":                               "there is no script c01_y",
		"[c99_x](../riskcheck/testdata/c99_x.txt)":                               "there is no script c99_x",
		"[TestY](../order/x_test.go)":                                            "there is no test TestY",
		"| 1 | that | `POSITION` | |":                                            "nothing shows 1",
		"| 2 | that | Out of scope | [c01_x](../riskcheck/testdata/c01_x.txt) |": "2 is out of scope, and something",
		"| C01 | again | [c01_x](../riskcheck/testdata/c01_x.txt) |":             "C01 has a second row",
		"| I3 | it | [c01_x](../riskcheck/testdata/c01_x.txt) |":                 "I3 lists the scripts [c01_x], and",
		"| C66 | it | |": "C66 has no script",
	} {
		problems := checkClaims(truePage(row), stockOfAll(t))
		if !strings.Contains(strings.Join(problems, "\n"), want) {
			t.Errorf("%s: found %q, want %q", row, problems, want)
		}
	}
}

// TestEveryCaseNeedsItsRowAndItsScript takes one of either away.
func TestEveryCaseNeedsItsRowAndItsScript(t *testing.T) {
	h := stockOfAll(t)
	page := strings.Replace(truePage(), "| C07 |", "| c07 |", 1)
	if problems := checkClaims(page, h); len(problems) != 1 || problems[0] != "C07 has no row" {
		t.Errorf("found %q, want that C07 has no row", problems)
	}
	delete(h.scripts, "i13_x")
	problems := strings.Join(checkClaims(truePage(), h), "\n")
	if !strings.Contains(problems, "I13 has no script") {
		t.Errorf("found %q, want that I13 has no script", problems)
	}
}
