package input

import "strconv"

// Kind says which method of the engine an input is for. The numbers are types of
// stored records: they never change their meaning and are never reused.
type Kind uint16

// The kinds of inputs.
const (
	KindRequest      Kind = 1  // Engine.Request
	KindReport       Kind = 2  // Engine.Report
	KindPrice        Kind = 3  // Engine.Price
	KindTick         Kind = 4  // Engine.Tick
	KindLogin        Kind = 5  // Engine.Login
	KindDisconnected Kind = 6  // Engine.Disconnected
	KindAckAnswers   Kind = 7  // Engine.AckAnswers
	KindVenueUp      Kind = 8  // Engine.VenueUp
	KindVenueDown    Kind = 9  // Engine.VenueDown
	KindReference    Kind = 10 // Engine.ApplyReference
	KindLimits       Kind = 11 // Engine.ApplyLimits
	KindKill         Kind = 12 // Engine.Kill
	KindUnkill       Kind = 13 // Engine.Unkill
	KindRelease      Kind = 14 // Engine.Release
	KindCash         Kind = 15 // Engine.SetCash
	KindPosition     Kind = 16 // Engine.SetPosition
	KindLocate       Kind = 17 // Engine.SetLocate
	KindFxRate       Kind = 18 // Engine.SetFxRate
	KindMarketState  Kind = 19 // Engine.SetMarketState
	KindRollDay      Kind = 20 // Engine.RollDay
	KindRollCalendar Kind = 21 // Engine.RollCalendar
	KindStart        Kind = 22 // Engine.Start

	kinds = 23
)

// KindsMax is the highest number that a kind may ever have. Records that are no
// inputs have types above it.
const KindsMax Kind = 255

// kindNames are the names of the kinds, in the order of their numbers.
var kindNames = [kinds]string{
	"", "request", "report", "price", "tick", "login", "disconnected", "ack-answers", "venue-up", "venue-down",
	"reference", "limits", "kill", "unkill", "release", "cash", "position", "locate", "fx-rate", "market-state",
	"roll-day", "roll-calendar", "start",
}

// Kinds returns every kind, in the order of their numbers.
func Kinds() []Kind {
	out := make([]Kind, kinds-1)
	for i := range out {
		out[i] = Kind(i + 1)
	}
	return out
}

// Known reports whether k is one of the kinds above.
func (k Kind) Known() bool { return k != 0 && k < kinds }

// Commanded reports whether inputs of the kind come from people, and say who
// asked and why.
func (k Kind) Commanded() bool { return k >= KindReference && k <= KindRollCalendar }

// String returns the name of the kind as dumps spell it.
func (k Kind) String() string {
	if !k.Known() {
		return "unknown kind " + strconv.Itoa(int(k))
	}
	return kindNames[k]
}
