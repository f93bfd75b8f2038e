package asynclog

const (
	// argsMax is the number of arguments an event carries; with its time and
	// code they fill one cache line.
	argsMax = 6

	// RingEventsDefault is the number of events a Log holds when the
	// configuration names none: 256 KiB, and 40,000 events a second at
	// DrainIntervalMsDefault before the first is lost.
	RingEventsDefault = 4096

	// RingEventsMin keeps the part of a ring that only audit events may use
	// above zero.
	RingEventsMin = 16

	// RingEventsMax bounds the memory of one Log to 64 MiB.
	RingEventsMax = 1 << 20

	// auditReserveShift says which part of a ring only audit events may use:
	// 1/2^auditReserveShift of it, so that a storm of ordinary events cannot
	// push out a kill.
	auditReserveShift = 3

	// LogsMax bounds the logs of one Drainer; a process has a handful of loops.
	LogsMax = 256

	// DrainIntervalMsDefault is how often the Drainer looks at the rings: an
	// event is written this late at most, and an idle process wakes this rarely.
	DrainIntervalMsDefault = 100

	// DrainIntervalMsMax bounds how long a person waits for an event.
	DrainIntervalMsMax = 10_000

	// outputBytes is the buffer between encoder and output, about one turn's
	// worth of text.
	outputBytes = 64 << 10

	// TextBytes is the number of bytes of text that PackText keeps: enough for
	// an IPv4 address with its port.
	TextBytes = 8 * textArgs

	// textArgs is the number of arguments a packed text takes.
	textArgs = 3
)
