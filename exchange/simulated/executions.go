package simulated

import "tollgate/order"

// execution is a report of a trade, or of a correction of one, that can be
// undone, corrected and said again.
type execution struct {
	report order.Report
	other  order.ExecID // of the report that the trade's other side got; 0: there is none
	undone bool         // by a cancel or a correction
}

// executions remembers the newest executions in a ring. Their ExecIDs rise.
type executions struct {
	ring  []execution
	next  uint64 // executions ever added
	place int    // of the next one in the ring
}

func newExecutions(retainedMax int) executions {
	return executions{ring: make([]execution, retainedMax)}
}

// add remembers an execution as it was reported.
func (x *executions) add(r *order.Report, other order.ExecID) {
	if len(x.ring) == 0 {
		return
	}
	e := &x.ring[x.place]
	e.report, e.other, e.undone = *r, other, false
	x.next++
	if x.place++; x.place == len(x.ring) {
		x.place = 0
	}
}

// at returns the place of the nth execution.
func (x *executions) at(n uint64) *execution { return &x.ring[n%uint64(len(x.ring))] }

// find returns the execution of this name, or nil if it is not remembered.
func (x *executions) find(id order.ExecID) *execution {
	low, high := x.next-min(x.next, uint64(len(x.ring))), x.next
	for low < high {
		middle := (low + high) / 2
		switch e := x.at(middle); {
		case e.report.ExecID == id:
			return e
		case e.report.ExecID < id:
			low = middle + 1
		default:
			high = middle
		}
	}
	return nil
}
