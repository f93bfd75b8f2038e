package journal

// Bounds of the package.
const (
	// HeaderBytes is the length of a segment's header: one page, so that records
	// begin on a page of their own.
	HeaderBytes = 4096

	// RecordHeaderBytes is the length of a record's header.
	RecordHeaderBytes = 32

	// PayloadBytesMax bounds the payload of one record: a limits document of the
	// largest size fits, and a damaged length cannot ask for more than this.
	PayloadBytesMax = 16 << 20

	// SegmentBytesMin is the smallest segment: four pages, so that tests roll
	// often and a record of a quarter still fits.
	SegmentBytesMin = 4 * HeaderBytes

	// SegmentBytesMax is the largest segment: readers load a segment as a whole.
	SegmentBytesMax = 1 << 30

	// roomShare is the part of a segment, one over it, that the writer may fill
	// between two looks at Full while no spare is ready.
	roomShare = 2

	// payloadShare is the part of a segment, one over it, that one record may
	// take, so that several fit into the room that Full leaves.
	payloadShare = 4

	// zeroChunkBytes is how much of a spare segment is written at one turn of the
	// flusher: groups wait for no more than this.
	zeroChunkBytes = 1 << 20

	// snapshotBlockBytes is the length of a full block of a snapshot.
	snapshotBlockBytes = 64 << 10

	// liveAttemptsMax bounds how often a reader lists a directory that changes
	// while it is looked at.
	liveAttemptsMax = 100

	// spaceCheckNs is how old the knowledge about free space on the disk gets.
	spaceCheckNs = 1_000_000_000

	// markDelayNs is how long the flusher waits for another group before it syncs
	// the mark of the last one alone.
	markDelayNs = 20_000_000
)

// Defaults of Config.
const (
	DefaultSegmentBytes        = 64 << 20
	DefaultUndurableRecordsMax = 64 << 10
	DefaultUndurableBytesMax   = 8 << 20
	DefaultReserveBytes        = 256 << 20
)
