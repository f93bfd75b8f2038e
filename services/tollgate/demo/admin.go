package demo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"tollgate/loadtest/ledger"
	"tollgate/loadtest/result"
	"tollgate/order"
	adminv1 "tollgate/proto/tollgate/admin/v1"
	"tollgate/riskcheck"
)

const (
	readyTimeout = 20 * time.Second
	readyPause   = 5 * time.Millisecond
)

// control is the demo's view of the control plane.
type control struct {
	conn   *grpc.ClientConn
	client adminv1.AdminServiceClient
}

func dialAdmin(address string) (*control, error) {
	conn, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return nil, err
	}
	return &control{conn, adminv1.NewAdminServiceClient(conn)}, nil
}

// ready waits until orders can flow: the engine has its limits and a gateway
// reaches the venue.
func (a *control) ready(ctx context.Context, ended <-chan error) error {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	var last error
	for {
		status, err := a.client.GetStatus(ctx, &adminv1.GetStatusRequest{})
		switch {
		case err != nil:
			last = err
		case status.GetVenue() == adminv1.VenueState_VENUE_STATE_UP:
			return nil
		default:
			last = errors.New("the engine has no way to the venue yet")
		}
		select {
		case err := <-ended:
			return err
		case <-ctx.Done():
			return fmt.Errorf("the chain was not ready within %s: %w", readyTimeout, last)
		case <-time.After(readyPause):
		}
	}
}

// Cash that accounts begin with, in usual orders. J has little, and little credit.
const (
	cashOrders       = 100_000
	cashOrdersOfFew  = 30
	accountOfFewCash = "J"
)

// fund gives every account its cash.
func (a *control) fund(ctx context.Context, f *firm) error {
	for _, name := range accounts {
		cash := f.Value(cashOrders)
		if name == accountOfFewCash {
			cash = f.Value(cashOrdersOfFew)
		}
		_, err := a.client.SetCash(ctx, &adminv1.SetCashRequest{
			Account: name, Cash: cash.String(), Reason: "the demo begins", Actor: "demo",
		})
		if err != nil {
			return fmt.Errorf("cash of account %s: %w", name, err)
		}
	}
	return nil
}

// utilisation returns what every scope uses of its limits, as far as it can be
// measured: in the order of the controls, the highest share first.
func (a *control) utilisation(ctx context.Context) ([]result.Utilisation, error) {
	exposure, err := a.client.GetExposure(ctx, &adminv1.GetExposureRequest{Types: []adminv1.ScopeType{
		adminv1.ScopeType_SCOPE_TYPE_FIRM, adminv1.ScopeType_SCOPE_TYPE_GROUP, adminv1.ScopeType_SCOPE_TYPE_ACCOUNT,
		adminv1.ScopeType_SCOPE_TYPE_TRADER, adminv1.ScopeType_SCOPE_TYPE_SESSION, adminv1.ScopeType_SCOPE_TYPE_STRATEGY,
	}})
	if err != nil {
		return nil, fmt.Errorf("exposure: %w", err)
	}
	var out []result.Utilisation
	for _, scope := range exposure.GetScopes() {
		for _, l := range scope.GetLimits() {
			if l.UsedBps == nil {
				continue
			}
			out = append(out, result.Utilisation{
				Control: l.GetLimit().GetControl(), Scope: scopePhrase(l.GetLimit().GetScope()), Kind: l.GetLimit().GetKind(),
				Limit: l.GetLimit().GetValue(), Used: l.GetUsed(), UsedBps: l.GetUsedBps(), Rung: rungName(l.GetRung()),
			})
		}
	}
	place := controlPlaces()
	slices.SortStableFunc(out, func(a, b result.Utilisation) int {
		if c := place[a.Control] - place[b.Control]; c != 0 {
			return c
		}
		return cmp.Compare(b.UsedBps, a.UsedBps)
	})
	return out, nil
}

// latched says in one line which scopes were latched; empty if none was.
func (a *control) latched(ctx context.Context) (string, error) {
	resp, err := a.client.ListLatches(ctx, &adminv1.ListLatchesRequest{})
	if err != nil {
		return "", fmt.Errorf("latches: %w", err)
	}
	var names []string
	for _, l := range resp.GetLatches() {
		latch := riskcheck.Latch(l.GetLatch())
		names = append(names, scopePhrase(l.GetScope())+" by "+latch.String())
	}
	return strings.Join(names, ", "), nil
}

// controlPlaces returns the places of the controls in the order of evaluation.
func controlPlaces() map[string]int {
	places := map[string]int{}
	for i, c := range order.Controls() {
		places[c.String()] = i
	}
	return places
}

// rungName names how far the use of a limit has come; empty if the limit has no
// rungs.
func rungName(r adminv1.Rung) string {
	if r == adminv1.Rung_RUNG_UNSPECIFIED {
		return ""
	}
	return strings.ToLower(strings.TrimPrefix(r.String(), "RUNG_"))
}

// scopePhrase writes a scope and what it is narrowed to.
func scopePhrase(s *adminv1.Scope) string {
	text := strings.ToLower(strings.TrimPrefix(s.GetType().String(), "SCOPE_TYPE_"))
	if s.GetType() != adminv1.ScopeType_SCOPE_TYPE_FIRM {
		text += "/" + s.GetName()
	}
	switch {
	case s.GetInstrument() != "":
		text += " × " + s.GetInstrument()
	case s.GetClass() != "":
		text += " × class " + s.GetClass()
	}
	return text
}

// difference is a position on which engine and trades disagree.
type difference struct {
	account string
	engine  string
	trades  string
}

func (d difference) String() string {
	return fmt.Sprintf("account %s: the engine says %s, the trades add up to %s", d.account, d.engine, d.trades)
}

// reconcile compares the engine's position of every account with what the
// trades add up to that the clients were told of.
func (a *control) reconcile(ctx context.Context, positions ledger.Positions) ([]difference, error) {
	exposure, err := a.client.GetExposure(ctx, &adminv1.GetExposureRequest{
		Types: []adminv1.ScopeType{adminv1.ScopeType_SCOPE_TYPE_ACCOUNT},
	})
	if err != nil {
		return nil, fmt.Errorf("exposure: %w", err)
	}
	engine := map[string]order.Qty{}
	for _, scope := range exposure.GetScopes() {
		for _, in := range scope.GetInstruments() {
			net, err := order.ParseQty(in.GetNetPosition())
			if err != nil {
				return nil, fmt.Errorf("exposure of account %s: %w", scope.GetScope().GetName(), err)
			}
			engine[scope.GetScope().GetName()] += net
		}
	}
	var out []difference
	for i, name := range accounts {
		p := positions[ledger.PositionKey{Account: order.AccountID(i + 1), Instrument: instrumentID}]
		if engine[name] != p.Net() {
			out = append(out, difference{name, engine[name].String(), p.Net().String()})
		}
	}
	return out, nil
}
