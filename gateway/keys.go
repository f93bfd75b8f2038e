package gateway

import (
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Keys holds the secret of each client by its number. The caller fills it
// before the gateway is made and does not change it afterwards. Keys prints as
// the number of its entries, so that no log can show a secret.
type Keys map[uint32][]byte

// String hides the secrets.
func (k Keys) String() string { return fmt.Sprintf("%d keys", len(k)) }

// GoString hides the secrets.
func (k Keys) GoString() string { return k.String() }

// Format hides the secrets from every verb of fmt.
func (k Keys) Format(f fmt.State, _ rune) { fmt.Fprint(f, len(k), " keys") }

// Validate reports every entry that cannot be a key, all at once, without
// showing it.
func (k Keys) Validate() error {
	if len(k) == 0 {
		return errors.New("gateway: there are no keys, so no client could log in: give at least one")
	}
	var problems []error
	for _, client := range slices.Sorted(maps.Keys(k)) {
		problems = append(problems, validateKey(client, len(k[client])))
	}
	return errors.Join(problems...)
}

func validateKey(client uint32, length int) error {
	if client == 0 {
		return errors.New("gateway: client 0 has a key, but clients are numbered from 1")
	}
	if length < keyBytesMin || length > keyBytesMax {
		return fmt.Errorf("gateway: the key of client %d has %d bytes, want %d to %d",
			client, length, keyBytesMin, keyBytesMax)
	}
	return nil
}
