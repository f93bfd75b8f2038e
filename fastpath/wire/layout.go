package wire

import (
	"unsafe"

	"tollgate/order"
)

// Sizes in bytes of the structs this package copies field by field. Whoever
// adds a field to one of them meets these lines, and then the append and decode
// functions and the schema.
const (
	requestSize        = 112
	verdictSize        = 136
	reportSize         = 136
	answerSize         = 192
	traceSize          = 56
	referencePriceSize = 24
)

// The structs have those sizes, or this does not compile.
var (
	_ [requestSize]byte        = [unsafe.Sizeof(order.Request{})]byte{}
	_ [verdictSize]byte        = [unsafe.Sizeof(order.Verdict{})]byte{}
	_ [reportSize]byte         = [unsafe.Sizeof(order.Report{})]byte{}
	_ [answerSize]byte         = [unsafe.Sizeof(order.Answer{})]byte{}
	_ [traceSize]byte          = [unsafe.Sizeof(order.Trace{})]byte{}
	_ [referencePriceSize]byte = [unsafe.Sizeof(order.ReferencePrice{})]byte{}
)

// Bytes at the ends of those structs that hold no field.
const (
	requestPadding = 2
	verdictPadding = 4
	reportPadding  = 4
)

// The hot blocks carry every field of their structs.
var (
	_ [requestSize - requestPadding + traceSize]byte = checkView{}
	_ [verdictSize - verdictPadding + traceSize]byte = verdictView{}
	_ [reportSize - reportPadding + traceSize]byte   = venueReportView{}
	_ [traceSize]byte                                = hopTimesView{}
)
