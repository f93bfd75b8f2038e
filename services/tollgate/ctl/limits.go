package ctl

import "time"

const (
	// serverDefault is where riskcheck offers its control plane if nobody says
	// otherwise.
	serverDefault = "127.0.0.1:7070"
	// timeoutDefault bounds one request; a kill waits for the adapter that long.
	timeoutDefault = 10 * time.Second
	// ordersShown is how many live orders describe shows unless told otherwise.
	ordersShown = 20
	// messageBytesMax bounds an answer: limits and exposure of the largest firm.
	messageBytesMax = 64 << 20
	// documentBytesMax bounds a file that is read before the server judges it.
	documentBytesMax = 8 << 20
)
