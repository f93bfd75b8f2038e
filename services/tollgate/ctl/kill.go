package ctl

import (
	"fmt"

	"github.com/spf13/cobra"

	adminv1 "tollgate/proto/tollgate/admin/v1"
)

// killArguments are what kill and unkill are told.
type killArguments struct {
	narrowing
	reason string
}

// scope returns the scope that the arguments name, and wants a reason.
func (k *killArguments) scope(cmd *cobra.Command, args []string) (*adminv1.Scope, error) {
	scope, err := parseScope(args, k.narrowing)
	if err != nil {
		return nil, err
	}
	if k.reason == "" {
		return nil, usagef("%s needs a reason: --reason \"why\"", cmd.CommandPath())
	}
	return scope, nil
}

func (k *killArguments) flags(cmd *cobra.Command, op *operator) {
	k.narrowing.flags(cmd, op)
	cmd.Flags().StringVar(&k.reason, "reason", "", "why")
	cmd.ValidArgsFunction = op.completeScope
}

func (op *operator) killCommand() *cobra.Command {
	var k killArguments
	cmd := &cobra.Command{
		Use:   "kill SCOPE --reason WHY",
		Short: "stop trading in a scope and cancel its orders",
		Long: "New orders and increasing replaces of the scope are rejected from now on, its live orders are canceled,\n" +
			"cancels pass. The command returns when the adapter has confirmed that nothing accepted before can reach\n" +
			"the venue any more (exit code 0), or says that it has not (exit code 1; the kill is in force all the same).",
		Example: "  ctl kill account A-01 --reason \"runaway algorithm\"\n" +
			"  ctl kill group/G1 --instrument AMZN --reason \"halt\" --yes\n  ctl kill firm --reason \"drill\"",
		RunE: func(cmd *cobra.Command, args []string) error {
			scope, err := k.scope(cmd, args)
			if err != nil {
				return err
			}
			return op.kill(cmd, &adminv1.KillRequest{Scope: scope, Reason: k.reason, Actor: op.actor})
		},
	}
	k.flags(cmd, op)
	return cmd
}

func (op *operator) kill(cmd *cobra.Command, request *adminv1.KillRequest) error {
	question := fmt.Sprintf("Stop trading in %s and cancel its orders?", scopePhrase(request.GetScope()))
	if err := op.confirm(cmd, question); err != nil {
		return err
	}
	resp, err := ask(cmd.Context(), op, adminv1.AdminServiceClient.Kill, request)
	if err != nil {
		return err
	}
	if op.output != formatTable {
		err = encoded(cmd.OutOrStdout(), op.output, resp)
	} else {
		err = killTable([]*adminv1.KillEntry{resp.GetKill()}).print(cmd.OutOrStdout())
	}
	if err != nil {
		return err
	}
	return sayKilled(cmd, resp)
}

// What is not known yet when a kill could not be confirmed.
const (
	warningNoAdapter = "WARNING: no adapter is connected. New orders are rejected, but orders that are live at the " +
		"venue stay there until the adapter is back"
	warningPending = "WARNING: the adapter has not confirmed yet. New orders are rejected, but orders accepted before " +
		"may still reach the venue; ctl get kills shows when it has confirmed"
)

// sayKilled says in sentences what a kill did and what is not known yet.
func sayKilled(cmd *cobra.Command, resp *adminv1.KillResponse) error {
	kill := resp.GetKill()
	text := fmt.Sprintf("%s is killed (audit record %d): %s sent, %s live",
		scopePhrase(kill.GetScope()), kill.GetAuditId(),
		plural(resp.GetCancelsSent(), "cancel", "cancels"), plural(kill.GetLiveOrders(), "order", "orders"))
	if resp.GetAlreadyKilled() {
		text += "; it was killed before"
	}
	if _, err := fmt.Fprintln(cmd.ErrOrStderr(), text); err != nil {
		return err
	}
	switch kill.GetFence() {
	case adminv1.FenceState_FENCE_STATE_CONFIRMED:
		return nil
	case adminv1.FenceState_FENCE_STATE_NO_ADAPTER:
		return &exitError{code: ExitNegative, message: warningNoAdapter}
	}
	return &exitError{code: ExitNegative, message: warningPending}
}

func (op *operator) unkillCommand() *cobra.Command {
	var k killArguments
	cmd := &cobra.Command{
		Use:     "unkill SCOPE --reason WHY",
		Short:   "let a killed scope trade again",
		Example: "  ctl unkill account A-01 --reason \"algorithm repaired\"",
		RunE: func(cmd *cobra.Command, args []string) error {
			scope, err := k.scope(cmd, args)
			if err != nil {
				return err
			}
			return op.unkill(cmd, &adminv1.UnkillRequest{Scope: scope, Reason: k.reason, Actor: op.actor})
		},
	}
	k.flags(cmd, op)
	return cmd
}

func (op *operator) unkill(cmd *cobra.Command, request *adminv1.UnkillRequest) error {
	if err := op.confirm(cmd, fmt.Sprintf("Let %s trade again?", scopePhrase(request.GetScope()))); err != nil {
		return err
	}
	resp, err := ask(cmd.Context(), op, adminv1.AdminServiceClient.Unkill, request)
	if err != nil {
		return err
	}
	if op.output != formatTable {
		if err := encoded(cmd.OutOrStdout(), op.output, resp); err != nil {
			return err
		}
	}
	lifted := resp.GetLifted()
	_, err = fmt.Fprintf(cmd.ErrOrStderr(), "%s may trade again (audit record %d); it was killed by %s at %s: %s\n",
		scopePhrase(lifted.GetScope()), resp.GetAuditId(), or(lifted.GetActor(), "somebody"), clock(lifted.GetTimeNs()),
		or(lifted.GetReason(), "no reason is known"))
	return err
}
