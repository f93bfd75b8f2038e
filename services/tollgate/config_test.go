package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestConfigurationErrorsNameEverythingAtOnce starts each process with a file in
// which much is wrong.
func TestConfigurationErrorsNameEverythingAtOnce(t *testing.T) {
	for _, c := range []struct {
		role, text string
		want       []string
	}{
		{"riskcheck", "listen: tcp:7000\nlimitz: a.yaml\n", []string{
			`riskcheck.yaml:1: "tcp:7000" is not an address; write tcp://host:port or unix:///path`,
			"riskcheck.yaml:2: limitz: unknown field; the fields are",
		}},
		{"riskcheck", "listen: tcp://127.0.0.1:0\npreset: fast\ndurability: disk\n", []string{
			`riskcheck.yaml:2: preset: "fast", want dev or latency`,
			`riskcheck.yaml:3: durability: "disk" needs the journal`,
			"riskcheck.yaml: admin: missing",
			"riskcheck.yaml: reference: missing",
			"riskcheck.yaml: tokenKey: missing",
		}},
		{"gateway", "idle: {mode: busy, spin: 2ms}\nretryAfter: 50\n", []string{
			`gateway.yaml:2: "50" is not a duration; write a number with its unit, such as 2ms or 500us`,
		}},
		{"gateway", "idle: {mode: busy, spin: 2ms}\nclients: [tcp://127.0.0.1:0]\n", []string{
			"gateway.yaml:1: idle.spin: a busy loop never parks",
			"gateway.yaml: riskcheck: missing",
			"gateway.yaml: keys: missing",
		}},
		{"exchange", "orders: many\n", []string{`exchange.yaml:1: "many" is not a value of type int`}},
	} {
		file := filepath.Join(t.TempDir(), c.role+".yaml")
		if err := os.WriteFile(file, []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		_, stderr, exit := tollgate(t, c.role, "--config", file)
		if exit != exitUsage {
			t.Errorf("%s: exit %d, want %d", c.role, exit, exitUsage)
		}
		for _, want := range c.want {
			if !strings.Contains(stderr, want) {
				t.Errorf("%s with\n%s\nsays\n%s\nbut not %q", c.role, c.text, stderr, want)
			}
		}
	}
}

// TestSecretsThatOthersCanReadAreRefused: a key file must be its owner's alone.
func TestSecretsThatOthersCanReadAreRefused(t *testing.T) {
	folder := t.TempDir()
	key := filepath.Join(folder, "token.key")
	if err := os.WriteFile(key, []byte(strings.Repeat("ab", 16)), 0o644); err != nil {
		t.Fatal(err)
	}
	reference := filepath.Join(folder, "reference.yaml")
	if err := os.WriteFile(reference, []byte(testReference), 0o644); err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(folder, "exchange.yaml")
	text := "listen: [\"unix://" + folder + "/x.sock\"]\nreference: " + reference + "\ntokenKey: " + key + "\n"
	if err := os.WriteFile(config, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	_, stderr, exit := tollgate(t, "exchange", "--config", config)
	if exit != exitNegative || !strings.Contains(stderr, "mode 0644 lets others at a secret, want 0600") {
		t.Errorf("exit %d: %s", exit, stderr)
	}
}

func TestVersion(t *testing.T) {
	stdout, _, exit := tollgate(t, "version")
	if exit != exitDone || !strings.HasPrefix(stdout, "tollgate ") {
		t.Errorf("exit %d: %q", exit, stdout)
	}
}
