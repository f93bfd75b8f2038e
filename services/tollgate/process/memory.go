package process

import (
	"syscall"
	"unsafe"
)

// madvHugepage is MADV_HUGEPAGE of madvise(2), which package syscall does not name.
const madvHugepage = 14

// AdviseLargePages asks the system to put memory on large pages, so that random
// looks at large tables seldom miss the processor's page tables. A system that
// has none leaves everything as it is, only slower; there is nothing to report.
func AdviseLargePages(memory []byte) {
	page := syscall.Getpagesize()
	skip := -int(uintptr(unsafe.Pointer(unsafe.SliceData(memory)))) & (page - 1)
	if whole := (len(memory) - skip) &^ (page - 1); whole > 0 {
		_ = syscall.Madvise(memory[skip:skip+whole], madvHugepage)
	}
}
