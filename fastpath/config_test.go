package fastpath

import (
	"strings"
	"testing"
)

func TestConfigNeedsNothingButAName(t *testing.T) {
	if err := (Config{Name: "plain"}).Validate(); err != nil {
		t.Errorf("Validate: %v, want nil", err)
	}
	c := Config{DialBackoffMinNs: 2e9}.withDefaults()
	if c.DialBackoffMaxNs < c.DialBackoffMinNs || c.TickNs != DefaultTickNs {
		t.Errorf("defaults are %+v", c)
	}
}

func TestConfigNamesEveryProblemAtOnce(t *testing.T) {
	c := Config{
		Name: "bad", Idle: Idle{Mode: 7, SpinNs: -1}, TickNs: 5, ConnectionsMax: -2, OutboundBytesMax: 9,
		OutboundFramesMax: -1, Outbound: map[Kind]Outbound{3: {BytesMax: 1, FramesMax: -4}},
		DialTimeoutNs: -1, DialBackoffMinNs: 9e9, DialBackoffMaxNs: 1, DrainNs: -1,
	}
	err := c.Validate()
	if err == nil {
		t.Fatal("Validate returned nil")
	}
	for _, want := range []string{
		`loop "bad"`, "Idle.Mode is 7", "Idle.SpinNs is -1", "TickNs is 5", "ConnectionsMax is -2", "OutboundBytesMax is 9",
		"OutboundFramesMax is -1", "Outbound[3].BytesMax is 1", "Outbound[3].FramesMax is -4", "DialTimeoutNs is -1",
		"DialBackoffMaxNs is 1", "DrainNs is -1",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error does not say %q:\n%v", want, err)
		}
	}
	if _, err := New(c, newRecorder()); err == nil {
		t.Error("New took it")
	}
	if _, err := NewMemory(0).Loop(c, newRecorder()); err == nil {
		t.Error("Memory.Loop took it")
	}
}

func TestOutboundBoundsFallBackFieldByField(t *testing.T) {
	c := Config{OutboundBytesMax: 10_000, Outbound: map[Kind]Outbound{1: {FramesMax: 7}}}.withDefaults()
	if got, want := c.outbound(1), (Outbound{BytesMax: 10_000, FramesMax: 7}); got != want {
		t.Errorf("kind 1: %+v, want %+v", got, want)
	}
	if got, want := c.outbound(2), (Outbound{BytesMax: 10_000, FramesMax: DefaultOutboundFramesMax}); got != want {
		t.Errorf("kind 2: %+v, want %+v", got, want)
	}
}

func TestModesAsText(t *testing.T) {
	for _, mode := range []Mode{ModeAdaptive, ModeBusy} {
		text, _ := mode.MarshalText()
		var back Mode = 9
		if err := back.UnmarshalText(text); err != nil || back != mode {
			t.Errorf("%s came back as %v, %v", text, back, err)
		}
	}
	var m Mode
	if err := m.UnmarshalText([]byte("lazy")); err == nil || !strings.Contains(err.Error(), `"lazy"`) {
		t.Errorf("lazy: %v, want an error that names it", err)
	}
}
