package riskcheck

import "tollgate/order"

// executions remembers the newest executions that were booked, so that a
// duplicate ExecID is applied once and the venue can take one back exactly.
type executions struct {
	index index       // by ExecID: a venue numbers its executions over all orders
	ring  []execution // booked executions, the oldest is overwritten first
	seed  uint64
	next  int
}

// execution is one booked execution; nothing is left of one that was taken back.
type execution struct {
	key
	booked
}

func newExecutions(executionsMax int, seed uint64) executions {
	return executions{index: newIndex(executionsMax), ring: make([]execution, executionsMax), seed: seed}
}

// first makes an execution known and reports whether it was not known before. The
// place it returns is for what was booked.
func (x *executions) first(id order.OrderID, exec order.ExecID) (*execution, bool) {
	if x.find(id, exec) != nil {
		return nil, false
	}
	at := &x.ring[x.next]
	if x.index.full() {
		x.index.remove(hashID(at.b, x.seed), int32(x.next))
	}
	x.index.put(hashID(uint64(exec), x.seed), int32(x.next))
	*at = execution{key: key{uint64(id), uint64(exec)}}
	x.next++
	if x.next == len(x.ring) {
		x.next = 0
	}
	return at, true
}

// find returns a known execution of an order, nil if there is none.
func (x *executions) find(id order.OrderID, exec order.ExecID) *execution {
	t, h := &x.index, hashID(uint64(exec), x.seed)
	for i := t.home(h); t.slots[i] != 0; i = t.next(i) {
		at, ok := t.at(i, h)
		if ok && x.ring[at].key == (key{uint64(id), uint64(exec)}) {
			return &x.ring[at]
		}
	}
	return nil
}
