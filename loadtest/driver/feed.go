package driver

import (
	"tollgate/loadtest/flow"
	"tollgate/loadtest/request"
)

// feed turns a day into a stream of requests, one day after the other if it is
// asked to.
type feed struct {
	day    *flow.Day
	mapper *request.Mapper
	again  bool // play the day again when it is over

	at       int
	closing  bool  // the day is over; what rests is being canceled
	passes   int   // days that are over
	given    bool  // the present day has given a request
	offsetNs int64 // added to event times, so that they go on from day to day
}

// outgoing is a request with what the driver needs to know about it.
type outgoing struct {
	request.Outgoing
	eventNs int64 // its time in the recording
	opening bool  // part of the opening book
}

// next fills out with the next request; false when the flow is over.
func (f *feed) next(out *outgoing) bool {
	for {
		if f.closing {
			if f.mapper.Close(&out.Outgoing) {
				out.eventNs, out.opening = f.endNs(), false
				return true
			}
			f.begin()
		}
		if f.mapped(out) {
			f.given = true
			return true
		}
		if !f.again || !f.given {
			return false
		}
		f.closing = true
	}
}

// mapped looks for the next event of the day that gives a request.
func (f *feed) mapped(out *outgoing) bool {
	for f.at < len(f.day.Events) {
		e := &f.day.Events[f.at]
		f.at++
		if f.mapper.Map(e, &out.Outgoing) {
			out.eventNs = e.TimeNs + f.offsetNs
			out.opening = e.Opening && f.passes == 0
			return true
		}
	}
	return false
}

// endNs is the time at which the present day is over.
func (f *feed) endNs() int64 { return f.day.Events[len(f.day.Events)-1].TimeNs + f.offsetNs }

// begin starts the day again.
func (f *feed) begin() {
	f.mapper.NextDay()
	f.closing, f.given, f.at = false, false, 0
	f.passes++
	f.offsetNs += f.day.Meta.DurationNs + dayGapNs
}
