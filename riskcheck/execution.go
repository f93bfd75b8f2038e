package riskcheck

import "tollgate/order"

// executions remembers the newest executions that were booked, so that a
// duplicate ExecID is applied once and the venue can take one back exactly.
type executions struct {
	index table
	ring  []execution // booked executions, the oldest is overwritten first
	next  int
}

// execution is one booked execution; nothing is left of one that was taken back.
type execution struct {
	key
	booked
}

func newExecutions(executionsMax int, seed uint64) executions {
	x := executions{index: newTable(executionsMax, seed), ring: make([]execution, executionsMax)}
	x.index.first = 0 // a venue numbers its executions over all orders
	return x
}

// first makes an execution known and reports whether it was not known before. The
// place it returns is for what was booked.
func (x *executions) first(id order.OrderID, exec order.ExecID) (*execution, bool) {
	k := key{uint64(id), uint64(exec)}
	if _, ok := x.index.get(k); ok {
		return nil, false
	}
	if x.index.full() {
		x.index.remove(x.ring[x.next].key)
	}
	at := &x.ring[x.next]
	x.index.put(k, uint64(x.next))
	*at = execution{key: k}
	x.next++
	if x.next == len(x.ring) {
		x.next = 0
	}
	return at, true
}

// find returns a known execution of an order, nil if there is none.
func (x *executions) find(id order.OrderID, exec order.ExecID) *execution {
	if i, ok := x.index.get(key{uint64(id), uint64(exec)}); ok {
		return &x.ring[i]
	}
	return nil
}
