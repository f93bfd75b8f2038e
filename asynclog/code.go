package asynclog

import "strconv"

// Code numbers an event of the catalogue. A number is part of the log's
// format: it is never reused and never changes its meaning.
type Code uint16

// The events of Tollgate. The arguments of each are in the catalogue, in the
// order in which Append takes them.
const (
	CodeProcessStarted    Code = 1
	CodeProcessStopping   Code = 2
	CodeLinkUp            Code = 3
	CodeLinkDown          Code = 4
	CodeSessionLogin      Code = 5
	CodeSessionRefused    Code = 6
	CodeSessionClosed     Code = 7
	CodeSessionCut        Code = 8
	CodeMalformedFrame    Code = 9
	CodeSlowReader        Code = 10
	CodeKilled            Code = 11
	CodeUnkilled          Code = 12
	CodeFenceAcknowledged Code = 13
	CodeLimitsApplied     Code = 14
	CodeReferenceApplied  Code = 15
	CodeVenueUp           Code = 16
	CodeVenueDown         Code = 17
	CodeReportGap         Code = 18
	CodeAdapterRefusal    Code = 19
	CodeCapacityReached   Code = 20
	CodeDisconnectCancel  Code = 21 // cancel-on-disconnect fired
	CodeEventsDropped     Code = 22 // appended by the Drainer alone
	CodeAlert             Code = 23 // of the engine, about a limit or a latch
	CodeOrderAlert        Code = 24 // of the engine, about an order

	codeEnd Code = 25
)

// Severity says how urgent an event is.
type Severity uint8

// The severities, least urgent first. There is no debug: an event that nobody
// acts on is not in the catalogue.
const (
	SeverityInfo  Severity = 1 // the normal life of the process
	SeverityWarn  Severity = 2 // a counterpart misbehaves or a bound is near
	SeverityError Severity = 3 // somebody should look now
)

func (s Severity) String() string {
	switch s {
	case SeverityInfo:
		return "info"
	case SeverityWarn:
		return "warn"
	case SeverityError:
		return "error"
	}
	return "unknown"
}

// Format says how an argument is shown.
type Format uint8

// The formats. Every format takes one argument but FormatText, which takes
// three. The last five are shown as names when the configuration has a Name
// function that knows them, and as numbers otherwise.
const (
	FormatUint   Format = 1
	FormatHex    Format = 2 // epochs, instances: random 64-bit names
	FormatReason Format = 3 // order.Reason
	FormatScope  Format = 4 // order.ScopeType
	FormatErrno  Format = 5 // an error number of the kernel; 0: none
	FormatText   Format = 6 // three arguments from PackText
	FormatInt    Format = 11
	FormatWithin Format = 12 // what a scope is narrowed to, from PackWithin

	FormatLinkKind      Format = 7
	FormatLoginReject   Format = 8
	FormatSessionReject Format = 9
	FormatBound         Format = 10 // the owner's number of one of its limits
	FormatAlert         Format = 13 // the owner's number of what an alert is about

	formatEnd Format = 14
)

// args returns how many arguments of an event the format takes.
func (f Format) args() int {
	if f == FormatText {
		return textArgs
	}
	return 1
}

// Field describes one argument of an event: the key it has in the log, with
// the unit last where it has one, and how it is shown.
type Field struct {
	Name   string
	Format Format
}

// Definition is the catalogue's entry of one event.
type Definition struct {
	Name     string // the message of the log entry, in lower case with dashes
	Text     string // one sentence for a person
	Fields   []Field
	Code     Code
	Severity Severity
	Audit    bool // belongs to the audit trail; has reserved room in every ring
}

// Args returns how many arguments Append takes for the event.
func (d *Definition) Args() int {
	n := 0
	for i := range d.Fields {
		n += d.Fields[i].Format.args()
	}
	return n
}

// Define returns the catalogue's entry of c, or nil if there is none. The
// entry must not be changed.
func Define(c Code) *Definition {
	if c == 0 || c >= codeEnd {
		return nil
	}
	return &catalogue[c]
}

// Codes returns every code of the catalogue, in ascending order.
func Codes() []Code {
	codes := make([]Code, 0, codeEnd-1)
	for c := Code(1); c < codeEnd; c++ {
		codes = append(codes, c)
	}
	return codes
}

// String returns the event's name.
func (c Code) String() string {
	if d := Define(c); d != nil {
		return d.Name
	}
	return "event-" + strconv.Itoa(int(c))
}

// Audit reports whether the event belongs to the audit trail. It may be called
// from any loop.
func (c Code) Audit() bool { return c < codeEnd && catalogue[c].Audit }
