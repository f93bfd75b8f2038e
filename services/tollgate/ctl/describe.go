package ctl

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/spf13/cobra"
	"google.golang.org/protobuf/proto"

	adminv1 "tollgate/proto/tollgate/admin/v1"
)

func (op *operator) describeCommand() *cobra.Command {
	var n narrowing
	var orders uint32
	cmd := &cobra.Command{
		Use:   "describe firm | LEVEL NAME | instrument NAME | order ORDER",
		Short: "show everything about a scope, an instrument or an order",
		Long: "What a scope, an instrument or an order uses and reserves, and of which limits: live orders, positions,\n" +
			"cash, located quantities, turnover, loss, latches. An order is named by its number, or by SESSION/CLORDID.",
		Example: "  ctl describe firm\n  ctl describe account A-01\n  ctl describe account A-01 --instrument AMZN\n" +
			"  ctl describe strategy vwap --class shares\n  ctl describe instrument AMZN\n  ctl describe order 4711\n" +
			"  ctl describe order S1/17",
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) == 2 && args[0] == "instrument":
				return op.describeInstrument(cmd, args[1], orders)
			case len(args) == 2 && args[0] == "order":
				return op.describeOrder(cmd, args[1])
			}
			scope, err := parseScope(args, n)
			if err != nil {
				return err
			}
			return op.describeScope(cmd, scope, orders)
		},
		ValidArgsFunction: op.completeDescribe,
	}
	n.flags(cmd, op)
	cmd.Flags().Uint32Var(&orders, "orders", ordersShown, "how many live orders to show (at most 1000)")
	return cmd
}

// completeDescribe completes what can be described.
func (op *operator) completeDescribe(cmd *cobra.Command, args []string, typed string) ([]string,
	cobra.ShellCompDirective,
) {
	switch {
	case len(args) == 0:
		return append(slices.Clone(scopeLevels), "instrument", "order"), noFiles
	case args[0] == "instrument":
		return op.completeArguments(nil, instrumentNames)(cmd, args, typed)
	}
	return op.completeScope(cmd, args, typed)
}

// portrait is everything about one scope.
type portrait struct {
	exposure *adminv1.ScopeExposure
	orders   *adminv1.ListOrdersResponse
	session  *adminv1.SessionState      // of a session
	limits   *adminv1.GetLimitsResponse // for who changed them last
}

func (op *operator) describeScope(cmd *cobra.Command, scope *adminv1.Scope, orders uint32) error {
	p, err := op.portrait(cmd.Context(), scope, orders)
	if err != nil {
		return err
	}
	if op.output != formatTable {
		return p.printEncoded(cmd.OutOrStdout(), op.output)
	}
	return p.print(cmd.OutOrStdout())
}

// portrait asks for everything about a scope.
func (op *operator) portrait(ctx context.Context, scope *adminv1.Scope, orders uint32) (*portrait, error) {
	request := &adminv1.GetExposureRequest{Scope: scope}
	exposure, err := ask(ctx, op, adminv1.AdminServiceClient.GetExposure, request)
	if err != nil {
		return nil, err
	}
	p := &portrait{exposure: exposure.GetScopes()[0]}
	if p.orders, err = op.someOrders(ctx, scope, orders); err != nil {
		return nil, err
	}
	if p.limits, err = ask(ctx, op, adminv1.AdminServiceClient.GetLimits, &adminv1.GetLimitsRequest{}); err != nil {
		return nil, err
	}
	if scope.GetType() != adminv1.ScopeType_SCOPE_TYPE_SESSION {
		return p, nil
	}
	sessions, err := ask(ctx, op, adminv1.AdminServiceClient.ListSessions, &adminv1.ListSessionsRequest{})
	if err != nil {
		return nil, err
	}
	for _, s := range sessions.GetSessions() {
		if s.GetName() == scope.GetName() {
			p.session = s
		}
	}
	return p, nil
}

// someOrders asks for the first live orders of a scope.
func (op *operator) someOrders(ctx context.Context, scope *adminv1.Scope, most uint32,
) (*adminv1.ListOrdersResponse, error) {
	request := &adminv1.ListOrdersRequest{Scope: scope, MaxOrders: most}
	return ask(ctx, op, adminv1.AdminServiceClient.ListOrders, request)
}

// part is one field of an object that is printed for programs.
type part struct {
	name string
	from proto.Message // nil: left out
}

// printParts prints one object with the parts as fields.
func printParts(w io.Writer, f format, parts ...part) error {
	text := []byte{'{'}
	for _, p := range parts {
		if p.from == nil || !p.from.ProtoReflect().IsValid() {
			continue
		}
		value, err := marshal(p.from)
		if err != nil {
			return err
		}
		if len(text) > 1 {
			text = append(text, ',')
		}
		text = append(strconv.AppendQuote(text, p.name), ':')
		text = append(text, value...)
	}
	return printJSON(w, f, append(text, '}'))
}

// printEncoded prints one object with the parts as fields.
func (p *portrait) printEncoded(w io.Writer, f format) error {
	return printParts(w, f, part{"exposure", p.exposure}, part{"orders", p.orders}, part{"session", p.session},
		part{"limits", &adminv1.GetLimitsResponse{
			ResourceVersion: p.limits.GetResourceVersion(), AppliedBy: p.limits.GetAppliedBy(),
		}})
}

func (op *operator) describeInstrument(cmd *cobra.Command, name string, orders uint32) error {
	ctx := cmd.Context()
	reference, err := ask(ctx, op, adminv1.AdminServiceClient.GetReference, &adminv1.GetReferenceRequest{})
	if err != nil {
		return err
	}
	at := slices.IndexFunc(reference.GetInstruments(), func(i *adminv1.Instrument) bool { return i.GetName() == name })
	if at < 0 {
		message := fmt.Sprintf("unknown instrument %q, want one of the reference data", name)
		return &exitError{code: ExitNegative, message: message}
	}
	instrument := reference.GetInstruments()[at]
	request := &adminv1.GetExposureRequest{Instrument: name, OnlyUsed: true}
	exposure, err := ask(ctx, op, adminv1.AdminServiceClient.GetExposure, request)
	if err != nil {
		return err
	}
	firm := &adminv1.Scope{Type: adminv1.ScopeType_SCOPE_TYPE_FIRM, Instrument: name}
	live, err := op.someOrders(ctx, firm, orders)
	if err != nil {
		return err
	}
	if op.output != formatTable {
		return printParts(cmd.OutOrStdout(), op.output, part{"instrument", instrument}, part{"exposure", exposure},
			part{"orders", live})
	}
	if err := instrumentFacts(instrument).print(cmd.OutOrStdout()); err != nil {
		return err
	}
	return printDetails(cmd.OutOrStdout(), holderTable(exposure.GetScopes()), orderTable(live.GetOrders()))
}
