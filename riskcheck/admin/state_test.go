package admin_test

import (
	"context"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"

	"tollgate/order"
	adminv1 "tollgate/proto/tollgate/admin/v1"
	"tollgate/riskcheck/admin/admintest"
)

const sap = order.InstrumentID(103)

// applied puts the first limits in force with replacements.
func applied(t *testing.T, client adminv1.AdminServiceClient, replacements ...string) {
	t.Helper()
	text := strings.NewReplacer(replacements...).Replace(admintest.LimitsText)
	resp, err := client.ApplyLimits(soon(t), &adminv1.ApplyLimitsRequest{Document: text, Reason: "r", Actor: "a"})
	if err != nil || !resp.GetApplied() {
		t.Fatalf("the limits were not applied: %v (%v)", resp, err)
	}
}

// wantReason sends an order and fails unless it gets the reason.
func wantReason(t *testing.T, p *admintest.Plant, o admintest.Order, want order.Reason) admintest.Order {
	t.Helper()
	sent := p.Send(o)
	if sent.Reason != want {
		t.Errorf("%s %d of instrument %d at %d got %s, want %s", o.Side, o.Qty, o.Instrument, o.Price, sent.Reason, want)
	}
	return sent
}

func TestCashDecidesWhatCanBeBought(t *testing.T) {
	p := admintest.New(t)
	client, _ := serve(t, p)
	applied(t, client, "creditLine: 10000000", "creditLine: 0")
	stream := watch(t, client, &adminv1.WatchRequest{})
	buy := admintest.Order{Instrument: amzn, Side: order.SideBuy, Qty: 100, Price: 200}
	wantReason(t, p, buy, order.ReasonBuyingPower)
	request := &adminv1.SetCashRequest{Account: "A-01", Cash: "25000.5", Reason: "start of day", Actor: "jane"}
	done, err := client.SetCash(soon(t), request)
	if err != nil || done.GetCashBefore() != "0" || done.GetEquityBefore() != "0" || done.GetCurrency() != "USD" {
		t.Fatalf("setting cash gives %v (%v), want nothing before", done, err)
	}
	wantReason(t, p, buy, order.ReasonNone)
	wantReason(t, p, buy, order.ReasonBuyingPower)
	exposure, err := client.GetExposure(soon(t), &adminv1.GetExposureRequest{Scope: accountScope("A-01", "")})
	if err != nil {
		t.Fatal(err)
	}
	// 100 × 200 is paid in full, and a fee of 1 in 10,000 comes on top.
	if c := exposure.GetScopes()[0].GetCash(); c.GetCash() != "25000.5" || c.GetRequired() != "20002" || !c.GetValued() {
		t.Errorf("cash of the account is %v, want 25000.5, of which 20002 is taken", c)
	}
	change := next(t, stream).GetChange()
	if change.GetAction() != "set-cash" || change.GetTarget() != "account/A-01" || change.GetActor() != "jane" ||
		change.GetDetail() != "cash 25000.5 USD, was 0 with an equity of 0" || change.GetAuditId() != done.GetAuditId() {
		t.Errorf("event is %v, want the change of cash", change)
	}
	records := p.Audit()
	if r := records[len(records)-1]; r.Action != "set-cash" || r.Reason != "start of day" || r.Outcome != "done" ||
		r.ID != done.GetAuditId() {
		t.Errorf("audit record is %+v", r)
	}
}

func TestPositionsFromOutsideCount(t *testing.T) {
	p := admintest.New(t)
	client, _ := serve(t, p)
	set := func(qty string) (*adminv1.SetPositionResponse, error) {
		return client.SetPosition(soon(t), &adminv1.SetPositionRequest{
			Account: "A-01", Instrument: "AMZN", Qty: qty, Reason: "books", Actor: "jane",
		})
	}
	if done, err := set("500"); err != nil || done.GetQtyBefore() != "0" {
		t.Fatalf("setting a position gives %v (%v), want 0 before", done, err)
	}
	wantReason(t, p, admintest.Order{Instrument: amzn, Side: order.SideBuy, Qty: 101, Price: 200}, order.ReasonPositionLong)
	wantReason(t, p, admintest.Order{Instrument: amzn, Side: order.SideBuy, Qty: 100, Price: 200}, order.ReasonNone)
	if done, err := set("-20"); err != nil || done.GetQtyBefore() != "500" {
		t.Errorf("setting it again gives %v (%v), want 500 before", done, err)
	}
	_, err := set("10000001")
	wantCode(t, err, codes.FailedPrecondition, "account/A-01 × AMZN")
	latches, err := client.ListLatches(soon(t), &adminv1.ListLatchesRequest{})
	if err != nil || len(latches.GetLatches()) != 1 ||
		latches.GetLatches()[0].GetLatch() != adminv1.Latch_LATCH_IMPLAUSIBLE_POSITION {
		t.Errorf("latches are %v (%v), want one for the position that cannot be", latches, err)
	}
	exposure, err := client.GetExposure(soon(t), &adminv1.GetExposureRequest{Scope: accountScope("A-01", "AMZN")})
	if err != nil || exposure.GetScopes()[0].GetInstruments()[0].GetNetPosition() != "-20" {
		t.Errorf("exposure is %v (%v), want the position as it was set before", exposure, err)
	}
}

func TestLocatesAreTaken(t *testing.T) {
	p := admintest.New(t)
	client, _ := serve(t, p)
	applied(t, client, "shortSelling: free", "shortSelling: locate")
	short := admintest.Order{Instrument: amzn, Side: order.SideSellShort, Qty: 60, Price: 200}
	wantReason(t, p, short, order.ReasonLocate)
	request := &adminv1.SetLocateRequest{Account: "A-01", Instrument: "AMZN", Qty: "100", Reason: "broker", Actor: "jane"}
	if done, err := client.SetLocate(soon(t), request); err != nil || done.GetQtyBefore() != "0" {
		t.Fatalf("setting a locate gives %v (%v), want 0 before", done, err)
	}
	wantReason(t, p, short, order.ReasonNone)
	wantReason(t, p, short, order.ReasonLocate)
	exposure, err := client.GetExposure(soon(t), &adminv1.GetExposureRequest{Scope: accountScope("A-01", "AMZN")})
	if err != nil {
		t.Fatal(err)
	}
	if in := exposure.GetScopes()[0].GetInstruments()[0]; in.GetLocated() != "100" || in.GetShorted() != "60" {
		t.Errorf("AMZN is %v, want 100 located and 60 of it taken", in)
	}
	if done, err := client.SetLocate(soon(t), request); err != nil || done.GetShorted() != "60" {
		t.Errorf("setting it again gives %v (%v), want 60 taken", done, err)
	}
}

func TestRatesMakeForeignInstrumentsTradable(t *testing.T) {
	p := admintest.New(t)
	client, _ := serve(t, p)
	buy := admintest.Order{Instrument: sap, Side: order.SideBuy, Qty: 10, Price: 150}
	wantReason(t, p, buy, order.ReasonFxRateMissing)
	request := &adminv1.SetFxRateRequest{Currency: "EUR", Rate: "1.1", Reason: "fixing", Actor: "jane"}
	if _, err := client.SetFxRate(soon(t), request); err != nil {
		t.Fatal(err)
	}
	wantReason(t, p, buy, order.ReasonNone)
	exposure, err := client.GetExposure(soon(t), &adminv1.GetExposureRequest{Scope: accountScope("A-01", "SAP")})
	if err != nil || exposure.GetScopes()[0].GetOpenBuyNotional() != "1650" {
		t.Errorf("exposure is %v (%v), want 10 × 150 × 1.1 open", exposure, err)
	}
	p.Pass(2 * 3600e9) // rates are good for an hour
	wantReason(t, p, buy, order.ReasonFxRateMissing)
	request.SeenNs = admintest.StartNs
	if _, err := client.SetFxRate(soon(t), request); err != nil {
		t.Fatal(err)
	}
	wantReason(t, p, buy, order.ReasonFxRateMissing)
}

func TestMarketStatesStopOrders(t *testing.T) {
	p := admintest.New(t)
	client, _ := serve(t, p)
	buy := admintest.Order{Instrument: amzn, Side: order.SideBuy, Qty: 1, Price: 200}
	for _, c := range []struct {
		state adminv1.MarketState
		want  order.Reason
	}{
		{adminv1.MarketState_MARKET_STATE_HALTED, order.ReasonNotTradable},
		{adminv1.MarketState_MARKET_STATE_CLOSED, order.ReasonNotTradable},
		{adminv1.MarketState_MARKET_STATE_AUCTION, order.ReasonNone},
		{adminv1.MarketState_MARKET_STATE_PRE_OPEN, order.ReasonNone},
		{adminv1.MarketState_MARKET_STATE_OPEN, order.ReasonNone},
	} {
		request := &adminv1.SetMarketStateRequest{Instrument: "AMZN", State: c.state, Reason: "news", Actor: "jane"}
		if _, err := client.SetMarketState(soon(t), request); err != nil {
			t.Fatal(err)
		}
		wantReason(t, p, buy, c.want)
	}
	request := &adminv1.SetMarketStateRequest{
		Instrument: "AMZN", State: adminv1.MarketState_MARKET_STATE_OPEN, ShortRestricted: true, Reason: "201", Actor: "jane",
	}
	if _, err := client.SetMarketState(soon(t), request); err != nil {
		t.Fatal(err)
	}
	wantReason(t, p, admintest.Order{Instrument: amzn, Side: order.SideSellShort, Qty: 1, Price: 200}, order.ReasonShortSalePrice)
}

func TestDaysRoll(t *testing.T) {
	p := admintest.New(t)
	client, _ := serve(t, p)
	wantReason(t, p, admintest.Order{Instrument: amzn, Side: order.SideBuy, Qty: 1, Price: 200}, order.ReasonNone)
	wantReason(t, p, admintest.Order{Instrument: esz6, Side: order.SideBuy, Qty: 1, Price: 5000}, order.ReasonNone)
	counted := func(instrument string) uint64 {
		exposure, err := client.GetExposure(soon(t), &adminv1.GetExposureRequest{Scope: accountScope("A-01", instrument)})
		if err != nil {
			t.Fatal(err)
		}
		return exposure.GetScopes()[0].GetDay().GetOrders()
	}
	roll := func(day uint32) error {
		_, err := client.RollDay(soon(t), &adminv1.RollDayRequest{Day: day, Reason: "start", Actor: "jane"})
		return err
	}
	if err := roll(20261201); err != nil {
		t.Fatal(err)
	}
	if counted("") != 0 || counted("AMZN") != 0 || counted("ESZ6") != 1 {
		t.Errorf("after the firm's roll %d, %d and %d orders are counted, want 0, 0, and 1 that rolls with its calendar",
			counted(""), counted("AMZN"), counted("ESZ6"))
	}
	wantCode(t, roll(20261201), codes.FailedPrecondition, "20261201")
	calendar := &adminv1.RollCalendarRequest{Calendar: "CME", Day: 20261201, Reason: "start", Actor: "jane"}
	if _, err := client.RollCalendar(soon(t), calendar); err != nil {
		t.Fatal(err)
	}
	if counted("ESZ6") != 0 {
		t.Errorf("after its calendar's roll %d orders of ESZ6 are counted, want none", counted("ESZ6"))
	}
	_, err := client.RollCalendar(soon(t), calendar)
	wantCode(t, err, codes.FailedPrecondition, "roll-calendar of CME")
}

func TestWrongSettingsSayWhatIsWrong(t *testing.T) {
	p := admintest.New(t)
	client, _ := serve(t, p)
	ctx := soon(t)
	before := p.StateHash()
	for _, c := range []struct {
		name, text string
		code       codes.Code
		call       func(ctx context.Context) error
	}{
		{"account", `unknown account "A-9"`, codes.NotFound, func(ctx context.Context) error {
			_, err := client.SetCash(ctx, &adminv1.SetCashRequest{Account: "A-9", Cash: "1", Reason: "r", Actor: "a"})
			return err
		}},
		{"cash", `cash: "much", want an amount`, codes.InvalidArgument, func(ctx context.Context) error {
			_, err := client.SetCash(ctx, &adminv1.SetCashRequest{Account: "A-01", Cash: "much", Reason: "r", Actor: "a"})
			return err
		}},
		{"reason", "reason: empty", codes.InvalidArgument, func(ctx context.Context) error {
			_, err := client.SetCash(ctx, &adminv1.SetCashRequest{Account: "A-01", Cash: "1", Actor: "a"})
			return err
		}},
		{"actor", "actor: empty", codes.InvalidArgument, func(ctx context.Context) error {
			_, err := client.RollDay(ctx, &adminv1.RollDayRequest{Day: 1, Reason: "r"})
			return err
		}},
		{"instrument", `unknown instrument "X"`, codes.NotFound, func(ctx context.Context) error {
			_, err := client.SetPosition(ctx, &adminv1.SetPositionRequest{Account: "A-01", Instrument: "X", Qty: "1"})
			return err
		}},
		{"quantity", `qty: "1e6", want a quantity`, codes.InvalidArgument, func(ctx context.Context) error {
			_, err := client.SetPosition(ctx, &adminv1.SetPositionRequest{Account: "A-01", Instrument: "AMZN", Qty: "1e6"})
			return err
		}},
		{"locate", "qty: -1, want zero or more", codes.InvalidArgument, func(ctx context.Context) error {
			_, err := client.SetLocate(ctx, &adminv1.SetLocateRequest{Account: "A-01", Instrument: "AMZN", Qty: "-1"})
			return err
		}},
		{"own currency", "USD is the firm's own", codes.InvalidArgument, func(ctx context.Context) error {
			_, err := client.SetFxRate(ctx, &adminv1.SetFxRateRequest{Currency: "USD", Rate: "1"})
			return err
		}},
		{"currency", `unknown currency "GBP"`, codes.NotFound, func(ctx context.Context) error {
			_, err := client.SetFxRate(ctx, &adminv1.SetFxRateRequest{Currency: "GBP", Rate: "1"})
			return err
		}},
		{"rate", "rate: 0, want a rate above zero", codes.InvalidArgument, func(ctx context.Context) error {
			_, err := client.SetFxRate(ctx, &adminv1.SetFxRateRequest{Currency: "EUR", Rate: "0"})
			return err
		}},
		{"seen", "seen_ns: -1", codes.InvalidArgument, func(ctx context.Context) error {
			_, err := client.SetFxRate(ctx, &adminv1.SetFxRateRequest{Currency: "EUR", Rate: "1", SeenNs: -1})
			return err
		}},
		{"state", "want open, pre-open, auction, halted or closed", codes.InvalidArgument, func(ctx context.Context) error {
			_, err := client.SetMarketState(ctx, &adminv1.SetMarketStateRequest{Instrument: "AMZN", State: 9})
			return err
		}},
		{"day", "day: 0, want a number above", codes.InvalidArgument, func(ctx context.Context) error {
			_, err := client.RollDay(ctx, &adminv1.RollDayRequest{Reason: "r", Actor: "a"})
			return err
		}},
		{"calendar", `unknown calendar "NYSE"`, codes.NotFound, func(ctx context.Context) error {
			_, err := client.RollCalendar(ctx, &adminv1.RollCalendarRequest{Calendar: "NYSE", Day: 1})
			return err
		}},
		{"latch", "want one of: lateTruth, limit", codes.InvalidArgument, func(ctx context.Context) error {
			_, err := client.Release(ctx, &adminv1.ReleaseRequest{Scope: accountScope("A-01", ""), Latch: 77})
			return err
		}},
		{"both", "want one of them", codes.InvalidArgument, func(ctx context.Context) error {
			scope := accountScope("A-01", "AMZN")
			scope.Class = "shares"
			_, err := client.GetExposure(ctx, &adminv1.GetExposureRequest{Scope: scope})
			return err
		}},
	} {
		t.Run(c.name, func(t *testing.T) { wantCode(t, c.call(ctx), c.code, c.text) })
	}
	if p.StateHash() != before || len(p.Audit()) != 0 {
		t.Errorf("the state has changed, or audit has %+v: want nothing done", p.Audit())
	}
}
