package riskcheck_test

import (
	"fmt"
	"strings"

	"tollgate/order"
	"tollgate/riskcheck"
)

// figures collects what is not zero, for one line.
type figures struct{ parts []string }

func (a *figures) add(name string, zero bool, value any) {
	if !zero {
		a.parts = append(a.parts, fmt.Sprintf("%s %v", name, value))
	}
}

func (a *figures) String() string {
	if len(a.parts) == 0 {
		return "nothing"
	}
	return strings.Join(a.parts, ", ")
}

// usageLine: usage SCOPE prints what a scope uses now, everything that is not
// zero. usage SCOPE day prints what it has used since the roll, usage SCOPE cash
// what an account's cash is worth.
func (s *script) usageLine(p *phrase) error {
	day, cash := p.flag("day"), p.flag("cash")
	scope := s.scope(p)
	if err := p.end(); err != nil {
		return err
	}
	switch {
	case day:
		s.dayUse(scope)
	case cash:
		s.accountUse(scope)
	default:
		s.use(scope)
	}
	return nil
}

func (s *script) use(scope order.Scope) {
	u, _ := s.engine.Usage(scope)
	var a figures
	a.add("orders", u.OpenOrders == 0, u.OpenOrders)
	a.add("open buys", u.OpenBuyQty == 0, u.OpenBuyQty)
	a.add("open sells", u.OpenSellQty == 0, u.OpenSellQty)
	a.add("open buys worth", u.OpenBuyNotional == 0, u.OpenBuyNotional)
	a.add("open sells worth", u.OpenSellNotional == 0, u.OpenSellNotional)
	a.add("net", u.Net() == 0, u.Net())
	a.add("gross value", u.GrossValue == 0, u.GrossValue)
	a.add("net value", u.NetValue == 0, u.NetValue)
	if scope.Type == order.ScopeAccount && scope.Instrument != 0 {
		located, shorted := s.engine.Locate(order.AccountID(scope.ID), scope.Instrument)
		a.add("located", located == 0, located)
		a.add("shorted", shorted == 0, shorted)
	}
	s.say("%s: %s", s.roll.scope(scope), &a)
}

func (s *script) dayUse(scope order.Scope) {
	u, _ := s.engine.DayUse(scope)
	var a figures
	a.add("messages", u.Messages == 0, u.Messages)
	a.add("with cancels", u.OrdersAndCancels == u.Messages, u.OrdersAndCancels)
	a.add("orders", u.Orders == 0, u.Orders)
	a.add("trades", u.Trades == 0, u.Trades)
	a.add("ordered", u.OrderedQty == 0, u.OrderedQty)
	a.add("executed", u.ExecutedQty == 0, u.ExecutedQty)
	a.add("executed for", u.Executed == 0, u.Executed)
	a.add("added within a minute", u.MinuteAdded == 0, u.MinuteAdded)
	a.add("profit", u.Profit == 0, u.Profit)
	a.add("peak", u.Peak == 0, u.Peak)
	a.add("executions", u.Executions == 0, u.Executions)
	a.add("rejects", u.Rejects == 0, u.Rejects)
	s.say("%s today: %s", s.roll.scope(scope), &a)
}

func (s *script) accountUse(scope order.Scope) {
	u, _ := s.engine.AccountUse(order.AccountID(scope.ID))
	text := fmt.Sprintf("cash %v, equity %v, required %v", u.Cash, u.Equity, u.Required)
	if !u.Valued {
		text += ", a position has no value"
	}
	s.say("%s: %s", s.roll.scope(scope), text)
}

// latchesLine: latches prints every latch in force.
func (s *script) latchesLine(p *phrase) error {
	latched := s.engine.Latched()
	for _, l := range latched {
		s.say("%s: %v", s.roll.scope(l.Scope), l.Latch)
	}
	if len(latched) == 0 {
		s.say("none")
	}
	return p.end()
}

// simulateLine: simulate SESSION: REQUEST prints what would become of a request:
// the outcome, then a line for every control that has something to say, which is
// every one with a finite limit or a rule that refuses. Nothing may change.
func (s *script) simulateLine(p *phrase) error {
	name, found := strings.CutSuffix(p.next("session"), ":")
	if !found {
		p.fail("%q, want a session and a colon", name)
	}
	r := s.requestOf(name, p)
	if err := p.end(); err != nil {
		return err
	}
	before := s.engine.StateHash()
	sim := s.engine.Simulate(&r)
	if after := s.engine.StateHash(); after != before {
		s.fail("a simulation changed the engine: %x, then %x", before, after)
	}
	s.outcome(&sim)
	for _, control := range order.Controls() {
		var said []string
		for i := range sim.Checks {
			if c := &sim.Checks[i]; controlOf(c) == control && telling(c) {
				said = append(said, s.check(c))
			}
		}
		if len(said) > 0 {
			s.say("%s", strings.Join(said, "; "))
		}
	}
	return nil
}

func (s *script) outcome(sim *riskcheck.Simulation) {
	if sim.Decision.Reason != order.ReasonNone {
		s.say("would be refused: %s", s.roll.decision(sim.Decision))
		return
	}
	reference := "none"
	if sim.Reference != order.Null {
		reference = sim.Reference.String()
	}
	s.say("would be sent %s, worth %v, reference %s", at(sim.Price), sim.Notional, reference)
}

// telling reports whether a check has something to say.
func telling(c *riskcheck.Check) bool {
	return !c.Passed || c.Kind != 0 && c.Limit != order.Unlimited
}

// controlOf returns the control a check belongs to.
func controlOf(c *riskcheck.Check) order.Control {
	if c.Kind != 0 {
		return c.Kind.Control()
	}
	return c.Reason.Control()
}

// check writes one check, in the unit of its control.
func (s *script) check(c *riskcheck.Check) string {
	d := order.Decision{Reason: c.Reason, Scope: c.Scope, Value: c.Value, Limit: c.Limit}
	text := s.roll.decision(d)
	switch {
	case !c.Passed:
		text += " (refused)"
	case c.Exempt:
		text += " (only reduces)"
	}
	return text
}
