package journal

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// Machine is the file system of the machine.
type Machine struct{}

// MakeDirectory implements FS.
func (m Machine) MakeDirectory(path string) error {
	err := os.Mkdir(path, 0o700)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return m.SyncDirectory(filepath.Dir(path))
}

// Lock implements FS with flock: the kernel gives the lock back when the process
// ends, however it ends.
func (Machine) Lock(path string) (io.Closer, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	err = unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		err = ErrLocked
	}
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	return file, nil
}

// List implements FS.
func (Machine) List(directory string) ([]string, error) {
	entries, err := os.ReadDir(directory)
	if err != nil {
		return nil, err
	}
	names := make([]string, 0, len(entries))
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names, nil
}

// Create implements FS.
func (Machine) Create(path string) (File, error) {
	return openMachineFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL)
}

// Open implements FS.
func (Machine) Open(path string) (File, error) { return openMachineFile(path, os.O_RDWR) }

// OpenRead implements FS.
func (Machine) OpenRead(path string) (File, error) { return openMachineFile(path, os.O_RDONLY) }

// Rename implements FS.
func (Machine) Rename(from, to string) error { return os.Rename(from, to) }

// Remove implements FS.
func (Machine) Remove(path string) error { return os.Remove(path) }

// SyncDirectory implements FS.
func (Machine) SyncDirectory(path string) error {
	directory, err := os.Open(path)
	if err != nil {
		return err
	}
	err = directory.Sync()
	return errors.Join(err, directory.Close())
}

// FreeBytes implements FS.
func (Machine) FreeBytes(directory string) (uint64, error) {
	var stat unix.Statfs_t
	if err := unix.Statfs(directory, &stat); err != nil {
		return 0, fmt.Errorf("statfs %s: %w", directory, err)
	}
	return stat.Bavail * uint64(stat.Bsize), nil
}

// machineFile is a file of Machine.
type machineFile struct{ *os.File }

func openMachineFile(path string, flags int) (File, error) {
	file, err := os.OpenFile(path, flags, 0o600)
	if err != nil {
		return nil, err
	}
	return machineFile{file}, nil
}

// Size implements File.
func (f machineFile) Size() (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// Sync implements File. A signal may interrupt it, and that is no failure; any
// other error is final, because the kernel takes what it could not write for
// written.
func (f machineFile) Sync() error {
	for {
		err := unix.Fdatasync(int(f.Fd()))
		if err == nil {
			return nil
		}
		if !errors.Is(err, unix.EINTR) {
			return &fs.PathError{Op: "fdatasync", Path: f.Name(), Err: err}
		}
	}
}

// Map implements File.
func (f machineFile) Map(bytes int) ([]byte, error) {
	mapping, err := unix.Mmap(int(f.Fd()), 0, bytes, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, &fs.PathError{Op: "mmap", Path: f.Name(), Err: err}
	}
	return mapping, nil
}

// Unmap implements File.
func (f machineFile) Unmap(mapping []byte) error { return unix.Munmap(mapping) }
