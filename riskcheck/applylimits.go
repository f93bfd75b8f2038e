package riskcheck

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"tollgate/order"
)

// ApplyLimits puts a set of limits in force in one step, between two requests:
// all of it or, if anything in it is wrong, nothing; the error then lists every
// problem. Open orders are left alone, also where they exceed a lowered limit.
func (e *Engine) ApplyLimits(now int64, set *LimitSet) error {
	e.begin(now)
	err := e.applyLimits(set)
	e.finish()
	return err
}

func (e *Engine) applyLimits(set *LimitSet) error {
	if err := e.validateLimits(set); err != nil {
		return err
	}
	stating := e.group(set)
	e.eachHolder(func(_ order.Scope, b *book) { b.profile = 0 })
	e.profiles = append(e.profiles[:0], emptyProfile())
	e.profileAt = map[profile]int32{emptyProfile(): 0}
	e.recent.horizonNs = duplicateWindowNs
	for _, h := range stating {
		e.setProfile(h.holder, &h.profile)
		e.recent.horizonNs = max(e.recent.horizonNs, h.profile.limit[LimitDuplicateWindow])
	}
	e.stateWindows()
	e.configVersion++
	e.routeVersion++
	e.judgeAll()
	return nil
}

// stating is a holder and everything a set states for it.
type stating struct {
	holder  holder
	profile profile
}

// group gathers a set by holder, in the order in which the set names them, and
// remembers which limits end by themselves. It makes the holders that are
// missing.
func (e *Engine) group(set *LimitSet) []*stating {
	var out []*stating
	at := map[order.Scope]*stating{}
	e.reverts = e.reverts[:0]
	for i := range set.Entries {
		l := &set.Entries[i]
		h := at[l.Scope]
		if h == nil {
			h = &stating{profile: emptyProfile()}
			at[l.Scope] = h
			out = append(out, h)
			h.holder, _ = e.holder(l.Scope) // it exists or has room: the set is valid
		}
		h.profile.state(l, l.Value)
		if l.Until != 0 {
			e.reverts = append(e.reverts, revert{l.Until, *l})
		}
	}
	slices.SortStableFunc(e.reverts, func(a, b revert) int { return cmp.Compare(a.until, b.until) })
	return out
}

// internProfile returns the number of a profile.
func (e *Engine) internProfile(p *profile) int32 {
	i, ok := e.profileAt[*p]
	if !ok {
		i = int32(len(e.profiles))
		e.profiles = append(e.profiles, *p)
		e.profileAt[*p] = i
	}
	return i
}

// setProfile gives a holder what it states. What requests add within a minute is counted
// from when there is a finite limit to it.
func (e *Engine) setProfile(h holder, p *profile) {
	h.profile = e.internProfile(p)
	l := p.limit[LimitTurnoverPerMinute]
	if l != unstated && l != order.Unlimited && h.day.minute == noIndex {
		e.minutes = append(e.minutes, minuteSums{})
		h.day.minute = int32(len(e.minutes) - 1)
	}
}

// stateWindows gives every window the limit in force.
func (e *Engine) stateWindows() {
	for i := range e.nodes {
		n := &e.nodes[i]
		l := &e.profiles[n.profile].limit
		n.second.state(l[LimitMessagesPerSecond])
		n.minuteRate.state(l[LimitMessagesPerMinute])
		n.both.state(l[LimitOrdersAndCancelsPerSecond])
		n.rejects.state(l[LimitConsecutiveRejects])
	}
	for i := range e.sessionRows {
		s := &e.sessionRows[i]
		l := &e.profiles[e.nodes[s.node].profile].limit
		s.attempts.state(l[LimitMessagesCutPerSecond])
		s.cancels.state(l[LimitCancelsPerSecond])
		s.cancelsCut.state(l[LimitCancelsCutPerSecond])
	}
}

// revert is a temporary limit and when it ends.
type revert struct {
	until int64
	entry LimitEntry
}

// revertLimits ends the temporary limits whose time has come. It is a change of
// limits like any other: verdicts carry the new version.
func (e *Engine) revertLimits() {
	for len(e.reverts) > 0 && e.reverts[0].until <= e.now {
		l := e.reverts[0].entry
		e.reverts = e.reverts[1:]
		h, _ := e.holder(l.Scope) // it states the limit
		p := e.profiles[h.profile]
		l.Watch, l.Warn, l.Act = p.watch[l.Kind], p.warn[l.Kind], p.act[l.Kind]
		p.state(&l, l.Then)
		e.setProfile(h, &p)
		e.alert(l.Scope, Alert{Cause: AlertReverted, Kind: l.Kind, Value: l.Value, Limit: l.Then})
	}
	e.stateWindows()
	e.configVersion++
	e.routeVersion++
	e.judgeAll()
}

// validateLimits returns every problem of a set at once.
func (e *Engine) validateLimits(set *LimitSet) error {
	var errs []error
	type statement struct {
		scope order.Scope
		kind  LimitKind
	}
	seen := make(map[statement]bool, len(set.Entries))
	fresh := map[order.Scope]bool{}
	cells, classes := 0, 0
	for i := range set.Entries {
		l := &set.Entries[i]
		at, err := e.find(l.Scope)
		if err != nil {
			errs = append(errs, fmt.Errorf("limit %s: %w", l.Kind, err))
			continue
		}
		if e.missing(at) && !fresh[l.Scope] {
			fresh[l.Scope] = true
			if at.class != noIndex {
				classes++
			} else {
				cells++
			}
		}
		if problem := l.problem(); problem != "" {
			errs = append(errs, fmt.Errorf("limit %s at %s: %s", l.Kind, scopeText(l.Scope), problem))
		}
		if problem := l.temporaryProblem(e.now); problem != "" {
			errs = append(errs, fmt.Errorf("limit %s at %s: %s", l.Kind, scopeText(l.Scope), problem))
		}
		if seen[statement{l.Scope, l.Kind}] {
			errs = append(errs, fmt.Errorf("limit %s at %s is stated twice", l.Kind, scopeText(l.Scope)))
		}
		seen[statement{l.Scope, l.Kind}] = true
	}
	if room := cap(e.cells) - len(e.cells); cells > room {
		errs = append(errs, fmt.Errorf("limits: %d new scopes with an instrument, room for %d (CellsMax %d)", cells, room,
			cap(e.cells)))
	}
	if room := cap(e.classCells) - len(e.classCells); classes > room {
		errs = append(errs, fmt.Errorf("limits: %d new scopes with a class, room for %d (of %d)", classes, room,
			cap(e.classCells)))
	}
	return errors.Join(errs...)
}

// missing reports whether the holder of a place is still to be made.
func (e *Engine) missing(at place) bool {
	ok := true
	switch {
	case at.instrument != noIndex:
		_, ok = e.cellIndex.get(key{uint64(at.node), uint64(at.instrument)})
	case at.class != noIndex:
		_, ok = e.classIndex.get(key{uint64(at.node), uint64(at.class)})
	}
	return !ok
}

func scopeText(s order.Scope) string {
	text := fmt.Sprintf("%s %d", s.Type, s.ID)
	if s.Instrument != 0 {
		text += fmt.Sprintf(" instrument %d", s.Instrument)
	}
	if s.Class != 0 {
		text += fmt.Sprintf(" class %d", s.Class)
	}
	return text
}

// problem says what is wrong with an entry, or nothing.
func (l *LimitEntry) problem() string {
	whole := l.Scope.Instrument == 0 && l.Scope.Class == 0
	switch {
	case l.Kind == 0 || l.Kind >= limitKinds:
		return fmt.Sprintf("kind %d is unknown", l.Kind)
	case l.Value < 0:
		return fmt.Sprintf("value %d is negative", l.Value)
	case l.Kind.perSession() && l.Scope.Type != order.ScopeSession:
		return "only a session can state it"
	case l.Kind.wholeScope() && !whole:
		return "it cannot be stated for one instrument or class"
	case l.Kind.partScope() && whole:
		return "it needs an instrument or a class"
	case l.Watch > 100 || l.Warn > 100:
		return fmt.Sprintf("watch %d and warn %d, want percentages from 1 to 100, or 0", l.Watch, l.Warn)
	case (l.Watch != 0 || l.Warn != 0) && !l.Kind.HasRungs():
		return "its use is not measured against watch and warn"
	case l.Act > ActKill:
		return fmt.Sprintf("act %d, want 0 (reject), 1 (reduceOnly) or 2 (kill)", l.Act)
	}
	return l.valueProblem(l.Value)
}

// valueProblem says what is wrong with a value that is not negative, or nothing.
func (l *LimitEntry) valueProblem(v int64) string {
	switch k := l.Kind; {
	case k == LimitPermitListed && (v < 1 || v > PermitBuy|PermitSell):
		return fmt.Sprintf("value %d, want 1 (buy), 2 (sell) or 3 (both)", v)
	case k == LimitPermission && v != PermitAllowOnly && v != PermitDeny:
		return fmt.Sprintf("value %d, want 1 (allow only) or 2 (deny)", v)
	case k.stamped() && v > rateStampsMax && v != order.Unlimited:
		return fmt.Sprintf("value %d, want at most %d, or unlimited", v, rateStampsMax)
	case k == LimitDuplicateOrders && (v < 1 || v > duplicatesMax) && v != order.Unlimited:
		return fmt.Sprintf("value %d, want 1 to %d, or unlimited", v, duplicatesMax)
	case k == LimitDuplicateWindow && (v < 1 || v > duplicateWindowMaxNs):
		return fmt.Sprintf("value %d, want 1 to %d ns", v, int64(duplicateWindowMaxNs))
	case k == LimitShortSelling && v != ShortForbidden && v != ShortLocate && v != order.Unlimited:
		return fmt.Sprintf("value %d, want 0 (forbidden), 1 (locate) or unlimited (free)", v)
	case k == LimitSelfMatch && v != SelfMatchReject && v != SelfMatchCancel && v != order.Unlimited:
		return fmt.Sprintf("value %d, want 1 (reject), 2 (cancel) or unlimited (allow)", v)
	case k == LimitConsecutiveRejects && (v < 1 || v > rejectsMax) && v != order.Unlimited:
		return fmt.Sprintf("value %d, want 1 to %d, or unlimited", v, rejectsMax)
	case k == LimitConsecutiveRejectsWindow && v < 1:
		return fmt.Sprintf("value %d, want at least 1 ns", v)
	}
	return ""
}

// temporaryProblem says what is wrong with when an entry ends, or nothing.
func (l *LimitEntry) temporaryProblem(now int64) string {
	switch {
	case l.Until == 0 && l.Then != 0:
		return "Then is given without Until"
	case l.Until == 0:
		return ""
	case l.Until <= now:
		return fmt.Sprintf("Until %d is not after now, %d", l.Until, now)
	case l.Then < 0 || l.Then > l.Value:
		return fmt.Sprintf("Then %d, want 0 to the value, %d", l.Then, l.Value)
	}
	return l.valueProblem(l.Then)
}

// stamped reports whether the kind keeps a stamp for each message it allows.
func (k LimitKind) stamped() bool {
	return k == LimitMessagesPerSecond || k == LimitMessagesPerMinute || k == LimitOrdersAndCancelsPerSecond ||
		k.perSession()
}
