package configfile

import (
	"encoding/hex"
	"fmt"
	"os"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"tollgate/order"
)

// Address is where a process listens or connects to: tcp://host:port or
// unix:///path/of/a/socket.
type Address struct{ Network, Path string }

// Set reports whether an address was given.
func (a Address) Set() bool { return a.Network != "" }

func (a Address) String() string {
	if !a.Set() {
		return ""
	}
	return a.Network + "://" + a.Path
}

// UnmarshalYAML reads an address.
func (a *Address) UnmarshalYAML(n *yaml.Node) error {
	parsed, err := ParseAddress(n.Value)
	if err != nil {
		return wrong(n, err.Error())
	}
	*a = parsed
	return nil
}

// MarshalYAML writes the address as UnmarshalYAML reads it.
func (a Address) MarshalYAML() (any, error) { return a.String(), nil }

// ParseAddress reads tcp://host:port or unix:///path.
func ParseAddress(text string) (Address, error) {
	network, path, ok := strings.Cut(text, "://")
	switch {
	case ok && network == "tcp" && strings.Contains(path, ":"):
	case ok && network == "unix" && strings.HasPrefix(path, "/"):
	default:
		return Address{}, fmt.Errorf("%q is not an address; write tcp://host:port or unix:///path", text)
	}
	return Address{network, path}, nil
}

// Duration is a length of time with its unit, such as 2ms or 500us.
type Duration time.Duration

// Ns returns the duration in nanoseconds.
func (d Duration) Ns() int64 { return int64(d) }

// UnmarshalYAML reads a duration.
func (d *Duration) UnmarshalYAML(n *yaml.Node) error {
	parsed, err := time.ParseDuration(n.Value)
	if err != nil || parsed < 0 {
		return wrong(n, fmt.Sprintf("%q is not a duration; write a number with its unit, such as 2ms or 500us", n.Value))
	}
	*d = Duration(parsed)
	return nil
}

// MarshalYAML writes the duration as UnmarshalYAML reads it.
func (d Duration) MarshalYAML() (any, error) { return time.Duration(d).String(), nil }

// wrong is a problem at a node, in the form the YAML library collects.
func wrong(n *yaml.Node, text string) error {
	return &yaml.TypeError{Errors: []string{fmt.Sprintf("line %d: %s", n.Line, text)}}
}

// TokenKey reads the key that the engine and the adapter share: 32 hexadecimal
// digits in a file that only its owner can read.
func TokenKey(path string) (order.TokenKey, error) {
	raw, err := secret(path)
	if err != nil {
		return order.TokenKey{}, err
	}
	if len(raw) != order.TokenKeySize {
		return order.TokenKey{}, fmt.Errorf("%s: %d bytes, want %d as hexadecimal digits", path, len(raw), order.TokenKeySize)
	}
	return order.NewTokenKey([order.TokenKeySize]byte(raw)), nil
}

// secret reads a file of hexadecimal digits that nobody else can read.
func secret(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("%s: mode %04o lets others at a secret, want 0600", path, info.Mode().Perm())
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	raw, err := hex.DecodeString(strings.TrimSpace(string(text)))
	if err != nil {
		return nil, fmt.Errorf("%s: not hexadecimal digits", path)
	}
	return raw, nil
}

// ClientKeys reads the keys of order entry clients: a YAML file with a map of
// client numbers to hexadecimal keys of at least clientKeySize bytes, which
// only its owner can read.
func ClientKeys(path string) (map[uint32][]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("%s: mode %04o lets others at secrets, want 0600", path, info.Mode().Perm())
	}
	var file struct {
		Keys map[uint32]string `yaml:"keys"`
	}
	if err := Load(path, &file, nil); err != nil {
		return nil, err
	}
	keys := make(map[uint32][]byte, len(file.Keys))
	for client, text := range file.Keys {
		raw, err := hex.DecodeString(text)
		if err != nil || len(raw) < clientKeySize {
			return nil, fmt.Errorf("%s: the key of client %d is not %d or more bytes of hexadecimal digits",
				path, client, clientKeySize)
		}
		keys[client] = raw
	}
	return keys, nil
}

// clientKeySize is the length of a client's key in bytes, that of the HMAC's
// output.
const clientKeySize = 32
