package ctl

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	adminv1 "tollgate/proto/tollgate/admin/v1"
)

func (op *operator) getOrdersCommand() *cobra.Command {
	var n narrowing
	var most uint32
	cmd := &cobra.Command{
		Use:     "orders SCOPE",
		Short:   "show the live orders of a scope and what they reserve",
		Example: "  ctl get orders account A-01\n  ctl get orders firm --instrument AMZN",
		RunE: func(cmd *cobra.Command, args []string) error {
			scope, err := parseScope(args, n)
			if err != nil {
				return err
			}
			request := &adminv1.ListOrdersRequest{Scope: scope, MaxOrders: most}
			resp, err := ask(cmd.Context(), op, adminv1.AdminServiceClient.ListOrders, request)
			if err != nil {
				return err
			}
			if op.output != formatTable {
				return encoded(cmd.OutOrStdout(), op.output, resp)
			}
			if err := orderTable(resp.GetOrders()).print(cmd.OutOrStdout()); err != nil {
				return err
			}
			return sayMore(cmd.ErrOrStderr(), resp)
		},
		ValidArgsFunction: op.completeScope,
	}
	n.flags(cmd, op)
	cmd.Flags().Uint32Var(&most, "max", 0, "how many orders to show (0: 100; at most 1000)")
	return cmd
}

// sayMore says that there are more orders than are shown.
func sayMore(w io.Writer, resp *adminv1.ListOrdersResponse) error {
	shown := uint64(len(resp.GetOrders()))
	if shown >= resp.GetLiveOrders() {
		return nil
	}
	_, err := fmt.Fprintf(w, "%s of %s live orders are shown\n", count(shown), count(resp.GetLiveOrders()))
	return err
}

func orderTable(orders []*adminv1.OrderState) *table {
	t := &table{titles: []string{
		">ORDER", ">CLORDID", "SESSION", "ACCOUNT", "TRADER", "INSTRUMENT", "SIDE", ">QTY", ">DONE", ">PRICE", "STATUS",
		">RESERVED", ">WORTH",
	}}
	for _, o := range orders {
		t.add(fmt.Sprint(o.GetOrderId()), fmt.Sprint(o.GetClOrdId()), o.GetSession(), o.GetAccount(), o.GetTrader(),
			o.GetInstrument(), o.GetSide(), grouped(o.GetOrderQty()), grouped(o.GetCumQty()),
			grouped(or(o.GetPrice(), "market")), o.GetStatus(), grouped(o.GetReservedQty()), grouped(o.GetReservedNotional()))
	}
	return t
}

// parseOrder reads the name of an order: its number, or SESSION/CLORDID.
func parseOrder(name string) (*adminv1.DescribeOrderRequest, error) {
	session, number, slash := strings.Cut(name, "/")
	if !slash {
		session, number = "", name
	}
	id, err := strconv.ParseUint(number, 10, 64)
	if err != nil || id == 0 || slash && session == "" {
		return nil, usagef("order %q, want the number of an order or SESSION/CLORDID of a live one", name)
	}
	if slash {
		return &adminv1.DescribeOrderRequest{Session: session, ClOrdId: id}, nil
	}
	return &adminv1.DescribeOrderRequest{OrderId: id}, nil
}

func (op *operator) describeOrder(cmd *cobra.Command, name string) error {
	request, err := parseOrder(name)
	if err != nil {
		return err
	}
	resp, err := ask(cmd.Context(), op, adminv1.AdminServiceClient.DescribeOrder, request)
	if err != nil {
		return err
	}
	if op.output != formatTable {
		return encoded(cmd.OutOrStdout(), op.output, resp)
	}
	return printOrder(cmd.OutOrStdout(), resp)
}

func printOrder(w io.Writer, resp *adminv1.DescribeOrderResponse) error {
	o := resp.GetOrder()
	t := &table{titles: []string{fmt.Sprintf("order %d", o.GetOrderId()), ""}}
	t.add("ClOrdID", fmt.Sprint(o.GetClOrdId()))
	t.add("status", o.GetStatus())
	t.add("session", o.GetSession())
	t.add("account", o.GetAccount())
	t.add("trader", o.GetTrader())
	t.add("strategy", or(o.GetStrategy(), "none"))
	t.add("instrument", o.GetInstrument())
	t.add("order", fmt.Sprintf("%s %s @ %s, %s, %s", o.GetSide(), grouped(o.GetOrderQty()),
		grouped(or(o.GetPrice(), "market")), o.GetOrderType(), o.GetTimeInForce()))
	t.add("stop price", grouped(or(o.GetStopPx(), "none")))
	t.add("executed", grouped(o.GetCumQty()))
	t.add("reserved", fmt.Sprintf("%s, worth %s %s", grouped(o.GetReservedQty()), grouped(o.GetReservedNotional()),
		resp.GetFirmCurrency()))
	if resp.GetAccountCurrency() != resp.GetFirmCurrency() {
		t.add("in the account", grouped(o.GetReservedNotionalAccount())+" "+resp.GetAccountCurrency())
	}
	t.add("awaits the venue", fmt.Sprintf("%s, %s", plural(uint64(o.GetPendingReplaces()), "replace", "replaces"),
		plural(uint64(o.GetPendingCancels()), "cancel", "cancels")))
	t.add("limits version", count(o.GetConfigVersion()))
	if err := t.print(w); err != nil {
		return err
	}
	if _, err := io.WriteString(w, "\n"); err != nil {
		return err
	}
	return holdTable(resp.GetHolds(), o.GetSide()).print(w)
}

// holdTable shows where an order counts, and with what.
func holdTable(holds []*adminv1.OrderHold, side string) *table {
	title := "ALL BUYS"
	if side != "buy" {
		title = "ALL SELLS"
	}
	t := &table{titles: []string{
		"COUNTS AT", "INSTRUMENT", ">QTY", ">WORTH", "", ">" + title, ">WORTH", ">ORDERS",
	}}
	for _, h := range holds {
		t.add(scopeName(h.GetScope()), within(h.GetScope()), grouped(h.GetQty()), grouped(h.GetNotional()), h.GetCurrency(),
			grouped(h.GetOpenQty()), grouped(h.GetOpenNotional()), count(h.GetOpenOrders()))
	}
	return t
}
