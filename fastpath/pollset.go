package fastpath

import (
	"errors"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// pollSet is the loop's own view of its descriptors, beside gnet's: an epoll
// instance of all of them. A hot turn asks it which of many links are readable,
// and a loop with nothing to do sleeps on it.
//
// It sleeps in Go's poller. A goroutine that blocks in a system call, as gnet
// does, keeps its scheduler slot for up to 10 ms, and the Go runtime watches it
// at intervals of 20 µs and more: that costs up to a millisecond of a core for
// each lone wake-up. One that sleeps in Go's poller costs nothing while it sleeps. Go's
// poller, for its part, must not see descriptors in use, as it would wake a
// thread for each message; so what it sees is an instance that is empty unless
// the loop sleeps.
type pollSet struct {
	fd      int // of all descriptors
	events  []unix.EpollEvent
	byFD    []*Link // by descriptor
	door    *os.File
	doorFD  int // holds fd while the loop sleeps
	conn    syscall.RawConn
	woken   func(doorFD uintptr) bool
	answers [1]unix.EpollEvent
}

// open makes the instances.
func (p *pollSet) open() error {
	p.fd, p.doorFD = -1, -1
	p.events = make([]unix.EpollEvent, PollEventsMax)
	fd, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return os.NewSyscallError("epoll_create1", err)
	}
	p.fd = fd
	return p.openDoor()
}

// openDoor makes the instance that Go's poller sees.
func (p *pollSet) openDoor() error {
	fd, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return os.NewSyscallError("epoll_create1", err)
	}
	if err := unix.SetNonblock(fd, true); err != nil {
		return errors.Join(os.NewSyscallError("fcntl", err), unix.Close(fd))
	}
	p.door, p.doorFD = os.NewFile(uintptr(fd), "epoll"), fd
	p.woken = func(doorFD uintptr) bool {
		n, _ := readable(int(doorFD), p.answers[:])
		return n > 0
	}
	p.conn, err = p.door.SyscallConn()
	return err
}

// shut gives the instances back. It may be called whatever open returned.
func (p *pollSet) shut() error {
	var err error
	if p.door != nil {
		err = p.door.Close()
	}
	if p.fd >= 0 {
		err = errors.Join(err, os.NewSyscallError("close", unix.Close(p.fd)))
	}
	p.fd, p.door = -1, nil
	return err
}

// sleep returns when at least one descriptor is readable.
func (p *pollSet) sleep() error {
	event := unix.EpollEvent{Events: unix.EPOLLIN, Fd: int32(p.fd)}
	if err := unix.EpollCtl(p.doorFD, unix.EPOLL_CTL_ADD, p.fd, &event); err != nil {
		return os.NewSyscallError("epoll_ctl add", err)
	}
	err := p.conn.Read(p.woken)
	return errors.Join(err, os.NewSyscallError("epoll_ctl del", unix.EpollCtl(p.doorFD, unix.EPOLL_CTL_DEL, p.fd, nil)))
}

// add takes in a link.
func (p *pollSet) add(l *Link, fd int) error {
	for fd >= len(p.byFD) {
		p.byFD = append(p.byFD, nil)
	}
	p.byFD[fd] = l
	return p.watch(fd)
}

// watch takes in a descriptor.
func (p *pollSet) watch(fd int) error {
	event := unix.EpollEvent{Events: unix.EPOLLIN | unix.EPOLLRDHUP, Fd: int32(fd)}
	return os.NewSyscallError("epoll_ctl add", unix.EpollCtl(p.fd, unix.EPOLL_CTL_ADD, fd, &event))
}

// remove forgets a link. That cannot fail in a way that matters: the kernel
// forgets a descriptor when it is closed.
func (p *pollSet) remove(fd int) {
	if fd < 0 || fd >= len(p.byFD) {
		return
	}
	p.byFD[fd] = nil
	_ = unix.EpollCtl(p.fd, unix.EPOLL_CTL_DEL, fd, nil)
}

// link returns the link of a descriptor, nil if it has none.
func (p *pollSet) link(fd int32) *Link {
	if int(fd) >= len(p.byFD) {
		return nil
	}
	return p.byFD[fd]
}
