package asynclog

import (
	"errors"
	"syscall"
)

// LinkUp appends that a link is open: its number and kind in the loop, and the
// peer's address. Like Append it is for the loop that owns the Log.
func (l *Log) LinkUp(nowNs int64, id, kind uint64, remote string) {
	a, b, c := PackText(remote)
	l.Append(CodeLinkUp, nowNs, id, kind, a, b, c)
}

// LinkDown appends that a link has ended, with the system's error number if that
// was the cause.
func (l *Log) LinkDown(nowNs int64, id, kind uint64, remote string, cause error) {
	var errno syscall.Errno
	_ = errors.As(cause, &errno) // zero stands for no error number
	a, b, c := PackText(remote)
	l.Append(CodeLinkDown, nowNs, id, kind, uint64(errno), a, b, c)
}
