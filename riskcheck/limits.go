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
	// classCellsMax bounds the scopes with a class of which something is said.
	classCellsMax = 1 << 16
	// rungsMax bounds the limits whose use stands above a rung; those beyond it are
	// told again with every order.
	rungsMax = 1 << 16
	// duplicatesMax is the largest LimitDuplicateOrders, and duplicateWindowMaxNs
	// the longest LimitDuplicateWindow.
	duplicatesMax        = 64
	duplicateWindowMaxNs = 60 * secondNs
	// duplicateWindowNs and rejectsWindowNs hold where no scope states a window.
	duplicateWindowNs = secondNs
	rejectsWindowNs   = secondNs
	// rejectsMax is the largest LimitConsecutiveRejects.
	rejectsMax = 1024
	// basketLegsMax is the largest list of orders.
	basketLegsMax = 512
	// answersRetainedMin is the least Config.AnswersRetained: what one input has
	// answered must still be there when it is delivered, a whole list of orders too.
	answersRetainedMin = 2 * basketLegsMax
	// answersPerChunk is the unit in which answer streams are stored.
	answersPerChunk = 64
	// termsClearedFrom is the part of the table of terms in use from which it is
	// cleared as a whole.
	termsClearedFrom = 128
	// duplicateScanMax is how far back a stream is searched for the answer that
	// a duplicate hint names.
	duplicateScanMax = 1024
	// cancelOnDisconnectMaxNs is the longest grace window of a session.
	cancelOnDisconnectMaxNs = 60e9
	// sessionIDMax bounds session identifiers, so that tables can be indexed by
	// them.
	sessionIDMax = 1 << 20
	// snapshotBufferBytes is how much of a snapshot is carried at once.
	snapshotBufferBytes = 1 << 18
)
