package exchange

import (
	"tollgate/services/tollgate/configfile"
)

// File is the configuration of the exchange process.
type File struct {
	configfile.Common `yaml:",inline"`

	// Listen is where gateways connect, one or more of tcp://host:port and
	// unix:///path.
	Listen []configfile.Address `yaml:"listen"`
	// Reference is the file of the reference data; its instruments are what the
	// venue trades.
	Reference string `yaml:"reference"`
	// TokenKey is the file of the key shared with the engine: 32 hexadecimal
	// digits, mode 0600.
	TokenKey string `yaml:"tokenKey"`
	// VenueLog, if given, is the file that everything the venue received and
	// reported is appended to, one JSON object a line. The loop waits for the file
	// when it falls behind: for checks, not for measuring.
	VenueLog string `yaml:"venueLog"`
	// Operator, if given, is the path of a unix socket at which the simulated venue
	// takes commands, one a line, for tests and demonstrations: bust EXECID,
	// correct EXECID QTY PRICE, repeat EXECID, fill ORDERID QTY PRICE, restate
	// ORDERID QTY [PRICE], cancel ORDERID, end-day. Each is answered with ok or an
	// error. Only the owner of the process can connect.
	Operator string `yaml:"operator"`
	// Orders bounds the live orders at the venue. Default 262144.
	Orders int `yaml:"orders"`
}

// defaults returns the configuration before the file is read.
func defaults() File {
	return File{Common: configfile.Common{Preset: "dev"}, Orders: 1 << 18}
}

// check returns what is wrong with the values together.
func (f *File) check() []string {
	out := append(f.Common.Check(), configfile.Missing(
		configfile.Require("listen", len(f.Listen) > 0, "at least one address, such as unix:///run/tollgate/venue.sock"),
		configfile.Require("reference", f.Reference != "", "the file of the reference data"),
		configfile.Require("tokenKey", f.TokenKey != "", "the file of the key shared with the engine"),
	)...)
	return out
}
