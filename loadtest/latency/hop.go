package latency

// Hop is a stretch of the chain, or all of it.
type Hop uint8

// The hops, in the order reports show them.
const (
	FullChain           Hop = 0  // scheduled → the client holds the venue's acknowledgement
	FullChainReject     Hop = 1  // scheduled → the client holds the reject
	RiskUplink          Hop = 2  // gateway read the request → gateway has the verdict
	GeneratorLag        Hop = 3  // scheduled → sent: the generator's own lateness
	ClientToGateway     Hop = 4  // sent → gateway read the request
	GatewayToRisk       Hop = 5  // → engine read the check
	RiskToGateway       Hop = 6  // → gateway read the verdict
	GatewayToVenue      Hop = 7  // → adapter read the order
	VenueToGateway      Hop = 8  // → gateway read the venue's report
	ReportToRisk        Hop = 9  // → engine read the report
	RiskToGatewayAnswer Hop = 10 // → gateway read the answer
	GatewayToClient     Hop = 11 // → the client holds the answer

	// HopCount is one above the highest hop.
	HopCount = 12
)

var hopNames = [HopCount]string{
	"full_chain", "full_chain_reject", "risk_uplink", "generator_lag", "client_to_gateway", "gateway_to_risk",
	"risk_to_gateway", "gateway_to_venue", "venue_to_gateway", "report_to_risk", "risk_to_gateway_answer",
	"gateway_to_client",
}

// String returns the hop's name in results.
func (h Hop) String() string {
	if int(h) < len(hopNames) {
		return hopNames[h]
	}
	return "invalid"
}

// Hops lists all hops in the order reports show them.
func Hops() [HopCount]Hop {
	var hops [HopCount]Hop
	for i := range hops {
		hops[i] = Hop(i)
	}
	return hops
}
