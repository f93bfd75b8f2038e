package gateway

import (
	"tollgate/services/tollgate/configfile"
)

// File is the configuration of the gateway process.
type File struct {
	configfile.Common `yaml:",inline"`

	// Clients is where order entry clients connect, one or more of
	// tcp://host:port and unix:///path.
	Clients []configfile.Address `yaml:"clients"`
	// Riskcheck is where the engine listens.
	Riskcheck configfile.Address `yaml:"riskcheck"`
	// Exchange is where the venue adapter listens.
	Exchange configfile.Address `yaml:"exchange"`
	// Keys is the file of the clients' keys: a map of client numbers to keys of
	// 32 or more bytes as hexadecimal digits, mode 0600.
	Keys string `yaml:"keys"`
	// Connections bounds the client connections. Default 1024.
	Connections int `yaml:"connections"`
	// RetryAfter is when a client that was told Busy should come again. Default
	// 50ms.
	RetryAfter configfile.Duration `yaml:"retryAfter"`
	// Drain is how long a shutdown waits for clients. Default 500ms.
	Drain configfile.Duration `yaml:"drain"`
}

// defaults returns the configuration before the file is read.
func defaults() File { return File{Common: configfile.Common{Preset: "dev"}} }

// check returns what is wrong with the values together.
func (f *File) check() []string {
	out := append(f.Common.Check(), configfile.Missing(
		configfile.Require("clients", len(f.Clients) > 0, "at least one address, such as tcp://127.0.0.1:7001"),
		configfile.Require("riskcheck", f.Riskcheck.Set(), "where the engine listens"),
		configfile.Require("exchange", f.Exchange.Set(), "where the venue adapter listens"),
		configfile.Require("keys", f.Keys != "", "the file of the clients' keys"),
	)...)
	return out
}
