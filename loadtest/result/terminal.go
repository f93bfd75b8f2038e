package result

import (
	"os"
	"syscall"
	"unsafe"
)

// style is an ANSI text attribute.
type style string

const (
	styleBold style = "1"
	styleDim  style = "2"
	styleGood style = "32"
	styleWarn style = "33"
	styleBad  style = "1;31"
)

// style colours text where the page asks for colour.
func (w *pageWriter) style(s style, text string) string {
	if !w.page.Colour || text == "" {
		return text
	}
	return "\x1b[" + string(s) + "m" + text + "\x1b[0m"
}

// windowSize is the kernel's struct winsize.
type windowSize struct{ rows, columns, _, _ uint16 }

// Terminal returns the columns of the terminal a file is connected to, and
// whether it is one.
func Terminal(f *os.File) (columns int, ok bool) {
	var size windowSize
	_, _, failed := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), syscall.TIOCGWINSZ, uintptr(unsafe.Pointer(&size)))
	if failed != 0 {
		return 0, false
	}
	return int(size.columns), true
}

// Fit makes a page for a file: its terminal's width, and colour if it is a
// terminal and NO_COLOR is not set (https://no-color.org).
func (p Page) Fit(f *os.File) Page {
	columns, terminal := Terminal(f)
	p.Colour = terminal && os.Getenv("NO_COLOR") == ""
	if terminal && columns > 0 {
		p.Width = columns
	}
	return p
}
