package main

import (
	"path/filepath"
	"testing"
	"time"

	"tollgate/exchange/simulated"
	"tollgate/fastpath"
	"tollgate/fastpath/wire"
	"tollgate/order"
	"tollgate/services/tollgate/chain"
	"tollgate/services/tollgate/configfile"
)

// TestExchangeProcessRefusesBadTokens speaks to a real exchange process as a
// gateway would, with the engine's key, and sends orders without a token and
// with an altered, used, expired and old-epoch one. Only the good ones may reach
// the venue.
func TestExchangeProcessRefusesBadTokens(t *testing.T) {
	r := startChain(t, "unix", testLimits("unlimited"))
	folder := filepath.Dir(r.VenueLogFile())
	key, err := configfile.TokenKey(filepath.Join(folder, "token.key"))
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Kill(chain.Gateway); err != nil { // so that nobody else speaks to it
		t.Fatal(err)
	}
	v := newVenueLink(t, filepath.Join(folder, "venue.sock"))
	epoch := v.hello.Epoch + 1

	good := signedOrder(key, epoch, 1)
	v.expectTaken(good)
	v.expectRefused("a used token", good, order.ReasonTokenUsed)

	bare := signedOrder(key, epoch, 2)
	bare.Token = order.Token{}
	v.expectRefused("no token", bare, order.ReasonTokenMissing)

	altered := signedOrder(key, epoch, 3)
	altered.OrderQty *= 10
	v.expectRefused("another quantity than was signed", altered, order.ReasonTokenAltered)
	altered = signedOrder(key, epoch, 3)
	altered.Token.Seq++
	v.expectRefused("another sequence number than was signed", altered, order.ReasonTokenAltered)

	v.expectRefused("an old epoch", signedOrder(key, epoch-1, 4), order.ReasonTokenEpoch)

	late := signedOrder(key, epoch, 5)
	late.Token.Expiry = time.Now().Add(-time.Millisecond).UnixNano()
	key.Sign(&late)
	v.expectRejected("an expired token", late, order.ReasonTokenExpired)

	v.expectTaken(signedOrder(key, epoch, 6))
	path := r.VenueLogFile()
	r.stop()
	var reached []uint64
	for _, rec := range venueLog(t, path) {
		if rec.Kind == simulated.RecordReceived {
			reached = append(reached, rec.Verdict.Token.Seq)
		}
	}
	if len(reached) != 2 || reached[0] != 1 || reached[1] != 6 {
		t.Errorf("the venue received the requests %v, want 1 and 6", reached)
	}
}

// signedOrder is an order the engine would have accepted.
func signedOrder(key order.TokenKey, epoch, seq uint64) order.Verdict {
	v := order.Verdict{
		Token:   order.Token{Epoch: epoch, Seq: seq, Expiry: time.Now().Add(time.Minute).UnixNano()},
		OrderID: order.OrderID(seq), ClOrdID: order.ClOrdID(seq), Price: 100 * order.PriceOne, StopPx: order.Null,
		OrderQty: order.QtyOne, Group: 1, Session: 1, Account: 1, Trader: 1, Instrument: 1,
		MsgType: order.MsgNewOrder, Side: order.SideBuy, OrdType: order.OrdTypeLimit, TimeInForce: order.TimeInForceDay,
	}
	key.Sign(&v)
	return v
}

// venueLink is a connection to the exchange process in the place of a gateway.
type venueLink struct {
	t        *testing.T
	link     *fastpath.Direct
	hello    wire.LinkHello
	reports  []order.Report
	refusals []wire.AdapterRefusal
}

func newVenueLink(t *testing.T, socket string) *venueLink {
	t.Helper()
	link, err := fastpath.Dial("unix", socket, fastpath.DirectConfig{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { link.Close() })
	v := &venueLink{t: t, link: link}
	v.send((&wire.LinkHello{Role: wire.RoleGateway, Instance: 1}).Append(nil))
	v.until("its hello", func() bool { return v.hello.Role == wire.RoleExchange })
	v.send((&wire.ReportsFrom{Epoch: v.hello.Epoch + 1, From: v.hello.NextReportSeq}).Append(nil))
	return v
}

func (v *venueLink) send(frame []byte) {
	v.t.Helper()
	if err := v.link.Send(frame); err != nil {
		v.t.Fatal(err)
	}
	if err := v.link.Flush(); err != nil {
		v.t.Fatal(err)
	}
}

// until reads until something has come.
func (v *venueLink) until(what string, ok func() bool) {
	v.t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !ok(); {
		if time.Now().After(deadline) {
			v.t.Fatalf("waited in vain for %s", what)
		}
		if _, err := v.link.Wait(10_000_000); err != nil {
			v.t.Fatal(err)
		}
		if _, err := v.link.Poll(v.take); err != nil {
			v.t.Fatalf("waiting for %s: %v", what, err)
		}
		v.send((&wire.LinkHeartbeat{Time: time.Now().UnixNano()}).Append(nil))
	}
}

func (v *venueLink) take(_ wire.Frame, m wire.Message) {
	var trace order.Trace
	switch m.Template {
	case wire.TemplateLinkHello:
		v.hello.Decode(m)
	case wire.TemplateVenueReport:
		var r order.Report
		m.VenueReport(&r, &trace)
		v.reports = append(v.reports, r)
	case wire.TemplateAdapterRefusal:
		var r wire.AdapterRefusal
		r.Decode(m)
		v.refusals = append(v.refusals, r)
	}
}

// expectTaken sends an order that must be acknowledged.
func (v *venueLink) expectTaken(o order.Verdict) {
	v.t.Helper()
	v.expectReport("a good token", o, order.ReportNew, order.ReasonNone)
}

// expectRejected sends an order that must be refused by a report, so that the
// engine releases what it reserved.
func (v *venueLink) expectRejected(what string, o order.Verdict, reason order.Reason) {
	v.t.Helper()
	v.expectReport(what, o, order.ReportRejected, reason)
}

func (v *venueLink) expectReport(what string, o order.Verdict, kind order.ReportKind, reason order.Reason) {
	v.t.Helper()
	v.reports = nil
	v.send(wire.AppendVerdict(nil, &o, &order.Trace{}))
	v.until("the report on "+what, func() bool { return len(v.reports) > 0 })
	if got := v.reports[0]; got.Kind != kind || got.Seq != o.Token.Seq || got.Reason != reason {
		v.t.Errorf("%s: %s on %d, %s, want %s, %s", what, got.Kind, got.Seq, got.Reason, kind, reason)
	}
}

// expectRefused sends an order that must be refused by a hint and nothing else:
// whoever forges orders must not be able to release exposure.
func (v *venueLink) expectRefused(what string, o order.Verdict, reason order.Reason) {
	v.t.Helper()
	v.refusals, v.reports = nil, nil
	v.send(wire.AppendVerdict(nil, &o, &order.Trace{}))
	v.until("the refusal of "+what, func() bool { return len(v.refusals) > 0 })
	if got := v.refusals[0]; got.Reason != reason || len(v.reports) != 0 {
		v.t.Errorf("%s: %s and %d reports, want %s and none", what, got.Reason, len(v.reports), reason)
	}
}
