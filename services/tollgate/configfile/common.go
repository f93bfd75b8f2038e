package configfile

import (
	"fmt"
	"os"

	"tollgate/asynclog"
	"tollgate/fastpath"
)

// Common is the part of the configuration that every process of the chain has.
type Common struct {
	// Preset chooses defaults: "dev" parks soon and logs to the console;
	// "latency" never parks, which costs a core, and logs JSON.
	Preset string `yaml:"preset"`
	// Idle overrides the preset's idle strategy.
	Idle IdleFile `yaml:"idle"`
	// Log says where the process writes what happens.
	Log LogFile `yaml:"log"`
	// StatsFile, if given, gets a JSON object of CPU, memory and collector
	// figures when the process stops.
	StatsFile string `yaml:"statsFile"`
}

// IdleFile is how a loop waits.
type IdleFile struct {
	// Mode is adaptive (poll for spin after the last message, then park) or busy
	// (never park; costs a core).
	Mode string `yaml:"mode"`
	// Spin is how long an adaptive loop polls. Default 2ms. Longer saves wake-ups
	// of tens of microseconds on sparse traffic and costs CPU.
	Spin Duration `yaml:"spin"`
}

// LogFile is where and how events are logged.
type LogFile struct {
	// Encoding is json or console.
	Encoding string `yaml:"encoding"`
	// File is written to, appending; empty means standard error.
	File string `yaml:"file"`
}

// Check returns what is wrong with the common part.
func (c *Common) Check() []string {
	var out []string
	if c.Preset != "dev" && c.Preset != "latency" {
		out = append(out, fmt.Sprintf("preset: %q, want dev or latency", c.Preset))
	}
	if m := c.Idle.Mode; m != "" && m != "adaptive" && m != "busy" {
		out = append(out, fmt.Sprintf("idle.mode: %q, want adaptive or busy", m))
	}
	if c.Idle.Mode == "busy" && c.Idle.Spin != 0 {
		out = append(out, "idle.spin: a busy loop never parks, so it has no spin; leave it out")
	}
	if e := c.Log.Encoding; e != "" && e != "json" && e != "console" {
		out = append(out, fmt.Sprintf("log.encoding: %q, want json or console", e))
	}
	return out
}

// Loop returns the loop settings.
func (c *Common) Loop(name string) fastpath.Config {
	cfg := fastpath.Config{Name: name, Idle: fastpath.Idle{SpinNs: c.Idle.Spin.Ns()}}
	if c.Idle.Mode == "busy" || c.Idle.Mode == "" && c.Preset == "latency" {
		cfg.Idle.Mode = fastpath.ModeBusy
	}
	return cfg
}

// Drainer starts the log of a process. name, if not nil, gives the names of
// numbers that the process's own packages define.
func (c *Common) Drainer(process string, name func(asynclog.Format, uint64) string) (*asynclog.Drainer, error) {
	cfg := asynclog.Config{Process: process, Encoding: asynclog.Encoding(c.Log.Encoding), Name: name}
	if c.Log.Encoding == "" && c.Preset == "dev" {
		cfg.Encoding = asynclog.EncodingConsole
	}
	if c.Log.File != "" {
		file, err := os.OpenFile(c.Log.File, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o640)
		if err != nil {
			return nil, err
		}
		cfg.Output = file
	}
	return asynclog.New(cfg)
}

// Required is a field that a file must set.
type Required struct {
	name string
	want string
	set  bool
}

// Require names a field, says whether it is set, and what belongs there.
func Require(name string, set bool, want string) Required { return Required{name, want, set} }

// Missing returns a problem for each field that is not set.
func Missing(fields ...Required) []string {
	var out []string
	for _, f := range fields {
		if !f.set {
			out = append(out, fmt.Sprintf("%s: missing; want %s", f.name, f.want))
		}
	}
	return out
}
