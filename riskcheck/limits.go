package riskcheck

// Bounds of the engine that are not configuration. Each is part of a rule that
// is documented where it is used.
const (
	// tableMax bounds every configured table, so that indexes fit 32 bits.
	tableMax = 1 << 27
	// pendingReplacesMax is how many replaces of one order may await the venue.
	pendingReplacesMax = 4
	// pendingCancelsMax is how many cancels of one order may await the venue.
	pendingCancelsMax = 4
	// rateStampsMax is the largest message rate limit: stamps are kept exactly.
	rateStampsMax = 1 << 17
	// answerChunksPretouched is how many chunks are made ready at the start.
	answerChunksPretouched = 64
	// answersPerChunk is the unit in which answer streams are stored.
	answersPerChunk = 256
	// duplicateScanMax is how far back a stream is searched for the answer that
	// a duplicate hint names.
	duplicateScanMax = 1024
	// cancelOnDisconnectMaxNs is the longest grace window of a session.
	cancelOnDisconnectMaxNs = 60e9
	// sessionIDMax bounds session identifiers, so that tables can be indexed by
	// them.
	sessionIDMax = 1 << 20
)
