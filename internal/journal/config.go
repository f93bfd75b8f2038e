package journal

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"time"
)

// Durability says what a record has survived once Durable covers it. There is
// no default: whoever runs a journal says what is promised.
type Durability uint8

// The levels of durability.
const (
	// Process survives the death of any process of the machine, not the loss of
	// its power.
	Process Durability = iota + 1

	// Disk survives the loss of power as well.
	Disk

	// Replicated is for records that another machine holds too. Validate refuses
	// it: nothing acknowledges records yet.
	Replicated
)

// String returns the level's name in configurations.
func (d Durability) String() string {
	switch d {
	case Process:
		return "process"
	case Disk:
		return "disk"
	case Replicated:
		return "replicated"
	}
	return fmt.Sprintf("durability %d", uint8(d))
}

// UnmarshalText takes a level's name.
func (d *Durability) UnmarshalText(text []byte) error {
	for level := Process; level <= Replicated; level++ {
		if string(text) == level.String() {
			*d = level
			return nil
		}
	}
	return fmt.Errorf("durability is %q, want \"process\" or \"disk\"", text)
}

// Config says where a journal is and what it promises. Zero values get the
// defaults of limits.go where there is one.
type Config struct {
	// Directory is where the journal is; Open makes it if its parent exists.
	Directory string

	// Durability is what Durable means.
	Durability Durability

	// SegmentBytes is the length of new segments, a multiple of HeaderBytes.
	// Existing ones keep theirs.
	SegmentBytes int

	// UndurableRecordsMax and UndurableBytesMax bound what is appended and not
	// durable; beyond them Full holds the caller back.
	UndurableRecordsMax uint64
	UndurableBytesMax   uint64

	// ReserveBytes is how much free space there should be on the disk beyond the
	// next spare segment. Below it, Low says so.
	ReserveBytes uint64

	// Wake is called by the flusher whenever it has made Durable advance, which it
	// does at Disk, or a spare segment ready: answers may leave, and Full may have
	// passed. It must not block, and may be nil.
	Wake func()

	// Fatal is called once, by the flusher, if the journal can no longer keep its
	// promise. It is expected to end the process. It must not call Close.
	Fatal func(error)

	// Manual leaves out the flusher's goroutine: the owner calls Turn instead. It
	// is for simulations.
	Manual bool

	// FS is the file system; nil means that of the machine.
	FS FS

	// Random gives the ids of segments; nil means crypto/rand.
	Random io.Reader

	// ClockNs is what the flusher measures its waits and its syncs with, in ns
	// since any fixed point; nil means the monotonic clock.
	ClockNs func() int64
}

// withDefaults returns the configuration with the defaults filled in.
func (c Config) withDefaults() Config {
	if c.SegmentBytes == 0 {
		c.SegmentBytes = DefaultSegmentBytes
	}
	if c.UndurableRecordsMax == 0 {
		c.UndurableRecordsMax = DefaultUndurableRecordsMax
	}
	if c.UndurableBytesMax == 0 {
		c.UndurableBytesMax = DefaultUndurableBytesMax
	}
	if c.ReserveBytes == 0 {
		c.ReserveBytes = DefaultReserveBytes
	}
	if c.Wake == nil {
		c.Wake = func() {}
	}
	if c.FS == nil {
		c.FS = Machine{}
	}
	if c.Random == nil {
		c.Random = rand.Reader
	}
	if c.ClockNs == nil {
		start := time.Now()
		c.ClockNs = func() int64 { return int64(time.Since(start)) }
	}
	return c
}

// Validate reports everything that is wrong with the configuration.
func (c Config) Validate() error {
	c = c.withDefaults()
	var problems []error
	report := func(format string, arguments ...any) {
		problems = append(problems, fmt.Errorf(format, arguments...))
	}
	if c.Directory == "" {
		report("journal directory is empty, want a path")
	}
	switch c.Durability {
	case Process, Disk:
	case Replicated:
		report("journal durability is \"replicated\", which does not exist yet: no other machine would hold the records; "+
			"want %q or %q", Process, Disk)
	default:
		report("journal durability is not given, want %q or %q", Process, Disk)
	}
	if c.SegmentBytes < SegmentBytesMin || c.SegmentBytes > SegmentBytesMax || c.SegmentBytes%HeaderBytes != 0 {
		report("journal segment has %d bytes, want a multiple of %d from %d to %d",
			c.SegmentBytes, HeaderBytes, SegmentBytesMin, SegmentBytesMax)
	}
	if c.Fatal == nil {
		report("journal has no Fatal, want a function that ends the process")
	}
	return errors.Join(problems...)
}

// payloadBytesMax returns the longest payload that segments of this length
// take.
func payloadBytesMax(segmentBytes int) int {
	return min(PayloadBytesMax, (segmentBytes-HeaderBytes)/payloadShare-RecordHeaderBytes)
}
