package riskcheck_test

import (
	"tollgate/order"
	"tollgate/riskcheck"
)

// paceOf warns or cuts a session that sends too much, whatever became of its
// requests.
func (o *oracle) paceOf(s *sessionState, m order.MsgType) {
	switch m {
	case order.MsgNewOrder, order.MsgReplaceOrder:
		s.attempts = append(s.attempts, o.now)
		if o.tooFast(s, s.attempts, limitCutPerSecond, eventDisconnect) {
			o.pace(s, eventDisconnect)
		}
	case order.MsgCancelOrder, order.MsgMassCancel:
		s.cancels = append(s.cancels, o.now)
		if o.tooFast(s, s.cancels, limitCancelsPerSecond, eventWarn) {
			o.pace(s, eventWarn)
		}
		if o.tooFast(s, s.cancels, limitCancelsCut, eventDisconnect) {
			o.pace(s, eventDisconnect)
		}
	}
}

func (o *oracle) pace(s *sessionState, kind eventKind) {
	o.emit(event{kind: kind, session: s.id, connection: s.connection, reason: order.ReasonMessageRate})
}

// tooFast counts messages against one of the optional limits of a session. What
// was sent before the limit was stated may count, and need not.
func (o *oracle) tooFast(s *sessionState, sent []int64, kind limitName, said eventKind) bool {
	limit, ok := o.limit(s.scope(), kind)
	if !ok {
		return false
	}
	if o.within(sent[s.statedAt[kind].since:], 1e9) > limit {
		return true
	}
	return o.within(sent, 1e9) > limit && in(said, o.enginePace)
}

// restatePace remembers how much was sent when an optional limit was stated, or
// was changed: a window that held few may have forgotten more.
func (o *oracle) restatePace(s *sessionState) {
	before := s.statedAt
	s.statedAt = map[limitName]stated{}
	for _, kind := range []limitName{limitCutPerSecond, limitCancelsPerSecond, limitCancelsCut} {
		limit, ok := o.limit(s.scope(), kind)
		if !ok {
			continue
		}
		now := stated{limit, len(s.cancels)}
		if kind == limitCutPerSecond {
			now.since = len(s.attempts)
		}
		s.statedAt[kind] = before[kind].orSince(now)
	}
}

// stated is a limit and how many messages there were when it was stated.
type stated struct {
	limit int64
	since int
}

// orSince keeps the earlier statement of the same limit.
func (s stated) orSince(now stated) stated {
	if s.limit == now.limit && s != (stated{}) {
		return s
	}
	return now
}

func (s *sessionState) scope() order.Scope {
	return order.Scope{Type: order.ScopeSession, ID: uint32(s.id)}
}

// within counts the stamps in (now − window, now].
func (o *oracle) within(stamps []int64, windowNs int64) int64 {
	var n int64
	for _, at := range stamps {
		if at > o.now-windowNs {
			n++
		}
	}
	return n
}

// rateWindows are the windows of control 11, in the order they are considered.
var rateWindows = []struct {
	kind    limitName
	ns      int64 // 0: the whole day
	cancels bool  // they count, and nothing stated does not block
}{
	{limitPerSecond, 1e9, false},
	{limitPerMinute, 60e9, false},
	{limitPerDay, 0, false},
	{limitBothPerSecond, 1e9, true},
	{limitBothPerDay, 0, true},
}

// rate is one rate limit that applies, with the fewest and the most messages
// its window may count.
type rate struct {
	limitRow
	least, most int64
}

// messageRate is control 11. A limit counts exactly once its window has gone by
// since it was stated; until then an engine need not know what was accepted
// before, but it may, so any count between the two is right. A full window says
// that it is full, not how much more would have been in it.
func (o *oracle) messageRate(c *judged) *refusal {
	rates, needed := o.rates(c)
	exact := true
	var found []candidate
	for _, r := range rates {
		found = append(found, c.candidate(r.limitRow, num(r.least+1)))
		exact = exact && r.least == r.most
	}
	if needed == 0 {
		return because(order.ReasonMessageRate)
	}
	if d := o.engineRefuses(c, order.ReasonMessageRate); !exact && d != nil && d.Value > d.Limit {
		if r := o.decidingRate(rates, d); r != nil {
			return &refusal{*d, r.kind}
		}
	}
	return tightest(order.ReasonMessageRate, found)
}

// decidingRate finds the limit an engine's refusal is by. A refusal does not say
// which of a scope's limits decided: one that binds whatever was forgotten goes
// before one that may bind, unless the engine has told of that one.
func (o *oracle) decidingRate(rates []rate, d *order.Decision) *rate {
	var possible *rate
	for i := range rates {
		r := &rates[i]
		if r.scope != d.Scope || r.value != d.Limit || d.Value <= r.least || d.Value > r.most+1 {
			continue
		}
		if r.least >= r.value || o.engineSays(r.scope, func(a *riskcheck.Alert) bool {
			return a.Kind == limitKinds[r.kind]
		}) {
			return r
		}
		if possible == nil {
			possible = r
		}
	}
	return possible
}

// rates lists the rate limits that apply, widest scope first, and counts those of
// which one must be stated.
func (o *oracle) rates(c *judged) (out []rate, needed int) {
	for _, s := range c.scopes(o.world.firm) {
		for _, w := range rateWindows {
			row := o.row(s, w.kind)
			if row == nil {
				continue
			}
			if !w.cancels {
				needed++
			}
			since := o.statedAt[limitKey{s, w.kind}].since
			r := rate{*row, o.accepted(s, w.ns, since, w.cancels), o.accepted(s, w.ns, 0, w.cancels)}
			if w.ns != 0 {
				r.least, r.most = min(r.least, row.value), min(r.most, row.value)
			}
			out = append(out, r)
		}
	}
	return out, needed
}

// accepted counts the accepted new and replace requests of a scope in a window,
// or in the day, from the given stamp on.
func (o *oracle) accepted(s order.Scope, windowNs int64, since int, cancels bool) int64 {
	var n int64
	for i := range o.stamps[since:] {
		st := &o.stamps[since+i]
		if st.cancel && !cancels || !st.within(s) {
			continue
		}
		if windowNs == 0 && st.moment > o.days[0].began || windowNs != 0 && st.at > o.now-windowNs {
			n++
		}
	}
	return n
}

// restateRates remembers for every rate limit in force how many stamps there
// were when it was stated or changed. The messages of the day count always.
func (o *oracle) restateRates() {
	before := o.statedAt
	o.statedAt = map[limitKey]stated{}
	for _, row := range o.limits {
		if row.value != order.Unlimited && row.kind != limitPerDay && row.kind != limitBothPerDay {
			key := limitKey{row.scope, row.kind}
			o.statedAt[key] = before[key].orSince(stated{row.value, len(o.stamps)})
		}
	}
}
