package admin

import (
	"context"
	"math"
	"math/bits"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"tollgate/order"
	adminv1 "tollgate/proto/tollgate/admin/v1"
	"tollgate/riskcheck"
	"tollgate/riskcheck/admin/document"
)

// usageReader reads the usage of many scopes in turns of the loop that are
// short each. What it has read is therefore not one instant: orders pass
// between two turns.
type usageReader struct {
	wanted []order.Scope
	index  map[order.Scope]int
	got    []riskcheck.Usage
}

func newUsageReader() *usageReader { return &usageReader{index: map[order.Scope]int{}} }

// full reports whether more was asked for than one request may read. What is
// asked for after that is not taken.
func (r *usageReader) full() bool { return len(r.wanted) > usagesMax }

// want asks for the usage of a scope.
func (r *usageReader) want(scope order.Scope) {
	if _, twice := r.index[scope]; twice || r.full() {
		return
	}
	r.index[scope] = len(r.wanted)
	r.wanted = append(r.wanted, scope)
}

// read gets everything that was asked for.
func (r *usageReader) read(ctx context.Context, loop Loop) error {
	if r.full() {
		return status.Errorf(codes.InvalidArgument, "the request needs the usage of more than %d scopes; "+
			"name one scope or leave out instruments", usagesMax)
	}
	r.got = make([]riskcheck.Usage, len(r.wanted))
	for from := 0; from < len(r.wanted); from += usagesPerTurnMax {
		until := min(from+usagesPerTurnMax, len(r.wanted))
		err := loop.Do(ctx, func(e *riskcheck.Engine, _ int64) {
			for i := from; i < until; i++ {
				r.got[i], _ = e.Usage(r.wanted[i])
			}
		})
		if err != nil {
			return unavailable(err)
		}
	}
	return nil
}

// usage returns what was read for a scope; ok is false if it was not asked for.
func (r *usageReader) usage(scope order.Scope) (u *riskcheck.Usage, ok bool) {
	i, ok := r.index[scope]
	if !ok {
		return nil, false
	}
	return &r.got[i], true
}

// use is what is used of one limit.
type use struct {
	value      int64
	instrument order.InstrumentID // the worst, for limits judged per instrument
	known      bool
}

// usable reports whether the kind has a use: the others judge single orders, or
// messages, of which the engine keeps no total that a person could read.
func usable(kind riskcheck.LimitKind) bool {
	switch kind {
	case riskcheck.LimitOpenOrders, riskcheck.LimitOpenNotional, riskcheck.LimitPositionLong,
		riskcheck.LimitPositionShort, riskcheck.LimitGrossExposure, riskcheck.LimitNetExposure:
		return true
	}
	return false
}

// perInstrument reports whether the kind, stated for all instruments, holds for
// each of them by itself.
func perInstrument(kind riskcheck.LimitKind, scope order.Scope) bool {
	return scope.Instrument == 0 && (kind == riskcheck.LimitPositionLong || kind == riskcheck.LimitPositionShort)
}

// wantUse asks for what the use of a limit is computed from.
func (s *Service) wantUse(r *usageReader, scope order.Scope, kind riskcheck.LimitKind) {
	switch {
	case !usable(kind):
	case perInstrument(kind, scope):
		for i := range s.reference.Data.Instruments {
			scope.Instrument = s.reference.Data.Instruments[i].ID
			r.want(scope)
		}
	default:
		r.want(scope)
	}
}

// use returns the use of a limit from what was read.
func (s *Service) use(r *usageReader, scope order.Scope, kind riskcheck.LimitKind) use {
	if !usable(kind) {
		return use{}
	}
	if !perInstrument(kind, scope) {
		u, known := r.usage(scope)
		if !known {
			return use{}
		}
		return use{value: measure(kind, u), known: true}
	}
	var worst use
	for i := range s.reference.Data.Instruments {
		scope.Instrument = s.reference.Data.Instruments[i].ID
		u, known := r.usage(scope)
		if !known {
			return use{}
		}
		if value := measure(kind, u); !worst.known || value > worst.value {
			worst = use{value: value, instrument: scope.Instrument, known: true}
		}
	}
	if worst.value == 0 {
		worst.instrument = 0
	}
	return worst
}

// measure returns what a control compares with the limit, without a new order.
// A sum that does not fit is the largest there is.
func measure(kind riskcheck.LimitKind, u *riskcheck.Usage) int64 {
	switch kind {
	case riskcheck.LimitOpenOrders:
		return u.OpenOrders
	case riskcheck.LimitOpenNotional:
		return openNotional(u)
	case riskcheck.LimitPositionLong:
		return sum(int64(max(0, u.Net())), int64(u.OpenBuyQty))
	case riskcheck.LimitPositionShort:
		return sum(int64(max(0, -u.Net())), int64(u.OpenSellQty))
	case riskcheck.LimitGrossExposure:
		return sum(int64(u.GrossValue), openNotional(u))
	case riskcheck.LimitNetExposure:
		buys := sum(int64(max(0, u.NetValue)), int64(u.OpenBuyNotional))
		sells := sum(int64(max(0, -u.NetValue)), int64(u.OpenSellNotional))
		return max(buys, sells)
	}
	return 0
}

func openNotional(u *riskcheck.Usage) int64 {
	return sum(int64(u.OpenBuyNotional), int64(u.OpenSellNotional))
}

// sum adds two numbers that are not negative.
func sum(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// usedBps returns used in hundredths of a percent of the limit, rounded up, nil
// if that says nothing.
func usedBps(used, limit int64) *int64 {
	if limit <= 0 || limit == order.Unlimited || used < 0 {
		return nil
	}
	const whole = 10_000
	hi, lo := bits.Mul64(uint64(used), whole)
	if hi >= uint64(limit) {
		return nil
	}
	quotient, rest := bits.Div64(hi, lo, uint64(limit))
	if rest != 0 {
		quotient++
	}
	if quotient > math.MaxInt64 {
		return nil
	}
	share := int64(quotient)
	return &share
}

// changes returns the differences between two documents with the present use of
// what changes.
func (s *Service) changes(ctx context.Context, from, to *document.Limits) ([]*adminv1.LimitChange, error) {
	differences := document.Diff(&from.Set, &to.Set, s.names())
	r := newUsageReader()
	for _, c := range differences {
		if c.New.Is && len(r.wanted) < usagesMax-len(s.reference.Data.Instruments) {
			s.wantUse(r, c.Scope, c.Kind)
		}
	}
	if err := r.read(ctx, s.loop); err != nil {
		return nil, err
	}
	changes := make([]*adminv1.LimitChange, len(differences))
	for i, c := range differences {
		changes[i] = s.changeMessage(r, &c)
	}
	return changes, nil
}

func (s *Service) changeMessage(r *usageReader, c *document.Change) *adminv1.LimitChange {
	m := &adminv1.LimitChange{
		Scope: s.scope(c.Scope), Kind: c.Kind.String(),
		OldValue: c.Old.Format(c.Kind), NewValue: c.New.Format(c.Kind),
	}
	if !c.New.Is {
		m.Warning = "the scope no longer states this limit; if no other does, its orders are blocked"
		return m
	}
	used := s.use(r, c.Scope, c.Kind)
	if used.known {
		m.Used = document.FormatValue(c.Kind, used.value)
		m.UsedBps = usedBps(used.value, c.New.Value)
	}
	m.Warning = s.warning(c, used)
	return m
}

// warning says why a change deserves a second look.
func (s *Service) warning(c *document.Change, used use) string {
	switch {
	case used.known && used.value > c.New.Value && used.instrument != 0:
		return "below present use (" + s.names().InstrumentName(used.instrument) +
			"): live orders stay, only orders that reduce the use will pass"
	case used.known && used.value > c.New.Value:
		return "below present use: live orders stay, only orders that reduce the use will pass"
	case c.New.Value == order.Unlimited:
		return "switches this limit off at this scope"
	case c.New.Value == 0:
		return "zero lets nothing in that uses this limit"
	}
	return ""
}
