package input

import (
	"errors"
	"fmt"
)

// ErrMalformed is wrapped by every error of this package: the bytes are not an
// input.
var ErrMalformed = errors.New("input: malformed record")

// malformed returns the error for what stands at a byte of a payload.
func malformed(kind Kind, at int, format string, values ...any) error {
	return fmt.Errorf("%w: %s at byte %d: %s", ErrMalformed, kind, at, fmt.Sprintf(format, values...))
}

// wrongLength returns the error for a payload of a fixed size that has another.
func wrongLength(kind Kind, got, want int) error {
	return malformed(kind, min(got, want), "the payload has %d bytes, want %d", got, want)
}

// wrongVersion returns the error for a version that is not known here.
func wrongVersion(kind Kind, got byte) error {
	return malformed(kind, 0, "version %d, want %d", got, version)
}

// wrongPadding returns the error for a byte without meaning that is not zero.
func wrongPadding(kind Kind, at int) error {
	return malformed(kind, at, "a byte without meaning is not zero, want zero")
}
