package wire

import (
	"unsafe"

	"tollgate/order"
)

// Sizes in bytes of the structs this package copies field by field. Whoever
// adds a field to one of them meets these lines, and then the append and decode
// functions and the schema.
const (
	requestSize        = 96
	verdictSize        = 128
	reportSize         = 120
	answerSize         = 176
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

// The hot blocks carry every field of their structs, which have no padding.
var (
	_ [requestSize + traceSize]byte = checkView{}
	_ [verdictSize + traceSize]byte = verdictView{}
	_ [reportSize + traceSize]byte  = venueReportView{}
	_ [traceSize]byte               = hopTimesView{}
)
