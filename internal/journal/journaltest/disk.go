package journaltest

import (
	"errors"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"path"
	"slices"
	"syscall"

	"tollgate/internal/journal"
)

// Crash is what an operation panics with when the disk's process or machine dies
// in it. The operation has not happened.
type Crash struct {
	Operation int    // its number, from 1
	Name      string // what it was
}

// Loss says what a crash costs.
type Loss uint8

// The kinds of loss.
const (
	// LoseNothing is the death of the process: the system still has everything.
	LoseNothing Loss = iota

	// LoseUnsynced is a loss of power before anything was written that nobody
	// synced.
	LoseUnsynced

	// LoseSome is a loss of power at which a random part of the sectors and of the
	// directory's changes had been written.
	LoseSome
)

// Disk is a simulated file system in memory. It is not safe for concurrent use:
// the journals on it are Manual.
type Disk struct {
	// CrashAt is the number of the operation that crashes; 0 means none.
	CrashAt int

	// FailAt is the number of the operation that fails with EIO; 0 means none.
	FailAt int

	// LieOnSync and LieOnSyncDirectory make syncs succeed and do nothing, so that
	// a test can show that it would notice.
	LieOnSync          bool
	LieOnSyncDirectory bool

	// CapacityBytes is what all files together may hold.
	CapacityBytes uint64

	random     *rand.Rand
	names      map[string]*inode // as every process sees them
	durable    map[string]*inode // as they are found after a loss of power
	changes    []change          // of names, since they were durable
	locks      map[string]bool
	operations int
	dead       bool
}

// inode is a file, whatever it is called.
type inode struct {
	content []byte // as every process sees it
	synced  []byte // as it is found after a loss of power
}

// change is one change to a directory that may get lost.
type change struct {
	removed string // or ""
	added   string // or ""
	file    *inode
}

var _ journal.FS = (*Disk)(nil)

// New returns an empty disk without a bound. The seed decides what gets lost.
func New(seed uint64) *Disk {
	return &Disk{
		CapacityBytes: 1 << 62,
		random:        rand.New(rand.NewPCG(seed, 0)),
		names:         map[string]*inode{},
		durable:       map[string]*inode{},
		locks:         map[string]bool{},
	}
}

// Operations returns how many operations there have been that change something.
func (d *Disk) Operations() int { return d.operations }

// Content returns a copy of a file's content.
func (d *Disk) Content(name string) []byte { return slices.Clone(d.names[name].content) }

// SetContent gives a file another content, durably: damage, or its repair.
func (d *Disk) SetContent(name string, content []byte) {
	file := &inode{content: slices.Clone(content), synced: slices.Clone(content)}
	d.names[name], d.durable[name] = file, file
}

// Delete makes a file disappear, durably.
func (d *Disk) Delete(name string) {
	delete(d.names, name)
	delete(d.durable, name)
}

// Restart ends whatever runs on the disk, at the given cost, and makes the disk
// usable again. CrashAt and FailAt are reset.
func (d *Disk) Restart(loss Loss) {
	d.dead, d.CrashAt, d.FailAt = false, 0, 0
	clear(d.locks)
	if loss == LoseNothing {
		return
	}
	for _, c := range d.changes {
		if loss == LoseSome && d.random.IntN(2) == 0 {
			c.apply(d.durable)
		}
	}
	d.changes = nil
	d.names = maps.Clone(d.durable)
	for _, name := range slices.Sorted(maps.Keys(d.names)) { // sorted, so that a seed says it all
		file := d.names[name]
		if loss == LoseSome {
			d.writeSome(file)
		}
		file.content = slices.Clone(file.synced)
	}
}

// apply makes the change to a set of names.
func (c *change) apply(names map[string]*inode) {
	delete(names, c.removed)
	if c.added != "" {
		names[c.added] = c.file
	}
}

// change makes a change that is durable only after SyncDirectory.
func (d *Disk) change(c change) {
	c.apply(d.names)
	d.changes = append(d.changes, c)
}

// writeSome writes a random part of a file's sectors. A file that has become
// longer may have its new length or its old one.
func (d *Disk) writeSome(file *inode) {
	if len(file.content) > len(file.synced) && d.random.IntN(2) == 0 {
		file.synced = append(file.synced, make([]byte, len(file.content)-len(file.synced))...)
	}
	share := d.random.IntN(101)
	for at := 0; at < len(file.synced); at += SectorBytes {
		if d.random.IntN(100) < share {
			end := min(at+SectorBytes, len(file.synced))
			copy(file.synced[at:end], file.content[at:end])
		}
	}
}

// step counts an operation, and crashes or fails if it is the chosen one. Now and
// then the system writes something that nobody asked it to.
func (d *Disk) step(operation, name string) error {
	if d.dead {
		panic(Crash{d.operations, operation + " " + name})
	}
	d.operations++
	if d.operations == d.CrashAt {
		d.dead = true
		panic(Crash{d.operations, operation + " " + name})
	}
	if d.operations == d.FailAt {
		return &fs.PathError{Op: operation, Path: name, Err: syscall.EIO}
	}
	if len(d.names) > 0 && d.random.IntN(writebackShare) == 0 {
		names := slices.Sorted(maps.Keys(d.names))
		d.writeSome(d.names[names[d.random.IntN(len(names))]])
	}
	return nil
}

// usedBytes returns the length of all files together.
func (d *Disk) usedBytes() (bytes uint64) {
	for _, file := range d.names {
		bytes += uint64(len(file.content))
	}
	return bytes
}

// MakeDirectory implements journal.FS: directories are there by being named.
func (d *Disk) MakeDirectory(string) error { return nil }

// Lock implements journal.FS.
func (d *Disk) Lock(name string) (io.Closer, error) {
	if d.locks[name] {
		return nil, journal.ErrLocked
	}
	d.locks[name] = true
	return &lock{d, name}, nil
}

type lock struct {
	disk *Disk
	name string
}

func (l *lock) Close() error {
	delete(l.disk.locks, l.name)
	return nil
}

// List implements journal.FS.
func (d *Disk) List(directory string) ([]string, error) {
	var names []string
	for name := range d.names {
		if path.Dir(name) == directory {
			names = append(names, path.Base(name))
		}
	}
	slices.Sort(names)
	return names, nil
}

// Create implements journal.FS.
func (d *Disk) Create(name string) (journal.File, error) {
	if err := d.step("create", name); err != nil {
		return nil, err
	}
	if d.names[name] != nil {
		return nil, &fs.PathError{Op: "create", Path: name, Err: fs.ErrExist}
	}
	d.change(change{added: name, file: &inode{}})
	return d.Open(name)
}

// Open implements journal.FS.
func (d *Disk) Open(name string) (journal.File, error) {
	file := d.names[name]
	if file == nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &openFile{d, file, name}, nil
}

// OpenRead implements journal.FS.
func (d *Disk) OpenRead(name string) (journal.File, error) { return d.Open(name) }

// Rename implements journal.FS.
func (d *Disk) Rename(from, to string) error {
	if err := d.step("rename", from); err != nil {
		return err
	}
	file := d.names[from]
	if file == nil {
		return &fs.PathError{Op: "rename", Path: from, Err: fs.ErrNotExist}
	}
	d.change(change{removed: from, added: to, file: file})
	return nil
}

// Remove implements journal.FS.
func (d *Disk) Remove(name string) error {
	if err := d.step("remove", name); err != nil {
		return err
	}
	if d.names[name] == nil {
		return &fs.PathError{Op: "remove", Path: name, Err: fs.ErrNotExist}
	}
	d.change(change{removed: name})
	return nil
}

// SyncDirectory implements journal.FS.
func (d *Disk) SyncDirectory(name string) error {
	if err := d.step("sync directory", name); err != nil {
		return err
	}
	if d.LieOnSyncDirectory {
		return nil
	}
	d.changes = nil
	d.durable = maps.Clone(d.names)
	return nil
}

// FreeBytes implements journal.FS.
func (d *Disk) FreeBytes(string) (uint64, error) {
	return d.CapacityBytes - min(d.CapacityBytes, d.usedBytes()), nil
}

// openFile implements journal.File.
type openFile struct {
	disk *Disk
	file *inode
	name string
}

func (f *openFile) Size() (int64, error) { return int64(len(f.file.content)), nil }

func (f *openFile) ReadAt(bytes []byte, offset int64) (int, error) {
	if offset >= int64(len(f.file.content)) {
		return 0, io.EOF
	}
	n := copy(bytes, f.file.content[offset:])
	if n < len(bytes) {
		return n, io.EOF
	}
	return n, nil
}

// WriteAt lengthens the file if need be; on a full disk it writes a part.
func (f *openFile) WriteAt(bytes []byte, offset int64) (n int, err error) {
	if err := f.disk.step("write", f.name); err != nil {
		return 0, err
	}
	end := int(offset) + len(bytes)
	if longer := end - len(f.file.content); longer > 0 {
		free, _ := f.disk.FreeBytes("")
		if uint64(longer) > free {
			longer, err = int(free), &fs.PathError{Op: "write", Path: f.name, Err: syscall.ENOSPC}
		}
		f.file.content = append(f.file.content, make([]byte, longer)...)
	}
	return copy(f.file.content[min(int(offset), len(f.file.content)):], bytes), err
}

func (f *openFile) Sync() error {
	if err := f.disk.step("sync", f.name); err != nil {
		return err
	}
	if f.disk.LieOnSync {
		return nil
	}
	f.file.synced = slices.Clone(f.file.content)
	return nil
}

func (f *openFile) Map(bytes int) ([]byte, error) {
	if bytes > len(f.file.content) {
		return nil, errors.New("mapping reaches beyond the file, where a process is killed")
	}
	return f.file.content[:bytes:bytes], nil
}

func (f *openFile) Unmap([]byte) error { return nil }

func (f *openFile) Close() error { return nil }
