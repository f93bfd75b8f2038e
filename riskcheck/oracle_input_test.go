package riskcheck_test

import (
	"slices"

	"tollgate/order"
)

// price takes a step of an instrument's price. A step without a price takes the
// rung's price back; one from the future was seen now.
func (o *oracle) price(now int64, p *order.ReferencePrice) {
	defer o.begin(now)()
	rung := p.Source >= order.PriceSourceLast && p.Source <= order.PriceSourceSettlement
	i := o.world.instrument(p.Instrument)
	if rung && i != nil && (p.Price == order.Null || i.takes(num(int64(p.Price)))) {
		step := *p
		step.Time = min(step.Time, o.now)
		o.prices = append(o.prices, step)
		o.judgeLosses(false)
	}
}

func (o *oracle) tick(now int64) {
	defer o.begin(now)()
	for _, row := range o.world.sessions {
		s := o.session(row.id)
		if s.deadline == 0 || o.now < s.deadline {
			continue
		}
		s.deadline = 0
		hit := o.liveOrders(func(ord *orderState) bool {
			return ord.session == s.id && ord.tif != order.TimeInForceGTC && ord.tif != order.TimeInForceGTD
		})
		o.answer(s, order.Answer{Kind: order.AnswerCanceledOnEnd, Affected: uint32(len(hit))})
		o.cancelAll(hit, order.ReasonNone)
	}
}

// welcome is the oracle's view of a login.
type welcome struct {
	ok                                bool
	nextRef, nextOutSeq, oldestOutSeq uint64
	connection                        order.ConnectionID
}

func (o *oracle) login(now int64, id order.SessionID, client uint32, wantOutSeq uint64, windowNs int64) welcome {
	defer o.begin(now)()
	s := o.session(id)
	if s == nil || o.world.session(id).client != client {
		return welcome{}
	}
	if wantOutSeq < s.oldest || wantOutSeq > uint64(len(s.answers))+1 {
		return welcome{}
	}
	o.breakBasket(s)
	o.lastConn++
	s.connection, s.windowNs, s.deadline = o.lastConn, windowNs, 0
	s.acked = max(s.acked, wantOutSeq)
	if o.engineOldest > s.oldest && o.engineOldest <= s.acked {
		s.oldest = o.engineOldest // what the client has seen may be forgotten, and need not
	}
	return welcome{true, s.nextRef, uint64(len(s.answers)) + 1, s.oldest, s.connection}
}

func (o *oracle) disconnected(now int64, id order.SessionID, c order.ConnectionID) {
	defer o.begin(now)()
	s := o.session(id)
	if s == nil || c == 0 || s.connection != c {
		return
	}
	o.breakBasket(s)
	s.connection = 0
	if s.windowNs > 0 {
		s.deadline = o.now + s.windowNs
	}
}

// reachVenue tells that the venue can be reached; everything it has not
// answered is sent again under its old number.
func (o *oracle) reachVenue(now int64, instance, nextReport uint64) bool {
	defer o.begin(now)()
	if o.instance != 0 && instance != o.instance || nextReport < o.nextSeen {
		o.venueUp = false
		return false
	}
	o.instance, o.venueUp = instance, true
	for _, v := range o.unanswered() {
		v.Token.Expiry = o.now + o.lifetime
		o.key.Sign(&v)
		o.send(v)
	}
	return true
}

func (o *oracle) loseVenue(now int64) {
	defer o.begin(now)()
	o.venueUp = false
}

func (o *oracle) applyReference(now int64, w world) {
	defer o.begin(now)()
	o.world = w
	for _, s := range w.nodes() {
		if !in(s, o.everybody) {
			o.everybody = append(o.everybody, s)
		}
	}
	slices.SortFunc(o.everybody, func(a, b order.Scope) int {
		if a.Type != b.Type {
			return int(a.Type) - int(b.Type)
		}
		return int(a.ID) - int(b.ID)
	})
	for i := range w.accounts {
		o.currencies[w.accounts[i].id] = w.accounts[i].currency
		o.used = append(o.used, w.accounts[i].currency)
	}
	for i := range w.instruments {
		o.used = append(o.used, w.instruments[i].currency)
	}
	o.judgeLosses(false)
}

func (o *oracle) applyLimits(now int64, rows []limitRow) {
	defer o.begin(now)()
	o.limits = append([]limitRow{}, rows...)
	o.version++
	o.limitsChanged()
}

// kill stops a scope: what is on its way is void, what rests is canceled.
func (o *oracle) kill(now int64, s order.Scope) bool {
	defer o.begin(now)()
	if !o.world.knows(s) {
		return false
	}
	o.killScope(s)
	return true
}

func (o *oracle) killScope(s order.Scope) {
	if !in(s, o.killed) {
		o.killed = append(o.killed, s)
	}
	o.fenceID++
	o.seq++ // a kill has a place in the sequence, and that place is its fence
	o.emit(event{kind: eventFence, scope: s, fence: o.fenceID, belowSeq: o.seq})
	o.cancelAll(o.liveOrders(func(ord *orderState) bool { return ord.within(s) }), order.ReasonKillSwitch)
}

func (o *oracle) unkill(now int64, s order.Scope) bool {
	defer o.begin(now)()
	var kept []order.Scope
	for _, k := range o.killed {
		if k != s {
			kept = append(kept, k)
		}
	}
	found := len(kept) != len(o.killed)
	o.killed = kept
	return found
}
