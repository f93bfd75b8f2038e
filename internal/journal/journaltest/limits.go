package journaltest

const (
	// SectorBytes is what a disk writes as a whole or not at all.
	SectorBytes = 512

	// writebackShare is one over the share of operations before which the system
	// writes some sectors by itself, so that older contents can be found after a
	// crash as well.
	writebackShare = 4
)
