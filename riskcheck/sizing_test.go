package riskcheck_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"tollgate/riskcheck"
)

// TestSizingPage holds the numbers of docs/sizing.md to the engine.
func TestSizingPage(t *testing.T) {
	text, err := os.ReadFile("../docs/sizing.md")
	if err != nil {
		t.Fatal(err)
	}
	engine, err := riskcheck.New(smallConfig())
	if err != nil {
		t.Fatal(err)
	}
	m := engine.Footprint()
	for what, bytes := range map[string]int{
		"an account": m.Account, "an account in an instrument it trades": m.AccountInstrument,
		"an order, open or remembered": m.Order, "a replace or cancel that awaits the venue": m.Pending,
		"an execution, remembered": m.Execution, "a set of limits stated nowhere else": m.Profile,
	} {
		if row := fmt.Sprintf("| %s | %d |", what, bytes); !strings.Contains(string(text), row) {
			t.Errorf("docs/sizing.md does not say %q", row)
		}
	}
	c := riskcheck.DefaultConfig()
	for name, value := range map[string]int{
		"OrdersMax": c.OrdersMax, "ClOrdIDsMax": c.ClOrdIDsMax, "ExecutionsMax": c.ExecutionsMax, "RoutesMax": c.RoutesMax,
		"CellsMax": c.CellsMax, "StampsMax": c.StampsMax, "RecentOrdersMax": c.RecentOrdersMax,
		"AnswersRetained": c.AnswersRetained,
	} {
		if row := fmt.Sprintf("| `%s` | %d |", name, value); !strings.Contains(string(text), row) {
			t.Errorf("docs/sizing.md does not say %q", row)
		}
	}
}
