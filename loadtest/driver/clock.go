package driver

import (
	"syscall"
	"time"
)

// wallClock is the clock the stations of the chain stamp traces with: ns since
// 1970 UTC.
func wallClock() int64 { return time.Now().UnixNano() }

// yield gives the core to whoever wants it. runtime.Gosched would give it to
// other goroutines of this process only.
func yield() { _, _, _ = syscall.RawSyscall(syscall.SYS_SCHED_YIELD, 0, 0, 0) }
