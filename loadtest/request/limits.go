package request

const (
	// LiveOrdersMax bounds the orders the mapper keeps track of at one time; 64
	// bytes each.
	LiveOrdersMax = 4 << 20
	// SessionsMax bounds the session numbers of parties, so that a slip cannot
	// ask for gigabytes.
	SessionsMax = 1 << 16
	// liveOrdersExpected is what room is made for before the first order.
	liveOrdersExpected = 1 << 16
)
