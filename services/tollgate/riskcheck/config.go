package riskcheck

import (
	"fmt"

	"tollgate/services/tollgate/configfile"
)

// File is the configuration of the riskcheck process.
type File struct {
	configfile.Common `yaml:",inline"`

	// Listen is where gateways connect: tcp://host:port or unix:///path.
	Listen configfile.Address `yaml:"listen"`
	// Admin is where the gRPC control plane listens.
	Admin configfile.Address `yaml:"admin"`
	// Reflection lets gRPC tools ask the control plane for its services. It is
	// meant for development. Default false.
	Reflection bool `yaml:"reflection"`
	// Reference is the file of the reference data, read once at start.
	Reference string `yaml:"reference"`
	// Limits is the file of the first limits, read once at start; later ones come
	// by the control plane. Empty starts without: everything is blocked.
	Limits string `yaml:"limits"`
	// TokenKey is the file of the key shared with the exchange adapter: 32
	// hexadecimal digits, mode 0600.
	TokenKey string `yaml:"tokenKey"`
	// Durability says what survives: none loses all state with the process. It
	// has no default.
	Durability string `yaml:"durability"`
	// Audit is the file that records who changed what, one JSON object a line.
	// Empty writes the records to the log alone.
	Audit string `yaml:"audit"`
	// Bounds sizes the engine's tables.
	Bounds BoundsFile `yaml:"bounds"`
	// TokenLifetime is how long a verdict may take to the adapter. Default 1s. A
	// longer one lets orders through that were decided longer ago.
	TokenLifetime configfile.Duration `yaml:"tokenLifetime"`
}

// BoundsFile sizes the engine's tables; zero is the default. Their memory is
// taken at the start, so that no order waits for it.
type BoundsFile struct {
	Orders     int `yaml:"orders"`     // live and remembered orders, about 1 KiB each
	ClOrdIDs   int `yaml:"clOrdIDs"`   // of one day, 48 bytes each
	Routes     int `yaml:"routes"`     // distinct session, account, trader, instrument, about 400 bytes each
	Cells      int `yaml:"cells"`      // distinct scope and instrument, about 400 bytes each
	Answers    int `yaml:"answers"`    // kept for replay, for each session, about 200 bytes each
	Executions int `yaml:"executions"` // ExecIDs remembered to recognise duplicates, 64 bytes each
	Stamps     int `yaml:"stamps"`     // times that message rates keep, over all scopes, 8 bytes each
	Recent     int `yaml:"recent"`     // new orders that are compared with later ones, about 64 bytes each
}

// defaults returns the configuration before the file is read.
func defaults() File {
	return File{Common: configfile.Common{Preset: "dev"}}
}

// check returns what is wrong with the values together.
func (f *File) check() []string {
	out := append(f.Common.Check(), configfile.Missing(
		configfile.Require("listen", f.Listen.Set(), "where gateways connect, such as unix:///run/tollgate/risk.sock"),
		configfile.Require("admin", f.Admin.Set(), "where the control plane listens, such as tcp://127.0.0.1:7070"),
		configfile.Require("reference", f.Reference != "", "the file of the reference data"),
		configfile.Require("tokenKey", f.TokenKey != "", "the file of the key shared with the exchange adapter"),
		configfile.Require("durability", f.Durability != "", "none, stated: it has no default"),
	)...)
	switch f.Durability {
	case "", "none":
	case "process", "disk", "replicated":
		out = append(out, fmt.Sprintf("durability: %q needs the journal, which does not exist yet; want none", f.Durability))
	default:
		out = append(out, fmt.Sprintf("durability: %q is unknown; want none", f.Durability))
	}
	return out
}
