package exchange

// Bounds of the package that are not configured.
const (
	// SeqWindowMin is the shortest memory of used tokens, in sequence numbers.
	SeqWindowMin = 64

	// SeqWindowMax is the longest memory of used tokens, in sequence numbers; it
	// takes an eighth of that in bytes.
	SeqWindowMax = 1 << 30

	// FencesMax is the most kill fences an adapter can be configured to tell
	// apart.
	FencesMax = 1 << 16

	// OrdersMax is the most live orders an adapter can be configured for.
	OrdersMax = 1 << 24

	// ReportsRetainedMax is the longest report log an adapter can be configured
	// for.
	ReportsRetainedMax = 1 << 26

	// ListenersMax bounds the addresses one server listens on.
	ListenersMax = 16

	// namesPerOrder is how many ClOrdIDs of one live order are known; when it is
	// replaced more often, the oldest is forgotten.
	namesPerOrder = 4

	// reportsReserved is the room of the report log before it first doubles.
	reportsReserved = 1 << 12

	// backlogShare is the part of the report log, one in so many, that is kept
	// for cancels and refusals: new orders are refused when only it is left.
	backlogShare = 8

	// operationsQueued is how many commands for the venue may wait for the loop; more
	// are refused.
	operationsQueued = 64

	// recordsQueued is how many records of the venue's log may wait for the
	// file; the loop waits when there are more, since the log must be complete.
	recordsQueued = 1 << 14

	// gatewayOutboundBytes bounds what a gateway's link holds unsent. It is above
	// what ReportsInFlightMax reports take at its default.
	gatewayOutboundBytes = 16 << 20

	// gatewayOutboundFrames is the same bound in frames.
	gatewayOutboundFrames = 1 << 16
)

// Defaults of the configuration.
const (
	defaultSeqWindow          = 1 << 20
	defaultFencesMax          = 1 << 10
	defaultOrdersMax          = 1 << 17
	defaultReportsRetainedMax = 1 << 18
	defaultReportsInFlightMax = 1 << 14
	defaultHeartbeatNs        = 50_000_000
	defaultSilenceNs          = 500_000_000
)
