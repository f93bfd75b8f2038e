package result

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// progressEvery is the shortest time between two drawings.
const progressEvery = 100 * time.Millisecond

// progressBarWidth is the bar's length in columns.
const progressBarWidth = 30

// Progress draws one line that shows how far a run is. On anything but a
// terminal it stays silent.
type Progress struct {
	out   io.Writer // nil: silent
	drawn time.Time
	shown bool
}

// NewProgress draws on f, usually standard error.
func NewProgress(f *os.File) *Progress {
	if _, terminal := Terminal(f); !terminal {
		return &Progress{}
	}
	return &Progress{out: f}
}

// Show draws done of total, if the last drawing is old enough at now.
func (p *Progress) Show(now time.Time, done, total, inFlight uint64) {
	if p.out == nil || now.Sub(p.drawn) < progressEvery {
		return
	}
	p.drawn, p.shown = now, true
	fmt.Fprint(p.out, "\r"+progressLine(done, total, inFlight)+"\x1b[K")
}

func progressLine(done, total, inFlight uint64) string {
	filled := bar(min(done, total), total, progressBarWidth)
	return fmt.Sprintf("%s %s  %s of %s, %s in flight", left(filled, progressBarWidth), right(percent(done, total), 7),
		grouped(done), grouped(total), grouped(inFlight))
}

// Done wipes the line.
func (p *Progress) Done() {
	if p.shown {
		fmt.Fprint(p.out, "\r"+strings.Repeat(" ", progressBarWidth)+"\r\x1b[K")
		p.shown = false
	}
}
