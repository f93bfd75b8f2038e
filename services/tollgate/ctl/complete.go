package ctl

import (
	"context"
	"slices"
	"time"

	"github.com/spf13/cobra"

	adminv1 "tollgate/proto/tollgate/admin/v1"
)

// completeTimeout bounds how long a shell waits for names.
const completeTimeout = time.Second

// noFiles ends a completion: files are never meant.
const noFiles = cobra.ShellCompDirectiveNoFileComp

// reference asks for the names there are; without an answer there are none.
func (op *operator) reference(ctx context.Context) *adminv1.GetReferenceResponse {
	quick := *op
	quick.timeout = min(op.timeout, completeTimeout)
	resp, err := ask(ctx, &quick, adminv1.AdminServiceClient.GetReference, &adminv1.GetReferenceRequest{})
	if err != nil {
		return &adminv1.GetReferenceResponse{}
	}
	return resp
}

// names picks the names of one kind of thing.
type names func(*adminv1.GetReferenceResponse) []string

func namesOf[E interface{ GetName() string }](entries []E) []string {
	out := make([]string, len(entries))
	for i, e := range entries {
		out[i] = e.GetName()
	}
	return out
}

func accountNames(r *adminv1.GetReferenceResponse) []string    { return namesOf(r.GetAccounts()) }
func traderNames(r *adminv1.GetReferenceResponse) []string     { return namesOf(r.GetTraders()) }
func sessionNames(r *adminv1.GetReferenceResponse) []string    { return namesOf(r.GetSessions()) }
func strategyNames(r *adminv1.GetReferenceResponse) []string   { return namesOf(r.GetStrategies()) }
func instrumentNames(r *adminv1.GetReferenceResponse) []string { return namesOf(r.GetInstruments()) }
func classNames(r *adminv1.GetReferenceResponse) []string      { return namesOf(r.GetClasses()) }
func calendarNames(r *adminv1.GetReferenceResponse) []string   { return namesOf(r.GetCalendars()) }
func groupNames(r *adminv1.GetReferenceResponse) []string      { return namesOf(r.GetGroups()) }
func firmNames(r *adminv1.GetReferenceResponse) []string       { return []string{r.GetFirm().GetName()} }

// currencyNames are the currencies beside the firm's.
func currencyNames(r *adminv1.GetReferenceResponse) []string {
	var out []string
	add := func(code string) {
		if code != r.GetFirm().GetCurrency() && !slices.Contains(out, code) {
			out = append(out, code)
		}
	}
	for _, a := range r.GetAccounts() {
		add(a.GetCurrency())
	}
	for _, i := range r.GetInstruments() {
		add(i.GetCurrency())
	}
	return out
}

// scopeNames are the names at each level.
var scopeNames = map[string]names{
	"firm": firmNames, "group": groupNames, "account": accountNames, "trader": traderNames, "session": sessionNames,
	"strategy": strategyNames,
}

// scopeLevels are the levels, the widest first.
var scopeLevels = []string{"firm", "group", "account", "trader", "session", "strategy"}

// completeFlag has the shell complete a flag with names of the reference data.
func (op *operator) completeFlag(cmd *cobra.Command, flag string, pick names) {
	must(cmd.RegisterFlagCompletionFunc(flag, func(cmd *cobra.Command, _ []string, _ string) ([]string,
		cobra.ShellCompDirective,
	) {
		return pick(op.reference(cmd.Context())), noFiles
	}))
}

// completeWords has the shell complete a flag with fixed words.
func completeWords(cmd *cobra.Command, flag string, words []string) {
	must(cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, noFiles)))
}

// must stops a program that registers a completion for a flag it does not have.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// completeScope completes a level and then a name at it.
func (op *operator) completeScope(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	switch len(args) {
	case 0:
		return scopeLevels, noFiles
	case 1:
		if pick := scopeNames[args[0]]; pick != nil {
			return pick(op.reference(cmd.Context())), noFiles
		}
	}
	return nil, noFiles
}

// completeArguments completes one argument after the other; nil: nothing is
// known of it.
func (op *operator) completeArguments(picks ...names) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) >= len(picks) || picks[len(args)] == nil {
			return nil, noFiles
		}
		return picks[len(args)](op.reference(cmd.Context())), noFiles
	}
}

// fixed are names that do not come from the reference data.
func fixed(words []string) names {
	return func(*adminv1.GetReferenceResponse) []string { return words }
}
