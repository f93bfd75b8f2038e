package riskcheck

import (
	"errors"
	"fmt"

	"tollgate/order"
)

// ApplyLimits puts a set of limits in force in one step, between two requests:
// all of it or, if anything in it is wrong, nothing; the error then lists every
// problem. Open orders are left alone, also where they exceed a lowered limit.
func (e *Engine) ApplyLimits(now int64, set *LimitSet) error {
	e.begin(now)
	if err := e.validateLimits(set); err != nil {
		return err
	}
	for i := range e.nodes {
		e.nodes[i].limits.clear()
	}
	for i := range e.cells {
		e.cells[i].limits.clear()
	}
	for i := range set.Entries {
		e.applyLimit(&set.Entries[i])
	}
	for i := range e.nodes {
		n := &e.nodes[i]
		n.second.state(n.limits[LimitMessagesPerSecond], secondNs)
		n.minute.state(n.limits[LimitMessagesPerMinute], minuteNs)
	}
	for i := range e.sessionRows {
		s := &e.sessionRows[i]
		l := &e.nodes[s.node].limits
		s.attempts.state(l[LimitMessagesCutPerSecond], secondNs)
		s.cancels.state(l[LimitCancelsPerSecond], secondNs)
		s.cancelsCut.state(l[LimitCancelsCutPerSecond], secondNs)
	}
	e.configVersion++
	e.routeVersion++
	return nil
}

const (
	secondNs = 1_000_000_000
	minuteNs = 60 * secondNs
)

func (e *Engine) applyLimit(l *LimitEntry) {
	n, instrument, _ := e.find(l.Scope)
	if instrument == noIndex {
		e.nodes[n].limits[l.Kind] = l.Value
		return
	}
	e.cells[e.cell(n, instrument)].limits[l.Kind] = l.Value
}

// validateLimits returns every problem of a set at once.
func (e *Engine) validateLimits(set *LimitSet) error {
	var errs []error
	seen := make(map[LimitEntry]bool, len(set.Entries))
	newCells := 0
	for i := range set.Entries {
		l := &set.Entries[i]
		n, instrument, err := e.find(l.Scope)
		if err != nil {
			errs = append(errs, fmt.Errorf("limit %s: %w", l.Kind, err))
			continue
		}
		if instrument != noIndex {
			if _, ok := e.cellIndex.get(key{uint64(n), uint64(instrument)}); !ok {
				newCells++
			}
		}
		if problem := l.problem(); problem != "" {
			errs = append(errs, fmt.Errorf("limit %s at %s %d: %s", l.Kind, l.Scope.Type, l.Scope.ID, problem))
		}
		place := LimitEntry{Scope: l.Scope, Kind: l.Kind}
		if seen[place] {
			errs = append(errs, fmt.Errorf("limit %s at %s %d is stated twice", l.Kind, l.Scope.Type, l.Scope.ID))
		}
		seen[place] = true
	}
	if len(e.cells)+newCells > cap(e.cells) {
		errs = append(errs, fmt.Errorf("limits: up to %d new scopes with an instrument, room for %d (CellsMax %d)",
			newCells, cap(e.cells)-len(e.cells), cap(e.cells)))
	}
	return errors.Join(errs...)
}

// problem says what is wrong with an entry, or nothing.
func (l *LimitEntry) problem() string {
	whole := l.Scope.Instrument == 0
	switch {
	case l.Kind == 0 || l.Kind >= limitKinds:
		return fmt.Sprintf("kind %d is unknown", l.Kind)
	case l.Value < 0:
		return fmt.Sprintf("value %d is negative", l.Value)
	case l.Kind.perSession() && l.Scope.Type != order.ScopeSession:
		return "only a session can state it"
	case l.Kind.wholeScope() && !whole:
		return "it cannot be stated for one instrument"
	case l.Kind == LimitPermitListed && whole:
		return "it needs an instrument"
	case l.Kind == LimitPermitListed && (l.Value < 1 || l.Value > PermitBuy|PermitSell):
		return fmt.Sprintf("value %d, want 1 (buy), 2 (sell) or 3 (both)", l.Value)
	case l.Kind == LimitPermission && l.Value != PermitAllowOnly && l.Value != PermitDeny:
		return fmt.Sprintf("value %d, want 1 (allow only) or 2 (deny)", l.Value)
	case l.Kind.stamped() && l.Value > rateStampsMax && l.Value != order.Unlimited:
		return fmt.Sprintf("value %d, want at most %d, or unlimited", l.Value, rateStampsMax)
	}
	return ""
}

// stamped reports whether the kind keeps a stamp for each message it allows.
func (k LimitKind) stamped() bool {
	return k == LimitMessagesPerSecond || k == LimitMessagesPerMinute || k.perSession()
}
