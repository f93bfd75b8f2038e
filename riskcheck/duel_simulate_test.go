package riskcheck_test

import (
	"tollgate/order"
	"tollgate/riskcheck"
)

// simulationsEvery is how rarely a simulation is held against what comes of the
// request.
const simulationsEvery = 4

// simulate asks the engine what would become of a request, if that can be told
// before: the clock must not move on, and nothing else must come first. The twin
// is not asked, so that a trace of the question would show.
func (d *duel) simulate(r *order.Request) *riskcheck.Simulation {
	s := d.oracle.session(r.Session)
	switch {
	case r.ClOrdID == 0, d.inputs%simulationsEvery != 0, d.now > d.oracle.now, r.Basket != 0,
		r.MsgType != order.MsgNewOrder && r.MsgType != order.MsgReplaceOrder,
		s == nil || s.connection == 0 || s.connection != r.Connection || s.nextRef != r.Ref || len(s.held) > 0:
		return nil
	}
	sim := d.engine.Simulate(r)
	return &sim
}

// compareSimulation holds a simulation against what came of the request.
func (d *duel) compareSimulation(r *order.Request, sim *riskcheck.Simulation) {
	if sim == nil {
		return
	}
	var refused order.Decision
	price := sim.Price
	for _, e := range engineEvents(d.engine, testKey()) {
		switch {
		case e.kind == eventAnswer && e.answer.Ref == r.Ref && e.session == r.Session:
			refused = e.answer.Decision
		case e.kind == eventVerdict && e.verdict.MsgType == r.MsgType:
			price = e.verdict.Price
		}
	}
	said := sim.Decision
	if said.Reason == order.ReasonMessageRate && refused.Reason == said.Reason {
		said = refused // a refusal says that a window is full, not how much more was sent, and weighs that
	}
	if said != refused {
		d.fail("a simulation said %+v, it became %+v", said, refused)
	}
	if refused.Reason == order.ReasonNone && sim.Price != price {
		d.fail("a simulation said the price would be %v, it is %v", sim.Price, price)
	}
}
