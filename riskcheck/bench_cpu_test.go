package riskcheck_test

import (
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// cpuTime returns the processor time the process has used. On a machine that
// others use too it says more of a benchmark than the clock does.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// largePages asks for large pages, which is what a riskcheck process does.
func largePages(memory []byte) {
	const page, advice = 1 << 12, 14 // MADV_HUGEPAGE
	skip := -int(uintptr(unsafe.Pointer(unsafe.SliceData(memory)))) & (page - 1)
	if len(memory) > skip+page {
		// Without large pages everything is as right, and a little slower.
		_ = syscall.Madvise(memory[skip:skip+(len(memory)-skip)&^(page-1)], advice)
	}
}

// cpu reports the processor time of a benchmark's iterations since start.
func cpu(b *testing.B, start time.Duration) {
	b.ReportMetric(float64(cpuTime()-start)/float64(b.N), "cpu-ns/op")
}
