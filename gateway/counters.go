package gateway

// Counters counts everything that is counted since the gateway was made.
type Counters struct {
	// Relayed frames.
	Checks          uint64 // requests passed to the engine
	Verdicts        uint64 // verdicts passed to the exchange
	Reports         uint64 // venue reports passed to the engine
	Answers         uint64 // sequenced answers passed to clients
	Traces          uint64 // hop traces passed to clients
	Hints           uint64 // Gap, Duplicate and Busy of the engine passed to clients
	Prices          uint64 // reference prices passed to the engine
	Commands        uint64 // ReportsFrom, ReportsAck and KillFence passed to the exchange
	Notices         uint64 // KillFenceAck and AdapterRefusal passed to the engine
	VenueCancels    uint64 // cancels passed to the exchange while the engine was away
	Acknowledgments uint64 // OutSeq acknowledgments passed to the engine

	// Frames that could not be passed on. Nothing is lost by it: the engine or the client repeats.
	BusySent          uint64 // requests answered with Busy by the gateway
	VerdictsDropped   uint64 // no link to the exchange
	ReportsDropped    uint64 // no link to the engine
	AnswersUnroutable uint64 // the session has no connection here
	HintsUnroutable   uint64 // the hint is for a connection that is gone
	CommandsDropped   uint64 // no link to the neighbour meant
	FramesOutOfPlace  uint64 // a neighbour sent a frame that is not its to send
	ForgivenPauses    uint64 // times this process stood still and held no silence against anybody
	CancelsStranded   uint64 // cancels that could reach neither the engine nor the exchange

	// Client connections.
	Accepted       uint64
	Refused        uint64 // over ConnectionsMax, or while draining
	Logins         uint64
	LoginsRefused  uint64 // by the gateway or by the engine
	NotAuthorized  uint64 // of these: unknown client or wrong key
	Logouts        uint64
	Closed         uint64 // connections that ended, for whatever cause
	Malformed      uint64 // cut for a frame that can be no frame, or for unfit content
	NotLoggedIn    uint64 // cut for a request before the login
	LoginTimeouts  uint64
	Silences       uint64 // cut for silence
	SlowReaders    uint64
	Replaced       uint64 // cut by a newer login of the same session
	Disconnects    uint64 // cut by order of the engine
	Realigned      uint64 // closed because the engine came back
	HeartbeatsSent uint64 // to clients

	// Links to the neighbours.
	RiskUps        uint64
	RiskDowns      uint64
	VenueUps       uint64
	VenueDowns     uint64
	VenueRefreshes uint64 // links to the exchange made anew because the engine came up
	LinkHangs      uint64 // links closed for silence
}
