package document

// Bounds of documents. A document beyond one of them is refused as a whole.
const (
	// BytesMax bounds the text of a document: 10,000 accounts with twenty limits
	// each fit five times.
	BytesMax = 8 << 20
	// depthMax bounds the nesting of a document; ours nest five deep.
	depthMax = 16
	// problemsMax bounds how many problems are reported; a person fixes no more
	// of them at once, and a hostile document must not cost memory.
	problemsMax = 100
	// nameBytesMax bounds names, so that they fit one column of a table.
	nameBytesMax = 64
	// quotedBytesMax bounds how much of a wrong value is repeated in a problem.
	quotedBytesMax = 80
	// rateMax is the largest message rate per second or minute: the engine keeps
	// one stamp for each message of a window.
	rateMax = 1 << 17
	// duplicatesMax is the largest number of identical orders: the engine keeps a
	// stamp for each of them.
	duplicatesMax = 64
	// rejectsMax is the largest number of rejects in a row, for the same reason.
	rejectsMax = 1024
	// bpsMax is the widest collar: a thousand times the reference price.
	bpsMax = 10_000_000
)
