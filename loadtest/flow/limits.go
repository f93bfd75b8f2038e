package flow

const (
	// RowBytesMax bounds one row; real rows have about one hundred bytes.
	RowBytesMax = 4096
	// FieldsMax bounds the fields of a row; the widest real format has fifteen.
	FieldsMax = 32
	// LiveOrdersMax bounds the orders a reader keeps track of at one time,
	// about 400 MB at the bound; a full day of the busiest future stays below a
	// tenth.
	LiveOrdersMax = 4 << 20
	// EventsMaxDefault is how many events Load keeps when it is not told: about
	// 200 MB.
	EventsMaxDefault = 4 << 20
	// valueShownBytesMax bounds how much of a wrong value an error repeats.
	valueShownBytesMax = 40
	// matchToleranceUnits is how far the two sides of one Bitstamp match may
	// differ: each side's volume is rounded to 10⁻⁸ on its own.
	matchToleranceUnits = 2
)
