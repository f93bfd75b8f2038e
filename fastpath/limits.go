package fastpath

// Bounds of the package that are not configured.
const (
	// ReadBytes is how much one read takes from one link, so that a busy link
	// cannot hold up the others for longer than this many bytes take.
	ReadBytes = 64 << 10

	// EarlyFlushBytes is the size of an outbound batch that is handed to the
	// kernel before the batch ends, so that a large batch to a peer that reads
	// is not mistaken for a slow reader.
	EarlyFlushBytes = 64 << 10

	// OutboundKeptBytes is the capacity up to which a link keeps the memory of an
	// outbound batch for the next one.
	OutboundKeptBytes = 4 * EarlyFlushBytes

	// TurnNs is how long a hot turn lasts before gnet gets to run, and so how
	// long a new connection waits at a busy loop.
	TurnNs = 500_000

	// BacklogTurnNs replaces TurnNs while a peer is too slow for its bytes:
	// only gnet learns from the kernel that it may write again.
	BacklogTurnNs = 20_000

	// DirectPollMax is the number of links up to which a turn reads every link
	// instead of asking the kernel which of them are readable: two empty reads
	// take as long as that question, and a read that finds something saves it.
	DirectPollMax = 2

	// ClockPolls is how many empty polls in a row go without a look at the clock:
	// while processes share cores, what a poll costs is what the others wait for.
	ClockPolls = 8

	// PollEventsMax is how many readable links one question to the kernel
	// returns; the others come with the next one.
	PollEventsMax = 256

	// DescriptorsReserved is how many file descriptors the connection cap
	// leaves to the rest of the process: journals, logs, the control plane.
	DescriptorsReserved = 64

	// QueueMax bounds the capacity of a Ring or a Queue.
	QueueMax = 1 << 24

	// MemoryPipeBytes is what one direction of an in-memory link holds before
	// its sender has to keep bytes back, as a socket buffer does.
	MemoryPipeBytes = 64 << 10
)

// Defaults of Config.
const (
	DefaultSpinNs              = 2_000_000
	DefaultTickNs              = 25_000_000
	DefaultConnectionsMax      = 4096
	DefaultAcceptsPerSecondMax = 1000
	DefaultOutboundBytesMax    = 1 << 20
	DefaultOutboundFramesMax   = 4096
	DefaultDialTimeoutNs       = 1_000_000_000
	DefaultDialBackoffMinNs    = 5_000_000
	DefaultDialBackoffMaxNs    = 500_000_000
	DefaultDrainNs             = 1_000_000_000
)
