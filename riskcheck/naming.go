package riskcheck

import "tollgate/order"

// A ClOrdID is used from the moment a new order or replace with it passed the
// duplicate test, accepted or not, until the day rolls. If the request was
// accepted, it names the order.

func clOrdKey(session order.SessionID, id order.ClOrdID) key { return key{uint64(session), uint64(id)} }

// clOrdNoOrder is stored for a ClOrdID that was used by a rejected request.
const clOrdNoOrder = 1<<63 - 1

// useName makes the ClOrdID of a new order or replace used, and refuses it if it was.
func (e *Engine) useName(c *candidate, r *order.Request) bool {
	k := clOrdKey(r.Session, r.ClOrdID)
	if c.mode == modeTrace {
		_, used := e.clOrdIDs.get(k)
		return !used || c.refuse(order.ReasonDuplicateClOrdID)
	}
	if c.name = e.clOrdIDs.claim(k, clOrdNoOrder); c.name == nil {
		return c.refuse(order.ReasonDuplicateClOrdID)
	}
	return true
}

// nameOrder makes the ClOrdID of an accepted request name its order.
func (e *Engine) nameOrder(c *candidate, i int32) {
	c.name.index = (uint64(e.orders.orders[i].generation)<<32 | uint64(i)) + 1
}

// named returns the order a ClOrdID names. found without an order means that
// there was one and it has been forgotten since it ended.
func (e *Engine) named(session order.SessionID, id order.ClOrdID) (o *liveOrder, found bool) {
	at, ok := e.clOrdIDs.get(clOrdKey(session, id))
	if !ok || at == clOrdNoOrder {
		return nil, false
	}
	o = &e.orders.orders[uint32(at)]
	if uint64(o.generation) != at>>32 {
		return nil, true
	}
	return o, true
}
