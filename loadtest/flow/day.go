package flow

import (
	"fmt"
	"io"
)

// Day is a bounded piece of order flow held in memory, with what was learned
// about it.
type Day struct {
	Events []Event
	Meta   Meta
}

// describer is what a Source may say about itself beyond its events.
type describer interface {
	Format() Format
	Symbol() string
}

// Load reads at most eventsMax events (0: EventsMaxDefault) and describes them.
// A longer source is cut there, which Meta.Cut says.
func Load(source Source, eventsMax int) (*Day, error) {
	if eventsMax <= 0 {
		eventsMax = EventsMaxDefault
	}
	day := &Day{}
	cut, err := day.read(source, eventsMax)
	if err != nil {
		return nil, err
	}
	day.Meta = describe(day.Events)
	day.Meta.Cut = cut
	if d, ok := source.(describer); ok {
		day.Meta.Format, day.Meta.Symbol = d.Format(), d.Symbol()
	}
	return day, nil
}

// read appends events until the source ends or the bound is reached, and
// reports whether there would have been more.
func (d *Day) read(source Source, eventsMax int) (cut bool, err error) {
	var e Event
	for {
		err := source.Next(&e)
		if err == io.EOF {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		if len(d.Events) == eventsMax {
			return true, nil
		}
		d.Events = append(d.Events, e)
	}
}

// LoadFile opens, loads and closes the file at path.
func LoadFile(path string, eventsMax int) (*Day, error) {
	r, err := Open(path)
	if err != nil {
		return nil, err
	}
	day, err := Load(r, eventsMax)
	if err != nil {
		return nil, closeAfter(r, err)
	}
	if err := r.Close(); err != nil {
		return nil, fmt.Errorf("order flow: %w", err)
	}
	return day, nil
}
