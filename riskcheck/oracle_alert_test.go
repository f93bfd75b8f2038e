package riskcheck_test

import (
	"math/big"
	"slices"

	"tollgate/order"
	"tollgate/riskcheck"
)

// rung is how much of a limit's use has been told.
type rung int

const (
	rungNone rung = iota
	rungWatch
	rungWarn
	rungAct
)

// laddered are the kinds of limits whose use is told.
var laddered = []limitName{
	limitMaxOrderQty, limitMaxOrderNotional, limitParticipation, limitPerSecond, limitPerMinute, limitPerDay,
	limitExecutions, limitOpenOrders, limitOpenNotional, limitPositionLong, limitPositionShort, limitGross, limitNet,
	limitTurnoverDay, limitTurnoverMinute, limitLoss, limitDrawdown,
}

// alert tells people something, after everything else of the input.
func (o *oracle) alert(s order.Scope, a riskcheck.Alert) {
	o.alerts = append(o.alerts, event{kind: eventAlert, scope: s, alert: a})
}

// engineSays reports whether the engine has told something of a scope.
func (o *oracle) engineSays(s order.Scope, what func(*riskcheck.Alert) bool) bool {
	for i := range o.engineTold {
		if e := &o.engineTold[i]; e.scope == s && what(&e.alert) {
			return true
		}
	}
	return false
}

// engineSaysNext reports whether the engine has told something of a scope just after
// what the oracle has told so far: of a list, at the same order.
func (o *oracle) engineSaysNext(s order.Scope, what func(*riskcheck.Alert) bool) bool {
	next := len(o.alerts)
	return next < len(o.engineTold) && o.engineTold[next].scope == s && what(&o.engineTold[next].alert)
}

// engineRefuses is why the engine refused a request, if it did for a reason.
func (o *oracle) engineRefuses(c *judged, reason order.Reason) *order.Decision {
	for i := range o.engineSaid {
		a := &o.engineSaid[i]
		if a.Session == c.request.Session && a.Ref == c.request.Ref && a.Decision.Reason == reason {
			return &a.Decision
		}
	}
	return nil
}

// ofLoss reports whether an alert is about control 20.
func ofLoss(a *riskcheck.Alert) bool {
	switch a.Kind {
	case riskcheck.LimitDailyLoss, riskcheck.LimitDailyLossFromPeak, riskcheck.LimitDailyLossKill:
		return a.Cause != riskcheck.AlertReverted
	}
	return a.Latch == riskcheck.LatchLoss || a.Latch == riskcheck.LatchDrawdown
}

// tellUse tells what an accepted request has made of the limits it was held
// against.
func (o *oracle) tellUse(c *judged) {
	for _, u := range c.used {
		if in(u.kind, laddered) {
			o.tellRung(u)
		}
	}
}

// tellRung tells of a use that is within its limit, if it is higher than what was
// told last. Use below all rungs makes a new telling possible.
func (o *oracle) tellRung(u use) {
	key, now, cause := limitKey{u.scope, u.kind}, rungNone, riskcheck.AlertCause(0)
	if u.value != order.Unlimited {
		switch {
		case u.warn != 0 && u.now.Cmp(part(u.limit, u.warn)) >= 0:
			now, cause = rungWarn, riskcheck.AlertWarn
		case u.watch != 0 && u.now.Cmp(part(u.limit, u.watch)) >= 0:
			now, cause = rungWatch, riskcheck.AlertWatch
		}
	}
	switch {
	case now == rungNone:
		delete(o.told, key)
	case now > o.told[key]:
		o.told[key] = now
		o.alert(u.scope, riskcheck.Alert{Cause: cause, Kind: limitKinds[u.kind], Value: saturated(u.now), Limit: u.limit})
	}
}

// part is ⌈limit × percentage / 100⌉.
func part(limit int64, percentage uint8) *big.Int {
	return up(times(num(limit), num(int64(percentage))), percent)
}

// tellAct tells that a limit was reached beyond.
func (o *oracle) tellAct(row limitRow, value, limit int64) {
	key := limitKey{row.scope, row.kind}
	if !in(row.kind, laddered) || o.told[key] == rungAct {
		return
	}
	o.told[key] = rungAct
	o.alert(row.scope, riskcheck.Alert{
		Cause: riskcheck.AlertAct, Kind: limitKinds[row.kind], Value: value, Limit: limit,
	})
}

// breached does what the limit that refused a request is to do.
func (o *oracle) breached(c *judged, no *refusal) {
	row := o.row(no.Scope, no.kind)
	if row == nil {
		return
	}
	o.tellAct(*row, no.Value, no.Limit)
	if no.kind == limitExecutions {
		o.latch(order.Scope{Type: order.ScopeStrategy, ID: uint32(c.strategy)}, riskcheck.LatchRepeatedExecution)
	}
	switch row.act {
	case riskcheck.ActReduceOnly:
		o.latch(no.Scope, riskcheck.LatchLimit)
	case riskcheck.ActKill:
		o.killFor(no.Scope, no.kind, no.Value, no.Limit)
	}
}

// killFor kills a scope because of a limit, and tells it if it is news.
func (o *oracle) killFor(s order.Scope, kind limitName, value, limit int64) {
	if in(s, o.killed) {
		return
	}
	o.killScope(s)
	o.alert(s, riskcheck.Alert{Cause: riskcheck.AlertKilled, Kind: limitKinds[kind], Value: value, Limit: limit})
}

// revert ends the limits whose time has come.
func (o *oracle) revert() {
	ended := 0
	for i := range o.limits {
		row := &o.limits[i]
		if row.until == 0 || o.now < row.until {
			continue
		}
		ended++
		was := row.value
		row.value, row.until, row.then = row.then, 0, 0
		o.alert(row.scope, riskcheck.Alert{
			Cause: riskcheck.AlertReverted, Kind: limitKinds[row.kind], Value: was, Limit: row.value,
		})
	}
	if ended > 0 {
		o.version++
		o.limitsChanged()
	}
}

// limitsChanged follows new values of limits.
func (o *oracle) limitsChanged() {
	o.stated = map[limitKey]*limitRow{}
	before := o.rejectsFrom
	o.rejectsFrom = map[order.Scope]stated{}
	for i := range o.limits {
		row := &o.limits[i]
		key := limitKey{row.scope, row.kind}
		o.stated[key] = row
		if row.value == order.Unlimited {
			continue
		}
		if _, counts := o.minuteFrom[row.scope]; row.kind == limitTurnoverMinute && !counts {
			o.minuteFrom[row.scope] = o.next()
		}
		if row.kind == limitRejects {
			o.rejectsFrom[row.scope] = before[row.scope].orSince(stated{row.value, o.next()})
			if _, ever := o.rejectsEver[row.scope]; !ever {
				o.rejectsEver[row.scope] = o.rejectsFrom[row.scope].since
			}
		}
	}
	o.restateRates()
	for _, s := range o.sessions {
		o.restatePace(s)
	}
	o.judgeLosses(true)
}

// lateTruth follows what the venue says against all limits: it counts, people are
// told, and every scope that is now over a limit takes only what reduces.
func (o *oracle) lateTruth(id identity, ord order.OrderID, cause riskcheck.AlertCause) {
	o.tellTruth(id, ord, cause)
	live := o.reservations()
	for _, s := range id.scopes(o.world.firm) {
		if o.exceeded(live, id, s) {
			o.latch(s, riskcheck.LatchLateTruth)
		}
	}
}

// tellTruth tells of it, at the account and instrument.
func (o *oracle) tellTruth(id identity, ord order.OrderID, cause riskcheck.AlertCause) {
	s := accountScope(id.account)
	s.Instrument = id.instrument
	if _, ever := o.currencies[id.account]; !ever || o.world.instrument(id.instrument) == nil {
		s = order.Scope{}
	}
	o.alert(s, riskcheck.Alert{Cause: cause, OrderID: ord})
}

// exceeded reports whether a scope is over one of its limits as things stand.
func (o *oracle) exceeded(live []reservation, id identity, s order.Scope) bool {
	over := func(kind limitName, value *big.Int) bool {
		limit, ok := o.limit(s, kind)
		return ok && limit != order.Unlimited && value.Cmp(num(limit)) > 0
	}
	m := o.measure(live, s)
	if over(limitOpenOrders, num(m.orders)) || over(limitOpenNotional, plus(m.buyValue, m.sellValue)) {
		return true
	}
	narrow := s
	if s.Class == 0 {
		narrow.Instrument = id.instrument
	}
	p := o.measure(live, narrow)
	if over(limitPositionLong, worstCase(p.position(), p.buyQty)) ||
		over(limitPositionShort, worstCase(negated(p.position()), p.sellQty)) {
		return true
	}
	o.valuePositions(m, s)
	if m.overflown() {
		return slices.ContainsFunc([]limitName{limitGross, limitNet}, func(kind limitName) bool {
			limit, ok := o.limit(s, kind)
			return ok && limit != order.Unlimited
		})
	}
	return over(limitGross, plus(m.gross, m.buyValue, m.sellValue)) ||
		over(limitNet, worstCase(m.net, m.buyValue)) || over(limitNet, worstCase(negated(m.net), m.sellValue))
}

// worstCase is what is held and open on one side; nothing if what is open only
// takes back what is held on the other.
func worstCase(held, open *big.Int) *big.Int {
	if held.Sign() < 0 && open.Cmp(negated(held)) <= 0 {
		return new(big.Int)
	}
	return plus(floorZero(held), open)
}
