package admin_test

import (
	"strings"
	"testing"

	"tollgate/order"
	adminv1 "tollgate/proto/tollgate/admin/v1"
	"tollgate/riskcheck/admin"
	"tollgate/riskcheck/admin/admintest"
)

// next returns the next event of a stream.
func next(t *testing.T, stream adminv1.AdminService_WatchClient) *adminv1.WatchResponse {
	t.Helper()
	event, err := stream.Recv()
	if err != nil {
		t.Fatal(err)
	}
	return event
}

// watch opens a stream and returns once the server follows the feed, which the
// first counters event tells.
func watch(t *testing.T, client adminv1.AdminServiceClient, request *adminv1.WatchRequest) adminv1.AdminService_WatchClient {
	t.Helper()
	request.CountersEveryMs = 1 << 30
	stream, err := client.Watch(soon(t), request)
	if err != nil {
		t.Fatal(err)
	}
	if first := next(t, stream); first.GetCounters() == nil {
		t.Fatalf("first event is %v, want counters", first)
	}
	return stream
}

func rejected() admin.Event {
	return admin.Event{
		Kind: admin.EventDecision, TimeNs: admintest.StartNs,
		Request: order.Request{
			MsgType: order.MsgNewOrder, Session: 31, Account: 11, Trader: 21, Instrument: amzn, ClOrdID: 5,
			Side: order.SideBuy, OrderQty: 700 * order.QtyOne, Price: 200 * order.PriceOne,
		},
		Decision: order.Decision{
			Reason: order.ReasonPositionLong, Value: int64(700 * order.QtyOne), Limit: int64(600 * order.QtyOne),
			Scope: order.Scope{Type: order.ScopeAccount, ID: 11, Instrument: amzn},
		},
	}
}

func TestWatchSendsEventsInOrder(t *testing.T) {
	p := admintest.New(t)
	service := p.Service()
	client, _ := serveService(t, service)
	stream := watch(t, client, &adminv1.WatchRequest{})
	service.Publish(soon(t), rejected())
	decision := next(t, stream)
	if d := decision.GetDecision(); d.GetReason() != "POSITION_LONG" || d.GetValue() != "700" || d.GetLimit() != "600" ||
		d.GetAccount() != "A-01" || d.GetScope().GetInstrument() != "AMZN" || d.GetQty() != "700" || d.GetPrice() != "200" {
		t.Errorf("decision is %v", d)
	}
	service.Publish(soon(t), admin.Event{Kind: admin.EventSession, Request: order.Request{Session: 32}, Connected: true})
	service.Publish(soon(t), admin.Event{Kind: admin.EventVenue})
	service.Publish(soon(t), admin.Event{Kind: admin.EventAlert, Name: "CAPACITY", Text: "order table is full"})
	if got := next(t, stream); got.GetSession().GetSession() != "S2" || got.GetSequence() != decision.GetSequence()+1 {
		t.Errorf("event is %v, want session S2 with the next number", got)
	}
	if got := next(t, stream); got.GetVenue().GetState() != adminv1.VenueState_VENUE_STATE_DOWN {
		t.Errorf("event is %v, want the venue down", got)
	}
	if got := next(t, stream); got.GetAlert().GetName() != "CAPACITY" {
		t.Errorf("event is %v, want the alert", got)
	}
	kill := &adminv1.KillRequest{Scope: accountScope("A-01", ""), Reason: "runaway", Actor: "joe"}
	if _, err := client.Kill(soon(t), kill); err != nil {
		t.Fatal(err)
	}
	if got := next(t, stream).GetKill(); !got.GetKilled() || got.GetKill().GetActor() != "joe" {
		t.Errorf("event is %v, want the kill", got)
	}
	edited := strings.Replace(admintest.LimitsText, "openOrders: 4", "openOrders: 5", 1)
	apply := &adminv1.ApplyLimitsRequest{Document: edited, Reason: "more", Actor: "jane"}
	if _, err := client.ApplyLimits(soon(t), apply); err != nil {
		t.Fatal(err)
	}
	if got := next(t, stream).GetLimits(); got.GetResourceVersion() != 2 || len(got.GetChanges()) != 1 {
		t.Errorf("event is %v, want version 2 with one change", got)
	}
}

func TestWatchSendsOnlyWhatIsAskedFor(t *testing.T) {
	p := admintest.New(t)
	service := p.Service()
	client, _ := serveService(t, service)
	stream := watch(t, client, &adminv1.WatchRequest{OnlyRejects: true, Kinds: []adminv1.EventKind{
		adminv1.EventKind_EVENT_KIND_DECISION, adminv1.EventKind_EVENT_KIND_COUNTERS,
	}})
	accepted := rejected()
	accepted.Decision = order.Decision{}
	service.Publish(soon(t), admin.Event{Kind: admin.EventVenue})
	service.Publish(soon(t), accepted)
	service.Publish(soon(t), rejected())
	if got := next(t, stream); got.GetDecision().GetReason() != "POSITION_LONG" {
		t.Errorf("event is %v, want the reject and nothing else", got)
	}
}

func TestCountersComeAgain(t *testing.T) {
	client, _ := serve(t, admintest.New(t))
	stream, err := client.Watch(soon(t), &adminv1.WatchRequest{CountersEveryMs: 100})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if got := next(t, stream); got.GetCounters() == nil {
			t.Errorf("event is %v, want counters", got)
		}
	}
}
