package journal

import "fmt"

// CorruptionError says that a file of the journal is not what was written, and
// that what is missing or altered may have been promised to somebody. Nobody may
// go on from there by himself.
type CorruptionError struct {
	// File is the path of the damaged file.
	File string

	// Offset is where in the file the damage was noticed, in bytes.
	Offset int64

	// Sequence is the number of the first record that cannot be had, or 0 where
	// the damage is not in a record.
	Sequence uint64

	// Reason says what is wrong and what would be right.
	Reason string
}

// Error implements error.
func (e *CorruptionError) Error() string {
	if e.Sequence == 0 {
		return fmt.Sprintf("journal is corrupt: %s: byte %d: %s", e.File, e.Offset, e.Reason)
	}
	return fmt.Sprintf("journal is corrupt: %s: byte %d, record %d: %s", e.File, e.Offset, e.Sequence, e.Reason)
}
