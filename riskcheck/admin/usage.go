package admin

import (
	"context"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"tollgate/order"
	"tollgate/riskcheck"
)

// reading is what the engine says of one scope.
type reading struct {
	riskcheck.Usage
	day     riskcheck.DayUse
	cash    riskcheck.AccountUse // of a whole account
	located order.Qty            // of an account × instrument
	shorted order.Qty
}

// usageReader reads the use of many scopes in turns of the loop that are short
// each. What it has read is therefore not one instant: orders pass between two
// turns.
type usageReader struct {
	wanted []order.Scope
	index  map[order.Scope]int
	got    []reading
}

func newUsageReader() *usageReader { return &usageReader{index: map[order.Scope]int{}} }

// full reports whether more was asked for than one request may read. What is
// asked for after that is not taken.
func (r *usageReader) full() bool { return len(r.wanted) > usagesMax }

// want asks for the use of a scope.
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
	r.got = make([]reading, len(r.wanted))
	for from := 0; from < len(r.wanted); from += usagesPerTurnMax {
		until := min(from+usagesPerTurnMax, len(r.wanted))
		err := loop.Do(ctx, func(e *riskcheck.Engine, _ int64) {
			for i := from; i < until; i++ {
				r.got[i].fill(e, r.wanted[i])
			}
		})
		if err != nil {
			return unavailable(err)
		}
	}
	return nil
}

// fill asks the engine for one scope.
func (g *reading) fill(e *riskcheck.Engine, scope order.Scope) {
	g.Usage, _ = e.Usage(scope)
	g.day, _ = e.DayUse(scope)
	if scope.Type != order.ScopeAccount || scope.Class != 0 {
		return
	}
	if scope.Instrument == 0 {
		g.cash, _ = e.AccountUse(order.AccountID(scope.ID))
		return
	}
	g.located, g.shorted = e.Locate(order.AccountID(scope.ID), scope.Instrument)
}

// usage returns what was read for a scope; ok is false if it was not asked for.
func (r *usageReader) usage(scope order.Scope) (g *reading, ok bool) {
	i, ok := r.index[scope]
	if !ok {
		return nil, false
	}
	return &r.got[i], true
}
