package admin_test

import (
	"context"
	"net"
	"strconv"
	"strings"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	healthv1 "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"

	"tollgate/order"
	adminv1 "tollgate/proto/tollgate/admin/v1"
	"tollgate/riskcheck/admin"
	"tollgate/riskcheck/admin/admintest"
)

const (
	amzn = order.InstrumentID(101)
	esz6 = order.InstrumentID(102)
)

// serve offers the plant's service on a loopback port and returns a client.
func serve(t *testing.T, p *admintest.Plant) (adminv1.AdminServiceClient, *grpc.ClientConn) {
	t.Helper()
	return serveService(t, p.Service())
}

func serveService(t *testing.T, s *admin.Service) (adminv1.AdminServiceClient, *grpc.ClientConn) {
	t.Helper()
	server := admin.NewServer(s, admin.ServerConfig{Reflection: true})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(server.Stop)
	conn, err := grpc.NewClient(listener.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return adminv1.NewAdminServiceClient(conn), conn
}

// soon returns a context that ends the test if the server hangs.
func soon(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	t.Cleanup(cancel)
	return ctx
}

func accountScope(name, instrument string) *adminv1.Scope {
	return &adminv1.Scope{Type: adminv1.ScopeType_SCOPE_TYPE_ACCOUNT, Name: name, Instrument: instrument}
}

// wantCode fails unless the error has the code and names the text.
func wantCode(t *testing.T, err error, code codes.Code, text string) {
	t.Helper()
	if status.Code(err) != code || !strings.Contains(err.Error(), text) {
		t.Errorf("error is %v, want %s naming %q", err, code, text)
	}
}

func TestLimitsCanBeFetchedEditedAndApplied(t *testing.T) {
	p := admintest.New(t)
	client, _ := serve(t, p)
	ctx := soon(t)
	before, err := client.GetLimits(ctx, &adminv1.GetLimitsRequest{})
	if err != nil {
		t.Fatal(err)
	}
	if before.GetResourceVersion() != 1 || before.GetDocument() != admintest.LimitsText {
		t.Fatalf("version %d of the limits is\n%s\nwant version 1 as it was applied", before.GetResourceVersion(), before.GetDocument())
	}
	same, err := client.ApplyLimits(ctx, &adminv1.ApplyLimitsRequest{Document: before.GetDocument(), Reason: "r", Actor: "a"})
	if err != nil || same.GetApplied() || same.GetResourceVersion() != 1 {
		t.Fatalf("applying the same document gives %v (%v), want nothing applied", same, err)
	}
	edited := strings.Replace(before.GetDocument(), "openOrders: 4", "openOrders: 1", 1)
	done, err := client.ApplyLimits(ctx, &adminv1.ApplyLimitsRequest{
		Document: edited, DocumentName: "edited.yaml", Reason: "too many orders", Actor: "jane",
	})
	if err != nil {
		t.Fatal(err)
	}
	if !done.GetApplied() || done.GetResourceVersion() != 2 || done.GetAuditId() != 1 || len(done.GetChanges()) != 1 {
		t.Fatalf("applying gives %v, want one change as version 2 with audit record 1", done)
	}
	if p.Send(admintest.Order{Instrument: amzn, Side: order.SideBuy, Qty: 1, Price: 200}).Reason != order.ReasonNone {
		t.Error("the first order was rejected, want it accepted")
	}
	second := p.Send(admintest.Order{Instrument: amzn, Side: order.SideBuy, Qty: 1, Price: 200})
	if second.Reason != order.ReasonOpenOrders {
		t.Errorf("the second order got %s, want OPEN_ORDERS by the new limit", second.Reason)
	}
	after, err := client.GetLimits(ctx, &adminv1.GetLimitsRequest{})
	if err != nil || after.GetAppliedBy().GetActor() != "jane" || after.GetAppliedBy().GetReason() != "too many orders" {
		t.Errorf("limits in force were applied by %v (%v), want jane and her reason", after.GetAppliedBy(), err)
	}
	old, err := client.GetLimits(ctx, &adminv1.GetLimitsRequest{ResourceVersion: 1})
	if err != nil || old.GetDocument() != before.GetDocument() {
		t.Errorf("version 1 is now %v (%v), want what it was", old, err)
	}
	_, err = client.GetLimits(ctx, &adminv1.GetLimitsRequest{ResourceVersion: 99})
	wantCode(t, err, codes.NotFound, "want one from 1 to 2")
}

func TestAuditNamesWhoWhyAndWhat(t *testing.T) {
	p := admintest.New(t)
	client, _ := serve(t, p)
	ctx := soon(t)
	edited := strings.Replace(admintest.LimitsText, "openOrders: 4", "openOrders: 9", 1)
	for _, call := range []func() error{
		func() error {
			_, err := client.ApplyLimits(ctx, &adminv1.ApplyLimitsRequest{Document: edited, Reason: "more", Actor: "jane"})
			return err
		},
		func() error {
			_, err := client.Kill(ctx, &adminv1.KillRequest{Scope: accountScope("A-01", ""), Reason: "runaway", Actor: "joe"})
			return err
		},
		func() error {
			_, err := client.Unkill(ctx, &adminv1.UnkillRequest{Scope: accountScope("A-01", ""), Reason: "fixed", Actor: "jim"})
			return err
		},
	} {
		if err := call(); err != nil {
			t.Fatal(err)
		}
	}
	_, err := client.Unkill(ctx, &adminv1.UnkillRequest{Scope: accountScope("A-01", ""), Reason: "again", Actor: "jim"})
	wantCode(t, err, codes.FailedPrecondition, "account/A-01 is not killed")
	records := p.Audit()
	if len(records) != 4 {
		t.Fatalf("audit has %d records, want 4: %+v", len(records), records)
	}
	for i, want := range []struct{ action, actor, reason, target, detail, outcome string }{
		{"apply-limits", "jane", "more", "limits version 1", "account A-01  openOrders: 4 → 9\n", "done"},
		{"kill", "joe", "runaway", "account/A-01", "", "done"},
		{"unkill", "jim", "fixed", "account/A-01", "", "done"},
		{"unkill", "jim", "again", "account/A-01", "", "refused"},
	} {
		r := records[i]
		if r.ID != uint64(i+1) || r.Action != want.action || r.Actor != want.actor || r.Reason != want.reason ||
			r.Target != want.target || r.Detail != want.detail || !strings.HasPrefix(r.Outcome, want.outcome) {
			t.Errorf("record %d is %+v, want %+v", i+1, r, want)
		}
		if r.TimeNs == 0 || !strings.HasPrefix(r.Peer, "127.0.0.1:") {
			t.Errorf("record %d is from %q at %d, want the client's address and a time", i+1, r.Peer, r.TimeNs)
		}
	}
}

func TestApplyOfAnOldVersionConflicts(t *testing.T) {
	client, _ := serve(t, admintest.New(t))
	ctx := soon(t)
	edited := strings.Replace(admintest.LimitsText, "openOrders: 4", "openOrders: 9", 1)
	request := &adminv1.ApplyLimitsRequest{Document: edited, Reason: "r", Actor: "a"}
	if _, err := client.ApplyLimits(ctx, request); err != nil {
		t.Fatal(err)
	}
	_, err := client.ApplyLimits(ctx, request)
	wantCode(t, err, codes.Aborted, "based on version 1 of the limits, but version 2 is in force")
	for _, detail := range status.Convert(err).Details() {
		if info, ok := detail.(*errdetails.ErrorInfo); ok && info.GetMetadata()["resource_version"] == "2" {
			return
		}
	}
	t.Errorf("details are %v, want the version in force", status.Convert(err).Details())
}

func TestDryRunChangesNothing(t *testing.T) {
	p := admintest.New(t)
	client, _ := serve(t, p)
	ctx := soon(t)
	edited := strings.Replace(admintest.LimitsText, "openOrders: 4", "openOrders: 0", 1)
	resp, err := client.ApplyLimits(ctx, &adminv1.ApplyLimitsRequest{Document: edited, DryRun: true})
	if err != nil || resp.GetApplied() || len(resp.GetChanges()) != 1 || resp.GetResourceVersion() != 1 {
		t.Fatalf("dry run gives %v (%v), want one change and nothing applied", resp, err)
	}
	if sent := p.Send(admintest.Order{Instrument: amzn, Side: order.SideBuy, Qty: 1, Price: 200}); sent.Reason != 0 {
		t.Errorf("an order after a dry run got %s, want it accepted", sent.Reason)
	}
	if got := p.Audit(); len(got) != 0 {
		t.Errorf("a dry run left audit records %+v, want none", got)
	}
}

func TestDiffShowsUseOfTheNewLimit(t *testing.T) {
	p := admintest.New(t)
	client, _ := serve(t, p)
	ctx := soon(t)
	p.Fill(p.Send(admintest.Order{Instrument: amzn, Side: order.SideBuy, Qty: 300, Price: 200}), 200)
	p.Send(admintest.Order{Instrument: esz6, Side: order.SideBuy, Qty: 7, Price: 5000})
	edited := strings.NewReplacer("positionLong: 1000", "positionLong: 250", "openOrders: 4", "openOrders: 3",
		"positionLong: 600", "positionLong: unlimited", "grossExposure: 100000000", "grossExposure: 2000000",
	).Replace(admintest.LimitsText)
	resp, err := client.DiffLimits(ctx, &adminv1.DiffLimitsRequest{Document: edited})
	if err != nil {
		t.Fatal(err)
	}
	// Gross: 200 × 200 held, 100 × 200 and 7 × 5000 × 50 open.
	want := []string{
		"firm grossExposure 100000000 → 2000000 used 1810000 (9050 bps)",
		"account A-01 openOrders 4 → 3 used 2 (6667 bps)",
		"account A-01 positionLong 1000 → 250 used 300 (12000 bps) below present use (AMZN)",
		"account A-01 AMZN positionLong 600 → unlimited used 300 (none) switches this limit off",
	}
	if len(resp.GetChanges()) != len(want) {
		t.Fatalf("diff has %d changes, want %d: %v", len(resp.GetChanges()), len(want), resp.GetChanges())
	}
	for i, c := range resp.GetChanges() {
		if got := changeText(c); !strings.HasPrefix(got, want[i]) {
			t.Errorf("change %d is %q, want %q", i, got, want[i])
		}
	}
}

// changeText writes a change in one line.
func changeText(c *adminv1.LimitChange) string {
	scope := strings.ToLower(strings.TrimPrefix(c.GetScope().GetType().String(), "SCOPE_TYPE_"))
	if scope != "firm" {
		scope += " " + c.GetScope().GetName()
	}
	if c.GetScope().GetInstrument() != "" {
		scope += " " + c.GetScope().GetInstrument()
	}
	share := "none"
	if c.UsedBps != nil {
		share = strconv.FormatInt(c.GetUsedBps(), 10) + " bps"
	}
	return scope + " " + c.GetKind() + " " + c.GetOldValue() + " → " + c.GetNewValue() + " used " + c.GetUsed() +
		" (" + share + ") " + c.GetWarning()
}

func TestWrongRequestsNameEveryField(t *testing.T) {
	client, _ := serve(t, admintest.New(t))
	ctx := soon(t)
	wrong := strings.NewReplacer("openOrders: 4", "openOrders: many", "account/A-01", "account/A-77").Replace(admintest.LimitsText)
	_, err := client.DiffLimits(ctx, &adminv1.DiffLimitsRequest{Document: wrong, DocumentName: "limits.yaml"})
	wantCode(t, err, codes.InvalidArgument, "3 problems")
	fields := map[string]string{}
	for _, detail := range status.Convert(err).Details() {
		for _, v := range detail.(*errdetails.BadRequest).GetFieldViolations() {
			fields[v.GetField()] = v.GetDescription()
		}
	}
	if got := fields["document.spec.limits[1].openOrders"]; !strings.HasPrefix(got, "limits.yaml:35:19: ") {
		t.Errorf("violations are %v, want openOrders with file, line and column", fields)
	}
	for _, c := range []struct {
		name, text string
		code       codes.Code
		call       func() error
	}{
		{"no version", "which version", codes.InvalidArgument, func() error {
			text := strings.Replace(admintest.LimitsText, "  resourceVersion: 1\n", "", 1)
			_, err := client.ApplyLimits(ctx, &adminv1.ApplyLimitsRequest{Document: text, Reason: "r", Actor: "a"})
			return err
		}},
		{"no reason", "reason: empty", codes.InvalidArgument, func() error {
			_, err := client.ApplyLimits(ctx, &adminv1.ApplyLimitsRequest{Document: admintest.LimitsText, Actor: "a"})
			return err
		}},
		{"no actor", "actor: empty", codes.InvalidArgument, func() error {
			_, err := client.Kill(ctx, &adminv1.KillRequest{Scope: accountScope("A-01", ""), Reason: "r"})
			return err
		}},
		{"long reason", "at most 1024", codes.InvalidArgument, func() error {
			request := &adminv1.UnkillRequest{Scope: accountScope("A-01", ""), Reason: strings.Repeat("x", 2000), Actor: "a"}
			_, err := client.Unkill(ctx, request)
			return err
		}},
		{"no scope", "no scope is given", codes.InvalidArgument, func() error {
			_, err := client.Kill(ctx, &adminv1.KillRequest{Reason: "r", Actor: "a"})
			return err
		}},
		{"unknown level", "9 is no level", codes.InvalidArgument, func() error {
			_, err := client.Kill(ctx, &adminv1.KillRequest{Scope: &adminv1.Scope{Type: 9}, Reason: "r", Actor: "a"})
			return err
		}},
		{"unknown account", `unknown account "A-99"`, codes.NotFound, func() error {
			_, err := client.Kill(ctx, &adminv1.KillRequest{Scope: accountScope("A-99", ""), Reason: "r", Actor: "a"})
			return err
		}},
		{"unknown instrument", `unknown instrument "X"`, codes.NotFound, func() error {
			_, err := client.GetExposure(ctx, &adminv1.GetExposureRequest{Scope: accountScope("A-01", "X")})
			return err
		}},
		{"fast counters", "want 0 or at least 100", codes.InvalidArgument, func() error {
			stream, err := client.Watch(ctx, &adminv1.WatchRequest{CountersEveryMs: 5})
			if err == nil {
				_, err = stream.Recv()
			}
			return err
		}},
	} {
		t.Run(c.name, func(t *testing.T) { wantCode(t, c.call(), c.code, c.text) })
	}
}

func TestExposureAddsUp(t *testing.T) {
	p := admintest.New(t)
	client, _ := serve(t, p)
	p.Fill(p.Send(admintest.Order{Instrument: amzn, Side: order.SideBuy, Qty: 300, Price: 200}), 200)
	p.Send(admintest.Order{Instrument: esz6, Side: order.SideSell, Qty: 2, Price: 5000})
	resp, err := client.GetExposure(soon(t), &adminv1.GetExposureRequest{Scope: accountScope("A-01", "")})
	if err != nil {
		t.Fatal(err)
	}
	m := resp.GetScopes()[0]
	if m.GetOpenOrders() != 2 || m.GetOpenBuyNotional() != "20000" || m.GetOpenSellNotional() != "500000" ||
		m.GetGrossPositionValue() != "40000" || m.GetNetPositionValue() != "40000" ||
		m.GetGrossExposure() != "560000" || m.GetNetExposure() != "500000" {
		t.Errorf("exposure of A-01 is %v", m)
	}
	if len(m.GetInstruments()) != 2 {
		t.Fatalf("instruments are %v, want AMZN and ESZ6", m.GetInstruments())
	}
	held := m.GetInstruments()[0]
	if held.GetInstrument() != "AMZN" || held.GetNetPosition() != "200" || held.GetOpenBuyQty() != "100" ||
		held.GetPositionValue() != "40000" || held.GetOpenOrders() != 1 {
		t.Errorf("AMZN is %v, want 200 held and 100 open", held)
	}
	use := map[string]string{}
	for _, l := range m.GetLimits() {
		use[l.GetLimit().GetScope().GetInstrument()+l.GetLimit().GetKind()] = l.GetUsed() + " by " + l.GetInstrument()
	}
	if use["openOrders"] != "2 by " || use["positionLong"] != "300 by AMZN" || use["AMZNpositionLong"] != "300 by " {
		t.Errorf("use of limits is %v", use)
	}
}

func TestExposureOfEveryScope(t *testing.T) {
	p := admintest.New(t)
	client, _ := serve(t, p)
	p.Send(admintest.Order{Instrument: amzn, Side: order.SideBuy, Qty: 1, Price: 200})
	ctx := soon(t)
	for _, c := range []struct {
		request *adminv1.GetExposureRequest
		want    string
	}{
		{&adminv1.GetExposureRequest{}, "ACME G1 G2 A-01 A-02 B-01"},
		{&adminv1.GetExposureRequest{OnlyUsed: true, WithoutInstruments: true}, "ACME G1 A-01"},
		{&adminv1.GetExposureRequest{Types: []adminv1.ScopeType{adminv1.ScopeType_SCOPE_TYPE_TRADER}}, "T1 T2"},
		{&adminv1.GetExposureRequest{Types: []adminv1.ScopeType{adminv1.ScopeType_SCOPE_TYPE_SESSION}, OnlyUsed: true}, "S1"},
	} {
		resp, err := client.GetExposure(ctx, c.request)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, m := range resp.GetScopes() {
			names = append(names, m.GetScope().GetName())
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("exposure of %v is about %q, want %q", c.request, got, c.want)
		}
	}
}

func TestStatusAndHealth(t *testing.T) {
	p := admintest.New(t)
	client, conn := serve(t, p)
	p.SetStatus(func(st *admin.Status) {
		st.Requests, st.Accepted, st.Rejected = 10, 7, 3
		st.Reasons = []admin.ReasonCount{{Reason: order.ReasonPriceCollar, Count: 1}, {Reason: order.ReasonKillSwitch, Count: 2}}
	})
	p.Send(admintest.Order{Instrument: amzn, Side: order.SideBuy, Qty: 1, Price: 200})
	ctx := soon(t)
	st, err := client.GetStatus(ctx, &adminv1.GetStatusRequest{})
	if err != nil {
		t.Fatal(err)
	}
	if st.GetEpoch() != 9 || st.GetConfigVersion() != 1 || st.GetVenue() != adminv1.VenueState_VENUE_STATE_UP ||
		st.GetLiveOrders() != 1 || st.GetSessions() != 2 || st.GetSessionsConnected() != 2 {
		t.Errorf("status is %v", st)
	}
	reasons := st.GetCounters().GetReasons()
	if len(reasons) != 2 || reasons[0].GetReason() != "KILL_SWITCH" || reasons[1].GetReason() != "PRICE_COLLAR" {
		t.Errorf("reasons are %v, want them in the order of evaluation", reasons)
	}
	health, err := healthv1.NewHealthClient(conn).Check(ctx, &healthv1.HealthCheckRequest{Service: "tollgate.admin.v1.AdminService"})
	if err != nil || health.GetStatus() != healthv1.HealthCheckResponse_SERVING {
		t.Errorf("health is %v (%v), want serving", health, err)
	}
}

func TestSessionsSayHowTheyAreConnected(t *testing.T) {
	p := admintest.New(t)
	client, _ := serve(t, p)
	p.Send(admintest.Order{Instrument: amzn, Side: order.SideBuy, Qty: 1, Price: 200})
	resp, err := client.ListSessions(soon(t), &adminv1.ListSessionsRequest{})
	if err != nil {
		t.Fatal(err)
	}
	if len(resp.GetSessions()) != 2 {
		t.Fatalf("sessions are %v, want S1 and S2", resp.GetSessions())
	}
	s1 := resp.GetSessions()[0]
	if s1.GetName() != "S1" || !s1.GetConnected() || s1.GetNextRef() != 2 || s1.GetNextOutSeq() != 2 || s1.GetLiveOrders() != 1 ||
		s1.GetGateway() != "gateway-1" || s1.GetCancelOnDisconnectMs() != 5000 || strings.Join(s1.GetAccounts(), " ") != "A-01 A-02" {
		t.Errorf("session S1 is %v", s1)
	}
}

func TestReferenceIsReturnedInFull(t *testing.T) {
	client, _ := serve(t, admintest.New(t))
	resp, err := client.GetReference(soon(t), &adminv1.GetReferenceRequest{})
	if err != nil {
		t.Fatal(err)
	}
	if resp.GetDocument() != admintest.ReferenceText {
		t.Errorf("document is\n%s\nwant\n%s", resp.GetDocument(), admintest.ReferenceText)
	}
	if got := resp.GetInstruments()[1]; got.GetName() != "ESZ6" || got.GetMultiplier() != "50" || got.GetMaxQty() != "unlimited" {
		t.Errorf("second instrument is %v", got)
	}
}

func TestStoppedLoopIsUnavailable(t *testing.T) {
	p := admintest.New(t)
	client, _ := serve(t, p)
	p.Stop()
	ctx := soon(t)
	_, err := client.GetExposure(ctx, &adminv1.GetExposureRequest{})
	wantCode(t, err, codes.Unavailable, "the loop is not running")
	_, err = client.Kill(ctx, &adminv1.KillRequest{Scope: accountScope("A-01", ""), Reason: "r", Actor: "a"})
	wantCode(t, err, codes.Unavailable, "the loop is not running")
	if records := p.Audit(); len(records) != 1 || !strings.HasPrefix(records[0].Outcome, "refused") {
		t.Errorf("audit is %+v, want the refused kill", records)
	}
	_, err = client.ListKills(ctx, &adminv1.ListKillsRequest{})
	wantCode(t, err, codes.Unavailable, "the loop is not running")
	_, err = client.SetCash(ctx, &adminv1.SetCashRequest{Account: "A-01", Cash: "5", Reason: "r", Actor: "a"})
	wantCode(t, err, codes.Unavailable, "the loop is not running")
	if records := p.Audit(); len(records) != 2 || records[1].Action != "set-cash" {
		t.Errorf("audit is %+v, want the refused cash as well", records)
	}
}

// TestFaultOfTheControlPlaneIsContained has a hook panic: the request fails,
// watchers are told, and the service goes on.
func TestFaultOfTheControlPlaneIsContained(t *testing.T) {
	p := admintest.New(t)
	hooks := p.Hooks()
	hooks.Links = func(context.Context) ([]admin.SessionLink, error) { panic("a fault") }
	service, err := admin.New(context.Background(), admin.Config{Loop: p, Hooks: hooks, Reference: p.Reference()})
	if err != nil {
		t.Fatal(err)
	}
	client, _ := serveService(t, service)
	stream := watch(t, client, &adminv1.WatchRequest{})
	_, err = client.ListSessions(soon(t), &adminv1.ListSessionsRequest{})
	wantCode(t, err, codes.Internal, "ListSessions failed by a fault of the control plane")
	if got := next(t, stream).GetAlert(); got.GetName() != "CONTROL_PLANE_FAULT" || !strings.Contains(got.GetText(), "a fault") {
		t.Errorf("event is %v, want an alert with the fault", got)
	}
	if _, err := client.GetStatus(soon(t), &adminv1.GetStatusRequest{}); err != nil {
		t.Errorf("the service ended: %v", err)
	}
}

// TestWithoutLimitsEverythingIsBlocked starts with no document at all.
func TestWithoutLimitsEverythingIsBlocked(t *testing.T) {
	p := admintest.New(t)
	service, err := admin.New(context.Background(), admin.Config{Loop: p, Hooks: p.Hooks(), Reference: p.Reference()})
	if err != nil {
		t.Fatal(err)
	}
	client, _ := serveService(t, service)
	p.Connect()
	sent := p.Send(admintest.Order{Instrument: amzn, Side: order.SideBuy, Qty: 1, Price: 200})
	if sent.Reason != order.ReasonInstrumentNotPermitted {
		t.Errorf("an order got %s, want INSTRUMENT_NOT_PERMITTED", sent.Reason)
	}
	request := &adminv1.ApplyLimitsRequest{Document: admintest.LimitsText, Reason: "start of day", Actor: "jane"}
	if _, err := client.ApplyLimits(soon(t), request); err != nil {
		t.Fatal(err)
	}
	if sent := p.Send(admintest.Order{Instrument: amzn, Side: order.SideBuy, Qty: 1, Price: 200}); sent.Reason != 0 {
		t.Errorf("an order with limits got %s, want it accepted", sent.Reason)
	}
}

// TestOldVersionsAreForgotten changes the limits more often than versions are
// kept.
func TestOldVersionsAreForgotten(t *testing.T) {
	client, _ := serve(t, admintest.New(t))
	ctx := soon(t)
	for i := range 70 {
		text := strings.Replace(admintest.LimitsText, "openOrders: 4", "openOrders: "+strconv.Itoa(10+i), 1)
		request := &adminv1.ApplyLimitsRequest{
			Document: text, ExpectedResourceVersion: uint64(i + 1), Reason: "r", Actor: "a",
		}
		if _, err := client.ApplyLimits(ctx, request); err != nil {
			t.Fatal(err)
		}
	}
	_, err := client.GetLimits(ctx, &adminv1.GetLimitsRequest{ResourceVersion: 7})
	wantCode(t, err, codes.NotFound, "want one from 8 to 71")
	if _, err := client.GetLimits(ctx, &adminv1.GetLimitsRequest{ResourceVersion: 8}); err != nil {
		t.Error(err)
	}
}

func TestConfigNamesWhatIsMissing(t *testing.T) {
	_, err := admin.New(context.Background(), admin.Config{})
	if err == nil || !strings.Contains(err.Error(), "Loop, Reference, Hooks.Kill") {
		t.Errorf("error is %v, want everything that is missing", err)
	}
}
