package ctl

import (
	"fmt"

	"github.com/spf13/cobra"

	adminv1 "tollgate/proto/tollgate/admin/v1"
)

// latchWord is the name of a latch in commands and tables.
type latchWord struct {
	word  string
	latch adminv1.Latch
}

// latchWords are the latches, in the order of their numbers.
var latchWords = []latchWord{
	{"lateTruth", adminv1.Latch_LATCH_LATE_TRUTH},
	{"limit", adminv1.Latch_LATCH_LIMIT},
	{"implausiblePosition", adminv1.Latch_LATCH_IMPLAUSIBLE_POSITION},
	{"dailyLoss", adminv1.Latch_LATCH_DAILY_LOSS},
	{"dailyLossFromPeak", adminv1.Latch_LATCH_DAILY_LOSS_FROM_PEAK},
	{"repeatedExecution", adminv1.Latch_LATCH_REPEATED_EXECUTION},
	{"consecutiveRejects", adminv1.Latch_LATCH_CONSECUTIVE_REJECTS},
}

const latchesWanted = "lateTruth, limit, implausiblePosition, dailyLoss, dailyLossFromPeak, repeatedExecution or " +
	"consecutiveRejects"

func latchName(l adminv1.Latch) string {
	for _, w := range latchWords {
		if w.latch == l {
			return w.word
		}
	}
	return ""
}

func parseLatch(word string) (adminv1.Latch, error) {
	for _, w := range latchWords {
		if w.word == word {
			return w.latch, nil
		}
	}
	return 0, usagef("latch %q, want %s", word, latchesWanted)
}

func (op *operator) getLatchesCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "latches",
		Short: "show scopes that are stopped until somebody releases them",
		Args:  exactly(0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			request := &adminv1.ListLatchesRequest{}
			resp, err := ask(cmd.Context(), op, adminv1.AdminServiceClient.ListLatches, request)
			if err != nil {
				return err
			}
			if op.output != formatTable {
				return encoded(cmd.OutOrStdout(), op.output, resp)
			}
			return latchTable(resp.GetLatches()).print(cmd.OutOrStdout())
		},
	}
}

func latchTable(latches []*adminv1.LatchEntry) *table {
	t := &table{titles: []string{"SCOPE", "INSTRUMENT", "LATCH", "PASSES", "SINCE", "LIMIT", ">VALUE", ">LIMIT", ">ORDER"}}
	for _, l := range latches {
		order, since := "", "not known"
		if l.GetOrderId() != 0 {
			order = fmt.Sprint(l.GetOrderId())
		}
		if l.GetTimeNs() != 0 {
			since = clock(l.GetTimeNs())
		}
		t.addCells(cell{text: scopeName(l.GetScope())}, cell{text: within(l.GetScope())},
			cell{text: latchName(l.GetLatch()), tone: red}, cell{text: passes(l.GetLatch())}, cell{text: since},
			cell{text: l.GetKind()}, cell{text: grouped(l.GetValue())}, cell{text: grouped(l.GetLimit())}, cell{text: order})
	}
	return t
}

// passes says what a latch lets through.
func passes(l adminv1.Latch) string {
	if l >= adminv1.Latch_LATCH_REPEATED_EXECUTION {
		return "nothing that increases"
	}
	return "reducing orders"
}

func (op *operator) releaseCommand() *cobra.Command {
	var k killArguments
	cmd := &cobra.Command{
		Use:   "release SCOPE LATCH --reason WHY",
		Short: "let a latched scope trade again",
		Long: "A latch stays until somebody ends it: " + latchesWanted + ".\n" +
			"A loss that is still beyond its limit latches the scope again at once.",
		Example: "  ctl release account A-01 dailyLoss --reason \"hedged\"\n" +
			"  ctl release account/A-01 lateTruth --instrument AMZN --reason \"agreed with the venue\"",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) < 2 {
				return usagef("%s takes a scope and a latch, want %s and %s", cmd.CommandPath(), scopeWanted, latchesWanted)
			}
			latch, err := parseLatch(args[len(args)-1])
			if err != nil {
				return err
			}
			scope, err := k.scope(cmd, args[:len(args)-1])
			if err != nil {
				return err
			}
			return op.release(cmd, &adminv1.ReleaseRequest{Scope: scope, Latch: latch, Reason: k.reason, Actor: op.actor})
		},
	}
	k.flags(cmd, op)
	cmd.ValidArgsFunction = op.completeRelease
	return cmd
}

// completeRelease completes a scope and then a latch.
func (op *operator) completeRelease(cmd *cobra.Command, args []string, typed string) ([]string,
	cobra.ShellCompDirective,
) {
	if _, err := parseScope(args, narrowing{}); err != nil {
		return op.completeScope(cmd, args, typed)
	}
	words := make([]string, len(latchWords))
	for i, w := range latchWords {
		words[i] = w.word
	}
	return words, noFiles
}

func (op *operator) release(cmd *cobra.Command, request *adminv1.ReleaseRequest) error {
	what := scopePhrase(request.GetScope())
	question := fmt.Sprintf("Release the latch %s of %s?", latchName(request.GetLatch()), what)
	if err := op.confirm(cmd, question); err != nil {
		return err
	}
	resp, err := ask(cmd.Context(), op, adminv1.AdminServiceClient.Release, request)
	if err != nil {
		return err
	}
	return op.done(cmd, resp, "%s is no longer latched by %s (audit record %d)", what, latchName(request.GetLatch()),
		resp.GetAuditId())
}
