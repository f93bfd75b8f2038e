package fastpath

import (
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The system calls of the hot path are raw: the Go scheduler does not hear of
// them, which is right for calls that return at once and saves its bookkeeping.

// receiveRaw reads what a stream socket has, without waiting.
func receiveRaw(fd int, b []byte) (int, unix.Errno) {
	n, _, errno := unix.RawSyscall6(unix.SYS_RECVFROM, uintptr(fd),
		uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b)), unix.MSG_DONTWAIT, 0, 0)
	runtime.KeepAlive(b)
	if errno != 0 {
		return 0, errno
	}
	return int(n), 0
}

// sendRaw writes what a stream socket takes, without waiting and without a signal
// when the peer is gone.
func sendRaw(fd int, b []byte) (int, unix.Errno) {
	n, _, errno := unix.RawSyscall6(unix.SYS_SENDTO, uintptr(fd),
		uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b)), unix.MSG_DONTWAIT|unix.MSG_NOSIGNAL, 0, 0)
	runtime.KeepAlive(b)
	if errno != 0 {
		return 0, errno
	}
	return int(n), 0
}

// signalRaw adds one to an eventfd, which makes it readable.
func signalRaw(fd int) unix.Errno {
	one := [1]uint64{1}
	for {
		_, _, errno := unix.RawSyscall(unix.SYS_WRITE, uintptr(fd), uintptr(unsafe.Pointer(&one)), 8)
		if !transient(errno) {
			return errno
		}
	}
}

// takeRaw reads an eventfd or a timer and reports whether it was readable.
func takeRaw(fd int) bool {
	var count [1]uint64
	n, _, errno := unix.RawSyscall(unix.SYS_READ, uintptr(fd), uintptr(unsafe.Pointer(&count)), 8)
	return errno == 0 && n == 8
}

// transient reports whether a call that moved no bytes may move some later.
func transient(errno unix.Errno) bool { return errno == unix.EAGAIN || errno == unix.EINTR }

// yield gives the core to whoever waits for it, of any process.
func yield() { unix.RawSyscall(unix.SYS_SCHED_YIELD, 0, 0, 0) }

// readable asks an epoll instance which descriptors are readable, without waiting.
func readable(epollFD int, events []unix.EpollEvent) (int, unix.Errno) {
	n, _, errno := unix.RawSyscall6(unix.SYS_EPOLL_PWAIT, uintptr(epollFD),
		uintptr(unsafe.Pointer(unsafe.SliceData(events))), uintptr(len(events)), 0, 0, 0)
	runtime.KeepAlive(events)
	if errno != 0 {
		return 0, errno
	}
	return int(n), 0
}
