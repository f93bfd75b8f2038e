package exchange

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"tollgate/exchange/simulated"
	"tollgate/order"
)

// TestTheVenueActsOnCommand: what it says of its own accord is numbered and sent
// like everything else, and the time at the venue is that of the command.
func TestTheVenueActsOnCommand(t *testing.T) {
	n := newNetwork(t, 0, nil)
	g := n.gateway("g")
	g.subscribe(1, 1)
	g.give(n.accepted(1, 1, order.SideSell))
	g.give(n.accepted(1, 2, order.SideBuy))
	n.Advance(7)
	result := n.operate(simulated.Command{Kind: simulated.CommandBust, ExecID: 3})
	if err := <-result; err != nil {
		t.Fatal(err)
	}
	wantSeqs(t, "after the trade is canceled", g.reportSeqs(), 1, 6)
	for i, ref := range []order.ExecID{3, 4} {
		r, trace := g.reports[4+i], g.traces[4+i]
		if r.Kind != order.ReportTradeCancel || r.ExecRefID != ref || r.CumQty != 0 || r.Strategy != 6 {
			t.Errorf("report %d is %+v", r.ReportSeq, r)
		}
		if trace != (order.Trace{VenueIn: n.Now()}) {
			t.Errorf("report %d has the times %+v", r.ReportSeq, trace)
		}
	}
	if err := <-n.operate(simulated.Command{Kind: simulated.CommandBust, ExecID: 3}); err == nil {
		t.Error("the same trade was canceled twice")
	}
	wantSeqs(t, "after a command that cannot be", g.reportSeqs(), 1, 6)
}

// operate queues a command and lets the network come to rest.
func (n *network) operate(c simulated.Command) chan error {
	n.t.Helper()
	op := operation{command: c, result: make(chan error, 1)}
	if !n.server.operations.Push(op) {
		n.t.Fatal("the queue is full")
	}
	n.server.loop.Wake()
	n.settle()
	return op.result
}

func TestCommandsAreBounded(t *testing.T) {
	n := newNetwork(t, 0, nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	endDay := simulated.Command{Kind: simulated.CommandEndDay}
	for range operationsQueued {
		if err := n.server.Operate(ctx, endDay); !errors.Is(err, context.Canceled) {
			t.Fatalf("a command nobody takes: %v", err)
		}
	}
	if err := n.server.Operate(ctx, endDay); !errors.Is(err, ErrCommandsFull) {
		t.Errorf("one too many: %v", err)
	}
	n.settle()
	if got := n.server.operations.Len(); got != 0 {
		t.Errorf("%d commands still wait", got)
	}
}

// TestOperateWhileTheServerRuns gives commands from another goroutine, until the
// server has ended.
func TestOperateWhileTheServerRuns(t *testing.T) {
	r := startServer(t, nil)
	r.trade()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	fill := simulated.Command{Kind: simulated.CommandFill, OrderID: 1, Qty: 5, Price: 50}
	if err := r.server.Operate(ctx, fill); err != nil {
		t.Fatal(err)
	}
	r.await(5)
	fill.OrderID = 99
	if err := r.server.Operate(ctx, fill); err == nil || !strings.Contains(err.Error(), "order 99 is unknown") {
		t.Errorf("an unknown order: %v", err)
	}
	if err := r.end(); err != nil {
		t.Fatal(err)
	}
	if err := r.server.Operate(ctx, fill); !errors.Is(err, ErrStopped) {
		t.Errorf("after the end: %v", err)
	}
}
