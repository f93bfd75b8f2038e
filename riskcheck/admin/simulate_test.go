package admin_test

import (
	"slices"
	"testing"

	"google.golang.org/grpc/codes"

	"tollgate/order"
	adminv1 "tollgate/proto/tollgate/admin/v1"
	"tollgate/riskcheck/admin/admintest"
)

func simulated() *adminv1.SimulateRequest {
	return &adminv1.SimulateRequest{
		Session: "S1", Account: "A-01", Trader: "T1", Instrument: "AMZN", Side: "buy", Qty: "100", Price: "200",
	}
}

// TestSimulationShowsEveryControl simulates an order that passes, and one that
// several limits refuse.
func TestSimulationShowsEveryControl(t *testing.T) {
	p := admintest.New(t)
	client, _ := serve(t, p)
	before := p.StateHash()
	resp, err := client.Simulate(soon(t), simulated())
	if err != nil {
		t.Fatal(err)
	}
	if !resp.GetAccepted() || resp.GetReason() != "NONE" || resp.GetPrice() != "200" || resp.GetNotional() != "20000" ||
		resp.GetReferencePrice() != "200" || resp.GetResourceVersion() != 1 || resp.GetFirmCurrency() != "USD" {
		t.Errorf("simulation is %v, want it accepted at 200", resp)
	}
	var seen, want []string
	for _, c := range resp.GetChecks() {
		if c.GetDecides() || c.GetResult() != adminv1.CheckResult_CHECK_RESULT_PASSED {
			t.Errorf("step is %v, want it to pass", c)
		}
		if len(seen) == 0 || seen[len(seen)-1] != c.GetControl() {
			seen = append(seen, c.GetControl())
		}
	}
	for _, control := range order.Controls() {
		if control != order.ControlBasket { // of lists alone
			want = append(want, control.String())
		}
	}
	if !slices.Equal(seen, want) {
		t.Errorf("the trace has %v, want %v", seen, want)
	}
	large := simulated()
	large.Qty = "20000"
	resp, err = client.Simulate(soon(t), large)
	if err != nil {
		t.Fatal(err)
	}
	if resp.GetAccepted() || resp.GetReason() != "MAX_ORDER_QTY" || resp.GetControl() != "MAX_ORDER_QTY" ||
		resp.GetValue() != "20000" || resp.GetLimit() != "10000" || resp.GetScope().GetType() != adminv1.ScopeType_SCOPE_TYPE_FIRM {
		t.Errorf("simulation is %v, want it refused for its size", resp)
	}
	deciding, refusing := 0, 0
	for _, c := range resp.GetChecks() {
		if c.GetDecides() {
			deciding++
			if c.GetKind() != "maxOrderQty" || c.GetHeadroom() != "-10000" || c.GetReason() != "MAX_ORDER_QTY" {
				t.Errorf("the deciding step is %v, want 10,000 too many", c)
			}
		}
		if c.GetResult() == adminv1.CheckResult_CHECK_RESULT_REFUSED {
			refusing++
		}
	}
	if deciding != 1 || refusing < 2 {
		t.Errorf("%d steps decide and %d refuse, want one, and others after it", deciding, refusing)
	}
	if p.StateHash() != before {
		t.Error("a simulation has changed the state")
	}
}

func TestSimulationOfAReplace(t *testing.T) {
	p := admintest.New(t)
	client, _ := serve(t, p)
	wantReason(t, p, admintest.Order{Instrument: amzn, Side: order.SideBuy, Qty: 100, Price: 200}, order.ReasonNone)
	before := p.StateHash()
	replace := simulated()
	replace.Qty, replace.ReplacesClOrdId = "601", 1
	resp, err := client.Simulate(soon(t), replace)
	if err != nil || resp.GetReason() != "POSITION_LONG" || resp.GetScope().GetInstrument() != "AMZN" {
		t.Errorf("simulation is %v (%v), want the position refused", resp, err)
	}
	replace.ReplacesClOrdId = 77
	if resp, err = client.Simulate(soon(t), replace); err != nil || resp.GetReason() != "UNKNOWN_ORDER" {
		t.Errorf("simulation is %v (%v), want the order unknown", resp, err)
	}
	if p.StateHash() != before {
		t.Error("a simulation has changed the state")
	}
}

func TestWrongSimulationsSayWhatIsWrong(t *testing.T) {
	client, _ := serve(t, admintest.New(t))
	for _, c := range []struct {
		text   string
		code   codes.Code
		change func(r *adminv1.SimulateRequest)
	}{
		{`session: unknown session "S9"`, codes.NotFound, func(r *adminv1.SimulateRequest) { r.Session = "S9" }},
		{`account: unknown account ""`, codes.NotFound, func(r *adminv1.SimulateRequest) { r.Account = "" }},
		{`trader: unknown trader "T9"`, codes.NotFound, func(r *adminv1.SimulateRequest) { r.Trader = "T9" }},
		{`strategy: unknown strategy "x"`, codes.NotFound, func(r *adminv1.SimulateRequest) { r.Strategy = "x" }},
		{`unknown instrument "X"`, codes.NotFound, func(r *adminv1.SimulateRequest) { r.Instrument = "X" }},
		{`side: "long", want one of: buy, sell`, codes.InvalidArgument, func(r *adminv1.SimulateRequest) { r.Side = "long" }},
		{"order_type: ", codes.InvalidArgument, func(r *adminv1.SimulateRequest) { r.OrderType = "peg" }},
		{"time_in_force: ", codes.InvalidArgument, func(r *adminv1.SimulateRequest) { r.TimeInForce = "now" }},
		{`qty: ""`, codes.InvalidArgument, func(r *adminv1.SimulateRequest) { r.Qty = "" }},
		{`price: "high"`, codes.InvalidArgument, func(r *adminv1.SimulateRequest) { r.Price = "high" }},
		{"stop_px: ", codes.InvalidArgument, func(r *adminv1.SimulateRequest) { r.StopPx = "x" }},
		{"display_qty: ", codes.InvalidArgument, func(r *adminv1.SimulateRequest) { r.DisplayQty = "x" }},
	} {
		request := simulated()
		c.change(request)
		_, err := client.Simulate(soon(t), request)
		wantCode(t, err, c.code, c.text)
	}
}

// TestOrdersShowWhereTheyCount sends two orders of a strategy and looks at what
// each takes of every scope.
func TestOrdersShowWhereTheyCount(t *testing.T) {
	p := admintest.New(t)
	client, _ := serve(t, p)
	first := wantReason(t, p, admintest.Order{
		Instrument: amzn, Side: order.SideBuy, Qty: 100, Price: 200, Strategy: 41,
	}, order.ReasonNone)
	wantReason(t, p, admintest.Order{Instrument: amzn, Side: order.SideBuy, Qty: 50, Price: 200}, order.ReasonNone)
	orders, err := client.ListOrders(soon(t), &adminv1.ListOrdersRequest{Scope: accountScope("A-01", "AMZN"), MaxOrders: 1})
	if err != nil || len(orders.GetOrders()) != 1 || orders.GetLiveOrders() != 2 {
		t.Fatalf("orders are %v (%v), want one of two", orders, err)
	}
	resp, err := client.DescribeOrder(soon(t), &adminv1.DescribeOrderRequest{OrderId: uint64(first.OrderID)})
	if err != nil {
		t.Fatal(err)
	}
	if o := resp.GetOrder(); o.GetStrategy() != "vwap" || o.GetReservedQty() != "100" || o.GetReservedNotional() != "20000" ||
		o.GetSide() != "buy" || o.GetStatus() != "new" || o.GetPrice() != "200" || o.GetStopPx() != "" {
		t.Errorf("order is %v", o)
	}
	var got []string
	for _, h := range resp.GetHolds() {
		s := h.GetScope()
		got = append(got, s.GetName()+s.GetInstrument()+s.GetClass()+" "+h.GetQty()+"/"+h.GetOpenQty()+" "+
			h.GetNotional()+"/"+h.GetOpenNotional())
	}
	whole, part := " / 20000/30000", " 100/150 20000/30000"
	want := []string{
		"ACME" + whole, "ACMEshares" + part, "ACMEAMZN" + part, "G1" + whole, "G1shares" + part, "G1AMZN" + part,
		"A-01" + whole, "A-01shares" + part, "A-01AMZN" + part, "T1" + whole, "T1shares" + part, "T1AMZN" + part,
		"S1" + whole, "S1shares" + part, "S1AMZN" + part,
		"vwap / 20000/20000", "vwapshares 100/100 20000/20000", "vwapAMZN 100/100 20000/20000",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the order counts at\n%q, want\n%q", got, want)
	}
	named, err := client.DescribeOrder(soon(t), &adminv1.DescribeOrderRequest{Session: "S1", ClOrdId: 1})
	if err != nil || named.GetOrder().GetOrderId() != uint64(first.OrderID) {
		t.Errorf("by its ClOrdID the order is %v (%v)", named.GetOrder(), err)
	}
	for _, c := range []struct {
		request *adminv1.DescribeOrderRequest
		code    codes.Code
		text    string
	}{
		{&adminv1.DescribeOrderRequest{OrderId: 999}, codes.NotFound, "order 999 is neither live nor remembered"},
		{&adminv1.DescribeOrderRequest{Session: "S2", ClOrdId: 1}, codes.NotFound, "no live order with ClOrdID 1"},
		{&adminv1.DescribeOrderRequest{Session: "S9", ClOrdId: 1}, codes.NotFound, `unknown session "S9"`},
		{&adminv1.DescribeOrderRequest{ClOrdId: 1}, codes.InvalidArgument, "want the number of an order"},
	} {
		_, err := client.DescribeOrder(soon(t), c.request)
		wantCode(t, err, c.code, c.text)
	}
	_, err = client.ListOrders(soon(t), &adminv1.ListOrdersRequest{Scope: accountScope("A-01", ""), MaxOrders: 1001})
	wantCode(t, err, codes.InvalidArgument, "want at most 1000")
}

// TestClassesAddUp looks at the class of two instruments.
func TestClassesAddUp(t *testing.T) {
	p := admintest.New(t)
	client, _ := serve(t, p)
	rate := &adminv1.SetFxRateRequest{Currency: "EUR", Rate: "1.1", Reason: "r", Actor: "a"}
	if _, err := client.SetFxRate(soon(t), rate); err != nil {
		t.Fatal(err)
	}
	wantReason(t, p, admintest.Order{Instrument: amzn, Side: order.SideBuy, Qty: 10, Price: 200}, order.ReasonNone)
	wantReason(t, p, admintest.Order{Instrument: sap, Side: order.SideBuy, Qty: 20, Price: 150}, order.ReasonNone)
	wantReason(t, p, admintest.Order{Instrument: esz6, Side: order.SideBuy, Qty: 1, Price: 5000}, order.ReasonNone)
	exposure, err := client.GetExposure(soon(t), &adminv1.GetExposureRequest{Scope: accountScope("A-01", "")})
	if err != nil {
		t.Fatal(err)
	}
	if classes := exposure.GetScopes()[0].GetClasses(); len(classes) != 1 || classes[0].GetClass() != "shares" ||
		classes[0].GetOpenBuyQty() != "30" || classes[0].GetOpenOrders() != 2 || classes[0].GetOpenBuyNotional() != "5300" {
		t.Errorf("classes are %v, want 30 shares worth 2000 + 3300", classes)
	}
	scope := accountScope("A-01", "")
	scope.Class = "shares"
	exposure, err = client.GetExposure(soon(t), &adminv1.GetExposureRequest{Scope: scope})
	if err != nil || exposure.GetScopes()[0].GetOpenOrders() != 2 || len(exposure.GetScopes()[0].GetInstruments()) != 2 {
		t.Errorf("exposure of the class is %v (%v), want both of its instruments", exposure, err)
	}
	narrow, err := client.GetExposure(soon(t), &adminv1.GetExposureRequest{Instrument: "SAP", OnlyUsed: true})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, m := range narrow.GetScopes() {
		names = append(names, m.GetScope().GetName()+m.GetScope().GetInstrument())
	}
	if !slices.Equal(names, []string{"ACMESAP", "G1SAP", "A-01SAP"}) {
		t.Errorf("SAP is held by %v, want the firm, the group and the account", names)
	}
}
