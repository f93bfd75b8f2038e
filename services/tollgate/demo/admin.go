package demo

import (
	"context"
	"errors"
	"fmt"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"tollgate/loadtest/ledger"
	"tollgate/order"
	adminv1 "tollgate/proto/tollgate/admin/v1"
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
