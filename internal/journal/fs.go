package journal

import (
	"errors"
	"io"
)

// ErrLocked is what FS.Lock gives if somebody else holds the lock.
var ErrLocked = errors.New("locked by another process")

// FS is what a journal asks of a file system. Machine is the real one,
// journaltest has a simulated one. Errors are those of the os package: a missing
// file is fs.ErrNotExist, a full disk is ENOSPC.
type FS interface {
	// MakeDirectory makes a directory unless it exists, and syncs its parent.
	MakeDirectory(path string) error

	// Lock takes the lock of a file, which it makes if need be, until the result
	// is closed or the process ends. It does not wait: see ErrLocked.
	Lock(path string) (io.Closer, error)

	// List returns the names of a directory's entries.
	List(directory string) ([]string, error)

	// Create makes a new file, which must not exist, for reading and writing.
	Create(path string) (File, error)

	// Open opens a file for reading and writing.
	Open(path string) (File, error)

	// OpenRead opens a file for reading only.
	OpenRead(path string) (File, error)

	// Rename gives a file another name, replacing what has it.
	Rename(from, to string) error

	// Remove removes a file.
	Remove(path string) error

	// SyncDirectory makes what was created, renamed and removed durable.
	SyncDirectory(path string) error

	// FreeBytes returns how much may still be written.
	FreeBytes(directory string) (uint64, error)
}

// File is an open file.
type File interface {
	io.ReaderAt
	io.WriterAt
	io.Closer

	// Size returns the length in bytes.
	Size() (int64, error)

	// Sync makes the content durable, what was stored in a mapping included. After
	// an error nothing is known of what was not durable before.
	Sync() error

	// Map returns the content, shared with the file, for reading and writing. The
	// file is at least that long.
	Map(bytes int) ([]byte, error)

	// Unmap ends a mapping.
	Unmap(mapping []byte) error
}
