package gateway

import (
	"bytes"
	"strings"
	"testing"

	"tollgate/asynclog"
	"tollgate/fastpath"
	"tollgate/fastpath/wire"
)

// TestEventsAreLogged runs a login, a cut and the loss of the neighbours with a
// log, and wants the entries of each, names included, and no secret.
func TestEventsAreLogged(t *testing.T) {
	var out bytes.Buffer
	drainer, err := asynclog.New(asynclog.Config{Process: "gateway", Output: &out, Name: EventName})
	if err != nil {
		t.Fatal(err)
	}
	log, err := drainer.Log("gateway")
	if err != nil {
		t.Fatal(err)
	}
	c := newRunningChain(t, 0)
	c.gateway.log = log
	p := c.logIn("client", testSession, 5)
	c.send(p, (&wire.Hello{}).Append(nil))
	wrong := c.connect("wrong")
	c.send(wrong, login(wrong, wire.Login{WantOutSeq: 1, Client: testClient, Session: 70}, testKeys[8]))
	bad := c.connect("bad")
	c.send(bad, []byte("\x00\x00\x00\x01"))
	c.down(c.venue)
	c.up("venue")
	c.advance(1e9)
	if err := drainer.Close(); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	for _, want := range []string{
		"session-login", "session-cut", "unknown-template", "session-refused", "not-authorized", "malformed-frame",
		"frame-length", "link-down", "link-up", "exchange", "venue-down", "venue-up",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in the log:\n%s", want, text)
		}
	}
	for _, key := range testKeys {
		if strings.Contains(text, string(key)) {
			t.Error("a key is in the log")
		}
	}
}

func TestEventNames(t *testing.T) {
	cases := []struct {
		format asynclog.Format
		value  uint64
		want   string
	}{
		{asynclog.FormatLoginReject, uint64(wire.LoginRejectBusy), "busy"},
		{asynclog.FormatLoginReject, 0, ""},
		{asynclog.FormatSessionReject, uint64(wire.SessionRejectSilence), "silence"},
		{asynclog.FormatSessionReject, 0, ""},
		{asynclog.FormatLinkKind, uint64(KindClient), "client"},
		{asynclog.FormatLinkKind, uint64(KindRisk), "riskcheck"},
		{asynclog.FormatLinkKind, uint64(KindVenue), "exchange"},
		{asynclog.FormatLinkKind, 99, ""},
		{asynclog.FormatBound, BoundConnections, "connections"},
		{asynclog.FormatUint, 1, ""},
	}
	for _, c := range cases {
		if got := EventName(c.format, c.value); got != c.want {
			t.Errorf("EventName(%d, %d) is %q, want %q", c.format, c.value, got, c.want)
		}
	}
}

// TestLoopConfigBoundsTheNeighbours pins that a busy engine or exchange is not
// cut like a client, and that what the caller set is kept.
func TestLoopConfigBoundsTheNeighbours(t *testing.T) {
	own := fastpath.Outbound{BytesMax: 5000, FramesMax: 5}
	cfg := testConfig().LoopConfig(fastpath.Config{
		TickNs: 7_000_000, Outbound: map[fastpath.Kind]fastpath.Outbound{KindVenue: own},
	})
	if cfg.TickNs != 7_000_000 || cfg.Outbound[KindVenue] != own || cfg.Name != "gateway" {
		t.Errorf("configuration is %+v", cfg)
	}
	if cfg.Outbound[KindRisk].BytesMax <= fastpath.DefaultOutboundBytesMax {
		t.Errorf("the engine's bound is %d bytes", cfg.Outbound[KindRisk].BytesMax)
	}
	if slow := testConfig().LoopConfig(fastpath.Config{TickNs: 1e9}); slow.TickNs > linkIdleNs {
		t.Errorf("a tick of %d ns is too long for heartbeats every %d ns", slow.TickNs, linkIdleNs)
	}
	if cfg.ConnectionsMax <= testConfig().ConnectionsMax {
		t.Errorf("the loop takes in %d connections, so none above ConnectionsMax can be told why", cfg.ConnectionsMax)
	}
	if err := cfg.Validate(); err != nil {
		t.Error(err)
	}
}
