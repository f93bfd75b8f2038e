package riskcheck

import "tollgate/order"

// executions remembers the newest executions that were booked, so that a
// duplicate ExecID is applied once.
type executions struct {
	index table
	ring  []key // booked executions, the oldest is overwritten first
	next  int
}

func newExecutions(executionsMax int, seed uint64) executions {
	return executions{index: newTable(executionsMax, seed), ring: make([]key, executionsMax)}
}

// first books an execution and reports whether it was not booked before.
func (x *executions) first(id order.OrderID, exec order.ExecID) bool {
	k := key{uint64(id), uint64(exec)}
	if _, ok := x.index.get(k); ok {
		return false
	}
	if x.index.full() {
		x.index.remove(x.ring[x.next])
	}
	x.index.put(k, 0)
	x.ring[x.next] = k
	x.next++
	if x.next == len(x.ring) {
		x.next = 0
	}
	return true
}
