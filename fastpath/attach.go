package fastpath

import (
	"errors"
	"fmt"
	"net"
	"os"
	"syscall"

	"github.com/panjf2000/gnet/v2"
	"golang.org/x/sys/unix"
)

// gnet takes in connections of Go's net package only. A loop needs two descriptors
// that are none: an eventfd, to be called by itself and by other goroutines, and a
// timer, so that no goroutine has to wake up for each tick. They are put in the
// place of a connection's descriptor before gnet duplicates it; gnet then reads
// eight bytes from them as it would from a socket.

// attach makes gnet watch a descriptor that is readable at times. gnet has its own
// duplicate; fd stays the caller's.
func attach(client *gnet.Client, fd int, mark *marker) error {
	conn, err := placeholder()
	if err != nil {
		return err
	}
	if err := replace(conn, fd); err != nil {
		return errors.Join(err, conn.Close())
	}
	_, err = client.EnrollContext(conn, mark)
	return err
}

// placeholder returns a connection to nobody.
func placeholder() (net.Conn, error) {
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, os.NewSyscallError("socketpair", err)
	}
	file := os.NewFile(uintptr(fds[0]), "socket")
	conn, err := net.FileConn(file)
	return conn, errors.Join(err, file.Close(), unix.Close(fds[1]))
}

// replace makes the connection's descriptor refer to what fd refers to.
func replace(conn net.Conn, fd int) error {
	raw, ok := conn.(syscall.Conn)
	if !ok {
		return fmt.Errorf("connection is a %T, want one with a descriptor", conn)
	}
	control, err := raw.SyscallConn()
	if err != nil {
		return err
	}
	failed := control.Control(func(place uintptr) { err = unix.Dup3(fd, int(place), unix.O_CLOEXEC) })
	return errors.Join(failed, os.NewSyscallError("dup3", err))
}

// newTimer returns a descriptor that is readable every so many ns.
func newTimer(periodNs int64) (int, error) {
	fd, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC)
	if err != nil {
		return -1, os.NewSyscallError("timerfd_create", err)
	}
	period := unix.NsecToTimespec(periodNs)
	if err := unix.TimerfdSettime(fd, 0, &unix.ItimerSpec{Interval: period, Value: period}, nil); err != nil {
		return -1, errors.Join(os.NewSyscallError("timerfd_settime", err), unix.Close(fd))
	}
	return fd, nil
}
