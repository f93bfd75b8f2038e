package server

// Bounds of the package that are not configured.
const (
	// commandsMax bounds control plane functions that wait for the loop.
	commandsMax = 1024
	// samplesMax bounds decisions that wait to be shown to people.
	samplesMax = 8192
	// alertsMax bounds alerts that wait to be shown to people.
	alertsMax = 4096
	// acceptsPerSample is how many accepted requests there are to each one that
	// is shown; rejected ones are all shown while there is room.
	acceptsPerSample = 64
	// reportsPerAck is after how many venue reports the adapter may forget them.
	reportsPerAck = 1024
	// replayAnswersMax bounds the answers replayed to one session in one turn, so
	// that a client that has been away does not hold up the others.
	replayAnswersMax = 256
	// replayPendingMax is the outbound backlog of a gateway link above which
	// replays pause, in bytes.
	replayPendingMax = 4 << 20
	// gatewayBytesMax and gatewayFramesMax bound what a gateway has not read yet
	// before it counts as hung and is cut.
	gatewayBytesMax  = 256 << 20
	gatewayFramesMax = 2 << 20
	// heartbeatNs is the idle time after which a link gets a heartbeat.
	heartbeatNs = 50_000_000
	// silenceNs is the time without a frame after which a gateway is dead.
	silenceNs = 500_000_000
	// pauseNs is the time between two ticks above which this process counts as
	// having stood still itself.
	pauseNs = 200_000_000
	// reportsAgainNs is the pause between two requests for the same missing
	// report.
	reportsAgainNs = 100_000_000
	// reasonsMax is one above the largest reason that is counted by itself.
	reasonsMax = 10_000
)
